"""What one visitor could do to all others, and cannot."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import httpx
import pytest
import sqlalchemy as sql
import uvicorn
import uvloop
from uvicorn.server import ServerState

from ludotheque.core.game import SPECTATOR
from ludotheque.errors import BadOption
from ludotheque.games.pays_noir.document import built_in_document
from ludotheque.server.app import create_app
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Most, Settings
from ludotheque.server.errors import Refused
from ludotheque.server.http.bodies import DEEPEST, MOST_TOKENS, check_depth
from ludotheque.server.http.connection import CONNECTIONS_PER_ADDRESS, OpenConnections, timed_connection
from ludotheque.server.http.guard import BODY_BYTES, BODY_BYTES_PER_ADDRESS, HeldBodies
from ludotheque.server.http.limits import Limits, Rule
from ludotheque.server.logs import JsonLines, ReadableLines
from ludotheque.server.routes import health, statistics
from ludotheque.server.run import raise_open_files
from ludotheque.server.storage import database, sqlite
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.keys import Key, Keys
from ludotheque.server.storage.schema import TABLES
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.listed import ListedTables
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader, check_setup
from ludotheque.server.tables.seats import MOST_TO_WATCH, let_watch
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.apart import in_a_thread
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.test_events import open_another_table, open_table

Result = TypeVar("Result")
ME, OPEN = NewSeat(who="me"), NewSeat(who="open")


def test_an_address_may_not_hold_any_number_of_connections() -> None:
    connections = OpenConnections(3, proxies=("192.0.2.9",))
    assert [connections.open("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    assert connections.open("192.0.2.2"), "another address is not held up"
    assert all(connections.open("192.0.2.9") for _ in range(10)), "a trusted proxy brings many clients"
    connections.close("192.0.2.1")
    assert connections.open("192.0.2.1")


def test_silent_connections_do_not_shut_the_door(tmp_path: Path) -> None:
    """Connections beyond the limit are closed at once, and those that end make room."""
    server = Server(tmp_path)
    place = "127.0.0.1", server.port
    try:
        held = [socket.create_connection(place) for _ in range(CONNECTIONS_PER_ADDRESS + 20)]
        wait_until(lambda: all(is_closed(connection) for connection in held[-10:]))
        assert not is_closed(held[CONNECTIONS_PER_ADDRESS - 10]), "not by the timer for headers, which ends them all"
        for connection in held:
            connection.close()
        with server.browser() as bob:
            wait_until(lambda: bob.get("/health").status_code == 200)
    finally:
        server.stop()


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed a connection."""
    connection.settimeout(0.001)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


def test_a_socket_that_ends_makes_room_for_another(server: Server, ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    for _ in range(3):
        with ann.socket(table.id) as connection:
            connection.hear_until("view")


def test_unfinished_bodies_of_one_address_take_a_bounded_amount_of_memory() -> None:
    held = HeldBodies()
    with held.counting("192.0.2.1") as hold:
        hold(BODY_BYTES_PER_ADDRESS)
        with held.counting("192.0.2.2") as other:
            other(1000)
        with pytest.raises(Refused):
            hold(1)
    with held.counting("192.0.2.1") as hold:
        hold(BODY_BYTES_PER_ADDRESS)


def test_unfinished_bodies_of_many_addresses_take_a_bounded_amount_of_memory() -> None:
    held = HeldBodies()
    addresses = [f"192.0.2.{number}" for number in range(BODY_BYTES // BODY_BYTES_PER_ADDRESS + 1)]
    with pytest.raises(Refused):
        hold_all(held, addresses)


def hold_all(held: HeldBodies, addresses: list[str]) -> None:
    if addresses:
        with held.counting(addresses[0]) as hold:
            hold(BODY_BYTES_PER_ADDRESS)
            hold_all(held, addresses[1:])


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_a_body_that_is_nested_too_deeply_is_refused(opening: bytes) -> None:
    check_depth(opening * DEEPEST)
    with pytest.raises(Refused):
        check_depth(opening * (DEEPEST + 1))


def test_brackets_in_strings_and_beside_each_other_are_not_nested() -> None:
    check_depth(b'["' + b"[" * 1000 + b'\\"[", ' + b"[], " * 1000 + b"1]")


def test_a_string_that_never_ends_is_read_once() -> None:
    """Each of its escaped quotes was taken for a beginning: 16 kB stopped the server for two seconds."""
    check_depth(b'{"a": "' + rb"\"[[" * 200_000)


def test_a_body_with_endless_brackets_is_refused() -> None:
    with pytest.raises(Refused):
        check_depth(b"[" + b"[]," * MOST_TOKENS + b"1]")


def test_a_body_with_endless_strings_is_refused() -> None:
    """To look for brackets between the strings of two megabytes stopped the server for 0.4 s."""
    with pytest.raises(Refused):
        check_depth(b"[" + b"[]," * DEEPEST + b'"x",' * MOST_TOKENS + b"1]")


def test_a_document_that_is_nested_too_deeply_is_refused(ann: Browser) -> None:
    for depth in (DEEPEST + 1, 600, 979):
        cards = "[" * depth + "]" * depth
        body = f'{{"game": "pays-noir", "seats": [], "settings": {{"cards": {cards}}}}}'
        answer = ann.http.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed")


@pytest.mark.parametrize("host", ["localhost:99999", "localhost:0", "localhost:x", "[::1"])
def test_a_host_that_is_none_is_refused(ann: Browser, host: str) -> None:
    assert ann.http.get("/health", headers={"Host": host}).status_code == 421


def test_a_request_with_two_hosts_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert connection.makefile("rb").readline().split()[1] == b"421"


@pytest.mark.parametrize("formatter", [JsonLines(), ReadableLines()])
def test_logs_hold_no_values_of_postgresql(formatter: logging.Formatter) -> None:
    """A log reader could complete the seed of the dice from them."""
    message = "duplicate key value\nDETAIL:  Failing row contains (\\x5eed...).\nHINT:  none"
    try:
        raise ValueError(message)
    except ValueError:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": sys.exc_info()})
    line = formatter.format(record)
    assert "duplicate key value" in line
    assert "HINT" in line
    assert "5eed" not in line


def test_all_running_tables_of_a_browser_are_listed(ann: Browser) -> None:
    """There is no account, and so no other way back to them."""
    opened = {ann.open("orchard", "me me me").id for _ in range(40)}
    assert opened <= {table["id"] for table in ann.get("/api/mine").json()}


def test_finished_tables_crowd_no_running_one_out_of_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MINE", 1)

    async def run() -> tuple[str, list[str]]:
        storage = Storage(Settings(data=tmp_path))
        live_tables = LiveTables(storage, 10)
        running = await open_table(live_tables, TableEvents())
        finished = await open_another_table(live_tables, TableEvents())
        async with storage.writing() as connection:
            await connection.execute(sql.update(TABLES).where(TABLES.c.id == finished.id).values(over=True))
        listed = [table.id for table, _ in await storage.held_by(bytes(32))]
        await storage.close()
        return running.id, listed

    running, listed = run_apart(run())
    assert listed == [running]


def test_the_pages_of_a_large_database_are_not_all_checked_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[object] = []

    async def check(connection: object) -> None:
        checked.append(connection)

    async def open_once() -> None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        await storage.close()

    monkeypatch.setattr(sqlite, "_check_pages", check)
    run_apart(open_once())
    assert len(checked) == 1
    monkeypatch.setattr(sqlite, "CHECKED_BYTES", 0)
    run_apart(open_once())
    assert len(checked) == 1


def test_a_server_whose_disk_is_full_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ping() -> None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        try:
            await storage.ping()
        finally:
            await storage.close()

    run_apart(ping())
    monkeypatch.setattr(database, "SPARE_BYTES", 1 << 62)
    with pytest.raises(OSError, match="disk is full"):
        run_apart(ping())


def test_a_server_whose_database_is_locked_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "DATABASE_SECONDS", 0.1)

    async def ask(browser: httpx.AsyncClient) -> int:
        with closing(sqlite3.connect(tmp_path / "ludotheque.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            return (await browser.get("/ready")).status_code

    assert run_apart(in_browser(tmp_path, ask)) == 503


def test_however_many_ask_whether_the_server_is_ready_the_database_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question has no limit, since proxies ask it, and took the place of a change: it held up every move."""
    asked: list[Storage] = []

    async def ping(storage: Storage) -> None:
        asked.append(storage)

    async def ask(browser: httpx.AsyncClient) -> list[int]:
        monkeypatch.setattr(Storage, "ping", ping)
        monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: 7.0))
        return [answer.status_code for answer in await asyncio.gather(*(browser.get("/ready") for _ in range(9)))]

    assert run_apart(in_browser(tmp_path, ask)) == [200] * 9
    assert len(asked) == 1


def test_statistics_are_gathered_once_for_all_who_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large database that takes most of a second."""
    gathered: list[str] = []

    async def gather(storage: Storage, reader: Reader) -> statistics.Statistics:
        gathered.append(reader.language)
        return statistics.Statistics(0, ())

    async def ask(browser: httpx.AsyncClient) -> None:
        monkeypatch.setattr(statistics, "gather", gather)
        monkeypatch.setattr(statistics, "time", SimpleNamespace(monotonic=lambda: 7.0))
        for _ in range(3):
            (await browser.get("/api/statistics")).raise_for_status()

    run_apart(in_browser(tmp_path, ask))
    assert len(gathered) == 1


async def in_browser(folder: Path, use: Callable[[httpx.AsyncClient], Coroutine[Any, Any, Result]]) -> Result:
    """Run a server within this process, and use it."""
    app = create_app(Settings(data=folder))
    transport = httpx.ASGITransport(cast(Any, app))
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
        return await use(browser)


def test_a_server_may_hold_as_many_connections_as_the_system_allows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: set_to.append(limits))
    with caplog.at_level(logging.WARNING, logger="ludotheque.server"):
        raise_open_files()
    assert set_to == [(4096, 4096)]
    assert "4096" in caplog.text, "that is few"


def test_nobody_takes_a_name_that_looks_like_another_at_the_table(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    secret = table.links[1].partition("#")[2]
    ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Ann"})
    joined = bob.post(f"/api/tables/{table.id}/join", {"secret": secret, "name": "\u0410nn"})
    assert (joined.status_code, joined.json()["error"]) == (400, "bad-name")
    bob.post(f"/api/tables/{table.id}/join", {"secret": secret, "name": "Bob"})
    renamed = bob.post(f"/api/tables/{table.id}/name", {"seat": 1, "name": "ANN"})
    assert (renamed.status_code, renamed.json()["error"]) == (400, "bad-name")


def test_chat_holds_nothing_invisible(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as connection:
        connection.hear_until("view")
        connection.hear_until("chat")
        ann.post(f"/api/tables/{table.id}/chat", {"text": "\u202eolleh\u200b"})
        assert "olleh" in [line["text"] for line in connection.hear_until("chat")["messages"]]
    assert ann.post(f"/api/tables/{table.id}/chat", {"text": "\u200b"}).status_code == 400


def test_a_busy_server_reads_what_arrived_before_it_closes_a_connection() -> None:
    """The request arrives while the event loop works for others, until the time for the headers is over."""
    seconds = 0.05

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def run() -> bytes:
        loop = asyncio.get_running_loop()
        others, wake = socket.socketpair()
        connected = asyncio.Event()

        class Connection(timed_connection(seconds, 60.0, OpenConnections())):  # type: ignore[misc]
            def connection_made(self, transport: asyncio.Transport) -> None:
                super().connection_made(transport)
                wake.send(b"!")
                connected.set()

        def work_for_others() -> None:
            loop.remove_reader(others)
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            end = time.monotonic() + 2 * seconds
            while time.monotonic() < end:
                pass

        config = uvicorn.Config(app)
        config.load()
        server = await loop.create_server(lambda: Connection(config, ServerState(), {}), "127.0.0.1", 0)
        loop.add_reader(others, work_for_others)
        with others, wake, socket.create_connection(server.sockets[0].getsockname()) as client:
            async with server:
                await connected.wait()
                return await loop.run_in_executor(None, client.recv, 1000)

    def answered() -> bytes:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(run())

    assert in_a_thread(answered).startswith(b"HTTP/1.1 204")


def test_a_record_stores_no_large_document() -> None:
    """A card file has a field for its provenance, which may hold anything."""
    check_setup("pays-noir", 2, {"cards": built_in_document()})
    with pytest.raises(BadOption, match="larger than 64 kB"):
        check_setup("pays-noir", 2, {"cards": built_in_document() | {"provenance": "x" * 64_000}})


def test_an_address_lets_the_server_store_a_bounded_number_of_bytes() -> None:
    limits = Limits(on=True)
    for _ in range(4):
        limits.count_stored("192.0.2.1", 1_000_000)
    with pytest.raises(Refused):
        limits.count_stored("192.0.2.1", 1_000_000)
    limits.count_stored("192.0.2.2", 1_000_000)


def test_records_tables_and_branches_count_as_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludotheque.server.http.limits.STORED", Rule(150, 1e-6))

    async def ask(browser: httpx.AsyncClient) -> list[int]:
        opened = await browser.post("/api/tables", json={"game": "passerelles", "seats": [{"who": "me"}] * 2})
        record = await browser.post("/api/records", json={"record": "x" * 200})
        return [opened.status_code, record.status_code]

    assert run_apart(in_browser(tmp_path, ask)) == [201, 429]


def test_chat_and_recovery_links_count_as_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten lines of chat a second are a gigabyte in a few days."""
    monkeypatch.setattr("ludotheque.server.http.limits.STORED", Rule(500, 1e-6))

    async def ask(browser: httpx.AsyncClient) -> list[int]:
        opened = await browser.post("/api/tables", json={"game": "passerelles", "seats": [{"who": "me"}] * 2})
        chat, long = f"/api/tables/{opened.json()['id']}/chat", "x" * 150
        sent = [(chat, {"text": long}), (chat, {"text": long}), ("/api/recovery", {"stored": {"a": long * 2}})]
        return [(await browser.post(where, json=body)).status_code for where, body in sent]

    assert run_apart(in_browser(tmp_path, ask)) == [200, 429, 429]


def test_a_table_has_a_bounded_number_of_keys_to_watch_it() -> None:
    """Anyone who watches could add one a second, each of which made every later change slower."""
    full = Keys(frozenset(Key(number.to_bytes(4), SPECTATOR, "browser") for number in range(MOST_TO_WATCH)))
    facts = TableFacts(host=b"", seats=(), names=(), keys=full)
    with pytest.raises(Refused):
        let_watch(facts, b"eve")
    assert let_watch(facts, (7).to_bytes(4)) == facts


def test_one_network_does_not_fill_the_public_list() -> None:
    listed = ListedTables(most=2)
    for table in ("one", "two"):
        listed.check_room("192.0.2.1", ["one", "two"])
        listed.add("192.0.2.1", table)
    with pytest.raises(Refused):
        listed.check_room("192.0.2.1", ["one", "two"])
    listed.check_room("192.0.2.2", ["one", "two"])
    listed.check_room("192.0.2.1", ["two"])


def test_one_network_makes_a_bounded_number_of_profiles() -> None:
    """Profiles cost nothing, and each may organise tournaments and join clubs."""
    limits = Limits(on=True, profiles=2)
    for _ in range(2):
        limits.count_profile("2001:db8:7:1::1")
    with pytest.raises(Refused):
        limits.count_profile("2001:db8:7:2::1")
    limits.count_profile("192.0.2.1")


def test_a_profile_counts_when_it_is_made_and_not_when_it_changes(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, most=Most(profiles=1)))

    async def run() -> list[int]:
        statuses = []
        async with app.lifespan():
            for names in (("Ann", "Anna"), ("Bob",)):
                transport = httpx.ASGITransport(cast(Any, app))
                async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
                    statuses += [
                        (await browser.post("/api/profile", json={"name": name})).status_code for name in names
                    ]
        return statuses

    assert run_apart(run()) == [200, 200, 429]


def test_tables_with_an_open_seat_are_counted(tmp_path: Path) -> None:
    async def run() -> None:
        storage, wanted = Storage(Settings(data=tmp_path)), NewTable(game="cable-car", seats=[ME, OPEN])
        await storage.open()
        reader = UntrustedReader(LimitedWorkers(1, 60))
        opener = TableOpener(LiveTables(storage, 10), TableEvents(), reader, TableBots(), most_listed=1)
        await opener.open_new(wanted, bytes(32), Reader("en"), "192.0.2.1")
        await opener.open_new(NewTable(game="cable-car", seats=[ME, ME]), bytes(32), Reader("en"), "192.0.2.1")
        with pytest.raises(Refused):
            await opener.open_new(wanted, bytes(32), Reader("en"), "192.0.2.1")
        await storage.close()

    run_apart(run())


def test_versions_of_many_tables_are_compared_in_several_statements(tmp_path: Path) -> None:
    """SQLite and PostgreSQL take some 32,000 parameters in one."""

    async def run() -> list[bool]:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        reader = UntrustedReader(LimitedWorkers(1, 60))
        opener = TableOpener(LiveTables(storage, 10), TableEvents(), reader, TableBots())
        wanted = NewTable(game="cable-car", seats=[ME, ME])
        ids = [(await opener.open_new(wanted, bytes(32), Reader("en"), "")).id for _ in range(5)]
        found = await storage.versions([*ids, *(f"no table {number}" for number in range(40_000))])
        await storage.close()
        return [id in found for id in ids]

    assert run_apart(run()) == [True] * 5
