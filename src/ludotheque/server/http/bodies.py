"""What clients may send over HTTP; every field is bounded, and unknown ones are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Viewer = Annotated[int, Meta(ge=-5, le=63)]
"""A seat, or -5 for a spectator."""
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MoveText = Annotated[str, Meta(min_length=1, max_length=500)]
Name = Annotated[str, Meta(max_length=40)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]
Secret = Annotated[str, Meta(min_length=1, max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=10)]


class _Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class NewSeat(_Body, frozen=True, kw_only=True):
    """Who shall sit at a seat."""

    who: Literal["me", "link", "open", "bot"]
    name: Name = ""
    level: Annotated[str, Meta(max_length=40)] = ""
    """Of a bot."""


class NewTable(_Body, frozen=True, kw_only=True):
    """A table to be started."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=64)]
    options: Annotated[dict[Annotated[str, Meta(max_length=64)], Any], Meta(max_length=64)] = {}
    watch: bool = True
    """Whether a link to watch is wanted."""
    pace: Seconds | None = None


class NewRecord(_Body, frozen=True, kw_only=True):
    """A record to be taken up as a table."""

    record: Annotated[str, Meta(min_length=1)]
    """How long it may be, is said where it is read."""


class Branch(_Body, frozen=True, kw_only=True):
    """A moment to play on from, against bots."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seat: Viewer
    """Mine; -5 to watch the bots."""
    level: Annotated[str, Meta(max_length=40)]


class Join(_Body, frozen=True, kw_only=True):
    secret: Secret


class Sit(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    name: Name = ""


class NewLink(_Body, frozen=True, kw_only=True):
    seat: Viewer


class Nothing(_Body, frozen=True, kw_only=True):
    pass


class Move(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    version: Version
    action: Action | None = None
    text: MoveText | None = None


class Undo(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    version: Version


class UndoAnswer(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    version: Version
    agree: bool


class Rename(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    name: Annotated[str, Meta(min_length=1, max_length=40)]


class NewPace(_Body, frozen=True, kw_only=True):
    seconds: Seconds = 1.0
    paused: bool = False


class Chat(_Body, frozen=True, kw_only=True):
    text: ChatText


class HintWanted(_Body, frozen=True, kw_only=True):
    seat: SeatNumber
    version: Version


def move_of(action: int | None, text: str | None) -> int | str:
    """The one of the two that was given."""
    if action is not None and text is None:
        return action
    if text is not None and action is None:
        return text
    raise Refused(400, "malformed", phrase("A move is either an action or a text."))
