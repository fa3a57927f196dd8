"""Messages that the server sends over a socket besides views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar, cast

import msgspec
from msgspec import Struct

from ludotheque.server.http.connection import text_frame
from ludotheque.server.storage.rows import ChatLine
from ludotheque.server.tables.facts import Pace
from ludotheque.server.tables.view_shapes import ClockView, SeatView


class SeatsMessage(Struct, frozen=True, tag="seats"):
    seats: tuple[SeatView, ...]
    watchers: int
    pace: Pace
    clock: ClockView | None


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
_ENCODER: Final = msgspec.json.Encoder()
T = TypeVar("T")


class Message:
    """A message as it is sent; clients that may know the same share it."""

    __slots__ = ("_start", "frame")

    def __init__(self, content: object, more: bytes = b"") -> None:
        """`more`: further fields, as `encoded_fields` returns them."""
        data = _ENCODER.encode(content)
        if more:
            data = data[:-1] + more
        self.frame: Final = text_frame(data)
        self._start = len(self.frame) - len(data)

    @property
    def text(self) -> str:
        return self.frame[self._start :].decode()


def encoded(part: T) -> T:
    """Encode a part that several messages share; it can be put into them in place of the part."""
    return cast(T, msgspec.Raw(_ENCODER.encode(part)))


def encoded_fields(fields: Mapping[str, object]) -> bytes:
    """Encode fields that several messages share."""
    return b"," + _ENCODER.encode(fields)[1:]
