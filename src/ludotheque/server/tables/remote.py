"""Events between server processes: sent and received through a PostgreSQL channel."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import msgspec
from litestar.channels import ChannelsPlugin, Subscriber

from ludotheque.server.config import Settings
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import LOCAL, TableEvent, TableEvents

CHANNEL: Final = "tables"
_LOG: Final = logging.getLogger("ludotheque.server.tables.remote")


def channels_plugin(settings: Settings) -> ChannelsPlugin | None:
    """The channel to other processes; none where this process is the only one."""
    if settings.channels == "memory":
        return None
    from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

    return ChannelsPlugin(AsyncPgChannelsBackend(settings.database_url.replace("+asyncpg", "")), channels=[CHANNEL])


class RemoteEvents:
    """Sends the events of this process to the others, and publishes theirs here."""

    def __init__(self, channels: ChannelsPlugin, live_tables: LiveTables, events: TableEvents) -> None:
        self._channels = channels
        self._live_tables = live_tables
        self._events = events
        self._receiving: asyncio.Task[None] | None = None
        events.subscribe(self._send)

    async def start(self) -> None:
        self._receiving = asyncio.create_task(self._receive(await self._channels.subscribe(CHANNEL)))

    async def stop(self) -> None:
        if self._receiving:
            self._receiving.cancel()

    def _send(self, event: TableEvent) -> None:
        """Send an event to the other processes, if it concerns them."""
        if self._events.is_own(event) and event.what not in LOCAL:
            self._channels.publish(msgspec.json.encode(event), CHANNEL)

    async def _receive(self, subscriber: Subscriber) -> None:
        async for message in subscriber.iter_events():
            try:
                await self._handle(msgspec.json.decode(message, type=TableEvent))
            except Exception:
                _LOG.exception("an event of another process could not be handled")

    async def _handle(self, event: TableEvent) -> None:
        """Reload the table that another process changed, then publish the change here."""
        table = self._live_tables.in_memory(event.table)
        if table is None or self._events.is_own(event):
            return
        if event.what != "chat":
            async with table.lock:
                await self._live_tables.reload(table)
        self._events.republish(event)
