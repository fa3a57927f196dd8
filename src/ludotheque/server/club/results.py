"""Results of a profile: read from the results of tables whose seats its key opens, and summarised by pure functions.

A seat belongs to the profile whose key opens it, so a result needs no second record, and one who forgets a table
forgets its result with it. Tables where someone holds several seats are not counted: they played against themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sql
from msgspec import Struct

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import Profile, profile_of
from ludotheque.server.storage.schema import KEYS, PROFILES, RESULTS, TABLES
from ludotheque.table.ending import Ending

MOST_GAMES: Final = 1000
"""Latest games that a page counts."""
K = TypeVar("K")


class SeatPlayed(Struct, frozen=True):
    """A seat of a finished game."""

    seat: int
    name: str
    who: str
    level: str
    score: int
    share: float
    """Its share of the win; 0 if its person has resigned."""
    profile: Profile | None = None


class GamePlayed(Struct, frozen=True):
    """A finished game, as one of its players sees it."""

    table: str
    game: str
    ended: datetime
    moves: int
    me: SeatPlayed
    others: tuple[SeatPlayed, ...]
    is_played_out: bool = True
    """Whether it came to its last move: its scores count as records."""

    @property
    def players(self) -> int:
        return 1 + len(self.others)


class Tally(Struct, frozen=True):
    """Games counted together."""

    played: int
    wins: float
    """A win that several share is shared."""
    even: float
    """The wins if all had played equally well."""


class Opponent(Struct, frozen=True):
    """Someone met at tables: a person with a profile, or the bots of a level."""

    name: str
    profile: str
    """The id of a profile that the reader may see; empty for a bot."""
    level: str
    tally: Tally
    better: int
    """Games in which the reader scored more."""
    last: datetime


class GameRecord(Struct, frozen=True):
    """The bests of a player in a game."""

    score: int
    score_table: str
    longest: int
    """Moves of the longest game."""
    streak: int
    """Most outright wins in a row."""


def tally(games: Sequence[GamePlayed]) -> Tally:
    return Tally(len(games), sum(game.me.share for game in games), sum(1 / game.players for game in games))


def grouped(games: Iterable[GamePlayed], key: Callable[[GamePlayed], K]) -> dict[K, list[GamePlayed]]:
    """Games by a key, in their order."""
    found: dict[K, list[GamePlayed]] = {}
    for game in games:
        found.setdefault(key(game), []).append(game)
    return found


def record_of(games: Sequence[GamePlayed]) -> GameRecord:
    """The bests in games of one kind, the latest first."""
    played_out = [game for game in games if game.is_played_out] or games
    best = max(played_out, key=lambda game: game.me.score)
    streak = longest = 0
    for game in reversed(games):
        streak = streak + 1 if game.me.share == 1 else 0
        longest = max(longest, streak)
    return GameRecord(best.me.score, best.table, max(game.moves for game in played_out), longest)


def opponents(games: Iterable[GamePlayed]) -> list[Opponent]:
    """The people with a visible profile and the levels of bots that were met, most often first."""
    met: dict[tuple[str, str], list[tuple[GamePlayed, SeatPlayed]]] = {}
    for game in games:
        for other in game.others:
            key = other.profile.id if other.profile else "", other.level if other.who == "bot" else ""
            if any(key):
                met.setdefault(key, []).append((game, other))
    found = [_opponent(profile, level, seats) for (profile, level), seats in met.items()]
    return sorted(found, key=lambda each: (-each.tally.played, each.name))


def _opponent(profile: str, level: str, met: Sequence[tuple[GamePlayed, SeatPlayed]]) -> Opponent:
    games = [game for game, _ in {game.table: (game, other) for game, other in met}.values()]
    latest = met[0][1]
    better = sum(game.me.score > other.score for game, other in met)
    name = latest.profile.name if latest.profile else latest.name
    return Opponent(name, profile, level, tally(games), better, games[0].ended)


# Reading.


def _tables_of(key: bytes) -> sql.Select[Any]:
    """The finished tables at which a key opens one seat."""
    return (
        sql.select(KEYS.c.table_id)
        .join(TABLES, TABLES.c.id == KEYS.c.table_id)
        .where(KEYS.c.digest == key, KEYS.c.kind == "browser", KEYS.c.seat >= 0, TABLES.c.over)
        .group_by(KEYS.c.table_id, TABLES.c.updated)
        .having(sql.func.count() == 1)
        .order_by(TABLES.c.updated.desc())
        .limit(MOST_GAMES)
    )


async def games_of(storage: Storage, key: bytes) -> list[GamePlayed]:
    """Return the finished games of a key, the latest first; profiles of others as far as the owner may see them."""
    tables = _tables_of(key).subquery()
    here = RESULTS.c.table_id.in_(sql.select(tables.c.table_id))
    played = (
        sql.select(RESULTS, TABLES.c.names, TABLES.c.updated, TABLES.c.ending)
        .join(TABLES)
        .where(here)
        .order_by(TABLES.c.updated.desc(), RESULTS.c.table_id, RESULTS.c.seat)
    )
    at_seat = sql.and_(KEYS.c.table_id == RESULTS.c.table_id, KEYS.c.seat == RESULTS.c.seat, KEYS.c.kind == "browser")
    people = (
        sql.select(RESULTS.c.table_id, RESULTS.c.seat, PROFILES)
        .join(KEYS, at_seat)
        .join(PROFILES, PROFILES.c.key == KEYS.c.digest)
        .where(here)
        .order_by(PROFILES.c.created.desc())
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(played)).mappings().all()
        known = {(row["table_id"], row["seat"]): row for row in (await connection.execute(people)).mappings()}
    tables_played: dict[str, list[sql.RowMapping]] = {}
    for row in rows:
        tables_played.setdefault(row["table_id"], []).append(row)
    games = (_game(seats, known, key) for seats in tables_played.values())
    return [game for game in games if game]


def _game(
    rows: Sequence[sql.RowMapping], known: dict[tuple[str, int], sql.RowMapping], key: bytes
) -> GamePlayed | None:
    """The game of a table; None if the profile came to its seat in another way, so that it is not known which it is."""
    mine = [row["seat"] for row in rows if (found := known.get((row["table_id"], row["seat"]))) and found["key"] == key]
    if len(mine) != 1:
        return None
    seats = {row["seat"]: _seat(row, known.get((row["table_id"], row["seat"]))) for row in rows}
    me = seats.pop(mine[0])
    first = rows[0]
    ended = first["updated"].replace(tzinfo=UTC)
    others = tuple(seats.values())
    return GamePlayed(first["table_id"], first["game"], ended, first["moves"], me, others, first["played_out"])


def _seat(row: sql.RowMapping, owner: sql.RowMapping | None) -> SeatPlayed:
    profile = profile_of(owner) if owner and owner["visible_to"] != "me" else None
    name = row["names"][row["seat"]]
    return SeatPlayed(row["seat"], name, row["who"], row["level"], row["score"], _share(row), profile)


def _share(row: sql.RowMapping) -> float:
    """The share of the win of a seat; 0 if its person has resigned."""
    has_resigned = row["seat"] in msgspec.convert(row["ending"], Ending).seats
    return 0.0 if has_resigned else float(row["share"])


async def shares_of(storage: Storage, seats: Mapping[str, int]) -> dict[str, float]:
    """The share of the win of a seat of each table, by table; 0 if its person has resigned. Tables without a result are
    left out."""
    if not seats:
        return {}
    query = (
        sql.select(RESULTS.c.table_id, RESULTS.c.seat, RESULTS.c.share, TABLES.c.ending)
        .join(TABLES)
        .where(RESULTS.c.table_id.in_(seats))
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return {row["table_id"]: _share(row) for row in rows if row["seat"] == seats[row["table_id"]]}


async def have_met(storage: Storage, one: bytes, other: str) -> bool:
    """Whether the browser of a key and someone with a profile have sat at one table."""
    mine, theirs = KEYS.alias(), KEYS.alias()
    query = (
        sql.select(mine.c.table_id)
        .join(theirs, theirs.c.table_id == mine.c.table_id)
        .join(PROFILES, PROFILES.c.key == theirs.c.digest)
        .where(mine.c.digest == one, mine.c.seat >= 0, theirs.c.seat >= 0, PROFILES.c.id == other)
        .limit(1)
    )
    async with storage.reading() as connection:
        return (await connection.execute(query)).first() is not None
