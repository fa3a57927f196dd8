"""The methods of a state that programs call: checks, copies and pickling."""

from __future__ import annotations

import copy
import pickle

import pytest
from librt.random import Random

from ludotheque import SPECTATOR, State, load_game
from ludotheque.errors import IllegalMove, NoSuchSeat
from tests.ours import OURS
from tests.toy import Orchard

pytestmark = pytest.mark.both

GAMES = [*OURS, Orchard.name]


def in_the_middle(name: str) -> State:
    """A position after a dozen random plies or a few more, with someone to move."""
    state = load_game(name).new_initial_state()
    rng = Random(4)
    plies = 0
    while plies < 12 or state.is_chance_node():
        state.apply(state.sample(rng))
        plies += 1
    return state


class Number:
    """An integer that is no `int`, as arrays hold them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_any_kind_of_integer_is_an_action() -> None:
    one, other = in_the_middle("passerelles"), in_the_middle("passerelles")
    action = one.legal_actions()[3]
    one.apply_action(action)
    other.apply_action(Number(action))
    assert one.position() == other.position()
    with pytest.raises(IllegalMove, match="Action 991 is not legal here"):
        one.apply_action(Number(991))


@pytest.mark.parametrize("viewer", [-1, 2])
def test_a_viewer_must_be_a_seat_or_the_spectator(viewer: int) -> None:
    state = in_the_middle("cable-car")
    with pytest.raises(NoSuchSeat, match=f"There is no viewer {viewer}; the seats are 0 to 1"):
        state.observation(viewer)
    assert state.observation(SPECTATOR).viewer == SPECTATOR


def test_only_chance_nodes_have_chance_outcomes() -> None:
    with pytest.raises(IllegalMove, match="no chance node"):
        in_the_middle("cable-car").chance_outcomes()


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_is_a_position_of_its_own(name: str) -> None:
    state = in_the_middle(name)
    before = state.position()
    for other in (copy.copy(state), copy.deepcopy(state)):
        assert (type(other), other.position()) == (type(state), before)
        other.apply_action(other.legal_actions()[-1])
    assert state.position() == before


@pytest.mark.parametrize("name", GAMES)
def test_a_child_is_the_position_after_an_action_and_changes_nothing(name: str) -> None:
    state = in_the_middle(name)
    before, action = state.position(), state.legal_actions()[-1]
    child = state.child(action)
    assert state.position() == before
    state.apply_action(action)
    assert (type(child), child.position()) == (type(state), state.position())
    with pytest.raises(IllegalMove):
        child.child(-1)


@pytest.mark.parametrize("name", GAMES)
def test_a_position_can_be_pickled(name: str) -> None:
    state = in_the_middle(name)
    there = pickle.loads(pickle.dumps(state))
    assert (there.position(), repr(there.game)) == (state.position(), repr(state.game))
    assert there.observation(1) == state.observation(1)
