"""The story of a table, and its review by a bot: in the background, kept, and gone on with after a crash."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import threading
from base64 import b64decode
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from ludotheque import load_game
from ludotheque.server.after import reviewer as reviewer_module
from ludotheque.server.after.reviewer import REVIEWS_PER_ADDRESS, Reviewer
from ludotheque.server.cluster import processes as processes_module
from ludotheque.server.cluster.processes import Processes
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.writing import TableWriter
from ludotheque.study.review import Budget, PendingDecision, pending_decisions, review
from ludotheque.study.review_summary import summarize_review
from ludotheque.table import Match, Record, read_text, write_json
from tests.ours import OURS
from tests.server.harness import PATIENCE, Browser, Opened, Server, run_apart, wait_until
from tests.server.test_events import open_another_table, play
from tests.server.test_finished_games import upload
from tests.speeds import few
from tests.table.matches import random_match

TINY = {"simulations": 16}


def finished(game: str = "orchard") -> Match:
    return random_match(load_game(game), 3)


def open_match(browser: Browser, match: Match) -> Opened:
    return upload(browser, write_json(Record.full(match)))


def progress(browser: Browser, id: str) -> Any:
    return browser.get(f"/api/tables/{id}/review/progress").json()


def start(browser: Browser, id: str, **budget: Any) -> Any:
    answer = browser.post(f"/api/tables/{id}/review", budget or TINY)
    assert answer.status_code == 200, answer.text
    return answer.json()


def whole_review(browser: Browser, id: str) -> Any:
    wait_until(lambda: progress(browser, id)["state"] == "done")
    return browser.get(f"/api/tables/{id}/review").json()


# The story.


@pytest.mark.parametrize("game", few([*OURS, "orchard", "nim"], 3))
def test_the_story_of_a_finished_game_agrees_with_its_record(ann: Browser, game: str) -> None:
    match = finished(game)
    told = ann.get(f"/api/tables/{open_match(ann, match).id}/summary").json()
    assert [tuple(moment["scores"]) for moment in told["moments"]] == [
        tuple(match.state_at(ply).scores()) for ply in range(match.ply + 1)
    ]
    sums = [sum(source["amounts"][seat] for source in told["sources"]) for seat in range(match.game.players)]
    assert sums == list(match.view().scores)
    log = [line.phrase.render(names=match.names) for line in match.view(0).log]
    assert [words for moment in told["moments"] for words in moment["words"]] == log


def test_the_story_of_a_running_game_tells_what_the_viewer_may_know(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    for browser in (ann, bob):
        told = browser.get(f"/api/tables/{table.id}/summary").json()
        assert told["over"] is False
        assert all(moment["scores"] == [] for moment in told["moments"]), "what is picked is hidden until the end"
    answer = bob.get(f"/api/tables/{table.id}/summary", viewer=0)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


# The file.


def test_a_game_comes_as_one_file_that_needs_nothing_else(ann: Browser) -> None:
    table = open_match(ann, finished("cable-car"))
    answer = ann.get(f"/api/tables/{table.id}/replay.html", lang="fr")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert '<html lang="fr"' in answer.text
    assert "Ann" in answer.text


def test_the_file_of_a_running_game_holds_what_its_viewer_saw(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    files = [browser.get(f"/api/tables/{table.id}/replay.html").text for browser in (ann, bob)]
    records = [
        read_text(b64decode(re.findall(r'href="data:text/plain[^,]*,([^"]+)"', file)[0]).decode()) for file in files
    ]
    assert [record.viewer for record in records] == [0, 1]
    assert all(record.is_redacted for record in records)


# The review.


def test_a_review_is_the_one_that_the_library_makes(ann: Browser) -> None:
    match = finished()
    table = open_match(ann, match)
    assert progress(ann, table.id)["state"] == "none"
    began = start(ann, table.id)
    assert began["total"] > 0
    told = whole_review(ann, table.id)
    expected = list(review(match, Budget(simulations=16)))
    assert [decision["ply"] for decision in told["decisions"]] == [decision.ply for decision in expected]
    for shown, decision in zip(told["decisions"], expected, strict=True):
        assert tuple(shown["as_seen"]["after"]) == decision.as_seen.after
        assert tuple(shown["as_seen"]["scores_after"]) == decision.as_seen.scores_after
        assert decision.with_hindsight
        assert tuple(shown["with_hindsight"]["before"]) == decision.with_hindsight.before
        assert shown["words"] == decision.words.render(names=match.names)
    review_summary = summarize_review(match, expected)
    assert [mistake["words"] for mistake in told["mistakes"]] == [
        s.words.render(names=match.names) for s in review_summary.mistakes
    ]
    assert [breakdown["luck"] for breakdown in told["breakdowns"]] == [
        breakdown.luck for breakdown in review_summary.breakdowns
    ]


def test_the_better_move_is_drawn_beside_the_played_one(ann: Browser) -> None:
    table = open_match(ann, random_match(load_game("passerelles", rounds=1), 3))
    start(ann, table.id, simulations=16)
    told = whole_review(ann, table.id)
    improvable = [decision["ply"] for decision in told["decisions"] if decision["as_seen"]["better"]]
    drawn = ann.get(f"/api/tables/{table.id}/review/{improvable[0]}").json()
    assert drawn["played"]["pieces"][0]["id"].startswith("piece:")
    assert drawn["better"] != drawn["played"]
    assert ann.get(f"/api/tables/{table.id}/review/0").status_code == 404


def test_the_better_line_is_played_out_and_played_on_from(ann: Browser, bob: Browser) -> None:
    match = finished()
    table = open_match(ann, match)
    bob.join(table.watch)
    address = f"/api/tables/{table.id}/review"
    assert ann.get(f"{address}/1/line").status_code == 404, "there is no review yet"
    start(ann, table.id, simulations=64)
    decisions = whole_review(ann, table.id)["decisions"]
    ply = next(decision["ply"] for decision in decisions if decision["as_seen"]["better"])
    line = ann.get(f"{address}/{ply}/line").json()
    assert line["start"] == ply - 1
    plies = [position["ply"] for position in line["positions"]]
    assert plies == [*range(ply, ply + len(plies))]
    assert ann.get(f"{address}/{ply}/line").json() == line, "it is the same each time"
    watched = bob.get(f"{address}/{ply}/line").json()
    assert [position["to_move"] for position in watched["positions"]] == [
        position["to_move"] for position in line["positions"]
    ]
    assert "Ann" in line["positions"][0]["log"][0]["text"] or "Bob" in line["positions"][0]["log"][0]["text"]
    best = next(decision["ply"] for decision in decisions if not decision["as_seen"]["better"])
    assert ann.get(f"{address}/{best}/line").status_code == 404
    # A table of one's own at a position of the line.
    wanted = {"ply": ply, "seat": 0, "level": "random", "line": ply}
    opened = ann.post(f"/api/tables/{table.id}/branch", wanted)
    assert opened.status_code == 201, opened.text
    record = ann.get(f"/api/tables/{opened.json()['id']}/record", form="text").text
    played = next(decision for decision in decisions if decision["ply"] == ply)
    assert played["as_seen"]["best"] in record
    beyond = ann.post(f"/api/tables/{table.id}/branch", wanted | {"ply": plies[-1] + 1})
    assert (beyond.status_code, beyond.json()["error"]) == (404, "no-such-ply")


def test_a_review_is_in_the_language_of_its_reader(ann: Browser) -> None:
    match = finished("passerelles")
    table = open_match(ann, match)
    start(ann, table.id)
    whole_review(ann, table.id)
    texts = [ann.get(f"/api/tables/{table.id}/review", lang=lang).json()["decisions"][0] for lang in ("en", "fr")]
    words = {"better": "", "effect": ""}
    assert texts[0]["as_seen"] | words == texts[1]["as_seen"] | words
    assert texts[0]["words"] != texts[1]["words"]


def test_the_same_review_is_not_made_twice_and_another_replaces_it(ann: Browser) -> None:
    table = open_match(ann, finished())
    start(ann, table.id)
    first = whole_review(ann, table.id)
    assert start(ann, table.id)["state"] == "done"
    assert start(ann, table.id, simulations=64)["simulations"] == 64
    second = whole_review(ann, table.id)
    assert second["progress"]["simulations"] == 64
    assert second["decisions"] != first["decisions"]
    assert len(second["decisions"]) == len(first["decisions"])


def test_those_who_watch_may_read_a_review_and_not_start_one(ann: Browser, bob: Browser) -> None:
    table = open_match(ann, finished("nim"))
    bob.join(table.watch)
    answer = bob.post(f"/api/tables/{table.id}/review", TINY)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    start(ann, table.id)
    assert whole_review(bob, table.id)["decisions"]


def test_a_running_game_is_not_reviewed(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    for answer in (
        ann.post(f"/api/tables/{table.id}/review", TINY),
        ann.get(f"/api/tables/{table.id}/review"),
        ann.get(f"/api/tables/{table.id}/review/progress"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (409, "still-hidden")


@pytest.mark.parametrize("budget", [{}, {"simulations": 16, "seconds": 1}, {"simulations": 3}])
def test_a_budget_that_makes_no_sense_gets_a_sentence(ann: Browser, budget: Any) -> None:
    table = open_match(ann, finished("nim"))
    answer = ann.post(f"/api/tables/{table.id}/review", budget)
    assert (answer.status_code, answer.json()["error"]) == (400, "bad-review")
    assert answer.json()["sentence"].startswith("A review needs")
    told = ann.post(f"/api/tables/{table.id}/review?lang=fr", budget)
    assert told.json()["sentence"].startswith("Une analyse demande")


@pytest.mark.full
def test_reviews_take_turns_and_bots_go_on_playing(ann: Browser) -> None:
    long, short = open_match(ann, finished("passerelles")), open_match(ann, finished("nim"))
    start(ann, long.id, seconds=2)
    start(ann, short.id)
    table = ann.open("nim", "bot bot")
    wait_until(lambda: ann.view(table.id)["over"])
    wait_until(lambda: progress(ann, short.id)["state"] == "done")
    assert progress(ann, long.id)["state"] == "running", "the short one did not have to wait for the long one"
    start(ann, long.id)
    whole_review(ann, long.id)


def test_an_interrupted_review_goes_on_where_it_stopped(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 3)
    server = Server(tmp_path)
    with server.browser() as browser:
        table = open_match(browser, match)
        start(browser, table.id, seconds=0.05)
        wait_until(lambda: progress(browser, table.id)["done"] >= 3)
        cookies = dict(browser.http.cookies)
        server.kill()
    server.start()
    with server.browser() as browser:
        browser.http.cookies.update(cookies)
        before = browser.get(f"/api/tables/{table.id}/review").json()
        assert len(before["decisions"]) >= 3, "what was judged is still there"
        after = whole_review(browser, table.id)
        kept = len(before["decisions"])
        assert after["decisions"][:kept] == before["decisions"], "and was not judged again"
        assert [decision["ply"] for decision in after["decisions"]] == [
            ply for ply in range(1, match.ply + 1) if len(match.state_at(ply - 1).legal_actions()) > 1
        ]
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        stopping.join(PATIENCE)
        assert not stopping.is_alive(), "the server ends in good time"
    assert "Traceback" not in server.log.read_text()


@pytest.mark.full
def test_a_review_by_another_version_is_hidden_and_made_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        whole, half = (open_match(browser, finished("nim")).id for _ in range(2))
        for table in (whole, half):
            start(browser, table)
            told = whole_review(browser, table)
        cookies = dict(browser.http.cookies)
    server.stop()
    with sqlite3.connect(tmp_path / "ludotheque.sqlite3") as database:
        database.execute("UPDATE reviews SET version = 1")
        database.execute("UPDATE review_decisions SET decision = '{}'")
        database.execute("DELETE FROM review_decisions WHERE table_id = ? AND ply = 1", (half,))
    database.close()
    server.start()
    with server.browser() as browser:
        browser.http.cookies.update(cookies)
        assert whole_review(browser, half) == told, "what was unfinished is made again from its beginning"
        shown = browser.get(f"/api/tables/{whole}/review").json()
        assert (shown["progress"]["state"], shown["decisions"]) == ("outdated", [])
        assert browser.get(f"/t/{whole}/review").status_code == 200
        start(browser, whole)
        assert whole_review(browser, whole) == told
    server.stop()


@pytest.mark.full
def test_a_review_outlives_the_death_of_its_worker(tmp_path: Path) -> None:
    server = Server(tmp_path)
    before = children_of(server.process.pid)
    with server.browser() as browser:
        table = open_match(browser, random_match(load_game("passerelles", rounds=1), 3))
        start(browser, table.id, seconds=0.05)
        wait_until(lambda: progress(browser, table.id)["done"] >= 2)
        (worker,) = children_of(server.process.pid) - before
        os.kill(worker, signal.SIGKILL)
        assert len(whole_review(browser, table.id)["decisions"]) == progress(browser, table.id)["total"]
    server.stop()


def children_of(pid: int) -> set[int]:
    """The processes that a process has started."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


# Limits, and the start of a server.


class JudgeHere:
    """A worker in this process; it judges a number of decisions, then none."""

    def __init__(self, judged: int = 0) -> None:
        self.left = judged
        self.asked: list[PendingDecision] = []
        self.exhausted = asyncio.Event()

    def submit(self, work: Callable[[bytes], bytes], asked: bytes) -> Future[bytes]:
        judged = Future[bytes]()
        if self.left:
            self.left -= 1
            self.asked.append(msgspec.msgpack.decode(asked, type=PendingDecision))
            judged.set_result(work(asked))
        else:
            self.exhausted.set()
        return judged

    def close(self) -> None:
        pass


def new_reviewer(
    live_tables: LiveTables, worker: Any, claim: Callable[[Sequence[str]], Awaitable[Sequence[str]]] | None = None
) -> Reviewer:
    reviewer = Reviewer(live_tables, TableBots(), 1.0, claim)
    reviewer.worker = worker
    return reviewer


async def play_out(live_tables: LiveTables) -> LiveTable:
    """A finished game; the storage is open."""
    table = await open_another_table(live_tables, TableEvents(), "nim")
    while not table.match.is_over:
        await play(TableActions(TableWriter(live_tables, TableEvents())), table, 1)
    return table


def test_unfinished_reviews_are_limited_by_address_and_in_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(simulations=16)

    async def run() -> list[int]:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 20)
        await live_tables.storage.open()
        reviewer = new_reviewer(live_tables, JudgeHere())
        tables = [await play_out(live_tables) for _ in range(REVIEWS_PER_ADDRESS + 2)]

        async def status(table: LiveTable, budget: Budget, address: str) -> int:
            try:
                await reviewer.start(table, budget, address=address)
            except Refused as refused:
                return refused.status
            return 200

        *mine, other, last = tables
        found = [await status(table, budget, "here") for table in mine]
        found += [await status(other, budget, "here"), await status(other, budget, "elsewhere")]
        found.append(await status(mine[0], Budget(simulations=17), "here"))
        monkeypatch.setattr(reviewer_module, "MOST_REVIEWS", len(mine) + 1)
        found.append(await status(last, budget, "a third place"))
        assert (await reviewer.progress(last)).state == "none"
        await reviewer.stop()
        await live_tables.storage.close()
        return found

    assert run_apart(run()) == [200] * REVIEWS_PER_ADDRESS + [429, 200, 200, 429]


def test_a_resumed_review_asks_what_is_left_and_delays_no_start(tmp_path: Path) -> None:
    async def run() -> tuple[list[PendingDecision], list[PendingDecision]]:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 20)
        await live_tables.storage.open()
        table, budget = await play_out(live_tables), Budget(simulations=16)
        expected = pending_decisions(table.match, budget)
        assert len(expected) > 2
        workers = JudgeHere(1), JudgeHere(len(expected))
        first = new_reviewer(live_tables, workers[0])
        await first.start(table, budget)
        await workers[0].exhausted.wait()
        await first.stop()
        second = new_reviewer(live_tables, workers[1])
        second.resume()
        assert not workers[1].asked, "it continues in the background"
        while (await second.progress(table)).state != "done":
            await asyncio.sleep(0)
        await second.stop()
        await live_tables.storage.close()
        return expected, [question for worker in workers for question in worker.asked]

    expected, asked = run_apart(run())
    assert asked == expected


def test_a_process_continues_the_reviews_of_a_dead_one_and_of_no_other(tmp_path: Path) -> None:
    """A review stood at 7 of 48 for ever, since a process looked for interrupted ones at its start only."""
    is_dead = [False]

    async def run() -> None:
        asked = asyncio.Event()

        async def claim(tables: Sequence[str]) -> Sequence[str]:
            asked.set()
            return tables if is_dead[0] else ()

        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 20)
        await live_tables.storage.open()
        table, other, here = await play_out(live_tables), JudgeHere(1), JudgeHere(100)
        doomed, survivor = new_reviewer(live_tables, other), new_reviewer(live_tables, here, claim)
        await doomed.start(table, Budget(simulations=16))
        await other.exhausted.wait()
        survivor.resume()
        await asyncio.wait_for(asked.wait(), PATIENCE)
        await doomed.stop()
        assert not here.asked, "the other process made this review until now"
        is_dead[0] = True
        survivor.resume()
        while (await survivor.progress(table)).state != "done":
            await asyncio.sleep(0)
        await survivor.stop()
        await live_tables.storage.close()

    run_apart(run())


def test_a_process_that_notices_the_death_of_another_continues_its_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    alive = iter([frozenset({"this", "other"})])

    async def none(*_: object) -> tuple[str, ...]:
        return ()

    async def find_alive(_: object) -> frozenset[str]:
        return next(alive, frozenset({"this"}))

    async def run() -> None:
        resumed = asyncio.Event()
        storage, events = Storage(Settings(data=Path())), TableEvents()
        presences = Presences(LiveTables(storage, 1), events)
        found = Processes(storage, cast(Any, None), presences, events, cast(Any, none), resumed.set)
        await found.start()
        await asyncio.wait_for(resumed.wait(), PATIENCE)
        await found.stop()

    stored = SimpleNamespace(report_alive=none, forget_dead=none, claim_bots=none, leave=none, alive=find_alive)
    monkeypatch.setattr(processes_module, "processes", stored)
    monkeypatch.setattr(processes_module, "REPORT_SECONDS", 0)
    run_apart(run())


def test_a_server_that_stops_does_not_wait_for_reviews_to_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 20)
        await live_tables.storage.open()
        first = new_reviewer(live_tables, JudgeHere())
        await first.start(await play_out(live_tables), Budget(simulations=16))
        await first.stop()
        loading = asyncio.Event()

        async def load_for_ever(id: str) -> LiveTable:
            loading.set()
            await asyncio.Event().wait()
            raise AssertionError

        monkeypatch.setattr(live_tables, "table", load_for_ever)
        second = new_reviewer(live_tables, JudgeHere())
        second.resume()
        await loading.wait()
        await second.stop()
        await live_tables.storage.close()

    run_apart(run())
