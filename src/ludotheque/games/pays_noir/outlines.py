"""Outlines of towns, lines, sites and countries, drawn on each of their cards a little inside the border.

The outline is left open where the same town or country goes on to the next card, and closed where no card lies yet. A
country is outlined on a card only where the table ends, unless another country lies on the same card: lines around
everything that lies in a country would look as if its family held that too.
Points are in the units of a card, with its middle at (0, 0), before it is turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from ludotheque.games.pays_noir.card_art import (
    HALF,
    Path,
    Point,
    along,
    distance,
    drawn,
    moved,
    normal,
    shifted,
    track_path,
    turned,
)
from ludotheque.games.pays_noir.cards import Card
from ludotheque.games.pays_noir.pictures import Picture

_INSIDE: Final = 4.0
"""Distance of an outline from the border of a town or from the edge of the table."""
_BESIDE_RAILS: Final = 8.5
"""Distance of an outline from the middle of a track, which has rails and a bed."""
_ON_TRACK: Final = 2.0
_STRAIGHT: Final = 0.15
"""The sine of the angle below which two segments are taken for one line."""
_LONGEST_TIP: Final = 14.0
_ON_CARD: Final = -1
"""The side of a border on the card itself."""
_RING: Final[Path] = [
    [(-22, 0)],
    [(-22, -12.1), (-12.1, -22), (0, -22)],
    [(12.1, -22), (22, -12.1), (22, 0)],
    [(22, 12.1), (12.1, 22), (0, 22)],
    [(-12.1, 22), (-22, 12.1), (-22, 0)],
]
"""The outline of a site, around its middle."""


class _Segment(NamedTuple):
    """A straight piece of a border, in clockwise order."""

    start: Point
    end: Point
    side: int
    """The side of the card that it lies on, or `_ON_CARD`."""
    inset: float


@lru_cache(maxsize=20_000)
def outline(
    picture: Picture, spot: str, turn: int, x: float, y: float, edges: tuple[int, ...], *, on_card: bool = True
) -> str:
    """The outline of a spot of a card that lies at a point; `edges` are the sides, as the card lies, where the table
    ends. `on_card`: whether borders on the card itself are drawn too."""
    kind = spot.partition(":")[0]
    if kind not in ("track", "quarter", "country"):
        a, b = turned(picture.middle(spot), turn)
        return drawn(moved(_RING, 0, x + a, y + b))
    open_sides = {(side - turn) % 4 for side in edges}
    if kind == "track":
        lines = _beside(picture, spot)
    else:
        sides = open_sides | {_ON_CARD} if on_card else open_sides
        lines = _inside(_segments(picture.card, picture.paths[spot]), sides)
    return "".join(_written([_placed(point, turn, x, y) for point in line]) for line in lines)


def _placed(point: Point, turn: int, x: float, y: float) -> Point:
    a, b = turned(point, turn)
    return x + a, y + b


def _written(line: list[Point]) -> str:
    """A line as SVG writes it, in whole units: there are many."""
    return "M" + " ".join(f"{x:.0f},{y:.0f}" for x, y in line)


def _beside(picture: Picture, track: str) -> Iterator[list[Point]]:
    """Lines on both sides of a track."""
    for way in (1, -1):
        yield shifted(along(picture.paths[track]), way * _BESIDE_RAILS)[::2]


def _segments(card: Card, path: Path) -> list[_Segment]:
    """The border of a quarter or patch, clockwise."""
    points = _bends(path)
    pairs = [(one, other) for one, other in pairwise([*points, points[0]]) if distance(one, other) > 0.01]
    if sum(a * d - c * b for (a, b), (c, d) in pairs) < 0:
        pairs = [(other, one) for one, other in reversed(pairs)]
    rails = [point for number in range(len(card.tracks)) for point in along(track_path(card, number))]
    return [_Segment(one, other, _side(one, other), _inset(one, other, rails)) for one, other in pairs]


def _bends(path: Path) -> list[Point]:
    """The ends of straight lines, and points along curves."""
    found = [path[0][0]]
    for points in path[1:]:
        found += points if len(points) == 1 else along([[found[-1]], points])[2::2]
    return found


def _side(one: Point, other: Point) -> int:
    """The side of the card that two points lie on, or `_ON_CARD`."""
    for side, (axis, at) in enumerate(((1, -HALF), (0, HALF), (1, HALF), (0, -HALF))):
        if one[axis] == other[axis] == at:
            return side
    return _ON_CARD


def _inset(one: Point, other: Point, rails: list[Point]) -> float:
    is_on_rails = all(any(distance(end, rail) < _ON_TRACK for rail in rails) for end in (one, other))
    return _BESIDE_RAILS if is_on_rails else _INSIDE


def _inside(segments: list[_Segment], sides: set[int]) -> Iterator[list[Point]]:
    """The parts of a border that are drawn, those on some sides, each moved inside."""

    def goes_on(segment: _Segment) -> bool:
        """Whether the same town or country is on the other side, or what lies in it."""
        return segment.side not in sides

    first = next((number for number, segment in enumerate(segments) if goes_on(segment)), 0)
    segments = segments[first:] + segments[: first + 1]
    line: list[Point] = []
    for before, after in pairwise(segments):
        if goes_on(before) and goes_on(after):
            continue
        if goes_on(before):
            line = [_on_side(after.start, before.side, after)]
        elif goes_on(after):
            yield [*line, _on_side(after.start, after.side, before)]
            line = []
        else:
            line.append(_corner(before, after))
    if line:
        yield [*line, line[0]]


def _on_side(point: Point, side: int, border: _Segment) -> Point:
    """The point beside the end of a border, on the side of the card that it ends at."""
    (x, y), (a, b) = point, normal(border.start, border.end)
    if side == _ON_CARD:
        return x + a * border.inset, y + b * border.inset
    return (x + _sign(a) * border.inset, y) if side in (0, 2) else (x, y + _sign(b) * border.inset)


def _corner(before: _Segment, after: _Segment) -> Point:
    """The point inside of the corner between two segments: where the lines beside them meet."""
    (a, b), (c, d), (x, y) = normal(before.start, before.end), normal(after.start, after.end), after.start
    cross = a * d - b * c
    if abs(cross) < _STRAIGHT:
        inset = (before.inset + after.inset) / 2
        return x + inset * a, y + inset * b
    right, down = (before.inset * d - after.inset * b) / cross, (after.inset * a - before.inset * c) / cross
    too_long = max(1.0, (right**2 + down**2) ** 0.5 / _LONGEST_TIP)
    return x + right / too_long, y + down / too_long


def _sign(number: float) -> int:
    return (number > 0.01) - (number < -0.01)
