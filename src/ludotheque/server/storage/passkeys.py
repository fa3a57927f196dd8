"""Passkeys of profiles, and the challenges that they sign.

A passkey holds a random handle, which the server does not store. The handle seals the secret of the profile's browsers,
as a link does: whoever reads the database learns no secret, and whoever signs in with the passkey brings the handle.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct

from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.profiles import Taken, join_browser, seal
from ludotheque.server.storage.schema import PASSKEY_CHALLENGES, PASSKEYS, PROFILES

VALID_FOR: Final = timedelta(minutes=5)
"""The time within which a challenge may be signed."""
MOST: Final = 10
"""The most passkeys of one profile."""


class Passkey(Struct, frozen=True):
    """A passkey of a profile."""

    digest: bytes
    credential: bytes
    created: datetime
    used: datetime | None

    @property
    def id(self) -> str:
        """The name by which its owner removes it."""
        return self.digest.hex()


async def add_challenge(storage: Storage, challenge: bytes, profile: str, at: datetime) -> None:
    """Store a challenge, for a new passkey of a profile or, without one, to sign in; delete old ones."""
    row = {"digest": _digest(challenge), "profile": profile, "expires": at + VALID_FOR}
    async with storage.writing() as connection:
        await connection.execute(sql.delete(PASSKEY_CHALLENGES).where(PASSKEY_CHALLENGES.c.expires < at))
        await connection.execute(sql.insert(PASSKEY_CHALLENGES).values(row))


async def use_challenge(storage: Storage, challenge: bytes, profile: str, at: datetime) -> bool:
    """End a challenge; false if it was never made for this, has expired or been used."""
    valid = sql.and_(
        PASSKEY_CHALLENGES.c.digest == _digest(challenge),
        PASSKEY_CHALLENGES.c.profile == profile,
        PASSKEY_CHALLENGES.c.expires >= at,
    )
    async with storage.writing() as connection:
        return (await connection.execute(sql.delete(PASSKEY_CHALLENGES).where(valid))).rowcount == 1


async def add_passkey(
    storage: Storage, profile: str, id: bytes, credential: bytes, counter: int, sealed: bytes, at: datetime
) -> bool:
    """Store a passkey; false if it is known already, or the profile has too many."""
    row = {
        "digest": _digest(id), "profile": profile, "credential": credential, "sealed": sealed, "counter": counter,
        "created": at,
    }  # fmt: skip
    count = sql.select(sql.func.count()).select_from(PASSKEYS).where(PASSKEYS.c.profile == profile)
    async with storage.writing() as connection:
        owner = sql.select(PROFILES.c.id).where(PROFILES.c.id == profile).with_for_update()
        if (await connection.execute(owner)).first() is None or (await connection.execute(count)).scalar_one() >= MOST:
            return False
        insert = insert_into(connection, PASSKEYS).values(row).on_conflict_do_nothing()
        return bool((await connection.execute(insert)).rowcount == 1)


async def passkeys_of(storage: Storage, profile: str) -> list[Passkey]:
    """Return the passkeys of a profile, the oldest first."""
    return await _find(storage, PASSKEYS.c.profile == profile)


async def find_passkey(storage: Storage, id: bytes) -> Passkey | None:
    """Return the passkey with the id of a credential."""
    found = await _find(storage, PASSKEYS.c.digest == _digest(id))
    return found[0] if found else None


async def _find(storage: Storage, condition: sql.ColumnElement[bool]) -> list[Passkey]:
    query = sql.select(PASSKEYS).where(condition).order_by(PASSKEYS.c.created, PASSKEYS.c.digest)
    async with storage.reading() as connection:
        return [_passkey(row) for row in await connection.execute(query)]


def _passkey(row: sql.Row[Any]) -> Passkey:
    used = row.used.replace(tzinfo=UTC) if row.used else None
    return Passkey(row.digest, row.credential, row.created.replace(tzinfo=UTC), used)


async def remove_passkey(storage: Storage, profile: str, id: str) -> None:
    """Delete a passkey of a profile."""
    async with storage.writing() as connection:
        mine = sql.and_(PASSKEYS.c.profile == profile, PASSKEYS.c.digest == bytes.fromhex(id))
        await connection.execute(sql.delete(PASSKEYS).where(mine))


async def sign_in(
    storage: Storage, passkey: Passkey, handle: str, counter: int, browser: bytes, at: datetime
) -> Taken | None:
    """Carry the profile of a passkey to a browser; None if the handle is not its own, or the passkey was copied.

    A counter that does not grow means a copy; passkeys that several devices share have none, and send 0.
    """
    grows = sql.or_(PASSKEYS.c.counter < counter, sql.and_(PASSKEYS.c.counter == 0, sql.literal(counter) == 0))
    mine = sql.and_(PASSKEYS.c.digest == passkey.digest, grows)
    used = sql.update(PASSKEYS).where(mine).values(counter=counter, used=at)
    async with storage.writing() as connection:
        row = (await connection.execute(used.returning(PASSKEYS.c.profile, PASSKEYS.c.sealed))).one_or_none()
        if row is None:
            return None
        secret = seal(row.sealed, handle).decode("ascii", "replace")
        of_profile = sql.select(PROFILES.c.key).where(PROFILES.c.id == row.profile)
        if (await connection.execute(of_profile)).scalar_one_or_none() != digest(secret):
            return None
        return await join_browser(connection, browser, secret)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
