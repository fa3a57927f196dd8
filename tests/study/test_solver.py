"""Ratings of people who solve puzzles."""

from __future__ import annotations

from datetime import date

from ludotheque.show.static import STATIC
from ludotheque.study.solver import (
    FAST,
    FIRST,
    LEARNING,
    PUZZLE,
    SLOW,
    FirstTry,
    Solver,
    days_in_a_row,
    solver_after,
)


def test_a_solved_puzzle_raises_the_solver_and_lowers_the_puzzle_a_hard_one_more() -> None:
    new = Solver()
    easy, hard = (FirstTry("one", new.surprise(rating, is_solved=True)) for rating in (900, 1900))
    assert FIRST < new.after(easy).rating < new.after(hard).rating
    assert hard.offset < easy.offset < 0
    missed = FirstTry("one", new.surprise(FIRST, is_solved=False))
    assert (new.after(missed).rating, missed.offset) == (FIRST - 24, 6)


def test_a_rating_moves_more_slowly_after_the_first_tries() -> None:
    learnt = Solver(tries=LEARNING)
    tried = FirstTry("one", learnt.surprise(FIRST, is_solved=True))
    assert (learnt.after(tried).rating, Solver().after(tried).rating) == (FIRST + 12, FIRST + 24)


def test_a_row_of_solved_puzzles_ends_with_a_wrong_move_and_the_longest_is_kept() -> None:
    solver = solver_after(FirstTry(str(number), surprise) for number, surprise in enumerate((0.5, 0.4, -0.6, 0.5)))
    assert (solver.tries, solver.run, solver.best) == (4, 1, 2)


def test_days_in_a_row_are_counted_up_to_today_or_the_day_before() -> None:
    days = {date(2026, 2, 27), date(2026, 2, 28), date(2026, 3, 1), date(2026, 2, 20)}
    assert [days_in_a_row(days, date(2026, 3, day)) for day in (1, 2, 3)] == [3, 3, 0]


def test_pages_rate_a_browser_without_a_profile_by_the_same_numbers() -> None:
    script = (STATIC / "study/rating.js").read_text(encoding="utf-8")
    assert f"const FIRST = {FIRST};" in script
    assert f"const LEARNING = {LEARNING};" in script
    assert f"const [FAST, SLOW, PUZZLE] = [{FAST}, {SLOW}, {PUZZLE}];" in script
