"""The cards of Chicago Express: shares sold, dividends, the Wabash, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from ludotheque.core.event_cards import CardRow, EventCard, end_card
from ludotheque.core.events import Event
from ludotheque.core.phrases import NOTHING, Phrase, listed, phrase
from ludotheque.games.chicago_express.events import (
    ChicagoReached,
    ExpressEnded,
    GeneralDividend,
    Payment,
    ShareSold,
    WabashOpened,
)
from ludotheque.games.chicago_express.log import END_SENTENCES
from ludotheque.games.chicago_express.notation import money


def event_cards(events: Sequence[Event]) -> Iterator[EventCard]:
    """The cards of what an action made happen."""
    for event in events:
        match event:
            case ShareSold():
                yield _sold(event)
            case ChicagoReached():
                yield _dividend(event, phrase("{company} has reached Chicago", company=event.company))
            case WabashOpened():
                text = phrase("Its income is {income}.", income=event.rises[0].new)
                yield EventCard(phrase("The Wabash opens"), text, places=event.places)
            case GeneralDividend():
                yield _dividend(event, phrase("General dividend"))
            case ExpressEnded():
                yield end_card(event, money, _reasons(event))


def _sold(event: ShareSold) -> EventCard:
    title = phrase("A share of {company} is sold", company=event.company)
    amount = phrase("-${dollars}", dollars=event.dollars) if event.dollars else phrase("for nothing")
    return EventCard(title, rows=(CardRow(event.seat, amount=amount),), places=event.places)


def _dividend(event: ChicagoReached | GeneralDividend, title: Phrase) -> EventCard:
    """A row for each seat that is paid."""
    seats = sorted({payment.seat for payment in event.payments})
    paid = [[payment for payment in event.payments if payment.seat == seat] for seat in seats]
    text = NOTHING if event.payments else phrase("No share is paid.")
    companies = dict.fromkeys(payment.company for payment in event.payments)
    places = event.places or tuple(f"income:{company}" for company in companies)
    return EventCard(title, text, tuple(map(_paid, paid)), places)


def _paid(payments: list[Payment]) -> CardRow:
    """The shares of a seat in each company, and all that they paid."""
    words = listed([_times(payment) for payment in payments])
    total = sum(payment.shares * payment.dollars for payment in payments)
    return CardRow(payments[0].seat, words, phrase("+${dollars}", dollars=total))


def _times(payment: Payment) -> Phrase:
    return phrase(
        "{company} {shares} \u00d7 {amount}",
        company=payment.company, shares=payment.shares, amount=money(payment.dollars),
    )  # fmt: skip


def _reasons(event: ExpressEnded) -> Phrase:
    """The sentences for what brought the end about, one after the other."""
    reasons = [END_SENTENCES[end] for end in event.ends]
    return reduce(lambda some, one: phrase("{some} {one}", some=some, one=one), reasons) if reasons else NOTHING
