"""Recorded games with what must be said of their moves, in plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.core.game import SPECTATOR
from ludotheque.core.options import read_settings
from ludotheque.games.passerelles import Passerelles

pytestmark = pytest.mark.both

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.txt"))


def read(path: Path) -> tuple[Passerelles, list[tuple[str, list[str]]]]:
    """The table, and each move with what is told of it."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    options = read_settings(Passerelles.options, lines[0].removeprefix("options:").split())
    moves: list[tuple[str, list[str]]] = []
    for line in lines[1:]:
        if line.startswith("> "):
            moves[-1][1].append(line[2:])
        else:
            moves.append((line, []))
    return Passerelles(2, options), moves


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_is_replayed_and_told_as_recorded(path: Path) -> None:
    game, moves = read(path)
    state = game.new_initial_state()
    for move, told in moves:
        before, action = state.clone(), state.string_to_action(move)
        state.apply_action(action)
        log = [str(words) for words in game.describe(before, action, state, SPECTATOR)]
        plain = log[0].endswith("flat.") or "neutral piece" in log[0]  # these go without saying
        assert log[plain:] == told, move
    assert state.is_terminal()


def test_there_are_golden_games() -> None:
    assert len(GOLDEN) >= 3
