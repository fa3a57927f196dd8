"""Queries of the operator alone: all tables, and what is switched on."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sql

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.mapping import LISTED_COLUMNS, listed_table
from ludotheque.server.storage.rows import ListedTable
from ludotheque.server.storage.schema import SETTINGS, TABLES

PUBLIC_LIST: Final = "public_list"
_PUBLIC_LIST: Final = sql.select(SETTINGS.c.value).where(SETTINGS.c.name == PUBLIC_LIST)


async def all_tables(storage: Storage, offset: int, limit: int) -> list[ListedTable]:
    """All tables, latest first."""
    query = sql.select(*LISTED_COLUMNS).order_by(TABLES.c.updated.desc(), TABLES.c.id).offset(offset).limit(limit)
    async with storage.reading() as connection:
        return [listed_table(row) for row in (await connection.execute(query)).mappings()]


async def has_public_list(storage: Storage) -> bool:
    """Whether tables with an open seat are listed for all visitors."""
    async with storage.reading() as connection:
        return (await connection.execute(_PUBLIC_LIST)).scalar_one_or_none() is not False


async def set_public_list(storage: Storage, on: bool) -> None:
    async with storage.writing() as connection:
        await connection.execute(sql.delete(SETTINGS).where(SETTINGS.c.name == PUBLIC_LIST))
        await connection.execute(sql.insert(SETTINGS).values(name=PUBLIC_LIST, value=on))
