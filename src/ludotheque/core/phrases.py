"""Text for people that can be translated.

A `Phrase` is an English sentence with named placeholders and their values. The sentence is the key in the translators'
catalogues, and the language is chosen where it is shown; `str()` gives English. A phrase with a number in it has a
singular and a plural in English, and as many forms in another language as its grammar has (`plural`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Final

from msgspec import Struct

SEAT: Final = "Seat {number}"


class Translation:
    """The sentences of a language, looked up by the English ones. This one is English itself."""

    def __call__(self, text: str) -> str:
        """The sentence in the language; its placeholders are not filled in."""
        return text

    def plural(self, one: str, many: str, count: int) -> str:
        """The form of a sentence for a number; `one` and `many` are the English forms."""
        return one if count == 1 else many


ENGLISH: Final = Translation()


# `gc=False`: values that are never changed form no cycles, and a view holds too many of them to look for some.
class Phrase(Struct, frozen=True, gc=False):
    """An English sentence with named placeholders, `"{seat} lays {tile}"`, and their values."""

    text: str
    values: dict[str, str | int | Phrase] = {}
    many: str = ""
    """The plural of the sentence if it depends on the value `count`; then `text` is the singular."""

    def __str__(self) -> str:
        return self.render()

    def render(
        self,
        translate: Translation = ENGLISH,
        names: Sequence[str] = (),
        render_part: Callable[[Phrase], str] | None = None,
    ) -> str:
        """Fill in the placeholders, in the language of `translate` and with the players' `names` for the seats;
        `render_part` renders the phrases among the values."""
        values = self.values
        if not values:
            return translate(self.text).format() if self.text else ""
        if self.text == SEAT and names:
            return names[int(str(values["number"])) - 1]
        filled: dict[str, str | int] = {}
        for name, value in values.items():
            if isinstance(value, Phrase):
                value = render_part(value) if render_part else value.render(translate, names)
            filled[name] = value
        if self.many:
            return translate.plural(self.text, self.many, int(str(values["count"]))).format_map(filled)
        return translate(self.text).format_map(filled)

    @property
    def names_seat(self) -> bool:
        """Whether it is, or holds, the name of a seat, so that it depends on the players' names."""
        for value in self.values.values():
            if isinstance(value, Phrase) and value.names_seat:
                return True
        return self.text == SEAT


class Detailed(Phrase, frozen=True, gc=False, kw_only=True):
    """A line of the log with details that a player sees on the board."""

    short: Phrase
    """The same without the details, for the news since a player's last turn; `NOTHING` leaves the line out there."""


class Picture(Phrase, frozen=True, gc=False, kw_only=True):
    """Words for something that pages draw in their place: they are its alternative text, and what terminals show."""

    symbol: str
    """The symbol of the game's art."""
    turn: int = 0
    """Degrees clockwise."""


NOTHING: Final = Phrase("")
"""An empty text, such as the head of a column that needs none. (Catalogues keep their own header under "".)"""


class Step(Struct, frozen=True, gc=False):
    """One of the choices that make up a move, such as `cell:D4`."""

    key: str
    label: Phrase
    tag: Phrase = NOTHING
    """A few signs for its place on the board while it can be chosen there, such as a price."""
    warning: Phrase = NOTHING
    """A far-reaching consequence that the player must know beforehand: "ends the game"."""
    asks: Phrase = NOTHING
    """The question that it leads to in the same turn: "Which company expands?"."""


def phrase(text: str, **values: str | int | Phrase) -> Phrase:
    """Make a phrase. The translators' tools look for calls of this function."""
    return Phrase(text, values)


def plural(count: int, one: str, many: str, **values: str | int | Phrase) -> Phrase:
    """Make a phrase that depends on a number: `plural(3, "{count} tile", "{count} tiles")`.

    The translators' tools look for calls of this function. Other languages may use the singular for other numbers than
    1, so it has `{count}` too.
    """
    return Phrase(one, {"count": count, **values}, many)


def detailed(line: Phrase, short: Phrase = NOTHING) -> Detailed:
    """A line of the log with details, and its short form for the news since a player's last turn. Without one the news
    leave the line out: their pictures and gains tell as much."""
    return Detailed(line.text, line.values, line.many, short=short)


def pictured(words: Phrase, symbol: str, turn: int = 0) -> Picture:
    """Words for something that pages draw by a symbol of the art, turned by some degrees."""
    return Picture(words.text, words.values, words.many, symbol=symbol, turn=turn)


def in_full(line: Phrase) -> Phrase:
    """A line without its short form and its pictures, to be stored."""
    if not isinstance(line, Detailed) and not any(isinstance(value, Picture) for value in line.values.values()):
        return line
    return Phrase(line.text, {name: _without_picture(value) for name, value in line.values.items()}, line.many)


def _without_picture(value: str | int | Phrase) -> str | int | Phrase:
    return Phrase(value.text, value.values, value.many) if isinstance(value, Picture) else value


def listed(parts: Sequence[Phrase]) -> Phrase:
    """Phrases one after the other: "north, west"; nothing of none."""
    return reduce(lambda some, one: phrase("{some}, {one}", some=some, one=one), parts) if parts else NOTHING


def points(count: int) -> Phrase:
    """A number of points: "1 point", "3 points"."""
    return plural(count, "{count} point", "{count} points")


def seat_name(seat: int) -> Phrase:
    """The name of a seat; people count seats from 1."""
    return phrase(SEAT, number=seat + 1)


def hand_of(seat: int, viewer: int) -> Phrase:
    """The caption of a seat's hand, addressed to its owner."""
    return phrase("Your hand") if seat == viewer else phrase("Hand of {seat}", seat=seat_name(seat))


def winners(scores: Sequence[int], returns: Sequence[float]) -> Iterator[Phrase]:
    """The last lines of a log: who wins or shares the win, and with how many points."""
    for seat, share in enumerate(returns):
        if share == 1:
            yield phrase("{seat} wins with {points}.", seat=seat_name(seat), points=points(scores[seat]))
        elif share:
            yield phrase("{seat} shares the win with {points}.", seat=seat_name(seat), points=points(scores[seat]))


def short_repr(value: object) -> str:
    """The `repr` of a value, truncated to 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write an `int` of more than 4,300 digits
        return "<too long to write>"
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str, kept: str = "") -> str:
    """A text from outside, with escapes for characters that would change a terminal or the direction of text; those in
    `kept` stay."""
    return "".join(sign if sign.isprintable() or sign in kept else repr(sign)[1:-1] for sign in text)
