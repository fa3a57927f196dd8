"""The notices of Cable Car: lines into the power station, the final count of The Companies, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ludotheque.core.colours import colour_mark, colour_name
from ludotheque.core.event_notices import EventNotice, NoticeRow, end_notice, gained
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import phrase, points
from ludotheque.games.cable_car.events import CompanyValued, LineFinished, SharesCounted, SwapsClosed
from ludotheque.games.cable_car.log import line_length

Kind = TypeVar("Kind", bound=Event)


def event_notices(events: Sequence[Event]) -> Iterator[EventNotice]:
    """The notices of what an action made happen."""
    for event in events:
        match event:
            case LineFinished() if event.line.end == 0:
                yield _powered(event)
            case SwapsClosed():
                yield EventNotice(phrase("Swapping is closed"), phrase("A company has 25 points."))
            case GameEnded():
                yield from _final_count(events)
                yield end_notice(event, lambda score: phrase("{score}", score=score))


def _powered(event: LineFinished) -> EventNotice:
    owner = colour_mark(event.company, colour_name(event.company)) if event.company else event.seat
    doubled = phrase("{tiles}, counted double", tiles=line_length(event.line))
    title = phrase("Line {station} reaches the power station", station=event.line.station)
    places = *event.places, "power"
    return EventNotice(title, rows=(NoticeRow(owner, doubled, gained(event.line.points)),), places=places)


def _final_count(events: Sequence[Event]) -> Iterator[EventNotice]:
    """The companies by their points, then each seat's shares; nothing if no companies were played."""
    companies, seats = _only(CompanyValued, events), _only(SharesCounted, events)
    if companies:
        yield EventNotice(phrase("The companies at the end"), rows=tuple(map(_valued, companies)))
    if seats:
        yield EventNotice(phrase("Final count"), rows=tuple(map(_counted, seats)))


def _only(kind: type[Kind], events: Sequence[Event]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def _valued(event: CompanyValued) -> NoticeRow:
    each = phrase("{value} for each 10%", value=event.value)
    return NoticeRow(colour_mark(event.company, colour_name(event.company)), points(event.points), each)


def _counted(event: SharesCounted) -> NoticeRow:
    words = phrase("{shares} for shares, {majorities} for majorities", shares=event.shares, majorities=event.majorities)
    return NoticeRow(event.seat, words, gained(event.shares + event.majorities))
