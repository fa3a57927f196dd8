"""Bots think in worker processes, never on the event loop: people who wait come first, networks take turns.

A table asks for one move at a time, so no table can crowd out another, nor can the tables of one network. A bot gets a
position that its seat cannot tell from the true one, so it learns nothing that is hidden from the seat.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Final

from ludotheque.core.errors import BotFailed, LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.server.bots.custom import CustomBots
from ludotheque.server.bots.workers import BotWorkers, question
from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import network_of
from ludotheque.server.table_bots import level_within
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.live import LiveTable
from ludotheque.table.steady_time import steady_time

_LOG: Final = logging.getLogger("ludotheque.server.bots.runner")
_AGAIN_AFTER: Final = 2.0
"""Seconds until a bot that failed is asked again."""
BOT_TABLES_PER_ADDRESS: Final = 8
"""Tables where only bots play that may run for one address."""


class BotRunner:
    """Plays for the bots of all tables, each table at its pace."""

    def __init__(
        self,
        live_tables: LiveTables,
        workers: BotWorkers,
        custom: CustomBots,
        events: TableEvents,
        play: Callable[[LiveTable, int, int, int], Awaitable[object]],
        watched_from: Callable[[str], str | None],
        most_per_address: int = BOT_TABLES_PER_ADDRESS,
    ) -> None:
        """`play` plays a move: table, seat, version and action; `watched_from` is the address from which a table is
        watched, if any."""
        self._live_tables = live_tables
        self._workers = workers
        self._custom = custom
        self._events = events
        self._play = play
        self._watched_from = watched_from
        self._most_per_address = most_per_address
        self._running: dict[str, str] = {}
        """Addresses from which running tables are watched, by table where only bots play."""
        self._held: set[str] = set()
        """Tables where only bots play that wait until fewer run for their address."""
        self._driving: dict[str, asyncio.Task[None]] = {}
        self._woken: dict[str, asyncio.Event] = {}
        self._stopped = False
        events.subscribe(self._on_event)

    def check_room(self, address: str) -> None:
        """Raise if too many tables where only bots play run for an address."""
        if self._is_full(address):
            sentence = phrase("Too many tables of bots are running for you; wait until one ends, or stop watching it.")
            raise Refused(429, "too-many", sentence, retry_after=30)

    def _is_full(self, address: str) -> bool:
        return sum(other == address for other in self._running.values()) >= self._most_per_address

    def _may_run(self, table: LiveTable) -> bool:
        """Whether bots may play here: for people, or watched and within the limit of the watchers' address."""
        if table.facts.people:
            return True
        address = self._watched_from(table.id)
        if address is None or table.id in self._running:
            return address is not None
        if self._is_full(address):
            self._held.add(table.id)
            return False
        self._held.discard(table.id)
        self._running[table.id] = address
        return True

    async def resume(self, tables: Collection[str] | None = None) -> None:
        """Continue where it is a bot's turn: the server has just started, or another process left these tables."""
        for turn in await self._live_tables.storage.turns():
            if (tables is not None and turn.table not in tables) or turn.table in self._driving:
                continue
            # Bots alone at a table wait until someone watches, who loads the table.
            if turn.is_bots and (turn.has_people or self._live_tables.in_memory(turn.table)):
                try:
                    self._start(await self._live_tables.table(turn.table))
                except (LudothequeError, Refused):
                    _LOG.exception("table %s cannot be resumed", turn.table)

    async def stop(self) -> None:
        self._stopped = True
        for task in list(self._driving.values()):
            task.cancel()
        await asyncio.gather(*self._driving.values(), return_exceptions=True)

    def _on_event(self, event: TableEvent) -> None:
        """Let the bots of a table heed a change. Those of another process's tables play in that process."""
        if event.what not in ("position", "pace", "seats", "watched", "reloaded"):
            return
        woken = self._woken.get(event.table)
        table = self._live_tables.in_memory(event.table)
        if woken is not None:
            woken.set()
        elif table is not None and self._events.is_own(event) and self._concerns_bots(event, table):
            self._start(table)

    def _concerns_bots(self, event: TableEvent, table: LiveTable) -> bool:
        """Whether bots that do not play may have to after an event.

        A table is reloaded after a change of another process, but also after one of this process whose end it did not
        learn: the connection to the database was lost.
        """
        if event.what == "watched":
            return not table.facts.people
        return event.what != "reloaded" or table.driver == self._events.process

    def _start(self, table: LiveTable) -> None:
        """Play for the bots of a table, if it is their turn."""
        if table.bot_to_move and not table.facts.pace.paused and not self._stopped and self._may_run(table):
            self._woken[table.id] = asyncio.Event()
            self._live_tables.pin(table.id)
            self._driving[table.id] = asyncio.create_task(self._drive(table))

    async def _drive(self, table: LiveTable) -> None:
        """Play for the bots of a table until a person is to move."""
        try:
            while table.bot_to_move and not table.facts.pace.paused and self._may_run(table):
                await self._one_move(table)
        finally:
            table.thinking.clear()
            del self._driving[table.id], self._woken[table.id]
            self._live_tables.unpin(table.id)
            if table.match.is_over:
                self._custom.leave(table.id)
            self._running.pop(table.id, None)
            if not self._stopped:
                self._events.publish(table.id, "thinking")
                self._start_held()

    def _start_held(self) -> None:
        """Start the tables that waited in the queue."""
        for id in [*self._held]:
            self._held.discard(id)
            table = self._live_tables.in_memory(id)
            if table and id not in self._driving:
                self._start(table)

    async def _one_move(self, table: LiveTable) -> None:
        seat, version, began = table.match.to_move, table.version, time.monotonic()
        self._woken[table.id].clear()
        table.thinking = {seat}
        self._events.publish(table.id, "thinking")
        try:
            action = await self._choose(table, seat)
            await self._wait(table, began)
            if not table.facts.pace.paused and table.version == version:
                await self._play(table, seat, version, action)
        except BotFailed as error:
            _LOG.warning("a bot has stopped at table %s: %s", table.id, error)
            table.stopped[seat] = error.sentence
        except (LudothequeError, Refused) as error:
            _LOG.info("the move of a bot at table %s was not played: %s", table.id, error)
        except Exception:
            _LOG.exception("a bot failed at table %s", table.id)
            await asyncio.sleep(_AGAIN_AFTER)

    async def _choose(self, table: LiveTable, seat: int) -> int:
        level, left = table.facts.seats[seat].level, table.facts.time_left(seat, steady_time())
        if self._custom.plays(level):
            return await self._custom.choose(table, seat, left)
        level = level_within(level, left) if left is not None else level
        network = network_of(self._watched_from(table.id) or "")
        return await self._workers.choose(question(table, seat, level), bool(table.facts.people), network)

    def _delay(self, table: LiveTable) -> float:
        """Seconds that a move takes at least: the bot delay, but no more than a tenth of what the clock has left."""
        left = table.facts.time_left(table.match.to_move, steady_time()) if table.bot_to_move else None
        return table.facts.pace.seconds if left is None else min(table.facts.pace.seconds, left / 10)

    async def _wait(self, table: LiveTable, began: float) -> None:
        """Wait until the bot delay has passed; a change of the table or of its delay ends the wait at once."""
        while not table.facts.pace.paused:
            left = began + self._delay(table) - time.monotonic()
            if left <= 0:
                return
            try:
                await asyncio.wait_for(self._woken[table.id].wait(), left)
            except TimeoutError:
                return
            self._woken[table.id].clear()
