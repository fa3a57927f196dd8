"""The dice of tables that people add to: browsers reveal their nonces, and the dice draw once the time is over.

Every step is on disk before it counts, so any process can take the next one: after a crash, the process where someone
opens the table closes its dice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import structs

from ludotheque.core.errors import LudothequeError
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.server.tables.writing import TableWriter
from ludotheque.table.steady_time import steady_time

GRACE_SECONDS: Final = 1.0
"""Seconds that the process that closed the dice has for the draws, before another one makes them."""
_LOG: Final = logging.getLogger("ludotheque.server.tables.dice_timer")


def _is_unattended(table: LiveTable) -> bool:
    """Whether the dice wait for no one but the server: a bot has taken the last free seat, or time passes."""
    nonce_round = table.facts.nonce_round
    return nonce_round.is_timed or table.is_draw_due or (nonce_round.state == "open" and table.facts.is_full)


class TableDice:
    """Closes the dice of tables, and makes the draws that wait for it."""

    def __init__(
        self,
        live_tables: LiveTables,
        events: TableEvents,
        writer: TableWriter,
        draw: Callable[[LiveTable], Awaitable[None]],
    ) -> None:
        """`draw` makes the draws that are due, if the dice can draw."""
        self._live_tables = live_tables
        self._writer = writer
        self._draw = draw
        self._closing: dict[str, asyncio.Task[None]] = {}
        events.subscribe(self._on_event)

    async def commit(self, table: LiveTable, seat: int, commitment: str) -> None:
        """Add the commitment to the nonce of a person who is seated already."""
        await self._change(table, lambda facts: facts.nonce_round.committed(seat, commitment, facts.people))

    async def reveal(self, table: LiveTable, seat: int, nonce: str) -> None:
        """Add the nonce of a seat; the dice draw if it was the last one."""
        if table.facts.nonce_round.is_late:
            await self._close(table)
        await self._change(table, lambda facts: facts.nonce_round.with_nonce(seat, nonce))

    async def start(self, table: LiveTable) -> None:
        """Stop waiting for people to sit down."""
        await self._change(table, lambda facts: facts.nonce_round.reveal_now())

    async def _close(self, table: LiveTable) -> None:
        """Leave out those who have not committed to a nonce, or not revealed it, in time."""
        await self._change(table, lambda facts: facts.nonce_round.in_time())

    async def _change(self, table: LiveTable, next_state: Callable[[TableFacts], NonceRound]) -> None:
        await self._writer.change(table, lambda facts: structs.replace(facts, nonce_round=next_state(facts)), "facts")
        await self._draw(table)

    # In time.

    def _on_event(self, event: TableEvent) -> None:
        table = self._live_tables.in_memory(event.table)
        if table and table.id not in self._closing and _is_unattended(table):
            self._closing[table.id] = asyncio.create_task(self._close_in_time(table))

    async def _close_in_time(self, table: LiveTable) -> None:
        """Close the dice when the time is over, and make the draws if no other process does."""
        self._live_tables.pin(table.id)
        try:
            if table.facts.nonce_round.state == "open":
                await self._change(table, lambda facts: facts.nonce_round.seated({}, facts.is_full))
            while table.facts.nonce_round.is_timed:
                await asyncio.sleep(max(0.0, table.facts.nonce_round.until - steady_time()))
                await self._close(table)
            if table.is_draw_due:
                await asyncio.sleep(GRACE_SECONDS)
                await self._draw(table)
        except LudothequeError:
            _LOG.info("another process has closed the dice of table %s", table.id)
        except Exception:
            _LOG.exception("the dice of table %s could not be closed", table.id)
        finally:
            del self._closing[table.id]
            self._live_tables.unpin(table.id)

    async def stop(self) -> None:
        tasks = list(self._closing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
