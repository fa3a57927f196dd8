"""Links and seats while two people change them at once: no seat gets two people, and none is held but shown as free."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ludotheque.core.game import SPECTATOR
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.server.harness import run_apart

HOST, ANN, BOB = digest("host"), digest("Ann"), digest("Bob")
ENGLISH = Reader("en")
TABLE = 3
"""The number of the table's link among those to its seats."""


class Club:
    """A table with links to two seats, and the way to change it."""

    def __init__(self, actions: TableActions, live_tables: LiveTables, table: LiveTable, links: dict[int, str]) -> None:
        self.live_tables, self.table, self.links = live_tables, table, links
        self.seating = Seating(actions.writer, actions.draw)

    async def at_another_process(self) -> Club:
        """The same table for a process that shares nothing but the database."""
        live_tables = LiveTables(self.live_tables.storage, 10)
        actions = TableActions(TableWriter(live_tables, TableEvents()))
        return Club(actions, live_tables, await live_tables.table(self.table.id), self.links)

    def join(self, link: int, browser: bytes, seat: int | None = None) -> Coroutine[Any, Any, int]:
        secret = self.links[link].partition("#")[2]
        return self.seating.join(self.table, secret, browser, Newcomer(ENGLISH, seat=seat))

    async def at_once(self, *changes: Coroutine[Any, Any, Any]) -> list[Any]:
        """Start changes while someone else's is under way, so that all wait; return what each gave or raised."""
        async with self.table.lock:
            tasks = [asyncio.create_task(change) for change in changes]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def club(folder: Path) -> Any:
    live_tables, events = LiveTables(Storage(Settings(data=folder)), 10), TableEvents()
    await live_tables.storage.open()
    opener = TableOpener(live_tables, events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
    wanted = NewTable(game="cable-car", seats=[NewSeat(who=who) for who in ("me", "link", "link")])
    opened = await opener.open_new(wanted, HOST, ENGLISH, "")
    table = await live_tables.table(opened.id)
    links = {link.seat: link.url for link in opened.links} | {SPECTATOR: opened.watch, TABLE: opened.link}
    try:
        yield Club(TableActions(TableWriter(live_tables, events)), live_tables, table, links)
    finally:
        await live_tables.storage.close()


def test_who_joins_while_another_takes_the_seat_of_the_link_gets_the_other_seat(tmp_path: Path) -> None:
    async def join() -> None:
        async with club(tmp_path) as here:
            assert await here.at_once(here.join(2, BOB, seat=1), here.join(1, ANN)) == [1, 2]
            assert (here.table.facts.keys.browsers(1), here.table.facts.keys.browsers(2)) == ({BOB}, {ANN})

    run_apart(join())


def test_who_joins_by_a_link_that_another_process_moved_gets_the_other_seat(tmp_path: Path) -> None:
    async def join() -> None:
        async with club(tmp_path) as here:
            other = await here.at_another_process()
            assert await other.join(2, BOB, seat=1) == 1
            assert await here.join(1, ANN) == 2
            assert (here.table.facts.keys.browsers(1), here.table.facts.keys.browsers(2)) == ({BOB}, {ANN})

    run_apart(join())


def test_a_new_link_to_a_seat_that_was_just_taken_is_refused(tmp_path: Path) -> None:
    async def race() -> None:
        async with club(tmp_path) as here:
            host = here.table.facts.rights([HOST])
            taken, refused = await here.at_once(here.join(1, ANN), here.seating.new_link(here.table, 1, host))
            assert taken == 1
            assert isinstance(refused, Refused)
            assert refused.error == "forbidden"
            assert here.table.facts.seats[1].taken

    run_apart(race())


def test_a_replaced_link_ends_the_key_of_who_has_just_joined(tmp_path: Path) -> None:
    async def race() -> None:
        async with club(tmp_path) as here:
            host = here.table.facts.rights([HOST])
            await here.at_once(here.join(1, ANN), here.seating.replace_link(here.table, 1, host))
            assert not here.table.facts.keys.browsers(1)
            assert not here.table.facts.seats[1].taken

    run_apart(race())


@pytest.mark.parametrize("again", ["replace", "new"])
def test_of_two_new_links_at_once_the_later_one_stays(tmp_path: Path, again: str) -> None:
    async def race() -> None:
        async with club(tmp_path) as here:
            host = here.table.facts.rights([HOST])
            make = here.seating.replace_link if again == "replace" else here.seating.new_link
            first, second = await here.at_once(make(here.table, 1, host), make(here.table, 1, host))
            assert digest(first) not in here.table.facts.keys
            assert here.table.facts.keys.links(1) == {digest(second)}

    run_apart(race())


def test_ended_spectator_links_end_the_key_of_who_has_just_come(tmp_path: Path) -> None:
    async def race() -> None:
        async with club(tmp_path) as here:
            await here.at_once(here.join(SPECTATOR, ANN), here.seating.end_spectator_links(here.table))
            assert not here.table.facts.keys.holders(SPECTATOR) - {HOST}

    run_apart(race())


def test_friends_who_follow_the_same_link_at_once_get_a_seat_each(tmp_path: Path) -> None:
    async def race() -> None:
        async with club(tmp_path) as here:
            seats = await here.at_once(here.join(TABLE, ANN, seat=1), here.join(TABLE, BOB, seat=1))
            assert seats == [1, 2]
            assert (here.table.facts.keys.browsers(1), here.table.facts.keys.browsers(2)) == ({ANN}, {BOB})
            (refused,) = await here.at_once(here.join(TABLE, digest("Eve"), seat=1))
            assert isinstance(refused, Refused)
            assert refused.error == "seat-taken"

    run_apart(race())


@pytest.mark.parametrize("link", [1, 3])
def test_friends_who_follow_the_same_link_at_two_processes_get_a_seat_each(tmp_path: Path, link: int) -> None:
    """Also where one of them has the link of the seat that the other's would give."""

    async def race() -> None:
        async with club(tmp_path) as here:
            other = await here.at_another_process()
            assert await other.join(link, BOB) == 1
            assert await here.join(TABLE, ANN, seat=1) == 2
            assert (here.table.facts.keys.browsers(1), here.table.facts.keys.browsers(2)) == ({BOB}, {ANN})

    run_apart(race())
