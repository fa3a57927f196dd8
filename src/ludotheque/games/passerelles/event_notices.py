"""The notices of Passerelles: the areas of a round, counted before its board is cleared, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludotheque.core.event_notices import EventNotice, NoticeRow, end_notice, gained
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import Phrase, phrase, plural
from ludotheque.games.passerelles.events import RoundOver
from ludotheque.games.passerelles.observation import area_name


def event_notices(events: Sequence[Event]) -> Iterator[EventNotice]:
    """The notices of what an action made happen."""
    is_cleared = not any(isinstance(event, GameEnded) for event in events)
    for event in events:
        match event:
            case RoundOver():
                rows = tuple(_counted(event, seat) for seat in (0, 1))
                title = phrase("Round {round} is over", round=event.round)
                yield EventNotice(title, rows=rows, shown_before=is_cleared)
            case GameEnded():
                yield end_notice(event, lambda score: phrase("{score}", score=score))


def _counted(event: RoundOver, seat: int) -> NoticeRow:
    """The areas of a seat, the largest first."""
    areas = [area for area in event.areas if area.owner == seat]
    sizes = sorted((len(area.squares) for area in areas), reverse=True)
    places = tuple(f"area:{area_name(area)}" for area in areas)
    return NoticeRow(seat, _areas(sizes), gained(event.points[seat]), places)


def _areas(sizes: Sequence[int]) -> Phrase:
    if not sizes:
        return phrase("no area")
    if len(sizes) == 1:
        return plural(sizes[0], "an area of {count} square", "an area of {count} squares")
    return phrase("areas of {sizes} squares", sizes=" + ".join(map(str, sizes)))
