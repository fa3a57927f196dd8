"""Restrictions: the people whom someone has muted or blocked, by profile. No one else learns of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.schema import PROFILES, RESTRICTIONS

MOST_RESTRICTED: Final = 1000
"""People whom one person may mute or block."""
_MINE: Final = PROFILES.alias("mine")
_THEIRS: Final = PROFILES.alias("theirs")


class Restriction(Struct, frozen=True):
    """A restriction on another person: muted or blocked."""

    muted: bool = False
    """Whether their chat is hidden."""
    blocked: bool = False
    """Whether they can neither challenge nor meet the one who blocks them."""


NO_RESTRICTION: Final = Restriction()


async def restrict(storage: Storage, profile: str, other: str, restriction: Restriction) -> None:
    """Set what someone does not want from another, in place of what was set before; the last one wins."""
    row = {"profile": profile, "other": other, "muted": restriction.muted, "blocked": restriction.blocked}
    async with storage.writing() as connection:
        if restriction == NO_RESTRICTION:
            about = sql.and_(RESTRICTIONS.c.profile == profile, RESTRICTIONS.c.other == other)
            await connection.execute(sql.delete(RESTRICTIONS).where(about))
            return
        dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
        setting = dialect.insert(RESTRICTIONS).values(row)
        changed = {"muted": restriction.muted, "blocked": restriction.blocked}
        await connection.execute(
            setting.on_conflict_do_update(index_elements=[RESTRICTIONS.c.profile, RESTRICTIONS.c.other], set_=changed)
        )


async def restrictions_of(storage: Storage, profile: str) -> dict[str, Restriction]:
    """Return whom someone has muted or blocked, by profile."""
    query = sql.select(RESTRICTIONS).where(RESTRICTIONS.c.profile == profile).limit(MOST_RESTRICTED)
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return {row["other"]: Restriction(row["muted"], row["blocked"]) for row in rows}


async def muted_by(connection: AsyncConnection, keys: Collection[bytes]) -> frozenset[bytes]:
    """Return the keys of the people whom the holder of one of these keys has muted."""
    found = await connection.execute(_MUTED_BY, {"keys": list(keys)})
    return frozenset(row.theirs for row in found)


async def apart_from(storage: Storage, key: bytes) -> frozenset[bytes]:
    """Return the keys of the people whom someone has blocked, or who have blocked them."""
    me = sql.select(PROFILES.c.id).where(PROFILES.c.key == key).scalar_subquery()
    async with storage.reading() as connection:
        pairs = await _blocked_pairs(connection, sql.or_(RESTRICTIONS.c.profile == me, RESTRICTIONS.c.other == me))
    return frozenset(each for pair in pairs for each in pair if each != key)


async def has_blocked(storage: Storage, key: bytes, other: bytes) -> bool:
    """Whether someone has blocked another person."""
    query = _pairs(sql.and_(_MINE.c.key == key, _THEIRS.c.key == other), RESTRICTIONS.c.blocked)
    async with storage.reading() as connection:
        return (await connection.execute(query.limit(1))).first() is not None


async def blocked_among(connection: AsyncConnection, keys: Collection[bytes]) -> set[frozenset[bytes]]:
    """Return the pairs of these people of whom one has blocked the other."""
    return await _blocked_pairs(connection, sql.and_(_MINE.c.key.in_(keys), _THEIRS.c.key.in_(keys)))


async def _blocked_pairs(connection: AsyncConnection, condition: sql.ColumnElement[bool]) -> set[frozenset[bytes]]:
    found = await connection.execute(_pairs(condition, RESTRICTIONS.c.blocked))
    return {frozenset((row.mine, row.theirs)) for row in found}


def _pairs(condition: sql.ColumnElement[bool], kind: sql.ColumnElement[bool]) -> sql.Select[Any]:
    """The keys of those who restrict, and of those who are restricted."""
    return (
        sql.select(_MINE.c.key.label("mine"), _THEIRS.c.key.label("theirs"))
        .select_from(RESTRICTIONS)
        .join(_MINE, _MINE.c.id == RESTRICTIONS.c.profile)
        .join(_THEIRS, _THEIRS.c.id == RESTRICTIONS.c.other)
        .where(condition, kind)
    )


_MUTED_BY: Final = _pairs(_MINE.c.key.in_(sql.bindparam("keys", expanding=True)), RESTRICTIONS.c.muted)
"""Made once, since every socket that is opened asks it."""
