"""What a move of Chicago Express changes: incomes, treasuries, dials, and what shares pay."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.chicago_express.document import COMPANY_IDS, DIAL_NAMES
from ludotheque.games.chicago_express.observation import ChicagoExpressObservation
from ludotheque.games.chicago_express.observe import observe
from ludotheque.games.chicago_express.rules import (
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    DEVELOPING,
    HEX,
    NAMING,
    OFFERING,
    ChicagoExpressState,
)


def effects(before: ChicagoExpressState, action: int, after: ChicagoExpressState, seat: int) -> list[Phrase]:
    """What a bid buys; then incomes that rise and what they cost; then the dial that moves."""
    was, now = observe(before, seat), observe(after, seat)
    return [*_bid(before, was, action), *_incomes(was, now, seat), *_dial(before, was, now)]


def themes(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> list[Phrase]:
    """Auction, expansion, development, Chicago, the choice of a dial."""
    if before.stage == BUILDING and action == HEX + before.board.chicago:
        return [phrase("Chicago")]
    names = {
        BIDDING: phrase("Auction"),
        OFFERING: phrase("Auction"),
        NAMING: phrase("Expansion"),
        BUILDING: phrase("Expansion"),
        DEVELOPING: phrase("Development"),
        CHOOSING: phrase("Dials"),
    }
    return [names[before.stage]]


def _bid(state: ChicagoExpressState, was: ChicagoExpressObservation, action: int) -> Iterator[Phrase]:
    """What a share on sale would pay at the next dividend, once it is sold."""
    if state.stage != BIDDING:
        return
    company = was.companies[state.company]
    each = -(-company.income // (company.sold + 1))
    if action >= BID:
        yield phrase(
            "offers ${bid} for a share of {company} that would pay ${dollars} at a dividend",
            bid=action - BID, company=COMPANY_IDS[state.company], dollars=each,
        )  # fmt: skip
    else:
        yield phrase(
            "leaves a share of {company}, which would pay ${dollars} at a dividend, for ${bid} or more to the others",
            company=COMPANY_IDS[state.company], dollars=each, bid=max(state.bid, company.minimum),
        )  # fmt: skip


def _incomes(was: ChicagoExpressObservation, now: ChicagoExpressObservation, seat: int) -> Iterator[Phrase]:
    for number, (old, new) in enumerate(zip(was.companies, now.companies, strict=True)):
        if new.income <= old.income or now.dividends > was.dividends:
            continue
        cost = old.treasury - new.treasury
        yield phrase(
            "raises the income of {company} from {old} to {new} for ${cost}; you hold {shares} of {sold} shares",
            company=new.id, old=old.income, new=new.income, cost=max(0, cost),
            shares=now.shares[seat][number], sold=new.sold,
        )  # fmt: skip


def _dial(
    before: ChicagoExpressState, was: ChicagoExpressObservation, now: ChicagoExpressObservation
) -> Iterator[Phrase]:
    if before.stage != CHOOSING or now.dividends > was.dividends:
        return
    names = dict(zip(DIAL_NAMES, (phrase("auctions"), phrase("expansions"), phrase("developments")), strict=True))
    for old, new in zip(was.dials, now.dials, strict=True):
        if new.at > old.at:
            yield phrase(
                "moves the dial of {action} to {at} of {red}", action=names[new.action], at=new.at, red=new.red
            )
