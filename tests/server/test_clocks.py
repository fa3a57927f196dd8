"""Clocks at tables: kept in the database, right after a restart; a bot stands in for someone whose time is up."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import tests.toy  # noqa: F401  (registers the toy games)
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots, level_within
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.endings import Endings
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.moderation import Moderation
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.server.tables.opening import Opened, TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.view_cache import ViewCache, shared_context
from ludotheque.server.tables.view_shapes import NOBODY
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from ludotheque.table.clock import ClockRule
from ludotheque.table.steady_time import steady_time
from tests.server.harness import Browser, run_apart

ANN, BOB = digest("Ann"), digest("Bob")
ENGLISH = Reader("en")


class Club:
    """A server's tables, and a time that only the test moves on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.time = 1_000_000.0
        self._boot()

    def _boot(self) -> None:
        self.live_tables = LiveTables(Storage(Settings(data=self.folder)), 10)
        self.events = TableEvents()
        self.actions = TableActions(TableWriter(self.live_tables, self.events, lambda: self.time))
        self.seating = Seating(self.actions.writer, self.actions.draw)

    async def restart(self) -> None:
        await self.live_tables.storage.close()
        self._boot()
        await self.live_tables.storage.open()

    async def open(self, rule: ClockRule, *who: str, game: str = "nim") -> tuple[LiveTable, Opened]:
        await self.live_tables.storage.open()
        seats = [NewSeat(who="me" if word == "me" else "link") for word in who]
        reader = UntrustedReader(LimitedWorkers(1, 60))
        opener = TableOpener(self.live_tables, self.events, reader, TableBots(), lambda: self.time)
        opened = await opener.open_new(NewTable(game=game, seats=seats, clock=rule), ANN, ENGLISH, "")
        return await self.live_tables.table(opened.id), opened

    async def move(self, table: LiveTable) -> None:
        seat = table.match.to_move
        await self.actions.move(table, seat, table.version, table.match.choices(seat)[0].action or 0)

    def left(self, table: LiveTable) -> list[float | None]:
        return [table.facts.time_left(seat, self.time) for seat in range(2)]


def played(tmp_path: Path, test: Callable[[Club], Awaitable[None]]) -> None:
    async def run() -> None:
        club = Club(tmp_path)
        try:
            await test(club)
        finally:
            await club.live_tables.storage.close()

    run_apart(run())


def test_a_clock_is_right_after_a_restart(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, _ = await club.open(ClockRule("game", 600, 5), "me", "me")
        club.time += 100
        await club.move(table)
        club.time += 10
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert club.left(table) == [505, 590]
        await club.move(table)
        assert club.left(table) == [505, 595]

    played(tmp_path, test)


def test_time_passes_only_once_everyone_is_seated(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("move", 60), "me", "link")
        club.time += 1000
        assert club.left(table) == [60, 60]
        secret = opened.links[0].url.partition("#")[2]
        await club.seating.join(table, secret, BOB, Newcomer(ENGLISH))
        club.time += 20
        assert club.left(table) == [40, 60]
        await club.seating.leave(table, [BOB])
        club.time += 1000
        assert club.left(table) == [40, 60]

    played(tmp_path, test)


@pytest.mark.parametrize("leaver", [ANN, BOB], ids=["Ann", "Bob"])
def test_who_leaves_and_comes_back_gives_nobody_time_back(tmp_path: Path, leaver: bytes) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("game", 600), "link", "link")
        links = {link.seat: link.url.partition("#")[2] for link in opened.links}
        await club.seating.join(table, links[0], ANN, Newcomer(ENGLISH))
        await club.seating.join(table, links[1], BOB, Newcomer(ENGLISH))
        seen = table.version
        club.time += 100
        await club.seating.leave(table, [leaver])
        assert table.version == seen + 1, "a move of another process cannot bring the old clock back"
        club.time += 1000
        await club.restart()
        table = await club.live_tables.table(table.id)
        await club.seating.join(table, links[[ANN, BOB].index(leaver)], leaver, Newcomer(ENGLISH))
        assert club.left(table) == [500, 600]
        club.time += 10
        assert club.left(table) == [490, 600]
        await club.move(table)
        assert club.left(table) == [490, 600]

    played(tmp_path, test)


def test_no_time_passes_at_a_seat_that_the_host_has_freed(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("move", 60), "me", "link")
        await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH))
        club.time += 20
        await Moderation(club.actions.writer).free_seat(table, 1, table.facts.rights([ANN]))
        club.time += 1000
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert club.left(table) == [40, 60]
        assert table.facts.seated_at is None

    played(tmp_path, test)


def test_no_time_comes_back_when_a_bot_gives_a_seat_to_nobody(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("game", 600), "me", "link")
        await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH))
        await club.seating.leave(table, [BOB])
        await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        club.time += 100
        await club.seating.substitute(table, 1, "", table.facts.rights([ANN]))
        club.time += 1000
        assert club.left(table) == [500, 600]

    played(tmp_path, test)


def test_a_bot_stands_in_when_time_is_up_and_the_person_comes_back(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("move", 60), "me", "link")
        await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH))
        await club.move(table)
        club.time += 59
        with pytest.raises(Refused, match="whose time is up"):
            await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        club.time += 1
        await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        assert (table.facts.seats[1].who, table.facts.seats[1].substitutes) == ("bot", True)
        assert table.bot_to_move
        assert (table.facts.rights([BOB]).seats, table.facts.rights([BOB]).substituted) == ((), (1,))
        await club.restart()
        table = await club.live_tables.table(table.id)
        await club.seating.substitute(table, 1, "", table.facts.rights([BOB]))
        assert table.facts.seats[1].who == "person"
        assert table.facts.rights([BOB]).seats == (1,)
        assert club.left(table) == [60, 60]

    played(tmp_path, test)


def test_a_bot_that_stands_in_is_named_as_one_but_not_in_the_log(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("move", 60), "me", "link", game="passerelles")
        await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH, "Bob"))
        for text in ("5h A1", "5h A2", "5h A3"):
            action = table.match._timeline.present.string_to_action(text)
            await club.actions.move(table, table.match.to_move, table.version, action)
        views = ViewCache()

        def shown() -> tuple[bool, str]:
            cached = views.get(table, 0, ENGLISH)
            message = cached.message(table, 0, table.facts.rights([ANN]), shared_context(table, NOBODY), 0, None)
            view = json.loads(message.text)
            return "Bob (bot)" in str(view["scene"]["tables"]), view["log"][1]["text"]

        before = shown()
        club.time += 60
        await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        while_bot = shown()
        await club.seating.substitute(table, 1, "", table.facts.rights([ANN]))
        assert [is_named for is_named, _ in (before, while_bot, shown())] == [False, True, False]
        assert while_bot[1].startswith("Bob lays")

    played(tmp_path, test)


def test_a_bot_stands_in_for_someone_who_has_left_and_the_seat_opens_again(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, opened = await club.open(ClockRule("days", 86_400), "me", "link")
        await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH))
        with pytest.raises(Refused):
            await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        await club.seating.leave(table, [BOB])
        await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
        await club.seating.substitute(table, 1, "", table.facts.rights([ANN]))
        assert (table.facts.seats[1].who, table.facts.seats[1].open) == ("person", True)

    played(tmp_path, test)


def test_undo_gives_the_turn_back_with_its_clock(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, _ = await club.open(ClockRule("game", 600), "me", "me")
        club.time += 30
        await club.move(table)
        club.time += 10
        await club.actions.undo(table, 0, table.version, table.facts.rights([ANN]))
        club.time += 5
        assert club.left(table) == [565, 590]

    played(tmp_path, test)


def test_no_time_passes_after_a_game_that_ended_early(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, _ = await club.open(ClockRule("game", 600), "me", "me")
        club.time += 30
        await Endings(club.actions.writer).resign(table, 1)
        club.time += 100
        assert club.left(table) == [570, 600]
        await club.restart()
        assert club.left(await club.live_tables.table(table.id)) == [570, 600]

    played(tmp_path, test)


def test_a_bot_thinks_no_longer_than_its_clock_allows() -> None:
    assert level_within("6", 60) == "6"
    assert level_within("6", 6) == "5", "a hard move takes 1.4 times as long as the mean"
    assert level_within("6", 1) == "5"
    assert level_within("6", 0) == "1"
    assert level_within("2", 60) == "2"
    assert level_within("random", 0) == "random"
    assert level_within("2.4", 60) == "2.4"
    assert level_within("3-patient", 60) == "3-patient"
    assert level_within("4-patient", 0.1) == "3"
    assert level_within("5.4", 1) == "5", "the master's part takes too long"


def test_the_view_tells_the_clock(ann: Browser, bob: Browser) -> None:
    rule = {"kind": "game", "seconds": 600, "increment": 5}
    table = ann.open("nim", "me link", clock=rule)
    assert ann.view(table.id)["clock"] == rule | {"left": [600, 600], "running": -1}
    bob.join(table.links[1])
    assert bob.view(table.id)["clock"]["running"] == 0
    assert ann.view(ann.open("nim", "me me").id)["clock"] is None
    assert bob.post(f"/api/tables/{table.id}/stand-in", {"seat": 0, "level": "1"}).json()["error"] == "not-now"


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_system_clock_that_is_set_changes_no_time_at_a_table(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that wait and clocks that run would last as long as the jump, or be over at once."""
    opened = NonceRound.of_seated()
    before = steady_time()
    monkeypatch.setattr("time.time", lambda: before + jump)
    assert before <= steady_time() < before + 60
    assert abs(NonceRound.of_seated().until - opened.until) < 60
