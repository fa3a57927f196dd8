"""What a decent player of Pays noir knows: what unfinished sites may bring, and only what its seat can see."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque.core.game import CHANCE
from ludotheque.games.pays_noir.policy import PaysNoirPolicy
from ludotheque.games.pays_noir.rules import PaysNoirState
from tests.bots.positions import a_decision
from tests.games.pays_noir.positions import game, position

pytestmark = pytest.mark.both

LINE = "straight@1,0,90{member} straight@2,0,90"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_turn_is_worth_does_not_depend_on_the_hands_of_others(seed: int) -> None:
    state = a_decision(game(3), seed, 60)
    seat = int(state.current_player())
    policy = PaysNoirPolicy(state.game)
    values, expected = policy.turn_values(state), policy.expected_shares(state)
    for deal in range(3):
        other = state.resample_from_infostate(seat, Random(deal))
        assert policy.turn_values(other) == values
        assert policy.expected_shares(other) == expected


def test_a_member_on_an_unfinished_line_promises_points() -> None:
    without, with_member = (position(LINE.format(member=member), "terminus") for member in ("", "+1:track:0"))
    policy = PaysNoirPolicy(without.game)
    first, second = policy.expected_shares(with_member)
    assert first > second
    assert policy.expected_shares(without) == pytest.approx([0.5, 0.5])


def test_the_best_place_finishes_ones_own_line() -> None:
    state = position(LINE.format(member="+1:track:0"), "terminus")
    state.apply_action(state.string_to_action("terminus"))
    values = PaysNoirPolicy(state.game).turn_values(state)
    best = max(values, key=lambda action: values[action])
    assert state.action_to_string(best) == "at 3,0"


@pytest.mark.parametrize("players", [2, 4])
def test_a_rollout_ends_after_its_turns(players: int) -> None:
    state = game(players).new_initial_state()
    policy = PaysNoirPolicy(state.game)
    rng = Random(1)
    while state.current_player() == CHANCE:
        state.apply(state.sample(rng))
    laid = state.board.laid
    policy.play_on(state, rng)
    assert isinstance(state, PaysNoirState)
    assert not state.is_terminal()
    assert state.board.laid - laid == policy.turns_ahead == {2: 8, 4: 8}[players]
