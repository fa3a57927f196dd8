"""The meetings of the next round.

Round robin follows Berger's tables. Swiss pairs opponents of like standing who have not met, exactly: two meet again,
or have a second bye, only if nothing else is possible. Groups of more than two avoid repeats by a local search. A
knockout is a bracket, whose gaps at the start are byes of the first players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, permutations, product
from math import ceil, log2
from typing import Final

from ludotheque.tournament.matching import pair_up
from ludotheque.tournament.standings import points_by_player, ranking
from ludotheque.tournament.values import Meeting, System, byes_had, seats_taken, times_met

BYE: Final = 0
"""Stands for a bye among the numbers of players, which count from 1."""
_WIN: Final = 1.0
_MOST_UNEVEN: Final = 2
"""Largest excess of one of two seats over the other that a player may have had, as far as that can be avoided."""
_REPEAT: Final = 1000.0
"""The cost of meeting again in a group, beside which a difference in points is small."""
_LEAST_SAVED: Final = 1e-9
"""Less is an error of rounding."""


def number_of_rounds(system: System, players: int, wanted: int) -> int:
    """The rounds that a tournament takes; `wanted` where that can be chosen."""
    if system == "knockout":
        return ceil(log2(players))
    if system == "groups":
        return wanted
    most = players - 1 + players % 2
    return most if system == "round-robin" else min(wanted, most)


def next_round(
    system: System, players: Sequence[int], gone: frozenset[int], meetings: Sequence[Meeting], seats: range
) -> list[Meeting]:
    """Return the meetings of the round after those that were; byes, and those that nobody has to play, are decided.

    `players`: the numbers of all, 1 and up; `gone`: those who have withdrawn; `seats`: the numbers of seats that a
    table may have. Empty if too few are left.
    """
    number = max((meeting.round for meeting in meetings), default=0) + 1
    present = [player for player in players if player not in gone]
    if len(present) < seats.start:
        return []
    if system == "round-robin":
        found = [_meeting(number, pair, bye=0.0) for pair in _berger_round(len(players), number)]
    elif system == "knockout":
        found = _bracket_round(number, players, meetings)
    else:
        order = [player for player in ranking(system, players, meetings) if player in present]
        make = _swiss_round if system == "swiss" else _group_round
        found = [_meeting(number, seated) for seated in make(order, meetings, seats)]
    return [_without_absent(meeting, gone) for meeting in found]


def _meeting(number: int, players: Sequence[int], bye: float = _WIN) -> Meeting:
    """A meeting; that of one player is a bye, decided at once."""
    there = tuple(player for player in players if player != BYE)
    return Meeting(number, there, (bye,) * len(there), "bye") if len(there) < 2 else Meeting(number, there)


def _without_absent(meeting: Meeting, gone: frozenset[int]) -> Meeting:
    """Decide a meeting whose players have withdrawn."""
    if gone.isdisjoint(meeting.players):
        return meeting
    points = tuple(0.0 if player in gone else _WIN for player in meeting.players)
    return Meeting(meeting.round, meeting.players, points, "forfeit")


# Round robin.


def _berger_round(players: int, number: int) -> Iterator[tuple[int, int]]:
    """The pairs of a round, the first seat first; an odd number of players is one more with the bye."""
    even = players + players % 2
    step, others = number - 1, even - 1
    yield _berger_seats(step % others + 1, even, even, players)
    for distance in range(1, even // 2):
        one, other = (step + distance) % others + 1, (step - distance) % others + 1
        yield _berger_seats(min(one, other), max(one, other), even, players)


def _berger_seats(low: int, high: int, even: int, players: int) -> tuple[int, int]:
    """Seat two players so that everyone has each seat equally often, or once more: by the parity of their numbers."""
    if high == even:
        first = low <= even // 2
        high = high if high <= players else BYE
    else:
        first = (low + high) % 2 == 1
    return (low, high) if first else (high, low)


# Knockout.


def _bracket_round(number: int, players: Sequence[int], meetings: Sequence[Meeting]) -> list[Meeting]:
    """Pair the winners of neighbouring meetings; at the start, the first players with the last or with nobody."""
    before = [meeting for meeting in meetings if meeting.round == number - 1]
    line = [_winner(meeting) for meeting in before] if before else _first_line(players)
    pairs = list(zip(line[::2], line[1::2], strict=True))
    taken = seats_taken(meetings)
    return [_meeting(number, best_seats(pair, taken) if BYE not in pair else pair) for pair in pairs]


def _first_line(players: Sequence[int]) -> list[int]:
    """The players in the order of the bracket, so that the first two can meet in the final only."""
    line = [1]
    while len(line) < len(players):
        size = 2 * len(line)
        line = [place for known in line for place in (known, size + 1 - known)]
    return [place if place <= len(players) else BYE for place in line]


def _winner(meeting: Meeting) -> int:
    """The one who goes on; nobody where both forfeited."""
    best = max(meeting.points, default=0.0)
    return meeting.players[meeting.points.index(best)] if best else BYE


# Swiss.


def _swiss_round(order: Sequence[int], meetings: Sequence[Meeting], seats: range) -> Iterator[tuple[int, ...]]:
    """Pair players in the order of their standing; of an odd number, one of the last has a bye."""
    met, taken, points = times_met(meetings), seats_taken(meetings), points_by_player(meetings)
    place = {player: number for number, player in enumerate(order)}

    def distance(one: int, other: int) -> tuple[float, ...]:
        uneven = abs(_first_seats(one, taken) + _first_seats(other, taken))
        return met[frozenset((one, other))], abs(points[one] - points[other]), uneven, abs(place[one] - place[other])

    for allowed in _ever_laxer(met, taken, len(meetings)):
        preferences = {
            one: sorted((each for each in order if each != one and allowed(one, each)), key=partial(distance, one))
            for one in order
        }
        found = pair_up(_with_bye(preferences, byes_had(meetings)) if len(order) % 2 else preferences)
        if found is not None:
            yield from (pair if BYE in pair else best_seats(pair, taken) for pair in found)
            return


def _first_seats(player: int, taken: Counter[tuple[int, int]]) -> int:
    """Return the excess of first seats over second ones that a player has had."""
    return taken[player, 0] - taken[player, 1]


def _ever_laxer(
    met: Counter[frozenset[int]], taken: Counter[tuple[int, int]], meetings: int
) -> Iterator[Callable[[int, int], bool]]:
    """Rules about who may meet: first no repeats and no uneven seats, then no repeats, then ever more of them."""

    def is_even(one: int, other: int) -> bool:
        both = _first_seats(one, taken), _first_seats(other, taken)
        return min(both) < _MOST_UNEVEN and max(both) > -_MOST_UNEVEN

    def is_seldom(most: int, one: int, other: int) -> bool:
        return met[frozenset((one, other))] <= most

    yield lambda one, other: is_seldom(0, one, other) and is_even(one, other)
    yield from (partial(is_seldom, most) for most in range(meetings + 1))


def _with_bye(preferences: dict[int, list[int]], byes: Counter[int]) -> dict[int, list[int]]:
    """Add the bye as one more player, who prefers the last of those with the fewest byes."""
    fewest = min(byes[player] for player in preferences)
    may_rest = [player for player in reversed(preferences) if byes[player] == fewest]
    return {BYE: may_rest} | {
        player: [*others, BYE] if player in may_rest else others for player, others in preferences.items()
    }


def best_seats(players: Sequence[int], taken: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """Seat players so that they have had their seats seldom, all together; of equally good orders the first."""
    return min(permutations(players), key=lambda order: sum(taken[player, seat] for seat, player in enumerate(order)))


# Groups.


def _group_round(order: Sequence[int], meetings: Sequence[Meeting], seats: range) -> Iterator[tuple[int, ...]]:
    """Seat players of like standing together; those who find no table have byes, the last with the fewest first."""
    sizes = table_sizes(len(order), seats)
    byes, met, points = byes_had(meetings), times_met(meetings), points_by_player(meetings)
    last_first = [*reversed(order)]
    resting = sorted(last_first, key=lambda player: byes[player])[: len(order) - sum(sizes)]
    seated = [player for player in order if player not in resting]
    cuts = [sum(sizes[:number]) for number in range(len(sizes) + 1)]
    groups = _swapped([seated[start:end] for start, end in pairwise(cuts)], met, points)
    taken = seats_taken(meetings)
    yield from (best_seats(group, taken) for group in groups)
    yield from ((player,) for player in resting)


def table_sizes(players: int, seats: range) -> list[int]:
    """Divide players among tables, as evenly and with as few tables and byes as possible."""
    for seated in range(players, 0, -1):
        tables = ceil(seated / seats[-1])
        sizes = [seated // tables + (number < seated % tables) for number in range(tables)]
        if sizes[-1] >= seats.start:
            return sizes
    return []


def _swapped(groups: list[list[int]], met: Counter[frozenset[int]], points: dict[int, float]) -> list[list[int]]:
    """Swap players between groups as long as fewer have met before, or points differ less."""

    players = [player for group in groups for player in group]
    costs = {
        one: {other: _REPEAT * met[frozenset((one, other))] + (points[one] - points[other]) ** 2 for other in players}
        for one in players
    }

    def saved(one: Sequence[int], here: int, other: Sequence[int], there: int) -> float:
        """Return what it saves to swap two players."""
        leaves, comes = costs[one[here]], costs[other[there]]
        gone = sum([leaves[player] - comes[player] for place, player in enumerate(one) if place != here])
        return gone + sum([comes[player] - leaves[player] for place, player in enumerate(other) if place != there])

    def improve() -> bool:
        for one, other in combinations(groups, 2):
            for here, there in product(range(len(one)), range(len(other))):
                if saved(one, here, other, there) > _LEAST_SAVED:
                    one[here], other[there] = other[there], one[here]
                    return True
        return False

    while improve():
        pass
    return groups
