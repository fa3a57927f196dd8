"""Descriptions of hexes without a name: their land, and the town nearest to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, pi, sqrt
from typing import Final

from msgspec import Struct

Place = tuple[int, int]
"""Column and row; every second column lies half a hex further south."""
DIRECTIONS: Final = 8
"""North, north-east and so on, clockwise."""
FURTHEST: Final = 2
"""The most hexes to a town that players see at a glance."""


class Landmark(Struct, frozen=True):
    """A town, and on which side of it a hex lies, how many hexes away."""

    town: str
    side: int
    steps: int
    alone: bool = False
    """Whether no other hex of the same land touches the town."""
    shared: bool = False
    """Whether another hex of the same land lies on the same side, as far away."""


def landmarks(lands: Sequence[tuple[Place, str]], towns: Sequence[tuple[Place, str]]) -> list[Landmark | None]:
    """The landmark of each hex, from their places and lands and from the places and names of towns; none where no town
    is near. Where it can be, only one hex of a land has it."""
    near = [[_seen_from(place, *town) for town in towns] for place, _ in lands]
    count = Counter((land, one) for (_, land), found in zip(lands, near, strict=True) for one in found)
    touching = Counter(
        (land, one.town) for (land, one), number in count.items() for _ in range(number) if one.steps < 2
    )
    return [
        _best([_counted(one, count[land, one], touching[land, one.town]) for one in found if one.steps <= FURTHEST])
        for (_, land), found in zip(lands, near, strict=True)
    ]


def _seen_from(place: Place, town: Place, name: str) -> Landmark:
    return Landmark(name, _side(town, place), _distance(town, place))


def _counted(one: Landmark, alike: int, touching: int) -> Landmark:
    return Landmark(one.town, one.side, one.steps, alone=one.steps == 1 and touching == 1, shared=alike > 1)


def _best(found: Sequence[Landmark]) -> Landmark | None:
    return min(found, key=lambda one: (one.shared, one.steps, not one.alone), default=None)


def _distance(one: Place, other: Place) -> int:
    across = other[0] - one[0]
    down = _slanted_row(other) - _slanted_row(one)
    return max(abs(across), abs(down), abs(across + down))


def _slanted_row(place: Place) -> int:
    column, row = place
    return row - (column - column % 2) // 2


def _side(town: Place, place: Place) -> int:
    """The direction from a town to a place."""
    across = (place[0] - town[0]) * sqrt(3) / 2
    down = place[1] - town[1] + (place[0] % 2 - town[0] % 2) / 2
    return round(atan2(across, -down) / (2 * pi) * DIRECTIONS) % DIRECTIONS
