"""Changes of tables that cannot be replayed here (`playable`): there is no live table to change, only its rows."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql

from ludotheque.core.game import SPECTATOR
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_tables
from ludotheque.server.storage.schema import KEYS, TABLES


async def close_unplayable(storage: Storage, id: str) -> None:
    """Close a table: no one can join it any more."""
    async with storage.writing() as connection:
        await lock_tables(connection, TABLES.c.id == id)
        seats = (await connection.execute(sql.select(TABLES.c.seats).where(TABLES.c.id == id))).scalar_one()
        shut = [seat | {"open": False} for seat in seats]
        facts = {"closed": True, "watchable": False, "has_open_seat": False, "seats": shut}
        facts |= {"revision": TABLES.c.revision + 1}
        await connection.execute(sql.update(TABLES).where(TABLES.c.id == id).values(facts))


async def leave_unplayable(storage: Storage, id: str, digests: Sequence[bytes]) -> bool:
    """Delete these keys of a table; return whether there were any. Seats that no one holds any more become free.

    A spectator link stays: others watch by it too.
    """
    of_table = KEYS.c.table_id == id
    is_shared = sql.and_(KEYS.c.kind == "link", KEYS.c.seat == SPECTATOR)
    async with storage.writing() as connection:
        await lock_tables(connection, TABLES.c.id == id)
        dropped = sql.delete(KEYS).where(of_table, KEYS.c.digest.in_(digests), ~is_shared).returning(KEYS.c.seat)
        left = set((await connection.execute(dropped)).scalars())
        if not left:
            return False
        held = (await connection.execute(sql.select(KEYS.c.seat).where(of_table, KEYS.c.kind == "browser"))).scalars()
        free = left.difference(held)
        seats = (await connection.execute(sql.select(TABLES.c.seats).where(TABLES.c.id == id))).scalar_one()
        facts = {
            "seats": [seat | {"taken": False} if number in free else seat for number, seat in enumerate(seats)],
            "revision": TABLES.c.revision + 1,
        }
        await connection.execute(sql.update(TABLES).where(TABLES.c.id == id).values(facts))
    return True
