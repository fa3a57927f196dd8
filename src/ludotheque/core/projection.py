"""Projections: where the board and what lies above it are drawn, seen from above or tilted.

Both views look from the lower right, so one order of painting is right in both. `board/projection.js` computes the same
in the browser; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import Final

from msgspec import Struct

Point = tuple[float, float]

_DARKEST: Final = 0.32
"""Shade of a face to the right; the light comes from the left and above."""


class Solid(Struct, frozen=True, gc=False):
    """The body of a piece: the outline of its upper and lower face, and its thickness."""

    outline: tuple[Point, ...]
    """Corners of a convex figure about the place of the piece, clockwise."""
    thickness: float


class Face(Struct, frozen=True, gc=False):
    """A side of a body that is in view."""

    corners: tuple[Point, ...]
    """Seen from the place of the piece on its upper face, before it is turned."""
    shade: float
    """From 0, as bright as the side of its colour, to 1, black."""


class Projection(Struct, frozen=True):
    """A view of the board: one unit to the right, one down, and one upwards, as they are drawn."""

    across: Point
    down: Point
    rise: Point

    def place(self, x: float, y: float, height: float = 0) -> Point:
        """Return where a point at a height above the board is drawn."""
        return (
            self.across[0] * x + self.down[0] * y + self.rise[0] * height,
            self.across[1] * x + self.down[1] * y + self.rise[1] * height,
        )

    def drop(self, thickness: float) -> Point:
        """Return the step on the board that is drawn like one down from the upper to the lower face of a body."""
        x, y = -self.rise[0] * thickness, -self.rise[1] * thickness
        size = self.across[0] * self.down[1] - self.across[1] * self.down[0]
        return (x * self.down[1] - y * self.down[0]) / size, (y * self.across[0] - x * self.across[1]) / size

    def faces(self, body: Solid, turn: float = 0) -> Iterator[Face]:
        """Yield the sides of a turned body that are in view."""
        drop = turned(self.drop(body.thickness), -turn)
        for one, two in edges(body.outline):
            outwards = (two[1] - one[1], one[0] - two[0])
            if outwards[0] * drop[0] + outwards[1] * drop[1] > 0:
                shade = max(0, turned(outwards, turn)[0] / hypot(*outwards)) * _DARKEST
                yield Face((one, two, _moved(two, drop), _moved(one, drop)), round(shade, 3))


def _axonometric(turn: float, elevation: float) -> Projection:
    """A board turned clockwise, seen from an angle above the horizon; in degrees."""
    turn, elevation = radians(turn), radians(elevation)
    flattened = sin(elevation)
    return Projection(
        across=(cos(turn), sin(turn) * flattened),
        down=(-sin(turn), cos(turn) * flattened),
        rise=(0, -cos(elevation)),
    )


FLAT: Final = Projection(across=(1, 0), down=(0, 1), rise=(-0.2, -0.5))
"""The board from above; what is higher is drawn up and to the left, so that bodies show a part of their sides."""
TILTED: Final = _axonometric(turn=16, elevation=42)


def rectangle(left: float, top: float, width: float, height: float, cut: float = 0) -> tuple[Point, ...]:
    """The outline of a rectangle whose corners are cut off."""
    right, bottom = left + width, top + height
    if not cut:
        return (left, top), (right, top), (right, bottom), (left, bottom)
    return (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip


def disc(radius: float, corners: int = 24) -> tuple[Point, ...]:
    """The outline of a disc, as a figure of many corners."""
    return tuple(turned((radius, 0), 360 * corner / corners) for corner in range(corners))


def turned(point: Point, degrees: float) -> Point:
    """Turn a point about the origin, clockwise."""
    if not degrees:
        return point
    angle = radians(degrees)
    (x, y), across, up = point, cos(angle), sin(angle)
    return round(x * across - y * up, 6), round(x * up + y * across, 6)


@lru_cache(maxsize=4096)
def placed(outline: tuple[Point, ...], degrees: float, x: float, y: float) -> tuple[Point, ...]:
    """An outline about the origin, turned and then moved; most pieces stay where they are."""
    return tuple([(x + across, y + down) for across, down in (turned(corner, degrees) for corner in outline)])


def edges(outline: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(outline, (*outline[1:], *outline[:1]), strict=True)


def path_of(corners: Iterable[Point]) -> str:
    """A closed figure as an SVG path."""
    return "M" + "L".join(f"{x:.5g},{y:.5g}" for x, y in corners) + "z"


def _moved(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]
