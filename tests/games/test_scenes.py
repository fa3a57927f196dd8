"""What the pictures of all games have in common."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque import load_game
from tests.ours import OURS


@pytest.mark.parametrize("name", OURS)
def test_only_the_player_to_move_reads_what_to_do(name: str) -> None:
    game, rng = load_game(name), Random(7)
    state = game.new_initial_state()
    while not state.is_terminal():
        seat = state.current_player()
        prompt = game.scene(game.observe(state, max(seat, 0))).prompt
        assert bool(str(prompt)) == (seat >= 0)
        state.apply_action(state.sample(rng))
    assert not str(game.scene(game.observe(state, 0)).prompt)
