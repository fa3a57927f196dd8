"""Recovery links: each moves all that a browser holds to another browser, once, until it expires."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.errors import has_profile
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_tables
from ludotheque.server.storage.schema import (
    KEYS,
    PASSKEYS,
    PROFILES,
    RECOVERIES,
    REMINDERS,
    SUBSCRIPTIONS,
    TABLES,
)

VALID_FOR: Final = timedelta(hours=1)
LocalStorage = dict[str, str]
"""The local storage of a browser: progress in lessons and puzzles, and settings."""


class Moved(Struct, frozen=True):
    """The things that a recovery link has moved."""

    tables: tuple[str, ...]
    stored: LocalStorage


async def add_recovery(
    storage: Storage, link: bytes, browsers: Sequence[bytes], stored: LocalStorage, at: datetime
) -> datetime:
    """Store a link to all that these browsers hold, in place of older ones; return when it expires."""
    expires = at + VALID_FOR
    rows = [{"digest": link, "browser": browser, "stored": stored, "expires": expires} for browser in browsers]
    ended = sql.or_(RECOVERIES.c.browser.in_(browsers), RECOVERIES.c.expires < at)

    async def add(connection: AsyncConnection) -> None:
        await connection.execute(sql.delete(RECOVERIES).where(ended))
        await connection.execute(sql.insert(RECOVERIES), rows)

    await storage.write(add)
    return expires


async def use_recovery(storage: Storage, link: bytes, to: bytes, at: datetime) -> Moved | None:
    """Move all that a link stands for to another browser, and end the link; None if it is unknown or has expired."""
    valid = sql.and_(RECOVERIES.c.digest == link, RECOVERIES.c.expires >= at)
    async with storage.writing() as connection:
        rows = (await connection.execute(sql.delete(RECOVERIES).where(valid).returning(RECOVERIES))).mappings().all()
        if not rows:
            return None
        moved: set[str] = set()
        for row in rows:
            if row["browser"] != to:
                await _move_profile(connection, row["browser"], to)
                await end_subscriptions(connection, row["browser"])
            moved |= await move_keys(connection, row["browser"], to)
    return Moved(tuple(sorted(moved)), rows[0]["stored"])


async def move_keys(connection: AsyncConnection, old: bytes, new: bytes) -> set[str]:
    """Give the keys and tables of one browser to another; return the tables, which get a new revision."""
    if old == new:
        return set()
    opened = sql.select(KEYS.c.table_id).where(KEYS.c.digest == old)
    tables = await lock_tables(connection, sql.or_(TABLES.c.id.in_(opened), TABLES.c.host == old))
    await _move(connection, old, new)
    changed = TABLES.c.id.in_(tables)
    await connection.execute(sql.update(TABLES).where(changed).values(revision=TABLES.c.revision + 1))
    return {*tables}


async def _move(connection: AsyncConnection, old: bytes, new: bytes) -> None:
    held = (await connection.execute(sql.select(KEYS).where(KEYS.c.digest.in_([old, new])))).mappings().all()
    known = {(row["table_id"], row["seat"]) for row in held if row["digest"] == new}
    moved = [row for row in held if row["digest"] == old]
    added = [{**row, "digest": new} for row in moved if (row["table_id"], row["seat"]) not in known]
    await connection.execute(sql.delete(KEYS).where(KEYS.c.digest == old))
    if added:
        await connection.execute(sql.insert(KEYS), added)
    await _move_reminders(connection, old, new)
    await connection.execute(sql.update(TABLES).where(TABLES.c.host == old).values(host=new))


async def _move_profile(connection: AsyncConnection, old: bytes, new: bytes) -> None:
    """Let a profile follow, whose passkeys stay behind with the old key; `Refused` if both browsers have one: the games
    of one person would become another's."""
    known = sql.select(PROFILES.c.key).where(PROFILES.c.key.in_([old, new]))
    if len((await connection.execute(known)).all()) > 1:
        raise has_profile()
    moved = sql.update(PROFILES).where(PROFILES.c.key == old).values(key=new).returning(PROFILES.c.id)
    profiles = (await connection.execute(moved)).scalars().all()
    await connection.execute(sql.delete(PASSKEYS).where(PASSKEYS.c.profile.in_(profiles)))


async def _move_reminders(connection: AsyncConnection, old: bytes, new: bytes) -> None:
    """Let reminders follow their seats, except where the new browser has one of the same kind."""
    other = REMINDERS.alias()
    known = sql.exists().where(
        other.c.browser == new, other.c.table_id == REMINDERS.c.table_id, other.c.way == REMINDERS.c.way
    )
    await connection.execute(sql.update(REMINDERS).where(REMINDERS.c.browser == old, ~known).values(browser=new))
    await connection.execute(sql.delete(REMINDERS).where(REMINDERS.c.browser == old))


async def move_subscriptions(connection: AsyncConnection, old: bytes, new: bytes) -> None:
    """Let the subscriptions of a browser follow it to another key."""
    await connection.execute(sql.update(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.browser == old).values(browser=new))


async def end_subscriptions(connection: AsyncConnection, browser: bytes) -> None:
    """Delete all subscriptions of a key, which its browsers hold no more."""
    await connection.execute(sql.delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.browser == browser))
