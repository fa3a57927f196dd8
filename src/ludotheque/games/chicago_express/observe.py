"""The view of one viewer of a game of Chicago Express: everything, for all is open.

The observation is whole in itself, map included, so that text and picture need nothing else.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ludotheque.games.chicago_express import document
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, WABASH
from ludotheque.games.chicago_express.observation import (
    LETTERS,
    AuctionView,
    ChicagoExpressObservation,
    CompanyView,
    DialView,
    ExpansionView,
    HexView,
    IndustryView,
)
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
"""The four ends of the game, by cause."""


def observe(state: ChicagoExpressState, viewer: int) -> ChicagoExpressObservation:
    """Return what `viewer` may know of the position: all of it."""
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
        dials=tuple(map(DialView, document.DIAL_NAMES, state.dials, board.limit)),
        industry=tuple(
            IndustryView(city.name, city.hex, city.track, step)
            for city, step in zip(board.facts.industry, state.steps, strict=True)
        ),
        houses=state.houses,
        hexes=_hexes(state),
        last_hex="" if state.last_hex == NO_HEX else board.hex(state.last_hex).id,
        dividends=state.steps[DETROIT] + (1 if over else 0),
        ends=end_names(state.ends()),
    )


@cache
def end_names(ends: int) -> tuple[str, ...]:
    """The ends of the game that hold, from the bits of the rules."""
    return tuple([name for end, name in END_NAMES.items() if ends & end])


def companies_on(state: ChicagoExpressState, hex: int) -> list[int]:
    """The companies with a locomotive in a hex."""
    return [company for company in range(COMPANIES) if state.is_on(company, hex)]


def network(state: ChicagoExpressState, company: int) -> list[int]:
    """The hexes of a company, ascending."""
    return state.network(company)


def _shares(state: ChicagoExpressState) -> tuple[tuple[int, ...], ...]:
    held = tuple(state.held)
    return tuple([held[first : first + COMPANIES] for first in range(0, len(held), COMPANIES)])


def _companies(state: ChicagoExpressState) -> tuple[CompanyView, ...]:
    columns = zip(state.treasury, state.income, state.sold, state.locomotives, strict=True)
    return tuple(
        [
            CompanyView(
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
    """Return the lowest price of the next share; the opening auctions sell only the first share of a company."""
    if state.is_opening() and state.sold[company]:
        return per_share(state.income[company], state.sold[company] + 1)
    return state.minimum(company)


def _auction(state: ChicagoExpressState) -> AuctionView:
    return AuctionView(
        company=document.COMPANY_IDS[state.company],
        opener=state.seat,
        bid=state.bid,
        bidder=state.bidder,
        bidding=tuple(seat for seat in range(state.players) if state.is_bidding(seat)),
        lowest=state.lowest_bid(),
        bids=tuple(state.last_bid(seat) for seat in range(state.players)),
    )


def _expansion(state: ChicagoExpressState) -> ExpansionView:
    return ExpansionView(
        company=document.COMPANY_IDS[state.company],
        built=state.built,
        limit=state.board.expansion_limit,
        opens_wabash=state.wabash_due,
    )


class _Map:
    """The present map, cached by what is on it: locomotives, houses and the steps of the cities."""

    def __init__(self, state: ChicagoExpressState) -> None:
        self.state = state
        self._content = state.board, bytes(state.networks), bytes(state.developed), bytes(state.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Map) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def _hexes(state: ChicagoExpressState) -> tuple[HexView, ...]:
    return _hexes_of(_Map(state))


@lru_cache(maxsize=512)
def _hexes_of(map_now: _Map) -> tuple[HexView, ...]:
    """Every hex; most are as they were before the last move, so what they looked like is remembered with the board."""
    state = map_now.state
    seen: dict[int, HexView] = state.board.seen
    codes = state.hex_codes()
    for hex, code in enumerate(codes):
        if code not in seen:
            seen[code] = _hex(state, hex)
    return tuple(map(seen.__getitem__, codes))


def _hex(state: ChicagoExpressState, hex: int) -> HexView:
    printed = state.board.hex(hex)
    letters = [LETTERS[document.COMPANY_IDS[company]] for company in companies_on(state, hex)]
    return HexView(
        id=printed.id,
        terrain=printed.terrain,
        name=printed.name,
        price=state.price(hex) if state.has_room(hex) and len(letters) < COMPANIES else 0,
        value=state.value(hex),
        development=printed.development,
        locomotives="".join(letters),
        house=state.has_house(hex),
    )
