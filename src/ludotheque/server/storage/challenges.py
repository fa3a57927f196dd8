"""Challenges: invitations to a seat of a table, which wait for someone with a profile.

A challenge holds the digest of the link to its seat. It opens what the link does and ends with it: when someone sits
down there, or the host makes another link. A challenge to someone who has blocked the challenger is stored like any
other, so that no one can tell; it is only never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.mapping import LISTED_COLUMNS, listed_table
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.rows import ListedTable
from ludotheque.server.storage.schema import CHALLENGES, KEYS, PROFILES, RESTRICTIONS, TABLES

WAITS_FOR: Final = timedelta(days=14)
"""Time for which a challenge is shown."""
MOST_SHOWN: Final = 20
"""Challenges to one person that are shown, the latest first."""


class Challenge(Struct, frozen=True):
    """An invitation that waits for an answer."""

    table: ListedTable
    link: bytes
    """The digest of the link to the seat."""
    challenger: str
    """The profile of the person who invites."""
    name: str
    """Their name."""
    created: datetime


async def add_challenges(
    storage: Storage, table: str, challenger: str, links: Mapping[str, bytes], at: datetime
) -> None:
    """Invite people, by profile, to the seats of these links."""
    rows = [
        {"table_id": table, "challenged": profile, "challenger": challenger, "link": link, "created": at}
        for profile, link in links.items()
    ]
    async with storage.writing() as connection:
        await connection.execute(sql.insert(CHALLENGES), rows)


async def challenges_to(storage: Storage, profile: str, at: datetime) -> list[Challenge]:
    """Return the challenges that wait for someone, the latest first; none of people whom they have blocked."""
    return await _read(storage, CHALLENGES.c.challenged == profile, at)


async def find_challenge(storage: Storage, profile: str, table: str, at: datetime) -> Challenge | None:
    """Return the challenge of someone to a table."""
    at_table = sql.and_(CHALLENGES.c.challenged == profile, CHALLENGES.c.table_id == table)
    found = await _read(storage, at_table, at)
    return found[0] if found else None


async def _read(storage: Storage, condition: sql.ColumnElement[bool], at: datetime) -> list[Challenge]:
    is_blocked = sql.exists().where(
        RESTRICTIONS.c.profile == CHALLENGES.c.challenged,
        RESTRICTIONS.c.other == CHALLENGES.c.challenger,
        RESTRICTIONS.c.blocked,
    )
    query = (
        sql.select(*LISTED_COLUMNS, CHALLENGES.c.link, CHALLENGES.c.challenger, CHALLENGES.c.created, PROFILES.c.name)
        .select_from(_open_challenges())
        .join(PROFILES, PROFILES.c.id == CHALLENGES.c.challenger)
        .where(condition, _is_open(at), ~is_blocked, playable_condition())
        .order_by(CHALLENGES.c.created.desc())
        .limit(MOST_SHOWN)
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return [
        Challenge(listed_table(row), row["link"], row["challenger"], row[PROFILES.c.name], row["created"])
        for row in rows
    ]


def _open_challenges() -> sql.Join:
    """Challenges whose link still is a key to the table."""
    by_link = sql.and_(KEYS.c.table_id == CHALLENGES.c.table_id, KEYS.c.digest == CHALLENGES.c.link)
    return CHALLENGES.join(TABLES, TABLES.c.id == CHALLENGES.c.table_id).join(KEYS, by_link)


def _is_open(at: datetime) -> sql.ColumnElement[bool]:
    """Whether a challenge waits: its game goes on, and no one sits where its link leads."""
    holders = KEYS.alias("holders")
    is_taken = sql.exists().where(
        holders.c.table_id == KEYS.c.table_id, holders.c.seat == KEYS.c.seat, holders.c.kind == "browser"
    )
    is_running = sql.and_(~TABLES.c.over, ~TABLES.c.closed)
    return sql.and_(CHALLENGES.c.created >= at - WAITS_FOR, is_running, ~is_taken)


async def challenge_links(storage: Storage, table: str) -> list[bytes]:
    """Return the digests of the links by which people are challenged to a table, also those never shown."""
    query = sql.select(CHALLENGES.c.link).where(CHALLENGES.c.table_id == table)
    async with storage.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def end_challenge(storage: Storage, profile: str, table: str) -> None:
    """Delete the challenge of someone to a table: they have answered."""
    answered = sql.and_(CHALLENGES.c.challenged == profile, CHALLENGES.c.table_id == table)
    async with storage.writing() as connection:
        await connection.execute(sql.delete(CHALLENGES).where(answered))


async def count_waiting(storage: Storage, challenger: str, at: datetime) -> dict[str, int]:
    """Count the challenges of someone that wait for an answer by whom they challenged, also those never shown."""
    query = (
        sql.select(CHALLENGES.c.challenged, sql.func.count().label("count"))
        .select_from(_open_challenges())
        .where(CHALLENGES.c.challenger == challenger, _is_open(at))
        .group_by(CHALLENGES.c.challenged)
    )
    async with storage.reading() as connection:
        return {row.challenged: row[1] for row in await connection.execute(query)}


async def stored_challenges(storage: Storage, profile: str) -> list[dict[str, Any]]:
    """Return the challenges of someone and to them, as they are exported."""
    columns = CHALLENGES.c.table_id, CHALLENGES.c.challenger, CHALLENGES.c.challenged, CHALLENGES.c.created
    mine = sql.or_(CHALLENGES.c.challenger == profile, CHALLENGES.c.challenged == profile)
    async with storage.reading() as connection:
        rows = (await connection.execute(sql.select(*columns).where(mine).order_by(CHALLENGES.c.created))).mappings()
        return [dict(row) for row in rows]
