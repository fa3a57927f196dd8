"""Whole games of Passerelles and the log lines that must appear in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import check_golden_game

pytestmark = pytest.mark.both

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    assert check_golden_game(path) >= 8
