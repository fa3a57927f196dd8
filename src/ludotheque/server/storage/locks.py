"""Locks of rows, all in one order, so that no two transactions of PostgreSQL wait for each other.

A transaction locks clubs first, then tournaments, profiles and tables, and several of one kind by their ids; the rows
that belong to them (members, players, keys, plies) come after. SQLite has one writer and needs none of this.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.schema import CLUBS, PROFILES, TABLES, TOURNAMENTS


async def keep_club(connection: AsyncConnection, id: str) -> bool:
    """Let no one delete a club until the transaction ends; return whether it exists."""
    query = sql.select(CLUBS.c.id).where(CLUBS.c.id == id).with_for_update(read=True, key_share=True)
    return (await connection.execute(query)).first() is not None


async def lock_tournaments(connection: AsyncConnection, condition: sql.ColumnElement[bool]) -> list[str]:
    """Let no one change the tournaments that fulfil a condition until the transaction ends; return their ids."""
    query = sql.select(TOURNAMENTS.c.id).where(condition).order_by(TOURNAMENTS.c.id).with_for_update()
    return list((await connection.execute(query)).scalars())


async def lock_profiles(connection: AsyncConnection, ids: Sequence[str]) -> list[str]:
    """Let no other transaction lock these profiles until this one ends; return those that exist."""
    query = sql.select(PROFILES.c.id).where(PROFILES.c.id.in_(ids)).order_by(PROFILES.c.id)
    return list((await connection.execute(query.with_for_update(key_share=True))).scalars())


async def keep_profiles(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, bytes]:
    """Let no one delete these profiles or change their keys until the transaction ends; return the keys of those that
    exist. Several transactions may keep the same profile."""
    query = sql.select(PROFILES.c.id, PROFILES.c.key).where(PROFILES.c.id.in_(ids)).order_by(PROFILES.c.id)
    rows = await connection.execute(query.with_for_update(read=True, key_share=True))
    return {row.id: row.key for row in rows}


async def keep_table(connection: AsyncConnection, id: str) -> bool:
    """Let no one delete a table until the transaction ends; return whether it exists."""
    query = sql.select(TABLES.c.id).where(TABLES.c.id == id).with_for_update(read=True, key_share=True)
    return (await connection.execute(query)).first() is not None


async def lock_tables(
    connection: AsyncConnection, condition: sql.ColumnElement[bool], most: int | None = None
) -> list[str]:
    """Let no one change the tables that fulfil a condition until the transaction ends; return their ids."""
    query = sql.select(TABLES.c.id).where(condition).order_by(TABLES.c.id).limit(most)
    return list((await connection.execute(query.with_for_update(key_share=True))).scalars())
