"""Server statistics: how many games were played, how long, and with what results by seat and by bot level."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import sqlalchemy as sql
from litestar import Response, get
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class, game_classes
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import ERRORS, Context, RequestContext
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.schema import RESULTS, TABLES
from ludotheque.server.table_bots import TITLES, level_title, without_style
from ludotheque.show.language import Reader
from ludotheque.show.scenes import score_text

_PEOPLE: Final = phrase("People")
SECONDS_KEPT: Final = 60.0
"""Seconds for which statistics are kept while this process records no result."""


class Lengths(Struct, frozen=True):
    """The number of moves of a game, draws not counted."""

    shortest: int
    mean: float
    longest: int


class SeatResult(Struct, frozen=True):
    """The results of a seat in games with a given number of players."""

    players: int
    seat: int
    played: int
    wins: float
    """Its share of the wins, 0 to 1; a win that several share is shared."""
    score: float
    """Its mean score."""


class LevelResult(Struct, frozen=True):
    """The results of people, or of the bots of a level."""

    who: str
    """`person`, or `bot`."""
    level: str
    name: str
    played: int
    """The number of seats that they played."""
    wins: float
    even: float
    """Their share of the wins if all played equally well."""
    score: float


class GameStatistics(Struct, frozen=True):
    """Statistics of a game."""

    game: str
    title: str
    played: int
    moves: Lengths
    seats: tuple[SeatResult, ...]
    levels: tuple[LevelResult, ...]


class Statistics(Struct, frozen=True):
    """Statistics of this server."""

    played: int
    games: tuple[GameStatistics, ...]


_PLAYED: Final = (
    sql.select(
        RESULTS.c.game,
        sql.func.count().label("played"),
        sql.func.min(RESULTS.c.moves).label("shortest"),
        sql.func.avg(RESULTS.c.moves).label("mean"),
        sql.func.max(RESULTS.c.moves).label("longest"),
    )
    .join(TABLES)
    .where(RESULTS.c.seat == 0)
    .group_by(RESULTS.c.game)
)
_AVERAGES: Final = (
    sql.func.count().label("played"),
    sql.func.avg(RESULTS.c.share).label("wins"),
    sql.func.avg(RESULTS.c.score).label("score"),
    sql.func.avg(1.0 / RESULTS.c.players).label("even"),
)


def _averages_by(*columns: sql.ColumnElement[Any]) -> sql.Select[Any]:
    grouped = (RESULTS.c.game, *columns)
    return sql.select(*grouped, *_AVERAGES).join(TABLES).group_by(*grouped).order_by(*grouped)


async def gather(storage: Storage, reader: Reader) -> Statistics:
    """The statistics, in the reader's words; only of games that were played to their last move, and of the installed
    versions of games, for others have other rules."""
    by_seat, by_level = _averages_by(RESULTS.c.players, RESULTS.c.seat), _averages_by(RESULTS.c.who, RESULTS.c.level)
    async with storage.reading() as connection:
        counted = sql.and_(RESULTS.c.played_out, playable_condition())
        found = [await connection.execute(query.where(counted)) for query in (_PLAYED, by_seat, by_level)]
    played, seats, levels = (rows.mappings().all() for rows in found)
    known = {row["game"]: row for row in played}
    games = tuple(_game(known[kind.name], seats, levels, reader) for kind in game_classes() if kind.name in known)
    return Statistics(sum(game.played for game in games), games)


def _game(
    row: sql.RowMapping, seats: Iterable[sql.RowMapping], levels: Iterable[sql.RowMapping], reader: Reader
) -> GameStatistics:
    name = row["game"]
    return GameStatistics(
        name,
        reader.translate(game_class(name).title),
        row["played"],
        Lengths(row["shortest"], float(row["mean"]), row["longest"]),
        tuple(_seat(of) for of in seats if of["game"] == name),
        tuple(_level(of, reader) for of in sorted(levels, key=_rank) if of["game"] == name),
    )


def _seat(row: sql.RowMapping) -> SeatResult:
    return SeatResult(row["players"], row["seat"], row["played"], row["wins"], float(row["score"]))


def _rank(row: sql.RowMapping) -> int:
    """People first, then bots, the weakest first."""
    known = [*TITLES]
    level = without_style(row["level"])
    return known.index(level) if level in known else -1


def _level(row: sql.RowMapping, reader: Reader) -> LevelResult:
    name = _PEOPLE if row["who"] == "person" else level_title(row["level"])
    return LevelResult(
        row["who"],
        row["level"],
        name.render(reader.translate),
        row["played"],
        row["wins"],
        float(row["even"]),
        float(row["score"]),
    )


async def gathered(context: RequestContext) -> Statistics:
    """The statistics, gathered anew once a minute or after a result of this process: in a large database that takes
    most of a second."""
    results = context.services.results
    await results.flush()
    key = results.recorded, int(time.monotonic() // SECONDS_KEPT), context.reader.language
    return await results.shared.get(key, lambda: gather(context.storage, context.reader))


@get("/statistics", responses=ERRORS)
async def statistics(context: Context) -> Statistics:
    """Games played to the end on this server: how many, how long, results by seat and by level."""
    return await gathered(context)


@get("/statistics", include_in_schema=False)
async def statistics_page(context: Context) -> Response[str]:
    """The same, for people."""
    write = partial(score_text, reader=context.reader)
    return page("statistics.html", context.reader, statistics=await gathered(context), score_text=write)
