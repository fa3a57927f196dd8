"""The log of Chicago Express: what each action did, and what dividends were paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludotheque.core.phrases import Phrase, listed, phrase, seat_name
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, FOREST, INDUSTRIES, TRACK, WABASH
from ludotheque.games.chicago_express.document import COMPANY_IDS
from ludotheque.games.chicago_express.notation import development_gain
from ludotheque.games.chicago_express.observe import companies_on
from ludotheque.games.chicago_express.rules import (
    AUCTION,
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    COMPANY,
    DECLINE,
    DETROIT_GROWN,
    DEVELOPING,
    DEVELOPMENT,
    DONE,
    EXPANSION,
    HEX,
    HOUSES_OUT,
    LOCOMOTIVES_OUT,
    NAMING,
    OFFERING,
    PASS,
    SHARES_OUT,
    ChicagoExpressState,
    per_share,
)


def describe(before: ChicagoExpressState, action: int, after: ChicagoExpressState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action; nothing is secret in this game."""
    lines = list(_describe_move(before, action, after))
    if holds_dividend(before, after):
        lines += _describe_dividend(after)
    return lines


def _describe_move(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> Iterator[Phrase]:
    seat = seat_name(before.player)
    if before.stage == BIDDING:
        yield from _describe_bid(before, action, after)
    elif before.stage == BUILDING:
        if action == DONE:
            yield phrase("{seat} ends the expansion.", seat=seat)
        else:
            yield from _describe_build(before, action - HEX)
        if after.wabash_open and not before.wabash_open:
            yield from _describe_wabash(after)
    elif action == DECLINE:
        yield _describe_decline(before)
    elif before.stage == CHOOSING:
        yield {
            AUCTION: phrase("{seat} chooses an auction.", seat=seat),
            EXPANSION: phrase("{seat} chooses an expansion.", seat=seat),
            DEVELOPMENT: phrase("{seat} chooses a development.", seat=seat),
        }[action]
    elif before.stage == DEVELOPING:
        yield _describe_development(before, action - HEX)
    elif before.stage == OFFERING:
        company = action - COMPANY
        yield phrase(
            "{seat} offers a share of {company}, from ${minimum}.",
            seat=seat, company=COMPANY_IDS[company], minimum=before.minimum(company),
        )  # fmt: skip
    else:
        yield phrase("{seat} expands {company}.", seat=seat, company=COMPANY_IDS[action - COMPANY])


def _describe_decline(state: ChicagoExpressState) -> Phrase:
    seat = seat_name(state.player)
    return {
        OFFERING: phrase("{seat} declines the auction.", seat=seat),
        NAMING: phrase("{seat} declines the expansion.", seat=seat),
        DEVELOPING: phrase("{seat} declines the development.", seat=seat),
    }[state.stage]


def _describe_bid(before: ChicagoExpressState, action: int, after: ChicagoExpressState) -> Iterator[Phrase]:
    seat = seat_name(before.player)
    bid, bidder = before.bid, before.bidder
    if action == PASS:
        yield phrase("{seat} passes.", seat=seat)
    else:
        bid, bidder = action - BID, before.player
        yield phrase("{seat} bids ${dollars}.", seat=seat, dollars=bid)
    company = COMPANY_IDS[before.company]
    if before.sold[before.company] < after.sold[before.company]:
        if bid:
            yield phrase(
                "{seat} buys a share of {company} for ${dollars}.", seat=seat_name(bidder), company=company, dollars=bid
            )
        else:
            yield phrase(
                "Nobody bids: {seat} gets the share of {company} for nothing.",
                seat=seat_name(before.seat), company=company,
            )  # fmt: skip
    elif after.stage != BIDDING:
        yield phrase("Nobody bids: the share stays with {company}.", company=company)


def _describe_build(before: ChicagoExpressState, hex: int) -> Iterator[Phrase]:
    company = before.company
    id, title = COMPANY_IDS[company], _place(before, hex)
    price, income, gain = before.price(hex), before.income[company], before.value(hex)
    if gain:
        yield phrase(
            "{company} builds to {hex} for ${price}; its income rises from {before} to {after}.",
            company=id, hex=title, price=price, before=income, after=income + gain,
        )  # fmt: skip
    else:
        yield phrase("{company} builds to {hex} for ${price}.", company=id, hex=title, price=price)
    if hex == before.board.chicago:
        dollars = chicago_dividend(before)
        yield phrase("{company} has reached Chicago and pays ${dollars} a share.", company=id, dollars=dollars)
        yield from _describe_receipts([dollars * held for held in shares_held(before, company)])


def shares_held(state: ChicagoExpressState, company: int) -> list[int]:
    """By seat: its shares of a company."""
    return [state.held[COMPANIES * seat + company] for seat in range(state.players)]


def _describe_receipts(dollars: Sequence[int]) -> Iterator[Phrase]:
    """A line for each seat that receives money."""
    for seat, received in enumerate(dollars):
        if received:
            yield phrase("{seat} gets ${dollars}.", seat=seat_name(seat), dollars=received)


def _describe_wabash(after: ChicagoExpressState) -> Iterator[Phrase]:
    start = _place(after, after.board.start[WABASH])
    yield phrase("The Wabash opens in {hex} with an income of {income}.", hex=start, income=after.income[WABASH])
    yield phrase(
        "{seat} opens the auction of its first share, from ${minimum}.",
        seat=seat_name(after.seat), minimum=after.minimum(WABASH),
    )  # fmt: skip


def _describe_development(before: ChicagoExpressState, hex: int) -> Phrase:
    seat, title = seat_name(before.player), _place(before, hex)
    companies = companies_on(before, hex)
    if before.board.terrain[hex] == FOREST:
        return phrase(
            "{seat} develops {hex}: {company} gets ${dollars}.",
            seat=seat, hex=title, company=COMPANY_IDS[companies[0]], dollars=before.board.forest_cash,
        )  # fmt: skip
    gain = development_gain(before, hex)
    incomes = _rising({company: before.income[company] for company in companies}, gain)
    city = before.board.industry[hex]
    if city < INDUSTRIES:
        value = before.value(hex)
        return phrase(
            "{seat} develops {hex} from {before} to {after}. Income rises: {incomes}.",
            seat=seat, hex=title, before=value, after=value + gain, incomes=incomes,
        )  # fmt: skip
    return phrase("{seat} develops {hex}. Income rises: {incomes}.", seat=seat, hex=title, incomes=incomes)


def _place(state: ChicagoExpressState, hex: int) -> str | Phrase:
    """A hex as players call it: `Detroit`, `the forest at R3`."""
    printed = state.board.hex(hex)
    if printed.name:
        return printed.name
    return {
        "forest": phrase("the forest at {hex}", hex=printed.id),
        "mountain": phrase("the mountains at {hex}", hex=printed.id),
    }.get(printed.terrain, phrase("the plain at {hex}", hex=printed.id))


def _rising(incomes: dict[int, int], gain: int) -> Phrase:
    """The incomes of companies before and after a gain: `PRR from 17 to 18, B&O from 14 to 15`."""
    rises = [
        phrase("{company} from {old} to {new}", company=COMPANY_IDS[company], old=income, new=income + gain)
        for company, income in incomes.items()
    ]
    return listed(rises)


def _paid_by(company: str, dollars: int) -> Phrase:
    """What a share of a company pays: `PRR $10`."""
    return phrase("{company} {amount}", company=company, amount=phrase("${dollars}", dollars=dollars))


# Dividends, as they were paid.


def chicago_dividend(before: ChicagoExpressState) -> int:
    """What each share of the company that builds pays as it reaches Chicago."""
    income = before.income[before.company] + before.value(before.board.chicago)
    return per_share(income, before.sold[before.company])


def holds_dividend(before: ChicagoExpressState, after: ChicagoExpressState) -> bool:
    """Whether a general dividend came between two positions: Detroit has grown, or the game is over."""
    return before.steps[DETROIT] != after.steps[DETROIT] or after.is_terminal()


def general_dividend(after: ChicagoExpressState) -> list[int]:
    """By company: what each share has just paid, before Detroit grew."""
    incomes = [income - gain for income, gain in zip(after.income, _detroit_gains(after), strict=True)]
    return [per_share(income, sold) if sold else 0 for income, sold in zip(incomes, after.sold, strict=True)]


def _detroit_gains(after: ChicagoExpressState) -> list[int]:
    """By company: what the step of Detroit that follows a dividend has added to its income."""
    if after.is_terminal():
        return [0] * COMPANIES
    board = after.board
    detroit = board.industry_hex[DETROIT]
    gain = after.value(detroit) - board.track[TRACK * DETROIT + after.steps[DETROIT] - 1]
    return [gain * after.is_on(company, detroit) for company in range(COMPANIES)]


def _describe_dividend(after: ChicagoExpressState) -> Iterator[Phrase]:
    """A general dividend, the step of Detroit that has followed it, or the end of the game."""
    detroit = after.board.industry_hex[DETROIT]
    there = [] if after.is_terminal() else companies_on(after, detroit)
    gains = _detroit_gains(after)
    paid = general_dividend(after)
    shares = [_paid_by(id, dollars) for id, dollars in zip(COMPANY_IDS, paid, strict=True) if dollars]
    yield phrase("General dividend, by share: {shares}.", shares=listed(shares))
    yield from _describe_receipts(
        [sum(after.held[COMPANIES * seat + c] * paid[c] for c in range(COMPANIES)) for seat in range(after.players)]
    )
    if after.is_terminal():
        yield from _describe_end(after)
    elif there:
        rising = _rising({company: after.income[company] - gains[company] for company in there}, gains[there[0]])
        yield phrase("Detroit grows to {value}. Income rises: {incomes}.", value=after.value(detroit), incomes=rising)
    else:
        yield phrase("Detroit grows to {value}.", value=after.value(detroit))


def _describe_end(state: ChicagoExpressState) -> Iterator[Phrase]:
    reasons = {
        LOCOMOTIVES_OUT: phrase("The game ends: three companies or more have no locomotive left."),
        SHARES_OUT: phrase("The game ends: three companies or more have no share left."),
        HOUSES_OUT: phrase("The game ends: three houses or fewer are left."),
        DETROIT_GROWN: phrase("The game ends: Detroit is at the last step of its track."),
    }
    yield from [reason for end, reason in reasons.items() if state.ends() & end]
    cash, returns = state.scores(), state.returns()
    for seat in range(state.players):
        if returns[seat] == 1:
            yield phrase("{seat} wins with ${dollars}.", seat=seat_name(seat), dollars=cash[seat])
        elif returns[seat]:
            yield phrase("{seat} shares the win with ${dollars}.", seat=seat_name(seat), dollars=cash[seat])
