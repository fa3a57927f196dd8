"""Games of an independent program, the reference in C of `benchmarks/limits`: the same choices, the same scores.

A line is a game of four players with one tile in hand, in which nobody draws first: for each turn the tile, row, column
and how many placements it had, then the scores.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.rules import DRAW
from tests.games.cable_car.positions import game, play

pytestmark = pytest.mark.both

GAMES = (Path(__file__).parent / "golden" / "reference_games.dat").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", GAMES, ids=range(1, len(GAMES) + 1))
def test_a_game_of_the_reference_program(line: str) -> None:
    turns, _, scores = line.partition(" = ")
    placements = [turn.split(",") for turn in turns.split()]
    pile = [code for code, *_ in placements]
    state = play(game(4).new_initial_state(), *pile[:4])
    for turn, (code, row, column, choices) in enumerate(placements):
        assert sum(action < DRAW for action in state.legal_actions()) == int(choices)
        play(state, f"{code} {'ABCDEFGH'[int(column)]}{int(row) + 1}", *pile[turn + 4 : turn + 5])
    assert state.is_terminal()
    assert state.scores() == [int(score) for score in scores.split(",")]


def test_the_reference_games_lay_all_tiles() -> None:
    for line in GAMES:
        codes = sorted(turn.split(",")[0] for turn in line.partition(" = ")[0].split())
        assert codes == sorted(board.CODES[tile] for tile in board.TYPE_OF_TILE)
