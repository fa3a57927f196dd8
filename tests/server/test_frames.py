"""Frames of a client: read at once where they arrive whole, by the library otherwise; carried out in order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.frames import Frame, Opcode

from ludotheque.server.commands import MESSAGE_BYTES
from ludotheque.server.config import Settings
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.connection import FrameSocket, is_whole_frame, unmasked
from ludotheque.server.http.limits import Limits
from ludotheque.server.routes.context import Services
from ludotheque.server.routes.socket import Inbox
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables import sockets
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.messages import PongMessage
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.sockets import Broadcast, Connection
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import Browser, Socket, run_apart, wait_until
from tests.server.test_events import ENGLISH, open_table, spectator

PING = json.dumps({"type": "ping", "id": 7}).encode()


@pytest.mark.parametrize("text", ["", "a", "déjà", "x" * 125, "x" * 126, "é" * 8000])
def test_a_frame_of_the_library_is_read_as_it_was_written(text: str) -> None:
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
    assert is_whole_frame(frame)
    assert unmasked(frame).decode() == text


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.CLOSE])
def test_control_frames_are_whole(opcode: Opcode) -> None:
    assert is_whole_frame(Frame(opcode, b"1234").serialize(mask=True))


def test_everything_else_is_left_to_the_library() -> None:
    frame = Frame(Opcode.TEXT, PING).serialize(mask=True)
    others = [
        b"",
        frame[:1],
        frame[:-1],
        frame + frame,
        Frame(Opcode.TEXT, PING).serialize(mask=False),
        Frame(Opcode.TEXT, PING, fin=False).serialize(mask=True),
        Frame(Opcode.CONT, PING).serialize(mask=True),
        Frame(Opcode.BINARY, PING).serialize(mask=True),
        bytes([frame[0] | 0x40]) + frame[1:],
        Frame(Opcode.TEXT, b"x" * 65_536).serialize(mask=True),
    ]
    assert [is_whole_frame(other) for other in others] == [False] * len(others)


def pings(socket: Socket, *parts: bytes) -> None:
    """Send bytes, each part in a segment of its own once the part before has been read."""
    for part in parts:
        socket.connection.socket.sendall(part)
        socket.connection.ping().wait()


def test_messages_are_answered_however_they_are_divided(ann: Browser) -> None:
    frame = Frame(Opcode.TEXT, PING).serialize(mask=True)
    start = Frame(Opcode.TEXT, PING[:9], fin=False).serialize(mask=True)
    end = Frame(Opcode.CONT, PING[9:]).serialize(mask=True)
    with ann.socket(ann.open("nim", "me me").id) as socket:
        raw = socket.connection.socket
        pings(socket, frame, frame + frame, start, end)
        for _ in range(4):
            socket.hear_until("pong", reply_to=7)
        raw.sendall(frame[:5])
        raw.sendall(frame[5:])
        socket.hear_until("pong", reply_to=7)
        pings(socket, frame)
        socket.hear_until("pong", reply_to=7)


def test_a_text_that_is_no_utf_8_closes_the_socket(ann: Browser) -> None:
    with ann.socket(ann.open("nim", "me me").id) as socket:
        socket.hear_until("chat")
        socket.connection.socket.sendall(Frame(Opcode.TEXT, b"\xff").serialize(mask=True))
        assert socket.hear_to_the_end() == 1007


def test_messages_that_come_together_are_carried_out_in_order(ann: Browser) -> None:
    with ann.socket(ann.open("nim", "me me").id) as socket:
        for number in range(30):
            socket.send(type="chat", text=f"line {number}")
        heard: list[str] = []
        while len(heard) < 30:
            heard += [line["text"] for line in socket.hear_until("chat")["messages"]]
        assert heard == [f"line {number}" for number in range(30)]


def test_a_move_is_played_although_its_client_disconnects_at_once(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as socket:
        view = socket.hear_until("view")
        action = view["choices"][0]["action"]
        socket.send(type="move", seat=view["viewer"], version=view["version"], action=action)
        socket.connection.socket.close()
    wait_until(lambda: ann.view(table.id)["version"] == view["version"] + 1)


def services(actions: TableActions | None) -> Services:
    """The services that a socket uses, without limits."""
    return cast(Services, SimpleNamespace(actions=actions, limits=Limits(on=False)))


def test_the_reply_to_a_move_is_sent_together_with_the_view(tmp_path: Path) -> None:
    """And nobody else gets the reply."""

    async def play() -> tuple[list[bytes], list[bytes]]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        broadcast = Broadcast(ViewCache(), Presences(live_tables, events), events)
        sent: tuple[list[bytes], list[bytes]] = [], []
        watcher, player = (spectator(table, broadcast, each) for each in sent)
        player.digests = (table.facts.host,)
        for connection in (watcher, player):
            broadcast.enter(connection)
            connection.show()
        inbox = Inbox(player, services(actions))
        seat = table.match.to_move
        action = table.match.choices(seat)[0].children[0].action
        inbox.take(json.dumps({"type": "move", "seat": seat, "version": table.version, "action": action, "id": 9}))
        await inbox.done()
        await actions.writer.finish()
        await live_tables.storage.close()
        return sent

    watched, played = run_apart(play())
    assert sum(b'"type":"done"' in frames for frames in watched) == 0
    assert [b'"type":"view"' in frames for frames in played if b'"type":"done","reply_to":9' in frames] == [True]


def test_a_client_waits_while_an_earlier_message_is_carried_out() -> None:
    """It is not read from meanwhile, so that nothing piles up."""

    async def send() -> list[bool]:
        connection = SimpleNamespace(
            closing=None, socket=SimpleNamespace(scope={}), table=None, rights=None, send=lambda message: None
        )
        actions = TableActions(TableWriter(cast(Any, SimpleNamespace(storage=None)), TableEvents()))
        inbox = Inbox(cast(Connection, connection), services(actions))
        taken = [inbox.take(PING.decode()) for _ in range(2)]
        await inbox.done()
        return [*taken, inbox.take(PING.decode())]

    assert run_apart(send()) == [True, False, True]


def test_a_closing_connection_is_read_to_its_end() -> None:
    """What it still sends is not carried out, and reading goes on, so that its close is not missed."""

    async def send() -> list[bool]:
        connection = SimpleNamespace(closing=None, socket=SimpleNamespace(scope={}))
        connection.close = lambda code, reason: setattr(connection, "closing", (code, reason))
        inbox = Inbox(cast(Connection, connection), services(None))
        return [inbox.take(text) for text in ("x" * (MESSAGE_BYTES + 1), PING.decode())]

    assert run_apart(send()) == [True, True]


def test_a_client_that_does_not_read_is_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it was sent blocks the socket, so that no close could be sent either."""
    monkeypatch.setattr(sockets, "_CLOSE_SECONDS", 0.0)

    async def block(*_: object) -> None:
        await asyncio.Event().wait()

    async def run() -> int:
        live_tables, events, aborted = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents(), asyncio.Event()
        table = await open_table(live_tables, events)
        extension = {"send": lambda frames: False, "abort": aborted.set}
        scope = {"extensions": {"ludotheque.frames": extension}}
        socket = cast(Any, SimpleNamespace(scope=scope, send_text=block, close=block))
        broadcast = Broadcast(ViewCache(), Presences(live_tables, events), events)
        caller = Caller("", "", "192.0.2.1", False)
        connection = Connection(socket, table, caller, ENGLISH, broadcast)
        writing = asyncio.create_task(connection.write())
        sent = 0
        while not connection.closing:
            connection.send(PongMessage(None))
            sent += 1
            await asyncio.sleep(0)
        await aborted.wait()
        writing.cancel()
        await live_tables.storage.close()
        return sent

    assert run_apart(run()) > 1


def test_a_socket_can_be_ended_without_its_client() -> None:
    async def run() -> list[str]:
        done: list[str] = []

        async def app(scope: Any, receive: object, send: object) -> None:
            scope["extensions"]["ludotheque.frames"]["abort"]()

        socket = cast(Any, FrameSocket.__new__(FrameSocket))
        socket.scope, socket.app, socket.handshake_complete, socket.close_timer = {"extensions": {}}, app, True, None
        socket.transport = SimpleNamespace(abort=lambda: done.append("abort"), close=lambda: done.append("close"))
        await socket.run_asgi()
        return done

    assert run_apart(run()) == ["abort", "close"]
