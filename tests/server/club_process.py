"""A server process without HTTP, for tests of what people do together: storage, tables and their opener."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import sqlalchemy as sql

from ludotheque.server.config import Settings
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.workers import LimitedWorkers


class ClubProcess:
    """The parts that every such process has; tests add a clock and the part they are about."""

    def __init__(self, settings: Settings) -> None:
        self.storage, self.events = Storage(settings), TableEvents()
        self.live_tables = LiveTables(self.storage, 100)
        self.opener = TableOpener(self.live_tables, self.events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())

    async def count(self, table: sql.Table) -> int:
        """The number of rows of a database table."""
        async with self.storage.reading() as connection:
            return int((await connection.execute(sql.select(sql.func.count()).select_from(table))).scalar_one())

    async def stop(self) -> None:
        await self.storage.close()


AnyProcess = TypeVar("AnyProcess", bound=ClubProcess)


@asynccontextmanager
async def running(process: AnyProcess) -> AsyncIterator[AnyProcess]:
    """Open the storage of a process, and stop it at the end."""
    await process.storage.open()
    try:
        yield process
    finally:
        await process.stop()
