"""An observation of Chicago Express: what one viewer knows, and how it is drawn in text."""

from __future__ import annotations

import textwrap

from msgspec import Struct

from ludotheque.core.game import TERMINAL
from ludotheque.core.observation import Observation
from ludotheque.games.chicago_express import document
from ludotheque.games.chicago_express.board import COMPANIES

LETTERS = {"PRR": "P", "B&O": "B", "C&O": "C", "NYC": "N", "WAB": "W"}
"""The letter of each company, so that colour is never the only mark."""


class HexView(Struct, frozen=True):
    """A hex in the present position."""

    id: str
    terrain: str
    name: str
    price: int
    """Cost of another locomotive there; 0 where none may stand."""
    value: int
    """Addition to the income of a company there."""
    development: int
    """Addition of a house, built or not, to the income of the companies there."""
    locomotives: str
    """The letters of the companies there."""
    house: bool

    @property
    def title(self) -> str:
        return f"{self.name} ({self.id})" if self.name else self.id


class CompanyView(Struct, frozen=True):
    id: str
    name: str
    colour: str
    in_play: bool
    treasury: int
    income: int
    sold: int
    unsold: int
    dividend: int
    """Present dividend of each sold share."""
    minimum: int
    """Lowest first bid for its next share; 0 if it has none to sell."""
    locomotives: int
    """Those not yet on the map."""


class AuctionView(Struct, frozen=True):
    company: str
    opener: int
    bid: int
    """The highest bid so far, 0 before the first."""
    bidder: int
    """The seat of the highest bidder, or -1."""
    bidding: tuple[int, ...]
    """The seats that have not passed."""
    lowest: int
    """Lowest bid of the seat to act."""
    bids: tuple[int, ...] = ()
    """The last bid of each seat in this auction, 0 if it has made none."""


class ExpansionView(Struct, frozen=True):
    company: str
    built: int
    limit: int
    opens_wabash: bool


class IndustryView(Struct, frozen=True):
    """An industrial city: its track and where its marker is."""

    name: str
    hex: str
    track: tuple[int, ...]
    step: int

    @property
    def value(self) -> int:
        return self.track[self.step]


class DialView(Struct, frozen=True):
    action: str
    at: int
    red: int


class ChicagoExpressObservation(Observation, frozen=True, kw_only=True):
    """A position of Chicago Express."""

    printing: str
    turn: int
    """The seat whose turn it is; in an opening auction, who opened it."""
    stage: str
    """The kind of decision of the seat to act."""
    opening: bool
    """Whether the opening auctions are going on."""
    cash: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]
    """Shares by seat, then by company."""
    companies: tuple[CompanyView, ...]
    auction: AuctionView | None
    expansion: ExpansionView | None
    dials: tuple[DialView, ...]
    industry: tuple[IndustryView, ...]
    houses: int
    """Those left in the supply."""
    hexes: tuple[HexView, ...]
    last_hex: str
    dividends: int
    """Number of general dividends held."""
    ends: tuple[str, ...]
    """Ends of the game that hold: it is over at the next general dividend."""

    def __str__(self) -> str:
        return "\n".join([*_drawn_map(self), "", *_drawn_facts(self)])


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


def _drawn_company(company: CompanyView) -> str:
    return (
        f"{LETTERS[company.id]} {company.id:<4} treasury ${company.treasury:<3} income {company.income:<3} "
        f"shares {company.sold} sold, {company.unsold} left, ${company.dividend} each; "
        f"{company.locomotives} locomotives"
    )


def _drawn_auction(auction: AuctionView) -> str:
    bids = sorted(((bid, seat) for seat, bid in enumerate(auction.bids) if bid), reverse=True)
    bid = ", ".join(f"${dollars} by seat {seat + 1}" for dollars, seat in bids) or "no bid yet"
    still = ", ".join(str(seat + 1) for seat in auction.bidding)
    return f"For sale: a share of {auction.company}; {bid}; from ${auction.lowest}; still bidding: {still}"


def _drawn_seat(seen: ChicagoExpressObservation, seat: int) -> str:
    held = " ".join(
        f"{company.id} {count}" for company, count in zip(seen.companies, seen.shares[seat], strict=True) if count
    )
    mark = "> " if seat == seen.to_move else "  "
    return f"{mark}Seat {seat + 1}, ${seen.cash[seat]}, shares {held or 'none'}"
