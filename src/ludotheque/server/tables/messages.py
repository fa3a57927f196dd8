"""Messages between a client and the server over a socket."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ludotheque.server.http.bodies import Action, ChatText, MoveText, SeatNumber, Version, Viewer
from ludotheque.server.storage.database import ChatLine
from ludotheque.server.tables.live import Pace
from ludotheque.server.tables.views import SeatView

MESSAGE_BYTES: Final = 16_384


Id = Annotated[int, Meta(ge=0, le=2**53)]


class _FromClient(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id | None = None


class MoveMessage(_FromClient, frozen=True, kw_only=True, tag="move"):
    seat: SeatNumber
    version: Version
    action: Action | None = None
    text: MoveText | None = None


class UndoMessage(_FromClient, frozen=True, kw_only=True, tag="undo"):
    seat: SeatNumber
    version: Version


class UndoAnswerMessage(_FromClient, frozen=True, kw_only=True, tag="undo_answer"):
    seat: SeatNumber
    version: Version
    agree: bool


class ChatMessage(_FromClient, frozen=True, kw_only=True, tag="chat"):
    text: ChatText


class LookMessage(_FromClient, frozen=True, kw_only=True, tag="look"):
    seat: Viewer


class RefreshMessage(_FromClient, frozen=True, kw_only=True, tag="refresh"):
    pass


class PingMessage(_FromClient, frozen=True, kw_only=True, tag="ping"):
    pass


FromClient = MoveMessage | UndoMessage | UndoAnswerMessage | ChatMessage | LookMessage | RefreshMessage | PingMessage


DECODER: Final = msgspec.json.Decoder(FromClient)


class SeatsMessage(Struct, frozen=True, tag="seats"):
    seats: tuple[SeatView, ...]
    watchers: int
    pace: Pace


class ChatLinesMessage(Struct, frozen=True, tag="chat"):
    messages: tuple[ChatLine, ...]


class DoneMessage(Struct, frozen=True, tag="done"):
    reply_to: int | None
    version: int
    ply: int
    outcome: str


class ErrorMessage(Struct, frozen=True, tag="error"):
    reply_to: int | None
    error: str
    sentence: str


class PongMessage(Struct, frozen=True, tag="pong"):
    reply_to: int | None


ToClient = SeatsMessage | ChatLinesMessage | DoneMessage | ErrorMessage | PongMessage


ENCODER: Final = msgspec.json.Encoder()
