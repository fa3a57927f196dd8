"""Profiles: people who have named themselves, known by the secret that their browsers hold.

A profile has no password. Its key is the digest of a browser's secret; a link or a passkey hands that secret to another
browser, so that all browsers of a profile hold the same seats. The server stores the secret only sealed: whoever reads
the database learns neither the link nor the secret.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.recoveries import end_subscriptions, move_keys, move_subscriptions
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.schema import PASSKEYS, PROFILE_LINKS, PROFILES

VALID_FOR: Final = timedelta(hours=1)
"""Time for which a link carries a profile."""
VisibleTo = Literal["me", "met", "all"]
"""Circles that may see a profile: its owner, people who played with them, or everyone."""


class Profile(Struct, frozen=True):
    """A person."""

    id: str
    name: str
    visible_to: VisibleTo
    created: datetime

    @property
    def picture(self) -> str:
        """The address of the portrait."""
        return picture_url(self.id)


class Taken(Struct, frozen=True):
    """A profile that a link has carried to a browser."""

    secret: str
    """The secret that the browser holds from now on."""
    tables: frozenset[str]
    """The tables whose keys have moved."""


def picture_url(profile: str) -> str:
    return f"/api/people/{profile}/picture.svg"


def profile_of(row: sql.RowMapping) -> Profile:
    return Profile(row["id"], row["name"], row["visible_to"], row["created"].replace(tzinfo=UTC))


async def find_profile(storage: Storage, key: bytes) -> Profile | None:
    """Return the profile that a key opens."""
    return await _find(storage, PROFILES.c.key == key)


async def profile_by_id(storage: Storage, id: str) -> Profile | None:
    return await _find(storage, PROFILES.c.id == id)


async def key_of_profile(storage: Storage, id: str) -> bytes | None:
    async with storage.reading() as connection:
        return (await connection.execute(sql.select(PROFILES.c.key).where(PROFILES.c.id == id))).scalar_one_or_none()


async def _find(storage: Storage, condition: sql.ColumnElement[bool]) -> Profile | None:
    async with storage.reading() as connection:
        row = (await connection.execute(sql.select(PROFILES).where(condition))).mappings().one_or_none()
    return profile_of(row) if row else None


async def set_profile(storage: Storage, key: bytes, name: str, visible_to: VisibleTo) -> None:
    """Create the profile of a key, or change it; two requests at once make one profile."""
    row = {"id": new_table_id(), "key": key, "name": name, "visible_to": visible_to, "created": now()}
    changed = {"name": name, "visible_to": visible_to}

    async def set_it(connection: AsyncConnection) -> None:
        adding = insert_into(connection, PROFILES).values(row)
        await connection.execute(adding.on_conflict_do_update(index_elements=[PROFILES.c.key], set_=changed))

    await storage.write(set_it)


async def replace_name(storage: Storage, id: str, old: str, new: str) -> None:
    """Replace the name of a profile, unless its owner has changed it already."""
    named = sql.update(PROFILES).where(PROFILES.c.id == id, PROFILES.c.name == old).values(name=new)
    async with storage.writing() as connection:
        await connection.execute(named)


async def add_link(storage: Storage, profile: str, secret: str, at: datetime) -> tuple[str, datetime]:
    """Make the link that carries a profile, in place of an older one; return its secret and when it expires."""
    link, expires = new_secret(), at + VALID_FOR
    row = {"digest": digest(link), "profile": profile, "sealed": seal(secret.encode(), link), "expires": expires}
    ended = sql.or_(PROFILE_LINKS.c.profile == profile, PROFILE_LINKS.c.expires < at)
    async with storage.writing() as connection:
        await connection.execute(sql.delete(PROFILE_LINKS).where(ended))
        await connection.execute(sql.insert(PROFILE_LINKS), row)
    return link, expires


async def find_link(storage: Storage, link: str, at: datetime) -> Profile | None:
    """Return the profile that a link carries; None if it is unknown or has expired."""
    valid = sql.and_(PROFILE_LINKS.c.digest == digest(link), PROFILE_LINKS.c.expires >= at)
    of_link = sql.select(PROFILE_LINKS.c.profile).where(valid).scalar_subquery()
    return await _find(storage, PROFILES.c.id == of_link)


async def use_link(storage: Storage, link: str, browser: bytes, at: datetime) -> Taken | None:
    """Carry a profile to a browser, and end the link; None if it is unknown, has expired or been used.

    The seats that the browser held so far join those of the profile.
    """
    valid = sql.and_(PROFILE_LINKS.c.digest == digest(link), PROFILE_LINKS.c.expires >= at)
    async with storage.writing() as connection:
        ended = sql.delete(PROFILE_LINKS).where(valid).returning(PROFILE_LINKS.c.sealed)
        sealed = (await connection.execute(ended)).scalar_one_or_none()
        if sealed is None:
            return None
        return await join_browser(connection, browser, seal(sealed, link).decode())


async def join_browser(connection: AsyncConnection, browser: bytes, secret: str) -> Taken:
    """Let a browser be one of those that hold a secret; what it held so far joins that."""
    await move_subscriptions(connection, browser, digest(secret))
    moved = await move_keys(connection, browser, digest(secret))
    return Taken(secret, frozenset(moved))


async def renew_key(storage: Storage, old: bytes, new: bytes) -> frozenset[str]:
    """Give a profile another key, so that its other browsers, links and passkeys lose it; return the tables whose keys
    have moved."""
    async with storage.writing() as connection:
        await connection.execute(sql.update(PROFILES).where(PROFILES.c.key == old).values(key=new))
        of_profile = sql.select(PROFILES.c.id).where(PROFILES.c.key == new).scalar_subquery()
        for table in (PROFILE_LINKS, PASSKEYS):
            await connection.execute(sql.delete(table).where(table.c.profile == of_profile))
        await end_subscriptions(connection, old)
        return frozenset(await move_keys(connection, old, new))


async def delete_profile(connection: AsyncConnection, key: bytes) -> None:
    """Delete a profile with everything that refers to it."""
    await connection.execute(sql.delete(PROFILES).where(PROFILES.c.key == key))


def seal(text: bytes, link: str) -> bytes:
    """Seal 32 bytes with a link or the handle of a passkey, or open them: each is random and seals once, so its hash is
    a one-time pad."""
    pad = hashlib.sha256(b"profile " + link.encode()).digest()
    return bytes(a ^ b for a, b in zip(text, pad, strict=True))
