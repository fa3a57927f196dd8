"""Recorded games: `> ` begins a line as someone wrote it, the lines below it are what the log must say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludotheque.games.chicago_express import worth

from .table import new_game, play

pytestmark = pytest.mark.both

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_recorded_game_has_the_recorded_log(path: Path) -> None:
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    table = re.fullmatch(r"Chicago Express, (\d) players, (\w+) printing\.", head)
    assert table
    state = new_game(int(table[1]), printing=table[2]).new_initial_state()
    for turn in re.split(r"^> ", body, flags=re.MULTILINE)[1:]:
        line, *expected = turn.splitlines()
        assert play(state, line) == expected, line
    assert state.is_terminal()
    assert [seat.total for seat in worth(state)] == state.scores()


def test_there_are_golden_games_of_both_printings() -> None:
    assert [path.stem.rpartition("_players_")[2] for path in GOLDEN] == ["revised_printing", "first_printing"]
