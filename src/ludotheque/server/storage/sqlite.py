"""A SQLite file before it is served: the lock of its server, the check of its pages, its migration."""

from __future__ import annotations

import sqlite3
from typing import Final

import sqlalchemy as sql
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ludotheque.core.errors import CannotServe
from ludotheque.server.storage.migrating import migrate

CHECKED_BYTES: Final = 64_000_000
"""The largest SQLite file whose pages are all checked at the start; `ludotheque check-database` checks any."""


async def check_and_migrate(engine: AsyncEngine) -> None:
    """Check the pages of a SQLite file unless it is large, and migrate it."""
    async with engine.begin() as connection:
        if await _size(connection) <= CHECKED_BYTES:
            await _check_pages(connection)
        await connection.run_sync(migrate)


class ServerLock:
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
