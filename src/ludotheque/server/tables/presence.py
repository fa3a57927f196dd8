"""Open connections by table: who is looking, and what each of them is sent."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import Any, Final

from litestar import WebSocket

from ludotheque.server.errors import Refused, too_many
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.limits import MESSAGES, Bucket
from ludotheque.server.tables.events import TableEvent
from ludotheque.server.tables.live import LiveTable, LiveTables, Rights, choose_viewer
from ludotheque.server.tables.messages import ENCODER, ChatLinesMessage, SeatsMessage, ToClient
from ludotheque.server.tables.views import NOBODY, Presence, draw, present_view, seat_views
from ludotheque.show.art import art_of
from ludotheque.show.language import Reader

MOST_SOCKETS: Final = 200
"""From one address."""


_MOST_WAITING: Final = 200


class Connection:
    """One open socket: what it looks at, and what it has not been told yet."""

    def __init__(self, socket: WebSocket[Any, Any, Any], table: LiveTable, caller: Caller, reader: Reader) -> None:
        self.socket = socket
        self.table = table
        self.caller = caller
        self.digests = caller.digests
        self.reader = reader
        self.looking: int | None = None
        self.seen = 0
        """The serial of the drawing that was sent last."""
        self.bucket = Bucket(MESSAGES)
        self._waiting: deque[ToClient] = deque()
        self._view_is_new = False
        self._seats_are_new = False
        self._anything = asyncio.Event()
        self.closing: tuple[int, str] | None = None

    @property
    def rights(self) -> Rights:
        return self.table.rights(self.digests)

    @property
    def waiting(self) -> int:
        """How many messages have not been sent yet."""
        return len(self._waiting)

    @property
    def chat_seat(self) -> int:
        """As whom this client speaks."""
        viewer, _ = choose_viewer(self.table, self.rights, self.looking)
        return viewer

    def send(self, message: ToClient) -> None:
        """Send a message as soon as the line is free; nothing piles up for a client that does not listen."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close(4429, "too slow")
        if not self.closing:
            self._waiting.append(message)
            self._anything.set()

    def show(self, whole: bool = False) -> None:
        """Send the present view as soon as the line is free."""
        if whole:
            self.seen = 0
        self._view_is_new = True
        self._anything.set()

    def show_seats(self) -> None:
        self._seats_are_new = True
        self._anything.set()

    def close(self, code: int, reason: str) -> None:
        self.closing = code, reason
        self._waiting.clear()
        self._anything.set()

    async def write(self, presence: Presences) -> None:
        """Tell the client what there is to render, until the socket is closed."""
        while True:
            await self._anything.wait()
            self._anything.clear()
            if self.closing:
                await self.socket.close(*self.closing)
                return
            try:
                await self._write_pending(presence)
            except Refused:
                self.close(4404, "no longer for you")

    async def _write_pending(self, presence: Presences) -> None:
        if self._view_is_new:
            self._view_is_new = self._seats_are_new = False
            await self.socket.send_text(self._view(presence.of(self.table)))
        if self._seats_are_new:
            self._seats_are_new = False
            now = presence.of(self.table)
            await self._write(SeatsMessage(seat_views(self.table, self.rights, now), now.watchers, self.table.pace))
        while self._waiting:
            await self._write(self._waiting.popleft())

    def _view(self, presence: Presence) -> str:
        """The present view as it is sent, written once for all who may know the same."""
        table, rights = self.table, self.rights
        self.looking, hand_over = choose_viewer(table, rights, self.looking)
        drawing = draw(table, self.looking, self.reader)
        seen = self.seen if self.seen == drawing.base else 0
        self.seen = drawing.serial
        key = self.looking, rights, presence, hand_over, seen, table.pace, tuple(table.seats), frozenset(table.thinking)
        message = drawing.messages.get(key)
        if message is None:
            view = present_view(table, self.looking, drawing, art_of(table.game), rights, presence, seen, hand_over)
            message = drawing.messages[key] = ENCODER.encode(view).decode()
        return message

    async def _write(self, message: ToClient) -> None:
        await self.socket.send_text(ENCODER.encode(message).decode())


class Presences:
    """All open sockets of this process, by table."""

    def __init__(self, live_tables: LiveTables) -> None:
        self._live_tables = live_tables
        self._open: dict[str, set[Connection]] = {}
        self._by_address: Counter[str] = Counter()
        self._known: dict[str, Presence] = {}
        """By table: who looks at it, as long as nobody comes or goes."""

    def check_room(self, address: str) -> None:
        """Raise if too many sockets are open from one address."""
        if self._by_address[address] >= MOST_SOCKETS:
            raise too_many(10)

    def __len__(self) -> int:
        return sum(len(connections) for connections in self._open.values())

    def of(self, table: LiveTable) -> Presence:
        """Who looks at a table."""
        if table.id not in self._open:
            return NOBODY
        known = self._known.get(table.id)
        if known is None:
            known = self._known[table.id] = self._look_around(table)
        return known

    def _look_around(self, table: LiveTable) -> Presence:
        seats: set[int] = set()
        watchers = 0
        for connection in self._open[table.id]:
            held = {seat for digest in connection.digests for seat in table.keys.get(digest, ()) if seat >= 0}
            seats |= held
            watchers += not held
        return Presence(frozenset(seats), watchers)

    def enter(self, connection: Connection) -> None:
        self._known.pop(connection.table.id, None)
        self._open.setdefault(connection.table.id, set()).add(connection)
        self._live_tables.pin(connection.table.id)
        self._by_address[connection.caller.address] += 1
        self._tell_seats(connection.table.id, connection)

    def leave(self, connection: Connection) -> None:
        id = connection.table.id
        self._known.pop(id, None)
        left = self._open.get(id, set())
        left.discard(connection)
        self._live_tables.unpin(id)
        self._by_address -= Counter([connection.caller.address])
        if left:
            self._tell_seats(id, connection)
        else:
            self._open.pop(id, None)
            connection.table.drawings.clear()

    def _tell_seats(self, table: str, besides: Connection) -> None:
        for connection in self._open.get(table, ()):
            if connection is not besides:
                connection.show_seats()

    def hear(self, news: TableEvent) -> None:
        """Pass news on to whom they concern."""
        if news.what == "seats":
            self._known.pop(news.table, None)
        for connection in self._open.get(news.table, ()):
            if news.what == "view":
                connection.show()
            elif news.what == "seats":
                connection.show_seats()
            elif news.chat:
                connection.send(ChatLinesMessage((news.chat,)))

    def show_seats(self, table: LiveTable) -> None:
        """Something about the seats changed that only this process knows: a bot began to think."""
        for connection in self._open.get(table.id, ()):
            connection.show_seats()

    def close_all(self) -> None:
        """The server stops; clients come again when it is back."""
        for connections in self._open.values():
            for connection in connections:
                connection.close(1012, "the server restarts")
