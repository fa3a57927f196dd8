"""Tables in memory: loaded when someone asks for them, evicted when no one uses them."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection
from typing import Final

from ludotheque.server.errors import Refused, not_found
from ludotheque.server.keys import is_table_id
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.live import LiveTable, load

UNUSED_IN_MEMORY: Final = 20
"""The number of finished games, and games with custom boards or cards, that stay in memory while no one uses them."""


class LiveTables:
    """The tables in memory, and the way to those on disk."""

    def __init__(self, storage: Storage, tables_in_memory: int) -> None:
        self.storage = storage
        self._capacity = tables_in_memory
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        """The least recently used table comes first."""
        self._loading: dict[str, asyncio.Lock] = {}
        self._pins: Counter[str] = Counter()
        """The number of sockets and thinking bots that use a table, by table."""
        self._unused: OrderedDict[str, None] = OrderedDict()
        """The tables that need not stay in memory, and were unused, the oldest first."""

    def __len__(self) -> int:
        return len(self._tables)

    def pin(self, id: str) -> None:
        """Keep a table in memory until it is unpinned as often."""
        self._pins[id] += 1

    def unpin(self, id: str) -> None:
        self._pins[id] -= 1
        if not self._pins[id]:
            del self._pins[id]
            self._evict_soon(self._tables.get(id))

    @property
    def pinned(self) -> Collection[str]:
        return self._pins.keys()

    def drop(self, id: str) -> None:
        """Drop a table that was deleted."""
        self._tables.pop(id, None)

    def in_memory(self, id: str) -> LiveTable | None:
        return self._tables.get(id)

    async def table(self, id: str) -> LiveTable:
        """The table with that id, loaded if necessary."""
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
        return self.add(await self._read(id))

    def add(self, table: LiveTable) -> LiveTable:
        """Keep a table that is on disk in memory, unless it is there already; return the one in memory."""
        if table.id not in self._tables:
            self._tables[table.id] = table
            self._evict()
            self._evict_soon(table)
        return self._tables[table.id]

    def _evict(self) -> None:
        """Drop the least recently used tables beyond the capacity, except those in use."""
        for id in list(self._tables)[: max(0, len(self._tables) - self._capacity)]:
            self._evict_unused(id)

    def _evict_soon(self, table: LiveTable | None) -> None:
        """Note that a table is unused, and drop those that have been unused for longest and need not stay."""
        if table is None or not (table.match.is_over or table.has_custom_document):
            return
        self._unused[table.id] = None
        self._unused.move_to_end(table.id)
        while len(self._unused) > UNUSED_IN_MEMORY:
            self._evict_unused(self._unused.popitem(last=False)[0])

    def _evict_unused(self, id: str) -> None:
        table = self._tables.get(id)
        if table and id not in self._pins and not table.lock.locked():
            del self._tables[id]

    async def reload(self, table: LiveTable) -> bool:
        """Read a table from disk again, in place: another process changed it. Return whether anyone may see that."""
        return table.replace(await self._read(table.id, table))

    async def reload_outdated(self) -> list[LiveTable]:
        """Reload the tables that other processes have changed, and return those that look different; drop those that
        are gone."""
        known = list(self._tables.values())
        stored = await self.storage.versions([table.id for table in known]) if known else {}
        return [table for table in known if await self._refresh(table, stored.get(table.id))]

    async def refresh(self, table: LiveTable) -> bool:
        """Reload a table if it is older than stored, and drop it if it is gone; return whether that can be seen."""
        return await self._refresh(table, (await self.storage.versions([table.id])).get(table.id))

    async def _refresh(self, table: LiveTable, stored: tuple[int, int] | None) -> bool:
        """Reload a table if it is older than stored; drop it if it is gone. Return whether that can be seen."""
        if stored and table.version >= stored[0] and table.revision >= stored[1]:
            return False
        try:
            async with table.lock:
                return await self.reload(table)
        except Refused:
            self._tables.pop(table.id, None)
            return True

    async def _read(self, id: str, known: LiveTable | None = None) -> LiveTable:
        found = await self.storage.load_table(id)
        if found is None:
            raise not_found()
        return load(*found, known.match if known else None)
