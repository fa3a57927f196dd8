"""Pieces with bodies, in the order of painting and with the shadows that they cast on the board and on each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from ludotheque.core.projection import Point, edges, path_of
from ludotheque.core.scene import Piece

LIGHT: Final[Point] = (0.5, 0.32)
"""Distance of a shadow from what casts it, for a unit of height: the light comes from the left and above."""


def stacked(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces from the lowest to the highest, and back to front, over the shadows that fall on each height."""
    levels: dict[float, list[Piece]] = {}
    for piece in pieces:
        levels.setdefault(piece.elevation, []).append(piece)
    bodies = [piece for level in levels.values() for piece in level if piece.body]
    for height in sorted(levels):
        yield from _shadow_at(height, bodies)
        yield from (piece for piece in levels[height] if not piece.body)
        yield from back_to_front([piece for piece in levels[height] if piece.body])


def back_to_front(bodies: Sequence[Piece]) -> Iterator[Piece]:
    """Yield bodies that rest at one height in the order of painting; a view from the lower right hides what is behind.

    Bodies that do not touch always have such an order.
    """
    waiting = [(piece, _extent(piece)) for piece in bodies]
    while waiting:
        first = next(
            each for each in waiting if not any(_is_behind(other[1], each[1]) for other in waiting if other is not each)
        )
        waiting.remove(first)
        yield first[0]


Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def _extent(piece: Piece) -> Extent:
    across, down = zip(*piece.base, strict=True)
    return min(across), min(down), max(across), max(down)


def _is_behind(one: Extent, two: Extent) -> bool:
    """Whether one body may be hidden by another; neither hides the other where one is both further left and lower."""
    is_before = one[2] <= two[0] or one[3] <= two[1]
    return is_before and not (two[2] <= one[0] or two[3] <= one[1])


# Shadows.


def _shadow_at(height: float, bodies: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the shadow of all bodies at or above a height, on the board or on the bodies that end there."""
    casters = [
        _shadow(tuple(piece.base), piece.elevation, piece.top, height) for piece in bodies if piece.elevation >= height
    ]
    if height:
        grounds = [tuple(piece.base) for piece in bodies if piece.top == height]
        path = "".join([_path_within(shadow, ground) for shadow in casters for ground in grounds])
    else:
        path = "".join(map(path_of, casters))
    if path:
        yield Piece(id=f"shadow:{height:g}", path=path, elevation=height, classes="shadow")


@lru_cache(maxsize=4096)
def _shadow(base: tuple[Point, ...], low: float, high: float, height: float) -> tuple[Point, ...]:
    """The figure that a body darkens at a height: all between the shadows of its lower and its upper face."""
    faces = [[_moved(corner, _fall(end - height)) for corner in base] for end in (low, high)]
    return tuple(hull([corner for face in faces for corner in face]))


@lru_cache(maxsize=16_384)
def _path_within(shadow: tuple[Point, ...], ground: tuple[Point, ...]) -> str:
    """The part of a shadow that falls on a face."""
    part = clipped(shadow, ground)
    return path_of(part) if part else ""


def _fall(height: float) -> Point:
    return LIGHT[0] * height, LIGHT[1] * height


def hull(points: Iterable[Point]) -> list[Point]:
    """The smallest convex figure around points, clockwise."""
    ordered = sorted(set(points))
    return [*_half_hull(ordered), *_half_hull(ordered[::-1])]


def _half_hull(points: Iterable[Point]) -> list[Point]:
    """One side of a hull, without its last point."""
    side: list[Point] = []
    for point in points:
        while len(side) > 1 and _side_of(side[-2], side[-1], point) <= 0:
            side.pop()
        side.append(point)
    return side[:-1]


def clipped(figure: Sequence[Point], window: Sequence[Point]) -> list[Point]:
    """The part of a figure that is inside of a convex one; both are clockwise."""
    for one, two in edges(window):
        figure = [point for edge in edges(figure) for point in _kept(edge, one, two)] if figure else []
    return list(figure)


def _kept(edge: tuple[Point, Point], one: Point, two: Point) -> Iterator[Point]:
    """Yield the corners that cutting along a line leaves of an edge: its end, and where it meets the line."""
    start, end = _side_of(one, two, edge[0]), _side_of(one, two, edge[1])
    if start * end < 0:
        share = start / (start - end)
        (x, y), (to_x, to_y) = edge
        yield x + share * (to_x - x), y + share * (to_y - y)
    if end >= 0:
        yield edge[1]


def _side_of(one: Point, two: Point, point: Point) -> float:
    """Above 0 to the right of the way from one point to another, which is inside of a clockwise figure."""
    return (two[0] - one[0]) * (point[1] - one[1]) - (two[1] - one[1]) * (point[0] - one[0])


def _moved(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]
