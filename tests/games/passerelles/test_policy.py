"""What the policy of Passerelles expects of a match."""

from __future__ import annotations

import pytest
from librt.random import Random
from librt.vecs import vec

from ludotheque import load_game
from ludotheque.games.passerelles.policy import ROUND, PasserellesPolicy
from ludotheque.games.passerelles.rules import PasserellesState

pytestmark = pytest.mark.both


def outlook(state: PasserellesState) -> list[float]:
    scores = vec[float]([0.0, 0.0])
    PasserellesPolicy(state.game).outlook_into(state, scores)
    return list(scores)


def test_the_areas_of_a_round_count_the_more_the_fewer_pieces_are_left() -> None:
    """What counts early is what a round brings; in the end, what was made of it."""
    state = load_game("passerelles", rounds=2).new_initial_state()
    assert isinstance(state, PasserellesState)
    assert outlook(state) == [2 * ROUND, 2 * ROUND]
    rng = Random(1)
    while state.round == 0:
        state.apply(state.sample(rng))
    assert outlook(state) == [score + ROUND for score in state.scores()]
    for _ in range(12):
        state.apply(state.sample(rng))
    points = (int(state.first_points), int(state.second_points))
    halves = [point + (score - point) / 2 for point, score in zip(points, state.scores(), strict=True)]
    assert outlook(state) == pytest.approx([half + ROUND / 2 for half in halves])
