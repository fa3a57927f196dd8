"""Events of tables: published once a change is on disk, and sent to the sockets of every process."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Final, Literal

import msgspec
from litestar.channels import ChannelsPlugin, Subscriber
from msgspec import Struct

from ludotheque.server.config import Settings
from ludotheque.server.storage.database import ChatLine
from ludotheque.server.tables.live import LiveTables

CHANNEL: Final = "tables"
_LOG: Final = logging.getLogger("ludotheque.server.tables.events")


class TableEvent(Struct, frozen=True, omit_defaults=True):
    """Something has changed at a table."""

    table: str
    what: Literal["view", "seats", "chat"]
    origin: str
    """The process that changed it."""
    chat: ChatLine | None = None


def channels_plugin(settings: Settings) -> ChannelsPlugin | None:
    """The channel to other processes, through PostgreSQL; none where this process is the only one."""
    if settings.channels == "memory":
        return None
    from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

    return ChannelsPlugin(AsyncPgChannelsBackend(settings.database_url.replace("+asyncpg", "")), channels=[CHANNEL])


class TableEvents:
    """Passes news on: to the sockets of this process at once, to other processes through the channel."""

    def __init__(self, channels: ChannelsPlugin | None, live_tables: LiveTables) -> None:
        self._channels = channels
        self._live_tables = live_tables
        self._origin = secrets.token_hex(4)
        self._reading: asyncio.Task[None] | None = None
        self.heard: Callable[[TableEvent], None] = lambda news: None
        """What is to be done with news."""

    def publish(self, table: str, what: Literal["view", "seats", "chat"], chat: ChatLine | None = None) -> None:
        news = TableEvent(table, what, self._origin, chat)
        self.heard(news)
        if self._channels:
            self._channels.publish(msgspec.json.encode(news), CHANNEL)

    async def start(self) -> None:
        if self._channels:
            self._reading = asyncio.create_task(self._read(await self._channels.subscribe(CHANNEL)))

    async def _read(self, subscriber: Subscriber) -> None:
        async for message in subscriber.iter_events():
            try:
                await self._hear(msgspec.json.decode(message, type=TableEvent))
            except Exception:
                _LOG.exception("news could not be handed on")

    async def stop(self) -> None:
        if self._reading:
            self._reading.cancel()

    async def _hear(self, news: TableEvent) -> None:
        """TableEvent of another process: what is in memory here is old."""
        table = self._live_tables.in_memory(news.table)
        if table is None or news.origin == self._origin:
            return
        if news.what != "chat":
            async with table.lock:
                await self._live_tables.reload(table)
        self.heard(news)
