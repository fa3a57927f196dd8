"""What a host may do about the people at a table: free a seat, mute, set a password, close the table."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from msgspec import structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import forbidden
from ludotheque.server.passwords import hash_password
from ludotheque.server.storage.rows import StoredKey
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.live import LiveTable, Rights, Seat, as_plain
from ludotheque.server.tables.writing import FactsWriter

_LOG: Final = logging.getLogger("ludotheque.server.tables.moderation")


class Moderation:
    """Moderates tables."""

    def __init__(self, actions: FactsWriter, events: TableEvents) -> None:
        self._actions = actions
        self._events = events

    async def free_seat(self, table: LiveTable, seat: int, rights: Rights) -> None:
        """End all keys to another person's seat; whoever held it may sit there again only with a new link."""
        rights.check_host()
        if table.seats[seat].who != "person" or seat in rights.seats:
            raise forbidden(phrase("Only another person's seat can be freed."))

        async def change() -> None:
            drop = [*table.holders(seat)]
            kept = [
                StoredKey(key, table.id, other, table.kinds[key]) for key in drop for other in table.keys[key] - {seat}
            ]
            muted = table.muted - {seat}
            await self._actions.set_seats(table, {seat: Seat("person")}, kept, drop, more={"muted": sorted(muted)})
            table.muted = muted

        await self._actions.change_facts(table, change)
        self._publish(table)

    async def mute(self, table: LiveTable, seat: int, muted: bool, rights: Rights) -> None:
        """Stop a seat, or all spectators, from chatting; or let them chat again."""
        rights.check_host()
        if seat in rights.seats or (seat != SPECTATOR and table.seats[seat].who != "person"):
            raise forbidden(phrase("Only other people can be muted."))

        async def change() -> None:
            now = table.muted | {seat} if muted else table.muted - {seat}
            await self._actions.set_facts(table, {"muted": sorted(now)})
            table.muted = now

        await self._actions.change_facts(table, change)
        self._publish(table)

    async def set_password(self, table: LiveTable, password: str, rights: Rights) -> None:
        """Ask a password of everybody who comes from now on; an empty one: of nobody."""
        rights.check_host()
        hashed = await asyncio.to_thread(hash_password, password) if password else ""

        async def change() -> None:
            await self._actions.set_facts(table, {"password": hashed})
            table.password = hashed

        await self._actions.change_facts(table, change)
        self._publish(table)

    async def close(self, table: LiveTable, rights: Rights) -> None:
        """Close a table; for the host."""
        rights.check_host()
        await self.close_any(table)

    async def close_any(self, table: LiveTable) -> None:
        """Close a table: from now on it can only be looked at, by those who have a key to it."""

        async def change() -> None:
            seats = [_shut(seat) for seat in table.seats]
            facts: dict[str, Any] = {"closed": True, "seats": as_plain(seats), "has_open_seat": False}
            await self._actions.set_facts(table, facts)
            table.closed, table.seats = True, seats

        await self._actions.change_facts(table, change, even_if_closed=True)
        _LOG.info("a table was closed", extra={"table": table.id})
        self._publish(table)

    def _publish(self, table: LiveTable) -> None:
        self._events.publish(table.id, "seats")
        self._events.publish(table.id, "facts")


def _shut(seat: Seat) -> Seat:
    return structs.replace(seat, open=False)
