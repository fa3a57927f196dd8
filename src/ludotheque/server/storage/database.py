"""The database: tables, their plies, keys and chat. A change of a table is one transaction, and is durable before
anyone sees it."""

from __future__ import annotations

import asyncio
import errno
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ludotheque.server.config import Settings
from ludotheque.server.fair_queue import FairQueue
from ludotheque.server.pauses import may_pause, without_pauses
from ludotheque.server.storage.changes import DELETE_PLIES, AsyncWriter, ThreadWriter
from ludotheque.server.storage.commits import Cause, GroupCommit, no_cause
from ludotheque.server.storage.failures import stale_table
from ludotheque.server.storage.keys import Key
from ludotheque.server.storage.mapping import (
    LISTED_COLUMNS,
    key_row,
    listed_table,
    same_key,
    stored_key,
    stored_table,
    stored_turn,
)
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.postgres import migrate_postgres, postgres_engine
from ludotheque.server.storage.rows import Change, ChatLine, ListedTable, StoredTable, StoredTurn, now
from ludotheque.server.storage.schema import CHAT, KEYS, PLIES, PROFILES, REPORTS, TABLES, WISHES
from ludotheque.server.storage.sqlite import ServerLock, check_and_migrate
from ludotheque.server.storage.transactions import T, Transaction, TransactionThread, make_durable

CHAT_SHOWN: Final = 100
LISTED: Final = 100
MINE: Final = 1000
"""The most tables of one browser that are listed: there is no other way back to them."""
SPARE_BYTES: Final = 16_000_000
"""Free space on the disk of a SQLite file, below which the server is not ready."""
READERS: Final = 4
"""Requests that read a SQLite file at once: they go on while a move is under way, so that the move waits for them."""
COMPARED_AT_ONCE: Final = 500
"""The most tables that one statement compares: a statement has few parameters, and others run in between."""
_LATEST: Final = sql.select(*LISTED_COLUMNS).order_by(TABLES.c.updated.desc()).limit(LISTED)
_WITH_OPEN_SEAT: Final = _LATEST.where(TABLES.c.has_open_seat, ~TABLES.c.over)
_WATCHABLE: Final = _LATEST.where(
    TABLES.c.watchable, ~TABLES.c.has_open_seat, ~TABLES.c.over, ~TABLES.c.closed, TABLES.c.password == ""
)
"""Queries that every visit of the lobby asks: to build them takes longer than to answer them."""
_OF_BOTS: Final = frozenset({"pace", "seats"})
"""Columns that decide which bots play: the process that changes one of them plays for them."""


class Storage:
    """The database."""

    def __init__(self, settings: Settings, cause: Callable[[], Cause | None] = no_cause) -> None:
        """`cause` names who caused the present work."""
        self._settings = settings
        self._cause = cause
        self.process: Final = secrets.token_hex(4)
        """Names this server process among those that use the same database."""
        self._is_sqlite = settings.is_sqlite
        self._engine = _sqlite_engine(settings) if self._is_sqlite else postgres_engine(settings)
        self._writing = asyncio.Lock()
        self._writers = FairQueue(1)
        """Lets one writer of anything but moves wait for `_writing`, so that moves wait for one only."""
        self._readers = FairQueue(READERS)
        self._lock: ServerLock | None = None
        self._writer: ThreadWriter | AsyncWriter = AsyncWriter(self._engine, self.process)
        self._reader: TransactionThread | None = None
        if self._is_sqlite:
            url = self._engine.url.set(drivername="sqlite")
            self._writer, self._reader = ThreadWriter(url, self.process), TransactionThread(url, "reads")
        self._changes = GroupCommit(self._writer, self._writing, cause)

    async def open(self) -> None:
        """Connect, and migrate the database to the newest schema; `CannotServe` if this server cannot use it."""
        if not self._settings.database:
            self._settings.data.mkdir(parents=True, exist_ok=True)
        if self._is_sqlite:
            if self._engine.url.database:
                self._lock = ServerLock(self._engine.url.database)
            await check_and_migrate(self._engine)
        else:
            await migrate_postgres(self._settings)

    async def close(self) -> None:
        async with self._writing:
            await self._writer.close()
            if self._reader:
                await self._reader.close()
            await self._engine.dispose()
        if self._lock:
            self._lock.release()

    async def reconnect(self) -> None:
        """Drop the idle connections: the database was restarted or cannot be reached, so they are dead."""
        await self._engine.dispose()

    async def ping(self) -> None:
        """Raise if the database does not respond, or takes no changes: it is locked, or its disk is full."""
        async with self.writing() as connection:
            # A row that no table has: a transaction that would write, and changes nothing.
            await connection.execute(sql.update(TABLES).where(TABLES.c.id == "").values(version=0))
        if self._is_sqlite and self._engine.url.database and self._free_bytes() < SPARE_BYTES:
            raise OSError(errno.ENOSPC, "The disk is full.")

    def _free_bytes(self) -> int:
        return shutil.disk_usage(Path(str(self._engine.url.database)).absolute().parent).free

    # Connections, also for services that have separate database tables. Others wait for them, so that who holds one
    # does not wait for processor time.

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads."""
        async with self._reading_turn(), self._engine.connect() as connection:
            yield connection

    async def read(self, transaction: Transaction[T]) -> T:
        """Carry out statements that read and wait for nothing else; in SQLite one thread does so in one go."""
        if self._reader is None:
            async with self.reading() as connection:
                return await transaction(connection)
        spend = self._spend()
        async with self._reading_turn():
            return await self._reader.transact(transaction, spend)

    @asynccontextmanager
    async def _reading_turn(self) -> AsyncIterator[None]:
        """The turn to read, which SQLite lets few have at a time."""
        is_awaited = not may_pause()
        with without_pauses():
            async with AsyncExitStack() as stack:
                if self._is_sqlite and not is_awaited:
                    await stack.enter_async_context(_turn(self._readers, self._cause()))
                yield

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; in SQLite one after the other."""
        async with self._writing_turn(), self._engine.begin() as connection:
            yield connection

    async def write(self, transaction: Transaction[T]) -> T:
        """Carry out a transaction that waits for nothing else. In SQLite one thread does so in one go: moves wait for
        it, and between any two statements a busy event loop does much else."""
        spend = self._spend()
        async with self._writing_turn():
            return await self._writer.transact(transaction, spend)

    def _spend(self) -> Callable[[float], None]:
        """Return the function that counts the processor time of a transaction for its cause."""
        cause, can_wait = self._cause(), may_pause()
        return partial(cause.spend, can_wait=can_wait) if cause else _free

    @asynccontextmanager
    async def _writing_turn(self) -> AsyncIterator[None]:
        """The turn to write, which SQLite lets one have at a time."""
        is_awaited = not may_pause()
        with without_pauses():
            async with AsyncExitStack() as stack:
                if self._is_sqlite:
                    await stack.enter_async_context(_turn(self._writers, self._cause(), is_awaited))
                    await stack.enter_async_context(self._writing)
                yield

    # Changes of a position.

    async def change(self, change: Change) -> None:
        """Make a change durable, or raise `StaleVersion` if the table is no longer at that version."""
        await self._changes.add(change)

    # Tables.

    async def add_rematch(
        self, of: str, table: StoredTable, keys: Collection[Key], plies: Sequence[tuple[int, int]]
    ) -> str:
        """Add the rematch of a table, unless it has one already; return the id of the rematch."""
        first = sql.update(TABLES).where(TABLES.c.id == of, TABLES.c.rematch == "").values(rematch=table.id)

        async def add(connection: AsyncConnection) -> str:
            if (await connection.execute(first)).rowcount == 1:
                await self.insert_table(connection, table, keys, plies)
                return table.id
            return str((await connection.execute(sql.select(TABLES.c.rematch).where(TABLES.c.id == of))).scalar_one())

        return await self.write(add)

    async def insert_table(
        self,
        connection: AsyncConnection,
        table: StoredTable,
        keys: Collection[Key],
        plies: Sequence[tuple[int, int]],
    ) -> None:
        """Add a table as a part of a transaction."""
        start = Change(table=table.id, version=0, keep=0, plies=plies, to_move=table.to_move)
        await connection.execute(sql.insert(TABLES).values(table.row() | {"driver": self.process}))
        if keys:
            await connection.execute(sql.insert(KEYS), [key_row(table.id, key) for key in keys])
        if plies:
            await connection.execute(sql.insert(PLIES), start.ply_rows())

    async def load_table(self, id: str) -> tuple[StoredTable, list[int], list[Key]] | None:
        """A table, its history and its keys."""
        return await self.read(partial(_load_table, id=id))

    async def set_facts(
        self,
        id: str,
        revision: int,
        facts: Mapping[str, Any],
        add: Collection[Key] = (),
        drop: Collection[Key] = (),
        version: int | None = None,
    ) -> None:
        """Update columns of a table, and add and drop keys, all or nothing; the plies after a new `ply` are deleted.

        `StaleVersion` if the table is no longer at that revision. With a version, the position must not have changed
        either, and gets the next version.
        """
        current = sql.and_(TABLES.c.id == id, TABLES.c.revision == revision)
        values = {**facts, "revision": revision + 1}
        if version is not None:
            current = sql.and_(current, TABLES.c.version == version)
            values["version"] = version + 1
        if not _OF_BOTS.isdisjoint(facts):
            values["driver"] = self.process

        async def set_them(connection: AsyncConnection) -> None:
            if (await connection.execute(sql.update(TABLES).where(current).values(values))).rowcount != 1:
                raise stale_table()
            if "ply" in facts:
                await connection.execute(DELETE_PLIES, {"b_id": id, "b_keep": facts["ply"]})
            for key in drop:
                await connection.execute(sql.delete(KEYS).where(*same_key(id, key)))
            if add:
                await connection.execute(sql.insert(KEYS), [key_row(id, key) for key in add])

        await self.write(set_them)

    async def versions(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The version and the revision of those of these tables that exist."""
        columns = sql.select(TABLES.c.id, TABLES.c.version, TABLES.c.revision)
        found: dict[str, tuple[int, int]] = {}
        async with self.reading() as connection:
            for start in range(0, len(ids), COMPARED_AT_ONCE):
                some = ids[start : start + COMPARED_AT_ONCE]
                rows = await connection.execute(columns.where(TABLES.c.id.in_(some)))
                found |= {row.id: (row.version, row.revision) for row in rows}
        return found

    async def held_by(self, digest: bytes) -> list[tuple[ListedTable, list[int]]]:
        """The tables that a key opens, latest first, with the seats."""
        held = sql.select(KEYS.c.table_id).where(KEYS.c.digest == digest)
        listed = sql.select(TABLES.c.id).where(TABLES.c.id.in_(held)).order_by(TABLES.c.over, TABLES.c.updated.desc())
        query = (
            sql.select(*LISTED_COLUMNS, KEYS.c.seat)
            .join(KEYS, KEYS.c.table_id == TABLES.c.id)
            .where(KEYS.c.digest == digest, TABLES.c.id.in_(listed.limit(MINE)))
            .order_by(TABLES.c.updated.desc(), TABLES.c.id, KEYS.c.seat)
        )
        found: dict[str, tuple[ListedTable, list[int]]] = {}
        async with self.reading() as connection:
            for row in (await connection.execute(query)).mappings():
                found.setdefault(row["id"], (listed_table(row), []))[1].append(row["seat"])
        return list(found.values())

    async def with_open_seat(self) -> list[ListedTable]:
        """The tables that anyone may join, latest first."""
        return await self._listed(_WITH_OPEN_SEAT.where(playable_condition()))

    async def watchable(self) -> list[ListedTable]:
        """The running games that anyone may watch, latest first; those with an open seat are listed as such."""
        return await self._listed(_WATCHABLE.where(playable_condition()))

    async def branches_of(self, id: str, hosts: Sequence[bytes]) -> list[ListedTable]:
        """The tables that these hosts branched from this one, latest first."""
        return await self._listed(_LATEST.where(TABLES.c.branched_from == id, TABLES.c.host.in_(hosts)))

    async def _listed(self, query: sql.Select[Any]) -> list[ListedTable]:
        async with self.reading() as connection:
            return [listed_table(row) for row in (await connection.execute(query)).mappings()]

    async def turns(self) -> list[StoredTurn]:
        """The turns of playable tables that wait for no person. Only what is needed is read: tables may be many."""
        columns = TABLES.c.id, TABLES.c.to_move, TABLES.c.seats, TABLES.c.pace, TABLES.c.ahead
        is_running = sql.and_(~TABLES.c.over, ~TABLES.c.closed, TABLES.c.to_move >= 0, playable_condition())
        async with self.reading() as connection:
            rows = await connection.execute(sql.select(*columns).where(is_running).order_by(TABLES.c.updated))
            turns = [stored_turn(row) for row in rows.mappings()]
        return [turn for turn in turns if turn.is_bots or turn.is_decided]

    # Keys.

    async def knows(self, digest: bytes) -> bool:
        """Whether a key opens a table, or is that of a profile or of someone who waits to be paired."""
        opens = sql.select(KEYS.c.seat).where(KEYS.c.digest == digest).limit(1)
        is_profile = sql.select(PROFILES.c.id).where(PROFILES.c.key == digest)
        waits = sql.select(WISHES.c.game).where(WISHES.c.browser == digest).limit(1)
        async with self.reading() as connection:
            for query in (opens, is_profile, waits):
                if (await connection.execute(query)).first() is not None:
                    return True
        return False

    # Chat.

    async def add_chat(self, table: str, seat: int, name: str, text: str, ready: str = "") -> ChatLine:
        time = now()
        row = {"table_id": table, "seat": seat, "name": name, "text": text, "time": time, "ready": ready}

        async def add(connection: AsyncConnection) -> int:
            return int((await connection.execute(sql.insert(CHAT).returning(CHAT.c.id), row)).scalar_one())

        return ChatLine(await self.write(add), seat, name, text, time, ready)

    async def remove_chat(self, table: str, line: int) -> ChatLine | None:
        """Remove the text of a line, and what was reported about it; return what is left of the line. Its number stays
        taken, since pages know the lines by their numbers."""
        at = sql.and_(CHAT.c.id == line, CHAT.c.table_id == table)
        emptied = sql.update(CHAT).where(at).values(name="", text="", ready="").returning(CHAT.c.seat, CHAT.c.time)
        async with self.writing() as connection:
            row = (await connection.execute(emptied)).one_or_none()
            await connection.execute(sql.delete(REPORTS).where(REPORTS.c.line == line))
        return ChatLine(line, row.seat, "", "", row.time.replace(tzinfo=UTC)) if row else None

    async def rename_chat(self, table: str, seat: int, old: str, new: str) -> None:
        """Replace a name beside what its owner has said at a table."""
        at = sql.and_(CHAT.c.table_id == table, CHAT.c.seat == seat, CHAT.c.name == old)
        async with self.writing() as connection:
            await connection.execute(sql.update(CHAT).where(at).values(name=new))

    async def latest_chat(self, table: str) -> list[ChatLine]:
        return await self.read(partial(latest_chat, table=table))


async def _load_table(connection: AsyncConnection, id: str) -> tuple[StoredTable, list[int], list[Key]] | None:
    row = (await connection.execute(sql.select(TABLES).where(TABLES.c.id == id))).mappings().one_or_none()
    if row is None:
        return None
    table = stored_table(row)
    plies = await connection.execute(
        sql.select(PLIES.c.action).where(PLIES.c.table_id == id, PLIES.c.ply <= table.ply).order_by(PLIES.c.ply)
    )
    keys = await connection.execute(sql.select(KEYS).where(KEYS.c.table_id == id))
    return table, [int(action) for action in plies.scalars()], [stored_key(key) for key in keys.mappings()]


async def latest_chat(connection: AsyncConnection, table: str) -> list[ChatLine]:
    """The latest lines of chat at a table, in order."""
    rows = (await connection.execute(_LATEST_CHAT, {"table": table})).mappings().all()
    return [
        ChatLine(row["id"], row["seat"], row["name"], row["text"], row["time"].replace(tzinfo=UTC), row["ready"])
        for row in reversed(rows)
    ]


_LATEST_CHAT: Final = (
    sql.select(CHAT)
    .where(CHAT.c.table_id == sql.bindparam("table"), CHAT.c.text != "")
    .order_by(CHAT.c.id.desc())
    .limit(CHAT_SHOWN)
)
"""Made once, since every socket that is opened asks it."""


def _free(seconds: float) -> None:
    """Count processor time that nobody pays for."""


@asynccontextmanager
async def _turn(queue: FairQueue, cause: Cause | None, is_awaited: bool = False) -> AsyncIterator[None]:
    """A place in a queue, in which networks take turns. Moves under way come first, unless they wait for this one."""
    await queue.acquire(people_wait=True, seconds=0, network=cause.network if cause else None)
    try:
        if cause and not is_awaited:
            await cause.let_moves_pass()
        yield
    finally:
        queue.release(0)


def _sqlite_engine(settings: Settings) -> AsyncEngine:
    engine = create_async_engine(settings.database_url, hide_parameters=True)
    sql.event.listen(engine.sync_engine, "connect", make_durable)
    return engine
