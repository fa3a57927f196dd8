"""The database: tables, their plies, keys and chat. A change of a table is one transaction, and is durable before
anybody sees it.

A commit waits for the disk, and SQLite has one writer at a time, so changes that arrive during a commit share the next
one. For SQLite one thread executes them together: switching between the event loop and a thread for every statement
would cost more than the statements.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, TimeoutError as NoFreeConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ludotheque.core.errors import CannotServe, StaleVersion
from ludotheque.server.config import Settings
from ludotheque.server.storage.changes import AsyncWriter, ThreadWriter, make_durable, stale_table
from ludotheque.server.storage.keys import Key
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.rows import Change, ChatLine, ListedTable, StoredTable, StoredTurn, now
from ludotheque.server.storage.schema import CHAT, KEYS, PLIES, TABLES

CHAT_SHOWN: Final = 100
LISTED: Final = 100
MINE: Final = 1000
"""The most tables of one browser that are listed: there is no other way back to them."""
SPARE_BYTES: Final = 16_000_000
"""Free space on the disk of a SQLite file, below which the server is not ready."""
COMPARED_AT_ONCE: Final = 500
"""The most tables that one statement compares: a statement has few parameters, and others run in between."""
CHECKED_BYTES: Final = 64_000_000
"""The largest SQLite file whose pages are all checked at the start; `ludotheque database check` checks any."""
LISTED_COLUMNS: Final = [TABLES.c[name] for name in ListedTable.__struct_fields__]
_ONE_AT_A_TIME: Final = sql.text("SELECT pg_advisory_xact_lock(13)")
"""Lets one process migrate the database while others that start wait."""
_AT_ONCE: Final = 8
"""Changes committed together that are shown before other requests get their turn."""
_COMMIT_SECONDS: Final = 0.01
"""From one commit to the next, at least, while several tables change: a commit costs as much as several changes."""
_CONNECTIONS: Final = 15
"""To PostgreSQL, at most."""
_CONNECT_SECONDS: Final = 5.0
"""Seconds until a connection to PostgreSQL must be open."""
_COMMAND_SECONDS: Final = 10.0
"""Seconds that PostgreSQL may take for a command until its connection counts as lost. A connection cut without a
reset would else hold up every move until TCP gives up, after minutes; a busy disk may hold up a commit for seconds."""
STORAGE_ERRORS: Final = (DBAPIError, NoFreeConnection, OSError)
"""Errors of reading and writing while the database does not work; a time limit that has passed is an `OSError`."""
_OF_BOTS: Final = frozenset({"pace", "seats"})
"""Columns that decide which bots play: the process that changes one of them plays for them."""
_MIGRATIONS: Final = Path(__file__).with_name("migrations")


class Storage:
    """The database."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.process: Final = secrets.token_hex(4)
        """Names this server process among those that use the same database."""
        self._is_sqlite = settings.is_sqlite
        self._engine = _sqlite_engine(settings) if self._is_sqlite else _postgres_engine(settings)
        self._writing = asyncio.Lock()
        self._pending: list[tuple[Change, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._committed: set[str] = set()
        """The tables that changed by the latest commit."""
        self._committed_at = 0.0
        self._lock: _ServerLock | None = None
        self._writer: ThreadWriter | AsyncWriter = AsyncWriter(self._engine, self.process)
        if self._is_sqlite:
            self._writer = ThreadWriter(self._engine.url.set(drivername="sqlite"), self.process)

    async def open(self) -> None:
        """Connect, and migrate the database to the newest schema; `CannotServe` if this server cannot use it."""
        if not self._settings.database:
            self._settings.data.mkdir(parents=True, exist_ok=True)
        if self._is_sqlite:
            if self._engine.url.database:
                self._lock = _ServerLock(self._engine.url.database)
            async with self._engine.begin() as connection:
                if await _size(connection) <= CHECKED_BYTES:
                    await _check_pages(connection)
                await connection.run_sync(_migrate)
        else:
            await _migrate_postgres(self._settings)

    async def close(self) -> None:
        async with self._writing:
            await self._writer.close()
            await self._engine.dispose()
        if self._lock:
            self._lock.release()

    async def reconnect(self) -> None:
        """Drop the idle connections: the database was restarted or cannot be reached, so they are dead."""
        await self._engine.dispose()

    async def ping(self) -> None:
        """Raise if the database does not respond, or takes no changes: it is locked, or its disk is full."""
        async with self._write() as connection:
            # A row that no table has: a transaction that would write, and changes nothing.
            await connection.execute(sql.update(TABLES).where(TABLES.c.id == "").values(version=0))
        if self._is_sqlite and self._engine.url.database and self._free_bytes() < SPARE_BYTES:
            raise OSError(errno.ENOSPC, "The disk is full.")

    def _free_bytes(self) -> int:
        return shutil.disk_usage(Path(str(self._engine.url.database)).absolute().parent).free

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; in SQLite one after the other."""
        if self._is_sqlite:
            async with self._writing, self._engine.begin() as connection:
                yield connection
        else:
            async with self._engine.begin() as connection:
                yield connection

    # For services that have separate database tables.

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._engine.connect()

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._write()

    # Changes of a position.

    async def change(self, change: Change) -> None:
        """Make a change durable, or raise `StaleVersion` if the table is no longer at that version."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((change, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_all())
        await done

    async def _flush_all(self) -> None:
        """Commit pending changes until there are none."""
        try:
            while self._pending:
                await asyncio.sleep(self._seconds_to_wait())
                async with self._writing:
                    await self._flush()
        finally:
            self._flushing = None

    def _seconds_to_wait(self) -> float:
        """Return how long to wait for changes to share a commit; 0 unless several tables change all the time."""
        tables = {change.table for change, _ in self._pending}
        if tables == self._committed:
            return 0
        return max(0, self._committed_at + _COMMIT_SECONDS - time.monotonic())

    async def _flush(self) -> None:
        """Commit all pending changes together; if one of them fails, one by one."""
        waiting, self._pending = self._pending, []
        self._committed = {change.table for change, _ in waiting}
        try:
            await self._writer.apply([change for change, _ in waiting])
            self._committed_at = time.monotonic()
        except (StaleVersion, IntegrityError):
            await self._flush_singly(waiting)
        except Exception as error:
            for _, done in waiting:
                _settle(done, error)
        except BaseException:
            for _, done in waiting:
                done.cancel()
            raise
        else:
            for number, (_, done) in enumerate(waiting, 1):
                _settle(done)
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _flush_singly(self, waiting: list[tuple[Change, asyncio.Future[None]]]) -> None:
        """Commit changes one by one. Once the database fails, the rest fails with it: each of them would wait for its
        time limit in vain, and all later changes after it."""
        failure: Exception | None = None
        for change, done in waiting:
            error = failure or await self._why_not_changed(change)
            if isinstance(error, STORAGE_ERRORS):
                failure = error
            _settle(done, error)

    async def _why_not_changed(self, change: Change) -> Exception | None:
        """Commit one change; return what went wrong, if anything."""
        try:
            await self._writer.apply([change])
        except IntegrityError:
            return stale_table()
        except Exception as error:
            return error
        return None

    # Tables.

    async def add_table(self, table: StoredTable, keys: Collection[Key], plies: Sequence[tuple[int, int]]) -> None:
        async with self._write() as connection:
            await self._insert(connection, table, keys, plies)

    async def add_rematch(
        self, of: str, table: StoredTable, keys: Collection[Key], plies: Sequence[tuple[int, int]]
    ) -> str:
        """Add the rematch of a table, unless it has one already; return the id of the rematch."""
        first = sql.update(TABLES).where(TABLES.c.id == of, TABLES.c.rematch == "").values(rematch=table.id)
        async with self._write() as connection:
            if (await connection.execute(first)).rowcount == 1:
                await self._insert(connection, table, keys, plies)
                return table.id
            return str((await connection.execute(sql.select(TABLES.c.rematch).where(TABLES.c.id == of))).scalar_one())

    async def _insert(
        self,
        connection: AsyncConnection,
        table: StoredTable,
        keys: Collection[Key],
        plies: Sequence[tuple[int, int]],
    ) -> None:
        start = Change(table=table.id, version=0, keep=0, plies=plies, to_move=table.to_move)
        await connection.execute(sql.insert(TABLES).values(table.row() | {"driver": self.process}))
        if keys:
            await connection.execute(sql.insert(KEYS), [_key_row(table.id, key) for key in keys])
        if plies:
            await connection.execute(sql.insert(PLIES), start.ply_rows())

    async def load_table(self, id: str) -> tuple[StoredTable, list[int], list[Key]] | None:
        """A table, its history and its keys."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(sql.select(TABLES).where(TABLES.c.id == id))).mappings().one_or_none()
            if row is None:
                return None
            table = _stored_table(row)
            plies = await connection.execute(
                sql.select(PLIES.c.action).where(PLIES.c.table_id == id, PLIES.c.ply <= table.ply).order_by(PLIES.c.ply)
            )
            keys = await connection.execute(sql.select(KEYS).where(KEYS.c.table_id == id))
            return table, [int(action) for action in plies.scalars()], [_stored_key(key) for key in keys.mappings()]

    async def set_facts(
        self,
        id: str,
        revision: int,
        facts: Mapping[str, Any],
        add: Collection[Key] = (),
        drop: Collection[Key] = (),
        version: int | None = None,
    ) -> None:
        """Update columns of a table, and add and drop keys, all or nothing.

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
        async with self._write() as connection:
            if (await connection.execute(sql.update(TABLES).where(current).values(values))).rowcount != 1:
                raise stale_table()
            for key in drop:
                await connection.execute(sql.delete(KEYS).where(*_same_key(id, key)))
            if add:
                await connection.execute(sql.insert(KEYS), [_key_row(id, key) for key in add])

    async def versions(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The version and the revision of those of these tables that exist."""
        columns = sql.select(TABLES.c.id, TABLES.c.version, TABLES.c.revision)
        found: dict[str, tuple[int, int]] = {}
        async with self._engine.connect() as connection:
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
        async with self._engine.connect() as connection:
            for row in (await connection.execute(query)).mappings():
                found.setdefault(row["id"], (listed_table(row), []))[1].append(row["seat"])
        return list(found.values())

    async def with_open_seat(self) -> list[ListedTable]:
        """The tables that anybody may join, latest first."""
        query = (
            sql.select(*LISTED_COLUMNS)
            .where(TABLES.c.has_open_seat, ~TABLES.c.over, playable_condition())
            .order_by(TABLES.c.updated.desc())
            .limit(LISTED)
        )
        async with self._engine.connect() as connection:
            return [listed_table(row) for row in (await connection.execute(query)).mappings()]

    async def branches_of(self, id: str, hosts: Sequence[bytes]) -> list[ListedTable]:
        """The tables that these hosts branched from this one, latest first."""
        query = (
            sql.select(*LISTED_COLUMNS)
            .where(TABLES.c.branched_from == id, TABLES.c.host.in_(hosts))
            .order_by(TABLES.c.updated.desc())
            .limit(LISTED)
        )
        async with self._engine.connect() as connection:
            return [listed_table(row) for row in (await connection.execute(query)).mappings()]

    async def turns(self) -> list[StoredTurn]:
        """The turns of playable tables that wait for no person. Only what is needed is read: tables may be many."""
        columns = TABLES.c.id, TABLES.c.to_move, TABLES.c.seats, TABLES.c.pace, TABLES.c.ahead
        is_running = sql.and_(~TABLES.c.over, ~TABLES.c.closed, TABLES.c.to_move >= 0, playable_condition())
        async with self._engine.connect() as connection:
            rows = await connection.execute(sql.select(*columns).where(is_running).order_by(TABLES.c.updated))
            turns = [_stored_turn(row) for row in rows.mappings()]
        return [turn for turn in turns if turn.is_bots or turn.is_decided]

    # Keys.

    async def knows(self, digest: bytes) -> bool:
        """Whether a key opens anything."""
        key = sql.select(KEYS.c.seat).where(KEYS.c.digest == digest).limit(1)
        async with self._engine.connect() as connection:
            return (await connection.execute(key)).first() is not None

    # Chat.

    async def add_chat(self, table: str, seat: int, name: str, text: str) -> ChatLine:
        time = now()
        row = {"table_id": table, "seat": seat, "name": name, "text": text, "time": time}
        async with self._write() as connection:
            added = await connection.execute(sql.insert(CHAT).returning(CHAT.c.id), row)
            return ChatLine(added.scalar_one(), seat, name, text, time)

    async def latest_chat(self, table: str) -> list[ChatLine]:
        query = sql.select(CHAT).where(CHAT.c.table_id == table).order_by(CHAT.c.id.desc()).limit(CHAT_SHOWN)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [
            ChatLine(row["id"], row["seat"], row["name"], row["text"], row["time"].replace(tzinfo=UTC))
            for row in reversed(rows)
        ]


def _sqlite_engine(settings: Settings) -> AsyncEngine:
    engine = create_async_engine(settings.database_url, hide_parameters=True)
    sql.event.listen(engine.sync_engine, "connect", make_durable)
    return engine


def _postgres_engine(settings: Settings) -> AsyncEngine:
    """Connections that stay open, because opening one takes as long as many changes, each with time limits."""
    # A connection that is cut in a transaction would hold its locks for hours: PostgreSQL must end it too.
    ended = {"idle_in_transaction_session_timeout": str(round(1000 * _COMMAND_SECONDS))}
    limits = {"timeout": _CONNECT_SECONDS, "command_timeout": _COMMAND_SECONDS, "server_settings": ended}
    engine = create_async_engine(
        settings.database_url,
        hide_parameters=True,
        connect_args=limits,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=_COMMAND_SECONDS,
    )
    sql.event.listen(engine.sync_engine, "handle_error", _count_as_lost)
    sql.event.listen(engine.sync_engine, "close", _hang_up)
    return engine


def _count_as_lost(context: sql.ExceptionContext) -> None:
    """Drop a connection that did not respond in time, and the idle ones, which are likely to be dead too."""
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = context.invalidate_pool_on_disconnect = True


def _hang_up(connection: Any, _: object) -> None:
    """Close a connection at once: a farewell would wait for the answer of a dead one."""
    connection.driver_connection.terminate()


async def _migrate_postgres(settings: Settings) -> None:
    """Migrate, one process after the other; without a limit for commands, because large tables take long."""
    engine = create_async_engine(
        settings.database_url, hide_parameters=True, connect_args={"timeout": _CONNECT_SECONDS}
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(_ONE_AT_A_TIME)
            await connection.run_sync(_migrate)
    finally:
        await engine.dispose()


def why_failed(error: Exception) -> str:
    """Why the database cannot be used, in one line, and without its address, which may hold a password."""
    if isinstance(error, TimeoutError):
        return "it does not respond"
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).splitlines()[0]


def _settle(done: asyncio.Future[None], error: Exception | None = None) -> None:
    """Report how a change ended, if anybody still waits for it."""
    if done.done():
        return
    if error:
        done.set_exception(error)
    else:
        done.set_result(None)


class _ServerLock:
    """Keeps a second server away from a SQLite file, since neither would learn of the other's changes.

    The lock is a transaction on a small file beside it; the system ends it with the process, even after a crash.
    """

    def __init__(self, database: str) -> None:
        self._connection = sqlite3.connect(f"{database}-served", timeout=0, isolation_level=None)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise CannotServe(
                f"Another server has the tables in {database} open; stop it, or name another folder with --data."
            ) from error

    def release(self) -> None:
        self._connection.close()


async def _size(connection: AsyncConnection) -> int:
    """The bytes of a SQLite file."""
    pages, bytes_each = [
        (await connection.execute(sql.text(f"PRAGMA {name}"))).scalar_one() for name in ("page_count", "page_size")
    ]
    return int(pages) * int(bytes_each)


async def _check_pages(connection: AsyncConnection) -> None:
    """Raise `CannotServe` if a page of a SQLite file is damaged."""
    try:
        found = (await connection.execute(sql.text("PRAGMA quick_check(1)"))).scalar_one()
    except DatabaseError as error:
        found = str(error.orig)
    if found != "ok":
        raise CannotServe(f"The database is damaged ({found.splitlines()[-1]}); restore it from a copy.")


def _migrate(connection: sql.Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise CannotServe(
            "These tables were kept by a newer version of Ludotheque; serve them with that one, or name another"
            " folder with --data."
        ) from error


def listed_table(row: sql.RowMapping) -> ListedTable:
    return ListedTable(**_fields(row, ListedTable.__struct_fields__))


def _stored_table(row: sql.RowMapping) -> StoredTable:
    own = [name for name in StoredTable.__struct_fields__ if name != "facts"]
    facts = {str(name): value for name, value in row.items() if name not in own}
    return StoredTable(**_fields(row, own), facts=facts)


def _fields(row: sql.RowMapping, names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names} | {"updated": row["updated"].replace(tzinfo=UTC)}


def _stored_turn(row: sql.RowMapping) -> StoredTurn:
    players = [seat["who"] for seat in row["seats"]]
    is_bots = players[row["to_move"]] == "bot" and not row["pace"].get("paused")
    return StoredTurn(row["id"], is_bots, str(row["to_move"]) in row["ahead"], "person" in players)


def _key_row(table: str, key: Key) -> dict[str, Any]:
    return {"digest": key.digest, "table_id": table, "seat": key.seat, "kind": key.kind}


def _same_key(table: str, key: Key) -> tuple[sql.ColumnElement[bool], ...]:
    return KEYS.c.digest == key.digest, KEYS.c.table_id == table, KEYS.c.seat == key.seat


def _stored_key(row: sql.RowMapping) -> Key:
    return Key(row["digest"], row["seat"], row["kind"])
