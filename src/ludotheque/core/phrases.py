"""Words for people, kept apart from any one language.

A `Phrase` is an English sentence with named gaps and what fills them. The sentence is the key into the catalogues of
translators, so whoever shows it chooses the language; `str()` gives English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

SEAT: Final = "Seat {number}"


class Phrase(Struct, frozen=True):
    """An English sentence with named gaps, `"{seat} lays {tile}"`, and the fillings."""

    text: str
    values: dict[str, str | int | Phrase] = {}

    def __str__(self) -> str:
        return self.render()

    def render(self, translate: Callable[[str], str] = str, names: Sequence[str] = ()) -> str:
        """This phrase for a reader: in the tongue of `translate` (from sentence with gaps to sentence with gaps),
        with the seats called by their `names`."""
        values = self.values
        if not values:
            return translate(self.text).format() if self.text else ""
        if self.text == SEAT and names:
            return names[int(str(values["number"])) - 1]
        for value in values.values():
            if isinstance(value, Phrase):
                values = {
                    name: value.render(translate, names) if isinstance(value, Phrase) else value
                    for name, value in values.items()
                }
                break
        return translate(self.text).format_map(values)


class Step(Struct, frozen=True):
    """One small choice on the way to a move, such as `cell:D4`."""

    key: str
    label: Phrase


NOTHING: Final = Phrase("")
"""An empty place, such as the head of a column that needs none. (Catalogues keep their own header under "".)"""


def phrase(text: str, **values: str | int | Phrase) -> Phrase:
    """A phrase; the one spelling that tools for translators look for."""
    return Phrase(text, values)


def counted(count: int, one: Phrase, many: Phrase) -> Phrase:
    """How many there are, in words for one and words for any other number."""
    return one if count == 1 else many


def points(count: int) -> Phrase:
    """So many points."""
    return counted(count, phrase("1 point"), phrase("{count} points", count=count))


def seat_name(seat: int) -> Phrase:
    """What a seat is called; people count seats from 1."""
    return phrase(SEAT, number=seat + 1)


def winners(scores: Sequence[int], returns: Sequence[float]) -> Iterator[Phrase]:
    """Who wins, or shares the win, and with how many points: the last lines of a log."""
    for seat, share in enumerate(returns):
        if share == 1:
            yield phrase("{seat} wins with {points} points.", seat=seat_name(seat), points=scores[seat])
        elif share:
            yield phrase("{seat} shares the win with {points} points.", seat=seat_name(seat), points=scores[seat])


def short_repr(value: object) -> str:
    """A value as a sentence may show it: as Python writes it, and not too long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
