"""Work with a time limit: a client that sends what takes too long harms nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludotheque import load_game
from ludotheque.bots.workers import TookTooLong, WorkerDied
from ludotheque.core.errors import BadOption
from ludotheque.core.game import SPECTATOR
from ludotheque.server import fair_queue, workers as workers_module
from ludotheque.server.after.studies import Studies
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused, too_many
from ludotheque.server.recent_work import RecentWork
from ludotheque.server.routes.summary import summarize
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.workers import FORGOTTEN, MOST_PER_CLIENT, LimitedWorkers
from ludotheque.table import Record, write_json
from tests.server.harness import Browser, Server, run_apart
from tests.server.test_events import open_table
from tests.table.matches import random_match

SLOW_DECK = {"cards": [2] * 6, "shuffles": 10**12}
SEATS = [{"who": "me"}, {"who": "me"}]


def test_a_worker_that_takes_too_long_is_killed_and_replaced() -> None:
    async def work() -> tuple[int, int]:
        workers = LimitedWorkers(1, 0.5)
        first = await workers.run("", os.getpid)
        with pytest.raises(TookTooLong):
            await workers.run("", sum, range(10**15))
        second = await workers.run("", os.getpid)
        await workers.stop()
        return first, second

    first, second = run_apart(work())
    assert len({first, second, os.getpid()}) == 3


def test_work_that_waits_for_the_processor_is_not_refused() -> None:
    """The limit is processor time: on an overloaded machine, honest work takes many times as long."""

    async def work() -> None:
        workers = LimitedWorkers(1, 0.5)
        for _ in range(2):
            await workers.run("", time.sleep, 0.75)
        await workers.stop()

    run_apart(work())


def test_work_that_waits_for_ever_is_killed() -> None:
    async def work() -> None:
        workers = LimitedWorkers(1, 60, real_seconds=0.5)
        with pytest.raises(TookTooLong):
            await workers.run("", time.sleep, 600)
        await workers.stop()

    run_apart(work())


def test_errors_come_back_from_the_worker_and_it_lives_on() -> None:
    async def work() -> bool:
        workers = LimitedWorkers(1, 60)
        before = await workers.run("", os.getpid)
        with pytest.raises(BadOption, match="no option"):
            await workers.run("", load_game, "cable-car", 2, colour="red")
        same = before == await workers.run("", os.getpid)
        with pytest.raises(WorkerDied):
            await workers.run("", os._exit, 1)
        await workers.stop()
        return same

    assert run_apart(work())


def test_one_client_cannot_fill_the_queue() -> None:
    async def work() -> None:
        workers = LimitedWorkers(1, 600)
        asked = [asyncio.ensure_future(workers.run("eve", time.sleep, 600)) for _ in range(MOST_PER_CLIENT)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="Too many requests"):
            await workers.run("eve", os.getpid)
        await workers.stop()
        await asyncio.gather(*asked, return_exceptions=True)

    run_apart(work())


def test_a_client_does_not_wait_for_the_slow_work_of_another() -> None:
    async def work() -> None:
        workers = LimitedWorkers(2, 600)
        slow = [asyncio.ensure_future(workers.run("eve", time.sleep, 600)) for _ in range(3)]
        assert await workers.run("ann", os.getpid) != await workers.run("", os.getppid)
        assert not any(asked.done() for asked in slow)
        await workers.stop()
        await asyncio.gather(*slow, return_exceptions=True)
        assert not workers._turns

    run_apart(work())


def test_quick_work_does_not_wait_however_many_send_slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SHORT", 0.0)  # all work is slow
    monkeypatch.setattr(workers_module, "FORGOTTEN", 1e-6)  # and stays so on a slow machine

    async def work() -> None:
        workers = LimitedWorkers(2, 600)
        others = [f"eve {number}" for number in range(4)]
        await asyncio.gather(*(workers.run(eve, os.getpid) for eve in others))
        slow = [asyncio.ensure_future(workers.run(eve, time.sleep, 600)) for eve in others]
        assert await asyncio.wait_for(workers.run("ann", os.getpid), 60) != os.getpid()
        await workers.stop()
        await asyncio.gather(*slow, return_exceptions=True)

    run_apart(work())


def test_slow_work_is_forgotten_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    recent, now = RecentWork(FORGOTTEN), 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    recent.add("eve", 5.0)
    recent.add("eve", 1.0)
    assert recent.seconds("eve") == pytest.approx(6.0)
    assert recent.seconds("ann") == 0.0
    now += 6.0 / FORGOTTEN
    assert recent.seconds("eve") == 0.0


def test_a_card_set_that_takes_too_long_is_refused(impatient: Server) -> None:
    with impatient.browser() as ann:
        body = {"game": "orchard", "seats": SEATS, "options": {"deck": SLOW_DECK}}
        answer = ann.post("/api/tables", body)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad-option")
        assert "too long" in answer.json()["sentence"]
        ann.open("orchard", "me me", options={"deck": {"cards": [3] * 6}})


def test_a_record_that_takes_too_long_is_refused(impatient: Server) -> None:
    document = json.loads(write_json(Record.full(random_match(load_game("orchard", 2), 3))))
    document["settings"]["deck"] = SLOW_DECK
    with impatient.browser() as ann:
        answer = ann.post("/api/records", {"record": json.dumps(document)})
        assert (answer.status_code, answer.json()["error"]) == (400, "bad-record")
        assert "too long" in answer.json()["sentence"]


def test_others_play_while_a_slow_card_set_is_read(impatient: Server) -> None:
    """The request takes a second of a worker's processor time; moves played meanwhile are answered before it."""
    with impatient.browser() as eve, impatient.browser() as ann, ThreadPoolExecutor(1) as thread:
        table = ann.open("nim", "me me")
        body = {"game": "orchard", "seats": SEATS, "options": {"deck": SLOW_DECK}}
        slow = thread.submit(eve.post, "/api/tables", body)
        for seat in (0, 1, 0):
            assert ann.play(table.id, seat).status_code == 200
        assert not slow.done()
        assert slow.result().status_code == 400


def test_summaries_are_computed_once_and_again_after_a_move(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    address = f"/api/tables/{table.id}/summary"
    first = ann.get(address).json()
    assert ann.get(address).json() == first
    ann.play(table.id, 0)
    assert len(ann.get(address).json()["moments"]) == len(first["moments"]) + 1


def test_only_a_study_that_is_not_cached_is_counted(tmp_path: Path) -> None:
    counted: list[str] = []

    async def work() -> None:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        workers = LimitedWorkers(1, 60)
        table = await open_table(live_tables, TableEvents())
        studies = Studies(workers)
        for language in ("en", "en", "fr", "en"):
            await studies.get(table, "", lambda: counted.append("counted"), summarize, SPECTATOR, language)
        table.version += 1
        with pytest.raises(Refused, match="Too many requests"):
            await studies.get(table, "", refuse, summarize, SPECTATOR, "en")
        await workers.stop()
        await live_tables.storage.close()

    def refuse() -> None:
        raise too_many(1)

    run_apart(work())
    assert len(counted) == 2


def test_summaries_know_the_present_names(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    assert "Zoë" not in ann.get(f"/t/{table.id}/review").text
    ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Zoë"})
    assert "Zoë" in ann.get(f"/t/{table.id}/review").text
