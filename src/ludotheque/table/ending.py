"""Matches that people end before the last move: they resign, agree to end the game, or lose on time.

In a game of two, someone who resigns loses. With more seats the game goes on, and a bot plays for the seat; it ends
once a single seat is left, which wins. A match that is abandoned by agreement has no result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import Meta, Struct

from ludotheque.core.phrases import Phrase, phrase, seat_name
from ludotheque.table.log import LogLine


class Resignation(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat that was given up, or lost on time."""

    seat: Annotated[int, Meta(ge=0)]
    ply: Annotated[int, Meta(ge=0)]
    """The last ply before it."""
    timed_out: bool = False
    """Whether the time of its person was up."""


class Ending(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The resignations of a match in their order, and whether it was abandoned."""

    resigned: tuple[Resignation, ...] = ()
    abandoned: bool = False

    @property
    def seats(self) -> frozenset[int]:
        """The seats that have resigned."""
        return frozenset(each.seat for each in self.resigned)

    def resign(self, seat: int, ply: int) -> Ending:
        """Add the resignation of a seat."""
        return Ending((*self.resigned, Resignation(seat, ply)), self.abandoned)

    def time_out(self, seat: int, ply: int) -> Ending:
        """Add the loss of a seat on time."""
        return Ending((*self.resigned, Resignation(seat, ply, timed_out=True)), self.abandoned)

    def abandon(self) -> Ending:
        """End the match without a winner."""
        return Ending(self.resigned, abandoned=True)

    @property
    def last_ply(self) -> int:
        """The last ply before the latest resignation; 0 without any."""
        return max((each.ply for each in self.resigned), default=0)

    def winner(self, players: int) -> int | None:
        """The only seat that has not resigned; None if there are more."""
        left = [seat for seat in range(players) if seat not in self.seats]
        return left[0] if len(left) == 1 and not self.abandoned and self.resigned else None

    def ends(self, players: int) -> bool:
        """Whether the match is over."""
        return self.abandoned or self.winner(players) is not None

    def returns(self, players: int) -> tuple[float, ...]:
        """The shares of the win of a match that is over; empty if it was abandoned."""
        winner = self.winner(players)
        return () if winner is None else tuple(float(seat == winner) for seat in range(players))

    def lines(self, players: int, ply: int) -> tuple[LogLine, ...]:
        """The lines of the log about it; `ply` is the last one of the match."""
        return tuple(self._lines(players, ply))

    def _lines(self, players: int, ply: int) -> Iterator[LogLine]:
        for number, each in enumerate(self.resigned, 1):
            is_last = number == len(self.resigned) and self.ends(players)
            yield LogLine(each.ply, _line(each, is_last))
        if self.abandoned:
            yield LogLine(ply, phrase("The game ends by agreement, without a winner."))


def _line(each: Resignation, is_last: bool) -> Phrase:
    seat = seat_name(each.seat)
    if each.timed_out:
        return phrase("{seat} loses on time.", seat=seat)
    return phrase("{seat} resigns.", seat=seat) if is_last else phrase("{seat} resigns. A bot plays on.", seat=seat)


PLAYED_TO_THE_END: Final = Ending()
"""Nobody has resigned, and the match was not abandoned."""
