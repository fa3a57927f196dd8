"""Open sockets by table: who is present, and what each client is sent."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from litestar import WebSocket
from msgspec import Struct

from ludotheque.server.errors import Refused, too_many
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.connection import aborter, frame_sender
from ludotheque.server.http.limits import MESSAGES, Bucket
from ludotheque.server.http.spending import SPENDER, Spender
from ludotheque.server.storage.rows import ChatLine
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.messages import ChatLinesMessage, Message, SeatsMessage, ToClient
from ludotheque.server.tables.view_cache import SharedContext, ViewCache, shared_context
from ludotheque.server.tables.view_shapes import NOBODY, Presence
from ludotheque.server.tables.views import clock_view, seat_views
from ludotheque.show.language import Reader
from ludotheque.show.scenes import renderer
from ludotheque.table.steady_time import steady_time

MOST_SOCKETS: Final = 200
"""From one address."""
LOOK_SECONDS: Final = 30.0
"""Seconds for which a client that asked for a view counts as a watcher."""
_MOST_LOOKERS: Final = 10_000
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
        presences: Presences,
    ) -> None:
        self.socket = socket
        self.table = table
        self.caller = caller
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
        self._presences = presences
        self._send_frames = frame_sender(socket.scope)
        self._abort = aborter(socket.scope)
        self._waiting: deque[Message] = deque()
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
            self._presences.flush_soon(self)

    def flush(self) -> None:
        """Send what is queued."""
        self.send_now(self.take(Flush(self._presences.shared_context(self.table))))

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
        cached = self._presences.views.get(table, viewer, self.reader)
        seen = self.seen if self.seen == cached.base else 0
        self.seen = cached.serial
        return cached.message(table, viewer, rights, now, seen, hand_over)


def _together(here: Presence, elsewhere: Presence) -> Presence:
    return Presence(here.seats | elsewhere.seats, here.watchers + elsewhere.watchers)


class Presences:
    """All open sockets of this process, by table."""

    def __init__(self, live_tables: LiveTables, views: ViewCache, events: TableEvents) -> None:
        self._live_tables = live_tables
        self._events = events
        self._lookers: dict[str, tuple[str, float]] = {}
        """The client that asked for a view last, and until when it counts as a watcher, by table."""
        self.views = views
        self._open: dict[str, set[Connection]] = {}
        self._by_address: Counter[str] = Counter()
        self._cached: dict[str, Presence] = {}
        """The people present, by table, until someone comes or goes."""
        self._elsewhere: dict[str, Presence] = {}
        """The people who have a table open at other processes, by table."""
        self._changed: set[str] = set()
        """The tables where someone came or went, for the other processes."""
        self.changed = asyncio.Event()
        """Set when someone comes or goes, for the other processes."""
        self._flushes: list[Connection] = []
        """The connections that send something when the present change is complete."""
        self._payments: dict[str, Payment] = {}
        """Payments for the latest change of a table that has not been shown."""
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """Tasks that show a change once there is time for it, by table."""
        events.subscribe(self._on_event)

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
            taken += self._take_all(table, group, payment, views_wait)
            if payment and views_wait:
                self._show_later(table, payment)
        for connection, messages in taken:
            connection.send_now(messages)

    def _take_all(
        self, table: LiveTable, connections: Iterable[Connection], payment: Payment | None, views_wait: bool = False
    ) -> list[tuple[Connection, list[Message]]]:
        """Take what connections have queued, at the cost of whoever caused it."""
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
        behind = [each for each in self._open.get(table.id, ()) if each.is_out_of_date]
        for connection, messages in self._take_all(table, behind, payment):
            connection.send_now(messages)

    def shared_context(self, table: LiveTable) -> SharedContext:
        """The present context of a table's views."""
        return shared_context(table, self.of(table))

    def look(self, table: LiveTable, address: str) -> None:
        """Count a client that asks for a view, without a socket, as a watcher for a while."""
        was_watched = self.watched_from(table.id)
        if len(self._lookers) > _MOST_LOOKERS:
            self._lookers.clear()
        self._lookers[table.id] = address, time.monotonic() + LOOK_SECONDS
        if was_watched is None:
            self._events.publish(table.id, "watched")

    def watched_from(self, table: str) -> str | None:
        """Return the address of a client that watches a table; None if no one does."""
        for connection in self._open.get(table, ()):
            return connection.caller.address
        address, until = self._lookers.get(table, ("", 0.0))
        return address if time.monotonic() < until else None

    def check_room(self, address: str) -> None:
        """Raise if too many sockets are open from one address."""
        if self._by_address[address] >= MOST_SOCKETS:
            raise too_many(10)

    def __len__(self) -> int:
        return sum(len(connections) for connections in self._open.values())

    def of(self, table: LiveTable) -> Presence:
        """The people who have a table open."""
        if table.id not in self._open:
            return NOBODY
        known = self._cached.get(table.id)
        if known is None:
            known = self._cached[table.id] = _together(self._count(table), self._elsewhere.get(table.id, NOBODY))
        return known

    # For other processes.

    @property
    def open_tables(self) -> set[str]:
        return set(self._open)

    def here(self, id: str) -> Presence:
        """The people who have a table open at this process."""
        table = self._live_tables.in_memory(id)
        return self._count(table) if table and id in self._open else NOBODY

    def seats_here(self, id: str) -> frozenset[int]:
        """The seats of a table that have a browser connected to this process."""
        return self.here(id).seats

    def take_changed(self) -> set[str]:
        """Return the tables where someone came or went since the last call."""
        taken, self._changed = self._changed, set()
        return taken

    def mark(self, tables: Iterable[str]) -> None:
        """Tell the other processes who is present at these tables."""
        self._changed.update(tables)
        self.changed.set()

    def mark_all(self) -> None:
        self.mark(self._open)

    def set_elsewhere(self, id: str, presence: Presence) -> None:
        """Take over who has a table open at other processes."""
        if id in self._open and self._elsewhere.get(id, NOBODY) != presence:
            self._elsewhere[id] = presence
            self._cached.pop(id, None)
            self._show_seats(id)

    def _count(self, table: LiveTable) -> Presence:
        seats: set[int] = set()
        watchers = 0
        for connection in self._open[table.id]:
            held = {seat for digest in connection.digests for seat in table.facts.opened_by(digest) if seat >= 0}
            seats |= held
            watchers += not held
        return Presence(frozenset(seats), watchers)

    def enter(self, connection: Connection) -> None:
        self._cached.pop(connection.table.id, None)
        self._open.setdefault(connection.table.id, set()).add(connection)
        self._live_tables.pin(connection.table.id)
        self._by_address[connection.caller.address] += 1
        self._show_seats(connection.table.id, connection)
        self._events.publish(connection.table.id, "watched")
        self.mark([connection.table.id])

    def set_unheard(self, key: bytes, muted: frozenset[bytes]) -> None:
        """Let the open pages of someone hide what those people say from now on; pages at other processes do so once
        they are opened again."""
        for connections in self._open.values():
            for connection in connections:
                if key in connection.digests:
                    connection.unheard = muted

    def leave(self, connection: Connection) -> None:
        id = connection.table.id
        self._cached.pop(id, None)
        left = self._open.get(id, set())
        left.discard(connection)
        self._live_tables.unpin(id)
        self._count_out(connection.caller.address)
        if left:
            self._show_seats(id, connection)
        else:
            self._open.pop(id, None)
            self._elsewhere.pop(id, None)
            self._payments.pop(id, None)
            self.views.drop(connection.table)
        self.mark([id])

    def _count_out(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _show_seats(self, table: str, except_for: Connection | None = None) -> None:
        for connection in self._open.get(table, ()):
            if connection is not except_for:
                connection.show_seats()

    def _on_event(self, event: TableEvent) -> None:
        """Show a change to the clients that have its table open."""
        if event.what in ("presence", "watched", "ahead"):
            return  # `set_elsewhere` shows who came; what somebody decides ahead is secret; nothing else changed
        if event.what in ("seats", "reloaded") and event.table in self._open:
            self._cached.pop(event.table, None)
            self.mark([event.table])
        self._note_payment(event)
        said = Message(ChatLinesMessage((event.chat,))) if event.chat else None
        for connection in self._open.get(event.table, ()):
            if event.what in ("position", "names", "facts", "reloaded", "rematch"):
                connection.show()
            elif said and event.chat:
                if connection.hears(event.chat):
                    connection.send_encoded(said)
            else:
                connection.show_seats()

    def _note_payment(self, event: TableEvent) -> None:
        """Note the address whose request or message caused an event; a move among several changes does not wait."""
        spender, known = SPENDER.get(), self._payments.get(event.table)
        if spender and event.table in self._open:
            can_wait = event.what not in _PARTS_OF_MOVES and (known is None or known.can_wait)
            self._payments[event.table] = Payment(spender, can_wait)

    def close_all(self) -> None:
        """Close all sockets: the server stops. Clients reconnect when it is back."""
        for task in self._waiting.values():
            task.cancel()
        for connections in self._open.values():
            for connection in connections:
                connection.close(1012, "the server restarts")
