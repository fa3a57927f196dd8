"""Several processes on one position."""

from __future__ import annotations

from ludotheque import load_game
from ludotheque.bots.pool import Pool, Task, added_up, work
from ludotheque.bots.search import Candidate
from tests.bots.positions import HIDDEN_MOST, a_decision


def test_the_same_seed_simulations_and_workers_give_the_same_numbers() -> None:
    state = a_decision(HIDDEN_MOST, 4, 30)
    seat = int(state.current_player())
    with Pool(2) as pool:
        runs = [pool.think(state, seat, seed=3, simulations=101) for _ in range(2)]
    first, second = ([(move.action, move.visits, move.returns, move.scores) for move in found] for found in runs)
    assert first == second
    assert sum(visits for _, visits, *_ in first) == 101


def test_a_worker_knows_tables_that_are_set_up_by_a_document() -> None:
    game = load_game("chicago-express", board={})
    position = game.new_initial_state().position()
    found = work(Task(game.name, game.players, game.settings, position, 0, seed=1, simulations=20, seconds=0.0))
    assert sum(move.visits for move in found) == 20


def test_searches_are_added_up_by_their_visits() -> None:
    one = [Candidate(5, 30, (0.5, 0.5), (10.0, 8.0), [1]), Candidate(7, 10, (1.0, 0.0), (9.0, 0.0), [])]
    two = [Candidate(5, 10, (0.1, 0.9), (6.0, 12.0), [2, 3])]
    best, other = added_up([one, two])
    assert (best.action, best.visits, best.line) == (5, 40, [1])
    assert (best.returns, best.scores) == ((0.4, 0.6), (9.0, 9.0))
    assert (other.action, other.visits, other.returns, other.scores) == (7, 10, (1.0, 0.0), (9.0, 0.0))


def test_what_one_search_worked_out_stands() -> None:
    even = (0.5, 0.5), (3.0, 3.0)
    one = [Candidate(5, 30, *even, [1])]
    two = [Candidate(7, 10, (0.9, 0.1), (4.0, 1.0), [2], is_exact=True), Candidate(5, 20, *even, [])]
    best, other = added_up([one, two])
    assert (best.action, best.returns, best.scores, best.is_exact) == (7, (0.9, 0.1), (4.0, 1.0), True)
    assert (other.action, other.visits) == (5, 50)
