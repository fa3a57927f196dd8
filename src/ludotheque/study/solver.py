"""Ratings of people who solve puzzles, on the scale of chess ratings.

Only the first try of a puzzle counts. The pages rate a browser without a profile by the same rules (`study/rating.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

FIRST: Final = 1200
"""The rating of a new solver."""
LEARNING: Final = 15
"""The first tries, after which a rating moves more slowly."""
FAST: Final = 48
SLOW: Final = 24
PUZZLE: Final = 12
"""The most points that a try changes: of a new solver, of any other, and of the puzzle as this solver sees it."""


class FirstTry(Struct, frozen=True):
    """The first try of a puzzle."""

    puzzle: str
    surprise: float
    """The result less what was expected: above 0 if it was solved, else below."""

    @property
    def is_solved(self) -> bool:
        return self.surprise > 0

    @property
    def offset(self) -> int:
        """The points by which the puzzle's rating has changed for this solver."""
        return round(-PUZZLE * self.surprise)


class Solver(Struct, frozen=True):
    """Someone who solves the puzzles of a game."""

    rating: int = FIRST
    tries: int = 0
    run: int = 0
    """Puzzles solved in a row."""
    best: int = 0
    """The longest such row."""

    def surprise(self, puzzle_rating: int, is_solved: bool) -> float:
        """Return by how much a result exceeds the share of such puzzles that such a solver finds."""
        return is_solved - 1 / (1 + 10 ** ((puzzle_rating - self.rating) / 400))

    def after(self, tried: FirstTry) -> Solver:
        """Return the solver after one more first try."""
        points = FAST if self.tries < LEARNING else SLOW
        run = self.run + 1 if tried.is_solved else 0
        return Solver(self.rating + round(points * tried.surprise), self.tries + 1, run, max(self.best, run))


def solver_after(tries: Iterable[FirstTry]) -> Solver:
    """Return the solver after these first tries, the oldest first."""
    solver = Solver()
    for tried in tries:
        solver = solver.after(tried)
    return solver


def days_in_a_row(days: Set[date], today: date) -> int:
    """Count the days in a row, up to today or the day before, on which a puzzle of the day was solved."""
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count
