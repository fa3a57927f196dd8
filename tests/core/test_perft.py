"""Counts of move sequences in any game without chance."""

from __future__ import annotations

import pytest

from ludotheque.core.perft import perft
from ludotheque.errors import LudothequeError
from tests.toy import Nim, Orchard

pytestmark = pytest.mark.both


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 3), (2, 9), (3, 23), (4, 31), (5, 21), (6, 7), (7, 1), (8, 0)]
)
def test_sequences_of_a_given_length_are_counted(depth: int, count: int) -> None:
    assert perft(Nim(2).new_initial_state(), depth) == count


def test_counting_leaves_the_position_as_it_is() -> None:
    state = Nim(2).new_initial_state()
    perft(state, 3)
    assert state.position() == "7 0"


def test_a_game_with_draws_is_refused() -> None:
    with pytest.raises(LudothequeError, match="without chance; Orchard has draws"):
        perft(Orchard(2).new_initial_state(), 2)


def test_fewer_than_no_moves_are_refused() -> None:
    with pytest.raises(LudothequeError, match="not -1"):
        perft(Nim(2).new_initial_state(), -1)
