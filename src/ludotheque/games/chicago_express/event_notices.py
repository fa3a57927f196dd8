"""The notices of Chicago Express: shares sold, dividends, the Wabash, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from ludotheque.core.event_notices import EventNotice, NoticeRow, end_notice
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


def event_notices(events: Sequence[Event]) -> Iterator[EventNotice]:
    """The notices of what an action made happen."""
    for event in events:
        match event:
            case ShareSold():
                yield _sold(event)
            case ChicagoReached():
                yield _dividend(event, phrase("{company} has reached Chicago", company=event.company))
            case WabashOpened():
                text = phrase("Its income is {income}.", income=event.rises[0].new)
                yield EventNotice(phrase("The Wabash opens"), text, places=event.places)
            case GeneralDividend():
                yield _dividend(event, phrase("General dividend"))
            case ExpressEnded():
                yield end_notice(event, money, _reasons(event))


def _sold(event: ShareSold) -> EventNotice:
    title = phrase("A share of {company} is sold", company=event.company)
    amount = phrase("\u2212${dollars}", dollars=event.dollars) if event.dollars else phrase("for nothing")
    return EventNotice(title, rows=(NoticeRow(event.seat, amount=amount),), places=event.places)


def _dividend(event: ChicagoReached | GeneralDividend, title: Phrase) -> EventNotice:
    """A row for each seat that is paid."""
    seats = sorted({payment.seat for payment in event.payments})
    paid = [[payment for payment in event.payments if payment.seat == seat] for seat in seats]
    text = NOTHING if event.payments else phrase("No shares are paid.")
    companies = dict.fromkeys(payment.company for payment in event.payments)
    places = event.places or tuple(f"income:{company}" for company in companies)
    return EventNotice(title, text, tuple(map(_paid, paid)), places)


def _paid(payments: list[Payment]) -> NoticeRow:
    """The shares of a seat in each company, and all that they paid."""
    words = listed([_times(payment) for payment in payments])
    total = sum(payment.shares * payment.dollars for payment in payments)
    return NoticeRow(payments[0].seat, words, phrase("+${dollars}", dollars=total))


def _times(payment: Payment) -> Phrase:
    return phrase(
        "{company} {shares} \u00d7 {amount}",
        company=payment.company, shares=payment.shares, amount=money(payment.dollars),
    )  # fmt: skip


def _reasons(event: ExpressEnded) -> Phrase:
    """The sentences for what brought the end about, one after the other."""
    reasons = [END_SENTENCES[end] for end in event.ends]
    return reduce(lambda some, one: phrase("{some} {one}", some=some, one=one), reasons) if reasons else NOTHING
