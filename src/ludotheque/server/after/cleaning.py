"""Delete tables and tournaments that no one has played or changed for a long time, with all that is stored of them."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

import sqlalchemy as sql

from ludotheque.server.repeated import Repeated
from ludotheque.server.storage.locks import lock_tables
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.schema import PRESENCES, TABLES
from ludotheque.server.storage.tournaments import delete_old_tournaments
from ludotheque.server.tables.cache import LiveTables

EVERY_SECONDS: Final = 3600.0
_AT_ONCE: Final = 200
"""Tables that one command deletes: a command has a time limit, and others wait for it."""
_LOG: Final = logging.getLogger("ludotheque.server.after.cleaning")


class TableCleaner:
    """Deletes old tables once an hour."""

    def __init__(self, live_tables: LiveTables, days: int) -> None:
        """`days`: how long a table is stored after its last move; 0 keeps it for ever."""
        self._live_tables = live_tables
        self._days = days
        failure = "old tables were not deleted; the next try is in an hour"
        self._cleaning = Repeated(self.delete_old, EVERY_SECONDS, failure)

    def start(self) -> None:
        if self._days:
            self._cleaning.start()

    async def stop(self) -> None:
        await self._cleaning.stop()

    async def delete_old(self) -> list[str]:
        """Delete the tables whose last move is too old, except those that someone has open; return their ids."""
        gone: list[str] = []
        while some := await self._delete_some():
            gone += some
        await delete_old_tournaments(self._live_tables.storage, now() - timedelta(days=self._days))
        if gone:
            _LOG.info("old tables were deleted", extra={"tables": len(gone)})
        return gone

    async def _delete_some(self) -> list[str]:
        is_old = TABLES.c.updated < now() - timedelta(days=self._days)
        unwatched = TABLES.c.id.not_in([*self._live_tables.pinned])
        unseen = TABLES.c.id.not_in(sql.select(PRESENCES.c.table_id))
        async with self._live_tables.storage.writing() as connection:
            gone = await lock_tables(connection, sql.and_(is_old, unwatched, unseen), _AT_ONCE)
            await connection.execute(sql.delete(TABLES).where(TABLES.c.id.in_(gone)))
        for id in gone:
            self._live_tables.drop(id)
        return gone
