"""Transactions on a SQLite file, each carried out in one go by a thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar, cast

import sqlalchemy as sql
from sqlalchemy.ext.asyncio import AsyncConnection

P = ParamSpec("P")
T = TypeVar("T")
Transaction = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""The statements of a transaction; it waits for nothing else."""


class TransactionThread:
    """A thread with its own connection to a SQLite file."""

    def __init__(self, url: sql.URL, name: str) -> None:
        self.engine = sql.create_engine(url, hide_parameters=True)
        sql.event.listen(self.engine, "connect", make_durable)
        self._executor = ThreadPoolExecutor(1, name)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in the thread."""
        in_context = copy_context().run
        return await asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: in_context(work, *args, **kwargs)
        )

    async def transact(self, transaction: Transaction[T], spend: Callable[[float], None]) -> T:
        """Carry out a transaction in one go, and report the processor time that it took; to the end, even if nobody
        waits for it any more."""
        doing = asyncio.ensure_future(self.run(self._transact, transaction))
        try:
            result, seconds = await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise
        spend(seconds)
        return result

    def _transact(self, transaction: Transaction[T]) -> tuple[T, float]:
        began = time.thread_time()
        with self.engine.begin() as connection:
            result = _finished(transaction(cast(AsyncConnection, _InThread(connection))))
        return result, time.thread_time() - began

    async def close(self) -> None:
        await self.run(self.engine.dispose)
        await asyncio.to_thread(self._executor.shutdown)


class _InThread:
    """A connection as it is on the event loop, whose statements are carried out at once in this thread."""

    def __init__(self, connection: sql.Connection) -> None:
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, statement: Any, parameters: Any = None) -> sql.CursorResult[Any]:
        return self._connection.execute(statement, parameters)


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of work that never waits."""
    try:
        work.send(None)
    except StopIteration as finished:
        result: T = finished.value
        return result
    raise RuntimeError("a transaction waits for something else than the database")


def make_durable(connection: Any, _: object) -> None:
    """Let committed transactions survive a crash and a power cut."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
