"""The board's four symmetries: a round and its mirror image have the same moves and scores."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque.games.passerelles import Passerelles, board
from ludotheque.games.passerelles.board import ACTIONS, COLUMNS, PASS, ROWS, SYMMETRIES, reflected
from ludotheque.games.passerelles.observation import placement_name
from tests.games.passerelles.tables import placement, table

pytestmark = pytest.mark.both


def test_the_four_symmetries() -> None:
    names = [placement_name(reflected(placement("3h B2"), symmetry)) for symmetry in range(SYMMETRIES)]
    assert names == ["3h B2", "3h H2", "3h B9", "3h H9"]
    names = [placement_name(reflected(placement("3v B2"), symmetry)) for symmetry in range(SYMMETRIES)]
    assert names == ["3v B2", "3v J2", "3v B7", "3v J7"]


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_symmetry_moves_every_square_of_a_placement_and_undoes_itself(symmetry: int) -> None:
    for action in range(ACTIONS - 1):
        image = reflected(action, symmetry)
        assert reflected(image, symmetry) == action
        squares = {divmod(square, COLUMNS) for square in board.squares_of(action)}
        flipped = {
            (ROWS - 1 - row if symmetry & 2 else row, COLUMNS - 1 - column if symmetry & 1 else column)
            for row, column in squares
        }
        assert flipped == {divmod(square, COLUMNS) for square in board.squares_of(image)}
    assert reflected(PASS, symmetry) == PASS


@pytest.mark.parametrize("diagonal", ["closed", "open"])
@pytest.mark.parametrize("landscape", ["none", "south-america", "free"])
@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_match_and_its_mirror_image_have_the_same_scores(symmetry: int, landscape: str, diagonal: str) -> None:
    rng = Random(symmetry)
    state = Passerelles(2, {"landscape": landscape, "diagonal": diagonal}).new_initial_state()
    image = state.reflected(symmetry)
    while not state.is_terminal():
        legal = sorted(reflected(action, symmetry) for action in state.legal_actions())
        assert image.legal_actions() == legal
        action = state.sample(rng)
        state.apply(action)
        image.apply(reflected(action, symmetry))
        assert image.score_now() == state.score_now()
        assert image.position() == state.reflected(symmetry).position()
    assert image.is_terminal()
    assert image.returns() == state.returns()


def test_a_reflected_position_is_independent() -> None:
    state = table("B5hC4")
    before = state.position()
    image = state.reflected(3)
    image.apply(image.legal_actions()[0])
    assert state.position() == before
