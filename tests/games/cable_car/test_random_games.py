"""Random games of Cable Car over all player counts and options."""

from __future__ import annotations

from itertools import product

import pytest
from librt.random import Random

import ludotheque
from ludotheque.core.bits import popcount
from ludotheque.core.playout import playout
from ludotheque.games.cable_car import CableCar, board
from ludotheque.games.cable_car.observe import line
from ludotheque.games.cable_car.rules import BLOCK, DRAW, GIVEN, NO_SHARE, OPEN, PILES, UNDRAWN, CableCarState
from ludotheque.testing import check_both_modes, check_game
from tests.speeds import few, several

TABLES = [
    CableCar(players, {"companies": companies, "rotation": rotation, "hand": hand})
    for players, companies, rotation, hand in product(range(2, 7), (False, True), (False, True), (1, 2, 3))
]
GAMES_EACH = several(10, 167)
"""Over 60 kinds of table: with `--all` 10,020 games."""


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_games_end_as_the_rules_promise(game: CableCar) -> None:
    rng = Random(7)
    for _ in range(GAMES_EACH if ludotheque.COMPILED else 2):
        state = game.new_initial_state()
        playout(state, rng)
        check_lines(state)
        check_tiles(state)
        if game.companies:
            check_shares(state)


def check_lines(state: CableCarState) -> None:
    """All lines end, at different ends, and the points are theirs."""
    lines = [line(state, station) for station in range(32) if state.owners[station] != board.NOBODY]
    assert all(line.is_finished for line in lines)
    ends = [state.stretches[board.DEPARTURES + line.station - 1] & 511 for line in lines]
    assert len(set(ends)) == len(ends)
    for owner, points in enumerate(state.points):
        assert points == sum(line.points for line in lines if line.owner == owner)


def check_tiles(state: CableCarState) -> None:
    """All sixty tiles lie on the board."""
    laid = sorted(board.CODES[tile // 4] for tile in state.laid)
    assert laid == sorted(board.CODES[tile] for tile in board.TYPE_OF_TILE)
    assert (state.pile, state.left, state.drawn, set(state.hands)) == (0, 0, 0, {0})


def check_shares(state: CableCarState) -> None:
    """Each pile still has one share of each company, one in each hand and 7 - n face down."""
    for pile in range(PILES):
        block = [int(byte) for byte in state.shares[BLOCK * pile : BLOCK * (pile + 1)]]
        hands, given = block[: state.players], block[GIVEN + 1 : GIVEN + 1 + block[GIVEN]]
        undrawn = [company for company in range(8) if block[UNDRAWN] >> company & 1]
        assert sorted([*hands, block[OPEN], *given, *undrawn]) == list(range(8))
        assert len(given) + len(undrawn) == 7 - state.players
        assert NO_SHARE not in hands


@pytest.mark.parametrize("players", few(range(2, 7)))
def test_pure_and_compiled_play_the_same_games(players: int) -> None:
    tables = [table for table in TABLES if table.players == players]
    check_both_modes(*tables, games=GAMES_EACH if ludotheque.COMPILED else 1)


@pytest.mark.parametrize("game", few(TABLES, 5), ids=repr)
def test_conformance(game: CableCar) -> None:
    check_game(game, games=1, every=7, both_modes=False)


def test_scores_of_the_base_game_sum_to_what_the_board_gives() -> None:
    """198 points are shared out on average, as in the reference program of the plan."""
    game, rng = CableCar(4), Random(3)
    total = 0
    for _ in range(1000):
        state = game.new_initial_state()
        playout(state, rng)
        total += sum(state.scores())
    assert 195 < total / 1000 < 201


def test_drawing_instead_of_placing_is_chosen_as_often_as_any_other_action() -> None:
    game = CableCar(2)
    state = game.read_position("8/8/8/3##3/3##3/8/8/8 - 1 acba|baac - -")
    rng, times = Random(5), 20_000
    draws = sum(state.sample(rng) == DRAW for _ in range(times))
    expected = times / len(state.legal_actions())
    assert abs(draws - expected) < 5 * expected**0.5
    assert popcount(state.free) == 60
