"""People who wait to be paired: their wishes, and the search for those that fit together.

Everything goes through the database, so people are paired across processes. Each search is a transaction, and searches
come one after the other: of two that run at once neither would see the other's wish. A search reads only wishes that
fit one combination of game, players and clock, never all tables.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.restrictions import blocked_among
from ludotheque.server.storage.schema import KEYS, PAIRINGS, TABLES, WISHES

ALIVE_FOR: Final = timedelta(seconds=35)
"""Time for which a wish counts after its page last asked."""
SAME_REQUEST: Final = timedelta(seconds=10)
"""Time after a pairing within which a request is taken for the one that led to it, sent again: a double click, or a
browser whose connection broke."""
WAITS_FOR: Final = timedelta(minutes=15)
"""Longest time that someone waits."""
MOST_COMPARED: Final = 50
"""People with the same wish among whom a search looks, those who have waited longest first."""
_LOCK: Final = 7_205_318
"""Names the lock of searches in PostgreSQL."""


class Wish(Struct, frozen=True):
    """One combination that someone would like to play."""

    game: str
    players: int
    clock: str
    rated: bool = False


class Waiting(Struct, frozen=True):
    """Someone who waits."""

    browser: bytes
    name: str


class Group(Struct, frozen=True):
    """People whose wishes fit together, those who have waited longest first."""

    wish: Wish
    people: tuple[Waiting, ...]


async def lock_searches(connection: AsyncConnection) -> None:
    """Let no other process search until this transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK)))


async def _await_searches(connection: AsyncConnection) -> None:
    """Let no process search until this transaction ends: a search locks the wishes of several people in any order."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sql.select(sql.func.pg_advisory_xact_lock_shared(_LOCK)))


async def set_wishes(
    connection: AsyncConnection, browser: bytes, name: str, wishes: Sequence[Wish], at: datetime
) -> None:
    """Replace the wishes of a browser, and forget the table that earlier ones led to."""
    await end_wishes(connection, [browser])
    rows = [
        {"browser": browser, "game": wish.game, "players": wish.players, "clock": wish.clock, "rated": wish.rated,
         "name": name, "asked": at, "seen": at}
        for wish in wishes
    ]  # fmt: skip
    if rows:
        await connection.execute(sql.insert(WISHES), rows)


async def just_paired(connection: AsyncConnection, browser: bytes, at: datetime) -> str:
    """Return the table that has just opened for a browser; empty if none has, or its game is over already."""
    query = (
        sql.select(TABLES.c.id)
        .join(PAIRINGS, PAIRINGS.c.table_id == TABLES.c.id)
        .where(PAIRINGS.c.browser == browser, PAIRINGS.c.opened >= at - SAME_REQUEST, ~TABLES.c.over)
    )
    return str((await connection.execute(query)).scalar_one_or_none() or "")


async def end_wishes(connection: AsyncConnection, browsers: Sequence[bytes]) -> None:
    for table in (WISHES, PAIRINGS):
        await connection.execute(sql.delete(table).where(table.c.browser.in_(browsers)))


async def find_group(connection: AsyncConnection, browser: bytes, at: datetime) -> Group | None:
    """Find people whose wishes fit one of a browser's, and end the wishes of all of them."""
    await connection.execute(sql.delete(WISHES).where(_is_over(at)))
    mine = (
        sql.select(WISHES).where(WISHES.c.browser == browser).order_by(WISHES.c.players, WISHES.c.game, WISHES.c.clock)
    )
    for row in (await connection.execute(mine)).mappings().all():
        wish = Wish(row["game"], row["players"], row["clock"], row["rated"])
        others = await _others(connection, wish, browser)
        if len(others) == wish.players - 1:
            people = (*others, Waiting(browser, row["name"]))
            await end_wishes(connection, [person.browser for person in people])
            return Group(wish, people)
    return None


def _is_over(at: datetime) -> sql.ColumnElement[bool]:
    """The wishes of those who have gone, or have waited too long."""
    return sql.or_(WISHES.c.seen < at - ALIVE_FOR, WISHES.c.asked < at - WAITS_FOR)


async def _others(connection: AsyncConnection, wish: Wish, browser: bytes) -> list[Waiting]:
    """Return as many others with a wish as it takes, those who have waited longest first; no two of a group have
    blocked each other."""
    alike = [WISHES.c[name] == getattr(wish, name) for name in wish.__struct_fields__]
    query = (
        sql.select(WISHES.c.browser, WISHES.c.name)
        .where(*alike, WISHES.c.browser != browser)
        .order_by(WISHES.c.asked, WISHES.c.browser)
        .limit(MOST_COMPARED)
    )
    waiting = [Waiting(row.browser, row.name) for row in await connection.execute(query)]
    if len(waiting) < wish.players - 1:
        return waiting
    blocked = await blocked_among(connection, [browser, *(person.browser for person in waiting)])
    return willing(browser, waiting, blocked)[: wish.players - 1]


def willing(browser: bytes, waiting: Sequence[Waiting], blocked: Collection[frozenset[bytes]]) -> list[Waiting]:
    """Return those who can all play with a browser and with each other: each joins those before them, if they can."""
    chosen: list[Waiting] = []
    for person in waiting:
        others = (browser, *(each.browser for each in chosen))
        if all(frozenset((person.browser, other)) not in blocked for other in others):
            chosen.append(person)
    return chosen


async def add_pairings(connection: AsyncConnection, browsers: Sequence[bytes], table: str, at: datetime) -> None:
    """Note the table that opened for these people."""
    rows: list[dict[str, Any]] = [{"browser": browser, "table_id": table, "opened": at} for browser in browsers]
    await connection.execute(sql.insert(PAIRINGS), rows)


async def keep_waiting(storage: Storage, browser: bytes, at: datetime) -> tuple[str, bool]:
    """Note that a page still waits; return the table that has opened, if any, and whether its wishes still count."""
    async with storage.writing() as connection:
        await _await_searches(connection)
        alive = sql.and_(WISHES.c.browser == browser, ~_is_over(at))
        seen = await connection.execute(sql.update(WISHES).where(alive).values(seen=at))
        found = sql.select(PAIRINGS.c.table_id).where(PAIRINGS.c.browser == browser)
        return str((await connection.execute(found)).scalar_one_or_none() or ""), seen.rowcount > 0


async def cancel_wishes(connection: AsyncConnection, browser: bytes) -> None:
    """End the wishes of a browser, outside of a search."""
    await _await_searches(connection)
    await end_wishes(connection, [browser])


async def people_waiting(storage: Storage, at: datetime) -> int:
    query = sql.select(sql.func.count(sql.distinct(WISHES.c.browser))).where(~_is_over(at))
    async with storage.reading() as connection:
        return int((await connection.execute(query)).scalar_one())


async def seated_at(storage: Storage, table: str) -> list[bytes]:
    """Return the keys of the browsers that hold a seat of a table."""
    query = sql.select(KEYS.c.digest).where(KEYS.c.table_id == table, KEYS.c.seat >= 0, KEYS.c.kind == "browser")
    async with storage.reading() as connection:
        return list((await connection.execute(query)).scalars())
