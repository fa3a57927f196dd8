"""Events: one path from a change to all who react to it; views are cached beside the table, not in it."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, TypeVar, cast

import msgspec
import pytest
import sqlalchemy as sql
from librt.random import Random
from msgspec import structs

import tests.toy  # noqa: F401  (registers the toy games)
from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase, seat_name
from ludotheque.core.premoves import Premove
from ludotheque.games.cable_car import CableCar
from ludotheque.server.bots.runner import BotRunner
from ludotheque.server.cluster.remote import RemoteEvents
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.http.caller import Caller
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.processes import claim_bots
from ludotheque.server.storage.rows import Change, StoredTable
from ludotheque.server.storage.schema import TABLES
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import Pace, Rights, Seat, as_plain
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.messages import Message
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.seats import with_seats
from ludotheque.server.tables.sockets import Broadcast, Connection
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show import scenes
from ludotheque.show.language import Reader
from ludotheque.show.scenes import renderer
from ludotheque.table import Match
from tests.server.harness import run_apart

ENGLISH = Reader("en")
T = TypeVar("T")


async def open_table(live_tables: LiveTables, events: TableEvents, game: str = "cable-car") -> LiveTable:
    await live_tables.storage.open()
    return await open_another_table(live_tables, events, game)


async def open_another_table(live_tables: LiveTables, events: TableEvents, game: str = "cable-car") -> LiveTable:
    """Open a table; the storage is open."""
    wanted = NewTable(game=game, seats=[NewSeat(who="me"), NewSeat(who="me")])
    reading = UntrustedReader(LimitedWorkers(1, 60))
    opened = await TableOpener(live_tables, events, reading, TableBots()).open_new(wanted, bytes(32), ENGLISH, "")
    return await live_tables.table(opened.id)


def test_a_bot_is_replaced_although_another_process_has_changed_the_table(tmp_path: Path) -> None:
    async def replace() -> tuple[str, str]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        bot = Seat("bot", "1", taken=True)
        await actions.writer.change(table, lambda facts: with_seats(facts, {1: bot}, at=0.0))
        elsewhere = LiveTables(live_tables.storage, 10)
        other = await elsewhere.table(table.id)
        await TableActions(TableWriter(elsewhere, TableEvents())).rename(other, 0, "Ann")
        await Seating(actions.writer, actions.draw).replace_bot(table, 1, "2", table.facts.rights([bytes(32)]))
        await live_tables.storage.close()
        return table.facts.seats[1].level, table.match.names[0]

    assert run_apart(replace()) == ("2", "Ann")


def test_a_change_is_published_although_its_client_has_gone(tmp_path: Path) -> None:
    async def change() -> list[str]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, writer = await open_table(live_tables, events), TableWriter(live_tables, events)
        published: list[str] = []
        events.subscribe(lambda event: published.append(event.what))
        client = asyncio.create_task(TableActions(writer).rename(table, 0, "Ann"))
        await asyncio.sleep(0)
        client.cancel()
        await writer.finish()
        await live_tables.storage.close()
        return [table.match.names[0], *published]

    assert run_apart(change()) == ["Ann", "names"]


def test_a_rematch_and_a_change_at_the_same_time_are_both_kept(tmp_path: Path) -> None:
    async def change() -> tuple[str, bool]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events, "nim"), TableActions(TableWriter(live_tables, events))
        while not table.match.is_over:
            await play(actions, table, 1)
        set_facts, begun, is_free = live_tables.storage.set_facts, asyncio.Event(), asyncio.Event()

        async def slow(*change: Any) -> None:
            begun.set()
            await is_free.wait()
            await set_facts(*change)

        async def add_rematch(of: str, again: StoredTable, *_: object) -> str:
            return again.id

        live_tables.storage.set_facts = slow  # type: ignore[method-assign, assignment]
        live_tables.storage.add_rematch = add_rematch  # type: ignore[method-assign, assignment]
        opener = TableOpener(live_tables, events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
        renamed = asyncio.create_task(actions.rename(table, 0, "Ann"))
        await begun.wait()
        again = asyncio.create_task(opener.open_rematch(table, ENGLISH, shared_dice=False))
        for _ in range(10):
            await asyncio.sleep(0)
        is_free.set()
        await renamed
        rematch = await again
        await live_tables.storage.close()
        return table.facts.names[0], table.facts.rematch == rematch

    assert run_apart(change()) == ("Ann", True)


def test_every_change_is_published_when_it_is_on_disk_and_in_memory(tmp_path: Path) -> None:
    live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
    published: list[tuple[str, int]] = []

    def subscriber(event: TableEvent) -> None:
        table = live_tables.in_memory(event.table)
        assert table
        published.append((event.what, table.version))

    async def change() -> int:
        events.subscribe(subscriber)
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        await actions.move(table, 0, 1, int(table.match.resampled(0, Random(1)).legal_actions()[0]))
        await actions.rename(table, 0, "Ann")
        await actions.set_pace(table, Pace(2.0))
        await actions.chat(table, Rights((0, 1), is_host=True), "hello")
        await actions.undo(table, 0, 2, Rights((0, 1), is_host=True))
        stored = await live_tables.storage.load_table(table.id)
        await live_tables.storage.close()
        assert stored
        return stored[0].version

    assert run_apart(change()) == 3
    assert published == [("position", 1), ("position", 2), ("names", 2), ("pace", 2), ("chat", 2), ("position", 3)]


def test_views_are_shared_and_dropped_with_their_table(tmp_path: Path) -> None:
    async def look() -> tuple[int, int]:
        live_tables, views = LiveTables(Storage(Settings(data=tmp_path)), 10), ViewCache()
        table = await open_table(live_tables, TableEvents(), "passerelles")
        assert views.get(table, 0, ENGLISH) is views.get(table, 1, ENGLISH), "nothing is hidden in this game"
        assert views.get(table, 0, ENGLISH) is not views.get(table, 0, Reader("fr"))
        full = len(views)
        await live_tables.storage.close()
        del live_tables, table
        gc.collect()
        return full, len(views)

    assert run_apart(look()) == (1, 0)


async def play(actions: TableActions, table: LiveTable, moves: int) -> None:
    for _ in range(moves):
        seat = table.match.to_move
        await actions.move(table, seat, table.version, int(table.match.resampled(seat, Random(1)).legal_actions()[0]))


def count_plies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note each ply that matches play by the rules from now on."""
    played: list[int] = []
    advance = Match._advance

    def counted(match: Match, action: int) -> None:
        played.append(action)
        advance(match, action)

    monkeypatch.setattr(Match, "_advance", counted)
    return played


def two_copies(tmp_path: Path, moves: int, then: Callable[[LiveTable, LiveTable, TableActions], Awaitable[T]]) -> T:
    """Two processes with the same table; it is played at the first one, then something happens."""

    async def run() -> T:
        storage = Storage(Settings(data=tmp_path))
        here, there = LiveTables(storage, 10), LiveTables(storage, 10)
        table, actions = await open_table(here, TableEvents()), TableActions(TableWriter(here, TableEvents()))
        await play(actions, table, moves)
        result = await then(table, await there.table(table.id), actions)
        await storage.close()
        return result

    return run_apart(run())


def test_a_table_that_is_reloaded_plays_only_the_plies_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def reload(table: LiveTable, copy: LiveTable, actions: TableActions) -> tuple[list[int], list[int]]:
        await play(actions, table, 2)
        new = [action for _, action in table.match.actions()[copy.match.ply :]]
        played = count_plies(monkeypatch)
        there = LiveTables(actions.writer.storage, 10)
        await there.reload(copy)
        assert copy.match.actions() == table.match.actions()
        assert copy.match.view(0) == table.match.view(0)
        return played, new

    played, new = two_copies(tmp_path, 20, reload)
    assert played == new


def test_a_reload_shows_nothing_of_what_was_decided_ahead(tmp_path: Path) -> None:
    """A process that missed the event of such a decision sends no views for it, whose time would tell of it."""

    async def reload(table: LiveTable, copy: LiveTable, actions: TableActions) -> tuple[bool, bool]:
        there = LiveTables(actions.writer.storage, 10)
        orders = {1: Premove("pass", "a share", 0)}
        await actions.writer.change(table, lambda facts: structs.replace(facts, ahead=orders))
        is_seen = await there.reload(copy)
        assert copy.facts.ahead == {1: Premove("pass", "a share", 0)}
        await actions.rename(table, 1, "Bobby")
        return is_seen, await there.reload(copy)

    assert two_copies(tmp_path, 2, reload) == (False, True)


def test_a_reload_after_an_undo_gives_the_stored_history(tmp_path: Path) -> None:
    async def reload(table: LiveTable, copy: LiveTable, actions: TableActions) -> None:
        await actions.undo(table, 1 - table.match.to_move, table.version, Rights((0, 1), is_host=True))
        await play(actions, table, 1)
        await LiveTables(actions.writer.storage, 10).reload(copy)
        assert copy.match.actions() == table.match.actions()
        assert copy.match.view(0) == table.match.view(0)
        assert copy.match.to_move == table.match.to_move

    two_copies(tmp_path, 5, reload)


def test_an_event_of_another_process_carries_the_move_so_that_no_table_is_read(tmp_path: Path) -> None:
    async def follow(table: LiveTable, copy: LiveTable, actions: TableActions) -> None:
        heard: list[TableEvent] = []
        actions.writer.events.subscribe(heard.append)
        await play(actions, table, 3)
        await actions.undo(table, 1 - table.match.to_move, table.version, Rights((0, 1), is_host=True))
        for event in heard:
            change = msgspec.json.decode(msgspec.json.encode(event), type=TableEvent).change
            assert change
            assert copy.follow(change)
            assert copy.follow(change), "it is there already"
        assert copy.version == table.version
        assert copy.match.actions() == table.match.actions()
        assert copy.match.view(0) == table.match.view(0)

    two_copies(tmp_path, 3, follow)


def test_a_table_that_missed_an_event_does_not_follow_the_next_one(tmp_path: Path) -> None:
    async def follow(table: LiveTable, copy: LiveTable, actions: TableActions) -> bool:
        await play(actions, table, 1)
        heard: list[TableEvent] = []
        actions.writer.events.subscribe(heard.append)
        await play(actions, table, 1)
        assert heard[0].change
        return copy.follow(heard[0].change)

    assert not two_copies(tmp_path, 1, follow)


def test_an_event_that_comes_after_a_reload_shows_nothing_again(tmp_path: Path) -> None:
    """On a busy server the comparison with the database can be quicker than the event of a move."""

    async def run() -> list[tuple[str, int]]:
        storage = Storage(Settings(data=tmp_path))
        here, there = LiveTables(storage, 10), LiveTables(storage, 10)
        events, others = TableEvents("here"), TableEvents("there")
        table, actions = await open_table(here, events), TableActions(TableWriter(here, events))
        copy = await there.table(table.id)
        remote = RemoteEvents(Settings(data=tmp_path), there, others)
        sent: list[TableEvent] = []
        shown: list[tuple[str, int]] = []
        events.subscribe(sent.append)
        others.subscribe(lambda event: shown.append((event.what, copy.version)))
        await play(actions, table, 1)
        await remote.check()
        await play(actions, table, 1)
        for event in sent:
            await remote._handle(event)
        await storage.close()
        return shown

    assert run_apart(run()) == [("reloaded", 2), ("position", 3)]


def test_a_process_wakes_up_only_for_events_that_concern_it(tmp_path: Path) -> None:
    async def run() -> dict[str, bool]:
        storage = Storage(Settings(data=tmp_path))
        live_tables = LiveTables(storage, 10)
        table = await open_table(live_tables, TableEvents("here"))
        remote = RemoteEvents(Settings(data=tmp_path), live_tables, TableEvents("here"))
        events = {
            "own": TableEvent(table.id, "position", "here"),
            "of a table in memory": TableEvent(table.id, "position", "there"),
            "of another table": TableEvent("elsewhere", "position", "there"),
            "of a new table": TableEvent("elsewhere", "opened", "there"),
        }
        concerns: dict[str, bool] = {}
        for name, event in events.items():
            remote._mail.clear()
            remote._on_notification(None, 0, "", msgspec.json.encode(event).decode())
            concerns[name] = remote._mail.is_set()
        await storage.close()
        return concerns

    assert run_apart(run()) == {
        "own": False,
        "of a table in memory": True,
        "of another table": False,
        "of a new table": True,
    }


@pytest.mark.parametrize("is_mine", [True, False])
def test_a_bot_plays_after_a_move_whose_event_was_never_sent(tmp_path: Path, is_mine: bool) -> None:
    """The connection was lost after the commit; the bots of another process's tables play there."""

    async def run() -> bool:
        storage = Storage(Settings(data=tmp_path))
        there, here, events = LiveTables(storage, 10), LiveTables(storage, 10), TableEvents(storage.process)
        table, actions = await open_table(there, TableEvents()), TableActions(TableWriter(there, TableEvents()))
        bot = Seat("bot", "random", taken=True)
        await actions.writer.change(table, lambda facts: with_seats(facts, {1: bot}, at=0.0))
        await actions.set_pace(table, Pace(0.0))
        copy = await here.table(table.id)

        async def choose(question: object, people_wait: bool, network: str) -> int:
            return int(copy.match.resampled(1, Random(1)).legal_actions()[0])

        thinkers, own = SimpleNamespace(choose=choose), SimpleNamespace(plays=lambda _: False, leave=lambda _: None)
        play_bot = TableActions(TableWriter(here, events)).move
        runner = BotRunner(here, cast(Any, thinkers), cast(Any, own), events, play_bot, lambda _: None)
        await play(actions, table, 1)
        if not is_mine:
            async with storage.writing() as connection:
                await connection.execute(sql.update(TABLES).values(driver="another"))
        await RemoteEvents(Settings(data=tmp_path), here, events).check()
        await asyncio.gather(*runner._driving.values())
        await storage.close()
        assert copy.version >= table.version
        return copy.match.to_move == 0

    assert run_apart(run()) == is_mine


def test_clients_that_may_know_the_same_share_one_encoded_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def show() -> tuple[int, set[bytes]]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        presences = Presences(live_tables, events)
        broadcast = Broadcast(ViewCache(), presences, events)
        sent: list[bytes] = []
        for _ in range(5):
            broadcast.enter(spectator(table, broadcast, sent))
        await asyncio.sleep(0)
        sent.clear()
        encoded = count_messages(monkeypatch)
        await play(actions, table, 1)
        await asyncio.sleep(0)
        await live_tables.storage.close()
        assert len(sent) == 5
        return len(encoded), set(sent)

    encoded, sent = run_apart(show())
    assert encoded == 1
    assert len(sent) == 1


class OneByOne(Counter[str]):
    """Counts that nobody goes through."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("all addresses are gone through")

    def items(self) -> NoReturn:
        raise AssertionError("all counts are gone through")


def test_one_who_leaves_costs_the_same_however_many_addresses_there_are(tmp_path: Path) -> None:
    async def leave() -> bool:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table = await open_table(live_tables, events)
        presences = Presences(live_tables, events)
        counts = presences._by_address = OneByOne()
        client = spectator(table, Broadcast(ViewCache(), presences, events), [])
        presences.enter(client)
        present = client.address in counts
        presences.leave(client)
        await live_tables.storage.close()
        return present and client.address not in counts

    assert run_apart(leave())


def test_a_view_that_is_sent_shows_what_has_changed_besides_the_position(tmp_path: Path) -> None:
    """Fields that most moves do not change are encoded again only if they do."""

    async def show() -> list[dict[str, Any]]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        presences = Presences(live_tables, events)
        broadcast = Broadcast(ViewCache(), presences, events)
        sent: list[bytes] = []
        shown = []
        for number in range(4):
            await play(actions, table, 1)
            await actions.rename(table, 0, f"Ann {number}")
            await actions.set_pace(table, Pace(number, paused=number == 2))
            table.thinking = {number % 2}
            table.facts = structs.replace(table.facts, muted=frozenset([number]), rematch=f"again{number}")
            broadcast.enter(spectator(table, broadcast, sent))
            await asyncio.sleep(0)
            sent.clear()
            await play(actions, table, 1)
            await asyncio.sleep(0)
            shown.append(views_of(sent)[-1])
            cached = broadcast.views.get(table, SPECTATOR, ENGLISH)
            whole = cached.whole(table, SPECTATOR, table.facts.rights([]), presences.of(table))
            expected = msgspec.json.decode(msgspec.json.encode(whole))
            changes = ("scene", "log", "log_from")
            assert {n: v for n, v in shown[-1].items() if n not in changes} == {
                n: v for n, v in expected.items() if n not in changes
            }
        await live_tables.storage.close()
        return shown

    shown = run_apart(show())
    assert [view["seats"][0]["name"] for view in shown] == ["Ann 0", "Ann 1", "Ann 2", "Ann 3"]
    assert [view["pace"]["paused"] for view in shown] == [False, False, True, False]
    assert [(view["watchers"], view["rematch"]) for view in shown] == [(n + 1, f"/t/again{n}") for n in range(4)]


def test_the_views_of_all_viewers_are_changes_to_the_ones_before(tmp_path: Path) -> None:
    async def show() -> list[tuple[int, int]]:
        live_tables, events, views = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents(), ViewCache()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        viewers = (SPECTATOR, 0, 1)
        before = [views.get(table, viewer, ENGLISH).serial for viewer in viewers]
        await play(actions, table, 1)
        after = [views.get(table, viewer, ENGLISH).base for viewer in viewers]
        await live_tables.storage.close()
        return list(zip(before, after, strict=True))

    assert all(serial == base for serial, base in run_apart(show()))


def test_after_a_view_that_failed_the_next_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log must not miss the lines of the view that nobody got."""

    async def show() -> tuple[int, int]:
        live_tables, events, views = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents(), ViewCache()
        table, actions = await open_table(live_tables, events), TableActions(TableWriter(live_tables, events))
        views.get(table, SPECTATOR, ENGLISH)
        await play(actions, table, 1)
        with monkeypatch.context() as patched:
            patched.setattr(CableCar, "scene", fail)
            with pytest.raises(RuntimeError):
                views.get(table, SPECTATOR, ENGLISH)
        await play(actions, table, 1)
        cached = views.get(table, SPECTATOR, ENGLISH)
        await live_tables.storage.close()
        return cached.base, cached.log.kept

    assert run_apart(show()) == (0, 0)


def fail(*_: object) -> None:
    raise RuntimeError


def views_of(sent: list[bytes]) -> list[dict[str, Any]]:
    """The views among frames, each of which is longer than 125 bytes."""
    return [view for frame in sent if (view := msgspec.json.decode(frame[4:]))["type"] == "view"]


def count_messages(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Note each message that is encoded from now on."""
    encoded: list[object] = []
    encode = Message.__init__

    def counted(self: Message, content: object, more: bytes = b"") -> None:
        encoded.append(content)
        encode(self, content, more)

    monkeypatch.setattr(Message, "__init__", counted)
    return encoded


def spectator(table: LiveTable, broadcast: Broadcast, sent: list[bytes]) -> Connection:
    """A socket that takes all that it is sent."""

    def send(frames: bytes) -> bool:
        sent.append(frames)
        return True

    is_open = tuple(Seat("person", open=True) for _ in table.facts.seats)  # all may know of the table
    table.facts = structs.replace(table.facts, seats=is_open)
    socket = SimpleNamespace(scope={"extensions": {"ludotheque.frames": {"send": send}}})
    return Connection(cast(Any, socket), table, Caller("", "", "192.0.2.1", False), ENGLISH, broadcast)


def test_a_phrase_is_rendered_once_unless_it_names_a_player() -> None:
    """One table's names must never be shown at another."""
    lays = phrase("{seat} lays {tile}.", seat=seat_name(0), tile=phrase("a bridge"))
    for name in ("Ann", "Bob"):
        render = renderer("cable-car", ENGLISH, [name, "Eve"])
        assert render(lays) == f"{name} lays a bridge."
    free = phrase("{cell}, free", cell="A1")
    french = renderer("cable-car", Reader("fr"), ["Ann", "Eve"])
    assert renderer("cable-car", ENGLISH, ["Ann", "Eve"])(free) == "A1, free"
    assert french(free) == french(phrase("{cell}, free", cell="A1")) != "A1, free"
    assert french(free) is french(free)


def test_few_rendered_phrases_are_remembered() -> None:
    render = renderer("cable-car", ENGLISH, ["Ann", "Eve"])
    phrases = [phrase("{count} tiles", count=number) for number in range(5000)]
    assert [render(each) for each in phrases] == [f"{number} tiles" for number in range(5000)]
    assert len(scenes._rendered("cable-car", "en")) <= scenes._MOST_RENDERED < 5000


def test_changes_of_several_tables_share_a_commit_and_one_table_alone_never_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def change() -> list[list[str]]:
        storage = Storage(Settings(data=tmp_path))
        live_tables, events = LiveTables(storage, 10), TableEvents()
        first = await open_table(live_tables, events)
        others = [await open_another_table(live_tables, events) for _ in range(20)]
        actions = TableActions(TableWriter(live_tables, events))
        committed: list[list[str]] = []
        apply = storage._writer.apply

        async def counted(changes: Sequence[Change]) -> None:
            committed.append([change.table for change in changes])
            await apply(changes)

        monkeypatch.setattr(storage._writer, "apply", counted)
        await play(actions, first, 3)
        await asyncio.gather(*(play(actions, table, 1) for table in others))
        await storage.close()
        assert committed[:3] == [[first.id]] * 3
        return committed[3:]

    assert [len(tables) for tables in run_apart(change())] == [20]


def test_tables_to_take_over_come_as_a_set(tmp_path: Path) -> None:
    """Every running table is looked up among them: in a list that would take their number squared."""

    async def claim() -> tuple[object, set[str]]:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
        tables = [await open_table(live_tables, events), await open_another_table(live_tables, events)]
        claimed = await claim_bots(live_tables.storage)
        await live_tables.storage.close()
        return claimed, {table.id for table in tables}

    claimed, ids = run_apart(claim())
    assert claimed == ids


def test_a_start_loads_only_the_tables_where_a_bot_has_to_play(tmp_path: Path) -> None:
    """A club has thousands of abandoned tables: of people, of bots that nobody watches, paused or closed."""
    bot, person = as_plain(Seat("bot", "random", taken=True)), as_plain(Seat("person", taken=True))

    async def start() -> tuple[set[str], set[str]]:
        storage = Storage(Settings(data=tmp_path))
        there, here, events = LiveTables(storage, 10), LiveTables(storage, 10), TableEvents(storage.process)
        facts: list[dict[str, Any]] = [
            {"seats": [bot, person]},
            {"seats": [person, bot]},
            {"seats": [bot, bot]},
            {"seats": [bot, person], "pace": as_plain(Pace(0.0, paused=True))},
            {"seats": [bot, person], "closed": True},
        ]
        tables = [await open_table(there, TableEvents())]
        tables += [await open_another_table(there, TableEvents()) for _ in facts[1:]]
        for table, changed in zip(tables, facts, strict=True):
            await storage.set_facts(table.id, table.revision, changed)
        own = SimpleNamespace(plays=lambda _: False, leave=lambda _: None)
        runner = BotRunner(here, cast(Any, None), cast(Any, own), events, cast(Any, None), lambda _: None)
        await runner.resume()
        loaded, driven = {table.id for table in tables if here.in_memory(table.id)}, set(runner._driving)
        await runner.stop()
        await storage.close()
        assert driven == {tables[0].id}
        return loaded, driven

    loaded, driven = run_apart(start())
    assert loaded == driven
