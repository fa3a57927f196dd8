"""The search: it repeats itself, never looks at what is hidden, keeps its bounds and finds what is to be found."""

from __future__ import annotations

from math import exp
from threading import Event, Thread

import pytest
from librt.random import Random

from ludotheque import COMPILED, load_game, policy_of
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.search import SearchTree, new_search
from ludotheque.bots.search.deterministic import DeterministicTree
from ludotheque.bots.search.tree import INITIAL_CAPACITY, NODE, NODES, VISITS
from ludotheque.core.game import Game, State
from tests.bots.positions import TABLES, a_decision
from tests.toy import Nim


def searched(state: State, simulations: int, seed: int = 1) -> SearchTree:
    search = new_search(state.game, policy_of(state.game), state, int(state.current_player()))
    search.run(simulations, Random(seed))
    return search


def numbers(found: list[Candidate]) -> list[tuple[int, int, tuple[float, ...], tuple[float, ...], tuple[int, ...]]]:
    return [(move.action, move.visits, move.returns, move.scores, move.line) for move in found]


@pytest.mark.parametrize("game", TABLES, ids=repr)
@pytest.mark.parametrize("steps", [0, 30])
def test_same_seed_and_simulations_same_numbers(game: Game, steps: int) -> None:
    state = a_decision(game, 7, steps)
    assert numbers(searched(state, 60).candidates()) == numbers(searched(state.clone(), 60).candidates())


@pytest.mark.parametrize("game", TABLES, ids=repr)
@pytest.mark.parametrize("steps", [0, 40])
def test_what_the_seat_cannot_see_changes_nothing(game: Game, steps: int) -> None:
    state = a_decision(game, 3, steps)
    seat = int(state.current_player())
    found = numbers(searched(state, 60).candidates())
    others = [state.resample_from_infostate(seat, Random(seed)) for seed in range(3)]
    assert game.has_hidden_information == any(other.position() != state.position() for other in others)
    for other in others:
        assert numbers(searched(other, 60).candidates()) == found


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_every_simulation_is_counted_once_and_every_return_is_a_share(game: Game) -> None:
    search = searched(a_decision(game, 5, 10), 80)
    found = search.candidates()
    assert search.simulations() == 80 == sum(move.visits for move in found)
    for move in found:
        assert sum(move.returns) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in move.returns)


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_the_candidates_are_legal(game: Game) -> None:
    for steps in (0, 20, 50):
        state = a_decision(game, 2, steps)
        assert {move.action for move in searched(state, 50).candidates()} <= set(state.legal_actions())


def test_a_search_goes_on_where_it_stopped() -> None:
    state = a_decision(TABLES[0], 1, 20)
    rng = Random(1)
    search = new_search(state.game, policy_of(state.game), state, int(state.current_player()))
    search.run(20, rng)
    search.run(40, rng)
    assert numbers(search.candidates()) == numbers(searched(state, 60).candidates())


@pytest.mark.parametrize("name", ["chicago-express", "passerelles"])
def test_where_nothing_is_hidden_the_tree_outlives_the_move(name: str) -> None:
    state = a_decision(load_game(name), 3, 12)
    search = searched(state, 400)
    best = search.candidates()[0]
    after = state.clone()
    after.apply(best.action)
    search.advance(after, int(after.current_player()), [best.action])
    assert search.simulations() == best.visits
    kept = search.candidates()
    assert kept[0].action == best.line[0]
    assert sum(move.visits for move in kept) == best.visits - policy_of(state.game).expand_after_visits
    search.run(50, Random(2))
    assert search.simulations() == best.visits + 50
    assert {move.action for move in search.candidates()} <= set(after.legal_actions())


def test_a_move_played_later_counts_for_the_same_move_now() -> None:
    search = searched(a_decision(load_game("passerelles"), 3, 12), 100)
    assert isinstance(search, DeterministicTree)
    children = range(1, int(search.size))
    later = [int(search.amaf[2 * child]) - int(search.nodes[NODE * child + VISITS]) for child in children]
    assert min(later) == 0
    assert max(later) > 0


@pytest.mark.skipif(not COMPILED, reason="it takes too long to fill a tree in pure mode")
def test_a_tree_stops_growing_at_its_bound_and_simulations_go_on() -> None:
    state = load_game("chicago-express").new_initial_state()
    search = searched(state, 30000)
    assert NODES - policy_of(state.game).width < search.size <= NODES
    search.run(1000, Random(2))
    assert search.size <= NODES
    assert search.simulations() == 31000 == sum(move.visits for move in search.candidates())


def test_final_scores_stay_beside_the_returns_while_the_tree_grows_and_moves_on() -> None:
    """In Nim the returns are the scores on another scale."""
    game = Nim(2, {"matches": 300})
    policy = policy_of(game)
    policy.expand_after_visits = 1
    state = game.new_initial_state()
    search = new_search(game, policy, state, 0)
    search.run(800, Random(1))
    assert search.capacity > INITIAL_CAPACITY
    check_scores(search.candidates())
    best = search.candidates()[0]
    state.apply(best.action)
    search.advance(state, 1, [best.action])
    assert search.simulations() == best.visits
    check_scores(search.candidates())


def check_scores(found: list[Candidate]) -> None:
    lost, won = (0.2 / (1 + exp(one)) for one in (0.1, -0.1))
    for move in found:
        assert sum(move.scores) == pytest.approx(1)
        assert [lost + (0.8 + won - lost) * score for score in move.scores] == pytest.approx(move.returns)


def test_other_threads_run_while_a_search_does() -> None:
    search = searched(a_decision(load_game("chicago-express"), 7, 30), 64)
    sizes: set[int] = set()
    over = Event()

    def watch() -> None:
        while not over.is_set():
            sizes.add(int(search.size))

    watcher = Thread(target=watch)
    watcher.start()
    search.run(20_000 if COMPILED else 300, Random(1))
    over.set()
    watcher.join()
    assert len(sizes) > 3, "more than the tree before and after"


def test_a_last_move_is_scored_as_the_rules_count_it() -> None:
    for game in (load_game("passerelles", rounds=1), load_game("cable-car", 2)):
        state = before_last_move(game, 3)
        for move in searched(state, 50).candidates():
            after = state.clone()
            after.apply(move.action)
            assert move.scores == tuple(after.scores())


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_stopping_early_never_changes_the_choice(game: Game) -> None:
    stopped = 0
    for steps in (5, 20, 45):
        state = a_decision(game, 4, steps)
        search = new_search(game, policy_of(game), state, int(state.current_player()))
        search.run_until_decided(400, Random(1))
        whole = searched(state, 400)
        stopped += search.simulations() < 400
        assert search.candidates()[0].action == whole.candidates()[0].action
    assert stopped, "no position was easy"


def test_where_something_is_drawn_the_next_move_starts_afresh() -> None:
    state = a_decision(load_game("cable-car"), 3, 12)
    search = searched(state, 50)
    search.advance(state, int(state.current_player()), [])
    assert search.simulations() == 0


def test_it_finds_the_move_that_wins() -> None:
    """Near the end of random games, search must find a winning last move of its own wherever there is one."""
    game = load_game("cable-car", players=2, rotation=True)
    found = 0
    for seed in range(40):
        state = before_last_move(game, seed)
        seat = int(state.current_player())
        shares = {action: share_after(state, action, seat) for action in state.legal_actions()}
        if min(shares.values()) < max(shares.values()):
            found += 1
            assert shares[searched(state, 100).candidates()[0].action] == max(shares.values())
    assert found, "no position had a winning and a losing move"


def test_what_the_policy_works_out_stands_before_what_was_simulated() -> None:
    game = load_game("passerelles", rounds=1)
    state = before_last_move(game, 3)
    seat = int(state.current_player())
    search = searched(state, 50)
    assert not any(move.is_exact for move in search.candidates())
    visits = {move.action: move.visits for move in search.candidates()}
    assert not search.solve(1)
    assert search.solve(1000)
    best, *others = search.candidates()
    assert best.is_exact
    assert best.visits == visits.get(best.action, 0), "what was worked out has the visits of the tree"
    assert best.action not in [move.action for move in others]
    assert share_after(state, best.action, seat) == max(share_after(state, a, seat) for a in state.legal_actions())
    search.start(state, seat)
    assert not search.candidates()


def test_no_game_of_chance_is_worked_out() -> None:
    assert not searched(before_last_move(load_game("cable-car"), 3), 1).solve(1000000)


def before_last_move(game: Game, seed: int) -> State:
    rng = Random(seed)
    state = game.new_initial_state()
    before = state
    while not state.is_terminal():
        if not state.is_chance_node():
            before = state.clone()
        state.apply(state.sample(rng))
    return before


def share_after(state: State, action: int, seat: int) -> float:
    after = state.clone()
    after.apply(action)
    return after.returns()[seat]


def first_tried(state: State, refine_after: int) -> int:
    policy = policy_of(state.game)
    policy.refine_after = refine_after
    search = new_search(state.game, policy, state, int(state.current_player()))
    search.run(1, Random(1))
    return search.candidates()[0].action


def test_the_position_searched_has_refined_priors_from_the_first_simulation_on() -> None:
    """Passerelles: without them the first move tried is the one of most weight; with them it often is another."""
    game = load_game("passerelles")
    others = 0
    for steps in range(4, 40, 4):
        state = a_decision(game, 7, steps)
        weights = policy_of(game).weigh(state)
        assert weights[first_tried(state, 0)] == max(weights.values())
        others += weights[first_tried(state, 32)] < max(weights.values())
    assert others > 0
