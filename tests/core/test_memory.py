"""What is called again and again must not grow. (A vec that plain Python hands to compiled code is never freed.)"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial

import pytest
from librt.random import Random

from ludotheque import Policy, load_game, policy_of
from ludotheque.core.game import Game
from ludotheque.core.policy import pick
from tests.ours import OURS
from tests.speeds import several
from tests.table.matches import random_match
from tests.toy import Nim, Orchard

TIMES = several(200, 400)


def lost(call: Callable[[], object]) -> int:
    """How many blocks of memory each hundred calls lose."""
    for _ in range(TIMES):
        call()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(TIMES):
        call()
    gc.collect()
    return 100 * (sys.getallocatedblocks() - before) // TIMES


def test_a_slip_costs_no_memory() -> None:
    assert lost(lambda: pick([1.0, 2.0, 3.0], Random(1))) < 10


@pytest.mark.parametrize("name", OURS)
def test_a_policy_is_freed(name: str) -> None:
    game = load_game(name)
    assert lost(lambda: policy_of(game)) < 10


@pytest.mark.parametrize("game", [*map(load_game, OURS), load_game("cable-car", companies=True)], ids=repr)
def test_a_position_written_and_read_is_freed(game: Game) -> None:
    text = random_match(game, 1, plies=30)._timeline.present.position()
    assert lost(lambda: game.read_position(text).position()) < 10


@pytest.mark.parametrize("game", [Nim(2), Orchard(2)], ids=repr)
def test_the_results_of_a_game_in_plain_python_cost_no_memory(game: Nim | Orchard) -> None:
    state = game.new_initial_state()
    rng = Random(1)
    while not state.is_terminal():
        state.apply(state.sample(rng))
    assert lost(state.returns) < 10
    assert lost(state.scores) < 10


class Own(Policy):
    """A policy in plain Python that changes nothing."""


@pytest.mark.parametrize("game", [Nim(2), Orchard(2), load_game("passerelles")], ids=repr)
def test_what_a_policy_in_plain_python_says_costs_no_memory(game: Game) -> None:
    policy, rng = Own(game), Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply(state.sample(rng))
    for read in (policy.turn_values, policy.weigh, policy.expected_shares, policy.evaluate):
        assert lost(partial(read, state)) < 10
    for play in (policy.expected_scores, policy.play_out):
        assert lost(partial(play, state, 1, rng)) < 10
