"""The server processes on one PostgreSQL: which are alive, who is present at each, and which plays for which bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.dialects import postgresql

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_tables
from ludotheque.server.storage.schema import PRESENCES, PROCESSES, TABLES

ALIVE_SECONDS: Final = 3.0
"""Seconds without a report after which a process counts as dead."""

_IS_NEW: Final = sql.literal_column("xmax = 0", sql.Boolean)
"""Whether an upsert inserted the row."""


class SeatsAndWatchers(Struct, frozen=True):
    """The seats and watchers of a table at one process."""

    seats: tuple[int, ...]
    watchers: int


async def report_alive(storage: Storage) -> bool:
    """Report that this process is alive; return whether the others had forgotten it."""
    row = {"id": storage.process, "seen": sql.func.clock_timestamp()}
    insert = postgresql.insert(PROCESSES).values(row)
    upsert = insert.on_conflict_do_update(index_elements=["id"], set_={"seen": row["seen"]})
    async with storage.writing() as connection:
        return bool((await connection.execute(upsert.returning(_IS_NEW))).scalar_one())


async def forget_dead(storage: Storage) -> None:
    """Delete the processes that are dead, and with them the people present there."""
    limit = sql.func.clock_timestamp() - timedelta(seconds=ALIVE_SECONDS)
    async with storage.writing() as connection:
        await connection.execute(sql.delete(PROCESSES).where(PROCESSES.c.seen < limit))


async def leave(storage: Storage) -> None:
    """Tell the others at once that this process stops."""
    async with storage.writing() as connection:
        await connection.execute(sql.delete(PROCESSES).where(PROCESSES.c.id == storage.process))


async def alive(storage: Storage) -> frozenset[str]:
    async with storage.reading() as connection:
        return frozenset((await connection.execute(sql.select(PROCESSES.c.id))).scalars())


async def claim_bots(storage: Storage) -> frozenset[str]:
    """Take over the running tables whose bots no living process plays for; return their ids."""
    return frozenset(await _claim(storage, ~TABLES.c.over))


async def claim_reviews(storage: Storage, tables: Sequence[str]) -> list[str]:
    """Take over those of these finished tables that no living process cares for; return their ids in this order."""
    claimed = await _claim(storage, TABLES.c.id.in_(tables))
    return [table for table in tables if table in claimed]


async def _claim(storage: Storage, condition: sql.ColumnElement[bool]) -> list[str]:
    """Take over the tables that fulfil a condition and belong to no living process."""
    is_left = sql.and_(condition, TABLES.c.driver.not_in(sql.select(PROCESSES.c.id)))
    async with storage.writing() as connection:
        claimed = await lock_tables(connection, is_left)
        if claimed:
            claim = sql.update(TABLES).where(TABLES.c.id.in_(claimed)).values(driver=storage.process)
            await connection.execute(claim)
    return claimed


async def write_presences(storage: Storage, present: Mapping[str, SeatsAndWatchers]) -> None:
    """Write who has these tables open at this process."""
    mine = sql.and_(PRESENCES.c.process == storage.process, PRESENCES.c.table_id.in_(list(present)))
    rows = [
        {"process": storage.process, "table_id": table, "seats": list(who.seats), "watchers": who.watchers}
        for table, who in sorted(present.items())
        if who.seats or who.watchers
    ]
    async with storage.writing() as connection:
        await connection.execute(sql.delete(PRESENCES).where(mine))
        if rows:
            await connection.execute(sql.insert(PRESENCES), rows)


async def present_elsewhere(storage: Storage, tables: Iterable[str]) -> dict[str, list[SeatsAndWatchers]]:
    """Return the seats and watchers at the other processes, by table."""
    ids: Sequence[str] = list(tables)
    others = sql.and_(PRESENCES.c.table_id.in_(ids), PRESENCES.c.process != storage.process)
    found: dict[str, list[SeatsAndWatchers]] = {id: [] for id in ids}
    async with storage.reading() as connection:
        for row in await connection.execute(sql.select(PRESENCES).where(others)):
            found[row.table_id].append(SeatsAndWatchers(tuple(row.seats), row.watchers))
    return found
