"""Events between server processes: sent and received through a PostgreSQL channel.

The connection that listens is watched. After it is lost, it is opened again, and every table that other processes
changed meanwhile is reloaded. The same comparison runs every few seconds, because a process that is killed between a
commit and its event sends no event.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from ludotheque.server.config import Settings
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import LOCAL, TableEvent, TableEvents, What

if TYPE_CHECKING:
    import asyncpg

CHANNEL: Final = "tables"
NAME: Final = "ludotheque events"
"""The name of the connection in PostgreSQL's list of activity."""
CHECK_SECONDS: Final = 2.0
"""Seconds between comparisons of the tables in memory with the database, which also test the connection."""
_RETRY_SECONDS: Final = 0.2
_TIMEOUT: Final = 5.0
"""Seconds after which a connection that does not respond counts as lost."""
_MOST_BYTES: Final = 7_900
"""PostgreSQL takes events of less than 8,000 bytes."""
_LOG: Final = logging.getLogger("ludotheque.server.cluster.remote")


class _Head(Struct, frozen=True):
    """The fields that tell whether an event concerns this process."""

    table: str
    what: What
    process: str


class RemoteEvents:
    """Sends the events of this process to the others, and publishes theirs here."""

    def __init__(self, settings: Settings, live_tables: LiveTables, events: TableEvents) -> None:
        self._address = settings.database_url.replace("+asyncpg", "")
        self._live_tables = live_tables
        self._events = events
        self._outbox: deque[str] = deque()
        self._inbox: deque[str] = deque()
        self._mail = asyncio.Event()
        self._connected = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.losses = 0
        """The number of times that the connection was lost."""
        events.subscribe(self._send)

    @property
    def is_listening(self) -> bool:
        return self._connected.is_set()

    async def start(self) -> None:
        """Listen before anything else happens, so that no event is missed."""
        self._task = asyncio.create_task(self._run())
        await self._connected.wait()

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _send(self, event: TableEvent) -> None:
        """Send an event to the other processes, if it concerns them; as soon as there is a connection."""
        if self._events.is_own(event) and event.what not in LOCAL:
            self._outbox.append(_encoded(event))
            self._mail.set()

    async def _run(self) -> None:
        """Keep a connection open."""
        while True:
            try:
                await self._connect_and_exchange()
            except Exception as error:
                _LOG.warning("the connection to the other processes failed: %s", type(error).__name__)
            if self._connected.is_set():
                self._connected.clear()
                self.losses += 1
                await self._live_tables.storage.reconnect()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _connect_and_exchange(self) -> None:
        import asyncpg

        connection = await asyncpg.connect(
            self._address, timeout=_TIMEOUT, command_timeout=_TIMEOUT, server_settings={"application_name": NAME}
        )
        try:
            connection.add_termination_listener(lambda _: self._mail.set())
            await connection.add_listener(CHANNEL, self._on_notification)
            await self.check()
            if self.losses:
                _LOG.info("the connection to the other processes is open again")
            self._connected.set()
            await self._exchange(connection)
        finally:
            connection.terminate()

    async def _exchange(self, connection: asyncpg.Connection[Any]) -> None:
        """Send and receive until the connection is lost."""
        checked = time.monotonic()
        while not connection.is_closed():
            self._mail.clear()
            await self._send_all(connection)
            await self._receive_all()
            if time.monotonic() - checked >= CHECK_SECONDS:
                await connection.execute("SELECT 1")
                await self.check()
                checked = time.monotonic()
            await self._wait_for_mail()

    async def _wait_for_mail(self) -> None:
        try:
            await asyncio.wait_for(self._mail.wait(), CHECK_SECONDS / 2)
        except TimeoutError:
            return

    async def _send_all(self, connection: asyncpg.Connection[Any]) -> None:
        while self._outbox:
            # They stay in the outbox until they are sent: events survive a lost connection.
            sending = [*self._outbox]
            await connection.execute("SELECT pg_notify($1, event) FROM unnest($2::text[]) event", CHANNEL, sending)
            for _ in sending:
                self._outbox.popleft()

    def _on_notification(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        """Wake up for an event only if it concerns this process: most do not, and waking costs more than looking."""
        text = str(payload)
        if self._concerns(text):
            self._inbox.append(text)
            self._mail.set()

    def _concerns(self, text: str) -> bool:
        """Whether another process made the change, and this one has its table or may have people who wait for it."""
        try:
            head = msgspec.json.decode(text, type=_Head)
        except msgspec.MsgspecError:
            return True  # it is reported where it cannot be handled
        if head.process == self._events.process:
            return False
        return head.what == "opened" or self._live_tables.in_memory(head.table) is not None

    async def _receive_all(self) -> None:
        while self._inbox:
            try:
                await self._handle(msgspec.json.decode(self._inbox.popleft(), type=TableEvent))
            except Exception:
                _LOG.exception("an event of another process could not be handled")

    async def _handle(self, event: TableEvent) -> None:
        """Bring the table that another process changed up to date, then publish the change here."""
        if event.what == "opened":  # by another process, for people whose pages wait here
            self._events.republish(event)
            return
        table = self._live_tables.in_memory(event.table)
        if table is None:
            return
        if event.what not in ("chat", "presence"):
            async with table.lock:
                if event.change and table.version > event.change.version:
                    return  # the table was reloaded meanwhile, and everyone was told
                if not (event.change and table.follow(event.change)):
                    await self._live_tables.reload(table)
        self._events.republish(event)

    async def check(self) -> None:
        """Reload what other processes changed without an event that reached this one."""
        for table in await self._live_tables.reload_outdated():
            self._events.publish(table.id, "reloaded")


def _encoded(event: TableEvent) -> str:
    """An event as it is sent; without the change that it tells of if that is too long for PostgreSQL."""
    text = msgspec.json.encode(event)
    if len(text) > _MOST_BYTES:
        text = msgspec.json.encode(msgspec.structs.replace(event, change=None))
    return text.decode()
