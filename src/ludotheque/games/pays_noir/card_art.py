"""Draw the cards of any set as landscapes.

A card is a square of 100 units with its middle at (0, 0), x to the right and y downwards. Everything on it is a path
of straight lines and cubic curves, so that it can be turned, moved and joined with what lies on other cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Final

from ludotheque.games.pays_noir.cards import Card

HALF: Final = 50
CARD_SIDE: Final = 100

Point = tuple[float, float]
Path = list[list[Point]]
"""The first entry is where the path starts; then for each line its end, for each curve two handles and its end."""

_CORNERS: Final = ((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF))
"""The corner where each side begins, clockwise."""
_MIDDLES: Final = ((0, -HALF), (HALF, 0), (0, HALF), (-HALF, 0))

# Quarters, with their first side at the top: one side, two adjoining, two opposite, three, four.
_CAP: Final[Path] = [[(-50, -50)], [(50, -50)], [(16, -18), (-16, -18), (-50, -50)]]
_CORNER: Final[Path] = [[(-50, -50)], [(50, -50)], [(50, 50)], [(34, 8), (-8, -34), (-50, -50)]]
_BAND: Final[Path] = [
    [(-50, -50)], [(50, -50)], [(24, -22), (24, 22), (50, 50)], [(-50, 50)], [(-24, 22), (-24, -22), (-50, -50)],
]  # fmt: skip
_THREE: Final[Path] = [[(-50, -50)], [(50, -50)], [(50, 50)], [(-50, 50)], [(-20, 24), (-20, -24), (-50, -50)]]
_HEART: Final[Path] = [[(-50, -50)], [(50, -50)], [(50, 50)], [(-50, 50)], [(-50, -50)]]
_SHAPES: Final[dict[tuple[int, ...], tuple[Path, Point]]] = {
    (0,): (_CAP, (0, -37)),
    (0, 1): (_CORNER, (22, -22)),
    (0, 2): (_BAND, (0, 0)),
    (0, 1, 2): (_THREE, (16, 0)),
    (0, 1, 2, 3): (_HEART, (0, 0)),
}
"""Outlines by sides, each with the place for something in it."""


def turned(point: Point, turn: int) -> Point:
    """A point after a number of clockwise quarter turns."""
    x, y = point
    for _ in range(turn % 4):
        x, y = -y, x
    return x, y


def moved(path: Path, turn: int, x: float = 0, y: float = 0) -> Path:
    """A path turned, then moved."""
    return [[(a + x, b + y) for a, b in (turned(point, turn) for point in points)] for points in path]


def drawn(path: Path, closed: bool = False) -> str:
    """A path as SVG writes it."""
    words = []
    for i, points in enumerate(path):
        sign = "M" if i == 0 else "C" if len(points) == 3 else "L"
        words.append(sign + " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in points))
    return "".join(words) + ("Z" if closed else "")


# Places of things.


def quarter_shape(card: Card, number: int) -> tuple[Path, Point]:
    """The outline of a quarter, and the point for what is drawn in it."""
    sides = card.quarters[number].sides
    for first in range(4):
        from_first = tuple(sorted((side - first) % 4 for side in sides))
        if from_first in _SHAPES:
            outline, middle = _SHAPES[from_first]
            return moved(outline, first), turned(middle, first)
    raise AssertionError(f"quarter:{number} of {card.id} reaches no edge")


def stop_point(card: Card, stop: str) -> Point:
    """Return the place of a station, a site, or the stop in a quarter."""
    kind, _, text = stop.partition(":")
    if kind == "quarter":
        return quarter_shape(card, int(text))[1]
    at = card.stations[int(text)].at if kind == "station" else card.sites[card.site_names.index(stop)].at
    if at is not None:
        return at[0] - HALF, at[1] - HALF
    ends = [end for track in card.tracks if stop in track.ends for end in track.ends if isinstance(end, int)]
    if not ends:
        return _SPARE[[*card.site_names, *(f"station:{i}" for i in range(len(card.stations)))].index(stop)]
    shrink = 0.4 / len(ends) if len(card.stations) + len(card.sites) > 1 else 0
    return sum(_MIDDLES[end][0] for end in ends) * shrink, sum(_MIDDLES[end][1] for end in ends) * shrink


_SPARE: Final = ((0, 0), (-20, 20), (20, 20), (20, -20), (-20, -20), (0, 24), (24, 0), (0, -24))


def track_path(card: Card, number: int) -> Path:
    """A track from end to end."""
    one, other = card.tracks[number].ends
    if isinstance(one, str) and isinstance(other, int):
        one, other = other, one
    if isinstance(one, str):
        return [[stop_point(card, one)], [stop_point(card, str(other))]]
    start = _MIDDLES[one]
    into = (start[0] * 0.45, start[1] * 0.45)
    if isinstance(other, int):
        end: Point = _MIDDLES[other]
        return [[start], [into, (end[0] * 0.45, end[1] * 0.45), end]]
    end = stop_point(card, other)
    return [[start], [into, (end[0] + (start[0] - end[0]) * 0.2, end[1] + (start[1] - end[1]) * 0.2), end]]


def patch_outline(card: Card, number: int) -> Path:
    """A country patch: along the edges of the card where it reaches them, else along what bounds it."""
    runs = _runs(card.patches[number].halves)
    if not runs:
        return [[(-12, -12)], [(12, -12)], [(12, 12)], [(-12, 12)]]
    outline: Path = [[_half_point(runs[0][0])]]
    for i, run in enumerate(runs):
        outline += [[_half_point(half + 1)] for half in run]
        outline += _along_barrier(card, run[-1] + 1, runs[(i + 1) % len(runs)][0])
    return outline


def _runs(halves: Sequence[int]) -> list[list[int]]:
    """Half edges that follow one another clockwise, together."""
    runs: list[list[int]] = []
    for half in sorted(halves):
        if runs and runs[-1][-1] == half - 1:
            runs[-1].append(half)
        else:
            runs.append([half])
    if len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == 7:
        runs[0] = runs.pop() + runs[0]
    return runs


def _half_point(half: int) -> Point:
    """Return the point where a half edge begins."""
    side = half // 2 % 4
    return _MIDDLES[side] if half % 2 else _CORNERS[side]


def _along_barrier(card: Card, end: int, start: int) -> Path:
    """From the end of one run of half edges to the start of the next, along the tracks and towns between them."""
    here, target = _half_point(end), _half_point(start)
    parts = _parts_between(card, end, start)
    if _cross(card, parts):
        return [[(0, 0)], [target]]
    path: Path = []
    for part in parts:
        for way in _ways_along(card, part, parts):
            if here != target and (way[0][0] == here or way[-1][-1] == target):
                path += way[1:] if way[0][0] == here else way
                here = way[-1][-1]
                break
    return path if here == target else [*path, [target]]


def _parts_between(card: Card, end: int, start: int) -> list[str]:
    """The tracks and quarters at the sides from one half edge to another, of the tracks only the first and the last."""
    sides = list(dict.fromkeys(half // 2 % 4 for half in range(end, end + (start - end) % 8)))
    inner = [name for side in sides[1:-1] for name in _reaching(card, side) if name.startswith("quarter")]
    return list(dict.fromkeys([*_reaching(card, sides[0]), *inner, *_reaching(card, sides[-1])])) if sides else []


def _cross(card: Card, parts: list[str]) -> bool:
    """Whether they are two tracks that only cross."""
    if len(parts) != 2 or not all(name.startswith("track") for name in parts):
        return False
    first, last = (card.tracks[int(name.partition(":")[2])].ends for name in parts)
    return not set(first) & set(last)


def _reaching(card: Card, side: int) -> Iterator[str]:
    yield from (f"quarter:{i}" for i, quarter in enumerate(card.quarters) if side in quarter.sides)
    yield from (f"track:{i}" for i, track in enumerate(card.tracks) if side in track.ends)


def _ways_along(card: Card, part: str, parts: list[str]) -> Iterator[Path]:
    """A track in both ways, or the curved borders of a quarter, counter-clockwise; but where a track of these parts
    ends in the quarter, the border is taken for straight from there to the corner."""
    kind, _, number = part.partition(":")
    if kind == "track":
        track = _as_far_as_town(card, int(number))
        yield track
        yield _backwards(track)
    elif not any(f"track:{i}" in parts and part in track.ends for i, track in enumerate(card.tracks)):
        for before, after in pairwise(quarter_shape(card, int(number))[0]):
            if len(after) == 3:
                yield _backwards([[before[-1]], after])


def _as_far_as_town(card: Card, number: int) -> Path:
    """A track; if it ends in a quarter, only to the border of the quarter and straight."""
    path = track_path(card, number)
    for end in card.tracks[number].ends:
        if str(end).startswith("quarter"):
            outline = along(quarter_shape(card, int(str(end).partition(":")[2]))[0])
            outside = [point for point in along(path) if not is_inside(point, outline)]
            return [[point] for point in (path[0][0], outside[-1])]
    return path


def _backwards(path: Path) -> Path:
    """A path of one line or curve the other way."""
    points = [point for points in path for point in points][::-1]
    return [points[:1], points[1:]]


# Points along paths.


_SAMPLES: Final = 10


def along(path: Path) -> list[Point]:
    """Points along a path."""
    found = [path[0][0]]
    for points in path[1:]:
        handles = [found[-1], *points]
        found += [_at(handles, step / _SAMPLES) for step in range(1, _SAMPLES + 1)]
    return found


def _at(handles: list[Point], t: float) -> Point:
    """A point of a line or a cubic curve."""
    while len(handles) > 1:
        handles = [(a + (c - a) * t, b + (d - b) * t) for (a, b), (c, d) in pairwise(handles)]
    return handles[0]


def distance(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def shifted(points: list[Point], by: float) -> list[Point]:
    """Points along a line, each moved to its right by a distance."""
    normals = [normal(one, other) for one, other in pairwise(points) if one != other]
    if not normals:  # two stops of a custom card at the same place
        return points
    kept = [one for one, other in pairwise(points) if one != other] + points[-1:]
    both = zip([normals[0], *normals], [*normals, normals[-1]], kept, strict=True)
    return [(x + by * (a + c) / 2, y + by * (b + d) / 2) for (a, b), (c, d), (x, y) in both]


def normal(start: Point, end: Point) -> Point:
    """The direction to the right of a line, which is inside of a border drawn clockwise."""
    length = distance(start, end)
    return (start[1] - end[1]) / length, (end[0] - start[0]) / length


def is_inside(point: Point, outline: list[Point]) -> bool:
    x, y = point
    return sum([x < crossing for crossing in _crossings(outline, y)]) % 2 == 1


def distance_to(things: list[Point], point: Point) -> float:
    """The distance of a point from the nearest of several things; infinite if there are none."""
    x, y = point
    return float(min([(x - a) ** 2 + (y - b) ** 2 for a, b in things], default=inf) ** 0.5)


def inner_points(outline: list[Point], steps: Sequence[float]) -> list[Point]:
    """The points of a grid inside an outline, column by column."""
    crossings = {y: _crossings(outline, y) for y in steps}
    return [(x, y) for x in steps for y in steps if sum([x < crossing for crossing in crossings[y]]) % 2]


def _crossings(outline: list[Point], y: float) -> list[float]:
    """The points where an outline crosses a horizontal line."""
    return [
        (x2 - x1) * (y - y1) / (y2 - y1) + x1
        for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True)
        if (y1 > y) != (y2 > y)
    ]


# The card as a symbol.


def card_symbol(card: Card) -> str:
    """The picture of a card, to be placed by its middle."""
    return f'<symbol id="card-{card.id}" overflow="visible">{card_picture(card)}</symbol>'


def card_picture(card: Card) -> str:
    """The picture of a card: fields, then towns, rails, and what stands on them."""
    parts = ['<path class="pn-own" d="M-50-50H50V50H-50Z"/><path class="pn-border" d="M-50-50H50V50H-50Z"/>']
    for i, quarter in enumerate(card.quarters):
        outline = quarter_shape(card, i)[0]
        parts.append(f'<path class="pn-{quarter.kind}" d="{drawn(outline, closed=True)}"/>')
        parts.append(f'<path class="pn-border-of-town" d="{_borders(outline)}"/>')
    for i in range(len(card.tracks)):
        line = drawn(track_path(card, i))
        parts += [f'<path class="pn-{layer}" d="{line}"/>' for layer in _TRACK_LAYERS]
    for i in range(len(card.stations)):
        parts.append(_placed("pn-station", stop_point(card, f"station:{i}")))
    parts += [_placed(f"pn-{name.partition(':')[0]}", stop_point(card, name)) for name in card.site_names]
    for i, quarter in enumerate(card.quarters):
        parts += _town_symbols(quarter_shape(card, i)[1], quarter.station, quarter.urbanism, _is_wide(quarter.sides))
    return "".join(parts)


_TRACK_LAYERS: Final = ("bed", "ballast", "sleepers", "rails", "between", "inner")
"""The strokes of a track, the widest first."""


def _borders(outline: Path) -> str:
    """The curves of the outline of a quarter: the town goes on across the edges of the card."""
    return "".join(drawn([[before[-1]], after]) for before, after in pairwise(outline) if len(after) == 3)


def _is_wide(sides: tuple[int, ...]) -> bool:
    """Whether two signs in a quarter stand side by side along its edge, or one above the other."""
    return sides not in ((1,), (3,))


def _town_symbols(middle: Point, station: bool, urbanism: str, wide: bool) -> Iterator[str]:
    x, y = middle
    apart = 13 if station and urbanism else 0
    dx, dy = (apart, 0) if wide else (0, apart)
    if station:
        yield _placed("pn-station", (x - dx, y - dy))
    if urbanism:
        yield _placed(f"pn-{urbanism}", (x + dx, y + dy))


def _placed(symbol: str, point: Point) -> str:
    """A symbol that is upright however the card lies."""
    x, y = point
    return f'<g transform="translate({x:g} {y:g})"><use class="pn-upright" href="#{symbol}"/></g>'
