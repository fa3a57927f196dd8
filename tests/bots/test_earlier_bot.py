"""The search of another checkout as a program: `scripts/earlier_bot.py`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludotheque import load_game
from ludotheque.bots.engine_check import check_engine
from tests.speeds import few

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


def words(checkout: Path) -> list[str]:
    return [sys.executable, str(ROOT / "scripts" / "earlier_bot.py"), str(checkout), "0.001"]


@pytest.mark.parametrize("game", few(["passerelles", "pays-noir"]))
def test_the_search_of_a_checkout_plays_whole_games(game: str) -> None:
    checked = check_engine(shlex.join(words(ROOT)), load_game(game, 2), PATIENCE)
    assert [problem for _, problem in checked] == [""] * 7


def test_a_folder_without_a_compiled_checkout_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(words(tmp_path), input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"There is no compiled Ludotheque in {tmp_path}.\n"
