"""Open sockets: what each client has not been sent yet, and sending it to all of a table in one go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from litestar import WebSocket
from msgspec import Struct

from ludotheque.server.errors import Refused
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.connection import aborter, frame_sender
from ludotheque.server.http.limits import MESSAGES, Bucket
from ludotheque.server.http.spending import SPENDER, Spender
from ludotheque.server.storage.rows import ChatLine
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.messages import Message, SeatsMessage, ToClient
from ludotheque.server.tables.presence import NOT_SHOWN, Presences
from ludotheque.server.tables.view_cache import SharedContext, ViewCache, shared_context
from ludotheque.server.tables.views import clock_view, seat_views
from ludotheque.show.language import Reader
from ludotheque.show.scenes import renderer
from ludotheque.table.steady_time import steady_time

_MOST_WAITING: Final = 200
"""Messages for one client that have not been sent."""
_PARTS_OF_MOVES: Final = ("position", "thinking", "reloaded")
"""Events that are shown before everything that can wait."""
_CLOSE_SECONDS: Final = 10.0
"""Seconds that a client has to take the end of its socket."""


class Flush:
    """All that the connections of one table share when they are sent something together."""

    def __init__(self, now: SharedContext, views_wait: bool = False) -> None:
        """`views_wait`: views and people present are sent later."""
        self.now = now
        self.views_wait = views_wait
        self._seats: dict[tuple[Rights, str], Message] = {}

    def seats(self, table: LiveTable, rights: Rights, reader: Reader) -> Message:
        """The people present, encoded once for all with the same rights and language."""
        key = rights, reader.language
        if key not in self._seats:
            presence = self.now.presence
            shown = seat_views(table, rights, presence, renderer(table.game.name, reader, table.match.names))
            clock = clock_view(table, steady_time())
            self._seats[key] = Message(SeatsMessage(shown, presence.watchers, table.facts.pace, clock))
        return self._seats[key]


class Payment(Struct, frozen=True):
    """The address that pays for rendering a change for everyone at a table."""

    spender: Spender
    can_wait: bool
    """Whether the change is neither a move nor a part of one."""

    @property
    def must_wait(self) -> bool:
        return self.spender.must_wait(self.can_wait)

    async def turn(self) -> None:
        await self.spender.turn(self.can_wait)


class Connection:
    """One open socket: what it looks at, and what it has not been sent yet."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        table: LiveTable,
        caller: Caller,
        reader: Reader,
        broadcast: Broadcast,
    ) -> None:
        self.socket = socket
        self.table = table
        self.caller = caller
        self.address = caller.address
        self.digests = caller.digests
        self._rights: tuple[int, Rights] | None = None
        """The revision of the table, and what the client may do at that revision."""
        self.reader = reader
        self.viewer: int | None = None
        self.unheard: frozenset[bytes] = frozenset()
        """The keys of the people whom this one has muted."""
        self.seen = 0
        """The serial number of the view that was sent last."""
        self.bucket = Bucket(MESSAGES)
        self._broadcast = broadcast
        self._send_frames = frame_sender(socket.scope)
        self._abort = aborter(socket.scope)
        self._waiting: list[Message] = []
        self._view_is_new = False
        self._seats_are_new = False
        self._is_flush_due = False
        self._unsent: list[Message] = []
        """The messages that the client could not take at once."""
        self._left_over = asyncio.Event()
        """Set when `write` has to send, close or raise something."""
        self._error: Exception | None = None
        self.closing: tuple[int, str] | None = None

    @property
    def rights(self) -> Rights:
        """The rights of the client; found again only after a change of seats or keys."""
        if self._rights is None or self._rights[0] != self.table.revision:
            self._rights = None
            self._rights = self.table.revision, self.table.facts.rights(self.digests)
        return self._rights[1]

    @property
    def waiting(self) -> int:
        """The number of messages that have not been sent yet."""
        return len(self._waiting)

    def send(self, message: ToClient) -> None:
        """Queue a message for this client alone."""
        self.send_encoded(Message(message))

    def send_encoded(self, message: Message) -> None:
        """Queue a message; a client that reads too slowly is disconnected."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close(4429, "too slow")
        if not self.closing:
            self._waiting.append(message)
            self._flush_soon()

    def hears(self, line: ChatLine) -> bool:
        """Whether a line of chat is for this client: none of someone whom they have muted is."""
        return line.seat < 0 or self.unheard.isdisjoint(self.table.facts.keys.browsers(line.seat))

    def show(self, whole: bool = False) -> None:
        """Send the present view soon; `whole`: not as a change."""
        if whole:
            self.seen = 0
        self._view_is_new = True
        self._flush_soon()

    def show_seats(self) -> None:
        self._seats_are_new = True
        self._flush_soon()

    def close(self, code: int, reason: str) -> None:
        """Close the socket; the connection of a client that does not read is ended soon after."""
        if not self.closing:
            asyncio.get_running_loop().call_later(_CLOSE_SECONDS, self._abort)
        self.closing = code, reason
        self._waiting.clear()
        self._left_over.set()

    async def write(self) -> None:
        """Send what could not be sent at once, until the socket is closed."""
        while True:
            await self._left_over.wait()
            self._left_over.clear()
            if self._error:
                raise self._error
            if self.closing:
                await self.socket.close(*self.closing)
                return
            for message in self._unsent:
                await self.socket.send_text(message.text)
            self._unsent = []
            self.flush()

    def _flush_soon(self) -> None:
        """Send all that is queued, in one go, when the present change is complete."""
        if not self._is_flush_due and not self._unsent:
            self._is_flush_due = True
            self._broadcast.flush_soon(self)

    def flush(self) -> None:
        """Send what is queued."""
        self.send_now(self.take(Flush(self._broadcast.shared_context(self.table))))

    def take(self, flush: Flush) -> list[Message]:
        """Take what is queued, unless `write` still sends what the client could not take at once."""
        self._is_flush_due = False
        if self.closing or self._unsent:
            return []
        try:
            return self._take_messages(flush)
        except Refused:
            self.close(4404, "no longer for you")
        except Exception as error:  # `write` raises it
            self._error = error
            self._left_over.set()
        return []

    def send_now(self, messages: list[Message]) -> None:
        """Send messages in one go; those that the client cannot take at once are left to `write`."""
        if messages and not self._send_frames(b"".join([message.frame for message in messages])):
            self._unsent = messages
            self._left_over.set()

    @property
    def is_out_of_date(self) -> bool:
        """Whether the client has not been sent the present view, or the people present."""
        return self._view_is_new or self._seats_are_new

    def _take_messages(self, flush: Flush) -> list[Message]:
        """Take all that is queued: the view or the people present, unless they wait, then the rest."""
        messages = []
        if self._view_is_new and not flush.views_wait:
            self._view_is_new = self._seats_are_new = False
            messages.append(self._view(flush.now))
        if self._seats_are_new and not flush.views_wait:
            self._seats_are_new = False
            messages.append(flush.seats(self.table, self.rights, self.reader))
        if self._waiting:
            messages += self._waiting
            self._waiting.clear()
        return messages

    def _view(self, now: SharedContext) -> Message:
        """The present view as it is sent."""
        table, rights = self.table, self.rights
        viewer, hand_over = table.choose_viewer(rights, self.viewer)
        # One who holds no seat watches until they get one, or get theirs back from a bot.
        self.viewer = viewer if rights.seats else None
        cached = self._broadcast.views.get(table, viewer, self.reader)
        seen = self.seen if self.seen == cached.base else 0
        self.seen = cached.serial
        return cached.message(table, viewer, rights, now, seen, hand_over)


class Broadcast:
    """Sends what the connections of a table have queued, together, when a change is complete.

    The address that caused a change pays for showing it; while it has used more than its share, views wait.
    """

    def __init__(self, views: ViewCache, presences: Presences, events: TableEvents) -> None:
        self.views = views
        self._presences = presences
        self._flushes: list[Connection] = []
        """The connections that send something when the present change is complete."""
        self._payments: dict[str, Payment] = {}
        """Payments for the latest change of a table that has not been shown."""
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """Tasks that show a change once there is time for it, by table."""
        self._behind: dict[str, set[Connection]] = {}
        """The connections that such a change waits for, by table."""
        events.subscribe(self._note_payment)

    def enter(self, connection: Connection) -> None:
        """Let a connection follow its table."""
        self._presences.enter(connection)

    def leave(self, connection: Connection) -> None:
        """Forget a connection, and after the last one of a table what was kept for it."""
        self._presences.leave(connection)
        self._behind.get(connection.table.id, set()).discard(connection)
        if not self._presences.clients(connection.table.id):
            self._payments.pop(connection.table.id, None)
            self.views.drop(connection.table)

    def stop(self) -> None:
        """Close all sockets, and give up what waits to be shown: the server stops."""
        for task in self._waiting.values():
            task.cancel()
        self._presences.close_all()

    def flush_soon(self, connection: Connection) -> None:
        """Let a connection send what it has queued, together with the others."""
        if not self._flushes:
            asyncio.get_running_loop().call_soon(self._flush_all)
        self._flushes.append(connection)

    def _flush_all(self) -> None:
        """Make all messages, then send them: after each that is sent the system may let its receiver run first."""
        connections, self._flushes = self._flushes, []
        taken: list[tuple[Connection, list[Message]]] = []
        spender = SPENDER.get()
        caused = Payment(spender, can_wait=False) if spender else None
        for table, group in groupby(connections, attrgetter("table")):
            is_waiting = table.id in self._waiting and table.id not in self._payments
            payment = self._payments.pop(table.id, caused)
            views_wait = is_waiting or (payment is not None and payment.must_wait)
            flushed = list(group)
            taken += self._take_all(table, flushed, payment, views_wait)
            if views_wait:
                self._behind.setdefault(table.id, set()).update(flushed)
            if payment and views_wait:
                self._show_later(table, payment)
        for connection, messages in taken:
            connection.send_now(messages)

    def _take_all(
        self, table: LiveTable, connections: Iterable[Connection], payment: Payment | None, views_wait: bool = False
    ) -> list[tuple[Connection, list[Message]]]:
        """Take what connections have queued, at the cost of the address that caused it."""
        began = time.thread_time() if payment else 0.0
        flush = Flush(self.shared_context(table), views_wait)
        taken = [(connection, connection.take(flush)) for connection in connections]
        if payment:
            payment.spender.spend(time.thread_time() - began, payment.can_wait)
        return taken

    def _show_later(self, table: LiveTable, payment: Payment) -> None:
        """Show a table once there is time for it; all changes until then are shown together."""
        if table.id not in self._waiting:
            self._waiting[table.id] = asyncio.create_task(self._show_in_turn(table, payment))

    async def _show_in_turn(self, table: LiveTable, payment: Payment) -> None:
        await payment.turn()
        del self._waiting[table.id]
        behind = [each for each in self._behind.pop(table.id, ()) if each.is_out_of_date]
        for connection, messages in self._take_all(table, behind, payment):
            connection.send_now(messages)

    def shared_context(self, table: LiveTable) -> SharedContext:
        """The present context of a table's views."""
        return shared_context(table, self._presences.of(table))

    def _note_payment(self, event: TableEvent) -> None:
        """Note the address whose request or message caused an event; a move among several changes does not wait."""
        spender, known = SPENDER.get(), self._payments.get(event.table)
        if spender and event.what not in NOT_SHOWN and self._presences.clients(event.table):
            can_wait = event.what not in _PARTS_OF_MOVES and (known is None or known.can_wait)
            self._payments[event.table] = Payment(spender, can_wait)
