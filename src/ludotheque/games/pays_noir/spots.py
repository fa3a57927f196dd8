"""Places for members on the cards: in or beside each spot, as far from the others as can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludotheque.games.pays_noir.card_art import (
    HALF,
    Point,
    along,
    distance,
    distance_to,
    inner_points,
    patch_outline,
    quarter_shape,
    shifted,
    stop_point,
    track_path,
)
from ludotheque.games.pays_noir.cards import Card

_ROUNDS: Final = 3
"""Times that each place is chosen, so that the first ones make room for the last."""
_FAR_ENOUGH: Final = 32.0
_BESIDE_RAILS: Final = 11.0
_BESIDE_SITE: Final = 23.0
_AROUND: Final = ((0.9, 0.45), (-0.9, 0.45), (0.9, -0.45), (-0.9, -0.45), (0, 1), (0, -1), (1, 0), (-1, 0))
_ORDER: Final = ("country", "quarter", "track")
"""Kinds of spots; those with the least choice of places come first, sites last."""


def spot_points(card: Card) -> dict[str, Point]:
    """Return a point for a member at each spot of a card: in quarters and patches, beside tracks and sites."""
    signs = [stop_point(card, name) for name in card.site_names]
    signs += [
        quarter_shape(card, i)[1] for i, quarter in enumerate(card.quarters) if quarter.station or quarter.urbanism
    ]
    candidates = {spot: list(_candidates(card, spot)) for spot in sorted(card.spots, key=_rank)}
    points: dict[str, Point] = {}
    for spot in [*candidates] * _ROUNDS:
        others = [point for other, point in points.items() if other != spot]
        points[spot] = _farthest(candidates[spot], others, signs)
    return points


def _rank(spot: str) -> int:
    kind = spot.partition(":")[0]
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _candidates(card: Card, spot: str) -> Iterator[Point]:
    """Yield places for a member, the best ones first."""
    kind, _, number = spot.partition(":")
    if kind == "country":
        yield from _in_patch(card, int(number))
    elif kind == "quarter":
        yield from _in_quarter(card, int(number))
    elif kind == "track":
        yield from _beside_track(card, int(number))
    else:
        x, y = stop_point(card, spot)
        around = [(x + _BESIDE_SITE * a, y + _BESIDE_SITE * b) for a, b in _AROUND]
        yield from [point for point in around if _to_edge(point) >= 9] or around


def _farthest(candidates: list[Point], others: list[Point], signs: list[Point]) -> Point:
    """The first point that is far enough from the other members, or the farthest, and not on a sign if it can be."""

    def room(point: Point) -> float:
        return min(_FAR_ENOUGH, distance_to(others, point), distance_to(signs, point) + 10)

    return max(candidates, key=room)


def _in_patch(card: Card, number: int) -> list[Point]:
    """The points of a patch that are farthest from everything else on the card."""
    outline, in_the_way = along(patch_outline(card, number)), list(_obstacles(card))
    room = {
        point: min(distance_to(in_the_way, point), 1.6 * _to_edge(point))
        for point in inner_points(outline, _STEPS) or [outline[0]]
    }
    best = sorted(room, key=room.__getitem__, reverse=True)
    return [point for point in best if room[point] >= min(12.0, room[best[0]])]


_STEPS: Final = [float(step) for step in range(-42, 43, 4)]
"""The points of a grid, from left to right and from top to bottom."""


def _in_quarter(card: Card, number: int) -> list[Point]:
    """The points of a quarter, those near its middle first."""
    outline, middle = quarter_shape(card, number)
    border = along(outline)
    inside = [point for point in inner_points(border, _STEPS) if distance_to(border, point) >= 5]
    return sorted([*inside, middle], key=lambda point: distance(point, middle))


def _beside_track(card: Card, number: int) -> list[Point]:
    """Points beside a track, those near its middle first."""
    line = along(track_path(card, number))
    beside = [point for way in (1, -1) for point in shifted(line, way * _BESIDE_RAILS)[1:-1]]
    inside = [point for point in beside if _to_edge(point) >= 10] or beside
    return sorted(inside, key=lambda point: distance(point, line[len(line) // 2]))


def _obstacles(card: Card) -> Iterator[Point]:
    for i in range(len(card.tracks)):
        yield from along(track_path(card, i))
    for i in range(len(card.quarters)):
        yield from along(quarter_shape(card, i)[0])
    for name in (*card.site_names, *(f"station:{i}" for i in range(len(card.stations)))):
        x, y = stop_point(card, name)
        yield from ((x + dx, y + dy) for dx in (-12, 0, 12) for dy in (-12, 0, 12))


def _to_edge(point: Point) -> float:
    """Return the distance of a point from the edge of the card."""
    return HALF - max(abs(point[0]), abs(point[1]))
