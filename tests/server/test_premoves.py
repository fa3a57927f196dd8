"""Deciding ahead of one's turn: unseen by the others, played as an ordinary move, over with the situation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy.exc import OperationalError

from ludotheque.server.cluster.remote import RemoteEvents
from ludotheque.server.commands import SetPremove
from ludotheque.server.config import Settings
from ludotheque.server.services import take_over
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables import premoves
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.premoves import PremovePlayer
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import Browser, Opened, run_apart, wait_until
from tests.server.test_events import open_table


def bidding(ann: Browser, bob: Browser) -> Opened:
    table = ann.open("chicago-express", "me link")
    bob.join(table.links[1])
    return table


def decide(browser: Browser, table: Opened, seat: int, key: str, amount: int = 0, **more: Any) -> Any:
    ahead = browser.view(table.id)["ahead"] or {"situation": ""}
    body = {"seat": seat, "situation": ahead["situation"], "key": key, "amount": amount} | more
    return browser.post(f"/api/tables/{table.id}/ahead", body)


def bid(browser: Browser, table: Opened, seat: int, text: str) -> None:
    body = {"seat": seat, "version": browser.view(table.id)["version"], "text": text}
    answer = browser.post(f"/api/tables/{table.id}/moves", body)
    assert answer.status_code == 200, answer.text


def test_a_limit_is_bid_by_the_table_as_ordinary_moves(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "bid", 9).status_code == 200
    bid(ann, table, 0, "bid 7")
    wait_until(lambda: ann.view(table.id)["ply"] == 2)
    assert ann.view(table.id)["to_move"] == 0
    assert "bids $8" in ann.view(table.id)["log"][-1]["text"]
    bid(ann, table, 0, "bid 10")
    wait_until(lambda: ann.view(table.id)["ply"] == 4)
    ahead = [browser.view(table.id)["ahead"] for browser in (ann, bob)]
    assert all(each is None or each["key"] == "" for each in ahead), "it ended with the share"


def test_a_pass_ends_with_the_share(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "pass").status_code == 200
    bid(ann, table, 0, "bid 7")
    wait_until(lambda: ann.view(table.id)["ply"] == 2)
    view = bob.view(table.id)
    assert view["to_move"] == 0, "she opens the next auction"
    assert view["ahead"]["key"] == ""
    bid(ann, table, 0, "bid 10")
    assert bob.view(table.id)["to_move"] == 1
    assert bob.view(table.id)["ply"] == 3


def test_a_pass_that_is_taken_back_is_not_played_again(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "pass").status_code == 200
    bid(ann, table, 0, "bid 7")
    wait_until(lambda: ann.view(table.id)["ply"] == 2)
    body = {"seat": 1, "version": bob.view(table.id)["version"]}
    asked = bob.post(f"/api/tables/{table.id}/undo", body).json()
    assert asked["outcome"] == "asked"
    answer = {"seat": 0, "version": asked["version"], "agree": True}
    assert ann.post(f"/api/tables/{table.id}/undo/answer", answer).json()["outcome"] == "done"
    time.sleep(0.3)
    assert (ann.view(table.id)["ply"], ann.view(table.id)["to_move"]) == (1, 1)
    bid(bob, table, 1, "bid 8")


def test_the_others_are_sent_nothing_and_see_nothing(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = bidding(ann, bob)
    eve.join(table.watch)
    paths = ("", "?at=0", "/record", "/record?form=text")

    def all_that(browser: Browser) -> list[str]:
        return [browser.get(f"/api/tables/{table.id}{path}").text for path in paths]

    with ann.socket(table.id) as hers:  # she is present before and after, whenever her leaving is noticed
        hers.hear_until("chat")
        before = [all_that(browser) for browser in (ann, eve)]
        assert decide(bob, table, 1, "bid", 23).status_code == 200
        assert bob.view(table.id)["ahead"]["amount"] == 23
        hers.send(type="ping", id=7)
        while (message := hers.hear())["type"] != "pong":
            assert message["type"] == "seats", "only presence may have changed"
            assert "23" not in str(message)
        assert [all_that(browser) for browser in (ann, eve)] == before


def test_it_can_be_taken_back_and_only_what_is_offered_counts(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "bid", 100_000).json()["error"] == "not-now"
    assert decide(bob, table, 1, "sell").json()["error"] == "not-now"
    assert decide(ann, table, 1, "pass").status_code == 403
    assert decide(bob, table, 1, "pass", situation="other").json()["error"] == "stale-version"
    assert decide(bob, table, 1, "pass").status_code == 200
    assert decide(bob, table, 1, "").status_code == 200
    bid(ann, table, 0, "bid 7")
    assert (bob.view(table.id)["to_move"], bob.view(table.id)["ply"]) == (1, 1)


# Without a server: events that are missed, and a database that fails.


async def decided(live_tables: LiveTables, events: TableEvents) -> tuple[LiveTable, TableActions]:
    """A table whose second seat passes ahead."""
    table, actions = (
        await open_table(live_tables, events, "chicago-express"),
        TableActions(TableWriter(live_tables, events)),
    )
    situation = table.match.premove_context
    await actions.set_premove(table, SetPremove(seat=1, situation=situation, key="pass"))
    return table, actions


async def all_played(player: PremovePlayer) -> None:
    while player._tasks:
        await asyncio.gather(*player._tasks)


def test_it_is_played_although_the_database_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(premoves, "_AGAIN_AFTER", 0.0)

    async def run() -> int:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await decided(live_tables, events)
        failures = [OperationalError("", {}, Exception("the connection was lost"))]

        async def play_move(table: LiveTable, seat: int, version: int, action: int) -> None:
            if failures:
                raise failures.pop()
            await actions.move(table, seat, version, action)

        player = PremovePlayer(live_tables, events, play_move)
        await actions.move(table, 0, table.version, "bid 7")
        await all_played(player)
        await live_tables.storage.close()
        return table.match.ply

    assert run_apart(run()) == 2


def test_a_server_that_stops_does_not_wait_for_the_database(tmp_path: Path) -> None:
    async def run() -> None:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await decided(live_tables, events)
        failed = asyncio.Event()

        async def play_move(*_: object) -> None:
            failed.set()
            raise OperationalError("", {}, Exception("the connection was lost"))

        player = PremovePlayer(live_tables, events, play_move)
        await actions.move(table, 0, table.version, "bid 7")
        await failed.wait()
        await player.stop()
        assert not player._tasks
        await live_tables.storage.close()

    run_apart(run())


@pytest.mark.parametrize("event", ["reloaded", "ahead"])
def test_it_is_played_when_the_table_learns_late_that_it_is_due(tmp_path: Path, event: str) -> None:
    """This process did not learn that its move was stored, or made it before it learnt of the decision."""

    async def run() -> int:
        storage = Storage(Settings(data=tmp_path))
        there, here, events = LiveTables(storage, 10), LiveTables(storage, 10), TableEvents("here")
        table, actions = await decided(there, TableEvents())
        copy = await here.table(table.id)
        player = PremovePlayer(here, events, TableActions(TableWriter(here, events)).move)
        remote = RemoteEvents(Settings(data=tmp_path), here, events)
        await actions.move(table, 0, table.version, "bid 7")
        if event == "reloaded":
            await remote.check()
        else:
            await remote._handle(TableEvent(table.id, "ahead", "there"))
        await all_played(player)
        await storage.close()
        return copy.match.ply

    assert run_apart(run()) == 2


def test_a_process_that_takes_over_tables_plays_what_is_due_there(tmp_path: Path) -> None:
    async def run() -> tuple[int, int]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await decided(live_tables, events)
        await actions.move(table, 0, table.version, "bid 7")
        player = PremovePlayer(live_tables, events, actions.move)

        async def resume_bots(tables: Collection[str]) -> None:
            pass

        services = cast(Any, SimpleNamespace(runner=SimpleNamespace(resume=resume_bots), premoves=player))
        await take_over(services, {"another"})
        await all_played(player)
        before = table.match.ply
        await take_over(services, {table.id})
        await all_played(player)
        await live_tables.storage.close()
        return before, table.match.ply

    assert run_apart(run()) == (1, 2)
