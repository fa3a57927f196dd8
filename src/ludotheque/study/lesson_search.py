"""Check lessons in strategy: a search must clearly prefer the moves that they teach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludotheque.study.lessons import Lesson, LessonRun
from ludotheque.study.puzzle_making import look

CLEAR: Final = 0.04
"""A taught move gives at least this much more of the win than any other, at one of its decisions."""
NOISE: Final = 0.02
"""A smaller advantage of another decision says nothing: the same hexes can be built in another order."""
MIN_VISITS: Final = 0.01
"""A move that took a smaller part of the visits is not compared: its value is mostly luck."""


def doubts(lesson: Lesson, *, simulations: int, clear: float = CLEAR, seed: int = 1) -> list[str]:
    """Return the steps on the first way through a lesson whose moves a search does not clearly prefer."""
    run, found = LessonRun(lesson), list[str]()
    while not run.is_over:
        if not run.is_waiting:
            run.next()
            continue
        where = f"step {run.step_number + 1}"
        found += (f"{where}: {doubt}" for doubt in _doubts(_margins(run, simulations, seed), clear))
    return found


def _doubts(margins: dict[str, float], clear: float) -> Iterator[str]:
    for words, margin in margins.items():
        if margin < -NOISE:
            yield f"search prefers another move to {words!r}, by {-margin:.3f}"
    if max(margins.values()) < clear:
        yield f"search prefers its move by {max(margins.values()):.3f}, less than {clear}"


def _margins(run: LessonRun, simulations: int, seed: int) -> dict[str, float]:
    """Play the first accepted move of a step; return the advantage of each of its decisions over any other."""
    margins = dict[str, float]()
    for action in run.accepted()[0]:
        if wrong := set(run.wrong_actions()):
            margins[run.words(action)] = _advantage(run, wrong, simulations, seed)
        run.play(action)
    return margins


def _advantage(run: LessonRun, wrong: set[int], simulations: int, seed: int) -> float:
    """Return by how much of the win the best accepted action is ahead of the best wrong one."""
    found = look(run.state, run.seat, simulations, seed).candidates
    seen = {move.action: move.returns[run.seat] for move in found if move.visits >= MIN_VISITS * simulations}
    best = max((value for action, value in seen.items() if action not in wrong), default=0.0)
    return best - max((value for action, value in seen.items() if action in wrong), default=0.0)
