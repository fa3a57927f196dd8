"""Ratings of people from rated tables: each game counts once, whichever process learns of its end.

A game counts if every seat belongs to a different profile, and it was not abandoned; a person who resigned, or for whom
a bot played in the end, comes last. Against bots it counts for the one person, by the fixed points of the bots, which
it does not change. All that a game changes is one transaction, which begins by noting the table: a
second one finds the note and does nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.bots.fixed_points import fixed_points
from ludotheque.core.errors import LudothequeError
from ludotheque.server.after.results import final_ranks
from ludotheque.server.errors import Refused
from ludotheque.server.storage.bot_games import release_bot_game
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_profiles
from ludotheque.server.storage.profiles import picture_url
from ludotheque.server.storage.schema import PROFILES, RATED_GAMES, RATINGS, TABLES
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import Seat
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.ratings import Skill, rate_game

LEAST_GAMES: Final = 5
"""Rated games of a game that it takes to be in its ranking."""
MOST_RANKED: Final = 100
_LOG: Final = logging.getLogger("ludotheque.server.club.ratings")


class Rated(Struct, frozen=True):
    """A person's rating in a game."""

    profile: str
    name: str
    game: str
    skill: Skill
    played: int


class RankedPerson(Struct, frozen=True):
    """A person in a ranking."""

    name: str
    picture: str
    url: str
    rating: int
    """On the chess scale: 400 points mean ten wins to one."""
    margin: int
    """Half of its 95% interval."""
    played: int


def ranked(rated: Rated) -> RankedPerson:
    rating, margin = round(rated.skill.points), round(rated.skill.margin)
    return RankedPerson(
        rated.name, picture_url(rated.profile), f"/people/{rated.profile}", rating, margin, rated.played
    )


class RatingLog:
    """Changes ratings when a rated game ends, also one that ended just before the server stopped."""

    def __init__(self, live_tables: LiveTables, events: TableEvents) -> None:
        self._live_tables = live_tables
        self._storage = live_tables.storage
        self._rating: set[asyncio.Task[None]] = set()
        events.subscribe(self._on_event)

    def _on_event(self, event: TableEvent) -> None:
        table = self._live_tables.in_memory(event.table)
        if event.what == "position" and table and table.match.is_over and table.facts.terms.rated:
            self._begin(self.rate(table))

    def catch_up(self) -> None:
        """Count games that are missing: the server has just started."""
        self._begin(self._catch_up())

    async def stop(self) -> None:
        await asyncio.gather(*self._rating, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._rating.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._rating.discard(task)
        if not task.cancelled() and task.exception():
            _LOG.error("a rated game was not counted; it will be at the next start", exc_info=task.exception())

    async def _catch_up(self) -> None:
        for id in await _uncounted(self._storage):
            try:
                await self.rate(await self._live_tables.table(id))
            except (LudothequeError, Refused):
                _LOG.exception("table %s cannot be loaded", id)

    async def rate(self, table: LiveTable) -> None:
        """Change the ratings of those who played at a table, unless that is done."""
        try:
            async with self._storage.writing() as connection:
                players = await _players_at(connection, table)
                row = {"table_id": table.id, "counted": bool(players)}
                await connection.execute(sql.insert(RATED_GAMES), row)
                await release_bot_game(connection, table.id)
                if players:
                    await _rate(connection, table.game.name, players, _ranks(table))
        except IntegrityError:
            _LOG.debug("table %s was counted before", table.id)


Player = str | Skill
"""A person's profile, or the skill of a bot, which stays as it is."""


async def _players_at(connection: AsyncConnection, table: LiveTable) -> list[Player]:
    """The player of each seat; empty unless the game has a result and each seat has a different profile, or a bot with
    a fixed point."""
    facts = table.facts
    bots = _bots_at(table)
    if bots is None or (facts.ending.abandoned and _loser(table) is None):
        return []
    holders = {seat: facts.keys.browsers(seat) for seat in range(len(facts.seats)) if seat not in bots}
    keys = [key for found in holders.values() for key in found]
    query = sql.select(PROFILES.c.key, PROFILES.c.id).where(PROFILES.c.key.in_(keys))
    known = {row.key: row.id for row in await connection.execute(query)}
    people = {seat: known[key] for seat, found in holders.items() for key in found if key in known}
    if not len(people) == len(keys) == len({*people.values()}) == len(holders):
        return []
    return [bots[seat] if seat in bots else people[seat] for seat in range(len(facts.seats))]


def _bots_at(table: LiveTable) -> dict[int, Skill] | None:
    """The skill of each bot that plays for itself; None if one of them has no fixed point."""
    points = fixed_points(table.game)
    bots = {seat: player.level for seat, player in enumerate(table.facts.seats) if _is_bot(player)}
    if not all(level in points for level in bots.values()):
        return None
    return {seat: Skill.at(points[level].rating, points[level].margin) for seat, level in bots.items()}


def _is_bot(seat: Seat) -> bool:
    return seat.who == "bot" and not seat.substitutes


def _loser(table: LiveTable) -> int | None:
    """The person who gave up a game against bots, or lost it on time: it ends there, also with more than two seats."""
    facts = table.facts
    return next(iter(facts.ending.seats), None) if facts.is_rated_against_bots else None


def _ranks(table: LiveTable) -> Sequence[float]:
    """The rank of each seat; lower is better."""
    loser = _loser(table)
    return final_ranks(table) if loser is None else [float(seat == loser) for seat in range(len(table.facts.seats))]


async def _rate(connection: AsyncConnection, game: str, players: Sequence[Player], ranks: Sequence[float]) -> None:
    """Change the ratings of people by the result of one game."""
    people = [player for player in players if isinstance(player, str)]
    await lock_profiles(connection, people)  # a first game has no row of ratings to lock
    of_people = sql.and_(RATINGS.c.game == game, RATINGS.c.profile.in_(people))
    known = {row["profile"]: row for row in (await connection.execute(sql.select(RATINGS).where(of_people))).mappings()}
    skills = {id: Skill(known[id]["mu"], known[id]["sigma"]) if id in known else Skill() for id in people}
    before = [skills[player] if isinstance(player, str) else player for player in players]
    after = rate_game(before, ranks)
    await connection.execute(sql.delete(RATINGS).where(of_people))
    rows = [
        {"profile": id, "game": game, "mu": skill.mu, "sigma": skill.sigma,
         "played": (known[id]["played"] if id in known else 0) + 1}
        for id, skill in zip(players, after, strict=True)
        if isinstance(id, str)
    ]  # fmt: skip
    await connection.execute(sql.insert(RATINGS), rows)


async def _uncounted(storage: Storage) -> list[str]:
    is_rated = TABLES.c.terms["rated"].as_boolean()
    counted = sql.exists().where(RATED_GAMES.c.table_id == TABLES.c.id)
    query = sql.select(TABLES.c.id).where(TABLES.c.over, is_rated, ~counted).order_by(TABLES.c.updated)
    async with storage.reading() as connection:
        return [str(id) for id in (await connection.execute(query)).scalars()]


# Reading.


async def ratings_of(storage: Storage, profile: str) -> list[Rated]:
    """The ratings of a person, by game."""
    return await _read(storage, RATINGS.c.profile == profile, RATINGS.c.game)


async def ranking(storage: Storage, game: str) -> list[Rated]:
    """The people with enough rated games who let everyone see them, best first."""
    ranked = sql.and_(RATINGS.c.game == game, RATINGS.c.played >= LEAST_GAMES, PROFILES.c.visible_to == "all")
    return await _read(storage, ranked, RATINGS.c.mu.desc())


async def _read(storage: Storage, condition: sql.ColumnElement[bool], order: Any) -> list[Rated]:
    query = sql.select(RATINGS, PROFILES.c.name).join(PROFILES).where(condition).order_by(order).limit(MOST_RANKED)
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return [
        Rated(row["profile"], row["name"], row["game"], Skill(row["mu"], row["sigma"]), row["played"]) for row in rows
    ]
