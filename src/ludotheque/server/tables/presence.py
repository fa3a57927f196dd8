"""Presence: who has which table open, at this process and at others, and events shown to them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final, Protocol

from ludotheque.server.errors import too_many
from ludotheque.server.storage.rows import ChatLine
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.messages import ChatLinesMessage, Message
from ludotheque.server.tables.view_shapes import NOBODY, Presence

MOST_SOCKETS: Final = 200
"""From one address."""
LOOK_SECONDS: Final = 30.0
"""Seconds for which a client that asked for a view counts as a watcher."""
_MOST_LOOKERS: Final = 10_000
NOT_SHOWN: Final = ("presence", "watched", "ahead")
"""Events that clients need not be shown: `set_elsewhere` shows who came, and what someone decides ahead is secret."""


class Client(Protocol):
    """A client that has a table open, as presence needs it."""

    table: LiveTable
    address: str
    digests: tuple[bytes, ...]
    unheard: frozenset[bytes]

    def show(self, whole: bool = False) -> None: ...
    def show_seats(self) -> None: ...
    def send_encoded(self, message: Message) -> None: ...
    def hears(self, line: ChatLine) -> bool: ...
    def close(self, code: int, reason: str) -> None: ...


def _together(here: Presence, elsewhere: Presence) -> Presence:
    return Presence(here.seats | elsewhere.seats, here.watchers + elsewhere.watchers)


class Presences:
    """The clients of this process, by table, and who is present at its tables."""

    def __init__(self, live_tables: LiveTables, events: TableEvents) -> None:
        self._live_tables = live_tables
        self._events = events
        self._lookers: dict[str, tuple[str, float]] = {}
        """The client that asked for a view last, and until when it counts as a watcher, by table."""
        self._open: dict[str, set[Client]] = {}
        self._by_address: Counter[str] = Counter()
        self._cached: dict[str, Presence] = {}
        """The people present, by table, until someone comes or goes."""
        self._elsewhere: dict[str, Presence] = {}
        """The people who have a table open at other processes, by table."""
        self._changed: set[str] = set()
        """The tables where someone came or went, for the other processes."""
        self.changed = asyncio.Event()
        """Set when someone comes or goes, for the other processes."""
        events.subscribe(self._on_event)

    def look(self, table: LiveTable, address: str) -> None:
        """Count a client that asks for a view, without a socket, as a watcher for a while."""
        was_watched = self.watched_from(table.id)
        if len(self._lookers) > _MOST_LOOKERS:
            self._lookers.clear()
        self._lookers[table.id] = address, time.monotonic() + LOOK_SECONDS
        if was_watched is None:
            self._events.publish(table.id, "watched")

    def clients(self, table: str) -> Collection[Client]:
        """The clients that have a table open at this process."""
        return self._open.get(table, ())

    def watched_from(self, table: str) -> str | None:
        """Return the address of a client that watches a table; None if no one does."""
        for client in self.clients(table):
            return client.address
        address, until = self._lookers.get(table, ("", 0.0))
        return address if time.monotonic() < until else None

    def check_room(self, address: str) -> None:
        """Raise if too many sockets are open from one address."""
        if self._by_address[address] >= MOST_SOCKETS:
            raise too_many(10)

    def __len__(self) -> int:
        return sum(len(clients) for clients in self._open.values())

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
        for client in self._open[table.id]:
            held = {seat for digest in client.digests for seat in table.facts.opened_by(digest) if seat >= 0}
            seats |= held
            watchers += not held
        return Presence(frozenset(seats), watchers)

    def enter(self, client: Client) -> None:
        self._cached.pop(client.table.id, None)
        self._open.setdefault(client.table.id, set()).add(client)
        self._live_tables.pin(client.table.id)
        self._by_address[client.address] += 1
        self._show_seats(client.table.id, client)
        self._events.publish(client.table.id, "watched")
        self.mark([client.table.id])

    def set_unheard(self, key: bytes, muted: frozenset[bytes]) -> None:
        """Let the open pages of someone hide what those people say from now on; pages at other processes do so once
        they are opened again."""
        for clients in self._open.values():
            for client in clients:
                if key in client.digests:
                    client.unheard = muted

    def leave(self, client: Client) -> None:
        id = client.table.id
        self._cached.pop(id, None)
        left = self._open.get(id, set())
        left.discard(client)
        self._live_tables.unpin(id)
        self._count_out(client.address)
        if left:
            self._show_seats(id, client)
        else:
            self._open.pop(id, None)
            self._elsewhere.pop(id, None)
        self.mark([id])

    def _count_out(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _show_seats(self, table: str, except_for: Client | None = None) -> None:
        for client in self.clients(table):
            if client is not except_for:
                client.show_seats()

    def _on_event(self, event: TableEvent) -> None:
        """Show a change to the clients that have its table open."""
        if event.what in NOT_SHOWN:
            return
        if event.what in ("seats", "reloaded") and event.table in self._open:
            self._cached.pop(event.table, None)
            self.mark([event.table])
        said = Message(ChatLinesMessage((event.chat,))) if event.chat else None
        for client in self.clients(event.table):
            if event.what in ("position", "names", "facts", "reloaded", "rematch"):
                client.show()
            elif said and event.chat:
                if client.hears(event.chat):
                    client.send_encoded(said)
            else:
                client.show_seats()

    def close_all(self) -> None:
        """Close all sockets: the server stops. Clients reconnect when it is back."""
        for clients in self._open.values():
            for client in clients:
                client.close(1012, "the server restarts")
