"""All cores on one position: independent searches in processes that are kept warm, and what they found added up.

The same seeds and numbers of simulations give the same numbers, whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final

from librt.random import Random
from msgspec import Struct

from ludotheque.bots.candidate import Candidate
from ludotheque.bots.players import SearchBot
from ludotheque.bots.workers import WorkerPool
from ludotheque.core.game import State
from ludotheque.core.options import OptionValue
from ludotheque.core.registry import cached_game
from ludotheque.core.turn import Turn


class Task(Struct, frozen=True):
    """One worker's part of a search: a position as its seat may know it, and how much to think."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    position: str
    seat: int
    seed: int
    simulations: int


class Pool:
    """Workers that wait for positions to think about. Close it, or use it in a `with` statement."""

    def __init__(self, workers: int) -> None:
        self.workers: Final = workers
        self._processes: Final = WorkerPool(workers)

    def think_apart(self, state: State, seat: int, *, seeds: Sequence[int], simulations: int) -> list[list[Candidate]]:
        """Run one search per seed, each with as many simulations; the number of workers does not change the result."""
        tasks = _tasks_apart(state, seat, seeds, simulations)
        return list(self._processes.map(work, tasks))

    def close(self) -> None:
        self._processes.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ThisProcess:
    """Searches like a pool, one search after the other, without more processes."""

    def think_apart(self, state: State, seat: int, *, seeds: Sequence[int], simulations: int) -> list[list[Candidate]]:
        """One search for each seed, each with as many simulations; finds what a pool finds."""
        return [work(task) for task in _tasks_apart(state, seat, seeds, simulations)]


def _tasks_apart(state: State, seat: int, seeds: Sequence[int], simulations: int) -> list[Task]:
    game = state.game
    seen = state.resample_from_infostate(seat, Random(seeds[0])).position()
    return [Task(game.name, game.players, game.settings, seen, seat, seed, simulations) for seed in seeds]


def work(task: Task) -> list[Candidate]:
    """Search a position, in a worker."""
    game = cached_game(task.game, task.players, task.settings)
    bot = SearchBot(game, task.seed, simulations=task.simulations)
    return bot.think(Turn(game.read_position(task.position), task.seat))


def added_up(searches: list[list[Candidate]]) -> list[Candidate]:
    """Several searches of one position as one: visits added, returns and scores by visits, the line of the one that saw
    most; but what one of them worked out stands."""
    by_action: dict[int, list[Candidate]] = {}
    for found in searches:
        for move in found:
            by_action.setdefault(move.action, []).append(move)
    merged = [_merged(moves) for moves in by_action.values()]
    return sorted(merged, key=lambda move: (not move.is_exact, -move.visits, move.action))


def _merged(moves: list[Candidate]) -> Candidate:
    exact = [move for move in moves if move.is_exact]
    if exact:
        return exact[0]
    visits = sum(move.visits for move in moves)
    seats = range(len(moves[0].returns))
    returns = tuple(sum(move.visits * move.returns[seat] for move in moves) / visits for seat in seats)
    scores = tuple(sum(move.visits * move.scores[seat] for move in moves) / visits for seat in seats)
    return Candidate(moves[0].action, visits, returns, scores, max(moves, key=lambda move: move.visits).line)
