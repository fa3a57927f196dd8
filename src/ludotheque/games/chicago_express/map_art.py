"""The ground of the board of Chicago Express, the same during a whole game: a railway map of the 1850s, and below it a
panel with dials and tracks. It has no words but names, so that it needs no translation."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import product
from pathlib import Path
from typing import Final

from ludotheque.core.scene import art
from ludotheque.games.chicago_express import document
from ludotheque.games.chicago_express.document import DIAL_NAMES, Facts, Hex
from ludotheque.games.chicago_express.observation import LETTERS

RADIUS: Final = 34
"""From the middle of a hex to a corner."""
ROW: Final = 58.9
"""From the middle of a hex to the next in its column."""
COLUMN: Final = 51
MARGIN: Final = 16
NARROWEST: Final = 1020

DIAL: Final = 44
"""Radius of a dial."""
SWEEP: Final = 120
"""A dial turns from this many degrees left of the top to as many right of it."""
TRACK_BOX: Final = 25
LANE: Final = 17
"""Height of a company's lane of the income track."""
INCOMES: Final = 50
"""The income track ends here; beyond, a marker begins again and says so."""
STRIP: Final = 122
"""Height of the panel below the map: the dials, then the industry, then the income track."""
INCOME: Final = 650
"""Left edge of the income track."""
COMPASS_SIZE: Final = 60
"""Radius of the room of a compass."""
BELOW: Final = 8
"""Tracks and locomotives lie so far below the middle of a hex: names above them cover no letter on a cab."""
ENGINE: Final = 0.86
SMALL_ENGINE: Final = 0.74
"""Scales of the locomotives; the small one where several stand in a hex."""
NAMES_SYMBOL: Final = "city-names"
"""The symbol with the names of all cities, above what stands in the hexes beside them."""
PRINTED_TERRAIN: Final = {"plain": ("prairie", 3), "forest": ("wood", 5), "mountain": ("peaks", 3)}
"""Symbols that are printed on a hex, by terrain, and their number, so that no hex is like the next."""
TOWNS: Final = 4
"""Ways in which towns of a size are built."""

_GROWTH: Final = {"city": (2, 3, 6), "industrial": (3, 5), "start": (0,)}
"""The incomes from which on a city is drawn larger, by terrain."""


class MapLayout:
    """Places of things, for a map that has hexes in these places."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._middles: dict[str, tuple[float, float]] = {}
        places = [document.place(id) for id in ids]
        self.west = min(column for column, _ in places)
        self.north = min(row for _, row in places)
        columns = max(column for column, _ in places) - self.west
        self.width = max(NARROWEST, 2 * MARGIN + 2 * RADIUS + COLUMN * columns)
        self.strip = max(self.hex(id)[1] for id in ids) + ROW / 2 + 2 * MARGIN
        self.height = self.strip + STRIP + MARGIN / 2

    def hex(self, id: str) -> tuple[float, float]:
        """The middle of a hex."""
        if id not in self._middles:
            column, row = document.place(id)
            y = MARGIN + ROW * (row - self.north + (1 if column % 2 else 0.5))
            self._middles[id] = MARGIN + RADIUS + COLUMN * (column - self.west), round(y, 1)
        return self._middles[id]

    def free_corner(self, radius: float) -> tuple[float, float] | None:
        """The middle of the first corner of the map, lower left first, where so large a circle meets no hex."""
        inset = MARGIN + radius
        for y in (self.strip - inset, inset):
            for x in (inset, self.width - inset):
                if all(math.dist((x, y), middle) > radius + RADIUS for middle in self._middles.values()):
                    return x, y
        return None

    def widest_water(self) -> tuple[float, float]:
        """The place of the sea that is furthest from all hexes and from the border, and well away from a compass."""
        corner = self.free_corner(COMPASS_SIZE)
        taken = [(middle, RADIUS) for middle in self._middles.values()]
        if corner:
            taken.append((corner, 4 * COMPASS_SIZE))
        columns, rows = (range(MARGIN, round(end) - MARGIN, 2 * MARGIN) for end in (self.width, self.strip))
        return max(product(columns, rows), key=lambda at: self._water_around(at, taken))

    def _water_around(self, at: tuple[float, float], taken: Sequence[tuple[tuple[float, float], float]]) -> float:
        """The distance of a place from what is there, and from the border."""
        x, y = at
        border = min(x, self.width - x, y, self.strip - y)
        return min(border, *(math.dist(at, middle) - radius for middle, radius in taken))

    def dial(self, number: int) -> tuple[float, float]:
        return MARGIN + 54 + 102 * number, self.strip + STRIP / 2

    def track(self, city: int, step: int) -> tuple[float, float]:
        return MARGIN + 418 + TRACK_BOX * step, self.strip + 26 + 35 * city

    def houses(self) -> tuple[float, float]:
        """The supply of houses, in the room that the shorter tracks leave."""
        return self.track(2, 6)

    def lane(self, company: int, income: float) -> tuple[float, float]:
        """A place on the income track."""
        step = (self.width - INCOME - 2 * MARGIN) / INCOMES
        return round(INCOME + step * income, 1), self.strip + 18 + LANE * (company + 1)


@lru_cache(maxsize=32)
def layout_of(ids: tuple[str, ...]) -> MapLayout:
    return MapLayout(ids)


@lru_cache(maxsize=32)
def backdrop(board: Facts) -> str:
    """Symbols, styles, map and tracks: the same at every table with this board."""
    layout = layout_of(tuple(hex.id for hex in board.hexes))
    symbols = [_engine(id, colour, size) for id, colour in _colours(board) for size in ("", "small-")]
    symbols += [_token(id, colour) for id, colour in _colours(board)]
    names = "".join(_name(layout, hex) for hex in board.hexes if hex.name)
    symbols.append(f'<symbol id="{NAMES_SYMBOL}" overflow="visible">{names}</symbol>')
    land = "".join(_shape(layout, hex) for hex in board.hexes)
    symbols.append(f'<symbol id="land" overflow="visible"><path d="{land}"/></symbol>')
    ground = [
        f'<rect class="ce-sheet" width="{layout.width:g}" height="{layout.height:g}"/>',
        *_sea(layout),
        *(f'<use class="ce-coast ce-coast-{line}" href="#land"/>' for line in ("far", "near", "edge")),
        '<use class="ce-hex ce-plain" href="#land"/>',
        *(_ground(layout, board, hex) for hex in board.hexes),
        f'<rect class="ce-panel" x="8" y="{layout.strip - 6:g}" width="{layout.width - 16:g}" '
        f'height="{layout.height - layout.strip:g}" rx="10"/>',
        *(_dial(layout, number, limit) for number, limit in enumerate(board.dials)),
        *(_track(layout, board, city) for city in range(len(board.industry))),
        _income_track(layout, board),
    ]
    drawn = art(Path(__file__).with_name("art.svg"))
    return f'{drawn}<defs>{"".join(symbols)}</defs><g class="backdrop">{"".join(ground)}</g>'


def _colours(board: Facts) -> list[tuple[str, str]]:
    return [(company.id, company.colour) for company in board.companies]


def _text(kind: str, x: float, y: float, words: str | int) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(str(words))}</text>'


# The pieces of the companies.


def _engine(id: str, colour: str, size: str) -> str:
    """A wooden locomotive on its way west, with the company's letter on its cab; the small one where many stand in a
    hex. Its lower right sides are in the shade."""
    scale = SMALL_ENGINE if size else ENGINE
    return (
        f'<symbol id="{size}engine-{LETTERS[id]}" overflow="visible"><g transform="scale({scale})">'
        f'<use class="shade-{colour}" href="#engine-side"/>'
        f'<use class="fill-{colour}" href="#engine-front"/><use href="#engine-lines"/>'
        f"{_text(f'ce-letter ink-{colour}', 10, 2, LETTERS[id])}</g></symbol>"
    )


def _token(id: str, colour: str) -> str:
    """A wooden disc with the company's letter, for the income track."""
    return (
        f'<symbol id="token-{LETTERS[id]}" overflow="visible">'
        f'<circle class="shade-{colour}" cx="1" cy="1.6" r="9"/><circle class="ce-token fill-{colour}" r="9"/>'
        f"{_text(f'ce-token-letter ink-{colour}', 0, 0, LETTERS[id])}</symbol>"
    )


# The map.


def _sea(layout: MapLayout) -> Iterator[str]:
    """The water of the map with its border, a compass in the first corner that has room for one, and a steamer."""
    for kind, inset in (("water", 5), ("waves", 5), ("neatline", 5), ("hairline", 2)):
        fill = ' fill="url(#waves)"' if kind == "waves" else ""
        yield (
            f'<rect class="ce-{kind}"{fill} x="{inset}" y="{inset}" width="{layout.width - 2 * inset:g}" '
            f'height="{layout.strip - 14 - 2 * inset:g}"/>'
        )
    if corner := layout.free_corner(COMPASS_SIZE):
        yield _at(corner, ['<use href="#compass"/>'])
    yield _at(layout.widest_water(), ['<use href="#steamer"/>'])


def _shape(layout: MapLayout, hex: Hex) -> str:
    """The outline of a hex as a part of the path of all: browsers draw one path sooner than a symbol for each."""
    x, y = layout.hex(hex.id)
    side, half = RADIUS, ROW / 2
    return f"M{x + side:g} {y:g}l{-side / 2:g} {half:g}h{-side}l{-side / 2:g} {-half:g} {side / 2:g} {-half:g}h{side}z"


def _ground(layout: MapLayout, board: Facts, hex: Hex) -> str:
    parts = [f'<use class="ce-hex ce-{hex.terrain}" href="#hex"/>'] if hex.terrain != "plain" else []
    if hex.terrain in PRINTED_TERRAIN:
        parts.append(f'<use href="#{printed(hex)}"/>')
    elif hex.terrain in ("city", "start"):
        parts.append(f'<use href="#{buildings(hex.terrain, hex.income, hex.id)}"/>')
    parts += [
        f'<circle class="ce-ring stroke-{company.colour}" cy="5" r="22"/>'
        for company in board.companies
        if company.start == hex.id
    ]
    if hex.id == board.chicago:
        parts.append('<path class="ce-chicago" d="M31 0 L15.5 27 L-15.5 27 L-31 0 L-15.5 -27 L15.5 -27 Z"/>')
    return _at(layout.hex(hex.id), parts)


def printed(hex: Hex) -> str:
    """The symbol of open country: another one than that of each hex beside it."""
    kind, count = PRINTED_TERRAIN[hex.terrain]
    column, row = document.place(hex.id)
    return f"{kind}-{(column + 2 * (row - column // 2)) % count + 1}"


def buildings(terrain: str, income: int, hex: str) -> str:
    """The symbol of a city: more houses or chimneys where it adds more to the income. A larger one covers a smaller
    one of the same hex; cities below the largest size are built in different ways."""
    size = bisect_right(_GROWTH[terrain], income) + 1
    if terrain == "industrial":
        return f"works-{size}"
    column, row = document.place(hex)
    return f"town-{size}" if size > len(_GROWTH["city"]) else f"town-{size}-{(column // 2 + 2 * row) % TOWNS + 1}"


def _name(layout: MapLayout, hex: Hex) -> str:
    kind = "ce-name" + (" ce-guess" if hex.name_is_a_guess else "")
    x, y = layout.hex(hex.id)
    return _text(kind, x, y - 10, hex.name)


def _at(place: tuple[float, float], parts: list[str]) -> str:
    return f'<g transform="translate({place[0]:g} {place[1]:g})">{"".join(parts)}</g>'


# The panel.


def dial_angle(step: int, limit: int) -> float:
    """Return the direction of a dial, in degrees clockwise from the top."""
    return -SWEEP + 2 * SWEEP * step / limit


def _dial(layout: MapLayout, number: int, limit: int) -> str:
    """A brass dial: what is in the red has stripes too."""
    half = SWEEP / limit
    sectors = [_sector(f"ce-{kind}", dial_angle(step, limit), half) for step in range(limit + 1)
               for kind in _sector_kinds(step, limit)]  # fmt: skip
    icon = f'<use href="#icon-{DIAL_NAMES[number]}" y="24"/>'
    return _at(layout.dial(number), ['<use href="#dial"/>', *sectors, icon, '<use href="#glass"/>'])


def _sector_kinds(step: int, limit: int) -> tuple[str, ...]:
    if step == limit:
        return "red", "stripes"
    return ("on",) if step else ("go",)


def _sector(kind: str, angle: float, half: float) -> str:
    """A piece of the ring of a dial."""

    def point(radius: float, degrees: float) -> str:
        turn = math.radians(degrees)
        return f"{radius * math.sin(turn):.1f} {-radius * math.cos(turn):.1f}"

    outer, inner = DIAL - 4, DIAL - 17
    start, end = angle - half, angle + half
    return (
        f'<path class="ce-sector {kind}" d="M{point(outer, start)} A{outer} {outer} 0 0 1 {point(outer, end)} '
        f'L{point(inner, end)} A{inner} {inner} 0 0 0 {point(inner, start)} Z"/>'
    )


def _track(layout: MapLayout, board: Facts, city: int) -> str:
    industry = board.industry[city]
    x, y = layout.track(city, 0)
    parts = [_text("ce-track-name", x - 20, y + 5, industry.name)]
    for step, value in enumerate(industry.track):
        x, y = layout.track(city, step)
        parts.append(f'<rect class="ce-box" x="{x - 12:g}" y="{y - 14:g}" width="24" height="28" rx="3"/>')
        parts.append(_text("ce-number", x, y + 5, value))
    return "".join(parts)


def _income_track(layout: MapLayout, board: Facts) -> str:
    last = len(board.companies) - 1
    left, top = layout.lane(0, 0)
    right, bottom = layout.lane(last, INCOMES)
    parts = [f'<rect class="ce-box" x="{left - 12:g}" y="{top - 29:g}" width="{right - left + 24:g}" '
             f'height="{bottom - top + 40:g}" rx="4"/>']  # fmt: skip
    for income in range(0, INCOMES + 1, 5):
        x, _ = layout.lane(0, income)
        parts.append(f'<path class="ce-tick" d="M{x:g} {top - 8:g} V{bottom + 8:g}"/>')
        if income % 10 == 0:
            parts.append(_text("ce-number", x, top - 13, income))
    for company in range(len(board.companies)):
        _, y = layout.lane(company, 0)
        parts.append(f'<path class="ce-lane" d="M{left:g} {y:g} H{right:g}"/>')
    return "".join(parts)
