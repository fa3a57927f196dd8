"""What a decent player of Pays noir knows: what unfinished sites may bring, and only what its seat can see."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque.core.game import CHANCE
from ludotheque.games.pays_noir.policy import PaysNoirPolicy
from ludotheque.games.pays_noir.rules import SPOT, PaysNoirState
from tests.bots.positions import a_decision
from tests.games.pays_noir.positions import game, position
from tests.speeds import several

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


@pytest.mark.parametrize("seed", range(several(2, 40)))
def test_the_turn_of_a_rollout_is_the_best_of_its_tries_judged_one_by_one(seed: int) -> None:
    """The tries remember what the turn does not change; another policy, which judges each end anew, agrees."""
    state = game(2 + seed % 3).new_initial_state()
    assert isinstance(state, PaysNoirState)
    policy, plain = PaysNoirPolicy(state.game), PaysNoirPolicy(state.game)
    rng = Random(seed)
    while not state.is_terminal():
        if state.current_player() != CHANCE:
            luck = rng.randrange(10**9)
            assert policy.move(state, Random(luck)) == best_of_tries(plain, state, Random(luck))
        state.apply(plain.move(state, rng) if rng.randrange(2) else state.sample(rng))


def best_of_tries(policy: PaysNoirPolicy, state: PaysNoirState, rng: Random) -> int:
    """The first decision of the best of some random ends of the turn."""
    seat, best, first = state.seat, 0.0, -1
    for _ in range(policy.tries):
        after = state.clone()
        decisions: list[int] = []
        while not decisions or not policy.is_turn_over(after, seat):
            decisions.append(int(policy._best_spot(after) if after.phase == SPOT else after.sample(rng)))
            after.apply(decisions[-1])
        value = policy.value(after, seat)
        if first < 0 or value > best:
            best, first = value, decisions[0]
    return first
