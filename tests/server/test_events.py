"""Events: one path from a change to all who react to it; views are cached beside the table, not in it."""

from __future__ import annotations

import gc
from pathlib import Path

from librt.random import Random

from ludotheque.server.config import Settings
from ludotheque.server.http.bodies import NewSeat, NewTable
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.live import LiveTable, Pace, Rights
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.views import ViewCache
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.server.harness import run_apart

ENGLISH = Reader("en")


async def open_table(live_tables: LiveTables, events: TableEvents, game: str = "cable-car") -> LiveTable:
    await live_tables.storage.open()
    return await open_another_table(live_tables, events, game)


async def open_another_table(live_tables: LiveTables, events: TableEvents, game: str = "cable-car") -> LiveTable:
    """Open a table; the storage is open."""
    wanted = NewTable(game=game, seats=[NewSeat(who="me"), NewSeat(who="me")])
    reading = UntrustedReader(LimitedWorkers(1, 60))
    opened = await TableOpener(live_tables, events, reading).open_new(wanted, bytes(32), ENGLISH, "")
    return await live_tables.table(opened.id)


def test_every_change_is_published_when_it_is_on_disk_and_in_memory(tmp_path: Path) -> None:
    live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 10), TableEvents()
    published: list[tuple[str, int]] = []

    def subscriber(event: TableEvent) -> None:
        table = live_tables.in_memory(event.table)
        assert table
        published.append((event.what, table.version))

    async def change() -> int:
        events.subscribe(subscriber)
        table, actions = await open_table(live_tables, events), TableActions(live_tables, events)
        await actions.move(table, 0, 1, int(table.match.resampled(0, Random(1)).legal_actions()[0]))
        await actions.rename(table, 0, "Ann")
        await actions.set_pace(table, Pace(2.0))
        await actions.chat(table, 0, "hello")
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
