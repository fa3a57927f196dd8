"""Cards that show the events which decide a game: what happened, and what it brought each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from ludotheque.core.colours import Mark
from ludotheque.core.earnings import Earning
from ludotheque.core.events import GameEnded
from ludotheque.core.phrases import NOTHING, Phrase, phrase

_WINS: Final = phrase("wins")
_SHARES_THE_WIN: Final = phrase("shares the win")


class CardRow(Struct, frozen=True):
    """A line of a card."""

    who: int | Mark
    """A seat, or the counter of something else, such as a company."""
    words: Phrase = NOTHING
    amount: Phrase = NOTHING
    places: tuple[str, ...] = ()
    """The ids of pieces of the scene that belong to this row."""


class EventCard(Struct, frozen=True):
    """An event that all at the table should notice."""

    title: Phrase
    text: Phrase = NOTHING
    """A sentence below the title."""
    rows: tuple[CardRow, ...] = ()
    places: tuple[str, ...] = ()
    """The ids of the pieces of the scene where it happened."""
    before: bool = False
    """Whether these places are on the board before the action, which cleared it: the card is shown over that one."""

    @property
    def all_places(self) -> tuple[str, ...]:
        """The places of the card and its rows."""
        return self.places + tuple(place for row in self.rows for place in row.places)


def gained(number: int) -> Phrase:
    """A gain of points: "+3"."""
    return phrase("+{number}", number=number)


def gain_rows(earnings: Iterable[Earning]) -> tuple[CardRow, ...]:
    """A row for each seat that got points which count now."""
    amounts = Counter[int]()
    for earning in earnings:
        if earning.counts == "now":
            amounts[earning.seat] += earning.amount
    return tuple(CardRow(seat, amount=gained(amount)) for seat, amount in sorted(amounts.items()))


def end_card(event: GameEnded, amount: Callable[[int], Phrase], text: Phrase = NOTHING) -> EventCard:
    """The end of a game: the final scores, the best first. `amount` puts a score into words."""
    order = sorted(range(len(event.scores)), key=lambda seat: (-event.returns[seat], -event.scores[seat]))
    rows = [CardRow(seat, _success(event.returns[seat]), amount(event.scores[seat])) for seat in order]
    return EventCard(phrase("The game is over"), text, tuple(rows))


def _success(share: float) -> Phrase:
    if share == 1:
        return _WINS
    return _SHARES_THE_WIN if share else NOTHING
