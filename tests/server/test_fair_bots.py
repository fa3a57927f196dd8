"""Bots cannot be starved: who gets a worker first, which tables pause, and how many may run."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import cast

from ludotheque.server.bots.custom import CustomBots
from ludotheque.server.bots.runner import BOT_TABLES_PER_ADDRESS, BotRunner
from ludotheque.server.bots.worker import Question
from ludotheque.server.bots.workers import BotWorkers, expected_seconds, question
from ludotheque.server.config import Settings
from ludotheque.server.fair_queue import SHORT, FairQueue
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import RANDOM, TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Seat
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.seats import with_seats
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.test_events import open_table


def order_of(*searches: tuple[str, bool, str]) -> list[str]:
    """The order in which searches (name, whether people wait, level) get the only place."""

    async def work() -> list[str]:
        queue, order = FairQueue(1), list[str]()
        await queue.acquire(people_wait=False, seconds=0)

        async def search(name: str, people_wait: bool, level: str) -> None:
            await queue.acquire(people_wait=people_wait, seconds=expected_seconds(level))
            order.append(name)
            queue.release(expected_seconds(level))

        tasks = []
        for one in searches:
            tasks.append(asyncio.create_task(search(*one)))
            await asyncio.sleep(0)
        queue.release(0)
        await asyncio.gather(*tasks)
        return order

    return run_apart(work())


def test_tables_with_people_waiting_come_first() -> None:
    assert order_of(("bots", False, "1"), ("more bots", False, "random"), ("ann", True, "5")) == [
        "ann",
        "more bots",
        "bots",
    ]


def test_short_searches_come_first() -> None:
    assert order_of(("long", True, "5"), ("short", True, "1"), ("random", True, "random")) == [
        "random",
        "short",
        "long",
    ]


def test_equal_searches_come_in_their_order() -> None:
    assert order_of(*((str(number), True, "3") for number in range(5))) == list("01234")


def test_networks_take_turns() -> None:
    """However many tables one visitor plays at, another one waits for one search of them, not for all."""

    async def work() -> list[str]:
        queue, order = FairQueue(1), list[str]()
        await queue.acquire(people_wait=True, seconds=0)

        async def search(name: str, network: str) -> None:
            await queue.acquire(people_wait=True, seconds=0, network=network)
            order.append(name)
            queue.release(0)

        tasks = []
        for name, network in [*((f"eve {number}", "eve") for number in range(20)), ("bob", "bob"), ("cid", "cid")]:
            tasks.append(asyncio.create_task(search(name, network)))
            await asyncio.sleep(0)
        queue.release(0)
        await asyncio.gather(*tasks)
        return order

    assert run_apart(work())[:4] == ["eve 0", "bob", "cid", "eve 1"]


def test_a_search_counts_for_the_network_from_which_its_table_is_watched(tmp_path: Path) -> None:
    class Workers:
        """Play the first choice, and note for whom."""

        def __init__(self, table: LiveTable) -> None:
            self.table = table
            self.networks: list[str | None] = []

        async def choose(self, asked: Question, people_wait: bool = True, network: str | None = None) -> int:
            self.networks.append(network)
            return self.table.match.choices(self.table.match.to_move)[0].action or 0

    async def work() -> list[str | None]:
        events = TableEvents()
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        table = await open_table(live_tables, events)
        workers, actions = Workers(table), TableActions(TableWriter(live_tables, events))
        watched_from = {table.id: "2001:db8:7:1::/64"}.get
        custom = CustomBots(TableBots(), 60, 1)
        runner = BotRunner(live_tables, cast(BotWorkers, workers), custom, events, actions.move, watched_from)
        bot = Seat("bot", RANDOM, taken=True)
        await actions.writer.change(table, lambda facts: with_seats(facts, {0: bot}, at=0.0), "seats")
        while not workers.networks:
            await asyncio.sleep(0)
        await runner.stop()
        await live_tables.storage.close()
        return workers.networks

    assert run_apart(asyncio.wait_for(work(), 60))[0] == "2001:db8:7::/48"


def test_long_searches_leave_one_of_several_workers_to_short_ones() -> None:
    async def work() -> None:
        queue = FairQueue(2)
        await queue.acquire(people_wait=True, seconds=9)
        long = asyncio.create_task(queue.acquire(people_wait=True, seconds=9))
        await asyncio.sleep(0)
        await queue.acquire(people_wait=True, seconds=SHORT)
        queue.release(SHORT)
        assert not long.done()
        queue.release(9)
        await long

    run_apart(asyncio.wait_for(work(), 60))


def test_a_short_search_does_not_wait_for_long_ones_even_with_one_worker(tmp_path: Path) -> None:
    async def work() -> int:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        table = await open_table(live_tables, TableEvents())
        workers = BotWorkers(1)
        await workers._queue.acquire(people_wait=True, seconds=9)
        action = await workers.choose(question(table, table.match.to_move, RANDOM))
        await workers.stop()
        await live_tables.storage.close()
        return action

    assert run_apart(asyncio.wait_for(work(), 60)) >= 0


def test_a_search_that_is_given_up_keeps_no_place() -> None:
    async def work() -> None:
        queue = FairQueue(1)
        await queue.acquire(people_wait=True, seconds=0)
        waiting = [asyncio.create_task(queue.acquire(people_wait=True, seconds=0)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        queue.release(0)
        waiting[1].cancel()  # after it was given the place
        await asyncio.gather(*waiting[:2], return_exceptions=True)
        await waiting[2]

    run_apart(asyncio.wait_for(work(), 60))


def test_a_table_of_bots_that_nobody_watches_pauses(ann: Browser, server: Server) -> None:
    with sqlite3.connect(server.folder / "ludotheque.sqlite3") as database:
        unwatched, watched = ann.open("nim", "bot bot"), ann.open("nim", "bot bot")
        wait_until(lambda: ann.view(watched.id)["over"])
        assert database.execute("SELECT ply FROM tables WHERE id = ?", [unwatched.id]).fetchone() == (0,)
        with ann.socket(unwatched.id) as socket:
            socket.hear_until("view", over=True)
    database.close()


def test_an_address_has_a_limited_number_of_running_bot_tables(tmp_path: Path) -> None:
    server = Server(tmp_path)
    bots = {"game": "nim", "seats": [{"who": "bot", "level": "random"}] * 2, "pace": 10}
    with server.browser() as eve, ExitStack() as sockets:
        for _ in range(BOT_TABLES_PER_ADDRESS):
            table = eve.open("orchard", "bot bot", pace=10, options={"rounds": 40})
            socket = sockets.enter_context(eve.socket(table.id))
            socket.hear_until("view")
        answer = eve.post("/api/tables", bots)
        assert (answer.status_code, answer.json()["error"]) == (429, "too-many")
        eve.open("nim", "me bot")
    server.stop()
