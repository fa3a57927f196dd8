"""Puzzles that people with a profile have solved: their ratings, their solved puzzles and their days in a row.

The server takes no rating from a browser. It rates the answers that it has judged; and when a browser joins a profile,
it rates the answers that the browser remembers, by the same rules and only for puzzles that the profile has not tried.
Only the owner of a profile sees any of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.core.registry import game_classes
from ludotheque.server.commands import BrowserSolving
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.locks import lock_profiles
from ludotheque.server.storage.schema import PUZZLE_DAYS, PUZZLE_TRIES
from ludotheque.study.puzzles import grades
from ludotheque.study.solver import FirstTry, days_in_a_row, solver_after

DAYS_JOINED: Final = timedelta(days=2000)
"""The days back from today that a browser may bring: no more than it can send at once, however often it sends."""


class RatedPuzzle(Struct, frozen=True):
    """A puzzle, by its game, with its rating."""

    id: str
    game: str
    rating: int


class PuzzleRecord(Struct, frozen=True):
    """A puzzle that someone tried."""

    puzzle: str
    game: str
    surprise: float | None
    """The result of the first try less what was expected; None if none has counted yet."""
    solved: bool
    """Whether they found the best move, at any try."""


class GameSolving(Struct, frozen=True):
    """Someone's solved puzzles of a game."""

    game: str
    rating: int
    tries: int
    run: int
    """Puzzles solved in a row."""
    best: int
    """The longest such row."""
    tried: dict[str, int]
    """The puzzles whose first try has counted, and by how much that changed the rating that each has for them."""
    solved: tuple[str, ...]
    """The solved puzzles."""


class Solving(Struct, frozen=True):
    """Someone's solved puzzles."""

    has_profile: bool
    """Whether the server keeps it; without a profile the browser does."""
    days: int = 0
    """The days in a row on which a puzzle of the day was solved."""
    games: tuple[GameSolving, ...] = ()


class CountedTry(Struct, frozen=True):
    """The changes that a try has made."""

    change: int
    """Points by which the solver's rating has changed."""
    days: int
    solving: GameSolving


WITHOUT_PROFILE: Final = Solving(has_profile=False)


def rated_puzzles() -> dict[str, RatedPuzzle]:
    """Return all puzzles by id."""
    return {
        id: RatedPuzzle(id, kind.name, grade.rating) for kind in game_classes() for id, grade in grades(kind).items()
    }


# Reading.


async def solving_of(storage: Storage, profile: str, today: date) -> Solving:
    """Return what someone has solved."""
    records, days = await solving_records(storage, profile)
    games = dict.fromkeys(record.game for record in records)
    return Solving(True, days_in_a_row(days, today), tuple(_of_game(records, game) for game in games))


async def solving_records(storage: Storage, profile: str) -> tuple[list[PuzzleRecord], set[date]]:
    """Return the puzzles that someone tried, the first one first, and the days on which they solved that day's."""
    async with storage.reading() as connection:
        return await _records(connection, profile), await _days(connection, profile)


async def _records(connection: AsyncConnection, profile: str) -> list[PuzzleRecord]:
    query = sql.select(PUZZLE_TRIES).where(PUZZLE_TRIES.c.profile == profile).order_by(PUZZLE_TRIES.c.number)
    return [PuzzleRecord(row.puzzle, row.game, row.surprise, row.solved) for row in await connection.execute(query)]


async def _days(connection: AsyncConnection, profile: str) -> set[date]:
    query = sql.select(PUZZLE_DAYS.c.day).where(PUZZLE_DAYS.c.profile == profile)
    return set((await connection.execute(query)).scalars())


def _of_game(records: list[PuzzleRecord], game: str) -> GameSolving:
    tries = _first_tries(records, game)
    solver = solver_after(tries)
    return GameSolving(
        game, solver.rating, solver.tries, solver.run, solver.best,
        {tried.puzzle: tried.offset for tried in tries},
        tuple(record.puzzle for record in records if record.solved and record.game == game),
    )  # fmt: skip


def _first_tries(records: list[PuzzleRecord], game: str) -> list[FirstTry]:
    return [FirstTry(each.puzzle, each.surprise) for each in records if each.game == game and each.surprise is not None]


# Writing.


async def count_try(
    storage: Storage, profile: str, puzzle: RatedPuzzle, is_solved: bool, is_rated: bool, day: date | None, today: date
) -> CountedTry | None:
    """Count a try: the first rated one changes the rating. `day`: the day whose puzzle it is. None if the profile is
    gone."""
    async with storage.writing() as connection:
        if not await lock_profiles(connection, [profile]):
            return None
        records = await _records(connection, profile)
        before = solver_after(_first_tries(records, puzzle.game))
        known = next((record for record in records if record.puzzle == puzzle.id), None)
        counts = is_rated and (known is None or known.surprise is None)
        surprise = before.surprise(puzzle.rating, is_solved) if counts else known.surprise if known else None
        solved = is_solved or (known is not None and known.solved)
        if counts or is_solved:
            await _write(connection, profile, [PuzzleRecord(puzzle.id, puzzle.game, surprise, solved)], counts)
        if day and is_solved:
            await _add_days(connection, profile, [day])
        after, days = _of_game(await _records(connection, profile), puzzle.game), await _days(connection, profile)
    return CountedTry(after.rating - before.rating, days_in_a_row(days, today), after)


async def join_solving(
    storage: Storage, profile: str, remembered: BrowserSolving, known: Mapping[str, RatedPuzzle], today: date
) -> None:
    """Let what a browser remembers join a profile: tries of puzzles that the profile has not tried, rated anew.
    Puzzles that do not exist (any more), days to come and days long ago are left out."""
    async with storage.writing() as connection:
        if not await lock_profiles(connection, [profile]):
            return
        records = {record.puzzle: record for record in await _records(connection, profile)}
        solvers = {game: solver_after(_first_tries([*records.values()], game)) for game in _games(known)}
        counted, solved = [], []
        for id, is_solved in remembered.tries.items():
            puzzle, before = known.get(id), records.get(id)
            if puzzle is None or (before and before.surprise is not None):
                continue
            tried = FirstTry(id, solvers[puzzle.game].surprise(puzzle.rating, is_solved))
            solvers[puzzle.game] = solvers[puzzle.game].after(tried)
            has_solved = is_solved or (before is not None and before.solved)
            records[id] = PuzzleRecord(id, puzzle.game, tried.surprise, has_solved)
            counted.append(records[id])
        for id in dict.fromkeys(remembered.solved):
            record = records.get(id) or (PuzzleRecord(id, known[id].game, None, False) if id in known else None)
            if record and not record.solved:
                solved.append(PuzzleRecord(id, record.game, record.surprise, True))
        await _write(connection, profile, counted, counts=True)
        await _write(connection, profile, solved, counts=False)
        lately = {day for day in remembered.days if today - DAYS_JOINED < day <= today}
        await _add_days(connection, profile, lately - await _days(connection, profile))


def _games(known: Mapping[str, RatedPuzzle]) -> set[str]:
    return {puzzle.game for puzzle in known.values()}


async def _write(connection: AsyncConnection, profile: str, records: Sequence[PuzzleRecord], counts: bool) -> None:
    """Store what is known of puzzles; those whose first try has just counted come last."""
    if not records:
        return
    of_profile = sql.select(sql.func.max(PUZZLE_TRIES.c.number)).where(PUZZLE_TRIES.c.profile == profile)
    first = ((await connection.execute(of_profile)).scalar_one() or 0) + 1
    rows = [
        {"profile": profile, "puzzle": record.puzzle, "game": record.game, "number": number,
         "surprise": record.surprise, "solved": record.solved}
        for number, record in enumerate(records, first)
    ]  # fmt: skip
    adding = insert_into(connection, PUZZLE_TRIES)
    changed = ("surprise", "solved", "number") if counts else ("surprise", "solved")
    key = [PUZZLE_TRIES.c.profile, PUZZLE_TRIES.c.puzzle]
    setting = {name: adding.excluded[name] for name in changed}
    await connection.execute(adding.on_conflict_do_update(index_elements=key, set_=setting), rows)


async def _add_days(connection: AsyncConnection, profile: str, days: Collection[date]) -> None:
    if days:
        rows = [{"profile": profile, "day": day} for day in sorted(days)]
        await connection.execute(insert_into(connection, PUZZLE_DAYS).on_conflict_do_nothing(), rows)
