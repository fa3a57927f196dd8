"""The tables in memory: each is its stored list of plies, folded.

A table in memory shows only what is on disk already: whoever changes it writes first (`actions`).
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class
from ludotheque.server.errors import forbidden, not_found
from ludotheque.server.keys import is_table_id
from ludotheque.server.storage.database import Kind, Storage, StoredKey, StoredTable
from ludotheque.table import Dice, Match

if TYPE_CHECKING:
    from ludotheque.server.tables.views import Drawing


class Seat(Struct, frozen=True):
    """Who sits, or may sit, at a seat."""

    who: Literal["person", "bot"]
    level: str = ""
    """Of a bot."""
    open: bool = False
    """Whether anybody may sit down."""
    taken: bool = False
    """Whether somebody has sat down; bots always have."""


class Pace(Struct, frozen=True):
    """How fast the bots of a table play."""

    seconds: float = 1.0
    """The least time that a move takes."""
    paused: bool = False


class UndoRequest(Struct, frozen=True):
    """Somebody wants to take moves back, and others have to agree."""

    seat: int
    to_ply: int
    agreed: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


class Rights(Struct, frozen=True):
    """What a client may do at a table."""

    seats: tuple[int, ...]
    """The seats that it holds."""
    is_host: bool

    def check_seat(self, seat: int) -> None:
        if seat not in self.seats:
            raise forbidden(phrase("You do not hold that seat."))

    def check_seated(self) -> None:
        """Whether the client has a say in how the table runs."""
        if not self.seats and not self.is_host:
            raise forbidden(phrase("Only those who sit at the table can do that."))


class LiveTable:
    """A table in memory."""

    def __init__(self, stored: StoredTable, history: Iterable[int], keys: Iterable[StoredKey]) -> None:
        game: Game = game_class(stored.game)(len(stored.seats), stored.settings)
        self.id = stored.id
        self.match = Match(game, stored.names, _dice(stored), history)
        self.kind = stored.kind
        self.origin = stored.origin
        self.origin_ply = stored.origin_ply
        self.version = stored.version
        self.host = stored.host
        self.seats = msgspec.convert(stored.seats, list[Seat])
        self.pace = msgspec.convert(stored.pace, Pace)
        self.undo_request = msgspec.convert(stored.undo_request, UndoRequest | None)
        self.keys: dict[bytes, set[int]] = {}
        for key in keys:
            self.keys.setdefault(key.digest, set()).add(key.seat)
        self.thinking: set[int] = set()
        self.drawings: dict[tuple[int, str], Drawing] = {}
        self.lock = asyncio.Lock()

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def has_open_seat(self) -> bool:
        return any(seat.open for seat in self.seats)

    @property
    def bot_to_move(self) -> bool:
        return self.match.to_move >= 0 and self.seats[self.match.to_move].who == "bot"

    def rights(self, digests: Iterable[bytes]) -> Rights:
        """What the holder of these keys may do; somebody without any is told that there is no such table."""
        opened: set[int] = set()
        is_host = False
        for digest in digests:
            opened |= self.keys.get(digest, set())
            is_host = is_host or digest == self.host
        if not opened and not is_host and not self.has_open_seat:
            raise not_found()
        return Rights(tuple(sorted(seat for seat in opened if seat >= 0)), is_host)

    def admits(self, digests: Iterable[bytes]) -> bool:
        """Whether the holder of these keys may know of the table."""
        return self.has_open_seat or any(digest == self.host or self.keys.get(digest) for digest in digests)

    def holders(self, seat: int) -> set[bytes]:
        """The digests of the keys to a seat."""
        return {digest for digest, seats in self.keys.items() if seat in seats}


def _dice(stored: StoredTable) -> Dice | None:
    if not stored.seed and not stored.commitment:
        return None
    return Dice(stored.seed, "" if stored.seed else stored.commitment, stored.dice_since)


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in a list."""

    id: str
    url: str
    game: str
    title: str
    names: tuple[str, ...]
    seats: tuple[int, ...]
    host: bool
    ply: int
    to_move: int
    my_turn: bool
    over: bool
    updated: datetime
    kind: Kind = "played"
    open: tuple[int, ...] = ()


def summary(stored: StoredTable, seats: Sequence[int], digests: Sequence[bytes]) -> Summary:
    """A table in few words, for one who holds these seats of it."""
    mine = tuple(seat for seat in seats if seat != SPECTATOR)
    return Summary(
        id=stored.id,
        url=f"/t/{stored.id}",
        game=stored.game,
        title=game_class(stored.game).title,
        names=tuple(stored.names),
        seats=mine,
        host=stored.host in digests,
        ply=stored.ply,
        to_move=stored.to_move,
        my_turn=stored.to_move in mine,
        over=stored.over,
        updated=stored.updated,
        kind=stored.kind,
        open=tuple(number for number, seat in enumerate(stored.seats) if seat.get("open")),
    )


class LiveTables:
    """All tables: those in memory, and those that can be fetched."""

    def __init__(self, storage: Storage, tables_in_memory: int) -> None:
        self.storage = storage
        self._most = tables_in_memory
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._in_use: Counter[str] = Counter()
        """The tables that are not put away: sockets are open on them, or bots are thinking."""

    def __len__(self) -> int:
        return len(self._tables)

    def pin(self, id: str) -> None:
        """Do not put a table away until it is let go as often."""
        self._in_use[id] += 1

    def unpin(self, id: str) -> None:
        self._in_use[id] -= 1
        if not self._in_use[id]:
            del self._in_use[id]

    def in_memory(self, id: str) -> LiveTable | None:
        return self._tables.get(id)

    async def table(self, id: str) -> LiveTable:
        """The table of that name."""
        table = self._tables.get(id)
        if table is None:
            if not is_table_id(id):
                raise not_found()
            try:
                async with self._loading.setdefault(id, asyncio.Lock()):
                    table = self._tables.get(id) or await self._load(id)
            finally:
                self._loading.pop(id, None)
        self._tables.move_to_end(id)
        return table

    async def _load(self, id: str) -> LiveTable:
        found = await self.storage.load_table(id)
        if found is None:
            raise not_found()
        if id not in self._tables:
            self._tables[id] = LiveTable(*found)
            self._evict()
        return self._tables[id]

    def _evict(self) -> None:
        """Forget the tables that nobody has looked at for longest."""
        for id in list(self._tables)[: max(0, len(self._tables) - self._most)]:
            if id not in self._in_use and not self._tables[id].lock.locked():
                del self._tables[id]

    async def reload(self, table: LiveTable) -> None:
        """Take a table up anew from disk, in place: somebody else changed it."""
        found = await self.storage.load_table(table.id)
        if found is None:
            raise not_found()
        fresh = LiveTable(*found)
        fields: tuple[str, ...] = ("match", "version", "host", "seats", "pace", "undo_request", "keys")
        for field in fields:
            setattr(table, field, getattr(fresh, field))


def as_plain(value: object) -> Any:
    """A value as the database takes it."""
    return msgspec.to_builtins(value)


def choose_viewer(table: LiveTable, rights: Rights, looking: int | None = None) -> tuple[int, int | None]:
    """Through which seat a client looks, and which of its seats has to be given the screen first, if any.

    Whoever holds one seat looks through it. Several people at one screen: if the game has secrets they say themselves
    whose turn it is to look, otherwise the eyes are those of the seat to move.
    """
    if not rights.seats:
        return SPECTATOR, None
    to_move = table.match.to_move
    mine_to_move = to_move in rights.seats
    if looking is None or (looking not in rights.seats and looking != SPECTATOR):
        looking = rights.seats[0]
        if mine_to_move and len(rights.seats) > 1 and not table.game.has_hidden_information:
            looking = to_move
    if len(rights.seats) == 1 or looking in (SPECTATOR, to_move) or not mine_to_move:
        return looking, None
    if table.game.has_hidden_information:
        return looking, to_move
    return to_move, None


def undo_target(table: LiveTable, seat: int, rights: Rights) -> tuple[Literal["free", "ask", ""], int, tuple[int, ...]]:
    """How a seat may take back its latest move, to which ply, and who has to agree."""
    match = table.match
    if match.is_over:
        return "", 0, ()
    if not match.why_not_undo(seat):
        return "free", match.ply - 1, ()
    to_ply = match.ply_before_latest_move(seat)
    if to_ply is None:
        return "", 0, ()
    others = tuple(
        number
        for number, other in enumerate(table.seats)
        if other.who == "person" and other.taken and number not in (seat, *rights.seats)
    )
    return ("ask" if others else "free"), to_ply, others
