"""Commands that change a table, each declared once: bodies over HTTP, and messages over a socket (`tables.messages`).

Every field is bounded, and unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Viewer = Annotated[int, Meta(ge=-5, le=63)]
"""A seat, or -5 for a spectator."""
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MoveText = Annotated[str, Meta(min_length=1, max_length=500)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request of a client to a table."""


class Move(Command, frozen=True, kw_only=True):
    """Play a move."""

    seat: SeatNumber
    version: Version
    action: Action | None = None
    then: Annotated[tuple[Action, ...], Meta(max_length=63)] = ()
    """Further decisions of the same turn: all are played, or none."""
    text: MoveText | None = None

    @property
    def move(self) -> str | tuple[int, ...]:
        """The actions or the text, of which exactly one must be given."""
        if self.action is not None and self.text is None:
            return self.action, *self.then
        if self.text is not None and self.action is None:
            return self.text
        raise Refused(400, "malformed", phrase("A move is either an action or a text."))


class Undo(Command, frozen=True, kw_only=True):
    """Take back the latest move of a seat, or ask the others."""

    seat: SeatNumber
    version: Version


class UndoAnswer(Command, frozen=True, kw_only=True):
    """Agree to what someone wants to take back, or refuse."""

    seat: SeatNumber
    version: Version
    agree: bool


class Ahead(Command, frozen=True, kw_only=True):
    """Decide ahead of one's turn."""

    seat: SeatNumber
    situation: Annotated[str, Meta(max_length=100)]
    """The situation that the client saw."""
    key: Annotated[str, Meta(max_length=40)] = ""
    """Empty: decide nothing after all."""
    amount: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0


class Chat(Command, frozen=True, kw_only=True):
    """Say something at the table."""

    text: ChatText
