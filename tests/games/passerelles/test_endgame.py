"""The end of a round, worked out: the same as trying everything."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque import load_game, policy_of
from ludotheque.core.options import OptionValue
from ludotheque.games.passerelles.endgame import LAST, in_hand
from ludotheque.games.passerelles.rules import PasserellesState

GENEROUS = 10_000_000


def ending(seed: int, pieces: int, **settings: OptionValue) -> PasserellesState:
    """A position of a random game with this number of pieces in hand."""
    state = load_game("passerelles", players=2, **settings).new_initial_state()
    assert isinstance(state, PasserellesState)
    rng = Random(seed)
    while in_hand(state) > pieces:
        state.apply(state.sample(rng))
    return state


def lead(state: PasserellesState) -> int:
    first, second = state.scores()
    return first - second


def best_lead(state: PasserellesState, this_round: int) -> int:
    """The first seat's lead after best play to the end of the round, by trying everything."""
    if state.is_terminal() or state.round != this_round:
        return lead(state)
    leads = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        leads.append(best_lead(after, this_round))
    return max(leads) if state.current_player() == 0 else min(leads)


def played(state: PasserellesState, line: list[int]) -> PasserellesState:
    end = state.clone()
    for action in line:
        end.apply_action(action)
    return end


@pytest.mark.both
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("diagonal", ["closed", "open"])
def test_two_pieces_are_played_as_well_as_by_trying_everything(seed: int, diagonal: str) -> None:
    state = ending(seed, 2, rounds=1, diagonal=diagonal)
    end = played(state, policy_of(state.game).solve(state, GENEROUS))
    assert end.is_terminal()
    assert lead(end) == best_lead(state, 0)


@pytest.mark.parametrize("seed", range(4))
def test_three_pieces_are_played_as_well_as_by_trying_everything(seed: int) -> None:
    state = ending(seed, 3, rounds=1)
    assert lead(played(state, policy_of(state.game).solve(state, GENEROUS))) == best_lead(state, 0)


def test_a_round_that_is_not_the_last_is_worked_out_to_its_own_end() -> None:
    state = ending(2, 2, rounds=2)
    end = played(state, policy_of(state.game).solve(state, GENEROUS))
    assert (state.round, end.round, end.is_terminal()) == (0, 1, False)
    assert lead(end) == best_lead(state, 0)


def test_more_pieces_are_played_no_worse_than_any_other_first_placement_allows() -> None:
    """Best play is at least as good as what it answers to each first placement, worked out one piece later."""
    state = ending(5, 4, rounds=1)
    policy = policy_of(state.game)
    best = lead(played(state, policy.solve(state, GENEROUS)))
    leads = []
    for action in state.legal_actions():
        after = played(state, [action])
        leads.append(lead(played(after, policy.solve(after, GENEROUS))))
    assert best == (max(leads) if state.current_player() == 0 else min(leads))


def test_nothing_is_said_that_the_effort_does_not_allow() -> None:
    state = ending(1, 4, rounds=1)
    policy = policy_of(state.game)
    assert policy.solve(state, 10) == []
    assert policy.solve(state, GENEROUS)
    assert policy.solve(ending(1, LAST + 1, rounds=1), 10) == []
    assert policy.solve(load_game("passerelles", landscape="free").new_initial_state(), GENEROUS) == []
