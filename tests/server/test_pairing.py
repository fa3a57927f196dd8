"""Pairing: wishes that fit open a table, once, for the right number of people, at any process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from ludotheque.server.club.pairing import MOST_PER_NETWORK, Pairing
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.schema import PAIRINGS, TABLES, WISHES
from ludotheque.server.storage.wishes import ALIVE_FOR, SAME_REQUEST, WAITS_FOR, Wish
from ludotheque.show.language import Reader
from tests.server.club_process import ClubProcess, running
from tests.server.harness import Browser, Server, run_apart
from tests.server.postgres import Database

ENGLISH = Reader("en")
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
TWO, THREE = Wish("cable-car", 2, ""), Wish("cable-car", 3, "")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where nobody else waits."""
    server = Server(tmp_path_factory.mktemp("pairing"), "--no-limits")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def leave(ann: Browser, bob: Browser, eve: Browser) -> Iterator[None]:
    """Whoever still waits at the end of a test stops: the wishes of a page that is gone count for half a minute."""
    yield
    for browser in (ann, bob, eve):
        browser.post("/api/pairing/cancel")


def wishes(games: str = "nim", players: str = "2", clocks: str = "game 600 5", **more: Any) -> dict[str, Any]:
    counts = [int(word) for word in players.split()]
    return {"games": games.split(), "players": counts, "clocks": clocks.split(","), **more}


def ask(browser: Browser, **wanted: Any) -> Any:
    answer = browser.post("/api/pairing", wishes(**wanted))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_two_whose_wishes_fit_get_a_table(ann: Browser, bob: Browser) -> None:
    assert ask(ann, games="nim orchard", players="2 3", clocks="move 60 0,game 600 5", name="Ann")["waits"]
    found = ask(bob, games="orchard", clocks="move 60 0", name="Bob")
    assert found["url"].startswith("/t/")
    assert ann.get("/api/pairing").json()["url"] == found["url"]
    view = bob.view(found["url"].removeprefix("/t/"))
    assert (view["game"], {seat["name"] for seat in view["seats"]}) == ("orchard", {"Ann", "Bob"})
    assert not view["host"]
    assert view["clock"]["kind"] == "move"
    (mine,) = view["mine"]
    assert bob.get("/api/pairing").json()["waits"] is False
    assert ann.view(found["url"].removeprefix("/t/"))["mine"] == [1 - mine]


def test_the_clock_waits_until_the_pages_of_those_who_were_paired_have_loaded(ann: Browser, bob: Browser) -> None:
    """The first one lost the time that their page took to load."""
    ask(ann, games="nim", clocks="game 1800 15")
    id = ask(bob, games="nim", clocks="game 1800 15")["url"].removeprefix("/t/")
    with ann.socket(id) as at_ann:
        (hers,) = at_ann.hear_until("view")["mine"]
        assert at_ann.hear_until("view", awaited=[1 - hers])["clock"]["running"] == -1
        assert [bool(each.get("/api/mine").json()[0].get("awaited")) for each in (ann, bob)] == [False, True]
        assert "waiting for you" in bob.http.get("/lobby/tables").text
        with bob.socket(id):
            assert at_ann.hear_until("view", awaited=[])["clock"]["running"] == 0
        assert not bob.get("/api/mine").json()[0].get("awaited")


def test_wishes_that_do_not_fit_wait(ann: Browser, bob: Browser) -> None:
    ask(ann, games="nim", clocks="move 60 0")
    assert ask(bob, games="orchard", clocks="move 60 0")["url"] == ""
    assert ask(bob, games="nim", clocks="game 600 5")["url"] == ""
    assert ask(bob, games="nim orchard", clocks="move 60 0")["url"]


def test_one_who_asks_twice_waits_once_and_is_not_paired_with_themselves(ann: Browser) -> None:
    for _ in range(2):
        assert ask(ann, clocks="days 86400 0") == {"url": "", "waits": True, "people": 1}


def test_a_variant_is_wished_for_by_a_name_of_its_own(ann: Browser, bob: Browser, eve: Browser) -> None:
    ask(ann, games="cable-car/companies")
    assert ask(bob, games="cable-car")["url"] == "", "the game without the expansion is another wish"
    found = ask(eve, games="cable-car/companies")
    assert eve.view(found["url"].removeprefix("/t/"))["title"] == "The Companies"
    bob.post("/api/pairing/cancel")
    assert bob.post("/api/pairing", wishes("cable-car/nothing")).status_code == 404
    assert 'value="cable-car/companies"' in bob.http.get("/pair").text


def test_a_page_that_waits_is_told_at_once(ann: Browser, bob: Browser) -> None:
    ask(ann, games="orchard", players="5")
    with ThreadPoolExecutor(1) as thread:
        ask(ann, games="orchard", clocks="days 86400 0")
        told = thread.submit(lambda: ann.get("/api/pairing", wait=25).json())
        found = ask(bob, games="orchard", clocks="days 86400 0")
        assert told.result()["url"] == found["url"]


def test_one_who_cancels_is_not_paired(ann: Browser, bob: Browser) -> None:
    ask(ann, clocks="days 259200 0")
    assert ann.post("/api/pairing/cancel").status_code == 200
    assert ask(bob, clocks="days 259200 0")["url"] == ""


def test_names_that_look_alike_become_colours(ann: Browser, bob: Browser) -> None:
    ask(ann, clocks="days 604800 0", name="Robin")
    found = ask(bob, clocks="days 604800 0", name="R\u043ebin")  # with a Cyrillic letter
    names = [seat["name"] for seat in ann.view(found["url"].removeprefix("/t/"))["seats"]]
    assert "Robin" in names or "R\u043ebin" in names
    assert len({*names} & {"Robin", "R\u043ebin"}) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": ["chess"]},
        {"clocks": ["move 1 0"]},
        {"players": [60]},
        {"games": []},
        {"name": "\u202e"},
        {"rated": "yes"},
    ],
)
def test_impossible_wishes_are_refused(ann: Browser, wrong: dict[str, Any]) -> None:
    assert ann.post("/api/pairing", wishes() | wrong).status_code in (400, 404)
    assert ann.get("/api/pairing").json() | {"people": 0} == {"url": "", "waits": False, "people": 0}


class Process(ClubProcess):
    """A server process with a clock of its own."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.time = NOON
        self.pairing = Pairing(self.storage, self.opener, self.events, lambda: self.time)

    def ask(self, name: str, *wanted: Wish) -> Coroutine[Any, Any, str]:
        return self.pairing.ask(digest(name), name, wanted, ENGLISH)

    async def seats(self) -> list[int]:
        """The number of seats of each table."""
        async with self.storage.reading() as connection:
            return [len(seats) for seats in (await connection.execute(sql.select(TABLES.c.seats))).scalars()]


async def crowd(first: Process, second: Process) -> None:
    """Forty people at two processes at once, all with the same wishes for two or three."""
    asked = [((first, second)[number % 2]).ask(f"person {number}", TWO, THREE) for number in range(40)]
    await asyncio.gather(*asked)
    seats = await first.seats()
    assert sum(seats) == await first.count(PAIRINGS) == 40
    assert Counter(seats) == {2: 20}
    assert await first.count(WISHES) == 0


def test_a_crowd_is_paired_without_leaving_or_doubling_anyone(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(Process(Settings(data=tmp_path))) as here:
            await crowd(here, here)

    run_apart(play())


def test_a_crowd_at_two_processes_is_paired_through_postgresql(tmp_path: Path, database: Database) -> None:
    async def play() -> None:
        settings = Settings(data=tmp_path, database=database.address)
        async with running(Process(settings)) as first, running(Process(settings)) as second:
            await crowd(first, second)

    run_apart(play())


def test_those_who_wait_longest_come_first(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(Process(Settings(data=tmp_path))) as here:
            for name in ("first", "second", "third"):
                await here.ask(name, Wish("cable-car", 4, ""))
                here.time += timedelta(seconds=1)
            assert not await here.ask("for two", TWO)
            assert not await here.ask("late", Wish("cable-car", 5, ""))
            assert await here.ask("fourth", Wish("cable-car", 4, ""))
            assert await here.count(WISHES) == 2

    run_apart(play())


def test_wishes_that_are_sent_again_after_a_pairing_lead_to_its_table_and_wait_for_no_one(tmp_path: Path) -> None:
    """They waited on, so that a third person was paired with someone who had gone to the table."""

    async def play() -> None:
        async with running(Process(Settings(data=tmp_path))) as here:
            await here.ask("Ann", TWO)
            table = await here.ask("Bob", TWO)
            assert [await here.ask(name, TWO, THREE) for name in ("Ann", "Bob")] == [table, table]
            assert await here.count(WISHES) == 0
            assert not await here.ask("Eve", TWO)
            here.time += SAME_REQUEST + timedelta(seconds=1)
            assert await here.ask("Bob", TWO) not in ("", table), "later they would like another game"

    run_apart(play())


@pytest.mark.parametrize("late", [ALIVE_FOR, WAITS_FOR])
def test_one_who_has_gone_or_waited_too_long_is_not_paired(tmp_path: Path, late: timedelta) -> None:
    async def play() -> None:
        async with running(Process(Settings(data=tmp_path))) as here:
            await here.ask("gone", TWO)
            step = ALIVE_FOR / 2
            while late == WAITS_FOR and here.time + step < NOON + late:
                here.time += step
                assert await here.pairing.wait(digest("gone"), "", 0) == ("", True)
            here.time = NOON + late + timedelta(seconds=1)
            assert not await here.ask("late", TWO)
            assert await here.pairing.wait(digest("gone"), "", 0) == ("", False)

    run_apart(play())


def test_one_network_may_hold_only_so_many_requests_open(tmp_path: Path) -> None:
    async def flood() -> None:
        async with running(Process(Settings(data=tmp_path))) as here:
            for number in range(MOST_PER_NETWORK + 1):
                await here.ask(f"person {number}", Wish("cable-car", 6, str(number)))
            waiting = [
                asyncio.create_task(here.pairing.wait(digest(f"person {number}"), "192.0.2.1", 60))
                for number in range(MOST_PER_NETWORK)
            ]
            await asyncio.sleep(0)
            with pytest.raises(Refused) as refused:
                await here.pairing.wait(digest(f"person {MOST_PER_NETWORK}"), "192.0.2.1", 60)
            assert refused.value.status == 429
            await asyncio.sleep(0)
            assert await here.pairing.wait(digest(f"person {MOST_PER_NETWORK}"), "198.51.100.1", 0) == ("", True)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    run_apart(flood())


def test_a_flood_of_wishes_is_refused(tmp_path: Path) -> None:
    server = Server(tmp_path, "--without=ratings")
    with ThreadPoolExecutor(20) as threads, server.browser() as browser:
        statuses = {
            *threads.map(
                lambda _: browser.post("/api/pairing", wishes(players="5", games="orchard")).status_code, range(200)
            )
        }
    server.stop()
    assert statuses == {200, 429}
