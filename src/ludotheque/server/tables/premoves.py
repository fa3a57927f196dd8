"""Decisions ahead of one's turn: a rule about them, and the player that carries them out as ordinary moves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Final

from msgspec import structs

from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.core.premoves import Premove
from ludotheque.server.commands import SetPremove
from ludotheque.server.errors import Refused, stale_version
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.live import LiveTable
from ludotheque.table import Match

_LOG: Final = logging.getLogger("ludotheque.server.tables.premoves")
_AGAIN_AFTER: Final = 2.0
"""Seconds until a move that failed is played again."""

PlayMove = Callable[[LiveTable, int, int, int], Awaitable[object]]
"""Plays a move: table, seat, version and action."""


def set_premove(facts: TableFacts, match: Match, wanted: SetPremove) -> TableFacts:
    """Let a seat decide about the present situation, in place of what it decided before; those about others end."""
    situation = match.premove_context
    if wanted.situation != situation:
        raise stale_version()
    orders = {seat: order for seat, order in facts.ahead.items() if order.situation == situation}
    orders.pop(wanted.seat, None)
    if wanted.key:
        orders[wanted.seat] = _order(match, wanted)
    return structs.replace(facts, ahead=orders)


def _order(match: Match, wanted: SetPremove) -> Premove:
    """The decision of a seat, if the game offers it."""
    for offer in match.premove_offers(wanted.seat):
        if offer.key == wanted.key and (not offer.highest or offer.lowest <= wanted.amount <= offer.highest):
            return Premove(wanted.key, wanted.situation, wanted.amount)
    raise Refused(409, "not-now", phrase("That cannot be decided ahead now."))


class PremovePlayer:
    """Plays for seats that are to move and have decided ahead."""

    def __init__(self, live_tables: LiveTables, events: TableEvents, play_move: PlayMove) -> None:
        self._live_tables = live_tables
        self._events = events
        self._play_move = play_move
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False
        events.subscribe(self._on_event)

    async def resume(self, tables: Collection[str] | None = None) -> None:
        """Play what is due: the server has just started, or another process left these tables."""
        for turn in await self._live_tables.storage.turns():
            if turn.is_decided and (tables is None or turn.table in tables):
                try:
                    self._start(await self._live_tables.table(turn.table))
                except (LudothequeError, Refused):
                    _LOG.exception("table %s cannot be resumed", turn.table)

    async def stop(self) -> None:
        """Stop; moves that have begun are finished by `TableActions`."""
        self._stopped = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_event(self, event: TableEvent) -> None:
        """React to the changes that this process made.

        What is decided at another process may be due here: this one made a move before it learnt of the decision. If
        two processes play the same, one of them is refused.
        """
        is_due = event.what in ("ahead", "reloaded") or (event.what == "position" and self._events.is_own(event))
        table = self._live_tables.in_memory(event.table)
        if table is not None and is_due:
            self._start(table)

    def _start(self, table: LiveTable) -> None:
        if table.order_due and not self._stopped:
            task = asyncio.create_task(self._play(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _play(self, table: LiveTable) -> None:
        """Play what is due, again after a failure such as that of the database."""
        self._live_tables.pin(table.id)
        try:
            while not await self._is_settled(table):
                await asyncio.sleep(_AGAIN_AFTER)
        finally:
            self._live_tables.unpin(table.id)

    async def _is_settled(self, table: LiveTable) -> bool:
        """Play what is due; return whether there is nothing to try again."""
        seat, order, version = table.match.to_move, table.order_due, table.version
        if order is None:
            return True
        try:
            action = table.match.premove_action(order)
            await self._play_move(table, seat, version, action)
        except (LudothequeError, Refused) as error:
            _LOG.info("what a seat of table %s decided ahead was not played: %s", table.id, error)
        except Exception:
            _LOG.exception("what a seat of table %s decided ahead could not be played", table.id)
            return False
        return True
