"""Reminders by e-mail: for people whose turn it is and who have no page of the table open.

The state is in the database, so that any of several processes may send a message, and one does. A process looks every
few seconds for what is due.
"""

from __future__ import annotations

import asyncio
import logging
import smtplib
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Final, Protocol

from ludotheque.server.keys import new_secret
from ludotheque.server.mail.addresses import check_address
from ludotheque.server.mail.emails import EmailWriter, Recipient
from ludotheque.server.storage import reminders
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.reminders import WAITS, DueMessage, Reminder
from ludotheque.server.storage.rows import now
from ludotheque.server.tables.events import TableEvent, TableEvents

MOST_SECONDS: Final = 30.0
"""Between two looks at what is due."""
_LOG: Final = logging.getLogger("ludotheque.server.reminders")


class SeatsPresent(Protocol):
    """The people who have a page open at this process (`Presences`)."""

    @property
    def open_tables(self) -> set[str]:
        """The tables that someone has open."""

    def seats_here(self, id: str) -> Collection[int]:
        """The seats of a table that have a browser connected."""


class Reminders:
    """Sends reminders."""

    def __init__(
        self,
        storage: Storage,
        presences: SeatsPresent,
        events: TableEvents,
        writer: EmailWriter,
        send: Callable[[EmailMessage], None],
        remind_after: float,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """`send` hands a message to a mail server, and blocks; `clock` tells the time."""
        self._storage = storage
        self._presences = presences
        self._writer = writer
        self._send = send
        self._remind_after = timedelta(seconds=remind_after)
        self._seconds = min(MOST_SECONDS, max(0.1, remind_after / 10))
        self._clock = clock
        self._tables: frozenset[str] = frozenset()
        """Those at which someone has given an address."""
        self._came: dict[str, set[int]] = {}
        """The seats that have had a browser connected since the last look, by table."""
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        events.subscribe(self._on_event)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # Requests of people.

    async def given(self, table: str, browser: bytes) -> Reminder | None:
        """The address that a browser has given at a table."""
        return await reminders.reminder_of(self._storage, table, [browser])

    async def give(self, table: str, browser: bytes, address: str, language: str) -> bool:
        """Take an address, and ask it for a confirmation; an empty one deletes the last. False: it gets no more
        messages for now."""
        if not address:
            await reminders.delete_reminder(self._storage, table, [browser])
            return True
        to = Recipient(check_address(address), language, new_secret())
        if not await reminders.set_reminder(self._storage, table, browser, to, self._clock()):
            return False
        self._woken.set()
        return True

    async def confirm(self, token: str) -> str:
        """Confirm an address; return its table, or nothing if the token is unknown or too old."""
        return await reminders.confirm(self._storage, token, self._clock())

    async def unsubscribe(self, token: str) -> None:
        """Delete an address."""
        await reminders.stop(self._storage, token, self._clock())

    # Sending.

    def _on_event(self, event: TableEvent) -> None:
        """Note who comes to a table, however short the visit."""
        if event.what == "watched" and event.table in self._tables:
            self._came.setdefault(event.table, set()).update(self._presences.seats_here(event.table))

    async def _run(self) -> None:
        while True:
            try:
                await self.send_due()
            except Exception as error:
                # Not the error itself: it might hold an address.
                _LOG.error("could not check for due reminders: %s", type(error).__name__)
            await self._wait()

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._woken.wait(), self._seconds)
        except TimeoutError:
            return
        self._woken.clear()

    async def send_due(self) -> None:
        """Send what is due now."""
        self._tables = await reminders.with_reminders(self._storage)
        if not self._tables:
            return
        at = self._clock()
        await reminders.tidy(self._storage, at)
        await self._mark_seen(at)
        for message in await reminders.due_confirmations(self._storage, at):
            await self._try(message)
        for message in await reminders.due_reminders(self._storage, at, at - self._remind_after):
            if message.seat not in self._presences.seats_here(message.table):
                await self._try(message)

    async def _mark_seen(self, at: datetime) -> None:
        came, self._came = self._came, {}
        for table in self._tables & self._presences.open_tables:
            came.setdefault(table, set()).update(self._presences.seats_here(table))
        present = {table: seats for table, seats in came.items() if seats}
        if present:
            await reminders.mark_present(self._storage, present, at)

    async def _try(self, message: DueMessage) -> None:
        """Send a message, unless another process has taken it on."""
        if not await reminders.claim(self._storage, message, self._clock()):
            return
        try:
            await asyncio.to_thread(self._send, self._letter(message))
        except (smtplib.SMTPException, OSError) as error:
            _LOG.warning("a message could not be sent: %s, try %d", _reason(error), message.tries + 1)
            if message.tries == len(WAITS):
                await reminders.give_up(self._storage, message)
        else:
            await reminders.mark_sent(self._storage, message, self._clock())

    def _letter(self, message: DueMessage) -> EmailMessage:
        if message.seat < 0:
            return self._writer.confirmation(message.to)
        others = [name for seat, name in enumerate(message.names) if seat != message.seat]
        return self._writer.reminder(message.to, message.table, message.game, others)


def _reason(error: Exception) -> str:
    """The reason of a failure, without the address that the text of the error may hold."""
    code = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else ""
    return f"{type(error).__name__} {code}".strip()
