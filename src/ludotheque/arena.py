"""Bots against each other: matches with reports and ratings, and sequential tests of whether one is stronger.

For example:

    >>> from ludotheque.arena import play, sprt
    >>> report = play("passerelles(rounds=1)", ["greedy", "random"], games=8)
    >>> best = report.bots[0]
    >>> best.name, best.games, best.rating_low < best.rating < best.rating_high
    ('greedy', 8, True)
    >>> sprt("passerelles(rounds=1)", "greedy", "random", high=100).decision
    'stronger'

Every deal is played once for each rotation of the bots round the table, with the same dice. Bots go by their names, as
everywhere (`docs/write-a-bot.md`); one that `register_bot` added plays in this process only, so with `jobs=1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludotheque.core.game import Game
from ludotheque.core.registry import load_game
from ludotheque.core.turn import CLOCK
from ludotheque.study import sprt as sequential
from ludotheque.study.arena import Contest, Outcome, Report, Standing, make_report, run_contest, runner_on
from ludotheque.study.ratings import Ranking, Rating, ranks_of, rate
from ludotheque.study.sprt import SprtResult

__all__ = [
    "Contest",
    "Outcome",
    "Ranking",
    "Rating",
    "Report",
    "SprtResult",
    "Standing",
    "make_report",
    "play",
    "play_games",
    "ranks_of",
    "rate",
    "sprt",
]


def play(game: str | Game, bots: Sequence[str], games: int = 20, *, seed: int = 1, jobs: int = 1) -> Report:
    """Play bots against each other and report their wins, scores, ratings and times.

    More bots than seats meet in every group that fits the table; a bot can be named twice.
    """
    table = _loaded(game)
    contest = Contest(table.name, table.players, table.settings, tuple(bots), seed)
    return make_report(contest, play_games(contest, games, jobs=jobs))


def play_games(
    contest: Contest, games: int, *, jobs: int = 1, results: Path | None = None, records: Path | None = None
) -> list[Outcome]:
    """Play the first games of a contest, and return their outcomes in order.

    A file of `results` keeps each outcome at once and is resumed; `records` is a folder for the record of each game.
    """
    return run_contest(contest, games, runner_on(jobs), results, records)


def sprt(
    game: str | Game,
    first: str,
    second: str,
    *,
    low: float = 0.0,
    high: float = 50.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 10000,
    seed: int = 1,
    clock: float = CLOCK,
    jobs: int = 1,
) -> SprtResult:
    """Play two bots until it is clear whether the first is stronger by `high` rating points rather than by `low`.

    `alpha` is the risk of finding a bot stronger that is not, `beta` the risk of missing one that is.
    """
    return sequential.sprt(
        _loaded(game), first, second,
        low=low, high=high, alpha=alpha, beta=beta, max_games=max_games, seed=seed, clock=clock, run=runner_on(jobs),
    )  # fmt: skip


def _loaded(game: str | Game) -> Game:
    return load_game(game) if isinstance(game, str) else game
