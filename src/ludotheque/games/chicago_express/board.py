"""A board of Chicago Express as tables, computed once from its description. Compiled.

Hexes are numbered by column, then by row. A set of hexes is three words of 60 bits: hex `h` is bit `h % 60` of word
`h // 60`, so a board has at most 180 hexes.
"""

from __future__ import annotations

from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.bits import places
from ludotheque.games.chicago_express.document import Facts, Hex, neighbours

WORDS: Final = 3
WORD_BITS: Final = 60

WORD: Final = vec[i64]([i64(hex // 60) for hex in range(180)])
"""Word of a set that a hex is in, by hex."""
HEX_BIT: Final = vec[i64]([i64(2 ** (hex % 60)) for hex in range(180)])
"""Bit of a hex in that word, by hex."""

COMPANIES: Final = 5
WABASH: Final = 4

DETROIT: Final = 0
WHEELING: Final = 1
PITTSBURGH: Final = 2
INDUSTRIES: Final = 3
TRACK: Final = 16
"""The number of entries for one industrial city in `Board.track`."""

PLAIN: Final = 0
FOREST: Final = 1
MOUNTAIN: Final = 2
CITY: Final = 3
INDUSTRIAL: Final = 4
START: Final = 5
_TERRAINS: Final = {
    "plain": PLAIN,
    "forest": FOREST,
    "mountain": MOUNTAIN,
    "city": CITY,
    "industrial": INDUSTRIAL,
    "start": START,
}


@final
class Board:
    """The tables of one board. They never change."""

    facts: Facts
    hexes: i64
    number_of: dict[str, int]
    """Numbers of hexes by id."""
    seen: dict[int, Any]
    """Observed hexes that `observe` has made, by their codes."""

    terrain: vec[u8]
    cost: vec[i64]
    income: vec[i64]
    """Addition to a company's income for connecting a hex, by hex; 0 for industrial cities, which have tracks."""
    development: vec[i64]
    """Addition of a house to the income of the companies there, by hex; 0 for forests, which pay cash."""
    industry: vec[u8]
    """Number of the industrial city on a hex, by hex; `INDUSTRIES` for none."""
    industry_hex: vec[i64]
    industrial: vec[i64]
    """The set of the industrial cities."""
    around: vec[i64]
    """Neighbours of a hex as a set, by hex."""
    chicago: i64

    developable: vec[i64]
    """The set of hexes that players can ever develop."""
    highest_price: i64
    """The highest price that a locomotive can have."""
    within: vec[i64]
    """Set of hexes where a first locomotive costs no more than a price, by price; never a start hex."""

    shares: vec[i64]
    locomotives: vec[i64]
    start: vec[i64]
    start_income: vec[i64]
    opening_bid: vec[i64]
    opening_order: vec[i64]

    limit: vec[i64]
    """Number of times that its action is chosen until a dial is in the red, by dial."""
    track: vec[i64]
    """Values by industrial city and step, `TRACK * city + step`."""
    last_step: vec[i64]
    houses: i64
    cash: i64
    forest_cash: i64
    expansion_limit: i64

    def neighbours(self, number: int) -> list[int]:
        """The hexes beside a hex, ascending."""
        return hexes_of(self.around, number)

    def hex(self, number: int) -> Hex:
        """The description of a hex."""
        return self.facts.hexes[number]

    def most_paid(self, company: int) -> int:
        """Return the most that all shares of a company together can get of one dividend.

        Its income is never more than its start income and the best values, fully developed, of as many hexes as it has
        locomotives to build; rounding up adds less than a dollar for each share.
        """
        values = sorted([self._best_value(hex) for hex in range(int(self.hexes))], reverse=True)
        start = int(self.start_income[company]) + int(self.development[self.start[company]])
        return start + sum(values[: int(self.locomotives[company]) - 1]) + int(self.shares[company]) - 1

    def _best_value(self, hex: int) -> int:
        industry = i64(self.industry[hex])
        if industry < INDUSTRIES:
            return int(self.track[TRACK * industry + self.last_step[industry]])
        return int(self.income[hex]) + int(self.development[hex])

    def most_money(self, dividends: int, in_chicago: list[int]) -> int:
        """All the cash that players ever had: from the start, a number of general dividends, and the special ones of
        the companies in Chicago."""
        paid = [self.most_paid(company) for company in range(COMPANIES)]
        return int(self.cash) + dividends * sum(paid) + sum([paid[company] for company in in_chicago])

    def most_bid(self) -> int:
        """Return a bound of all bids: all the cash that players ever had before the last general dividend, when Detroit
        is at its last step."""
        return self.most_money(int(self.last_step[DETROIT]), list(range(COMPANIES)))

    def most_dividends(self) -> int:
        """Return the most general dividends: each moves Detroit a step, and the one at the last step ends the game."""
        return int(self.last_step[DETROIT]) + 1

    def most_turns(self) -> int:
        """Return the most turns: two dials in the red cause a dividend, when the third is at least one short."""
        return self.most_dividends() * (sum([int(limit) for limit in self.limit]) - 1)


def new_board(facts: Facts) -> Board:
    board = Board()
    board.facts = facts
    board.seen = {}
    board.hexes = len(facts.hexes)
    board.number_of = {hex.id: number for number, hex in enumerate(facts.hexes)}
    board.chicago = board.number_of[facts.chicago]
    _tabulate_hexes(board, facts)
    _tabulate_prices(board)
    _tabulate_companies(board, facts)
    board.limit = _numbers(list(facts.dials))
    board.houses = facts.houses
    board.cash = facts.cash
    board.forest_cash = facts.forest_development_cash
    board.expansion_limit = facts.expansion_limit
    return board


def _numbers(values: list[int]) -> vec[i64]:
    return vec[i64]([i64(value) for value in values])


def words_of(hexes: list[int]) -> list[int]:
    """The three words of the set of these hexes."""
    return [sum([2 ** (hex % WORD_BITS) for hex in hexes if hex // WORD_BITS == word]) for word in range(WORDS)]


def hexes_of(words: vec[i64], which: int = 0) -> list[int]:
    """The hexes of one of the sets in `words`, ascending; for readers, not for hot loops. Call it from compiled modules
    only: a vec that plain Python hands to compiled code is never freed by mypyc 2.4."""
    found: list[int] = []
    for word in range(WORDS):
        found += [WORD_BITS * word + place for place in places(words[WORDS * which + word])]
    return found


def _tabulate_hexes(board: Board, facts: Facts) -> None:
    hexes = facts.hexes
    board.terrain = vec[u8]([u8(_TERRAINS[hex.terrain]) for hex in hexes])
    board.cost = _numbers([hex.cost for hex in hexes])
    board.income = _numbers([hex.income for hex in hexes])
    board.development = _numbers([hex.development for hex in hexes])

    number_at = {hex.place: number for number, hex in enumerate(hexes)}
    around: list[int] = []
    for hex in hexes:
        column, row = hex.place
        around += words_of([number_at[place] for place in neighbours(column, row) if place in number_at])
    board.around = _numbers(around)

    industry = [INDUSTRIES] * len(hexes)
    board.track = vec[i64]([0] * (INDUSTRIES * TRACK))
    for city, facts_of_city in enumerate(facts.industry):
        industry[board.number_of[facts_of_city.hex]] = city
        for step, value in enumerate(facts_of_city.track):
            board.track[TRACK * city + step] = value
    board.industry = vec[u8]([u8(city) for city in industry])
    board.last_step = _numbers([len(city.track) - 1 for city in facts.industry])

    undeveloped = (facts.chicago, facts.industry[DETROIT].hex)
    kinds = ("forest", "mountain", "city", "industrial")
    board.developable = _numbers(
        words_of([number for number, hex in enumerate(hexes) if hex.terrain in kinds and hex.id not in undeveloped])
    )
    board.industrial = _numbers(words_of([number for number, hex in enumerate(hexes) if hex.terrain == "industrial"]))
    board.industry_hex = _numbers([board.number_of[city.hex] for city in facts.industry])


def _tabulate_prices(board: Board) -> None:
    ground = [hex for hex in range(int(board.hexes)) if board.terrain[hex] != START]
    board.highest_price = max([int(board.cost[hex]) for hex in ground]) * COMPANIES
    within: list[int] = []
    for price in range(int(board.highest_price) + 1):
        within += words_of([hex for hex in ground if board.cost[hex] <= price])
    board.within = _numbers(within)


def _tabulate_companies(board: Board, facts: Facts) -> None:
    companies = facts.companies
    order = [company.id for company in companies]
    board.shares = _numbers([company.shares for company in companies])
    board.locomotives = _numbers([company.locomotives for company in companies])
    board.start = _numbers([board.number_of[company.start] for company in companies])
    board.start_income = _numbers([company.income for company in companies])
    board.opening_bid = _numbers([company.opening_bid for company in companies])
    board.opening_order = _numbers([order.index(id) for id in facts.opening_auctions])
