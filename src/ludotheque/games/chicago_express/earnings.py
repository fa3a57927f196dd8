"""Where the money of Chicago Express comes from, and where it goes: dividends by company, Chicago, shares bought."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.earnings import Earning
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.chicago_express.document import COMPANY_IDS
from ludotheque.games.chicago_express.log import chicago_dividend, general_dividend, holds_dividend, shares_held
from ludotheque.games.chicago_express.rules import BIDDING, BUILDING, HEX, ChicagoExpressState


def earnings(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> list[Earning]:
    """What each seat paid for a share, and received as dividends."""
    return [*_paid(before, after), *_chicago(before, action), *_dividends(before, after)]


def _paid(before: ChicagoExpressState, after: ChicagoExpressState) -> Iterator[Earning]:
    """The winner of an auction pays the company. Nobody else's money changes in one, unless a dividend follows."""
    if before.stage != BIDDING or after.treasury[before.company] == before.treasury[before.company]:
        return
    price = after.treasury[before.company] - before.treasury[before.company]
    holdings = zip(shares_held(before, before.company), shares_held(after, before.company), strict=True)
    buyer = next(seat for seat, (had, has) in enumerate(holdings) if has > had)
    yield Earning(buyer, phrase("Paid for shares"), -price)


def _chicago(before: ChicagoExpressState, action: int) -> Iterator[Earning]:
    if before.stage == BUILDING and action == HEX + before.board.chicago:
        yield from _shared_out(before, before.company, chicago_dividend(before), phrase("Chicago dividends"))


def _dividends(before: ChicagoExpressState, after: ChicagoExpressState) -> Iterator[Earning]:
    if holds_dividend(before, after):
        for company, dollars in enumerate(general_dividend(after)):
            source = phrase("Dividends of {company}", company=COMPANY_IDS[company])
            yield from _shared_out(after, company, dollars, source)


def _shared_out(state: ChicagoExpressState, company: int, dollars: int, source: Phrase) -> Iterator[Earning]:
    """The same number of dollars for each share."""
    for seat, shares in enumerate(shares_held(state, company)):
        if shares * dollars:
            yield Earning(seat, source, shares * dollars)
