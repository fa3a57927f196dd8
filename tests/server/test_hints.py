"""Hints: against bots for everyone, against people only if the table allows them; used ones are shown to all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.bots.advice import Advisor
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.live import LiveTable
from tests.server.harness import Browser, run_apart
from tests.server.test_events import open_another_table, open_table


def hint(browser: Browser, id: str, seat: int = 0, *, thorough: bool = False) -> Any:
    asked = {"seat": seat, "version": browser.view(id)["version"], "thorough": thorough}
    return browser.post(f"/api/tables/{id}/hint", asked)


def test_against_people_there_are_no_hints_unless_they_agreed(ann: Browser) -> None:
    table = ann.open("nim", "me link")
    assert not ann.view(table.id)["hints"]
    assert hint(ann, table.id).json()["error"] == "forbidden"
    agreed = ann.open("nim", "me link", hints=True)
    assert ann.view(agreed.id)["hints"]
    assert hint(ann, agreed.id).status_code == 200


def test_against_bots_there_are_hints(ann: Browser) -> None:
    table = ann.open("nim", "me bot")
    assert ann.view(table.id)["hints"]
    assert hint(ann, table.id).status_code == 200


def test_used_hints_are_shown_to_everyone_and_survive(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link", hints=True)
    bob.join(table.links[1])
    with bob.socket(table.id) as socket:
        socket.hear_until("view")
        hint(ann, table.id)
        while [seat["hints"] for seat in socket.hear_until("seats")["seats"]] != [1, 0]:
            pass
    hint(ann, table.id)
    assert [seat["hints"] for seat in bob.view(table.id)["seats"]] == [2, 0]


def test_a_thorough_hint_counts_only_where_there_was_no_first_one(ann: Browser) -> None:
    table = ann.open("nim", "me bot")
    first, better = hint(ann, table.id).json(), hint(ann, table.id, thorough=True).json()
    assert sum(move["margin"] for move in better["moves"]) <= sum(move["margin"] for move in first["moves"])
    assert ann.view(table.id)["seats"][0]["hints"] == 1
    alone = ann.open("nim", "me bot")
    assert hint(ann, alone.id, thorough=True).status_code == 200
    assert ann.view(alone.id)["seats"][0]["hints"] == 1


def test_a_refused_hint_is_not_counted(ann: Browser) -> None:
    table = ann.open("nim", "me link")
    hint(ann, table.id)
    assert ann.view(table.id)["seats"][0]["hints"] == 0


# Searches.


class SlowWorkers:
    """Workers that search until the test lets them end."""

    def __init__(self) -> None:
        self.searches: list[asyncio.Future[list[Any]]] = []
        self.seats: list[int] = []

    async def hints(self, table: LiveTable, seat: int, thorough: bool) -> list[Any]:
        assert not thorough
        self.seats.append(seat)
        self.searches.append(asyncio.get_running_loop().create_future())
        return await self.searches[-1]


Test = Callable[[Advisor, SlowWorkers, list[LiveTable]], Awaitable[None]]


def with_tables(folder: Path, test: Test) -> None:
    async def run() -> None:
        live_tables, events, thinkers = LiveTables(Storage(Settings(data=folder)), 10), TableEvents(), SlowWorkers()
        tables = [await open_table(live_tables, events)]
        tables += [await open_another_table(live_tables, events) for _ in range(3)]
        await test(Advisor(thinkers.hints), thinkers, tables)
        await live_tables.storage.close()

    run_apart(run())


async def ask(advisor: Advisor, table: LiveTable, seat: int = 0, client: str = "192.0.2.1") -> asyncio.Task[Any]:
    """Ask for a hint, and let the question get as far as it can."""
    asked = asyncio.create_task(advisor.hints(table, seat, client, thorough=False))
    for _ in range(5):
        await asyncio.sleep(0)
    return asked


def test_a_hint_is_searched_once_for_each_position_and_seat(tmp_path: Path) -> None:
    async def test(advisor: Advisor, thinkers: SlowWorkers, tables: list[LiveTable]) -> None:
        table = tables[0]
        asked = [await ask(advisor, table) for _ in range(10)]
        assert len(thinkers.searches) == 1
        thinkers.searches[0].set_result(["the hint of seat 0"])
        assert await asyncio.gather(*asked) == [["the hint of seat 0"]] * 10
        assert await (await ask(advisor, table, client="192.0.2.2")) == ["the hint of seat 0"]
        other = await ask(advisor, table, seat=1)
        thinkers.searches[1].set_result(["the hint of seat 1"])
        assert await other == ["the hint of seat 1"], "what one seat knows is not for another one"
        table.version += 1
        later = await ask(advisor, table)
        thinkers.searches[2].set_result(["a later hint"])
        assert await later == ["a later hint"]
        assert thinkers.seats == [0, 1, 0]

    with_tables(tmp_path, test)


def test_a_search_that_failed_is_made_again(tmp_path: Path) -> None:
    async def test(advisor: Advisor, thinkers: SlowWorkers, tables: list[LiveTable]) -> None:
        asked = await ask(advisor, tables[0])
        thinkers.searches[0].set_exception(RuntimeError("a worker died"))
        with pytest.raises(RuntimeError):
            await asked
        again = await ask(advisor, tables[0])
        thinkers.searches[1].set_result(["a hint"])
        assert await again == ["a hint"]

    with_tables(tmp_path, test)


def test_the_hints_of_one_client_do_not_fill_the_queue(tmp_path: Path) -> None:
    async def test(advisor: Advisor, thinkers: SlowWorkers, tables: list[LiveTable]) -> None:
        asked = [await ask(advisor, table) for table in tables]
        assert len(thinkers.searches) == 2
        other = await ask(advisor, tables[3], seat=1, client="192.0.2.2")
        thinkers.searches[2].set_result(["at once"])
        assert await other == ["at once"]
        tables[2].version += 1  # while its question waited
        for search in thinkers.searches[:2]:
            search.set_result(["a hint"])
        await asyncio.gather(*asked[:2])
        with pytest.raises(Refused, match="changed in the meantime"):
            await asked[2]
        assert len(thinkers.searches) == 4
        thinkers.searches[3].set_result(["in turn"])
        assert await asked[3] == ["in turn"]
        assert not advisor._turns

    with_tables(tmp_path, test)
