"""Positions for the tests of bots."""

from __future__ import annotations

from librt.random import Random

from ludotheque import load_game
from ludotheque.core.game import Game, State
from tests.ours import OURS


def a_decision(game: Game, seed: int, steps: int) -> State:
    """Where someone has to decide, after so many random steps or a few more; before the end, if it comes first."""
    rng = Random(seed)
    state = game.new_initial_state()
    decision = state
    while not state.is_terminal() and (steps > 0 or state.is_chance_node()):
        if not state.is_chance_node():
            decision = state.clone()
        state.apply(state.sample(rng))
        steps -= 1
    return decision if state.is_terminal() else state


HIDDEN_MOST = load_game("cable-car", players=4, companies=True, hand=2, rotation=True)
TABLES = [*(load_game(name) for name in OURS), load_game("chicago-express", players=3), HIDDEN_MOST]
"""A table of each game, one where more than two play, and one where much is hidden."""
