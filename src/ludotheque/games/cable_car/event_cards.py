"""The cards of Cable Car: lines into the power station, the final count of The Companies, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ludotheque.core.colours import colour_mark, colour_name
from ludotheque.core.event_cards import CardRow, EventCard, end_card, gained
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import phrase, points
from ludotheque.games.cable_car.events import CompanyValued, LineFinished, SharesCounted, SwapsClosed
from ludotheque.games.cable_car.log import line_length

Kind = TypeVar("Kind", bound=Event)


def event_cards(events: Sequence[Event]) -> Iterator[EventCard]:
    """The cards of what an action made happen."""
    for event in events:
        match event:
            case LineFinished() if event.line.end == 0:
                yield _powered(event)
            case SwapsClosed():
                yield EventCard(phrase("Swapping is closed"), phrase("A company has 25 points."))
            case GameEnded():
                yield from _final_count(events)
                yield end_card(event, lambda score: phrase("{score}", score=score))


def _powered(event: LineFinished) -> EventCard:
    owner = colour_mark(event.company, colour_name(event.company)) if event.company else event.seat
    doubled = phrase("{tiles}, counted double", tiles=line_length(event.line))
    title = phrase("Line {station} reaches the power station", station=event.line.station)
    return EventCard(title, rows=(CardRow(owner, doubled, gained(event.line.points)),), places=event.places)


def _final_count(events: Sequence[Event]) -> Iterator[EventCard]:
    """The companies by their points, then each seat's shares; nothing if no companies were played."""
    companies, seats = _only(CompanyValued, events), _only(SharesCounted, events)
    if companies:
        yield EventCard(phrase("The companies in the end"), rows=tuple(map(_valued, companies)))
    if seats:
        yield EventCard(phrase("Final count"), rows=tuple(map(_counted, seats)))


def _only(kind: type[Kind], events: Sequence[Event]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def _valued(event: CompanyValued) -> CardRow:
    each = phrase("{value} for each 10 %", value=event.value)
    return CardRow(colour_mark(event.company, colour_name(event.company)), points(event.points), each)


def _counted(event: SharesCounted) -> CardRow:
    words = phrase("{shares} for shares, {majorities} for majorities", shares=event.shares, majorities=event.majorities)
    return CardRow(event.seat, words, gained(event.shares + event.majorities))
