"""What one viewer may know of a game of Chicago Express: everything, for all is open.

The observation is whole in itself, map included, so that text and picture need nothing else.
"""

from __future__ import annotations

import textwrap
from functools import cache, lru_cache

from msgspec import Struct

from ludotheque.core.game import TERMINAL
from ludotheque.core.observation import Observation
from ludotheque.games.chicago_express import document
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, WABASH, hexes_of
from ludotheque.games.chicago_express.rules import (
    BIDDING,
    BUILDING,
    CHOOSING,
    DETROIT_GROWN,
    DEVELOPING,
    HOUSES_OUT,
    LOCOMOTIVES_OUT,
    NAMING,
    NO_HEX,
    OFFERING,
    SHARES_OUT,
    ChicagoExpressState,
    per_share,
)

LETTERS = {"PRR": "P", "B&O": "B", "C&O": "C", "NYC": "N", "WAB": "W"}
"""The letter of each company, so that colour is never the only mark."""

STAGES = {
    BIDDING: "bid",
    CHOOSING: "choose",
    OFFERING: "offer",
    NAMING: "name",
    BUILDING: "build",
    DEVELOPING: "develop",
}
STAGE_OVER = "end"

END_NAMES = {
    LOCOMOTIVES_OUT: "locomotives",
    SHARES_OUT: "shares",
    HOUSES_OUT: "houses",
    DETROIT_GROWN: "Detroit",
}
"""The four ends of the game, by what brings them about."""


class HexSeen(Struct, frozen=True):
    """A hex in the present position."""

    id: str
    terrain: str
    name: str
    price: int
    """What another locomotive costs there; 0 where none may stand."""
    value: int
    """What it adds to the income of a company there."""
    development: int
    """What a house adds, or would add, to the income of the companies there."""
    locomotives: str
    """The letters of the companies there."""
    house: bool

    @property
    def title(self) -> str:
        return f"{self.name} ({self.id})" if self.name else self.id


class CompanySeen(Struct, frozen=True):
    id: str
    name: str
    colour: str
    in_play: bool
    treasury: int
    income: int
    sold: int
    unsold: int
    dividend: int
    """What each sold share pays now."""
    minimum: int
    """What the first bid for its next share must be at least; 0 if it has none to sell."""
    locomotives: int
    """Those not yet on the map."""


class AuctionSeen(Struct, frozen=True):
    company: str
    opener: int
    bid: int
    """The highest bid so far, 0 before the first."""
    bidder: int
    """Whose it is, or -1."""
    bidding: tuple[int, ...]
    """The seats that have not passed."""
    lowest: int
    """What the seat to act must bid at least."""


class ExpansionSeen(Struct, frozen=True):
    company: str
    built: int
    limit: int
    opens_wabash: bool


class IndustrySeen(Struct, frozen=True):
    """An industrial city: its track and where its marker is."""

    name: str
    hex: str
    track: tuple[int, ...]
    step: int

    @property
    def value(self) -> int:
        return self.track[self.step]


class DialSeen(Struct, frozen=True):
    action: str
    at: int
    red: int


class ChicagoExpressObservation(Observation, frozen=True, kw_only=True):
    """A position of Chicago Express."""

    printing: str
    turn: int
    """The seat whose turn it is; in an opening auction, who opened it."""
    stage: str
    """What the seat to act decides."""
    opening: bool
    """Whether the opening auctions are going on."""
    cash: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]
    """By seat, then by company."""
    companies: tuple[CompanySeen, ...]
    auction: AuctionSeen | None
    expansion: ExpansionSeen | None
    dials: tuple[DialSeen, ...]
    industry: tuple[IndustrySeen, ...]
    houses: int
    """Those left in the supply."""
    hexes: tuple[HexSeen, ...]
    last_hex: str
    dividends: int
    """How many general dividends have been held."""
    ends: tuple[str, ...]
    """Which ends of the game hold: it is over at the next general dividend."""

    def __str__(self) -> str:
        return "\n".join([*_drawn_map(self), "", *_drawn_facts(self)])


def observe(state: ChicagoExpressState, viewer: int) -> ChicagoExpressObservation:
    """What `viewer` may know of the position: all of it."""
    over = state.is_terminal()
    board = state.board
    return ChicagoExpressObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if over else (),
        printing="revised" if state.revised else "first",
        turn=state.seat,
        stage=STAGE_OVER if over else STAGES[state.stage],
        opening=state.is_opening(),
        cash=tuple(state.cash),
        shares=_shares(state),
        companies=_companies(state),
        auction=None if over or state.stage != BIDDING else _auction(state),
        expansion=None if over or state.stage != BUILDING else _expansion(state),
        dials=tuple(map(DialSeen, document.DIAL_NAMES, state.dials, board.limit)),
        industry=tuple(
            IndustrySeen(city.name, city.hex, city.track, step)
            for city, step in zip(board.facts.industry, state.steps, strict=True)
        ),
        houses=state.houses,
        hexes=_hexes(state),
        last_hex="" if state.last_hex == NO_HEX else board.hex(state.last_hex).id,
        dividends=state.steps[DETROIT] + (1 if over else 0),
        ends=_ends(state.ends()),
    )


@cache
def _ends(ends: int) -> tuple[str, ...]:
    return tuple([name for end, name in END_NAMES.items() if ends & end])


def companies_on(state: ChicagoExpressState, hex: int) -> list[int]:
    """The companies with a locomotive in a hex."""
    return [company for company in range(COMPANIES) if state.is_on(company, hex)]


def network(state: ChicagoExpressState, company: int) -> list[int]:
    """The hexes of a company, ascending."""
    return hexes_of(state.networks, company)


def _shares(state: ChicagoExpressState) -> tuple[tuple[int, ...], ...]:
    held = tuple(state.held)
    return tuple([held[first : first + COMPANIES] for first in range(0, len(held), COMPANIES)])


def _companies(state: ChicagoExpressState) -> tuple[CompanySeen, ...]:
    columns = zip(state.treasury, state.income, state.sold, state.locomotives, strict=True)
    return tuple(
        [
            CompanySeen(
                id=printed.id,
                name=printed.name,
                colour=printed.colour,
                in_play=company != WABASH or state.wabash_open,
                treasury=treasury,
                income=income,
                sold=sold,
                unsold=printed.shares - sold,
                dividend=state.dividend(company),
                minimum=_next_price(state, company) if state.may_offer(company) else 0,
                locomotives=locomotives,
            )
            for company, (printed, (treasury, income, sold, locomotives)) in enumerate(
                zip(state.board.facts.companies, columns, strict=True)
            )
        ]
    )


def _next_price(state: ChicagoExpressState, company: int) -> int:
    """What the next share costs at least; the opening auctions sell only the first share of a company."""
    if state.is_opening() and state.sold[company]:
        return per_share(state.income[company], state.sold[company] + 1)
    return state.minimum(company)


def _auction(state: ChicagoExpressState) -> AuctionSeen:
    return AuctionSeen(
        company=document.COMPANY_IDS[state.company],
        opener=state.seat,
        bid=state.bid,
        bidder=state.bidder,
        bidding=tuple(seat for seat in range(state.players) if state.is_bidding(seat)),
        lowest=state.lowest_bid(),
    )


def _expansion(state: ChicagoExpressState) -> ExpansionSeen:
    return ExpansionSeen(
        company=document.COMPANY_IDS[state.company],
        built=state.built,
        limit=state.board.expansion_limit,
        opens_wabash=state.wabash_due,
    )


class _Map:
    """What is on the map now, to be remembered by what is there: locomotives, houses and the steps of the cities."""

    def __init__(self, state: ChicagoExpressState) -> None:
        self.state = state
        self._content = state.board, bytes(state.networks), bytes(state.developed), bytes(state.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Map) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def _hexes(state: ChicagoExpressState) -> tuple[HexSeen, ...]:
    return _hexes_of(_Map(state))


@lru_cache(maxsize=512)
def _hexes_of(map_now: _Map) -> tuple[HexSeen, ...]:
    """Every hex; most are as they were before the last move, so what they looked like is remembered with the board."""
    state = map_now.state
    seen: dict[int, HexSeen] = state.board.seen
    codes = state.hex_codes()
    for hex, code in enumerate(codes):
        if code not in seen:
            seen[code] = _hex(state, hex)
    return tuple(map(seen.__getitem__, codes))


def _hex(state: ChicagoExpressState, hex: int) -> HexSeen:
    printed = state.board.hex(hex)
    letters = [LETTERS[document.COMPANY_IDS[company]] for company in companies_on(state, hex)]
    return HexSeen(
        id=printed.id,
        terrain=printed.terrain,
        name=printed.name,
        price=state.price(hex) if state.has_room(hex) and len(letters) < COMPANIES else 0,
        value=state.value(hex),
        development=printed.development,
        locomotives="".join(letters),
        house=state.has_house(hex),
    )


# The position drawn in text.

_MARKS = {"plain": ".", "forest": "f", "mountain": "m", "city": "o", "industrial": "#", "start": "*"}
_WIDTH = 4
_LINE = 80


def _place(id: str) -> tuple[int, int]:
    """Column and line of a hex in the drawing: two lines for each row, every second column one line lower."""
    column, row = document.place(id)
    return column, 2 * row + column % 2


def _drawn_map(seen: ChicagoExpressObservation) -> list[str]:
    places = [_place(hex.id) for hex in seen.hexes]
    columns = max(column for column, _ in places) + 1
    lines = max(line for _, line in places) + 2
    grid = [["" for _ in range(columns)] for _ in range(lines)]
    for hex in seen.hexes:
        column, line = _place(hex.id)
        house = "^" if hex.house else ""
        grid[line][column] = _MARKS[hex.terrain] + (str(hex.price) if hex.price else "") + house
        last = "!" if hex.id == seen.last_hex else ""
        letters = hex.locomotives if len(hex.locomotives) < COMPANIES else "all"
        grid[line + 1][column] = letters[: _WIDTH - len(last)] + last
    drawn = ["    " + "".join(f"{chr(ord('A') + column):<{_WIDTH}}" for column in range(columns)).rstrip()]
    for line, words in enumerate(grid):
        row = str(line // 2) if line % 2 == 0 else ""
        drawn.append(f"{row:>2}  " + "".join(f"{word:<{_WIDTH}}" for word in words))
    drawn.append("    . plain  f forest  m mountain  o city  # industrial  * start")
    drawn.append("    2 price  ^ house   ! last hex")
    return [line.rstrip() for line in drawn]


def _drawn_facts(seen: ChicagoExpressObservation) -> list[str]:
    cities = ", ".join(f"{hex.id} {hex.name} {hex.value}" for hex in seen.hexes if hex.name and hex.terrain != "start")
    dials = ", ".join(f"{dial.action} {dial.at} of {dial.red}" for dial in seen.dials)
    industry = ", ".join(f"{city.name} {city.value}" for city in seen.industry)
    lines = textwrap.wrap(f"Incomes: {cities}.", _LINE)
    lines.append(f"Dials: {dials}.")
    lines.append(f"Industry: {industry}. Houses: {seen.houses}. Dividends: {seen.dividends}.")
    lines += [_drawn_company(company) for company in seen.companies if company.in_play]
    if seen.ends:
        when = "Ended by" if seen.to_move == TERMINAL else "The next general dividend ends the game"
        lines.append(f"{when}: {', '.join(seen.ends)}.")
    if seen.auction:
        lines.append(_drawn_auction(seen.auction))
    if seen.expansion:
        lines.append(f"{seen.expansion.company} has built {seen.expansion.built} of {seen.expansion.limit}.")
    lines += [_drawn_seat(seen, seat) for seat in range(seen.players)]
    if seen.to_move == TERMINAL:
        lines.append(seen.won_by)
    return lines


def _drawn_company(company: CompanySeen) -> str:
    return (
        f"{LETTERS[company.id]} {company.id:<4} treasury ${company.treasury:<3} income {company.income:<3} "
        f"shares {company.sold} sold, {company.unsold} left, ${company.dividend} each; "
        f"{company.locomotives} locomotives"
    )


def _drawn_auction(auction: AuctionSeen) -> str:
    bid = f"${auction.bid} by seat {auction.bidder + 1}" if auction.bid else "no bid yet"
    still = ", ".join(str(seat + 1) for seat in auction.bidding)
    return f"For sale: a share of {auction.company}; {bid}; from ${auction.lowest}; still bidding: {still}"


def _drawn_seat(seen: ChicagoExpressObservation, seat: int) -> str:
    held = " ".join(
        f"{company.id} {count}" for company, count in zip(seen.companies, seen.shares[seat], strict=True) if count
    )
    mark = "> " if seat == seen.to_move else "  "
    return f"{mark}Seat {seat + 1}, ${seen.cash[seat]}, shares {held or 'none'}"
