"""The values of a tournament: its players, and those who meet at a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct

System = Literal["round-robin", "swiss", "knockout", "groups"]
"""Everyone against everyone; opponents of like standing; the loser is out; tables of more than two by standing."""
Decided = Literal["", "played", "forfeit", "bye"]
"""The way in which a meeting was decided; empty while it is played."""


class Meeting(Struct, frozen=True):
    """Players who meet at a table; one alone has a bye, and none is a gap in a bracket."""

    round: int
    """Counted from 1."""
    players: tuple[int, ...]
    """Numbers of players, by seat."""
    points: tuple[float, ...] = ()
    """Points by seat; empty while the game is played."""
    decided: Decided = ""

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1

    @property
    def is_decided(self) -> bool:
        return self.decided != ""

    def points_of(self, player: int) -> float:
        return self.points[self.players.index(player)]


def points_by_place(ranks: Sequence[float], absent: Iterable[int] = ()) -> tuple[float, ...]:
    """Return the points of each seat: the share of the others whom it beat, a tie counting half.

    So a win is 1 and the last place 0 at a table of any size. Seats that forfeit have nothing, and lose to all others.
    """
    gone = {*absent}
    return tuple(
        0.0 if seat in gone else sum(_beaten(ranks, seat, other, gone) for other in range(len(ranks)) if other != seat)
        / (len(ranks) - 1)
        for seat in range(len(ranks))
    )  # fmt: skip


def _beaten(ranks: Sequence[float], seat: int, other: int, gone: set[int]) -> float:
    if other in gone or ranks[seat] < ranks[other]:
        return 1.0
    return 0.5 if ranks[seat] == ranks[other] else 0.0


def times_met(meetings: Iterable[Meeting]) -> Counter[frozenset[int]]:
    """Return how often each two players have met."""
    return Counter(frozenset(pair) for meeting in meetings for pair in combinations(meeting.players, 2))


def seats_taken(meetings: Iterable[Meeting]) -> Counter[tuple[int, int]]:
    """Return how often each player has had each seat, by player and seat."""
    at_tables = (meeting for meeting in meetings if not meeting.is_bye)
    return Counter((player, seat) for meeting in at_tables for seat, player in enumerate(meeting.players))


def byes_had(meetings: Iterable[Meeting]) -> Counter[int]:
    return Counter(meeting.players[0] for meeting in meetings if meeting.is_bye)
