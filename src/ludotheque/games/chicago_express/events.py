"""The events of Chicago Express: bids and sales, track and houses, incomes that rise, dividends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ludotheque.core.earnings import Earning
from ludotheque.core.events import NO_SEAT, Event, GameEnded
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, FOREST, INDUSTRIES, TRACK, WABASH
from ludotheque.games.chicago_express.document import COMPANY_IDS, DIAL_NAMES, Hex
from ludotheque.games.chicago_express.notation import development_gain
from ludotheque.games.chicago_express.observe import STAGES, companies_on, end_names
from ludotheque.games.chicago_express.rules import (
    AUCTION,
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    COMPANY,
    DECLINE,
    DEVELOPING,
    DONE,
    HEX,
    OFFERING,
    PASS,
    ChicagoExpressState,
    per_share,
)


class Rise(Struct, frozen=True):
    """The income of a company before and after it rose."""

    company: str
    old: int
    new: int


class Payment(Struct, frozen=True):
    """The dividend of a seat's shares of one company."""

    seat: int
    company: str
    shares: int
    dollars: int
    """For each share."""


class Bid(Event, frozen=True, kw_only=True):
    """A seat made a bid."""

    company: str
    dollars: int
    pays: int
    """The dividend of the share, once it is sold."""


class Passed(Event, frozen=True, kw_only=True):
    """A seat passed in an auction."""

    company: str
    pays: int
    dollars: int
    """The highest bid, or the lowest that can be made if there is none; 0 if no one is left who could make it."""
    contested: bool
    """Whether another seat can still make a bid."""
    ends: bool
    """Whether the auction is over."""
    taker: int
    """The seat that gets the share if no one bids more; none if it stays with the company."""


class ShareSold(Event, frozen=True, kw_only=True):
    """A seat got a share; for nothing if no one made a bid in an opening auction."""

    company: str
    dollars: int


class ShareUnsold(Event, frozen=True, kw_only=True):
    """Nobody made a bid: the share stays with its company."""

    company: str


class ActionChosen(Event, frozen=True, kw_only=True):
    """A seat chose the action of its turn and moved its dial."""

    action: str
    """One of `DIAL_NAMES`."""
    at: int
    """The new position of the dial."""
    red: int
    """First position in the red."""


class Declined(Event, frozen=True, kw_only=True):
    """A seat declined to carry out the action that it chose."""

    stage: str
    """One of `STAGES`: offer, name or develop."""


class ShareOffered(Event, frozen=True, kw_only=True):
    """A seat put a share up for auction."""

    company: str
    minimum: int
    pays: int
    """The dividend of the share, once it is sold."""


class ExpansionBegun(Event, frozen=True, kw_only=True):
    """A seat named the company that it builds for."""

    company: str


class TrackBuilt(Event, frozen=True, kw_only=True):
    """A company put a locomotive on a hex."""

    company: str
    hex: Hex
    price: int
    rises: tuple[Rise, ...]
    """Its income, if it rose."""


class ExpansionEnded(Event, frozen=True, kw_only=True):
    """A seat ended an expansion before it had to."""


class ChicagoReached(Event, frozen=True, kw_only=True):
    """A company has reached Chicago and pays its shareholders."""

    company: str
    dollars: int
    """The payment for each share."""
    payments: tuple[Payment, ...]


class WabashOpened(Event, frozen=True, kw_only=True):
    """The Wabash has opened; the seat opens the auction of its first share."""

    hex: Hex
    minimum: int
    rises: tuple[Rise, ...]


class Developed(Event, frozen=True, kw_only=True):
    """A seat developed a hex."""

    hex: Hex
    rises: tuple[Rise, ...]
    grown: tuple[int, int] | None
    """The value of an industrial city before and after."""
    cash: tuple[str, int] | None
    """The company of a forest, and the dollars that it got."""


class GeneralDividend(Event, frozen=True, kw_only=True):
    """All companies paid their shareholders."""

    dollars: tuple[tuple[str, int], ...]
    """The payment for each share, by company."""
    payments: tuple[Payment, ...]
    """Payments by company, then by seat."""


class DetroitGrew(Event, frozen=True, kw_only=True):
    """Detroit moved one step after a dividend."""

    value: int
    rises: tuple[Rise, ...]


class ExpressEnded(GameEnded, frozen=True, kw_only=True):
    """The dividend was the last one."""

    ends: tuple[str, ...]
    """Causes of the end, as observations name them."""


def events(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> list[Event]:
    """Find out what an action made happen."""
    found = [decision(before, action), *_followed(before, action, after)]
    if before.steps[DETROIT] != after.steps[DETROIT] or after.is_terminal():
        found += _general_dividend(after)
    return found


def decision(before: ChicagoExpressState, action: int) -> Event:
    """The action by itself."""
    seat = int(before.player)
    if before.stage == BIDDING:
        return _in_auction(before, action)
    if action == DONE:
        return ExpansionEnded(seat=seat)
    if action == DECLINE:
        return Declined(seat=seat, stage=STAGES[before.stage])
    if before.stage == CHOOSING:
        dial = action - AUCTION
        name, at, red = DIAL_NAMES[dial], int(before.dials[dial]) + 1, int(before.board.limit[dial])
        return ActionChosen(seat=seat, places=(f"dial:{name}",), action=name, at=at, red=red)
    if before.stage == BUILDING:
        return _built(before, action - HEX)
    if before.stage == DEVELOPING:
        return _developed(before, action - HEX)
    company = action - COMPANY
    id, places = COMPANY_IDS[company], (f"income:{COMPANY_IDS[company]}",)
    if before.stage == OFFERING:
        minimum, pays = int(before.minimum(company)), _next_share_pays(before, company)
        return ShareOffered(seat=seat, places=places, company=id, minimum=minimum, pays=pays)
    return ExpansionBegun(seat=seat, places=places, company=id)


def _followed(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> Iterator[Event]:
    """The events before a general dividend."""
    if before.stage == BIDDING:
        yield from _auction_ended(before, action, after)
    elif before.stage == BUILDING:
        if action == HEX + before.board.chicago:
            yield _chicago_reached(before)
        if after.wabash_open and not before.wabash_open:
            yield _wabash_opened(after)


# Auctions.


def _in_auction(before: ChicagoExpressState, action: int) -> Event:
    seat, company = int(before.player), COMPANY_IDS[before.company]
    places, pays = (f"income:{company}",), _next_share_pays(before, before.company)
    if action != PASS:
        return Bid(seat=seat, places=places, company=company, dollars=action - BID, pays=pays)
    others = [each for each in range(before.players) if each not in (seat, before.bidder) and before.is_bidding(each)]
    contested = any(before.cash[other] >= before.lowest_bid() for other in others)
    taker = int(before.bidder) if before.bid else int(before.seat) if before.is_opening() else NO_SEAT
    dollars = int(before.bid) or (int(before.lowest_bid()) if contested else 0)
    return Passed(
        seat=seat, places=places, company=company, pays=pays, dollars=dollars, contested=contested, ends=not others,
        taker=taker,
    )  # fmt: skip


def _next_share_pays(state: ChicagoExpressState, company: int) -> int:
    """The dividend of the next share of a company, once it is sold."""
    return per_share(state.income[company], state.sold[company] + 1)


def _auction_ended(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> Iterator[Event]:
    number, company = before.company, COMPANY_IDS[before.company]
    places = (f"income:{company}",)
    if before.sold[number] < after.sold[number]:
        holdings = zip(_shares_held(before, number), _shares_held(after, number), strict=True)
        buyer = next(seat for seat, (had, has) in enumerate(holdings) if has > had)
        price = int(after.treasury[number] - before.treasury[number])
        earnings = (Earning(buyer, phrase("Paid for shares"), -price),) if price else ()
        yield ShareSold(seat=buyer, places=places, company=company, dollars=price, earnings=earnings)
    elif after.stage != BIDDING:
        yield ShareUnsold(places=places, company=company)


def _shares_held(state: ChicagoExpressState, company: int) -> list[int]:
    """The shares of a company by seat."""
    return [int(state.held[COMPANIES * seat + company]) for seat in range(state.players)]


# Track and houses.


def _built(before: ChicagoExpressState, hex: int) -> TrackBuilt:
    id, printed = COMPANY_IDS[before.company], before.board.hex(hex)
    return TrackBuilt(
        seat=int(before.player),
        places=(f"engine:{id}:{printed.id}", f"hex:{printed.id}"),
        company=id,
        hex=printed,
        price=int(before.price(hex)),
        rises=_rises({before.company: before.income[before.company]}, before.value(hex)),
    )


def _rises(incomes: Mapping[int, int], gain: int) -> tuple[Rise, ...]:
    """The rise of the incomes of some companies by a gain; none if it is zero."""
    return tuple(Rise(COMPANY_IDS[company], int(old), int(old) + gain) for company, old in incomes.items() if gain)


def _chicago_reached(before: ChicagoExpressState) -> ChicagoReached:
    number, chicago = before.company, before.board.chicago
    dollars = per_share(before.income[number] + before.value(chicago), before.sold[number])
    payments = tuple(_paid_out(before, number, dollars))
    source = phrase("Chicago dividends")
    return ChicagoReached(
        places=(f"hex:{before.board.hex(chicago).id}",),
        company=COMPANY_IDS[number],
        dollars=dollars,
        payments=payments,
        earnings=tuple(_received(payment, source) for payment in payments),
    )


def _wabash_opened(after: ChicagoExpressState) -> WabashOpened:
    printed = after.board.hex(after.board.start[WABASH])
    return WabashOpened(
        seat=int(after.seat),
        places=(f"engine:{COMPANY_IDS[WABASH]}:{printed.id}",),
        hex=printed,
        minimum=int(after.minimum(WABASH)),
        rises=(Rise(COMPANY_IDS[WABASH], 0, int(after.income[WABASH])),),
    )


def _developed(before: ChicagoExpressState, hex: int) -> Developed:
    printed, companies, value = before.board.hex(hex), companies_on(before, hex), int(before.value(hex))
    gain, is_industry = development_gain(before, hex), before.board.industry[hex] < INDUSTRIES
    is_forest = before.board.terrain[hex] == FOREST
    return Developed(
        seat=int(before.player),
        places=(f"hex:{printed.id}",) if is_industry else (f"house:{printed.id}", f"hex:{printed.id}"),
        hex=printed,
        rises=_rises({company: before.income[company] for company in companies}, gain),
        grown=(value, value + gain) if is_industry else None,
        cash=(COMPANY_IDS[companies[0]], int(before.board.forest_cash)) if is_forest else None,
    )


# Dividends.


def _paid_out(state: ChicagoExpressState, company: int, dollars: int) -> Iterator[Payment]:
    """The same number of dollars for each share."""
    for seat, shares in enumerate(_shares_held(state, company)):
        if shares * dollars:
            yield Payment(seat, COMPANY_IDS[company], shares, dollars)


def _received(payment: Payment, source: Phrase) -> Earning:
    return Earning(payment.seat, source, payment.shares * payment.dollars)


def _general_dividend(after: ChicagoExpressState) -> Iterator[Event]:
    """A general dividend, and the step of Detroit or the end of the game that has followed it."""
    detroit, over = after.board.industry_hex[DETROIT], after.is_terminal()
    there = [] if over else companies_on(after, detroit)
    gain = 0 if over else after.value(detroit) - after.board.track[TRACK * DETROIT + after.steps[DETROIT] - 1]
    incomes = [int(income) - gain * (company in there) for company, income in enumerate(after.income)]
    paid = [per_share(income, sold) if sold else 0 for income, sold in zip(incomes, after.sold, strict=True)]
    payments = tuple(payment for company, dollars in enumerate(paid) for payment in _paid_out(after, company, dollars))
    yield GeneralDividend(
        dollars=tuple(zip(COMPANY_IDS, paid, strict=True)),
        payments=payments,
        earnings=tuple(_received(payment, _dividends_of(payment.company)) for payment in payments),
    )
    if over:
        scores, returns, ends = tuple(after.scores()), tuple(after.returns()), end_names(after.ends())
        yield ExpressEnded(scores=scores, returns=returns, ends=ends)
    else:
        places, value = (f"hex:{after.board.hex(detroit).id}",), int(after.value(detroit))
        rises = _rises({company: incomes[company] for company in there}, gain)
        yield DetroitGrew(places=places, value=value, rises=rises)


def _dividends_of(company: str) -> Phrase:
    return phrase("Dividends of {company}", company=company)
