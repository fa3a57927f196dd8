"""Random games: every action equally likely, every draw by its weight."""

from __future__ import annotations

from collections import Counter

import pytest
from librt.random import Random

from ludotheque import COMPILED, load_game, save_random
from ludotheque.core.game import Game, State
from ludotheque.core.playout import playout, playouts
from tests.games.cable_car.positions import game, play, position
from tests.toy import Nim, Orchard

pytestmark = pytest.mark.both

TIMES = 4000


def check_frequencies(state: State, expected: dict[int, float]) -> None:
    """Within five standard deviations, with a fixed seed."""
    rng = Random(11)
    counts = Counter(int(state.sample(rng)) for _ in range(TIMES))
    assert set(counts) <= set(expected)
    for action, chance in expected.items():
        mean = TIMES * chance
        assert abs(counts[action] - mean) < 5 * (mean * (1 - chance)) ** 0.5 + 1, action


@pytest.mark.parametrize(
    "state",
    [
        Nim(2).new_initial_state(),
        position(hands="acba|baac"),
        position(hands="acba,acba|baac,bbbb", hand=2),
        position(hands="adad|baac", rotation=True),
        position(hands="acba|baac", companies=True),
        play(position(hands="acba|baac", companies=True), "draw", "bbbb"),
    ],
    ids=["nim", "base", "hand", "rotation", "companies", "drawn"],
)
def test_every_legal_action_is_as_likely(state: State) -> None:
    legal = state.legal_actions()
    check_frequencies(state, dict.fromkeys(legal, 1 / len(legal)))


@pytest.mark.parametrize(
    "state",
    [
        Orchard(2).new_initial_state(),
        game(2).new_initial_state(),
        play(position(hands="acba|baac", companies=True), "swap 10 open"),
    ],
    ids=["orchard", "tiles", "shares"],
)
def test_every_outcome_is_as_likely_as_its_weight(state: State) -> None:
    check_frequencies(state, dict(state.chance_outcomes()))


def test_a_playout_ends_the_game_and_counts_its_steps() -> None:
    state = Nim(2).new_initial_state()
    steps = playout(state, Random(1))
    assert state.is_terminal()
    assert 3 <= steps <= 7


def test_playouts_leave_the_start_as_it_is() -> None:
    state = Nim(2).new_initial_state()
    assert 3 * 20 <= playouts(state, 20, Random(1)) <= 7 * 20
    assert state.position() == "7 0"


@pytest.mark.parametrize(
    "table",
    [
        load_game("cable-car", players=2),
        load_game("cable-car", players=5),
        load_game("cable-car", players=3, companies=True),
        load_game("cable-car", players=3, hand=2),
        load_game("cable-car", players=2, rotation=True),
        load_game("chicago-express", players=4),
        load_game("passerelles"),
        load_game("pays-noir", players=3),
    ],
    ids=str,
)
def test_finishing_plays_the_same_game_as_stepping(table: Game) -> None:
    """From every beginning of a game, with the same generator: same steps, same position, same draws after it."""
    games = 500 if COMPILED and table.name == "cable-car" else 8
    for seed in range(games):
        state, rng = table.new_initial_state(), Random(seed)
        for _ in range(5 * (seed % 40)):
            if not state.is_terminal():
                state.apply(state.sample(rng))
        finished, steps = state.clone(), 0
        again = Random(save_random(rng))
        while not state.is_terminal():
            state.apply(state.sample(rng))
            steps += 1
        assert finished.finish(again) == steps
        assert finished.position() == state.position()
        assert finished.scores() == state.scores()
        assert again.randrange(10**9) == rng.randrange(10**9)
