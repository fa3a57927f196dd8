"""Notices of the events that decide a game: what happened, and what each player gained. Pages show them as cards."""

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


class NoticeRow(Struct, frozen=True):
    """A line of a notice: a player or a company, words, and an amount."""

    who: int | Mark
    """A seat, or the counter of something else, such as a company."""
    words: Phrase = NOTHING
    amount: Phrase = NOTHING
    places: tuple[str, ...] = ()
    """The ids of pieces of the scene that belong to this row."""


class EventNotice(Struct, frozen=True):
    """The text and places of a notice that pages show over the board when an event decides much."""

    title: Phrase
    text: Phrase = NOTHING
    """A sentence below the title."""
    rows: tuple[NoticeRow, ...] = ()
    places: tuple[str, ...] = ()
    """The ids of the pieces of the scene where it happened."""
    shown_before: bool = False
    """Whether it is shown over the board as it was before the action cleared it (see `Game.before_clearing`)."""

    @property
    def all_places(self) -> tuple[str, ...]:
        """The places of the notice and its rows."""
        return self.places + tuple(place for row in self.rows for place in row.places)


def gained(number: int) -> Phrase:
    """A gain of points: "+3"."""
    return phrase("+{number}", number=number)


def gain_rows(earnings: Iterable[Earning]) -> tuple[NoticeRow, ...]:
    """A row for each seat that got points which count now."""
    amounts = Counter[int]()
    for earning in earnings:
        if earning.counts == "now":
            amounts[earning.seat] += earning.amount
    return tuple(NoticeRow(seat, amount=gained(amount)) for seat, amount in sorted(amounts.items()))


def end_notice(event: GameEnded, amount: Callable[[int], Phrase], text: Phrase = NOTHING) -> EventNotice:
    """The end of a game: the final scores, the best first. `amount` puts a score into words."""
    order = sorted(range(len(event.scores)), key=lambda seat: (-event.returns[seat], -event.scores[seat]))
    rows = [NoticeRow(seat, _success(event.returns[seat]), amount(event.scores[seat])) for seat in order]
    return EventNotice(phrase("The game is over"), text, tuple(rows))


def _success(share: float) -> Phrase:
    if share == 1:
        return _WINS
    return _SHARES_THE_WIN if share else NOTHING
