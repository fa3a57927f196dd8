"""The notices of Pays noir: what was finished, the final count country by country, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from ludotheque.core.event_notices import EventNotice, end_notice, gain_rows
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import NOTHING, Phrase, phrase
from ludotheque.games.pays_noir.events import (
    CountryCounted,
    FactoryFinished,
    MineFinished,
    PortCounted,
    Scored,
    TownClosed,
    TrackFull,
)
from ludotheque.games.pays_noir.log import reason
from ludotheque.games.pays_noir.scene import tint_name


def event_notices(events: Sequence[Event]) -> Iterator[EventNotice]:
    """The notices of what an action made happen."""
    for event in events:
        match event:
            case MineFinished() | FactoryFinished() | PortCounted(finished=True):
                yield _scored(event)
            case CountryCounted():
                yield _country(event)
            case PortCounted():
                yield _scored(event, phrase("Final count"))
            case TownClosed():
                yield EventNotice(phrase("A town is closed"), phrase("Its members go home."), places=event.places)
            case GameEnded():
                yield end_notice(event, lambda score: phrase("{score}", score=score), _why(events))


def _scored(event: Scored, text: Phrase = NOTHING) -> EventNotice:
    return EventNotice(reason(event), text, gain_rows(event.earnings), event.places)


def _country(event: CountryCounted) -> EventNotice:
    """A country in the colours of the families that it counts for."""
    rows = tuple(
        structs.replace(row, places=tuple(tint_name(place, seat) for place in event.places))
        for seat, row in zip(sorted(event.seats), gain_rows(event.earnings), strict=True)
    )
    return EventNotice(reason(event), phrase("Final count"), rows)


def _why(events: Sequence[Event]) -> Phrase:
    """The sentence for an end by the score track, which comes before any final count."""
    full = [event for event in events if isinstance(event, TrackFull)]
    return phrase("The score track ends at {space}.", space=full[0].space) if full else NOTHING
