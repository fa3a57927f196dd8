"""The picture of a game of Chicago Express: map, dials and tracks as a backdrop; locomotives, houses, pointers and
markers as pieces over it. Pictures carry no words but names, so that they need no translation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from ludotheque.core.colours import Mark, seat_mark
from ludotheque.core.memo import cached_by_identity
from ludotheque.core.phrases import NOTHING, Phrase, listed, phrase, plural, seat_name
from ludotheque.core.scene import Piece, Row, Scene, ScoreTable, art
from ludotheque.games.chicago_express import document
from ludotheque.games.chicago_express.document import DIAL_NAMES, Facts, Hex
from ludotheque.games.chicago_express.observation import LETTERS, ChicagoExpressObservation, CompanyView, HexView
from ludotheque.games.chicago_express.observe import STAGE_OVER
from ludotheque.games.chicago_express.rules import COMPANIES_OUT, HOUSES_LEFT

RADIUS: Final = 34
"""From the middle of a hex to a corner."""
ROW: Final = 58.9
"""From the middle of a hex to the next in its column."""
COLUMN: Final = 51
MARGIN: Final = 16
NARROWEST: Final = 1020

DIAL: Final = 42
"""Radius of a dial."""
SWEEP: Final = 120
"""A dial turns from this many degrees left of the top to as many right of it."""
TRACK_BOX: Final = 25
LANE: Final = 17
"""Height of a company's lane of the income track."""
INCOMES: Final = 50
"""The income track ends here; beyond, a marker begins again and says so."""
STRIP: Final = 118
"""Height of the strip below the map: the dials, then the industry, then the income track."""
INCOME: Final = 640
"""Left edge of the income track."""
CITY_NAMES: Final = Piece(id="names", symbol="city-names")
"""The names of all cities, above the houses of the hexes beside them."""
_TERRAINS: Final = {
    "plain": phrase("plain"),
    "forest": phrase("forest"),
    "mountain": phrase("mountain"),
    "city": phrase("city"),
    "industrial": phrase("industrial city"),
    "start": phrase("start"),
}
_QUESTIONS: Final = {
    "choose": phrase("choose an auction, an expansion or a development"),
    "offer": phrase("whose share do you offer?"),
    "name": phrase("which company expands?"),
    "develop": phrase("which hex do you develop?"),
}
"""Questions by stage of a turn."""
_COMPANY_OF: Final = {letter: id for id, letter in LETTERS.items()}
_EMBLEMS: Final = {"forest": "wood", "mountain": "peak", "city": "town", "industrial": "works"}


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

    def dial(self, number: int) -> tuple[float, float]:
        return MARGIN + 50 + 96 * number, self.strip + STRIP / 2

    def track(self, city: int, step: int) -> tuple[float, float]:
        return MARGIN + 400 + TRACK_BOX * step, self.strip + 24 + 34 * city

    def houses(self) -> tuple[float, float]:
        """The supply of houses, in the room that the shorter tracks leave."""
        return self.track(2, 6)

    def lane(self, company: int, income: float) -> tuple[float, float]:
        """A place on the income track."""
        step = (self.width - INCOME - 2 * MARGIN) / INCOMES
        return round(INCOME + step * income, 1), self.strip + 14 + LANE * (company + 1)


@lru_cache(maxsize=32)
def layout_of(ids: tuple[str, ...]) -> MapLayout:
    return MapLayout(ids)


# The backdrop.


@lru_cache(maxsize=32)
def backdrop(board: Facts) -> str:
    """Symbols, styles, map and tracks: the same at every table with this board."""
    layout = layout_of(tuple(hex.id for hex in board.hexes))
    symbols = [_engine(id, colour, size) for id, colour in _colours(board) for size in ("", "small-")]
    symbols += [_house(gain) for gain in sorted({hex.development for hex in board.hexes})]
    symbols.append(_house_symbol("cash", f"${board.forest_development_cash}"))
    names = "".join(_name(layout, hex) for hex in board.hexes if hex.name)
    symbols.append(f'<symbol id="{CITY_NAMES.symbol}" overflow="visible">{names}</symbol>')
    ground = [
        f'<rect class="ce-water" width="{layout.width:g}" height="{layout.height:g}"/>',
        f'<rect class="ce-strip" x="8" y="{layout.strip - 6:g}" width="{layout.width - 16:g}" '
        f'height="{layout.height - layout.strip:g}" rx="8"/>',
        *(_ground(layout, board, hex) for hex in board.hexes),
        *(_print(layout, hex) for hex in board.hexes),
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


def _engine(id: str, colour: str, size: str) -> str:
    """A locomotive with the company's letter; the small one where many stand in a hex."""
    body = "M-8 6 V-9 H8 V6 Z" if not size else "M-7 5 V-7 H7 V5 Z"
    chimney = "M-7 -9 V-13 H-2 V-9 Z" if not size else "M-6 -7 V-10 H-2 V-7 Z"
    wheels = [(-4, 8, 2.6), (4, 8, 2.6)] if not size else [(-3.5, 6, 2), (3.5, 6, 2)]
    letter = _text(f"ce-{size}letter ink-{colour}", 0, 3.5, LETTERS[id])
    circles = "".join(f'<circle class="ce-wheel" cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in wheels)
    return (
        f'<symbol id="{size}engine-{LETTERS[id]}" overflow="visible">'
        f'<path class="ce-engine fill-{colour}" d="{body} {chimney}"/>{circles}{letter}</symbol>'
    )


def _house(gain: int) -> str:
    return _house_symbol(str(gain), f"+{gain}")


def _house_symbol(name: str, words: str) -> str:
    return (
        f'<symbol id="house-{name}" overflow="visible"><path class="ce-house" d="M-11 -2 L0 -11 L11 -2 V8 H-11 Z"/>'
        f"{_text('ce-house-gain', 0, 5.5, words)}</symbol>"
    )


def _ground(layout: MapLayout, board: Facts, hex: Hex) -> str:
    parts = [f'<use class="ce-hex ce-{hex.terrain}" href="#hex"/>']
    if hex.terrain in _EMBLEMS:
        parts.append(f'<use href="#{_EMBLEMS[hex.terrain]}"/>')
    parts += [
        f'<circle class="ce-ring stroke-{company.colour}" cy="2" r="14"/>'
        for company in board.companies
        if company.start == hex.id
    ]
    if hex.id == board.chicago:
        parts.append('<path class="ce-chicago" d="M31 0 L15.5 27 L-15.5 27 L-31 0 L-15.5 -27 L15.5 -27 Z"/>')
    return _at(layout.hex(hex.id), parts)


def _print(layout: MapLayout, hex: Hex) -> str:
    """Return the print of a hex: its id above where it has no name, its values below the locomotives."""
    parts = [] if hex.name else [_text("ce-id", 0, -16, hex.id)]
    values = [("ce-cost", f"${hex.cost}")] if hex.cost else []
    if hex.income:
        values.append(("ce-income", f"+{hex.income}"))
    parts += [_text(kind, _value_x(hex, place), 25, words) for place, (kind, words) in enumerate(values)]
    if hex.development:
        x = _value_x(hex, 2)
        parts.append(f'<path class="ce-plot" d="M{x - 7:g} 16 L{x:g} 10 L{x + 7:g} 16 V27 H{x - 7:g} Z"/>')
        parts.append(_text("ce-gain", x, 25.5, hex.development))
    return _at(layout.hex(hex.id), parts)


def _name(layout: MapLayout, hex: Hex) -> str:
    kind = "ce-name" + (" ce-guess" if hex.name_is_a_guess else "")
    x, y = layout.hex(hex.id)
    return _text(kind, x, y - 14, hex.name)


def _value_x(hex: Hex | HexView, place: int) -> float:
    """Return where the cost (0), the income (1) and the house (2) of a hex are, beside each other."""
    if hex.terrain in ("city", "mountain"):
        return 18 * (place - (1 if hex.development else 0.5))
    return {"industrial": (-9, 10, 0), "forest": (0, 0, 18)}.get(hex.terrain, (0, 0, 0))[place]


def _at(place: tuple[float, float], parts: list[str]) -> str:
    return f'<g transform="translate({place[0]:g} {place[1]:g})">{"".join(parts)}</g>'


def _angle(step: int, limit: int) -> float:
    """Return the direction of a dial, in degrees clockwise from the top."""
    return -SWEEP + 2 * SWEEP * step / limit


def _dial(layout: MapLayout, number: int, limit: int) -> str:
    half = SWEEP / limit
    sectors = "".join(
        _sector("ce-go" if step == 0 else "ce-red" if step == limit else "ce-on", _angle(step, limit), half)
        for step in range(limit + 1)
    )
    icon = f'<use href="#icon-{DIAL_NAMES[number]}" y="26"/>'
    return _at(layout.dial(number), [f'<circle class="ce-dial" r="{DIAL + 4}"/>', sectors, icon])


def _sector(kind: str, angle: float, half: float) -> str:
    """A piece of the ring of a dial."""

    def point(radius: float, degrees: float) -> str:
        turn = math.radians(degrees)
        return f"{radius * math.sin(turn):.1f} {-radius * math.cos(turn):.1f}"

    inner = DIAL - 15
    start, end = angle - half, angle + half
    return (
        f'<path class="ce-sector {kind}" d="M{point(DIAL, start)} A{DIAL} {DIAL} 0 0 1 {point(DIAL, end)} '
        f'L{point(inner, end)} A{inner} {inner} 0 0 0 {point(inner, start)} Z"/>'
    )


def _track(layout: MapLayout, board: Facts, city: int) -> str:
    industry = board.industry[city]
    x, y = layout.track(city, 0)
    parts = [_text("ce-track-name", x - 20, y + 4, industry.name)]
    for step, value in enumerate(industry.track):
        x, y = layout.track(city, step)
        parts.append(f'<rect class="ce-box" x="{x - 12:g}" y="{y - 14:g}" width="24" height="28" rx="3"/>')
        parts.append(_text("ce-number", x, y + 4, value))
    return "".join(parts)


def _income_track(layout: MapLayout, board: Facts) -> str:
    parts = []
    last = len(board.companies) - 1
    for income in range(0, INCOMES + 1, 5):
        x, top = layout.lane(0, income)
        _, bottom = layout.lane(last, income)
        parts.append(f'<path class="ce-tick" d="M{x:g} {top - 8:g} V{bottom + 8:g}"/>')
        parts.append(_text("ce-number", x, top - 11, income))
    for company in range(len(board.companies)):
        x1, y = layout.lane(company, 0)
        x2, _ = layout.lane(company, INCOMES)
        parts.append(f'<path class="ce-lane" d="M{x1:g} {y:g} H{x2:g}"/>')
    return "".join(parts)


# The pieces.


def scene(seen: ChicagoExpressObservation) -> Scene:
    """The picture of a position."""
    drawn = _map(seen.hexes)
    layout = drawn.layout
    pieces = [
        *_networks(drawn.networks, seen),
        *_for_sale(layout, seen),
        *drawn.values,
        *drawn.houses,
        CITY_NAMES,
        *_supply(layout, seen.houses),
        *_last(layout, seen),
        *drawn.spots,
        *drawn.locomotives,
        *_dials(layout, seen),
        *_industry(layout, seen),
        *_incomes(layout, seen),
    ]
    return Scene(
        title=phrase("Chicago Express, {players} players", players=seen.players),
        width=layout.width,
        height=round(layout.height),
        pieces=tuple(pieces),
        tables=(_players(seen), *_now(seen), _companies(seen), _ends(seen), _dial_table(seen)),
        asks=_asks(seen),
        continues=seen.to_move >= 0 and seen.auction is None,
    )


def _asks(seen: ChicagoExpressObservation) -> Phrase:
    """Return the task of the seat to move."""
    if seen.auction:
        company = seen.auction.company
        pays = _would_pay(seen, company)
        return phrase("bid for a share of {company} (would pay ${dollars}), or pass", company=company, dollars=pays)
    if seen.expansion:
        company, built, limit = seen.expansion.company, seen.expansion.built, seen.expansion.limit
        return phrase("build with {company} ({built} of {limit})", company=company, built=built, limit=limit)
    return _QUESTIONS.get(seen.stage, NOTHING)


# The map changes with few moves, and then at one hex.


class _Map(NamedTuple):
    """The pieces on the map, by the layer in which they are painted."""

    layout: MapLayout
    networks: tuple[str, ...]
    """Paths along the locomotives by company; empty if no two of them are neighbours."""
    values: list[Piece]
    houses: list[Piece]
    spots: list[Piece]
    locomotives: list[Piece]


@cached_by_identity(512)
def _map(hexes: tuple[HexView, ...]) -> _Map:
    layout = layout_of(tuple([hex.id for hex in hexes]))
    drawn = [_hex_pieces(layout, hex) for hex in hexes]
    return _Map(
        layout,
        tuple([_network(layout, hexes, letter, 3 * (number - 2)) for number, letter in enumerate(LETTERS.values())]),
        [piece for pieces in drawn for piece in pieces.values],
        [piece for pieces in drawn for piece in pieces.houses],
        [pieces.spot for pieces in drawn],
        [piece for pieces in drawn for piece in pieces.locomotives],
    )


class _HexPieces(NamedTuple):
    """The pieces on a hex."""

    values: tuple[Piece, ...]
    houses: tuple[Piece, ...]
    spot: Piece
    locomotives: tuple[Piece, ...]


@cached_by_identity(20_000)
def _hex_pieces(layout: MapLayout, hex: HexView) -> _HexPieces:
    return _HexPieces(
        tuple(_values(layout, hex)), tuple(_houses(layout, hex)), _spot(layout, hex), tuple(_locomotives(layout, hex))
    )


def _spot(layout: MapLayout, hex: HexView) -> Piece:
    x, y = layout.hex(hex.id)
    return Piece(
        id=f"hex:{hex.id}", symbol="hex", x=x, y=y, classes="spot", step=f"hex:{hex.id}", label=_hex_label(hex)
    )


def _hex_label(hex: HexView) -> Phrase:
    terrain = _TERRAINS[hex.terrain]
    if hex.price:
        parts = [phrase("{hex}, {terrain}; next locomotive ${price}", hex=hex.title, terrain=terrain, price=hex.price)]
    else:
        parts = [phrase("{hex}, {terrain}", hex=hex.title, terrain=terrain)]
    if hex.value:
        parts.append(phrase("income +{value}", value=hex.value))
    if hex.house:
        parts.append(phrase("developed"))
    elif hex.development:
        parts.append(phrase("a house adds {gain}", gain=hex.development))
    if hex.locomotives:
        parts.append(phrase("locomotives {letters}", letters=" ".join(hex.locomotives)))
    return _listed(parts)


def _listed(parts: list[Phrase]) -> Phrase:
    if len(parts) == 1:
        return parts[0]
    return phrase("{first}; {rest}", first=parts[0], rest=_listed(parts[1:]))


def _values(layout: MapLayout, hex: HexView) -> Iterator[Piece]:
    """Yield the present value of an industrial city."""
    if hex.terrain == "industrial":
        x, y = layout.hex(hex.id)
        yield Piece(id=f"value:{hex.id}", text=f"+{hex.value}", x=x + _value_x(hex, 1), y=round(y + 25, 1),
                    classes="value")  # fmt: skip


def _houses(layout: MapLayout, hex: HexView) -> Iterator[Piece]:
    if hex.house:
        x, y = layout.hex(hex.id)
        symbol = "house-cash" if hex.terrain == "forest" else f"house-{hex.development}"
        yield Piece(id=f"house:{hex.id}", symbol=symbol, x=x + _value_x(hex, 2), y=round(y + 19, 1),
                    label=phrase("house on {hex}", hex=hex.title))  # fmt: skip


@lru_cache(maxsize=512)
def _supply(layout: MapLayout, houses: int) -> tuple[Piece, ...]:
    """The houses that are left."""
    x, y = layout.houses()
    label = plural(houses, "{count} house left", "{count} houses left")
    return (
        Piece(id="houses", symbol="marker", x=x, y=y, label=label),
        Piece(id="houses-count", text=str(houses), x=x + 16, y=y + 6, classes="count"),
    )


def _locomotives(layout: MapLayout, hex: HexView) -> Iterator[Piece]:
    """Side by side in the middle of a hex, smaller where there are many. Each chooses its company."""
    x, y = layout.hex(hex.id)
    count = len(hex.locomotives)
    pitch, size = (19, "") if count <= 3 else (14, "small-")
    for place, letter in enumerate(hex.locomotives):
        company = _COMPANY_OF[letter]
        yield Piece(id=f"engine:{company}:{hex.id}", symbol=f"{size}engine-{letter}",
                    x=x + pitch * (place - (count - 1) / 2), y=round(y + 2, 1), classes="engine",
                    step=f"company:{company}",
                    label=phrase("{company} on {hex}", company=company, hex=hex.title))  # fmt: skip


def _network(layout: MapLayout, hexes: tuple[HexView, ...], letter: str, aside: int) -> str:
    """A path along a company's locomotives, a little aside of the others'."""
    network = {document.place(hex.id): hex.id for hex in hexes if letter in hex.locomotives}
    links = []
    for place, id in network.items():
        x1, y1 = layout.hex(id)
        for other in document.neighbours(*place):
            if other in network and place < other:
                x2, y2 = layout.hex(network[other])
                links.append(f"M{x1 + aside:g} {y1 + aside:.1f} L{x2 + aside:g} {y2 + aside:.1f}")
    return " ".join(links)


def _networks(paths: tuple[str, ...], seen: ChicagoExpressObservation) -> list[Piece]:
    companies = zip(paths, seen.companies, strict=True)
    return [_network_piece(path, company.id, company.colour) for path, company in companies if path]


@lru_cache(maxsize=2048)
def _network_piece(path: str, id: str, colour: str) -> Piece:
    label = phrase("network of {company}", company=id)
    return Piece(id=f"network:{id}", path=path, classes=f"network own-{colour}", label=label)


def _last(layout: MapLayout, seen: ChicagoExpressObservation) -> Iterator[Piece]:
    if seen.last_hex:
        x, y = layout.hex(seen.last_hex)
        yield Piece(id="last", symbol="hex", x=x, y=y, classes="last", label=phrase("the last hex"))


_AROUND: Final = (
    f"l{-RADIUS / 2:g} {ROW / 2:g} h{-RADIUS} l{-RADIUS / 2:g} {-ROW / 2:g} l{RADIUS / 2:g} {-ROW / 2:g} h{RADIUS} Z"
)
"""The edge of a hex, from its right corner."""


def _for_sale(layout: MapLayout, seen: ChicagoExpressObservation) -> Iterator[Piece]:
    """The hexes of the company whose share is for sale."""
    if seen.auction:
        id = seen.auction.company
        places = [layout.hex(hex.id) for hex in seen.hexes if LETTERS[id] in hex.locomotives]
        colour = next(company.colour for company in seen.companies if company.id == id)
        label = phrase("for sale: a share of {company}", company=id)
        path = " ".join(f"M{x + RADIUS:g} {y:g} {_AROUND}" for x, y in places)
        yield Piece(id="for-sale", path=path, classes=f"subject own-{colour}", label=label)


_VERBS: Final = ("auction", "expand", "develop")
_RING: Final = f"M0 {-DIAL - 4} A{DIAL + 4} {DIAL + 4} 0 1 1 -0.1 {-DIAL - 4} Z"


def _dials(layout: MapLayout, seen: ChicagoExpressObservation) -> list[Piece]:
    dials = enumerate(seen.dials)
    return [piece for number, dial in dials for piece in _dial_pieces(layout, number, dial.action, dial.at, dial.red)]


@lru_cache(maxsize=512)
def _dial_pieces(layout: MapLayout, number: int, action: str, at: int, red: int) -> tuple[Piece, ...]:
    x, y = layout.dial(number)
    label = {
        "auction": phrase("auction dial: {at} of {red}", at=at, red=red),
        "expansion": phrase("expansion dial: {at} of {red}", at=at, red=red),
        "development": phrase("development dial: {at} of {red}", at=at, red=red),
    }[action]
    return (
        Piece(id=f"dial:{action}", symbol="pointer", x=x, y=y, turn=round(_angle(at, red)), label=label),
        Piece(id=f"choose:{action}", path=_RING, x=x, y=y, classes="spot sign", step=f"action:{_VERBS[number]}",
              label=label),
    )  # fmt: skip


def _industry(layout: MapLayout, seen: ChicagoExpressObservation) -> list[Piece]:
    cities = enumerate(seen.industry)
    return [piece for number, city in cities for piece in _city(layout, number, city.name, city.step, city.value)]


@lru_cache(maxsize=512)
def _city(layout: MapLayout, number: int, name: str, step: int, value: int) -> tuple[Piece, ...]:
    x, y = layout.track(number, step)
    label = phrase("{city}: {value}", city=name, value=value)
    return (
        Piece(id=f"industry:{name}", symbol="marker", x=x, y=y, label=label),
        Piece(id=f"industry-value:{name}", text=str(value), x=x, y=y + 6, classes="on-marker"),
    )


def _incomes(layout: MapLayout, seen: ChicagoExpressObservation) -> list[Piece]:
    companies = enumerate(seen.companies)
    return [
        piece
        for number, company in companies
        if company.in_play
        for piece in _income(layout, number, company.id, company.income)
    ]


@lru_cache(maxsize=2048)
def _income(layout: MapLayout, number: int, id: str, income: int) -> tuple[Piece, ...]:
    """A company's marker with its letter; beyond the end of the track it begins again, with a note."""
    beyond = (income - 1) // INCOMES * INCOMES
    x, y = layout.lane(number, income - beyond)
    marker = Piece(id=f"income:{id}", symbol=f"small-engine-{LETTERS[id]}", x=x, y=y,
                   lights=f"network:{id}",
                   label=phrase("{company}: income {income}", company=id, income=income))  # fmt: skip
    if not beyond:
        return (marker,)
    return marker, Piece(id=f"beyond:{id}", text=f"+{beyond}", x=x + 9, y=y + 4, classes="more")


# The tables.


def _now(seen: ChicagoExpressObservation) -> Iterator[ScoreTable]:
    """Yield what is going on: an auction or an expansion."""
    if seen.auction:
        auction = seen.auction
        rows: list[Row] = [(phrase("Lowest bid"), _dollars(auction.lowest))]
        if auction.bid:
            high = phrase("${dollars}, {seat}", dollars=auction.bid, seat=seat_name(auction.bidder))
            rows.insert(0, (phrase("Highest bid"), high))
        rows.append((phrase("Still bidding"), _listed_seats(auction.bidding)))
        rows.append((phrase("The share would pay"), _dollars(_would_pay(seen, auction.company))))
        yield ScoreTable(phrase("Auction: a share of {company}", company=auction.company), (), tuple(rows))
    if seen.expansion:
        expansion = seen.expansion
        treasury = next(company.treasury for company in seen.companies if company.id == expansion.company)
        built = phrase("{built} of {limit}", built=expansion.built, limit=expansion.limit)
        yield ScoreTable(phrase("Expansion of {company}", company=expansion.company), (),
                    ((phrase("Built"), built), (phrase("Treasury"), _dollars(treasury))))  # fmt: skip


def _dollars(amount: int) -> Phrase:
    return phrase("${dollars}", dollars=amount)


def _listed_seats(seats: Sequence[int]) -> Phrase:
    return listed([seat_name(seat) for seat in seats])


def _would_pay(seen: ChicagoExpressObservation, id: str) -> int:
    """Return what the share for sale would pay at the next dividend, once sold."""
    company = next(company for company in seen.companies if company.id == id)
    return -(-company.income // (company.sold + 1))


def _companies(seen: ChicagoExpressObservation) -> ScoreTable:
    head = (
        NOTHING,
        phrase("Treasury"),
        phrase("Income"),
        phrase("Sold"),
        phrase("Pays"),
        phrase("Price"),
        phrase("Locos"),
    )
    return ScoreTable(
        phrase("Companies"), head, tuple(_company_row(company) for company in seen.companies if company.in_play)
    )


def _company_row(company: CompanyView) -> Row:
    """The price is what a share costs at least; a company without shares left has none."""
    sold = f"{company.sold}/{company.sold + company.unsold}"
    price = _dollars(company.minimum) if company.unsold else NOTHING
    return (
        (_company_mark(company, company.id),), _dollars(company.treasury), company.income, sold,
        _dollars(company.dividend), price, company.locomotives,
    )  # fmt: skip


def _company_mark(company: CompanyView, text: str | int) -> Mark:
    return Mark(company.colour, LETTERS[company.id], text)


def _players(seen: ChicagoExpressObservation) -> ScoreTable:
    head = (phrase("Seat"), phrase("Shares"), phrase("Cash"))
    rows = tuple(_player_row(seen, seat) for seat in range(seen.players))
    return ScoreTable(phrase("Players"), head, rows, lists_seats=True, marked=seen.to_move)


def _player_row(seen: ChicagoExpressObservation, seat: int) -> Row:
    held = tuple(
        _company_mark(company, count) for company, count in zip(seen.companies, seen.shares[seat], strict=True) if count
    )
    return (seat_mark(seat, seat_name(seat)),), held, _dollars(seen.cash[seat])


def _dial_table(seen: ChicagoExpressObservation) -> ScoreTable:
    """Return the distance of each dial from the red, where its action is over until the next dividend."""
    head = (NOTHING, phrase("Auction"), phrase("Expansion"), phrase("Development"))
    now = (phrase("{at} of {red}", at=dial.at, red=dial.red) for dial in seen.dials)
    return ScoreTable(phrase("Dials"), head, ((phrase("Now"), *now),))


def _ends(seen: ChicagoExpressObservation) -> ScoreTable:
    """The four ends of the game, and how far they are."""
    no_locomotives = sum(company.locomotives == 0 for company in seen.companies)
    no_shares = sum(company.unsold == 0 for company in seen.companies)
    detroit = seen.industry[0]
    ends = (
        (phrase("Companies out of locomotives"), no_locomotives, COMPANIES_OUT),
        (phrase("Companies out of shares"), no_shares, COMPANIES_OUT),
        (phrase("Houses left"), seen.houses, HOUSES_LEFT),
        (phrase("{city}", city=detroit.name), detroit.value, detroit.track[-1]),
    )
    rows: list[Row] = [(what, phrase("{now}, ends at {end}", now=now, end=end)) for what, now, end in ends]
    rows.append((phrase("Dividends held"), seen.dividends))
    if seen.stage == STAGE_OVER:
        caption = phrase("The game is over")
    elif seen.ends:
        caption = phrase("Ends at the next dividend")
    else:
        caption = phrase("The end")
    return ScoreTable(caption, (), tuple(rows))
