"""A whole position of Chicago Express as one line of text, and back.

Seven fields with a blank between; seats are counted from 1:

    turn       what is to be decided, and whose turn it is: `choose:1`, `offer:1`, `name:1`, `develop:1`, `end:1`;
               `build:1:NYC:2` when NYC has built two; an auction is `bid:1:NYC:12@3,10@2:134:4`: opened by seat 1, $12
               bid by seat 3 (`-` for no bid), before that $10 by seat 2, seats 1, 3 and 4 have not passed, seat 4 is
               to act
    cash       by seat, `,` between
    companies  PRR, B&O, C&O, NYC, WAB, `/` between: `treasury:shares by seat:hexes`, `-` for a Wabash not open
    houses     the hexes with a house, `,` between, `-` for none
    dials      auction, expansion, development: how many times chosen since the last dividend
    industry   the values of Detroit, Wheeling, Pittsburgh
    last       the hex built on or developed last, `-` at first

Incomes, locomotives and houses left follow from these, and so does what the bank has given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ludotheque.core.bits import BIT
from ludotheque.core.errors import BadPosition
from ludotheque.core.game import TERMINAL
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    DETROIT,
    FOREST,
    INDUSTRIES,
    MOUNTAIN,
    WABASH,
    Board,
)
from ludotheque.games.chicago_express.document import COMPANY_IDS
from ludotheque.games.chicago_express.observe import STAGE_OVER, STAGES, companies_on, network
from ludotheque.games.chicago_express.rules import (
    BIDDING,
    BUILDING,
    CHOOSING,
    DIALS,
    NO_HEX,
    OPENINGS,
    ChicagoExpressState,
    empty_state,
)

_FIELDS = 7
_STAGE_OF_WORD = {word: stage for stage, word in STAGES.items()}
_TURN = re.compile(
    r"(?P<stage>choose|offer|name|develop|end):(?P<seat>[1-6])"
    r"|build:(?P<builder>[1-6]):(?P<builds>[A-Z&]{3}):(?P<built>\d)"
    r"|bid:(?P<opener>[1-6]):(?P<sells>[A-Z&]{3}):(?:-|(?P<bid>\d{1,9})@(?P<bidder>[1-6])(?P<lower>(?:,\d{1,9}@[1-6])*)):"
    r"(?P<bidding>[1-6]+):(?P<to_act>[1-6])"
)


# Writing.


def write_position(state: ChicagoExpressState) -> str:
    """The whole position as one line of text."""
    companies = "/".join(_write_company(state, company) for company in range(COMPANIES))
    industry = ",".join(str(state.value(hex)) for hex in state.board.industry_hex)
    last = "-" if state.last_hex == NO_HEX else state.board.hex(state.last_hex).id
    houses = _write_hexes(state.board, state.houses_at())
    fields = [_write_turn(state), _commas(state.cash), companies, houses, _commas(state.dials), industry, last]
    return " ".join(fields)


def _commas(numbers: Iterable[int]) -> str:
    return ",".join(str(number) for number in numbers)


def _write_hexes(board: Board, hexes: list[int]) -> str:
    return ",".join(board.hex(hex).id for hex in hexes) or "-"


def _write_turn(state: ChicagoExpressState) -> str:
    seat = state.seat + 1
    if state.is_terminal():
        return f"{STAGE_OVER}:{seat}"
    id = COMPANY_IDS[state.company]
    if state.stage == BUILDING:
        return f"build:{seat}:{id}:{state.built}"
    if state.stage == BIDDING:
        bid = ",".join(f"{dollars}@{other + 1}" for dollars, other in _last_bids(state)) or "-"
        bidding = "".join(str(other + 1) for other in range(state.players) if state.is_bidding(other))
        return f"bid:{seat}:{id}:{bid}:{bidding}:{state.player + 1}"
    return f"{STAGES[state.stage]}:{seat}"


def _last_bids(state: ChicagoExpressState) -> list[tuple[int, int]]:
    """The last bid of each seat that has made one, and the seat, the highest first."""
    bids = [(state.last_bid(seat), seat) for seat in range(state.players)]
    return sorted((bid for bid in bids if bid[0]), reverse=True)


def _write_company(state: ChicagoExpressState, company: int) -> str:
    held = _commas([state.held[COMPANIES * seat + company] for seat in range(state.players)])
    return f"{state.treasury[company]}:{held}:{_write_hexes(state.board, network(state, company))}"


# Reading.


def read_position(state: ChicagoExpressState, text: str) -> ChicagoExpressState:
    """Read a position into an empty state of the same table."""
    fields = text.split()
    if len(fields) != _FIELDS:
        raise BadPosition(
            f"A position of Chicago Express has {_FIELDS} fields (turn, cash, companies, ...), not {len(fields)}."
        )
    turn, cash, companies, houses, dials, industry, last = fields
    state = empty_state(state.game, state.board, state.revised)
    _read_cash(state, cash)
    _read_industry(state, industry)
    _read_dials(state, dials)
    _read_houses(state, houses)
    _read_companies(state, companies)
    _check_houses(state)
    _read_last(state, last)
    _reckon(state)
    _read_turn(state, turn)
    return state


def _numbers(text: str, count: int, what: str) -> list[int]:
    words = text.split(",")
    if len(words) != count or not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise BadPosition(f"The {what} must be {count} whole numbers with commas between, not {text[:40]!r}.")
    return [int(word) for word in words]


def _read_hexes(board: Board, text: str, what: str) -> list[int]:
    ids = [] if text == "-" else text.split(",")
    for id in ids:
        if id not in board.number_of:
            raise BadPosition(f"The {what} cannot be on {id[:20]!r}: there is no such hex.")
    if len(set(ids)) < len(ids):
        raise BadPosition(f"The {what} name a hex twice.")
    return [board.number_of[id] for id in ids]


def _read_cash(state: ChicagoExpressState, text: str) -> None:
    for seat, dollars in enumerate(_numbers(text, state.players, "cash")):
        state.cash[seat] = dollars


def _read_industry(state: ChicagoExpressState, text: str) -> None:
    values = _numbers(text, INDUSTRIES, "values of the industrial cities")
    for number, (city, value) in enumerate(zip(state.board.facts.industry, values, strict=True)):
        if value not in city.track:
            raise BadPosition(f"{city.name} cannot be at {value}: its track is {', '.join(map(str, city.track))}.")
        state.steps[number] = city.track.index(value)


def _read_dials(state: ChicagoExpressState, text: str) -> None:
    for dial, times in enumerate(_numbers(text, DIALS, "dials")):
        if times > state.board.limit[dial]:
            raise BadPosition(f"A dial cannot be at {times}: it is in the red at {state.board.limit[dial]}.")
        state.dials[dial] = times


def _read_houses(state: ChicagoExpressState, text: str) -> None:
    for hex in _read_hexes(state.board, text, "houses"):
        state.put_house(hex)
        state.houses -= 1
    if state.houses < 0:
        raise BadPosition(f"There are only {state.board.houses} houses.")


def _check_houses(state: ChicagoExpressState) -> None:
    for hex in state.houses_at():
        printed = state.board.hex(hex)
        if printed.terrain not in ("forest", "mountain", "city") or hex == state.board.chicago:
            raise BadPosition(f"There is never a house on {printed.title}.")
        if not companies_on(state, hex):
            raise BadPosition(f"There is a house on {printed.title}, but no locomotive.")


def _read_companies(state: ChicagoExpressState, text: str) -> None:
    words = text.split("/")
    if len(words) != COMPANIES:
        raise BadPosition(f"There are {COMPANIES} companies, not {len(words)}.")
    for company, of_company in enumerate(words):
        _read_company(state, company, of_company)
    in_chicago = [company for company in range(WABASH) if state.is_on(company, state.board.chicago)]
    if state.wabash_open and not in_chicago:
        raise BadPosition("The Wabash is open, but no other company is in Chicago.")


def _read_company(state: ChicagoExpressState, company: int, text: str) -> None:
    printed = state.board.facts.companies[company]
    parts = text.split(":")
    if len(parts) != 3:
        raise BadPosition(f"{printed.id} cannot be read: {text[:60]!r}.")
    [state.treasury[company]] = _numbers(parts[0], 1, f"treasury of {printed.id}")
    for seat, held in enumerate(_numbers(parts[1], state.players, f"shares of {printed.id}")):
        state.held[COMPANIES * seat + company] = held
        state.sold[company] += held
    if state.sold[company] > printed.shares:
        raise BadPosition(f"{printed.id} has only {printed.shares} shares.")
    hexes = _read_hexes(state.board, parts[2], f"locomotives of {printed.id}")
    _check_network(state.board, company, hexes)
    for hex in hexes:
        if state.board.terrain[hex] in (FOREST, MOUNTAIN) and companies_on(state, hex):
            raise BadPosition(f"{state.board.hex(hex).title} holds only one company.")
        state.place_locomotive(company, hex)
    if company == WABASH:
        state.wabash_open = bool(hexes)
        if state.sold[WABASH] + state.treasury[WABASH] and not hexes:
            raise BadPosition("The Wabash is not open: it has no shares in hands and no treasury.")


def _check_network(board: Board, company: int, hexes: list[int]) -> None:
    """From its start on, every hex is joined to the others, no start hex among them, and not too many."""
    printed = board.facts.companies[company]
    start = int(board.start[company])
    if company == WABASH and not hexes:
        return
    if start not in hexes:
        raise BadPosition(f"{printed.id} must have a locomotive on its start, {printed.start}.")
    if len(hexes) > printed.locomotives:
        raise BadPosition(f"{printed.id} has only {printed.locomotives} locomotives.")
    joined = {start}
    edge = {start}
    while edge:
        edge = {near for hex in edge for near in board.neighbours(hex) if near in hexes} - joined
        joined |= edge
    for hex in hexes:
        if hex not in joined:
            raise BadPosition(f"The locomotive of {printed.id} on {board.hex(hex).title} is not joined to its start.")
        if hex != start and board.hex(hex).terrain == "start":
            raise BadPosition(f"{printed.id} cannot be on {board.hex(hex).title}: it is the start of another company.")


def _read_last(state: ChicagoExpressState, text: str) -> None:
    if text == "-":
        return
    if text not in state.board.number_of:
        raise BadPosition(f"There is no hex {text[:20]!r}.")
    state.last_hex = state.board.number_of[text]
    if not companies_on(state, state.last_hex):
        raise BadPosition(f"Nobody can have built on {text} last: no locomotive is there.")


def _reckon(state: ChicagoExpressState) -> None:
    """Incomes and the bank, from the rest."""
    board = state.board
    for company in range(COMPANIES):
        hexes = network(state, company)
        if hexes:
            start = int(board.start[company])
            of_start = board.start_income[company] + (board.development[start] if state.has_house(start) else 0)
            state.income[company] = of_start + sum(state.value(hex) for hex in hexes if hex != start)
    state.bank = board.cash - sum(state.cash) - sum(state.treasury)


# Turns.


def _read_turn(state: ChicagoExpressState, text: str) -> None:
    turn = _TURN.fullmatch(text)
    if not turn:
        raise BadPosition(f"Whose turn it is cannot be read: {text[:40]!r}.")
    state.seat = _seat(state, turn["seat"] or turn["builder"] or turn["opener"])
    state.player = state.seat
    state.openings = _openings(state, bidding=bool(turn["sells"]))
    if turn["sells"]:
        _read_auction(state, turn)
    elif turn["builds"]:
        _read_expansion(state, turn["builds"], int(turn["built"]))
    elif turn["stage"] == STAGE_OVER:
        _read_end(state)
    else:
        state.stage = _STAGE_OF_WORD[turn["stage"]]
    _check_dials(state)
    _check_chicago(state)
    _check_cash(state)


def _seat(state: ChicagoExpressState, word: str) -> int:
    if int(word) > state.players:
        raise BadPosition(f"There is no seat {word}.")
    return int(word) - 1


def _company(state: ChicagoExpressState, id: str) -> int:
    if id not in COMPANY_IDS:
        raise BadPosition(f"There is no company {id}.")
    return COMPANY_IDS.index(id)


def _openings(state: ChicagoExpressState, bidding: bool) -> int:
    """Return the number of opening auctions that are over: each has sold one share, in their order."""
    sold = [state.sold[company] for company in state.board.opening_order]
    over = next((number for number, shares in enumerate(sold) if not shares), OPENINGS)
    if over < OPENINGS:
        started = any(state.dials) or any(state.steps) or state.last_hex != NO_HEX
        if not bidding or started or sold != [1] * over + [0] * (OPENINGS - over):
            raise BadPosition("The four opening auctions come first, in their order.")
    return over


def _read_auction(state: ChicagoExpressState, turn: re.Match[str]) -> None:
    state.stage = BIDDING
    state.company = _company(state, turn["sells"])
    state.player = _seat(state, turn["to_act"])
    state.bidders = sum(BIT[seat] for seat in {_seat(state, word) for word in turn["bidding"]})
    if state.is_opening():
        sells = state.company == state.board.opening_order[state.openings]
    else:
        sells = state.may_offer(state.company)
    if not sells:
        raise BadPosition(f"No share of {turn['sells']} can be for sale now.")
    if turn["bid"]:
        _read_bid(state, int(turn["bid"]), _seat(state, turn["bidder"]))
        _read_lower_bids(state, turn["lower"].split(",")[1:])
    if not state.is_bidding(state.player) or state.bidder == state.player:
        raise BadPosition("The seat to act must be one that has not passed and has not the highest bid.")


def _read_bid(state: ChicagoExpressState, bid: int, bidder: int) -> None:
    if not state.lowest_bid() <= bid <= state.cash[bidder] or not state.is_bidding(bidder):
        raise BadPosition(f"Seat {bidder + 1} cannot have bid ${bid}.")
    state.bid, state.bidder = bid, bidder
    state.note_bid(bidder, bid)


def _read_lower_bids(state: ChicagoExpressState, words: list[str]) -> None:
    """Read the last bids of others, the highest first."""
    above = state.bid
    for word in words:
        dollars, seat = int(word.partition("@")[0]), _seat(state, word[-1])
        lowest = state.minimum(state.company)
        if not lowest <= dollars < above or dollars > state.cash[seat] or state.last_bid(seat):
            raise BadPosition(f"Seat {seat + 1} cannot have bid ${dollars} before.")
        state.note_bid(seat, dollars)
        above = dollars


def _read_expansion(state: ChicagoExpressState, id: str, built: int) -> None:
    state.stage = BUILDING
    state.company = _company(state, id)
    state.built = built
    if not state.may_expand(state.company) or built >= state.board.expansion_limit:
        raise BadPosition(f"Seat {state.seat + 1} can build nothing more for {id}.")
    state.wabash_due = not state.wabash_open and state.is_on(state.company, state.board.chicago)
    if built > len(network(state, state.company)) - 1 or (built == 0 and state.wabash_due):
        raise BadPosition(f"{id} cannot have built {built} in this expansion.")


def _read_end(state: ChicagoExpressState) -> None:
    if not state.ends():
        raise BadPosition("The game cannot be over: none of its four ends holds.")
    state.stage = CHOOSING
    state.player = TERMINAL


def _check_dials(state: ChicagoExpressState) -> None:
    red = sum(state.is_red(dial) for dial in range(DIALS))
    over = state.is_terminal()
    if over != (red >= 2) and (over or state.revised or state.stage == CHOOSING):
        raise BadPosition("Two dials in the red bring a dividend, which ends the game or turns them back.")


def _check_chicago(state: ChicagoExpressState) -> None:
    there = companies_on(state, state.board.chicago)
    building = state.stage == BUILDING and state.wabash_due
    if there and not state.wabash_open and not (building and there == [state.company]):
        raise BadPosition("A company has reached Chicago, so the Wabash must be open.")


def _check_cash(state: ChicagoExpressState) -> None:
    """Nobody can have more than the dividends so far can have paid: bids must stay in their range for ever."""
    dividends = state.steps[DETROIT] + (1 if state.is_terminal() else 0)
    most = _most_money(state.board, dividends, tuple(companies_on(state, state.board.chicago)))
    if sum(state.cash) > most:
        raise BadPosition(f"The players cannot have more than ${most} together by now.")


@lru_cache(maxsize=256)
def _most_money(board: Board, dividends: int, in_chicago: tuple[int, ...]) -> int:
    return board.most_money(dividends, list(in_chicago))
