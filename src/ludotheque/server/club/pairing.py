"""Pair people who wait: search when someone comes, open a table for those found, and tell their pages.

A page that waits asks again and again; each request stays open until a table opens or some seconds pass. So a closed
page is noticed, and no one asks the database more often than that.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from random import SystemRandom
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.core.errors import UnknownGame
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import game_class
from ludotheque.server.errors import too_many
from ludotheque.server.http.addresses import network_of
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.wishes import (
    Group,
    Wish,
    add_pairings,
    cancel_wishes,
    find_group,
    just_paired,
    keep_waiting,
    lock_searches,
    seated_at,
    set_wishes,
)
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import TableTerms
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import SeatedPerson, TableOpener
from ludotheque.show.language import Reader
from ludotheque.table.clock import ClockRule

CLOCKS: Final = {
    "": None,
    "move 60 0": ClockRule("move", 60),
    "move 180 0": ClockRule("move", 180),
    "game 600 5": ClockRule("game", 600, 5),
    "game 1800 15": ClockRule("game", 1800, 15),
    "days 86400 0": ClockRule("days", 86_400),
    "days 259200 0": ClockRule("days", 259_200),
    "days 604800 0": ClockRule("days", 604_800),
}
"""The clocks to choose from: few, so that wishes meet."""
CLOCK_NAMES: Final[dict[str, Phrase]] = {
    "": phrase("No clock"),
    "move 60 0": phrase("1 minute per move"),
    "move 180 0": phrase("3 minutes per move"),
    "game 600 5": phrase("10 minutes per player, each move adds 5 seconds"),
    "game 1800 15": phrase("30 minutes per player, each move adds 15 seconds"),
    "days 86400 0": phrase("1 day per move"),
    "days 259200 0": phrase("3 days per move"),
    "days 604800 0": phrase("7 days per move"),
}
MOST_PER_NETWORK: Final = 60
"""Pages of one network that may wait at once."""
_SHUFFLE: Final = SystemRandom().shuffle
_LOG: Final = logging.getLogger("ludotheque.server.club.pairing")


def wished_game(name: str) -> tuple[type[Game], Mapping[str, Any]]:
    """The game of a wish and its settings; a variant is named as in the lobby, `cable-car/companies`."""
    game, _, wanted = name.partition("/")
    kind = game_class(game)
    if not wanted:
        return kind, {}
    for variant in kind.variants:
        if variant.name == wanted:
            return kind, variant.settings
    raise UnknownGame(phrase("There is no such game."))


class Pairing:
    """Pairs the people who wait."""

    def __init__(self, storage: Storage, opener: TableOpener, events: TableEvents, clock: Callable[[], datetime] = now):
        self._storage = storage
        self._opener = opener
        self._now = clock
        self._waiting: dict[bytes, asyncio.Event] = {}
        """The pages that wait at this process, by browser."""
        self._networks: Counter[str] = Counter()
        self._telling: set[asyncio.Task[None]] = set()
        events.subscribe(self._on_event)

    async def ask(self, browser: bytes, name: str, wishes: Sequence[Wish], reader: Reader) -> str:
        """Take someone's wishes in place of earlier ones; return the table that opens at once or has just opened, if
        any."""
        at = self._now()

        async def pair(connection: AsyncConnection) -> LiveTable | str:
            """The table that opens, or the id of the one that has just opened, if any."""
            await lock_searches(connection)
            if known := await just_paired(connection, browser, at):
                return known
            await set_wishes(connection, browser, name, wishes, at)
            group = await find_group(connection, browser, at)
            if group is None:
                return ""
            table = self._prepare(group, reader)
            await self._opener.insert(connection, table)
            await add_pairings(connection, [person.browser for person in group.people], table.id, at)
            return table

        table = await self._storage.write(pair)
        if isinstance(table, str):
            return table
        self._opener.announce(table)
        _LOG.info("people were paired", extra={"table": table.id, "game": table.game.name})
        return table.id

    def _prepare(self, group: Group, reader: Reader) -> LiveTable:
        """The table of a group, seated by lot. A clock of minutes waits until the pages of all have loaded."""
        people = [SeatedPerson(person.browser, person.name) for person in group.people]
        _SHUFFLE(people)
        kind, settings = wished_game(group.wish.game)
        clock = CLOCKS[group.wish.clock]
        return self._opener.prepare(
            kind(len(people), settings),
            people,
            TableTerms(clock=clock, rated=group.wish.rated),
            reader,
            awaited=clock is not None and clock.kind != "days",
        )

    async def wait(self, browser: bytes, address: str, seconds: float) -> tuple[str, bool]:
        """Wait until a table has opened, for some seconds at most; return it, and whether the wishes still count."""
        with self._waits(browser, network_of(address)) as told:
            found, counts = await keep_waiting(self._storage, browser, self._now())
            if found or not counts or not seconds:
                return found, counts
            try:
                await asyncio.wait_for(told.wait(), seconds)
            except TimeoutError:
                return "", True
        return await keep_waiting(self._storage, browser, self._now())

    @contextmanager
    def _waits(self, browser: bytes, network: str) -> Iterator[asyncio.Event]:
        """Note that a page waits; one that asks twice waits once."""
        if self._networks[network] >= MOST_PER_NETWORK:
            raise too_many(10)
        self._networks[network] += 1
        told = self._waiting.setdefault(browser, asyncio.Event())
        try:
            yield told
        finally:
            self._networks[network] -= 1
            if not self._networks[network]:
                del self._networks[network]
            if self._waiting.get(browser) is told:
                del self._waiting[browser]

    async def cancel(self, browser: bytes) -> None:
        """End someone's wishes."""
        async with self._storage.writing() as connection:
            await cancel_wishes(connection, browser)

    def _on_event(self, event: TableEvent) -> None:
        """Tell the pages of those for whom a table has opened, at this process or another."""
        if event.what == "opened" and self._waiting:
            task = asyncio.create_task(self._tell(event.table))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _tell(self, table: str) -> None:
        for browser in await seated_at(self._storage, table):
            if browser in self._waiting:
                self._waiting[browser].set()

    async def stop(self) -> None:
        """End all requests that wait: the server stops."""
        for told in self._waiting.values():
            told.set()
        await asyncio.gather(*self._telling, return_exceptions=True)
