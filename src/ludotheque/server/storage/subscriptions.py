"""Browsers that take push messages, and the key that signs these."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.push.endpoints import Endpoint
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.schema import SETTINGS, SUBSCRIPTIONS

MOST: Final = 10
"""The most browsers of one key that take messages."""
_SIGNING_KEY: Final = "push_key"


class Subscription(Struct, frozen=True):
    """A browser that takes messages, in the language of its reader."""

    endpoint: Endpoint
    language: str


async def add(storage: Storage, browser: bytes, subscription: Subscription, at: datetime) -> None:
    """Store a subscription for the holder of a key, in place of an older one of the same browser."""
    endpoint = subscription.endpoint
    row = {
        "digest": _digest(endpoint.url), "browser": browser, "endpoint": endpoint.url,
        "browser_key": endpoint.browser_key, "auth_secret": endpoint.auth_secret,
        "language": subscription.language, "created": at,
    }  # fmt: skip
    async with storage.writing() as connection:
        insert = insert_into(connection, SUBSCRIPTIONS).values(row)
        await connection.execute(insert.on_conflict_do_update(index_elements=[SUBSCRIPTIONS.c.digest], set_=row))
        await _drop_oldest(connection, browser)


async def _drop_oldest(connection: AsyncConnection, browser: bytes) -> None:
    mine = sql.select(SUBSCRIPTIONS.c.digest).where(SUBSCRIPTIONS.c.browser == browser)
    newest_first = mine.order_by(SUBSCRIPTIONS.c.created.desc(), SUBSCRIPTIONS.c.digest)
    found = (await connection.execute(newest_first)).scalars().all()
    await connection.execute(sql.delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.digest.in_(found[MOST:])))


async def remove(storage: Storage, browser: bytes, url: str) -> None:
    """Delete a subscription of the holder of a key."""
    async with storage.writing() as connection:
        mine = sql.and_(SUBSCRIPTIONS.c.digest == _digest(url), SUBSCRIPTIONS.c.browser == browser)
        await connection.execute(sql.delete(SUBSCRIPTIONS).where(mine))


async def forget(storage: Storage, url: str) -> None:
    """Delete a subscription that has ended."""
    async with storage.writing() as connection:
        await connection.execute(sql.delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.digest == _digest(url)))


async def of_browser(storage: Storage, browser: bytes) -> list[Subscription]:
    """Return the subscriptions of the holder of a key."""
    query = sql.select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.browser == browser)
    async with storage.reading() as connection:
        return [
            Subscription(Endpoint(row.endpoint, row.browser_key, row.auth_secret), row.language)
            for row in await connection.execute(query)
        ]


async def signing_key(storage: Storage, new: str) -> str:
    """Return the key that signs messages; the new one is stored if there is none."""
    async with storage.writing() as connection:
        insert = insert_into(connection, SETTINGS).values(name=_SIGNING_KEY, value=new)
        await connection.execute(insert.on_conflict_do_nothing())
        query = sql.select(SETTINGS.c.value).where(SETTINGS.c.name == _SIGNING_KEY)
        return str((await connection.execute(query)).scalar_one())


def _digest(url: str) -> bytes:
    return hashlib.sha256(url.encode()).digest()
