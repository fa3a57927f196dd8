"""What only the operator of a server asks the database: all tables, and what is switched on; and changes of tables that
cannot be loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sql

from ludotheque.server.storage.database import LISTED_COLUMNS, Storage, listed_table
from ludotheque.server.storage.rows import ListedTable
from ludotheque.server.storage.schema import KEYS, SETTINGS, TABLES

PUBLIC_LIST: Final = "public_list"


async def all_tables(storage: Storage, offset: int, limit: int) -> list[ListedTable]:
    """All tables, latest first."""
    query = sql.select(*LISTED_COLUMNS).order_by(TABLES.c.updated.desc(), TABLES.c.id).offset(offset).limit(limit)
    async with storage.reading() as connection:
        return [listed_table(row) for row in (await connection.execute(query)).mappings()]


async def close_unloaded(storage: Storage, id: str) -> None:
    """Close a table that cannot be loaded, because it is `Unplayable`."""
    async with storage.writing() as connection:
        seats = (await connection.execute(sql.select(TABLES.c.seats).where(TABLES.c.id == id))).scalar_one()
        shut = [seat | {"open": False} for seat in seats]
        facts = {"closed": True, "has_open_seat": False, "seats": shut, "revision": TABLES.c.revision + 1}
        await connection.execute(sql.update(TABLES).where(TABLES.c.id == id).values(facts))


async def leave_unloaded(storage: Storage, id: str, digests: Sequence[bytes]) -> bool:
    """Delete these keys of a table that cannot be loaded; return whether there were any. Seats that nobody holds
    any more become free."""
    of_table = KEYS.c.table_id == id
    async with storage.writing() as connection:
        dropped = sql.delete(KEYS).where(of_table, KEYS.c.digest.in_(digests)).returning(KEYS.c.seat)
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


async def has_public_list(storage: Storage) -> bool:
    """Whether tables with an open seat are listed for everybody."""
    query = sql.select(SETTINGS.c.value).where(SETTINGS.c.name == PUBLIC_LIST)
    async with storage.reading() as connection:
        return (await connection.execute(query)).scalar_one_or_none() is not False


async def set_public_list(storage: Storage, on: bool) -> None:
    async with storage.writing() as connection:
        await connection.execute(sql.delete(SETTINGS).where(SETTINGS.c.name == PUBLIC_LIST))
        await connection.execute(sql.insert(SETTINGS).values(name=PUBLIC_LIST, value=on))
