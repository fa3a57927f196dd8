"""Rules about playing again: who asks for a rematch, who agrees, and who has come to it."""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import partial
from typing import Final, Protocol

from msgspec import structs

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent
from ludotheque.server.tables.facts import RematchRequest, Rights, TableFacts
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.proposals import agree, holders, is_agreed, refuse
from ludotheque.server.tables.seats import arrive
from ludotheque.server.tables.writing import TableWriter

_LOG: Final = logging.getLogger("ludotheque.server.tables.rematches")


class SeatsPresent(Protocol):
    """The people who have a page open at this process (`Presences`)."""

    def seats_here(self, id: str) -> Collection[int]:
        """The seats of a table that have a browser connected."""


class Rematches:
    """Asks for rematches, and notes who comes to one."""

    def __init__(self, live_tables: LiveTables, writer: TableWriter, presences: SeatsPresent) -> None:
        self._live_tables = live_tables
        self._writer = writer
        self._presences = presences
        writer.events.subscribe(self._on_event)

    async def ask(self, table: LiveTable, rights: Rights, now: bool) -> bool:
        """Ask the others for a rematch, or agree to one; return whether it is to be opened: all have agreed, or
        someone wants to begin `now`."""
        if not table.match.is_over:
            raise Refused(409, "not-over", phrase("The game is not over."))
        if table.facts.rematch:
            return True
        law = partial(ask_rematch, seats=rights.held)
        await self._writer.change(table, law, "rematch", even_if_closed=True)
        return now or is_agreed(table.facts.rematch_request, holders(table.facts))

    async def refuse(self, table: LiveTable, rights: Rights) -> None:
        """Refuse a rematch, or withdraw one's request."""
        law = partial(refuse_rematch, seats=rights.held)
        await self._writer.change(table, law, "rematch", even_if_closed=True)

    def _on_event(self, event: TableEvent) -> None:
        """Note who has come to a table whose clock waits for them."""
        table = self._live_tables.in_memory(event.table)
        if event.what == "watched" and table and table.facts.awaited:
            came = table.facts.awaited.intersection(self._presences.seats_here(event.table))
            if came:
                self._writer.start(self._note(table, came))

    async def _note(self, table: LiveTable, came: Collection[int]) -> None:
        try:
            await self._writer.change(table, lambda facts: arrive(facts, came, self._writer.now()), "facts")
        except Exception:
            _LOG.exception("it could not be stored who came to table %s; their next visit counts", table.id)


def ask_rematch(facts: TableFacts, seats: Collection[int]) -> TableFacts:
    """Ask for a rematch, or agree to one, for these seats. Who asks anew asks everyone again."""
    before = facts.rematch_request
    request = before if before and not before.refused else RematchRequest(())
    return structs.replace(facts, rematch_request=agree(request, seats))


def refuse_rematch(facts: TableFacts, seats: Collection[int]) -> TableFacts:
    """Refuse a rematch, or withdraw one's request, for these seats."""
    request = facts.rematch_request
    if request is None or facts.rematch:
        raise Refused(409, "not-now", phrase("No one has asked for a rematch."))
    return structs.replace(facts, rematch_request=refuse(request, seats))
