"""Effects of a move of Chicago Express, for hints, previews and puzzles: incomes, dials, dividends of shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.events import NO_SEAT, Event
from ludotheque.core.phrases import NOTHING, Phrase, phrase, plural, seat_name
from ludotheque.games.chicago_express.appraisal import dividends_to_come
from ludotheque.games.chicago_express.board import COMPANIES
from ludotheque.games.chicago_express.document import COMPANY_IDS
from ludotheque.games.chicago_express.events import (
    ActionChosen,
    Bid,
    ChicagoReached,
    Declined,
    Developed,
    ExpansionBegun,
    ExpansionEnded,
    Passed,
    Rise,
    ShareOffered,
    TrackBuilt,
    WabashOpened,
    events,
)
from ludotheque.games.chicago_express.log import all_lines
from ludotheque.games.chicago_express.notation import warning
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import BID, BIDDING, BUILDING, DECLINE, HEX, ChicagoExpressState

MEANINGS: Final = {
    "Auction": phrase("Bid the right price, or pass."),
    "New share": phrase("Put a share up for auction."),
    "Expansion": phrase("Build with a company."),
    "Development": phrase("Develop a hex."),
    "Chicago": phrase("Reach Chicago."),
    "Dials": phrase("Choose an action for its dial, and decline it."),
}
"""Meanings of the themes of puzzles."""


def effects(before: ChicagoExpressState, action: int, after: ChicagoExpressState, seat: int) -> list[Phrase]:
    """Describe what a bid buys and its right price; incomes that rise and what they cost; the dial that moves."""
    found = [effect for event in events(before, action, after) for effect in _effects(event, after, seat)]
    return [*found, *_price(before)] if before.stage == BIDDING else found


def _price(state: ChicagoExpressState) -> Iterator[Phrase]:
    """Describe what the share for sale is worth to the bidder, and the dividends that this assumes."""
    limit = int(ChicagoExpressPolicy(state.game).limit(state))
    if limit > 0:
        dividends = plural(round(dividends_to_come(state)), "{count} more dividend", "{count} more dividends")
        yield phrase(
            "it is worth up to ${dollars} to you, if about {dividends} follow",
            dollars=limit, dividends=dividends,
        )  # fmt: skip


def _effects(event: Event, after: ChicagoExpressState, seat: int) -> Iterator[Phrase]:
    match event:
        case Bid():
            yield phrase(
                "offers ${bid} for a share of {company} that would pay ${dollars} at a dividend",
                bid=event.dollars, company=event.company, dollars=event.pays,
            )  # fmt: skip
        case Passed():
            yield _passed(event, seat)
        case TrackBuilt():
            yield from (_raises(rise, event.price, after, seat) for rise in event.rises)
        case Developed() | WabashOpened():
            yield from (_raises(rise, 0, after, seat) for rise in event.rises)
        case ActionChosen():
            names = {
                "auction": phrase("auctions"),
                "expansion": phrase("expansions"),
                "development": phrase("developments"),
            }
            yield phrase(
                "moves the dial of {action} to {at} of {red}", action=names[event.action], at=event.at, red=event.red
            )


def _passed(event: Passed, seat: int) -> Phrase:
    """Describe what becomes of a share, for all that is known, when a seat passes."""
    company, pays, dollars = event.company, event.pays, event.dollars
    if event.contested:
        return phrase(
            "leaves a share of {company}, which would pay ${dollars} at a dividend, for ${bid} or more to the others",
            company=company, dollars=pays, bid=dollars,
        )  # fmt: skip
    if event.taker == NO_SEAT:
        return phrase(
            "leaves a share of {company}, which would pay ${dollars} at a dividend, with the company",
            company=company, dollars=pays,
        )  # fmt: skip
    if event.taker == seat:
        return phrase(
            "gets you a share of {company}, which would pay ${dollars} at a dividend, for nothing",
            company=company, dollars=pays,
        )  # fmt: skip
    if not dollars:
        return phrase(
            "leaves a share of {company}, which would pay ${dollars} at a dividend, to {seat} for nothing",
            company=company, dollars=pays, seat=seat_name(event.taker),
        )  # fmt: skip
    return phrase(
        "leaves a share of {company}, which would pay ${dollars} at a dividend, to {seat} for ${bid}",
        company=company, dollars=pays, seat=seat_name(event.taker), bid=dollars,
    )  # fmt: skip


def _raises(rise: Rise, price: int, after: ChicagoExpressState, seat: int) -> Phrase:
    company = COMPANY_IDS.index(rise.company)
    return phrase(
        "raises the income of {company} from {old} to {new} for ${cost}; you hold {shares} of {sold} shares",
        company=rise.company, old=rise.old, new=rise.new, cost=price,
        shares=after.held[COMPANIES * seat + company], sold=after.sold[company],
    )  # fmt: skip


def forecast(before: ChicagoExpressState, action: int, after: ChicagoExpressState, seat: int) -> list[Phrase]:
    """Say what the log would; for a bid also what the share would pay, and what a company or a player has left."""
    found = events(before, action, after)
    return [*_warned(before, action), *all_lines(found), *_left(found[0], before, after)]


def _warned(before: ChicagoExpressState, action: int) -> list[Phrase]:
    found = warning(before, action) if action < DECLINE or HEX <= action < BID else NOTHING
    return [phrase("Careful: this {warning}.", warning=found)] if found.text else []


def _left(event: Event, before: ChicagoExpressState, after: ChicagoExpressState) -> Iterator[Phrase]:
    match event:
        case Bid() | ShareOffered():
            yield phrase(
                "The share of {company} would pay ${dollars} at a dividend.", company=event.company, dollars=event.pays
            )
            if isinstance(event, Bid):
                yield phrase("You would have ${dollars} left.", dollars=before.cash[event.seat] - event.dollars)
        case TrackBuilt() | ExpansionBegun():
            treasury = after.treasury[COMPANY_IDS.index(event.company)]
            yield phrase("{company} has ${dollars} left.", company=event.company, dollars=treasury)
            if after.stage == BUILDING and not after.is_terminal():
                built, limit = after.built, after.board.expansion_limit
                yield phrase("{built} of {limit} hexes of this expansion are built.", built=built, limit=limit)


def themes(before: ChicagoExpressState, actions: Sequence[int]) -> list[Phrase]:
    """A bid, a new share, an expansion, a development, Chicago where it is reached; the dials where only they move."""
    found = phrase("Dials")
    for action in actions:
        after = before.clone()
        after.apply(action)
        decided, *followed = events(before, action, after)
        if any(isinstance(event, ChicagoReached) for event in followed):
            return [phrase("Chicago")]
        match decided:
            case Bid() | Passed():
                return [phrase("Auction") if action is actions[0] else found]
            case Declined():
                return [found]
            case ShareOffered():
                found = phrase("New share")
            case ExpansionBegun() | TrackBuilt() | ExpansionEnded():
                found = phrase("Expansion")
            case Developed():
                found = phrase("Development")
        before = after
    return [found]
