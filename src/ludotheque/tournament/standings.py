"""Standings with tie-breaks, and the cross table.

A table of more than two counts as if its players had met two by two: each part of a point is a win against someone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct, structs

from ludotheque.tournament.values import Meeting, System

_DIGITS: Final = 6
"""Decimals that count: thirds of points add up to whole ones."""


class Standing(Struct, frozen=True):
    """The place of a player, with what decides it."""

    player: int
    points: float
    buchholz: float = 0.0
    """The points of those whom the player met; at a table of more than two, their mean."""
    sonneborn: float = 0.0
    """Sonneborn-Berger: the points of those whom the player beat, and half of those with whom they tied."""
    direct: float = 0.0
    """Points against those with as many points, if all of them have met."""
    wins: int = 0
    played: int = 0
    rank: int = 0
    """From 1; the same for players whom nothing tells apart."""


def points_by_player(meetings: Iterable[Meeting]) -> dict[int, float]:
    """Return the points of everyone who has met someone or had a bye; 0 for others."""
    found: defaultdict[int, float] = defaultdict(float)
    for meeting in meetings:
        if meeting.is_decided:
            for player, points in zip(meeting.players, meeting.points, strict=True):
                found[player] += points
    return defaultdict(float, {player: round(points, _DIGITS) for player, points in found.items()})


def standings(system: System, players: Iterable[int], meetings: Sequence[Meeting]) -> list[Standing]:
    """Return the standing of each player, the first first; of equals, the lower number."""
    decided = [meeting for meeting in meetings if meeting.is_decided]
    points = points_by_player(decided)
    found = [_standing(player, points, [each for each in decided if player in each.players]) for player in players]
    found = _with_direct_encounters(found, decided)
    found.sort(key=lambda each: (_order(system, each), each.player))
    return _ranked(system, found)


def ranking(system: System, players: Iterable[int], meetings: Sequence[Meeting]) -> list[int]:
    """Return the players in the order of their standing."""
    return [each.player for each in standings(system, players, meetings)]


def _order(system: System, standing: Standing) -> tuple[float, ...]:
    """The values that decide a place, the smaller the better."""
    if system == "knockout":
        return (-standing.points,)
    opponents = -standing.buchholz, -standing.sonneborn
    if system == "round-robin":  # everyone meets everyone: Buchholz tells nothing
        return -standing.points, -standing.direct, -standing.sonneborn, -standing.wins
    return (-standing.points, *opponents, -standing.direct, -standing.wins)


def _standing(player: int, points: dict[int, float], meetings: Sequence[Meeting]) -> Standing:
    played = [meeting for meeting in meetings if meeting.decided == "played"]
    return Standing(
        player,
        points[player],
        round(sum(_opponents(player, points, meeting) for meeting in meetings), _DIGITS),
        round(sum(_beaten(player, points, meeting) for meeting in meetings), _DIGITS),
        wins=sum(meeting.points_of(player) == 1 for meeting in played),
        played=len(played),
    )


def _opponents(player: int, points: dict[int, float], meeting: Meeting) -> float:
    """The mean of the opponents' points; without a game, one's own, as if one had met oneself."""
    if meeting.decided != "played":
        return points[player]
    others = [points[other] for other in meeting.players if other != player]
    return sum(others) / len(others)


def _beaten(player: int, points: dict[int, float], meeting: Meeting) -> float:
    """The points of the opponents, each as far as the player beat them; nothing without a game."""
    if meeting.decided != "played":
        return 0.0
    mine = meeting.points_of(player)
    others = [other for other in meeting.players if other != player]
    return sum(_against(mine, meeting.points_of(other)) * points[other] for other in others) / len(others)


def _against(mine: float, theirs: float) -> float:
    """The result between two at one table: whoever had more points there came before the other."""
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def _with_direct_encounters(found: Sequence[Standing], meetings: Sequence[Meeting]) -> list[Standing]:
    """Add the points among those with as many points, if each of them met each other one."""
    by_points = sorted(found, key=lambda each: each.points)
    direct: dict[int, float] = {}
    for _, tied in groupby(by_points, key=lambda each: each.points):
        direct |= _among([each.player for each in tied], meetings)
    return [structs.replace(each, direct=direct[each.player]) for each in found]


def _among(tied: Sequence[int], meetings: Sequence[Meeting]) -> dict[int, float]:
    scores = dict.fromkeys(tied, 0.0)
    met: set[frozenset[int]] = set()
    for meeting in meetings:
        there = [player for player in meeting.players if player in scores]
        for one in there:
            for other in there:
                if one != other:
                    scores[one] += _against(meeting.points_of(one), meeting.points_of(other))
                    met.add(frozenset((one, other)))
    everyone = len(tied) * (len(tied) - 1) // 2
    return scores if len(met) == everyone else dict.fromkeys(tied, 0.0)


def _ranked(system: System, found: Sequence[Standing]) -> list[Standing]:
    """Number the places; equals share one."""
    ranked: list[Standing] = []
    for number, standing in enumerate(found, 1):
        is_equal = ranked and _order(system, ranked[-1]) == _order(system, standing)
        ranked.append(structs.replace(standing, rank=ranked[-1].rank if is_equal else number))
    return ranked
