"""News of tables: what has changed is said here, once it is on disk, and reaches every socket of every process."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Final, Literal

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from msgspec import Struct

from ludotheque.server.config import Settings
from ludotheque.server.house import House
from ludotheque.server.storage import ChatLine

CHANNEL: Final = "tables"
_LOG: Final = logging.getLogger("ludotheque.server.news")


class News(Struct, frozen=True, omit_defaults=True):
    """Something has changed at a table."""

    table: str
    what: Literal["view", "seats", "chat"]
    origin: str
    """The process that changed it."""
    chat: ChatLine | None = None


def channels_plugin(settings: Settings) -> ChannelsPlugin:
    """The channels, within this process or through PostgreSQL."""
    backend: ChannelsBackend
    if settings.channels == "postgres":
        from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

        backend = AsyncPgChannelsBackend(settings.database_url.replace("+asyncpg", ""))
    else:
        backend = MemoryChannelsBackend()
    return ChannelsPlugin(backend, channels=[CHANNEL])


class Newsroom:
    """Sends news, and hands on those that come in."""

    def __init__(self, channels: ChannelsPlugin, house: House) -> None:
        self._channels = channels
        self._house = house
        self._origin = secrets.token_hex(4)
        self._reading: asyncio.Task[None] | None = None
        self.heard: Callable[[News], None] = lambda news: None
        """What is to be done with news."""

    def tell(self, table: str, what: Literal["view", "seats", "chat"], chat: ChatLine | None = None) -> None:
        self._channels.publish(msgspec.json.encode(News(table, what, self._origin, chat)), CHANNEL)

    async def start(self) -> None:
        subscriber = await self._channels.subscribe(CHANNEL)

        async def read() -> None:
            async for message in subscriber.iter_events():
                try:
                    await self._hear(msgspec.json.decode(message, type=News))
                except Exception:
                    _LOG.exception("news could not be handed on")

        self._reading = asyncio.create_task(read())

    async def stop(self) -> None:
        if self._reading:
            self._reading.cancel()

    async def _hear(self, news: News) -> None:
        table = self._house.in_memory(news.table)
        if table is None:
            return
        if news.origin != self._origin and news.what != "chat":
            async with table.lock:
                await self._house.reload(table)
        self.heard(news)
