"""Descriptions of hexes without a name: their land, and the town nearest to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, pi, sqrt
from typing import Final

from msgspec import Struct, structs

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
    towards: str = ""
    """For one of several that share it, a second town that is nearer to this hex than to the others; "" if none is."""


def landmarks(lands: Sequence[tuple[Place, str]], towns: Sequence[tuple[Place, str]]) -> list[Landmark | None]:
    """The landmark of each hex, from their places and lands and from the places and names of towns; none where no town
    is near. Where it can be, only one hex of a land has it."""
    near = [[_seen_from(place, *town) for town in towns] for place, _ in lands]
    count = Counter((land, one) for (_, land), found in zip(lands, near, strict=True) for one in found)
    touching = Counter(
        (land, one.town) for (land, one), number in count.items() for _ in range(number) if one.steps < 2
    )
    best = [
        _best([_counted(one, count[land, one], touching[land, one.town]) for one in found if one.steps <= FURTHEST])
        for (_, land), found in zip(lands, near, strict=True)
    ]
    return [
        structs.replace(one, towards=_towards(place, _alike(place, land, one, lands, towns), towns))
        if one and one.shared
        else one
        for (place, land), one in zip(lands, best, strict=True)
    ]


def _alike(
    place: Place, land: str, one: Landmark, lands: Sequence[tuple[Place, str]], towns: Sequence[tuple[Place, str]]
) -> list[Place]:
    """The other hexes of a land on the same side of a town, as far away."""
    town = next(where for where, name in towns if name == one.town)
    seen = Landmark(one.town, one.side, one.steps)
    return [
        other for other, kind in lands if other != place and kind == land and _seen_from(other, town, one.town) == seen
    ]


def _towards(place: Place, alike: Sequence[Place], towns: Sequence[tuple[Place, str]]) -> str:
    """The town nearest to a place of those to which it is nearer than the places like it; "" if there is none."""
    nearer = [
        (distance, name)
        for town, name in towns
        if (distance := _distance(place, town)) < min((_distance(other, town) for other in alike), default=0)
    ]
    return min(nearer)[1] if nearer else ""


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
