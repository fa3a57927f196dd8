"""The socket of a table: sends its viewer what changes, and carries out the commands that come back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.commands import (
    DECODER,
    MESSAGE_BYTES,
    FromClient,
    LookMessage,
    PingMessage,
    RefreshMessage,
)
from ludotheque.server.errors import Refused, forbidden, internal_error, malformed, refusal, unavailable
from ludotheque.server.http.caller import caller_of, reader_of
from ludotheque.server.http.connection import take_texts
from ludotheque.server.http.fair_share import first
from ludotheque.server.http.limits import MESSAGES
from ludotheque.server.http.spending import SPENDER
from ludotheque.server.routes.context import Services
from ludotheque.server.routes.table_commands import BY_MESSAGE, Visit
from ludotheque.server.storage.database import latest_chat
from ludotheque.server.storage.failures import STORAGE_ERRORS
from ludotheque.server.storage.restrictions import muted_by
from ludotheque.server.storage.rows import ChatLine
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.messages import ChatLinesMessage, DoneMessage, ErrorMessage, PongMessage
from ludotheque.server.tables.sockets import Connection
from ludotheque.server.tables.writing import Done

_LOG: Final = logging.getLogger("ludotheque.server.routes.socket")


@websocket("/ws/tables/{table_id:str}")
async def table_socket(socket: WebSocket[Any, Any, Any], table_id: FromPath[str]) -> None:
    """Send a client the changes of a table, and carry out its commands, until one side closes the socket."""
    services: Services = socket.app.state.services
    live_tables, broadcast, limits = services.live_tables, services.broadcast, services.limits
    await socket.accept()
    caller = caller_of(socket)
    SPENDER.set(services.spender(caller.address))
    try:
        limits.count("socket", caller)
        if limits.on:
            services.presences.check_room(caller.address)
        table = await live_tables.table(table_id)
        connection = Connection(socket, table, caller, reader_of(socket), broadcast)
        connection.viewer = _requested_viewer(socket.query_params.get("viewer"), connection.rights)
    except Refused as refused:
        await socket.close({404: 4404, 409: 4409, 429: 4429}.get(refused.status, 4403), str(refused)[:100])
        return
    connection.unheard, chat = await live_tables.storage.read(partial(_read_chat, table.id, caller.digests))
    broadcast.enter(connection)
    connection.show()
    connection.send(ChatLinesMessage(tuple(line for line in chat if connection.hears(line))))
    writing = asyncio.create_task(connection.write())
    reading = asyncio.create_task(_read(connection, Inbox(connection, services)))
    try:
        finished, _ = await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
        for task in finished:
            error = task.exception()
            if error and not isinstance(error, (WebSocketDisconnect, RuntimeError, OSError)):
                _LOG.error("a socket of table %s failed", table.id, exc_info=error)
    finally:
        broadcast.leave(connection)
        for task in (writing, reading):
            task.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)


async def _read_chat(
    table: str, digests: Collection[bytes], connection: AsyncConnection
) -> tuple[frozenset[bytes], list[ChatLine]]:
    """The keys of the people whom a client has muted, and what was said last at a table."""
    return await muted_by(connection, digests), await latest_chat(connection, table)


def _requested_viewer(requested: str | None, rights: Rights) -> int | None:
    """The viewer that a client asks for."""
    if not requested:
        return None
    if requested == str(SPECTATOR):
        return SPECTATOR
    for seat in rights.seats:
        if requested == str(seat):
            return seat
    raise forbidden(phrase("You do not hold that seat."))


class Inbox:
    """The messages of one client, carried out one after the other, to the end even if the client disconnects."""

    def __init__(self, connection: Connection, services: Services) -> None:
        self._connection, self._services = connection, services
        self._texts: list[str] = []  # a deque takes 760 bytes, also while no message waits
        self._work: asyncio.Task[None] | None = None
        self._spender = SPENDER.get()
        self._resume = take_texts(connection.socket.scope, self.take)

    def take(self, text: str) -> bool:
        """Carry out a message soon; false if others come first, so that the client should wait.

        Once the connection closes nothing is carried out, and its end is read.
        """
        connection = self._connection
        if connection.closing:
            return True
        if len(text) > MESSAGE_BYTES:
            connection.close(1009, "message too large")
        elif self._services.limits.on and connection.bucket.take(MESSAGES):
            connection.close(4429, "too many messages")
        else:
            self._texts.append(text)
            if self._work:
                return False
            self._work = self._services.actions.writer.start(self._carry_out_all())
        return True

    async def _carry_out_all(self) -> None:
        SPENDER.set(self._spender)
        try:
            while self._texts:
                work = partial(_handle, self._connection, self._services, self._texts.pop(0))
                await (first(work, self._spender) if self._spender else work())
        finally:
            self._work = None
            self._resume()

    async def done(self) -> None:
        """Wait until all messages are carried out."""
        if self._work:
            await asyncio.wait([self._work])


async def _read(connection: Connection, inbox: Inbox) -> None:
    """Receive what the server does not pass to the inbox itself, until the client disconnects."""
    while not connection.closing:
        inbox.take(await connection.socket.receive_text())
        await inbox.done()


async def _handle(connection: Connection, services: Services, text: str) -> None:
    """Carry out one message; errors are sent to its sender only."""
    try:
        message = DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        connection.send(ErrorMessage(None, "malformed", str(malformed(str(error)))))
        return
    try:
        if not isinstance(message, PingMessage):  # cheap, and a page whose ping fails reconnects
            services.limits.count("message", connection.caller)
            services.limits.check_time(connection.caller.address)
        reply = await _carry_out(connection, services, message)
    except (LudothequeError, Refused) as error:
        body = (refusal(error) if isinstance(error, LudothequeError) else error).body(connection.reader)
        connection.send(ErrorMessage(message.id, body.error, body.sentence))
        if body.error == "stale-version":
            connection.show()
    except Exception as error:
        _LOG.exception("a message to table %s failed", connection.table.id)
        body = (unavailable() if isinstance(error, STORAGE_ERRORS) else internal_error()).body(connection.reader)
        connection.send(ErrorMessage(message.id, body.error, body.sentence))
    else:
        if isinstance(reply, Done):
            connection.send(DoneMessage(message.id, reply.version, reply.ply, reply.outcome))
        elif isinstance(message, PingMessage):
            connection.send(PongMessage(message.id))


async def _carry_out(connection: Connection, services: Services, message: FromClient) -> Done | None:
    command = BY_MESSAGE.get(type(message))
    if command:
        if command.limit != "act":  # which `message` counts
            services.limits.count(command.limit, connection.caller)
        visit = Visit(services, connection.table, connection.rights, connection.viewer, connection.caller.address)
        return await command.carry_out(visit, message)
    if isinstance(message, LookMessage):
        if message.seat != SPECTATOR:
            connection.rights.check_seat(message.seat)
        connection.viewer = message.seat
        connection.show(whole=True)
    elif isinstance(message, RefreshMessage):
        connection.show(whole=True)
    return None
