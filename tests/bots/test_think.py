"""`ludotheque.search`: a budget, a seat to act, and a result that says what the bots would play."""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque import Game, Random, bot_named, load_game
from ludotheque.core.turn import Turn
from ludotheque.errors import BadOption, NotYourTurn
from ludotheque.search import think
from tests.bots.positions import TABLES, a_decision


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_a_search_gives_visits_values_and_a_line(game: Game) -> None:
    state = a_decision(game, 4, 20)
    before = state.position()
    found = think(state, simulations=200, seed=3)
    assert found == think(state, simulations=200, seed=3)
    assert (found.simulations, found.seat, state.position()) == (200, state.current_player(), before)
    assert {move.action for move in found.moves} <= set(state.legal_actions())
    assert found.line[0] == found.best.action
    assert found.value == found.best.returns[found.seat]
    assert sum(found.visit_shares().values()) == pytest.approx(1.0)


def test_the_best_move_is_the_one_that_the_bot_of_that_budget_plays() -> None:
    state = a_decision(load_game("cable-car"), 4, 20)
    turn = Turn(state, int(state.current_player()))
    assert think(state, simulations=300, seed=5).best.action == bot_named("search:300", state.game, 5).choose(turn)


def test_what_is_hidden_from_the_seat_changes_nothing() -> None:
    state = a_decision(load_game("pays-noir", players=3), 4, 30)
    other = state.resample_from_infostate(state.current_player(), Random(1))
    assert other != state
    assert think(state, simulations=100) == think(other, simulations=100)


def test_a_move_that_is_worked_out_gets_the_whole_share() -> None:
    state = load_game("passerelles").new_initial_state()
    rng = Random(2)
    last = state.clone()
    while not state.is_terminal():
        last = state.clone()
        state.apply_action(state.sample(rng))
    found = think(last, simulations=50)
    assert found.best.is_exact
    assert found.visit_shares() == {found.best.action: 1.0}


def test_seconds_are_a_budget_too() -> None:
    assert think(a_decision(load_game("cable-car"), 4, 20), seconds=0.01).simulations > 0


@pytest.mark.parametrize("budget", [{}, {"simulations": -1}, {"seconds": -1.0}, {"simulations": 9, "seconds": 1.0}])
def test_a_budget_is_simulations_or_seconds(budget: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="A search takes a number of simulations or of seconds"):
        think(load_game("passerelles").new_initial_state(), **budget)


def test_nothing_is_searched_where_no_seat_is_to_act() -> None:
    with pytest.raises(NotYourTurn, match="A draw comes next"):
        think(load_game("cable-car").new_initial_state(), simulations=10)
