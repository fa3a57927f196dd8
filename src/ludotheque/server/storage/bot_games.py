"""Rated games against bots: one unfinished game at a time, so that no one drops those that they would lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_profiles
from ludotheque.server.storage.schema import BOT_GAMES, TABLES


class BotGame(Struct, frozen=True):
    """A rated game against bots that is not over."""

    table: str
    to_move: int
    seats: Sequence[Any]
    clock: Any
    seated_at: float | None


async def claim_bot_game(connection: AsyncConnection, profile: str, table: str) -> bool:
    """Note the game that someone is about to begin; false if another one is not over, or their profile is gone."""
    if not await lock_profiles(connection, [profile]):
        return False
    mine = BOT_GAMES.c.profile == profile
    is_running = sql.and_(mine, ~TABLES.c.over, ~TABLES.c.closed)
    running = sql.select(TABLES.c.id).join(BOT_GAMES, BOT_GAMES.c.table_id == TABLES.c.id).where(is_running)
    if (await connection.execute(running)).first():
        return False
    await connection.execute(sql.delete(BOT_GAMES).where(mine))
    await connection.execute(sql.insert(BOT_GAMES).values(profile=profile, table_id=table))
    return True


async def release_bot_game(connection: AsyncConnection, table: str) -> None:
    """Note that a game is over."""
    await connection.execute(sql.delete(BOT_GAMES).where(BOT_GAMES.c.table_id == table))


async def running_bot_games(storage: Storage) -> list[BotGame]:
    """The rated games against bots that are not over."""
    columns = [TABLES.c[name] for name in ("id", "to_move", "seats", "clock", "seated_at")]
    joined = TABLES.join(BOT_GAMES, BOT_GAMES.c.table_id == TABLES.c.id)
    query = sql.select(*columns).select_from(joined).where(~TABLES.c.over, ~TABLES.c.closed)
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).all()
    return [BotGame(row.id, row.to_move, row.seats, row.clock, row.seated_at) for row in rows]
