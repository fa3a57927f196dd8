"""A server that stops finishes what it has begun, and leaves no process behind."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import pytest

from ludotheque.server.config import Settings
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import Change
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import Server, is_running, run_apart, wait_until
from tests.server.test_events import open_table
from tests.speeds import chosen


@pytest.mark.parametrize("how", chosen(["stopped", "killed"], "stopped"))
def test_a_server_that_ends_closes_its_sockets_and_ends_its_workers(tmp_path: Path, how: str) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("orchard", "bot bot", pace=0, options={"rounds": 40})
        browser.get(f"/api/tables/{table.id}/summary")  # by a worker of another kind
        with browser.socket(table.id) as socket:
            socket.hear_until("view")
            wait_until(lambda: len(server.workers()) >= 3)  # for bots and for summaries, and Python's own
            workers = server.workers()
            if how == "stopped":
                server.process.terminate()
                assert socket.hear_to_the_end() == 1012
            else:
                server.process.kill()
    server.process.wait(60)
    if how == "stopped":
        assert server.process.returncode in (0, -signal.SIGTERM)
    wait_until(lambda: not any(map(is_running, workers)))
    server._gone()


def test_a_server_that_stops_takes_no_new_connections_and_finishes_the_requests_it_has(tmp_path: Path) -> None:
    server = Server(tmp_path, "--patient")
    body = b'{"game": "nim", "seats": [{"who": "me"}, {"who": "me"}]}'
    head = (
        "POST /api/tables HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
        f"Content-Length: {len(body)}", "Expect: 100-continue", "", "",
    )  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall("\r\n".join(head).encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 100"), "the server waits for the body"
        server.process.terminate()
        wait_until(lambda: not accepts(server))
        assert server.process.poll() is None
        connection.sendall(body)
        assert connection.recv(65536).startswith(b"HTTP/1.1 201")
    server._gone()


def accepts(server: Server) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port)).close()
    except OSError:
        return False
    return True


def test_a_stop_waits_for_the_moves_that_have_begun(tmp_path: Path) -> None:
    async def stop() -> tuple[bool, int]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table = await open_table(live_tables, events, "passerelles")
        actions = TableActions(TableWriter(live_tables, events))
        change, is_free = live_tables.storage.change, asyncio.Event()

        async def slow_change(wanted: Change) -> None:
            await is_free.wait()
            await change(wanted)

        live_tables.storage.change = slow_change  # type: ignore[assignment, method-assign]
        client = asyncio.create_task(actions.move(table, 0, 1, table.match.state_at(0).legal_actions()[0]))
        await asyncio.sleep(0)
        client.cancel()  # its socket is closed
        stopping = asyncio.create_task(actions.writer.finish())
        for _ in range(10):
            await asyncio.sleep(0)
        waits = not stopping.done()
        is_free.set()
        await stopping
        stored = await live_tables.storage.load_table(table.id)
        await live_tables.storage.close()
        assert stored
        return waits, stored[0].version

    assert run_apart(stop()) == (True, 2)
