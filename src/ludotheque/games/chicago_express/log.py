"""The log of Chicago Express: what each action did, and what dividends were paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from ludotheque.core.events import Event
from ludotheque.core.phrases import NOTHING, Phrase, detailed, listed, phrase, seat_name
from ludotheque.games.chicago_express.events import (
    ActionChosen,
    Bid,
    ChicagoReached,
    Declined,
    DetroitGrew,
    Developed,
    ExpansionBegun,
    ExpansionEnded,
    ExpressEnded,
    GeneralDividend,
    Passed,
    Rise,
    ShareOffered,
    ShareSold,
    ShareUnsold,
    TrackBuilt,
    WabashOpened,
    events,
)
from ludotheque.games.chicago_express.notation import money
from ludotheque.games.chicago_express.place_words import hex_words
from ludotheque.games.chicago_express.rules import ChicagoExpressState

END_SENTENCES: Final = {
    "locomotives": phrase("The game ends: three companies or more have no locomotive left."),
    "shares": phrase("The game ends: three companies or more have no share left."),
    "houses": phrase("The game ends: three houses or fewer are left."),
    "Detroit": phrase("The game ends: Detroit is at the last step of its track."),
}
"""The sentences for what brings the end about."""


def describe(before: ChicagoExpressState, action: int, after: ChicagoExpressState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action; nothing is secret in this game."""
    return all_lines(events(before, action, after))


def all_lines(found: Iterable[Event]) -> list[Phrase]:
    """The lines of the log for some events."""
    return [line for event in found for line in describe_event(event)]


def describe_event(event: Event) -> Iterator[Phrase]:
    """The lines of the log for an event."""
    seat = seat_name(event.seat)
    match event:
        case Bid():
            yield phrase("{seat} bids ${dollars}.", seat=seat, dollars=event.dollars)
        case Passed():
            line = phrase("{seat} passes.", seat=seat)
            yield detailed(line) if event.ends else line  # the result of the auction says as much
        case ShareSold() | ShareUnsold():
            yield _sold(event, seat)
        case ActionChosen() | Declined():
            yield _chosen(event, seat)
        case ShareOffered():
            line = phrase(
                "{seat} offers a share of {company}, from ${minimum}.",
                seat=seat, company=event.company, minimum=event.minimum,
            )  # fmt: skip
            yield detailed(line, phrase("{seat} offers a share of {company}.", seat=seat, company=event.company))
        case ExpansionBegun():
            yield phrase("{seat} expands {company}.", seat=seat, company=event.company)
        case ExpansionEnded():
            yield detailed(phrase("{seat} ends the expansion.", seat=seat))
        case TrackBuilt():
            yield _built(event)
        case ChicagoReached():
            line = phrase(
                "{company} has reached Chicago and pays ${dollars} a share.",
                company=event.company, dollars=event.dollars,
            )  # fmt: skip
            yield detailed(line, phrase("{company} has reached Chicago.", company=event.company))
            yield from _receipts(event)
        case WabashOpened():
            yield from _wabash_opened(event, seat)
        case Developed():
            yield _developed(event, seat)
        case GeneralDividend():
            line = phrase("General dividend, by share: {shares}.", shares=_by_share(event))
            yield detailed(line, phrase("General dividend."))
            yield from _receipts(event)
        case DetroitGrew():
            yield _detroit_grew(event)
        case ExpressEnded():
            yield from _ended(event)


def _sold(event: ShareSold | ShareUnsold, seat: Phrase) -> Phrase:
    company = event.company
    if isinstance(event, ShareUnsold):
        return phrase("Nobody bids: the share stays with {company}.", company=company)
    if not event.dollars:
        return phrase("Nobody bids: {seat} gets the share of {company} for nothing.", seat=seat, company=company)
    return phrase("{seat} buys a share of {company} for ${dollars}.", seat=seat, company=company, dollars=event.dollars)


def _chosen(event: ActionChosen | Declined, seat: Phrase) -> Phrase:
    if isinstance(event, ActionChosen):
        line = {
            "auction": phrase("{seat} chooses an auction.", seat=seat),
            "expansion": phrase("{seat} chooses an expansion.", seat=seat),
            "development": phrase("{seat} chooses a development.", seat=seat),
        }[event.action]
        return detailed(line)
    return {
        "offer": phrase("{seat} declines the auction.", seat=seat),
        "name": phrase("{seat} declines the expansion.", seat=seat),
        "develop": phrase("{seat} declines the development.", seat=seat),
    }[event.stage]


def _built(event: TrackBuilt) -> Phrase:
    company, hex, price = event.company, hex_words(event.hex), event.price
    short = phrase("To {hex}, ${price}.", hex=event.hex.name, price=price) if event.hex.name else NOTHING
    if not event.rises:
        line = phrase("{company} builds to {hex} for ${price}.", company=company, hex=hex, price=price)
        return detailed(line, short)
    line = phrase(
        "{company} builds to {hex} for ${price}; its income rises from {before} to {after}.",
        company=company, hex=hex, price=price, before=event.rises[0].old, after=event.rises[0].new,
    )  # fmt: skip
    return detailed(line, short)


def _wabash_opened(event: WabashOpened, seat: Phrase) -> Iterator[Phrase]:
    income = event.rises[0].new
    line = phrase("The Wabash opens in {hex} with an income of {income}.", hex=hex_words(event.hex), income=income)
    yield detailed(line, phrase("The Wabash opens."))
    yield phrase("{seat} opens the auction of its first share, from ${minimum}.", seat=seat, minimum=event.minimum)


def _developed(event: Developed, seat: Phrase) -> Phrase:
    return detailed(_development(event, seat), phrase("{seat} develops {hex}.", seat=seat, hex=hex_words(event.hex)))


def _development(event: Developed, seat: Phrase) -> Phrase:
    hex = hex_words(event.hex)
    if event.cash:
        company, dollars = event.cash
        return phrase(
            "{seat} develops {hex}: {company} gets ${dollars}.", seat=seat, hex=hex, company=company, dollars=dollars
        )
    incomes = _rising(event.rises)
    if event.grown:
        before, after = event.grown
        return phrase(
            "{seat} develops {hex} from {before} to {after}. Income rises: {incomes}.",
            seat=seat, hex=hex, before=before, after=after, incomes=incomes,
        )  # fmt: skip
    return phrase("{seat} develops {hex}. Income rises: {incomes}.", seat=seat, hex=hex, incomes=incomes)


def _rising(rises: Iterable[Rise]) -> Phrase:
    """The incomes of companies before and after: `PRR from 17 to 18, B&O from 14 to 15`."""
    return listed(
        [phrase("{company} from {old} to {new}", company=rise.company, old=rise.old, new=rise.new) for rise in rises]
    )


def _receipts(event: Event) -> Iterator[Phrase]:
    """A line for each seat that receives money."""
    received = Counter[int]()
    for earning in event.earnings:
        received[earning.seat] += earning.amount
    for seat, dollars in sorted(received.items()):
        yield detailed(phrase("{seat} gets ${dollars}.", seat=seat_name(seat), dollars=dollars))


def _by_share(event: GeneralDividend) -> Phrase:
    """Say what a share of each company pays: `PRR $10, B&O $7`."""
    return listed(
        [
            phrase("{company} {amount}", company=company, amount=money(dollars))
            for company, dollars in event.dollars
            if dollars
        ]
    )


def _detroit_grew(event: DetroitGrew) -> Phrase:
    short = phrase("Detroit grows to {value}.", value=event.value)
    if not event.rises:
        return short
    incomes = _rising(event.rises)
    line = phrase("Detroit grows to {value}. Income rises: {incomes}.", value=event.value, incomes=incomes)
    return detailed(line, short)


def _ended(event: ExpressEnded) -> Iterator[Phrase]:
    yield from [END_SENTENCES[end] for end in event.ends]
    for seat, (dollars, share) in enumerate(zip(event.scores, event.returns, strict=True)):
        if share == 1:
            yield phrase("{seat} wins with ${dollars}.", seat=seat_name(seat), dollars=dollars)
        elif share:
            yield phrase("{seat} shares the win with ${dollars}.", seat=seat_name(seat), dollars=dollars)
