"""Consequences of an action or a draw, as typed values. Each game defines its kinds of events in its `events.py`.

The first event of an action is the action itself; what follows from it comes next, in the order of the log. The log,
previews, hints, earnings, moved pieces and themes of puzzles are made from these values, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from ludotheque.core.earnings import Earning

NO_SEAT: Final = -1
"""The seat of an event that concerns no seat, or all of them."""


class Event(Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened; each kind adds its facts."""

    seat: int = NO_SEAT
    """The seat that did it, or that it happened to."""
    places: tuple[str, ...] = ()
    """The ids of the pieces of the scene where it happened, the main one first."""
    earnings: tuple[Earning, ...] = ()
    """The amounts that each seat got or lost by it, and when they count."""


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over."""

    scores: tuple[int, ...]
    """The final scores by seat."""
    returns: tuple[float, ...]
    """The share of the win of each seat."""


def all_earnings(events: Iterable[Event]) -> list[Earning]:
    """List what all events earned or cost, in their order."""
    return [earning for event in events for earning in event.earnings]
