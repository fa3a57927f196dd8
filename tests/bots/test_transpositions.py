"""Transpositions: what a search found out about a position counts on every way that leads there."""

from __future__ import annotations

from collections import Counter

import pytest
from librt.random import Random

from ludotheque import COMPILED, load_game, policy_of
from ludotheque.bots.search import SearchTree, new_search
from ludotheque.bots.search.deterministic import ARRIVALS, HOLDER, DeterministicTree
from ludotheque.bots.search.tree import ACTION, FIRST, INITIAL_CAPACITY, NEXT, NODE, NONE, VISITS
from ludotheque.core.game import Game, State
from tests.bots.positions import a_decision
from tests.toy import Nim

ROOT = 0


def merged(state: State, simulations: int) -> SearchTree:
    policy = policy_of(state.game)
    policy.merges_transpositions = True
    policy.expand_after_visits = 1
    search = new_search(state.game, policy, state, int(state.current_player()))
    search.run(simulations, Random(1))
    return search


def children(search: SearchTree, node: int) -> list[int]:
    found = []
    child = int(search.nodes[NODE * node + FIRST])
    while child != NONE:
        found.append(child)
        child = int(search.nodes[NODE * child + NEXT])
    return found


def check_tree(search: SearchTree) -> Counter[int]:
    """Walk all ways down the tree: every child is legal, and every way to a position leads to the one node that holds
    it. Return how many visits led to each of these."""
    visits: Counter[int] = Counter()
    positions = {ROOT: search.root}
    waiting = [ROOT]
    while waiting:
        holder = waiting.pop()
        state = positions[holder]
        legal = set() if state.is_terminal() else set(state.legal_actions())
        for child in children(search, holder):
            action = int(search.nodes[NODE * child + ACTION])
            assert action in legal
            reached = int(search.nodes[NODE * child + HOLDER])
            assert (reached == NONE) == (search.nodes[NODE * child + VISITS] == 0)
            if reached == NONE:
                continue
            visits[reached] += int(search.nodes[NODE * child + VISITS])
            after = state.child(action)
            if reached not in positions:
                positions[reached] = after
                waiting.append(reached)
            assert positions[reached].transposition_key() == after.transposition_key()
    keys = [state.transposition_key() for state in positions.values()]
    assert len(set(keys)) == len(keys), "a position is held twice"
    return visits


def arrivals(search: SearchTree, node: int) -> int:
    return int(search.nodes[NODE * node + ARRIVALS])


@pytest.mark.both
def test_every_way_to_a_position_adds_to_what_is_known_of_it() -> None:
    search = merged(Nim(2, {"matches": 7}).new_initial_state(), 300)
    visits = check_tree(search)
    assert visits == {holder: arrivals(search, holder) for holder in visits}
    used = sum(1 for node in range(1, int(search.size)) if search.nodes[NODE * node + VISITS])
    assert len(visits) < used <= 2 * 7 * 3


@pytest.mark.both
@pytest.mark.parametrize("steps", [0, 30, 80])
def test_a_tree_of_chicago_express_holds_every_position_once(steps: int) -> None:
    search = merged(a_decision(load_game("chicago-express"), 4, steps), 3000 if COMPILED else 150)
    visits = check_tree(search)
    assert visits == {holder: arrivals(search, holder) for holder in visits}
    assert not COMPILED or search.capacity > INITIAL_CAPACITY, "the tree should have grown"


@pytest.mark.both
def test_what_was_merged_stays_merged_when_the_tree_moves_on() -> None:
    state = a_decision(load_game("chicago-express"), 3, 40)
    search = merged(state, 2000 if COMPILED else 150)
    for _ in range(3):
        best = search.candidates()[0]
        known = arrivals(search, int(search.nodes[NODE * first_by(search, best.action) + HOLDER]))
        state = state.child(best.action)
        search.advance(state, int(state.current_player()), [best.action])
        assert search.simulations() == known
        visits = check_tree(search)
        assert all(visits[holder] <= arrivals(search, holder) for holder in visits)
        search.run(300, Random(2))
        check_tree(search)


def first_by(search: SearchTree, action: int) -> int:
    """The child of the root that an action leads to."""
    return next(child for child in children(search, ROOT) if search.nodes[NODE * child + ACTION] == action)


@pytest.mark.parametrize("game", [load_game("passerelles"), load_game("cable-car")], ids=repr)
def test_a_game_without_keys_or_with_chance_merges_nothing(game: Game) -> None:
    state = a_decision(game, 3, 12)
    search = merged(state, 100)
    assert not (isinstance(search, DeterministicTree) and search.merges)
    plain = policy_of(game)
    plain.expand_after_visits = 1
    other = new_search(game, plain, state, int(state.current_player()))
    other.run(100, Random(1))
    assert [(move.action, move.visits, move.returns) for move in search.candidates()] == [
        (move.action, move.visits, move.returns) for move in other.candidates()
    ]
