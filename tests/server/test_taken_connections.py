"""All connections of a process to PostgreSQL are taken: requests wait for one, or fail in time, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import httpx
import pytest

from ludotheque.core.registry import load_game
from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from ludotheque.server.routes import health
from ludotheque.server.routes.context import Services
from ludotheque.server.storage import postgres
from ludotheque.server.tables import writing
from tests.server.harness import PATIENCE, run_apart
from tests.server.postgres import Database

CONNECTIONS: Final = 3
LONG: Final = 10 * PATIENCE
"""Seconds that no test lasts: whatever waits for a connection gets one first."""
SHORT: Final = 0.2
GAME: Final = "passerelles"
ACTION: Final = int(load_game(GAME).new_initial_state().legal_actions()[0])
Ask = Callable[[httpx.AsyncClient], Coroutine[Any, Any, httpx.Response]]


class Club:
    """A server in this process, and a browser at it."""

    def __init__(self, services: Services, browser: httpx.AsyncClient, database: Database) -> None:
        self.writer, self.storage = services.writer, services.live_tables.storage
        self.browser, self.database = browser, database

    async def open_table(self) -> str:
        seats = [{"who": "me"}, {"who": "me"}]
        opened = await self.browser.post("/api/tables", json={"game": GAME, "seats": seats})
        assert opened.status_code == 201, opened.text
        return str(opened.json()["id"])

    async def view(self, table: str) -> Any:
        return (await self.browser.get(f"/api/tables/{table}")).json()

    def stored(self, table: str) -> tuple[int, int]:
        """The version of a table and the number of its chat lines in the database, by a connection of its own."""
        lines = f"(SELECT count(*) FROM chat WHERE table_id = '{table}')"
        (row,) = self.database.execute(f"SELECT version, {lines} FROM tables WHERE id = '{table}'")
        return cast(tuple[int, int], row)

    @asynccontextmanager
    async def all_taken(self) -> AsyncIterator[None]:
        """Hold all connections, once the server's own work has given them back."""
        async with AsyncExitStack() as stack:
            for _ in range(CONNECTIONS):
                await stack.enter_async_context(self.storage.reading())
            yield

    async def check_nothing_leaked(self) -> None:
        """Take all connections at once: one that was not given back would be waited for in vain."""
        async with self.all_taken():
            pass


def at_club(
    database: Database,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    then: Callable[[Club], Awaitable[None]],
) -> None:
    """Run something at a server in this process that has few connections and waits for them without end."""
    monkeypatch.setattr(postgres, "_CONNECTIONS", CONNECTIONS)
    monkeypatch.setattr(postgres, "_COMMAND_SECONDS", LONG)
    monkeypatch.setattr(writing, "_AGAIN_AFTER", 0.0)

    async def run() -> None:
        app = create_app(Settings(data=folder, database=database.address, limits=False))
        transport = httpx.ASGITransport(cast(Any, app), raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=None)
        async with asyncio.timeout(PATIENCE), app.lifespan(), client as browser:
            await then(Club(app.state.services, browser, database))

    run_apart(run())


def requests(table: str) -> tuple[Ask, ...]:
    """Requests of every kind: a move, facts of a table, chat, a new table, lists, pages."""
    at = f"/api/tables/{table}"
    return (
        lambda browser: browser.post(f"{at}/moves", json={"seat": 0, "version": 1, "action": ACTION}),
        lambda browser: browser.post(f"{at}/chat", json={"text": "hello"}),
        lambda browser: browser.post(f"{at}/pace", json={"seconds": 2, "paused": False}),
        lambda browser: browser.post("/api/tables", json={"game": GAME, "seats": [{"who": "me"}, {"who": "me"}]}),
        lambda browser: browser.post("/api/profile", json={"name": "Ann", "visible_to": "met"}),
        lambda browser: browser.get("/api/tables"),
        lambda browser: browser.get("/api/mine"),
        lambda browser: browser.get("/"),
    )


def test_requests_wait_for_a_connection_and_are_answered(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(club: Club) -> None:
        table = await club.open_table()
        async with club.all_taken():
            waiting = [asyncio.create_task(ask(club.browser)) for _ in range(5) for ask in requests(table)[1:]]
            waiting.append(asyncio.create_task(requests(table)[0](club.browser)))
            before = await asyncio.to_thread(club.stored, table)
            assert before == (1, 0)
            assert not any(task.done() for task in waiting)
            assert (await club.view(table))["version"] == 1, "what is in memory is shown meanwhile"
            assert (await club.browser.get("/health")).status_code == 200
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} <= {200, 201}, [answer.text for answer in answers]
        assert await asyncio.to_thread(club.stored, table) == (2, 5)
        assert (await club.view(table))["version"] == 2
        await club.check_nothing_leaked()

    at_club(database, tmp_path, monkeypatch, play)


def test_requests_that_get_no_connection_in_time_are_refused_and_can_be_made_again(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "DATABASE_SECONDS", SHORT)

    async def play(club: Club) -> None:
        table = await club.open_table()
        pool = club.storage._engine.pool
        async with club.all_taken():
            monkeypatch.setattr(pool, "_timeout", SHORT)
            refused = await asyncio.gather(*(ask(club.browser) for ask in requests(table)))
            assert [answer.status_code for answer in refused] == [503] * len(refused)
            assert (await club.browser.get("/ready")).status_code == 503
            assert await asyncio.to_thread(club.stored, table) == (1, 0)
            assert (await club.view(table))["version"] == 1, "what is not stored is not shown"
        monkeypatch.setattr(pool, "_timeout", LONG)
        again = await asyncio.gather(*(ask(club.browser) for ask in requests(table)))
        assert {answer.status_code for answer in again} <= {200, 201}, [answer.text for answer in again]
        assert await asyncio.to_thread(club.stored, table) == (2, 1)
        await club.check_nothing_leaked()

    at_club(database, tmp_path, monkeypatch, play)


def test_clients_that_leave_while_they_wait_take_no_connection_along(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(club: Club) -> None:
        table = await club.open_table()
        async with club.all_taken():
            waiting = [asyncio.create_task(ask(club.browser)) for ask in requests(table)]
            while not club.writer._under_way:
                await asyncio.sleep(0)
            for task in waiting:
                task.cancel()
            ends = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(end, asyncio.CancelledError) for end in ends)
        await club.check_nothing_leaked()
        # The move had begun: it is played all the same, once.
        refused = await requests(table)[0](club.browser)
        assert (refused.status_code, refused.json()["error"]) == (409, "stale-version")
        assert (await club.view(table))["version"] == (await asyncio.to_thread(club.stored, table))[0] == 2

    at_club(database, tmp_path, monkeypatch, play)


def test_no_request_needs_two_connections_at_once(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else as many requests as there are connections, each with one and waiting for another, would stop the server."""

    async def play(club: Club) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(CONNECTIONS - 1):
                await stack.enter_async_context(club.storage.reading())
            table = await club.open_table()
            answers = await asyncio.gather(*(ask(club.browser) for ask in requests(table)))
            assert {answer.status_code for answer in answers} <= {200, 201}, [answer.text for answer in answers]
        await club.check_nothing_leaked()

    at_club(database, tmp_path, monkeypatch, play)
