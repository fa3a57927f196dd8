"""Open sockets: each is told what its viewer may know, whenever that changes."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from typing import Annotated, Any, Final, Protocol

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Meta, Struct
from sqlalchemy.exc import DBAPIError

from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import SPECTATOR
from ludotheque.core.words import say
from ludotheque.server.acting import Acting, Done
from ludotheque.server.art import art_of
from ludotheque.server.caller import Caller, caller_of, reader_of
from ludotheque.server.drawing import NOBODY, Presence, SeatView, draw, eyes, present_view, seat_views
from ludotheque.server.errors import Refused, forbidden, malformed, our_fault, refusal, too_many, unavailable
from ludotheque.server.house import House, LiveTable, Pace, Rights
from ludotheque.server.limits import MESSAGES, Bucket, Limits
from ludotheque.server.news import News
from ludotheque.server.requests import Action, ChatText, Eyes, MoveText, SeatNumber, Version, move_of
from ludotheque.server.storage import ChatLine
from ludotheque.server.words import Reader

MESSAGE_BYTES: Final = 16_384
MOST_SOCKETS: Final = 200
"""From one address."""
_MOST_WAITING: Final = 200
_LOG: Final = logging.getLogger("ludotheque.server.sockets")

Id = Annotated[int, Meta(ge=0, le=2**53)]


# What clients say.


class _FromClient(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id | None = None


class MoveMessage(_FromClient, frozen=True, kw_only=True, tag="move"):
    seat: SeatNumber
    version: Version
    action: Action | None = None
    text: MoveText | None = None


class UndoMessage(_FromClient, frozen=True, kw_only=True, tag="undo"):
    seat: SeatNumber
    version: Version


class UndoAnswerMessage(_FromClient, frozen=True, kw_only=True, tag="undo_answer"):
    seat: SeatNumber
    version: Version
    agree: bool


class ChatMessage(_FromClient, frozen=True, kw_only=True, tag="chat"):
    text: ChatText


class LookMessage(_FromClient, frozen=True, kw_only=True, tag="look"):
    seat: Eyes


class RefreshMessage(_FromClient, frozen=True, kw_only=True, tag="refresh"):
    pass


class PingMessage(_FromClient, frozen=True, kw_only=True, tag="ping"):
    pass


FromClient = MoveMessage | UndoMessage | UndoAnswerMessage | ChatMessage | LookMessage | RefreshMessage | PingMessage
_READ: Final = msgspec.json.Decoder(FromClient)


# What they are told, besides views.


class SeatsNews(Struct, frozen=True, tag="seats"):
    seats: tuple[SeatView, ...]
    watchers: int
    pace: Pace


class ChatNews(Struct, frozen=True, tag="chat"):
    messages: tuple[ChatLine, ...]


class DoneNews(Struct, frozen=True, tag="done"):
    reply_to: int | None
    version: int
    ply: int
    outcome: str


class ErrorNews(Struct, frozen=True, tag="error"):
    reply_to: int | None
    error: str
    sentence: str


class Pong(Struct, frozen=True, tag="pong"):
    reply_to: int | None


ToClient = SeatsNews | ChatNews | DoneNews | ErrorNews | Pong
_WRITE: Final = msgspec.json.Encoder()


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
        viewer, _ = eyes(self.table, self.rights, self.looking)
        return viewer

    def say(self, message: ToClient) -> None:
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
        """Tell the client what there is to tell, until the socket is closed."""
        while True:
            await self._anything.wait()
            self._anything.clear()
            if self.closing:
                await self.socket.close(*self.closing)
                return
            try:
                await self._write_news(presence)
            except Refused:
                self.close(4404, "no longer for you")

    async def _write_news(self, presence: Presences) -> None:
        if self._view_is_new:
            self._view_is_new = self._seats_are_new = False
            await self.socket.send_text(self._view(presence.of(self.table)))
        if self._seats_are_new:
            self._seats_are_new = False
            now = presence.of(self.table)
            await self._send(SeatsNews(seat_views(self.table, self.rights, now), now.watchers, self.table.pace))
        while self._waiting:
            await self._send(self._waiting.popleft())

    def _view(self, presence: Presence) -> str:
        """The present view as it is sent, written once for all who may know the same."""
        table, rights = self.table, self.rights
        self.looking, hand_over = eyes(table, rights, self.looking)
        drawing = draw(table, self.looking, self.reader)
        seen = self.seen if self.seen == drawing.base else 0
        self.seen = drawing.serial
        key = self.looking, rights, presence, hand_over, seen, table.pace, tuple(table.seats), frozenset(table.thinking)
        message = drawing.messages.get(key)
        if message is None:
            view = present_view(table, self.looking, drawing, art_of(table.game), rights, presence, seen, hand_over)
            message = drawing.messages[key] = _WRITE.encode(view).decode()
        return message

    async def _send(self, message: ToClient) -> None:
        await self.socket.send_text(_WRITE.encode(message).decode())


class Presences:
    """All open sockets of this process, by table."""

    def __init__(self, house: House) -> None:
        self._house = house
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
        self._house.keep(connection.table.id)
        self._by_address[connection.caller.address] += 1
        self._tell_seats(connection.table.id, connection)

    def leave(self, connection: Connection) -> None:
        id = connection.table.id
        self._known.pop(id, None)
        left = self._open.get(id, set())
        left.discard(connection)
        self._house.let_go(id)
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

    def hear(self, news: News) -> None:
        """Pass news on to whom they concern."""
        if news.what == "seats":
            self._known.pop(news.table, None)
        for connection in self._open.get(news.table, ()):
            if news.what == "view":
                connection.show()
            elif news.what == "seats":
                connection.show_seats()
            elif news.chat:
                connection.say(ChatNews((news.chat,)))

    def show_seats(self, table: LiveTable) -> None:
        """Something about the seats changed that only this process knows: a bot began to think."""
        for connection in self._open.get(table.id, ()):
            connection.show_seats()

    def close_all(self) -> None:
        """The server stops; clients come again when it is back."""
        for connections in self._open.values():
            for connection in connections:
                connection.close(1012, "the server restarts")


class SocketRooms(Protocol):
    """What a socket needs of the server."""

    @property
    def house(self) -> House: ...
    @property
    def acting(self) -> Acting: ...
    @property
    def presences(self) -> Presences: ...
    @property
    def limits(self) -> Limits: ...


@websocket("/ws/tables/{table_id:str}")
async def table_socket(socket: WebSocket[Any, Any, Any], table_id: FromPath[str]) -> None:
    """Tell a client about a table, and hear what it wants, until one of the two goes."""
    rooms: SocketRooms = socket.app.state.rooms
    house, presences, limits = rooms.house, rooms.presences, rooms.limits
    await socket.accept()
    caller = caller_of(socket)
    try:
        limits.count("socket", caller)
        if limits.on:
            presences.check_room(caller.address)
        table = await house.table(table_id)
        connection = Connection(socket, table, caller, reader_of(socket))
        connection.looking = _asked_eyes(socket.query_params.get("as"), connection.rights)
    except Refused as refused:
        await socket.close({404: 4404, 429: 4429}.get(refused.status, 4403), str(refused)[:100])
        return
    chat = await house.storage.latest_chat(table.id)
    presences.enter(connection)
    connection.show()
    connection.say(ChatNews(tuple(chat)))
    writing = asyncio.create_task(connection.write(presences))
    reading = asyncio.create_task(_read(connection, rooms.acting, limits))
    try:
        finished, _ = await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
        for task in finished:
            error = task.exception()
            if error and not isinstance(error, (WebSocketDisconnect, RuntimeError, OSError)):
                _LOG.error("a socket of table %s failed", table.id, exc_info=error)
    finally:
        presences.leave(connection)
        for task in (writing, reading):
            task.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)


def _asked_eyes(asked: str | None, rights: Rights) -> int | None:
    """The seat that a client asks to look through."""
    if not asked:
        return None
    if asked == str(SPECTATOR):
        return SPECTATOR
    for seat in rights.seats:
        if asked == str(seat):
            return seat
    raise forbidden(say("You do not hold that seat."))


async def _read(connection: Connection, acting: Acting, limits: Limits) -> None:
    while not connection.closing:
        text = await connection.socket.receive_text()
        if len(text) > MESSAGE_BYTES:
            connection.close(1009, "message too large")
            return
        if limits.on and connection.bucket.take(MESSAGES):
            connection.close(4429, "too many messages")
            return
        await _hear(connection, acting, limits, text)


async def _hear(connection: Connection, acting: Acting, limits: Limits, text: str) -> None:
    """Carry out one message; whatever is wrong with it is told to its sender alone."""
    try:
        message = _READ.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        connection.say(ErrorNews(None, "malformed", str(malformed(str(error)))))
        return
    try:
        if isinstance(message, ChatMessage):
            limits.count("chat", connection.caller)
        reply = await _carry_out(connection, acting, message)
    except (LudothequeError, Refused) as error:
        body = (refusal(error) if isinstance(error, LudothequeError) else error).body(connection.reader)
        connection.say(ErrorNews(message.id, body.error, body.sentence))
        if body.error == "moved-meanwhile":
            connection.show()
    except Exception as error:
        _LOG.exception("a message to table %s failed", connection.table.id)
        body = (unavailable() if isinstance(error, DBAPIError) else our_fault()).body(connection.reader)
        connection.say(ErrorNews(message.id, body.error, body.sentence))
    else:
        if isinstance(reply, Done):
            connection.say(DoneNews(message.id, reply.version, reply.ply, reply.outcome))
        elif isinstance(message, PingMessage):
            connection.say(Pong(message.id))


async def _carry_out(connection: Connection, acting: Acting, message: FromClient) -> Done | None:
    table, rights = connection.table, connection.rights
    if isinstance(message, MoveMessage):
        rights.check_seat(message.seat)
        return await acting.move(table, message.seat, message.version, move_of(message.action, message.text))
    if isinstance(message, UndoMessage):
        rights.check_seat(message.seat)
        return await acting.undo(table, message.seat, message.version, rights)
    if isinstance(message, UndoAnswerMessage):
        rights.check_seat(message.seat)
        return await acting.answer_undo(table, message.seat, message.version, message.agree)
    if isinstance(message, ChatMessage):
        await acting.chat(table, connection.chat_seat, message.text)
    elif isinstance(message, LookMessage):
        if message.seat != SPECTATOR:
            rights.check_seat(message.seat)
        connection.looking = message.seat
        connection.show(whole=True)
    elif isinstance(message, RefreshMessage):
        connection.show(whole=True)
    return None
