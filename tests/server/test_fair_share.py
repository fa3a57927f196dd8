"""The processor time of requests: measured, limited by address, and shared by all requests that can wait."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
import sqlalchemy as sql
from litestar import Litestar
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server import run as serving
from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import limited_address
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.fair_share import FairShare, MeasuredThread, first, measured
from ludotheque.server.http.limits import RULES, Limits, Rule
from ludotheque.server.http.pacing import (
    LANE_TIME,
    LITTLE,
    MANY_MOVES,
    MOST_WAITING,
    MOVES_AT_ONCE,
    ROUND_TIME,
    TURN,
    Lane,
    LoopRound,
    Pacer,
)
from ludotheque.server.http.spending import SPENDER, Spender
from ludotheque.server.recent_work import RecentWork
from ludotheque.server.routes.failures import send_refusal
from ludotheque.server.routes.socket import Inbox
from ludotheque.server.storage.commits import GroupCommit
from ludotheque.server.storage.database import READERS, Storage
from ludotheque.server.storage.profiles import set_profile
from ludotheque.server.storage.rows import Change
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.messages import ErrorMessage
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.sockets import Broadcast, Connection
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.writing import TableWriter
from tests.server.harness import PATIENCE, run_apart
from tests.server.test_events import open_table, play, spectator, views_of
from tests.server.test_frames import PING, services


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The processor time that requests seem to take."""
    now = [0.0]
    monkeypatch.setattr("ludotheque.server.http.fair_share.time", SimpleNamespace(thread_time=lambda: now[0]))
    return now


def test_only_the_steps_of_a_request_itself_count_as_its_time(clock: list[float]) -> None:
    spent: list[float] = []

    async def others() -> None:
        clock[0] += 100

    async def work() -> str:
        for _ in range(2):
            clock[0] += 1
            await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0)
        clock[0] += 1
        return "result"

    async def run() -> str:
        other = asyncio.create_task(others())
        result = await measured(work(), spent.append)
        await other
        return result

    assert run_apart(run()) == "result"
    assert sum(spent) == 3.0


def test_the_time_of_a_request_that_is_cancelled_counts(clock: list[float]) -> None:
    spent: list[float] = []

    async def work() -> None:
        clock[0] += 1
        try:
            await asyncio.Event().wait()
        finally:
            clock[0] += 1

    async def run() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(measured(work(), spent.append), 0.01)

    run_apart(run())
    assert sum(spent) == 2.0


def test_the_time_of_a_thread_counts_for_the_request_that_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[float] = []
    spender = SimpleNamespace(spend=lambda seconds, can_wait: spent.append(seconds))
    monkeypatch.setattr("ludotheque.server.http.fair_share.SPENDER", SimpleNamespace(get=lambda: spender))

    def work() -> int:
        return sum(range(200_000))

    async def run() -> int:
        with MeasuredThread() as thread:
            return await asyncio.get_running_loop().run_in_executor(thread, work)

    assert run_apart(run()) == work()
    assert len(spent) == 1
    assert spent[0] > 0


def test_a_server_has_one_measured_thread_for_its_routes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the routes that are not coroutines work in forty threads, which nobody pays for."""
    executors: list[object] = []
    monkeypatch.setattr(serving, "set_asyncio_executor", executors.append)
    for name in ("configure_logs", "raise_open_files"):
        monkeypatch.setattr(serving, name, lambda *_: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    monkeypatch.setattr("uvicorn.Server", lambda _: SimpleNamespace(run=lambda sockets: None))
    with serving.listen("127.0.0.1", 0) as listener:
        serving.serve(Litestar([]), listener, Settings(data=tmp_path))
    (executor,) = executors
    assert isinstance(executor, MeasuredThread)


def test_requests_that_can_wait_run_at_once_while_there_is_time() -> None:
    with pytest.raises(StopIteration):
        Pacer().turn("192.0.2.1").send(None)


def new_lane(recent: RecentWork | None = None) -> Lane:
    return Lane(LANE_TIME, LoopRound(), recent or RecentWork(1.0))


def test_a_round_of_the_event_loop_has_little_time_for_requests_that_can_wait() -> None:
    """Twenty pictures that were asked for at once were drawn in one round, and every move waited for all of them."""

    async def run() -> list[int]:
        lane, rounds, drawn = new_lane(), [0], list[int]()

        async def draw() -> None:
            await lane.turn("eve")
            lane.spend(ROUND_TIME)
            drawn.append(rounds[0])

        pictures = [asyncio.create_task(draw()) for _ in range(5)]
        while not all(picture.done() for picture in pictures):
            rounds[0] += 1
            await asyncio.sleep(0)
        return drawn

    drawn = run_apart(run())
    assert len(set(drawn)) == len(drawn) == 5


def test_moves_of_many_tables_are_carried_out_in_several_rounds() -> None:
    """Eight addresses at ten tables each filled a round with 80 moves, before the neighbour's was looked at."""

    async def run() -> list[str]:
        pacer, order = Pacer(), list[str]()

        async def move(network: str) -> None:
            await pacer.urgent_turn(network)
            order.append(network)
            pacer.spend_urgent(network, ROUND_TIME)

        pacer.spend_urgent("eve", 0.01)
        many = [asyncio.create_task(move("eve")) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.gather(*many, move("bob"))
        return order

    assert "bob" in run_apart(run())[:3]


def test_who_has_taken_least_lately_goes_first() -> None:
    async def run() -> list[str]:
        recent, order = RecentWork(1.0), list[str]()
        lane = new_lane(recent)
        for network, seconds in (("eve", 30), ("mallory", 20), ("bob", 10)):
            recent.add(network, seconds)
        lane.spend(LANE_TIME.burst + 0.02)

        async def step(network: str) -> None:
            await lane.turn(network)
            order.append(network)

        await asyncio.gather(*(step(network) for network in ("eve", "mallory", "bob")))
        return order

    assert run_apart(run()) == ["bob", "mallory", "eve"]


def test_networks_take_turns_while_the_shared_time_is_used_up() -> None:
    """However many requests one network sends, the next one waits for one step of it, not for all."""

    async def run() -> list[str]:
        lane, order = new_lane(), list[str]()
        lane.spend(LANE_TIME.burst + 0.05)

        async def step(network: str) -> None:
            await lane.turn(network)
            order.append(network)

        many = [asyncio.create_task(step("eve")) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.gather(*many, step("bob"))
        return order

    assert "bob" in run_apart(run())[:3]


def test_who_has_taken_little_does_not_wait_for_those_who_take_much() -> None:
    """A page takes dozens of steps; one turn among eight attackers for each of them made it wait for a minute."""

    async def run() -> None:
        pacer = Pacer()
        many = ("eve", "mallory", "trudy")
        for network in many:
            pacer.spend(network, LITTLE + LANE_TIME.burst)
        waiting = [asyncio.create_task(pacer.turn(network)) for network in many]
        await asyncio.sleep(0)
        assert pacer.is_busy("eve")
        for _ in range(30):
            await pacer.turn("bob")
            pacer.spend("bob", 0.001)
        assert not any(turn.done() for turn in waiting)
        for turn in waiting:
            turn.cancel()

    run_apart(run())


def test_who_sends_endless_moves_waits_for_others_of_that_kind_alone() -> None:
    """Moves go before all that can wait; eight addresses that made nothing else took the whole process."""

    async def run() -> None:
        pacer = Pacer()
        for network in ("eve", "mallory"):
            pacer.spend_urgent(network, MANY_MOVES + LANE_TIME.burst)
        waiting = asyncio.create_task(pacer.urgent_turn("eve"))
        await asyncio.sleep(0)
        pacer.spend_urgent("bob", MANY_MOVES / 2)
        await pacer.urgent_turn("bob")
        assert not waiting.done()
        waiting.cancel()

    run_apart(run())


def test_few_moves_of_one_network_are_under_way_at_once() -> None:
    """Eight addresses at ten tables each had 80 changes in a commit, which a neighbour's waited for."""

    async def run() -> list[int]:
        pacer, under_way, counts = Pacer(), [0], list[int]()
        spenders = {name: Spender(Limits(on=True), pacer, f"192.0.2.{name}") for name in (1, 2)}

        async def work(go_on: asyncio.Event) -> None:
            under_way[0] += 1
            await go_on.wait()
            under_way[0] -= 1

        events = [asyncio.Event() for _ in range(6)]
        moves = [asyncio.create_task(first(partial(work, event), spenders[1])) for event in events[:5]]
        moves.append(asyncio.create_task(first(partial(work, events[5]), spenders[2])))
        for event in events:
            await asyncio.sleep(0)
            counts.append(under_way[0])
            event.set()
        await asyncio.gather(*moves)
        return counts

    assert max(run_apart(run())) == MOVES_AT_ONCE + 1


def test_what_a_network_has_taken_is_not_forgotten_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight attackers shared so little that each of them soon counted as one who has made few moves, and went first."""
    now = [0.0]
    for module in ("recent_work", "http.limits", "http.pacing"):
        monkeypatch.setattr(f"ludotheque.server.{module}.time", SimpleNamespace(monotonic=lambda: now[0]))

    async def run() -> None:
        pacer = Pacer()
        pacer.spend_urgent("eve", MANY_MOVES + LANE_TIME.burst)
        before = pacer.moves_lately("eve")
        waiting = [asyncio.create_task(pacer.urgent_turn("eve")) for _ in range(2)]
        await asyncio.sleep(0)
        now[0] += 20.0
        await asyncio.gather(*waiting)
        assert pacer.moves_lately("eve") == pytest.approx(before)
        now[0] += 20.0
        assert pacer.moves_lately("eve") < before

    run_apart(run())


def test_nor_is_it_while_more_is_asked_for_than_it_has_places(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    for module in ("recent_work", "http.limits", "http.pacing"):
        monkeypatch.setattr(f"ludotheque.server.{module}.time", SimpleNamespace(monotonic=lambda: now[0]))

    async def run() -> None:
        pacer, go_on = Pacer(), asyncio.Event()
        pacer.spend_urgent("eve", MANY_MOVES / 2)

        async def hold() -> None:
            async with pacer.urgent_place("eve"):
                await go_on.wait()

        work = [asyncio.create_task(hold()) for _ in range(MOVES_AT_ONCE + 2)]
        await asyncio.sleep(0)
        now[0] += 20.0
        assert pacer.moves_lately("eve") == pytest.approx(MANY_MOVES / 2)
        go_on.set()
        await asyncio.gather(*work)
        assert pacer.moves_lately("eve") == pytest.approx(MANY_MOVES / 2)
        now[0] += 20.0
        assert not pacer.moves_lately("eve")

    run_apart(run())


def test_a_socket_takes_turns_before_each_message() -> None:
    async def run() -> list[str]:
        order: list[str] = []

        async def pace_urgent() -> None:
            order.append("turn")

        spender = SimpleNamespace(
            urgent_place=nullcontext,
            pace_urgent=pace_urgent,
            going_first=nullcontext,
            spend=lambda seconds, can_wait: order.append("message"),
        )
        SPENDER.set(cast(Spender, spender))
        connection = SimpleNamespace(
            closing=None, socket=SimpleNamespace(scope={}), table=None, rights=None, send=lambda message: None
        )
        actions = TableActions(TableWriter(cast(Any, SimpleNamespace(storage=None)), TableEvents()))
        inbox = Inbox(cast(Connection, connection), services(actions))
        for _ in range(2):
            inbox.take(PING.decode())
        await inbox.done()
        return order

    assert run_apart(run()) == ["turn", "message"] * 2


def test_a_turn_lasts_for_several_steps_of_a_request(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that waited for its turn before each of a dozen steps waited a dozen times."""
    pacer = Pacer()
    spender, turns = Spender(Limits(on=True), pacer, "192.0.2.1"), list[str]()

    async def turn(network: str, is_granted: bool) -> None:
        if not is_granted:
            turns.append(network)

    async def work() -> None:
        for _ in range(10):
            clock[0] += TURN / 5
            await asyncio.sleep(0)

    monkeypatch.setattr(pacer, "turn", turn)
    run_apart(_awaited(measured(work(), lambda seconds: spender.spend(seconds, can_wait=True), spender.pace)))
    assert len(turns) in (2, 3)


async def _awaited(work: Any) -> None:
    await work


# Connections to the database, which others wait for.


def test_who_holds_a_connection_does_not_wait_for_time(tmp_path: Path) -> None:
    """Requests that waited for their turn within a transaction held up every move for as long: for 16 s, with eight
    addresses that made profiles and asked for slow pages."""

    async def run() -> None:
        pacer, storage = Pacer(), Storage(Settings(data=tmp_path), SPENDER.get)
        await storage.open()
        spender = Spender(Limits(on=True), pacer, "192.0.2.1")
        begun = asyncio.Event()

        async def change() -> None:
            SPENDER.set(spender)
            async with storage.writing() as connection:
                spender.spend(1e6, can_wait=True)
                begun.set()
                await connection.execute(sql.text("SELECT 1"))
            await asyncio.sleep(0)

        changing = asyncio.create_task(
            _awaited(measured(change(), lambda seconds: spender.spend(seconds, can_wait=True), spender.pace))
        )
        await begun.wait()
        await asyncio.wait_for(storage.ping(), 60)
        assert not changing.done(), "it waits once it has let go"
        changing.cancel()
        await storage.close()

    run_apart(run())


Way = Callable[[Storage, Callable[[AsyncConnection], Coroutine[Any, Any, int]]], Coroutine[Any, Any, int]]


@pytest.mark.parametrize("way", [Storage.write, Storage.read])
def test_a_transaction_does_without_the_event_loop(tmp_path: Path, way: Way) -> None:
    """Between any two of its dozen statements it waited for a round of the busy event loop, and every move for it: for
    50 ms each time that an attacker opened a table."""
    begun, ended = threading.Event(), threading.Event()

    async def change(connection: AsyncConnection) -> int:
        begun.set()
        for _ in range(9):
            found = await connection.execute(sql.text("SELECT 7"))
        ended.set()
        return int(found.scalar_one())

    async def run() -> int:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        changing = asyncio.create_task(way(storage, change))
        while not begun.is_set():
            await asyncio.sleep(0)
        assert ended.wait(PATIENCE), "the event loop is busy all the while"
        result = await changing
        await storage.close()
        return result

    assert run_apart(run()) == 7


def test_who_causes_a_change_or_a_question_pays_for_the_time_of_its_thread(tmp_path: Path) -> None:
    purse = Purse()

    async def run() -> None:
        storage = Storage(Settings(data=tmp_path), lambda: cast(Spender, purse))
        await storage.open()
        await set_profile(storage, b"key", "Eve", "me")
        assert await storage.load_table("none") is None
        await storage.close()

    run_apart(run())
    assert purse.paid == [True, True]


def test_a_change_that_nobody_waits_for_any_more_ends_before_the_next(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    async def slow(_: AsyncConnection) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)
        order.append("slow")

    async def run() -> None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        changing = asyncio.create_task(storage.write(slow))
        while not begun.is_set():
            await asyncio.sleep(0)
        changing.cancel()
        next_one = asyncio.create_task(storage.ping())
        await asyncio.sleep(0)
        go_on.set()
        await next_one
        order.append("next")
        await storage.close()

    run_apart(run())
    assert order == ["slow", "next"]


def test_a_move_waits_for_one_other_change_not_for_all(tmp_path: Path) -> None:
    async def run() -> list[str]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        order: list[str] = []

        async def change() -> None:
            async with live_tables.storage.writing() as connection:
                await connection.execute(sql.text("SELECT 1"))
                await asyncio.sleep(0.01)
                order.append("change")

        async def move() -> None:
            await play(actions, table, 1)
            order.append("move")

        await asyncio.gather(*(change() for _ in range(4)), move())
        await live_tables.storage.close()
        return order

    assert run_apart(run()).index("move") <= 2


def test_people_take_turns_at_the_database_network_by_network(tmp_path: Path) -> None:
    """Eighty tables that eight addresses opened were stored first, and the neighbour's after 9 s."""

    async def run() -> list[str]:
        storage, order = Storage(Settings(data=tmp_path), SPENDER.get), list[str]()
        await storage.open()

        async def change(address: str) -> None:
            SPENDER.set(Spender(Limits(on=True), Pacer(), address))
            async with storage.writing():
                order.append(address)

        async with storage.writing():
            changes = [asyncio.create_task(change(address)) for address in [*["192.0.2.1"] * 5, "192.0.2.2"]]
            await asyncio.sleep(0)
        await asyncio.gather(*changes)
        await storage.close()
        return order

    assert "192.0.2.2" in run_apart(run())[:2]


def test_few_requests_read_a_file_at_once_and_none_that_a_move_waits_for_waits_for_them(tmp_path: Path) -> None:
    async def run() -> None:
        storage = Storage(Settings(data=tmp_path), SPENDER.get)
        await storage.open()
        pacer, reading = Pacer(), 0

        async def read() -> None:
            nonlocal reading
            async with storage.reading():
                reading += 1
                await asyncio.Event().wait()

        async def move() -> None:
            with pacer.going_first("192.0.2.2"):
                async with storage.reading():
                    pass

        readers = [asyncio.create_task(read()) for _ in range(READERS + 2)]
        while reading < READERS:
            await asyncio.sleep(0)
        await asyncio.wait_for(move(), 60)
        assert reading == READERS
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await storage.close()

    run_apart(run())


# Moves under way.


def test_nothing_else_is_begun_while_a_move_is_under_way() -> None:
    """A move has some ten steps; pages were drawn for 4 ms between any two of them, and it took 60 ms."""

    async def run() -> None:
        pacer = Pacer()
        pacer.spend_urgent("eve", MANY_MOVES + 0.01)
        with pacer.going_first("bob"):
            others = [asyncio.create_task(turn) for turn in (pacer.turn("alice"), pacer.urgent_turn("eve"))]
            await asyncio.sleep(0)
            assert pacer.is_busy("alice")
            assert pacer.must_let_moves_pass("eve")
            await asyncio.wait_for(pacer.urgent_turn("bob"), 60)
            assert not any(other.done() for other in others)
        await asyncio.wait_for(asyncio.gather(*others), 60)

    run_apart(run())


def test_moves_hold_back_the_rest_for_a_part_of_the_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of moves would stop the lobby, and with it opening a table, for ever."""
    monkeypatch.setattr("ludotheque.server.http.pacing.MOVES_FIRST", Rule(0.01, 1e-6))
    pacer = Pacer()

    async def run() -> None:
        with pacer.going_first("bob"):
            await asyncio.wait_for(pacer.turn("eve"), 60)

    run_apart(run())


def test_who_makes_many_moves_holds_back_nobody() -> None:
    async def run() -> None:
        pacer = Pacer()
        pacer.spend_urgent("eve", MANY_MOVES + 0.01)
        with pacer.going_first("eve"):
            assert not pacer.is_busy("bob")

    run_apart(run())


class NoWriter:
    """Commits nothing."""

    async def apply(self, changes: Sequence[Change]) -> None:
        await asyncio.sleep(0)


def test_changes_that_are_committed_together_are_shown_to_those_with_few_moves_first() -> None:
    """The lock of the database was held until all were shown, the neighbour's last."""

    async def run() -> list[str]:
        writing, pacer, order = asyncio.Lock(), Pacer(), list[str]()
        commits = GroupCommit(NoWriter(), writing, SPENDER.get)
        pacer.spend_urgent("192.0.2.1", MANY_MOVES / 2)

        async def move(address: str, table: str) -> None:
            SPENDER.set(Spender(Limits(on=True), pacer, address))
            await commits.add(Change(table=table, version=0, keep=0, plies=(), to_move=0))
            assert not writing.locked()
            order.append(address)

        many = [move("192.0.2.1", f"table{number}") for number in range(20)]
        await asyncio.gather(*many, move("192.0.2.2", "other"))
        return order

    assert run_apart(run())[0] == "192.0.2.2"


def test_a_cancelled_request_gives_its_turn_to_the_next() -> None:
    async def run() -> None:
        lane = new_lane()
        lane.spend(LANE_TIME.burst + 0.001)
        gone = asyncio.create_task(lane.turn("eve"))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.wait_for(lane.turn("bob"), 60)

    run_apart(run())


def test_a_network_with_too_many_waiting_requests_is_refused() -> None:
    async def run() -> None:
        pacer = Pacer()
        pacer.spend("eve", 1e9)
        waiting = [asyncio.create_task(pacer.turn("eve")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        pacer.check("bob")
        with pytest.raises(Refused):
            pacer.check("eve")
        for turn in waiting:
            turn.cancel()

    run_apart(run())


def test_a_request_that_is_cancelled_while_it_waits_can_clean_up(clock: list[float]) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            cleaned.append("cleaned")
            raise

    turns = iter([None])

    async def turn() -> None:
        if next(turns, "never") == "never":
            await asyncio.Event().wait()

    async def run() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(measured(work(), lambda seconds: None, turn), 0.01)

    run_apart(run())
    assert cleaned == ["cleaned"]


def test_one_network_of_many_addresses_does_not_get_their_limits_together() -> None:
    """A /48 has 65,536 addresses of the kind that limits count by."""
    limits, passed = Limits(on=True), 0
    for number in range(400):
        try:
            limits.count("join", Caller("", "", limited_address(f"2001:db8:7:{number:x}::1"), False))
        except Refused:
            break
        passed += 1
    assert passed <= RULES["join"].burst * 2 + 1


def test_invented_keys_and_addresses_do_not_drop_the_limit_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets that are used least are dropped; 4 MB could be stored again as soon as others had filled their place."""
    monkeypatch.setattr("ludotheque.server.http.limits._MOST_BUCKETS", 100)
    limits = Limits(on=True)
    for address in ("192.0.2.1", limited_address("2001:db8:7:1::1")):
        limits.count_stored(address, 4_000_000)
        for number in range(150):
            with suppress(Refused):
                limits.count("act", Caller(f"key {number}", "", address, False))
            with suppress(Refused):
                limits.count("join", Caller("", "", limited_address(f"2001:db8:7:{number:x}::1"), False))
        with pytest.raises(Refused):
            limits.count_stored(address, 4_000_000)


class LimitedApp:
    """The application behind its fair share, as `serve` runs it."""

    def __init__(self, folder: Path) -> None:
        self.inner = create_app(Settings(data=folder))
        self.asgi = FairShare(self.inner, send_refusal)


@pytest.mark.parametrize("path", ["/nothing/here", "/api/schema/openapi.json", "/puzzles"])
def test_every_path_is_limited_also_without_a_route(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "any", Rule(1, 1e-6))
    app = LimitedApp(tmp_path)

    async def run() -> list[int]:
        async with app.inner.lifespan():
            return [await get(app, ("192.0.2.1", 1), path) for _ in range(2)]

    first, second = run_apart(run())
    assert first in (200, 404)
    assert second == 429


def test_an_address_whose_requests_take_all_the_time_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the limits of their number, slow requests of one visitor would hold up everyone."""
    monkeypatch.setattr("ludotheque.server.http.limits.TIME", Rule(0.001, 1e-6))
    app = LimitedApp(tmp_path)

    async def run() -> list[int]:
        async with app.inner.lifespan():
            eve, bob = ("192.0.2.1", 1), ("192.0.2.2", 1)
            slow = await get(app, eve, "/rules/cable-car")
            return [slow, await get(app, eve, "/api/games"), await get(app, bob, "/health")]

    assert run_apart(run()) == [200, 429, 200]


async def get(app: LimitedApp, client: tuple[str, int], path: str) -> int:
    """The status of a request from an address."""
    transport = httpx.ASGITransport(cast(Any, app.asgi), client=client)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
        return (await browser.get(path)).status_code


# Views that are rendered for others.


class Purse:
    """Pays for work, and lets it wait as long as the test wants."""

    network = "192.0.2.1"
    moves_lately = 0.0
    must_let_moves_pass = False

    def __init__(self) -> None:
        self.paid: list[bool] = []
        """Whether each piece of work could wait."""
        self.is_empty = False
        self.filled = asyncio.Event()

    def spend(self, seconds: float, can_wait: bool) -> None:
        assert seconds >= 0
        self.paid.append(can_wait)

    def must_wait(self, can_wait: bool) -> bool:
        return self.is_empty and can_wait

    async def turn(self, can_wait: bool) -> None:
        await self.filled.wait()

    async def let_moves_pass(self) -> None:
        """No move is under way."""


class Shown:
    """A table with a spectator, whose changes a purse pays for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.purse = Purse()
        self._sent: list[bytes] = []

    async def open(self) -> None:
        self.live_tables, events = LiveTables(Storage(Settings(data=self._folder)), 10), TableEvents()
        self.table, self.actions = (
            await open_table(self.live_tables, events),
            TableActions(TableWriter(self.live_tables, events)),
        )
        broadcast = Broadcast(ViewCache(), Presences(self.live_tables, events), events)
        self.connection = spectator(self.table, broadcast, self._sent)
        broadcast.enter(self.connection)
        SPENDER.set(cast(Spender, self.purse))

    async def views(self) -> list[dict[str, Any]]:
        """The views that have been sent since the last call."""
        await asyncio.sleep(0)
        taken, self._sent[:] = [*self._sent], []
        return views_of(taken)


def shown(folder: Path, test: Callable[[Shown], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        shown = Shown(folder)
        await shown.open()
        try:
            await test(shown)
        finally:
            await shown.live_tables.storage.close()

    run_apart(run())


def test_who_causes_a_view_pays_for_it(tmp_path: Path) -> None:
    async def test(shown: Shown) -> None:
        await shown.actions.rename(shown.table, 0, "Zoë")
        assert [view["seats"][0]["name"] for view in await shown.views()] == ["Zoë"]
        await play(shown.actions, shown.table, 1)
        assert len(await shown.views()) == 1
        assert shown.purse.paid == [True, False], "a name can wait, a move cannot"

    shown(tmp_path, test)


def test_views_that_nobody_can_pay_for_are_shown_later_and_together(tmp_path: Path) -> None:
    async def test(shown: Shown) -> None:
        shown.purse.is_empty = True
        for name in ("Zoë", "Yan", "Xan"):
            await shown.actions.rename(shown.table, 0, name)
            assert await shown.views() == []
        shown.purse.filled.set()
        await asyncio.sleep(0)
        assert [view["seats"][0]["name"] for view in await shown.views()] == ["Xan"]

    shown(tmp_path, test)


def test_a_move_is_shown_at_once_and_with_it_what_has_waited(tmp_path: Path) -> None:
    async def test(shown: Shown) -> None:
        shown.purse.is_empty = True
        await shown.actions.rename(shown.table, 0, "Zoë")
        shown.connection.send(ErrorMessage(None, "malformed", "Nothing else waits. " * 9))
        assert await shown.views() == []
        await play(shown.actions, shown.table, 1)
        assert [view["seats"][0]["name"] for view in await shown.views()] == ["Zoë"]
        shown.purse.filled.set()
        await asyncio.sleep(0)
        assert await shown.views() == []

    shown(tmp_path, test)
