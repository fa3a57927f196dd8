"""The picture of a position of Chicago Express: locomotives, towns, houses, pointers and markers over the map, and the
tables beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ludotheque.core.colours import Mark, seat_mark
from ludotheque.core.memo import cached_by_identity
from ludotheque.core.phrases import NOTHING, Phrase, listed, phrase, plural, seat_name
from ludotheque.core.scene import Gauge, Piece, Row, Scene, ScoreTable, Sheet
from ludotheque.games.chicago_express import document, map_art
from ludotheque.games.chicago_express.map_art import (
    BELOW,
    DIAL,
    INCOMES,
    RADIUS,
    ROW,
    MapLayout,
    buildings,
    dial_angle,
    layout_of,
)
from ludotheque.games.chicago_express.notation import money
from ludotheque.games.chicago_express.observation import (
    LETTERS,
    AuctionView,
    ChicagoExpressObservation,
    CompanyView,
    HexView,
)
from ludotheque.games.chicago_express.observe import STAGE_OVER
from ludotheque.games.chicago_express.rules import COMPANIES_OUT, HOUSES_LEFT

CITY_NAMES: Final = Piece(id="names", symbol=map_art.NAMES_SYMBOL, classes="names")
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


# The pieces.


def scene(seen: ChicagoExpressObservation) -> Scene:
    """The picture of a position."""
    drawn = _map(seen.hexes)
    layout = drawn.layout
    pieces = [
        *drawn.towns,
        *_networks(drawn.networks, seen),
        *_for_sale(layout, seen),
        *drawn.houses,
        *_supply(layout, seen.houses),
        *_last(layout, seen),
        *drawn.spots,
        *drawn.locomotives,
        CITY_NAMES,
        *_dials(layout, seen),
        *_industry(layout, seen),
        *_incomes(layout, seen),
    ]
    return Scene(
        title=phrase("Chicago Express, {players} players", players=seen.players),
        width=layout.width,
        height=round(layout.height),
        pieces=tuple(pieces),
        gauges=(*_dial_gauges(seen), *_end_gauges(seen)),
        sheet=_auction_sheet(seen, seen.auction) if seen.auction else None,
        tables=(_players(seen), *_now(seen), _companies(seen), _ends(seen)),
        prompt=_prompt(seen),
        continues=seen.to_move >= 0 and seen.auction is None,
    )


def _prompt(seen: ChicagoExpressObservation) -> Phrase:
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
    towns: list[Piece]
    houses: list[Piece]
    spots: list[Piece]
    locomotives: list[Piece]


@cached_by_identity(512)
def _map(hexes: tuple[HexView, ...]) -> _Map:
    layout = layout_of(tuple([hex.id for hex in hexes]))
    drawn = [_hex_pieces(layout, hex) for hex in hexes]
    return _Map(
        layout,
        tuple([_network(layout, hexes, letter, 5 * (number - 2)) for number, letter in enumerate(LETTERS.values())]),
        [piece for pieces in drawn for piece in pieces.towns],
        [piece for pieces in drawn for piece in pieces.houses],
        [pieces.spot for pieces in drawn],
        [piece for pieces in drawn for piece in pieces.locomotives],
    )


class _HexPieces(NamedTuple):
    """The pieces on a hex."""

    towns: tuple[Piece, ...]
    houses: tuple[Piece, ...]
    spot: Piece
    locomotives: tuple[Piece, ...]


@cached_by_identity(20_000)
def _hex_pieces(layout: MapLayout, hex: HexView) -> _HexPieces:
    return _HexPieces(
        tuple(_towns(layout, hex)), tuple(_houses(layout, hex)), _spot(layout, hex), tuple(_locomotives(layout, hex))
    )


def _spot(layout: MapLayout, hex: HexView) -> Piece:
    """A hex; without a name above its middle it has its price there, which leaves the names of its neighbours free."""
    x, y = layout.hex(hex.id)
    return Piece(id=f"hex:{hex.id}", symbol="hex", x=x, y=y, classes="spot" if hex.name else "spot tag-above",
                 step=f"hex:{hex.id}", label=_hex_label(hex))  # fmt: skip


def _hex_label(hex: HexView) -> Phrase:
    terrain = _TERRAINS[hex.terrain]
    if hex.price:
        parts = [phrase("{hex}, {terrain}; costs ${price}", hex=hex.title, terrain=terrain, price=hex.price)]
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


def _towns(layout: MapLayout, hex: HexView) -> Iterator[Piece]:
    """Yield the buildings of a city, where they are not those that are printed on the map."""
    if hex.terrain == "industrial" or (hex.terrain == "city" and hex.house):
        x, y = layout.hex(hex.id)
        yield Piece(id=f"town:{hex.id}", symbol=buildings(hex.terrain, hex.value, hex.id), x=x, y=y)


def _houses(layout: MapLayout, hex: HexView) -> Iterator[Piece]:
    if hex.house:
        x, y = layout.hex(hex.id)
        aside, below = (22, 16) if hex.name else (0, -14)
        yield Piece(id=f"house:{hex.id}", symbol="house", x=x + aside, y=round(y + below, 1),
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
    """Side by side below the middle of a hex, smaller where there are many. Each chooses its company.

    Where more than two stand, one further west covers a part of the next, but not the letter on its cab.
    """
    x, y = layout.hex(hex.id)
    count = len(hex.locomotives)
    pitch, size = _PITCHES[count]
    for place, letter in reversed(list(enumerate(hex.locomotives))):
        company = _COMPANY_OF[letter]
        yield Piece(id=f"engine:{company}:{hex.id}", symbol=f"{size}engine-{letter}",
                    x=x + pitch * (place - (count - 1) / 2), y=round(y + BELOW, 1), classes="engine",
                    step=f"company:{company}",
                    label=phrase("{company} on {hex}", company=company, hex=hex.title))  # fmt: skip


def _network(layout: MapLayout, hexes: tuple[HexView, ...], letter: str, aside: int) -> str:
    """A path along a company's locomotives, a little aside of the others': the shortest way from its start to each."""
    network = {document.place(hex.id): hex.id for hex in hexes if letter in hex.locomotives}
    starts = [document.place(hex.id) for hex in hexes if letter in hex.locomotives and hex.terrain == "start"]
    reached = dict.fromkeys(starts[:1] or [*network][:1])
    links = []
    for place in (queue := [*reached]):
        x1, y1 = layout.hex(network[place])
        for other in document.neighbours(*place):
            if other in network and other not in reached:
                reached[other] = None
                queue.append(other)
                x2, y2 = layout.hex(network[other])
                links.append(f"M{x1 + aside:g} {y1 + aside + BELOW:.1f} L{x2 + aside:g} {y2 + aside + BELOW:.1f}")
    return " ".join(links)


_PITCHES: Final = {0: (0, ""), 1: (0, ""), 2: (31, "small-"), 3: (20, "small-"), 4: (15, "small-"), 5: (12, "small-")}
"""Distances of the locomotives in a hex, and their size, by number."""


def _networks(paths: tuple[str, ...], seen: ChicagoExpressObservation) -> list[Piece]:
    companies = zip(paths, seen.companies, strict=True)
    drawn = [_network_pieces(path, company.id, company.colour) for path, company in companies if path]
    return [piece for layer in zip(*drawn, strict=True) for piece in layer]


@lru_cache(maxsize=2048)
def _network_pieces(path: str, id: str, colour: str) -> tuple[Piece, ...]:
    """The track of a company: ties, two rails in its colour, and the ground between them."""
    label = phrase("network of {company}", company=id)
    return (
        Piece(id=f"ties:{id}", path=path, classes="ties"),
        Piece(id=f"network:{id}", path=path, classes=f"network own-{colour}", label=label),
        Piece(id=f"gauge:{id}", path=path, classes="gauge"),
    )


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
        Piece(id=f"dial:{action}", symbol="pointer", x=x, y=y, turn=round(dial_angle(at, red)), label=label),
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
    marker = Piece(id=f"income:{id}", symbol=f"token-{LETTERS[id]}", x=x, y=y,
                   lights=f"network:{id}",
                   label=phrase("{company}: income {income}", company=id, income=income))  # fmt: skip
    if not beyond:
        return (marker,)
    return marker, Piece(id=f"beyond:{id}", text=f"+{beyond}", x=x + 11, y=y + 5, classes="more")


# The gauges and the sheet.


def _dial_gauges(seen: ChicagoExpressObservation) -> list[Gauge]:
    event, labels = phrase("Dividend"), (phrase("Auction"), phrase("Expand"), phrase("Develop"))
    meaning = phrase("Two dials in the red bring the general dividend.")
    return [Gauge(event, label, dial.at, dial.red, meaning) for label, dial in zip(labels, seen.dials, strict=True)]


def _end_gauges(seen: ChicagoExpressObservation) -> list[Gauge]:
    """The four ends of the game."""
    built = sum(hex.house for hex in seen.hexes)
    detroit = seen.industry[0]
    ends = (
        (phrase("Locos"), _without_locomotives(seen), COMPANIES_OUT,
         phrase("Three companies out of locomotives end the game at the next dividend.")),
        (phrase("Shares"), _without_shares(seen), COMPANIES_OUT,
         phrase("Three companies out of shares end the game at the next dividend.")),
        (phrase("Houses"), built, built + seen.houses - HOUSES_LEFT,
         phrase("Three houses left end the game at the next dividend.")),
        (phrase("{city}", city=detroit.name), detroit.step, len(detroit.track) - 1,
         phrase("Detroit at its last step ends the game at the next dividend.")),
    )  # fmt: skip
    return [Gauge(phrase("End"), *end) for end in ends]


def _without_locomotives(seen: ChicagoExpressObservation) -> int:
    return sum(company.locomotives == 0 for company in seen.companies)


def _without_shares(seen: ChicagoExpressObservation) -> int:
    return sum(company.unsold == 0 for company in seen.companies)


def _auction_sheet(seen: ChicagoExpressObservation, auction: AuctionView) -> Sheet:
    """The share for sale: what it pays, what its company has, and who bids."""
    place, company = next(pair for pair in enumerate(seen.companies) if pair[1].id == auction.company)
    facts: tuple[Row, ...] = (
        (phrase("Would pay"), money(_would_pay(seen, company.id))),
        (phrase("Pays now"), money(company.dividend) if company.sold else phrase("none sold")),
        (phrase("Income"), company.income),
        (phrase("Treasury"), money(company.treasury)),
        (phrase("Shares sold"), phrase("{at} of {red}", at=company.sold, red=company.sold + company.unsold)),
        (phrase("Lowest bid"), money(auction.lowest)),
    )
    head = (phrase("Seat"), phrase("Shares"), phrase("Cash"), phrase("Bid"))
    rows = tuple(_bidder_row(seen, auction, seat, seen.shares[seat][place]) for seat in range(seen.players))
    return Sheet(_auction_title(auction), _company_mark(company, company.name), facts,
                 ScoreTable(phrase("Bids"), head, rows, marked=seen.to_move), _auction_note(seen, auction))  # fmt: skip


def _auction_title(auction: AuctionView) -> Phrase:
    return phrase("Auction: a share of {company}", company=auction.company)


def _bidder_row(seen: ChicagoExpressObservation, auction: AuctionView, seat: int, shares: int) -> Row:
    return (seat_mark(seat, seat_name(seat)),), shares, money(seen.cash[seat]), _bid_words(auction, seat)


def _bid_words(auction: AuctionView, seat: int) -> Phrase:
    """The last bid of a seat, and whether it has passed."""
    bid = auction.bids[seat]
    if seat in auction.bidding:
        return money(bid) if bid else phrase("still in")
    return phrase("${dollars}, passed", dollars=bid) if bid else phrase("passed")


def _auction_note(seen: ChicagoExpressObservation, auction: AuctionView) -> Phrase:
    if auction.bid:
        return phrase("It ends when all others have passed.")
    if seen.opening:
        return phrase(
            "It ends when all others have passed. If no one bids, the player who opened it gets the share for nothing."
        )
    return phrase("It ends when all others have passed. If no one bids, the share stays with the company.")


# The tables.


def _now(seen: ChicagoExpressObservation) -> Iterator[ScoreTable]:
    """Yield what is going on: an auction or an expansion."""
    if seen.auction:
        auction = seen.auction
        rows: list[Row] = [(phrase("Lowest bid"), money(auction.lowest))]
        if auction.bid:
            high = phrase("${dollars}, {seat}", dollars=auction.bid, seat=seat_name(auction.bidder))
            rows.insert(0, (phrase("Highest bid"), high))
        rows.append((phrase("Still bidding"), _listed_seats(auction.bidding)))
        rows.append((phrase("The share would pay"), money(_would_pay(seen, auction.company))))
        yield ScoreTable(_auction_title(auction), (), tuple(rows))
    if seen.expansion:
        expansion = seen.expansion
        treasury = next(company.treasury for company in seen.companies if company.id == expansion.company)
        built = phrase("{built} of {limit}", built=expansion.built, limit=expansion.limit)
        yield ScoreTable(phrase("Expansion of {company}", company=expansion.company), (),
                    ((phrase("Built"), built), (phrase("Treasury"), money(treasury))))  # fmt: skip


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
    price = money(company.minimum) if company.unsold else NOTHING
    return (
        (_company_mark(company, company.id),), money(company.treasury), company.income, sold,
        money(company.dividend), price, company.locomotives,
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
    return (seat_mark(seat, seat_name(seat)),), held, money(seen.cash[seat])


def _ends(seen: ChicagoExpressObservation) -> ScoreTable:
    """The four ends of the game, and how far they are."""
    detroit = seen.industry[0]
    ends = (
        (phrase("Companies out of locomotives"), _without_locomotives(seen), COMPANIES_OUT),
        (phrase("Companies out of shares"), _without_shares(seen), COMPANIES_OUT),
        (phrase("Houses left"), seen.houses, HOUSES_LEFT),
        (phrase("{city}", city=detroit.name), detroit.value, detroit.track[-1]),
    )
    rows: list[Row] = [(what, phrase("{now}, ends at {end}", now=now, end=end)) for what, now, end in ends]
    rows.append((phrase("Dividends paid"), seen.dividends))
    if seen.stage == STAGE_OVER:
        caption = phrase("The game is over")
    elif seen.ends:
        caption = phrase("Ends at the next dividend")
    else:
        caption = phrase("The end")
    return ScoreTable(caption, (), tuple(rows))
