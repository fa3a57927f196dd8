"""Request bodies; every field is bounded, and unknown fields are refused.

The commands that a socket takes too are in `server.commands`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from ludotheque.core.phrases import phrase
from ludotheque.server.commands import Command, SeatNumber, Version, Viewer
from ludotheque.server.errors import Refused
from ludotheque.table.clock import ClockRule

Name = Annotated[str, Meta(max_length=40)]
LevelName = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(min_length=1, max_length=100)]
Password = Annotated[str, Meta(min_length=1, max_length=100)]
Commitment = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
"""The SHA-256 of a nonce for the dice, in hexadecimal; empty for none."""
Hexadecimal = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes: a nonce, or a commitment that must not be empty."""
Seconds = Annotated[float, Meta(ge=0, le=10)]
Options = Annotated[dict[Annotated[str, Meta(max_length=64)], Any], Meta(max_length=64)]
DEEPEST: Final = 64
"""Deepest nesting of a body."""
_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS: Final = re.compile(rb"[\[\]{}]")
MOST_SECONDS = 5.0
"""Most seconds to think about one decision of a review."""


class NewSeat(Command, frozen=True, kw_only=True):
    """The player wanted at a seat."""

    who: Literal["me", "link", "open", "bot"]
    name: Name = ""
    level: LevelName = ""
    """The bot's level."""
    commitment: Commitment = ""
    """For `me`: the commitment to the nonce that this browser adds to the dice."""


class NewTable(Command, frozen=True, kw_only=True):
    """A table to set up."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=64)]
    options: Options = field(default_factory=dict)
    watch: bool = True
    """Whether to make a spectator link."""
    pace: Seconds | None = None
    hints: bool = False
    """Whether bots may advise people who play against people."""
    clock: ClockRule | None = None
    shared_dice: bool = False
    """Whether the dice wait for the nonces of those who sit down."""


class NewRecord(Command, frozen=True, kw_only=True):
    """A record to open as a table."""

    record: Annotated[str, Meta(min_length=1)]
    """Its length is limited by `RECORD_LENGTH`."""


class Branch(Command, frozen=True, kw_only=True):
    """A position to play on from, against bots."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seat: Viewer
    """The seat to play; -5 to watch the bots."""
    level: LevelName
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The ply of a decision: the position is one of its better line, at ply `ply` of it. 0: it is one of the game."""


class Join(Command, frozen=True, kw_only=True):
    """Take the seat of a link, or another free one."""

    secret: Secret
    seat: SeatNumber | None = None
    """The free seat that the newcomer wants; if None, that of the link."""
    name: Name = ""
    commitment: Commitment = ""
    password: Annotated[str, Meta(max_length=100)] = ""


class Enter(Command, frozen=True, kw_only=True):
    password: Password


class SetPassword(Command, frozen=True, kw_only=True):
    password: Annotated[str, Meta(max_length=100)]
    """Empty: none."""


class SeatToFree(Command, frozen=True, kw_only=True):
    seat: SeatNumber


class Mute(Command, frozen=True, kw_only=True):
    seat: Viewer
    muted: bool = True


class Close(Command, frozen=True, kw_only=True):
    pass


class OperatorSettings(Command, frozen=True, kw_only=True):
    """The settings that the operator changes while the server runs."""

    public_list: bool
    """Whether tables with an open seat are listed for all visitors."""


class LookAtInvitation(Command, frozen=True, kw_only=True):
    """Ask what a link opens before joining."""

    secret: Secret


class Commit(Command, frozen=True, kw_only=True):
    """The commitment to the nonce of someone who is seated already."""

    seat: SeatNumber
    commitment: Hexadecimal


class Reveal(Command, frozen=True, kw_only=True):
    """The nonce that a seat committed to."""

    seat: SeatNumber
    nonce: Hexadecimal


class Start(Command, frozen=True, kw_only=True):
    pass


class Sit(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    name: Name = ""
    commitment: Commitment = ""


class NewLink(Command, frozen=True, kw_only=True):
    seat: Viewer
    replace: bool = False
    """Whether it takes the place of all keys to the seat; for the host."""


class EndSpectatorLinks(Command, frozen=True, kw_only=True):
    pass


class Rematch(Command, frozen=True, kw_only=True):
    shared_dice: bool = False
    """Whether the browsers of the people add to the dice."""


class NewRecovery(Command, frozen=True, kw_only=True):
    """Ask for a recovery link."""

    stored: Annotated[
        dict[Annotated[str, Meta(max_length=100)], Annotated[str, Meta(max_length=20_000)]], Meta(max_length=200)
    ] = field(default_factory=dict)
    """The browser's local storage: progress and settings."""


class UseRecovery(Command, frozen=True, kw_only=True):
    """Use a recovery link."""

    secret: Secret


class GiveAddress(Command, frozen=True, kw_only=True):
    """The address for reminders of one's turns."""

    address: Annotated[str, Meta(max_length=254)]
    """Empty: nowhere."""


class ConfirmReminder(Command, frozen=True, kw_only=True):
    token: Secret


class Leave(Command, frozen=True, kw_only=True):
    pass


class Rename(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    name: Annotated[str, Meta(min_length=1, max_length=40)]


class SetPace(Command, frozen=True, kw_only=True):
    seconds: Seconds = 1.0
    paused: bool = False


class ReplaceBot(Command, frozen=True, kw_only=True):
    """The successor of a bot."""

    seat: SeatNumber
    level: LevelName = ""
    """The level or name of another bot; if empty, a person, who has to sit down."""


class Substitute(Command, frozen=True, kw_only=True):
    """The player for a person who has left or whose time is up."""

    seat: SeatNumber
    level: LevelName = ""
    """The level or name of a bot; if empty, the person again."""


class HintRequest(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    version: Version


class ReviewRequest(Command, frozen=True, kw_only=True):
    """The bot's effort for each decision: in simulations, or in seconds."""

    simulations: Annotated[int, Meta(ge=0, le=20_000)] = 0
    seconds: Annotated[float, Meta(ge=0, le=MOST_SECONDS)] = 0.0
    bot: LevelName = ""
    """The operator's custom bot that proposes better moves; empty if search proposes them too."""


def check_depth(body: bytes) -> None:
    """Raise if a JSON text is nested deeper than anything that people send, and than those who read it can follow."""
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(body) > DEEPEST:
        raise Refused(400, "malformed", phrase("That is nested too deeply."))


def _depth(body: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
