"""What each seat gained by a move, for the news."""

from __future__ import annotations

import pytest

from ludotheque import load_game
from tests.ours import OURS
from tests.table.matches import random_match


@pytest.mark.parametrize("name", OURS)
def test_gains_add_up_to_the_scores(name: str) -> None:
    game = load_game(name)
    match = random_match(game, 5)
    gains = [move.gains for move in match.viewing.moves(0, range(1, match.ply + 1))]
    start = game.new_initial_state().scores()
    assert [sum(amounts) for amounts in zip(start, *gains, strict=True)] == list(match.view(0).scores)
