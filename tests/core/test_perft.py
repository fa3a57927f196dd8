"""Counts of move sequences in any game without chance."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import LudothequeError, load_game
from ludotheque.core.game import TERMINAL, AnyGame, Game, State
from ludotheque.core.observation import Observation
from ludotheque.core.perft import perft

pytestmark = pytest.mark.both


class Nim(Game["Heap", Observation]):
    """One heap of five; each move takes one or two."""

    name = "nim"
    title = "Nim"
    min_players = max_players = 2
    has_chance = False
    has_hidden_information = False

    def new_initial_state(self) -> Heap:
        return Heap(self, 5)

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 0


class Heap(State):
    def __init__(self, game: AnyGame, left: int) -> None:
        self.game = game
        self.left = left

    def current_player(self) -> i64:
        return 0 if self.left else TERMINAL

    def legal_into(self, actions: vec[i64]) -> i64:
        most = min(2, self.left)
        for taken in range(1, most + 1):
            actions[taken - 1] = taken
        return most

    def apply(self, action: i64) -> None:
        self.left -= action

    def clone(self) -> Heap:
        return Heap(self.game, self.left)


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 2), (2, 4), (3, 7), (4, 5), (5, 1), (6, 0)])
def test_sequences_of_exactly_so_many_moves_are_counted(depth: int, count: int) -> None:
    assert perft(Nim().new_initial_state(), depth) == count


def test_counting_leaves_the_position_as_it_is() -> None:
    state = Nim().new_initial_state()
    perft(state, 3)
    assert state.left == 5


def test_a_game_with_draws_is_refused() -> None:
    with pytest.raises(LudothequeError, match="without chance; Cable Car has draws"):
        perft(load_game("cable-car").new_initial_state(), 2)


def test_fewer_than_no_moves_are_refused() -> None:
    with pytest.raises(LudothequeError, match="not -1"):
        perft(Nim().new_initial_state(), -1)
