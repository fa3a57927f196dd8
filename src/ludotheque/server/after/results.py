"""Results of finished games for the statistics: one row per seat, recorded once.

Only games that were set up and finished here count, those between bots included. Records were played elsewhere,
branches repeat a game that is recorded already, and a game that was abandoned has no result.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from ludotheque.core.errors import LudothequeError
from ludotheque.server.errors import Refused
from ludotheque.server.shared_work import SharedWork
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.schema import RESULTS, TABLES
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.ratings import ranks_of

_LANGUAGES_KEPT: Final = 8
_LOG: Final = logging.getLogger("ludotheque.server.after.results")


class ResultLog:
    """Records the result of each finished game, also of one that ended just before the server stopped."""

    def __init__(self, live_tables: LiveTables, events: TableEvents) -> None:
        self._live_tables = live_tables
        self._recording: set[asyncio.Task[None]] = set()
        self.shared = SharedWork(_LANGUAGES_KEPT)
        """Statistics made from the results."""
        self.recorded = 0
        """Results that this process has recorded."""
        events.subscribe(self._on_event)

    def _on_event(self, event: TableEvent) -> None:
        """Record the result of a game that this event may have ended; a result is never recorded twice."""
        table = self._live_tables.in_memory(event.table)
        if event.what == "position" and table and has_result(table) and table.facts.kind == "played":
            self._begin(self._write(table))

    def catch_up(self) -> None:
        """Record results that are missing: the server has just started."""
        self._begin(self._catch_up())

    async def flush(self) -> None:
        """Wait until all results are written."""
        await asyncio.gather(*self._recording, return_exceptions=True)

    async def stop(self) -> None:
        for task in self._recording:
            task.cancel()
        await self.flush()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._recording.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._recording.discard(task)
        if not task.cancelled() and task.exception():
            _LOG.error("a result was not recorded; it will be at the next start", exc_info=task.exception())

    async def _catch_up(self) -> None:
        for id in await _unrecorded(self._live_tables.storage):
            try:
                await self._write(await self._live_tables.table(id))
            except (LudothequeError, Refused):
                _LOG.exception("table %s cannot be loaded", id)

    async def _write(self, table: LiveTable) -> None:
        try:
            async with self._live_tables.storage.writing() as connection:
                await connection.execute(sql.insert(RESULTS), _rows(table))
            self.recorded += 1
        except IntegrityError:
            _LOG.debug("the result of table %s was recorded before", table.id)


def has_result(table: LiveTable) -> bool:
    """Whether a game is over and was not abandoned."""
    return table.match.is_over and not table.facts.ending.abandoned


def _rows(table: LiveTable) -> list[dict[str, Any]]:
    view = table.match.view()
    return [
        {
            "table_id": table.id,
            "seat": number,
            "game": table.game.name,
            "players": table.game.players,
            "moves": table.match.decisions,
            "who": seat.who,
            "level": seat.level,
            "score": view.scores[number],
            "share": view.returns[number],
            "played_out": table.match.is_played_out,
        }
        for number, seat in enumerate(table.facts.seats)
    ]


def final_ranks(table: LiveTable) -> tuple[float, ...]:
    """The ranks of the seats; those that resigned, or for whom a bot played in the end, come last."""
    view, seats = table.match.view(), table.facts.seats
    ranks = ranks_of(view.returns, view.scores)
    last = table.facts.ending.seats.union(seat for seat, player in enumerate(seats) if player.substitutes)
    return tuple(len(ranks) if seat in last else rank for seat, rank in enumerate(ranks))


async def recorded_scores(storage: Storage, table: str) -> dict[int, int]:
    """Return the final scores of a table by seat; empty if no result is recorded."""
    query = sql.select(RESULTS.c.seat, RESULTS.c.score).where(RESULTS.c.table_id == table)
    async with storage.reading() as connection:
        return {row.seat: row.score for row in await connection.execute(query)}


async def _unrecorded(storage: Storage) -> list[str]:
    recorded = sql.exists().where(RESULTS.c.table_id == TABLES.c.id)
    has_result = TABLES.c.ending["abandoned"].as_boolean().is_not(sql.true())
    is_due = sql.and_(TABLES.c.over, TABLES.c.kind == "played", has_result, ~recorded, playable_condition())
    query = sql.select(TABLES.c.id).where(is_due).order_by(TABLES.c.updated)
    async with storage.reading() as connection:
        return [str(id) for id in (await connection.execute(query)).scalars()]
