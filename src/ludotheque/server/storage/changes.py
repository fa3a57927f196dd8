"""Write changes of a table durably."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from ludotheque.server.storage.failures import stale_table
from ludotheque.server.storage.rows import Change
from ludotheque.server.storage.schema import PLIES, TABLES
from ludotheque.server.storage.transactions import T, Transaction, TransactionThread

_NEW_PLIES: Final = sql.insert(PLIES)
DELETE_PLIES: Final = sql.delete(PLIES).where(
    PLIES.c.table_id == sql.bindparam("b_id"), PLIES.c.ply > sql.bindparam("b_keep")
)
_CHANGED: Final = ("version", "ply", "to_move", "over", "undo_request", "clock", "driver", "updated")
_NEXT_VERSION: Final = (
    sql.update(TABLES)
    .where(TABLES.c.id == sql.bindparam("b_id"), TABLES.c.version == sql.bindparam("b_version"))
    .values({name: sql.bindparam(name) for name in _CHANGED})
)


class AsyncWriter:
    """Writes changes on the event loop, by an asynchronous driver."""

    def __init__(self, engine: AsyncEngine, process: str) -> None:
        self._engine = engine
        self._process = process

    async def apply(self, changes: Sequence[Change]) -> None:
        async with self._engine.begin() as connection:
            await connection.run_sync(_apply, changes, self._process)

    async def transact(self, transaction: Transaction[T], spend: Callable[[float], None]) -> T:
        """Carry out a transaction. The event loop measures its time, so that `spend` is not called."""
        async with self._engine.begin() as connection:
            return await transaction(connection)

    async def close(self) -> None:
        """Do nothing: the engine belongs to the storage."""


class ThreadWriter:
    """Writes changes to a SQLite file in a separate thread.

    The statements are compiled once and executed by the driver itself: SQLAlchemy would take several times as long to
    pass them on as SQLite takes to carry them out.
    """

    def __init__(self, url: sql.URL, process: str) -> None:
        self._process = process
        self._thread = TransactionThread(url, "changes")
        self._connection: Any = None

    async def apply(self, changes: Sequence[Change]) -> None:
        await self._thread.run(self._apply, changes)

    def _apply(self, changes: Sequence[Change]) -> None:
        if self._connection is None:
            self._connection = self._thread.engine.raw_connection()
        try:
            with self._connection.driver_connection as connection:
                _apply_by_driver(connection, changes, self._process)
        except sqlite3.Error as error:
            raise DBAPIError.instance(None, None, error, sqlite3.Error, hide_parameters=True) from error

    async def transact(self, transaction: Transaction[T], spend: Callable[[float], None]) -> T:
        """Carry out a transaction, and report the processor time that it took."""
        return await self._thread.transact(transaction, spend)

    async def close(self) -> None:
        if self._connection is not None:
            await self._thread.run(self._connection.close)
        await self._thread.close()


class _DriverStatement:
    """A statement as SQLite's driver takes it."""

    def __init__(self, statement: sql.ClauseElement) -> None:
        dialect = sqlite.dialect(paramstyle="named")
        compiled: Any = statement.compile(dialect=dialect)
        self._text = str(compiled)
        processors = {name: bind.type.dialect_impl(dialect).bind_processor(dialect)
                      for name, bind in compiled.binds.items()}  # fmt: skip
        self._processors = {name: processor for name, processor in processors.items() if processor}

    def execute(self, connection: sqlite3.Connection, rows: Sequence[dict[str, Any]]) -> int:
        """Execute it for each row, and return how many rows of the database changed."""
        for name, processor in self._processors.items():
            for row in rows:
                row[name] = processor(row[name])
        return connection.executemany(self._text, rows).rowcount


def _apply_by_driver(connection: sqlite3.Connection, changes: Sequence[Change], process: str) -> None:
    """Write changes; `StaleVersion` if a table is not at the version that a change is for."""
    taken_back = [{"b_id": change.table, "b_keep": change.keep} for change in changes if not change.plies]
    if taken_back:
        _DRIVER_DELETE_PLIES.execute(connection, taken_back)
    if _DRIVER_NEXT_VERSION.execute(connection, [change.row(process) for change in changes]) != len(changes):
        raise stale_table()
    plies = [row for change in changes for row in change.ply_rows()]
    if plies:
        _DRIVER_NEW_PLIES.execute(connection, plies)


def _apply(connection: sql.Connection, changes: Sequence[Change], process: str) -> None:
    """Write changes; `StaleVersion` if a table is not at the version that a change is for."""
    # One by one, because the driver does not count the rows of several; in the order of `locks`.
    rows = sorted([change.row(process) for change in changes], key=itemgetter("b_id"))
    if sum(connection.execute(_NEXT_VERSION, row).rowcount for row in rows) != len(changes):
        raise stale_table()
    taken_back = [{"b_id": change.table, "b_keep": change.keep} for change in changes if not change.plies]
    if taken_back:
        connection.execute(DELETE_PLIES, taken_back)
    plies = [row for change in changes for row in change.ply_rows()]
    if plies:
        connection.execute(_NEW_PLIES, plies)


_DRIVER_DELETE_PLIES: Final = _DriverStatement(DELETE_PLIES)
_DRIVER_NEXT_VERSION: Final = _DriverStatement(_NEXT_VERSION)
_DRIVER_NEW_PLIES: Final = _DriverStatement(_NEW_PLIES)
