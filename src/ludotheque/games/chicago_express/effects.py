"""What a move of Chicago Express changes: incomes, treasuries, dials, and what shares pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.chicago_express.document import COMPANY_IDS, DIAL_NAMES
from ludotheque.games.chicago_express.log import describe
from ludotheque.games.chicago_express.observation import ChicagoExpressObservation
from ludotheque.games.chicago_express.observe import observe
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
    NAMING,
    OFFERING,
    ChicagoExpressState,
    per_share,
)

_THEMES: Final = {
    OFFERING: phrase("New share"),
    NAMING: phrase("Expansion"),
    BUILDING: phrase("Expansion"),
    DEVELOPING: phrase("Development"),
}
MEANINGS: Final = {
    "Auction": phrase("Bid the right price, or pass."),
    "New share": phrase("Put a share up for auction."),
    "Expansion": phrase("Build with a company."),
    "Development": phrase("Develop a hex."),
    "Chicago": phrase("Reach Chicago."),
    "Dials": phrase("Choose an action for its dial, and decline it."),
}
"""What the themes of puzzles mean."""


def effects(before: ChicagoExpressState, action: int, after: ChicagoExpressState, seat: int) -> list[Phrase]:
    """What a bid buys; then incomes that rise and what they cost; then the dial that moves."""
    was, now = observe(before, seat), observe(after, seat)
    return [*_bid(before, was, action), *_incomes(was, now, seat), *_dial(before, was, now)]


def forecast(before: ChicagoExpressState, action: int, after: ChicagoExpressState, seat: int) -> list[Phrase]:
    """What the log would say; for a bid also what the share would pay, and what a company or a player has left."""
    was, now = observe(before, seat), observe(after, seat)
    told = describe(before, action, after, seat)
    if before.stage == BIDDING and action >= BID:
        return [*told, _share_pays(was, before.company), _cash_left(was.cash[seat] - action + BID)]
    if before.stage == BUILDING and action >= HEX:
        return [*told, *_building_left(now, before.company)]
    if before.stage == NAMING and action != DECLINE:
        return [*told, *_building_left(now, action - COMPANY)]
    if before.stage == OFFERING and action != DECLINE:
        return [*told, _share_pays(was, action - COMPANY)]
    return told


def _share_pays(seen: ChicagoExpressObservation, company: int) -> Phrase:
    """What the next share of a company would pay, once it is sold."""
    owner = seen.companies[company]
    each = per_share(owner.income, owner.sold + 1)
    return phrase("The share of {company} would pay ${dollars} at a dividend.", company=owner.id, dollars=each)


def _cash_left(dollars: int) -> Phrase:
    return phrase("You would have ${dollars} left.", dollars=dollars)


def _building_left(seen: ChicagoExpressObservation, company: int) -> Iterator[Phrase]:
    """What a company that builds has left."""
    owner = seen.companies[company]
    yield phrase("{company} has ${dollars} left.", company=owner.id, dollars=owner.treasury)
    if seen.expansion:
        built, limit = seen.expansion.built, seen.expansion.limit
        yield phrase("{built} of {limit} hexes of this expansion are built.", built=built, limit=limit)


def moved_pieces(before: ChicagoExpressState, action: int, after: ChicagoExpressState, viewer: int) -> list[str]:
    """The locomotive or house that is placed on a hex; the marker of the company that a choice or a bid is about; the
    dial of the action that is chosen."""
    if before.stage == BIDDING:
        return [f"income:{COMPANY_IDS[before.company]}"]
    if before.stage == CHOOSING:
        return [f"dial:{DIAL_NAMES[action - AUCTION]}"]
    if action in (DECLINE, DONE):
        return []
    if before.stage in (OFFERING, NAMING):
        return [f"income:{COMPANY_IDS[action - COMPANY]}"]
    id = before.board.hex(action - HEX).id
    what = f"engine:{COMPANY_IDS[before.company]}:{id}" if before.stage == BUILDING else f"house:{id}"
    return [what, f"hex:{id}"]


def themes(before: ChicagoExpressState, actions: Sequence[int]) -> list[Phrase]:
    """A bid, a new share, an expansion, a development, Chicago where it is reached; the dials where only they move."""
    if before.stage == BIDDING:
        return [phrase("Auction")]
    state = before.clone()
    found = phrase("Dials")
    for action in actions:
        if state.stage == BUILDING and action == HEX + state.board.chicago:
            return [phrase("Chicago")]
        if action == DECLINE or state.stage == BIDDING:
            break
        found = _THEMES.get(state.stage, found)
        state.apply(action)
    return [found]


def _bid(state: ChicagoExpressState, was: ChicagoExpressObservation, action: int) -> Iterator[Phrase]:
    """What a share on sale would pay at the next dividend, once it is sold."""
    if state.stage != BIDDING:
        return
    company = was.companies[state.company]
    each = per_share(company.income, company.sold + 1)
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
