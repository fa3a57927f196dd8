"""The messages of the engine protocol, one JSON object per line. See `docs/engine-protocol.md`."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ludotheque.core.options import OptionValue

VERSION: Final = 1
LINE_BYTES: Final = 1_000_000
"""The longest line that a bot may write."""
Want = Literal["observation", "position"]


class _Message(Struct, frozen=True, tag_field="type"):
    pass


# From the table to the bot.


class New(_Message, frozen=True, tag="new"):
    """A game starts. The bot replies `ready`."""

    protocol: int
    game: str
    players: int
    settings: dict[str, OptionValue]
    seat: int
    seed: int
    clock: float
    """Seconds for each move."""


class Did(_Message, frozen=True, tag="did"):
    """Someone acted, or a draw was made."""

    who: int
    action: int | None
    """None: the seat did not see it."""


class Go(_Message, frozen=True, tag="go"):
    """The bot is to move. It replies `move`."""

    legal: list[int]
    clock: float
    observation: Any = UNSET
    position: str | UnsetType = UNSET


class End(_Message, frozen=True, tag="end"):
    """The game is over."""

    returns: list[float]
    scores: list[int]


class Quit(_Message, frozen=True, tag="quit"):
    """The bot ends."""


ToBot = New | Did | Go | End | Quit


# From the bot to the table.


class ReadyReply(_Message, frozen=True, tag="ready"):
    name: str = ""
    wants: tuple[Want, ...] = ()
    """The contents of `go` beside the legal actions."""


class MoveReply(_Message, frozen=True, tag="move"):
    action: int


class ErrorReply(_Message, frozen=True, tag="error"):
    """The bot cannot go on."""

    message: str


FromBot = ReadyReply | MoveReply | ErrorReply

TO_BOT: Final[msgspec.json.Decoder[ToBot]] = msgspec.json.Decoder(ToBot)
FROM_BOT: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)
_ENCODER: Final = msgspec.json.Encoder()


def encode(message: _Message) -> bytes:
    """Write a message as a line."""
    return _ENCODER.encode(message) + b"\n"
