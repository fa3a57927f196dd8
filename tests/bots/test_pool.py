"""Several processes on one position."""

from __future__ import annotations

from ludotheque import load_game
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.pool import Pool, Task, ThisProcess, added_up, work
from tests.bots.positions import HIDDEN_MOST, a_decision


def test_the_same_seeds_and_simulations_give_the_same_numbers_with_any_workers() -> None:
    state = a_decision(HIDDEN_MOST, 4, 30)
    seat = int(state.current_player())
    runs = []
    for workers in (1, 2):
        with Pool(workers) as pool:
            runs.append(pool.think_apart(state, seat, seeds=[3, 4], simulations=50))
    runs.append(ThisProcess().think_apart(state, seat, seeds=[3, 4], simulations=50))
    numbers = [[(move.action, move.visits, move.returns, move.scores) for move in added_up(run)] for run in runs]
    assert numbers[0] == numbers[1] == numbers[2]
    assert sum(visits for _, visits, *_ in numbers[0]) == 100


def test_a_worker_knows_tables_that_are_set_up_by_a_document() -> None:
    game = load_game("chicago-express", board={})
    position = game.new_initial_state().position()
    found = work(Task(game.name, game.players, game.settings, position, 0, seed=1, simulations=20))
    assert sum(move.visits for move in found) == 20


def test_searches_are_added_up_by_their_visits() -> None:
    one = [Candidate(5, 30, (0.5, 0.5), (10.0, 8.0), (1,)), Candidate(7, 10, (1.0, 0.0), (9.0, 0.0))]
    two = [Candidate(5, 10, (0.1, 0.9), (6.0, 12.0), (2, 3))]
    best, other = added_up([one, two])
    assert (best.action, best.visits, best.line) == (5, 40, (1,))
    assert (best.returns, best.scores) == ((0.4, 0.6), (9.0, 9.0))
    assert (other.action, other.visits, other.returns, other.scores) == (7, 10, (1.0, 0.0), (9.0, 0.0))


def test_what_one_search_worked_out_stands() -> None:
    even = (0.5, 0.5), (3.0, 3.0)
    one = [Candidate(5, 30, *even, (1,))]
    two = [Candidate(7, 10, (0.9, 0.1), (4.0, 1.0), (2,), is_exact=True), Candidate(5, 20, *even)]
    best, other = added_up([one, two])
    assert (best.action, best.returns, best.scores, best.is_exact) == (7, (0.9, 0.1), (4.0, 1.0), True)
    assert (other.action, other.visits) == (5, 50)
