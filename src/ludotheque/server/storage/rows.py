"""Rows of the database as typed values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct

Kind = Literal["played", "record", "branch", "lesson", "puzzle"]
"""The origin of a table: set up here, from a record, as a branch of another table, or in a lesson or puzzle."""


class ListedTable(Struct, frozen=True, kw_only=True):
    """A table on disk as lists show it. (Decoding all of many tables would take most of the time of the lobby.)"""

    id: str
    game: str
    game_version: int
    """The version of the game that the table was opened with."""
    settings: dict[str, Any] = {}
    names: list[str]
    seats: list[dict[str, Any]]
    host: bytes
    ply: int
    to_move: int
    over: bool
    updated: datetime
    kind: Kind = "played"
    branch_ply: int = 0
    """The ply at which a branch starts."""
    password: str = ""
    """The hash of the table's password; empty for none."""
    closed: bool = False
    """Whether the host or the operator has closed the table."""
    rematch: str = ""
    """The table at which the same people play again."""
    rematch_request: dict[str, Any] | None = None
    terms: dict[str, Any] = {}
    language: str = ""
    """The language of the host."""
    awaited: list[int] = []
    """The seats whose people have not come yet: the clock waits for them."""


class StoredTable(Struct, frozen=True, kw_only=True):
    """A table as it is on disk."""

    id: str
    game: str
    game_version: int
    settings: dict[str, Any]
    ply: int
    to_move: int
    over: bool
    updated: datetime
    version: int = 1
    """Counts the changes of the position."""
    revision: int = 0
    """Counts the changes of facts and keys."""
    driver: str = ""
    """The server process that plays for the bots."""
    facts: dict[str, Any]
    """The other columns by name: `TableFacts`, encoded."""

    def row(self) -> dict[str, Any]:
        """All columns by name."""
        own = {name: getattr(self, name) for name in self.__struct_fields__ if name != "facts"}
        return self.facts | own | {"created": self.updated}

    @property
    def listed(self) -> ListedTable:
        """The part that lists show."""
        row = self.row()
        return ListedTable(**{name: row[name] for name in ListedTable.__struct_fields__})


class StoredTurn(Struct, frozen=True):
    """A turn that waits for no person."""

    table: str
    is_bots: bool
    """Whether a bot is to move, and is not paused."""
    is_decided: bool
    """Whether the person to move may have decided ahead."""
    has_people: bool
    """Whether a seat of the table is for a person."""


class ChatLine(Struct, frozen=True):
    """A line of chat; without a text, the line of this id has been removed."""

    id: int
    seat: int
    name: str
    text: str
    time: datetime
    ready: str = ""
    """The key of a ready phrase; empty if the person wrote the text."""


class Change(Struct, frozen=True, kw_only=True):
    """The next version of a table: plies taken back and plies added."""

    table: str
    version: int
    """The version that the change is for."""
    keep: int
    """The number of plies that remain."""
    plies: Sequence[tuple[int, int]] = ()
    to_move: int
    over: bool = False
    undo_request: dict[str, Any] | None = None
    clock: dict[str, Any] | None = None

    def row(self, process: str) -> dict[str, Any]:
        """The new values; the process that makes the change plays for the bots from now on."""
        return {
            "b_id": self.table,
            "b_version": self.version,
            "version": self.version + 1,
            "ply": self.keep + len(self.plies),
            "to_move": self.to_move,
            "over": self.over,
            "undo_request": self.undo_request,
            "clock": self.clock,
            "driver": process,
            "updated": now(),
        }

    def ply_rows(self) -> list[dict[str, Any]]:
        return [
            {"table_id": self.table, "ply": ply, "who": who, "action": action}
            for ply, (who, action) in enumerate(self.plies, self.keep + 1)
        ]


def now() -> datetime:
    return datetime.now(UTC)
