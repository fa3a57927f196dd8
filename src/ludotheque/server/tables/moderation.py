"""Moderation by a host: free a seat, mute, set a password, let everyone watch, close the table; and by the operator:
remove what is reported."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from msgspec import structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import forbidden
from ludotheque.server.passwords import hash_password
from ludotheque.server.tables.facts import Rights, TableFacts
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.seats import close, free_seat
from ludotheque.server.tables.writing import Law, TableWriter

_LOG: Final = logging.getLogger("ludotheque.server.tables.moderation")


class Moderation:
    """Moderates tables. `routes.table_commands` checks that the host asks for it."""

    def __init__(self, writer: TableWriter) -> None:
        self._writer = writer

    async def free_seat(self, table: LiveTable, seat: int, rights: Rights) -> None:
        """End all keys to another person's seat; who held it may sit there again only with a new link."""
        if table.facts.seats[seat].who != "person" or seat in rights.seats:
            raise forbidden(phrase("Only another person's seat can be freed."))
        await self._change(table, lambda facts: free_seat(facts, seat, self._writer.now()))

    async def mute(self, table: LiveTable, seat: int, muted: bool, rights: Rights) -> None:
        """Stop a seat, or all spectators, from chatting; or let them chat again."""
        if seat in rights.seats or (seat != SPECTATOR and table.facts.seats[seat].who != "person"):
            raise forbidden(phrase("Only other people can be muted."))
        await self._change(table, partial(mute, seat=seat, muted=muted))

    async def set_password(self, table: LiveTable, password: str) -> None:
        """Ask everyone who comes from now on for a password; an empty one removes it."""
        hashed = await asyncio.to_thread(hash_password, password) if password else ""
        await self._change(table, lambda facts: structs.replace(facts, password=hashed))

    async def set_watchable(self, table: LiveTable, watchable: bool) -> None:
        """Let everyone watch, or only those who have a key."""
        await self._change(table, lambda facts: structs.replace(facts, watchable=watchable))

    async def close(self, table: LiveTable) -> None:
        """Close a table: from now on it can only be looked at, by those who have a key to it."""
        await self._change(table, close, even_if_closed=True)
        _LOG.info("a table was closed", extra={"table": table.id})

    # The operator.

    async def remove_line(self, table: str, line: int) -> int | None:
        """Remove a line of chat, also from open pages; return the seat that wrote it, if there is such a line."""
        removed = await self._writer.storage.remove_chat(table, line)
        if removed is None:
            return None
        self._writer.events.publish(table, "chat", removed)
        return removed.seat

    async def silence(self, table: LiveTable, seat: int) -> None:
        """Stop a seat from chatting."""
        await self._change(table, partial(mute, seat=seat, muted=True), even_if_closed=True)

    async def replace_name(self, table: LiveTable, seat: int, old: str, new: str) -> None:
        """Replace a name, also in the chat, unless the seat has another one already."""

        def law(facts: TableFacts) -> TableFacts:
            names = [new if (number, name) == (seat, old) else name for number, name in enumerate(facts.names)]
            return structs.replace(facts, names=tuple(names))

        await self._writer.change(table, law, "names", even_if_closed=True)
        await self._writer.storage.rename_chat(table.id, seat, old, new)

    async def _change(self, table: LiveTable, law: Law, even_if_closed: bool = False) -> None:
        await self._writer.change(table, law, "seats", "facts", even_if_closed=even_if_closed)


def mute(facts: TableFacts, seat: int, muted: bool) -> TableFacts:
    return structs.replace(facts, muted=facts.muted | {seat} if muted else facts.muted - {seat})
