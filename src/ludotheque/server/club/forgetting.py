"""Everything about a person: handed out as one file, or deleted in one press."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sql
from msgspec import structs
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.errors import Refused, Unplayable
from ludotheque.server.storage.clubs import leave_all_clubs
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import delete_profile, find_profile
from ludotheque.server.storage.schema import CHAT, KEYS, RECOVERIES, REMINDERS, REPORTS, SUBSCRIPTIONS, TABLES
from ludotheque.server.storage.tournaments import forget_deleted, forget_in_tournaments
from ludotheque.server.storage.unplayable import leave_unplayable
from ludotheque.server.storage.wishes import cancel_wishes
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.endings import resign
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.joining import colour_as_name
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.writing import TableWriter
from ludotheque.show.language import Reader
from ludotheque.table import Match


class Forgetter:
    """Deletes all that is stored about the holder of a key."""

    def __init__(self, live_tables: LiveTables, writer: TableWriter, seating: Seating) -> None:
        self._live_tables = live_tables
        self._storage = live_tables.storage
        self._writer = writer
        self._seating = seating

    async def forget(self, key: bytes, reader: Reader) -> None:
        """Resign the games of a profile that count; delete it, and its owner's name, chat, addresses and keys at all
        tables."""
        profile = await find_profile(self._storage, key)
        if profile:
            await leave_all_clubs(self._storage, profile.id)
            async with self._storage.writing() as connection:
                await forget_in_tournaments(connection, profile.id)
        for id in await _tables_of(self._storage, key):
            await self._forget_at(id, key, reader)
        async with self._storage.writing() as connection:
            await cancel_wishes(connection, key)
            for table in (REMINDERS, SUBSCRIPTIONS, RECOVERIES):
                await connection.execute(sql.delete(table).where(table.c.browser == key))
        async with self._storage.writing() as connection:
            if profile:
                await forget_in_tournaments(connection, profile.id)  # they may have joined another one meanwhile
            await delete_profile(connection, key)
            await forget_deleted(connection)

    async def _forget_at(self, id: str, key: bytes, reader: Reader) -> None:
        """Leave a table; a table at which no one else plays is deleted."""
        if await _is_alone(self._storage, id, key):
            async with self._storage.writing() as connection:
                await connection.execute(sql.delete(TABLES).where(TABLES.c.id == id))
            self._live_tables.drop(id)
            self._writer.events.publish(id, "reloaded")
            return
        await _delete_chat(self._storage, id, key)
        try:
            table = await self._live_tables.table(id)
        except (Unplayable, Refused):
            await leave_unplayable(self._storage, id, [key])
        else:
            await self._leave(table, key, reader)

    async def _leave(self, table: LiveTable, key: bytes, reader: Reader) -> None:
        """Resign a game that counts, give one's seats at a table their colours as names, and leave it."""
        mine = {seat for seat in table.facts.keys.seats(key) if seat >= 0}  # they may watch, too

        def law(facts: TableFacts) -> TableFacts:
            facts = _resigned_if_binding(facts, table.match, mine, self._writer.now())
            names = [colour_as_name(table.game, seat, reader) if seat in mine else name
                     for seat, name in enumerate(facts.names)]  # fmt: skip
            return structs.replace(facts, names=tuple(names))

        await self._writer.change(table, law, "seats", "names", even_if_closed=True)
        await self._seating.leave(table, [key])


def _resigned_if_binding(facts: TableFacts, match: Match, seats: Collection[int], at: float) -> TableFacts:
    """Resign a running game that counts: nobody may take these seats over, and nobody waits for them."""
    if match.is_over or not (facts.terms.is_binding and facts.is_full):
        return facts
    for seat in sorted(seats):
        if facts.seats[seat].who == "person" and seat not in facts.ending.seats:
            facts = resign(facts, match, seat, at)
    return facts


async def _tables_of(storage: Storage, key: bytes) -> list[str]:
    held = sql.select(KEYS.c.table_id).where(KEYS.c.digest == key)
    hosted = sql.select(TABLES.c.id).where(TABLES.c.host == key)
    async with storage.reading() as connection:
        return [str(id) for id in (await connection.execute(held.union(hosted))).scalars()]


async def _is_alone(storage: Storage, id: str, key: bytes) -> bool:
    """Whether no other browser holds a seat of a table, nor a link leads to one."""
    others = sql.select(KEYS.c.seat).where(KEYS.c.table_id == id, KEYS.c.digest != key, KEYS.c.seat >= 0).limit(1)
    async with storage.reading() as connection:
        return (await connection.execute(others)).first() is None


async def _delete_chat(storage: Storage, id: str, key: bytes) -> None:
    """Delete what someone has said at a table, and what was reported about it and about their name."""
    async with storage.writing() as connection:
        mine = await _seats_at(connection, id, key)
        for table in (CHAT, REPORTS):
            await connection.execute(sql.delete(table).where(table.c.table_id == id, table.c.seat.in_(mine)))


async def _seats_at(connection: AsyncConnection, id: str, key: bytes) -> list[int]:
    """The seats that no other browser holds."""
    at = sql.and_(KEYS.c.table_id == id, KEYS.c.seat >= 0, KEYS.c.kind == "browser")
    rows = (await connection.execute(sql.select(KEYS.c.digest, KEYS.c.seat).where(at))).all()
    shared = {row.seat for row in rows if row.digest != key}
    return [row.seat for row in rows if row.digest == key and row.seat not in shared]


async def stored_about(storage: Storage, key: bytes) -> dict[str, Any]:
    """Return what is stored about the holder of a key: seats, chat, addresses and browsers that take push messages."""
    at = (
        sql.select(TABLES.c.id, TABLES.c.game, TABLES.c.names, TABLES.c.over, TABLES.c.created, KEYS.c.seat)
        .join(KEYS, KEYS.c.table_id == TABLES.c.id)
        .where(KEYS.c.digest == key, KEYS.c.seat >= 0)
        .order_by(TABLES.c.created)
    )
    said = (
        sql.select(CHAT.c.table_id, CHAT.c.text, CHAT.c.time)
        .join(KEYS, sql.and_(KEYS.c.table_id == CHAT.c.table_id, KEYS.c.seat == CHAT.c.seat, KEYS.c.digest == key))
        .where(KEYS.c.seat >= 0)
        .order_by(CHAT.c.id)
    )
    addresses = sql.select(REMINDERS.c.table_id, REMINDERS.c.address).where(
        REMINDERS.c.browser == key, REMINDERS.c.way == "mail"
    )
    pushed = sql.select(SUBSCRIPTIONS.c.endpoint, SUBSCRIPTIONS.c.language, SUBSCRIPTIONS.c.created).where(
        SUBSCRIPTIONS.c.browser == key
    )
    async with storage.reading() as connection:
        found = {
            name: [dict(row) for row in (await connection.execute(query)).mappings()]
            for name, query in (("seats", at), ("chat", said), ("reminders", addresses), ("push", pushed))
        }
    for seat in found["seats"]:
        seat["name"] = seat.pop("names")[seat["seat"]]
    return found
