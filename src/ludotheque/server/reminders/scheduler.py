"""Reminders for people whose turn it is and who have no page of the table open: one message for all tables that wait.

The state is in the database, so that any of several processes may send a message, and one does. A process looks every
few seconds for what is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Protocol

from msgspec import structs

from ludotheque.server.errors import Undelivered
from ludotheque.server.keys import new_secret
from ludotheque.server.mail.addresses import check_address
from ludotheque.server.mail.emails import Recipient
from ludotheque.server.mail.mailer import Mailer
from ludotheque.server.push.endpoints import Endpoint
from ludotheque.server.storage import reminders
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.reminders import WAITS, DueQuestion, DueReminder, Reminder, Way
from ludotheque.server.storage.rows import now
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.waiting import WaitingTable

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


class PushWay(Protocol):
    """Push messages (`Pusher`, whose library may be missing)."""

    async def public_key(self) -> str:
        """The key that a browser needs to subscribe."""

    async def subscribe(self, browser: bytes, endpoint: Endpoint, language: str) -> None:
        """Send messages for the tables of a browser's key there from now on."""

    async def unsubscribe(self, browser: bytes, url: str) -> None:
        """Send no more messages there."""

    async def remind(self, browser: bytes, tables: Sequence[WaitingTable]) -> None:
        """Tell a person which tables wait; raises `Undelivered`."""


class Reminders:
    """Decides who is reminded of what, and sends it in the ways that they have chosen."""

    def __init__(
        self,
        storage: Storage,
        presences: SeatsPresent,
        events: TableEvents,
        mailer: Mailer | None,
        pusher: PushWay | None,
        remind_after: float,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """`mailer` and `pusher`: the ways that this server has; `clock` tells the time."""
        self._storage = storage
        self._presences = presences
        self._mailer = mailer
        self._pusher = pusher
        self._remind_after = timedelta(seconds=remind_after)
        self._seconds = min(MOST_SECONDS, max(0.1, remind_after / 10))
        self._clock = clock
        self._tables: frozenset[str] = frozenset()
        """Those of which someone is reminded."""
        self._came: dict[str, set[int]] = {}
        """The seats that have had a browser connected since the last look, by table."""
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        events.subscribe(self._on_event)

    @property
    def sends_mail(self) -> bool:
        return self._mailer is not None

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
        to = Recipient(check_address(address), language, new_secret(), new_secret())
        if not await reminders.set_reminder(self._storage, table, browser, to, self._clock()):
            return False
        self._woken.set()
        return True

    async def confirm(self, token: str) -> str:
        """Confirm an address; return its table, or nothing if the token is unknown or too old."""
        return await reminders.confirm(self._storage, token, self._clock())

    async def unsubscribe(self, token: str, all_tables: bool) -> None:
        """Delete an address at the table of a token, or at all tables."""
        await reminders.stop(self._storage, token, all_tables, self._clock())

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
        at = self._clock()
        if self._pusher:
            await reminders.enrol(self._storage, at)
        self._tables = await reminders.with_reminders(self._storage)
        if not self._tables:
            return
        await reminders.tidy(self._storage, at)
        await self._mark_seen(at)
        await asyncio.gather(self._send_mail(at), self._push(at))

    async def _send_mail(self, at: datetime) -> None:
        """Send e-mails, one after the other."""
        if mailer := self._mailer:
            for question in await reminders.due_questions(self._storage, at):
                await self._ask(mailer, question)
            for reminder in await self._due("mail", at):
                await self._remind(reminder, partial(mailer.remind, reminder.to, reminder.tables))

    async def _push(self, at: datetime) -> None:
        """Send push messages at once, so that a slow service keeps no one else waiting."""
        if pusher := self._pusher:
            due = await self._due("push", at)
            await asyncio.gather(
                *(self._remind(each, partial(pusher.remind, each.browser, each.tables)) for each in due)
            )

    async def _due(self, way: Way, at: datetime) -> list[DueReminder]:
        """The messages that are due, without tables that their readers have open here."""
        due = await reminders.due_reminders(self._storage, way, at, at - self._remind_after)
        return [reminder for found in due if (reminder := self._of_absent(found)).turns]

    def _of_absent(self, reminder: DueReminder) -> DueReminder:
        """A reminder without the tables that its reader has open here."""
        turns = (turn for turn in reminder.turns if turn.seat not in self._presences.seats_here(turn.table.id))
        return structs.replace(reminder, turns=tuple(turns))

    async def _mark_seen(self, at: datetime) -> None:
        came, self._came = self._came, {}
        for table in self._tables & self._presences.open_tables:
            came.setdefault(table, set()).update(self._presences.seats_here(table))
        present = {table: seats for table, seats in came.items() if seats}
        if present:
            await reminders.mark_present(self._storage, present, at)

    async def _ask(self, mailer: Mailer, question: DueQuestion) -> None:
        """Ask for a confirmation, unless another process has taken it on."""
        if not await reminders.claim_question(self._storage, question, self._clock()):
            return
        try:
            await mailer.ask(question.to)
        except Undelivered as why:
            if _is_last_try(why, question.tries):
                await reminders.forget_unasked(self._storage, question)
        else:
            await reminders.mark_asked(self._storage, question, self._clock())

    async def _remind(self, reminder: DueReminder, send: Callable[[], Awaitable[None]]) -> None:
        """Send a reminder, unless another process has taken it on."""
        if not await reminders.claim(self._storage, reminder, self._clock()):
            return
        try:
            await send()
        except Undelivered as why:
            if _is_last_try(why, reminder.tries):
                await reminders.give_up(self._storage, reminder)
        else:
            await reminders.mark_sent(self._storage, reminder, self._clock())


def _is_last_try(why: Undelivered, tries: int) -> bool:
    """Log that a message could not be sent after these tries; return whether it is given up."""
    _LOG.warning("a message could not be sent: %s, try %d", why, tries + 1)
    return tries == len(WAITS)
