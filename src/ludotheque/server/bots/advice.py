"""Hints for players: each is searched once, and one client's never fill the queue of the bots."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Final
from weakref import WeakValueDictionary

from ludotheque.server.errors import stale_version
from ludotheque.server.shared_work import SharedWork
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.hints import Hint

_MOST_CACHED: Final = 256
_AT_ONCE: Final = 2
"""Searches of one client that wait for the workers or run; its others come after them."""


class Advisor:
    """Finds the best few moves of a seat, as far as it can know."""

    def __init__(self, search: Callable[[LiveTable, int, bool], Awaitable[list[Hint]]]) -> None:
        """`search` finds them for a seat, in a worker; thoroughly or at once."""
        self._search = search
        self._found = SharedWork(_MOST_CACHED)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        """Semaphores by client with searches that wait or run."""

    async def hints(self, table: LiveTable, seat: int, client: str, *, thorough: bool) -> list[Hint]:
        """The hints for the present position; the same for all who ask for this seat, and for no other seat."""
        version = table.version
        key = table.id, version, seat, thorough
        return await self._found.get(key, lambda: self._in_turn(table, version, seat, client, thorough))

    def has_hinted(self, table: LiveTable, seat: int) -> bool:
        """Whether a seat was given a first hint for the present position."""
        return (table.id, table.version, seat, False) in self._found

    async def _in_turn(self, table: LiveTable, version: int, seat: int, client: str, thorough: bool) -> list[Hint]:
        async with self._turn(client):
            if table.version != version:
                raise stale_version()
            return await self._search(table, seat, thorough)

    def _turn(self, client: str) -> AbstractAsyncContextManager[Any]:
        return self._turns.setdefault(client, asyncio.Semaphore(_AT_ONCE)) if client else nullcontext()
