"""Connections to PostgreSQL that are cut without a reset, as by a pulled cable: nobody waits for them for long."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from librt.random import Random

from ludotheque.core.errors import BadOption, StaleVersion
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.run import check_database
from ludotheque.server.storage import maintenance, postgres
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.failures import STORAGE_ERRORS
from ludotheque.server.storage.rows import Change
from ludotheque.server.tables import writing
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.live import LiveTable, load
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import PATIENCE, run_apart
from tests.server.postgres import Database
from tests.server.test_events import open_table


@pytest.fixture(autouse=True)
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_COMMAND_SECONDS", 1.5)
    monkeypatch.setattr(writing, "_AGAIN_AFTER", 0.0)


class Wire:
    """Passes bytes between clients and PostgreSQL, until it is cut: then both sides hear nothing, not even an end."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._generation = 0
        """Counts the cuts; connections that are older than the latest one are dead."""
        self.before_commit = self.after_commit = False
        """Whether the next commit cuts the wire, before or after it has passed."""
        self._ends: list[asyncio.StreamWriter] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for end in self._ends:
                end.close()
            await asyncio.gather(*(end.wait_closed() for end in self._ends), return_exceptions=True)

    def cut(self) -> None:
        self._generation += 1
        self.before_commit = self.after_commit = False

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._ends += [writer, their_writer]
        mine = self._generation
        await asyncio.gather(self._pass_on(reader, their_writer, mine), self._pass_on(their_reader, writer, mine))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, generation: int) -> None:
        while data := await reader.read(65_536):
            is_commit = b"COMMIT;" in data
            if is_commit and self.before_commit:
                self.cut()
            if generation == self._generation:
                writer.write(data)
            if is_commit and self.after_commit:
                self.cut()
        if generation == self._generation:
            writer.close()


class Club:
    """A server's tables behind a wire."""

    def __init__(self, storage: Storage, wire: Wire) -> None:
        self.storage, self.wire = storage, wire
        self.live_tables, self.events = LiveTables(storage, 10), TableEvents(storage.process)
        self.actions = TableActions(TableWriter(self.live_tables, self.events))
        self.reloaded = asyncio.Event()
        self.events.subscribe(lambda event: self.reloaded.set() if event.what == "reloaded" else None)

    async def open_table(self) -> LiveTable:
        return await open_table(self.live_tables, self.events)

    async def move(self, table: LiveTable, version: int) -> None:
        seat = version - 1
        action = int(table.match.resampled(seat, Random(1)).legal_actions()[0])
        await self.actions.move(table, seat, version, action)


def at_club(database: Database, folder: Path, then: Callable[[Club], Awaitable[None]]) -> None:
    """Run something at a club; all that may wait for a dead connection must end."""

    async def run() -> None:
        wire = Wire(urlsplit(database.address).port or 0)
        async with wire.open() as port, asyncio.timeout(PATIENCE):
            address = database.address.replace(f":{wire._port}/", f":{port}/")
            storage = Storage(Settings(data=folder, database=address))
            club = Club(storage, wire)
            try:
                await then(club)
            finally:
                await club.actions.writer.finish()
                await storage.close()

    run_apart(run())


def test_a_move_on_a_cut_connection_fails_in_time_and_can_be_played_again(database: Database, tmp_path: Path) -> None:
    """PostgreSQL does not learn of the cut either, but lets go of the lock on the table."""

    async def play(club: Club) -> None:
        table = await club.open_table()
        club.wire.before_commit = True
        with pytest.raises(STORAGE_ERRORS):
            await club.move(table, 1)
        assert (table.version, table.match.to_move) == (1, 0), "what is not stored is not shown"
        await club.move(table, 1)
        assert (table.version, table.match.to_move) == (2, 1)
        assert await club.storage.versions([table.id]) == {table.id: (2, 0)}

    at_club(database, tmp_path, play)


def test_a_move_whose_commit_was_not_confirmed_is_found_in_the_database(database: Database, tmp_path: Path) -> None:
    async def play(club: Club) -> None:
        table = await club.open_table()
        club.wire.after_commit = True
        with pytest.raises(STORAGE_ERRORS):
            await club.move(table, 1)
        assert table.version == 1
        await club.reloaded.wait()
        assert (table.version, table.match.to_move) == (2, 1)
        with pytest.raises(Refused, match="changed in the meantime"):
            await club.actions.move(table, 0, 1, 0)
        await club.move(table, 2)
        assert table.version == 3

    at_club(database, tmp_path, play)


def test_after_a_cut_no_idle_connection_is_waited_for(database: Database, tmp_path: Path) -> None:
    connections = 10
    # Less than it takes to wait for each of them, and enough for a busy machine.
    sooner = connections / 2 * postgres._COMMAND_SECONDS

    async def ping(club: Club) -> None:
        await club.storage.open()
        await asyncio.gather(*(club.storage.ping() for _ in range(connections)))
        club.wire.cut()
        with pytest.raises(STORAGE_ERRORS):
            await club.storage.ping()
        async with asyncio.timeout(sooner):
            for _ in range(connections):
                await club.storage.ping()
        await asyncio.gather(*(club.storage.ping() for _ in range(connections)))
        club.wire.cut()
        async with asyncio.timeout(sooner):
            await club.storage.reconnect()
            await club.storage.ping()

    at_club(database, tmp_path, ping)


def test_a_database_that_accepts_connections_but_says_nothing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql+asyncpg://me:secret@127.0.0.1:{silent.getsockname()[1]}/tables"
        with ThreadPoolExecutor(1) as thread, pytest.raises(BadOption, match="cannot be opened: it does not respond"):
            thread.submit(check_database, Settings(data=tmp_path, database=address)).result()


def test_changes_that_shared_a_failed_commit_wait_for_a_silent_database_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them was stale, so that they are tried one by one; then the database falls silent."""
    tried: list[list[str]] = []

    async def apply(changes: Sequence[Change]) -> None:
        tried.append([change.table for change in changes])
        if len(changes) > 1 or changes[0].table == "stale":
            raise StaleVersion
        if changes[0].table != "quick":
            raise TimeoutError

    async def change() -> list[object]:
        storage = Storage(Settings(data=tmp_path))
        monkeypatch.setattr(storage._writer, "apply", apply)
        tables = ["stale", "quick", "a", "b", "c"]
        changes = [storage.change(Change(table=table, version=1, keep=0, to_move=0)) for table in tables]
        ended = await asyncio.gather(*changes, return_exceptions=True)
        await storage.close()
        return [type(error) for error in ended]

    late = [TimeoutError] * 3
    assert run_apart(change()) == [StaleVersion, type(None), *late]
    assert tried == [["stale", "quick", "a", "b", "c"], ["stale"], ["quick"], ["a"]]


def test_a_cut_connection_is_no_fault_of_a_table(database: Database, tmp_path: Path) -> None:
    """An operator would else restore a database that is sound."""

    async def check(club: Club) -> None:
        await club.open_table()
        settings = club.storage._settings
        assert not (await maintenance.check(settings, load)).faults

        def cut(*_: object) -> None:
            raise TimeoutError

        with pytest.raises(TimeoutError):
            await maintenance.check(settings, cut)

    at_club(database, tmp_path, check)
