"""Hints: what the tests of the command line do not cover."""

from __future__ import annotations

import pytest

from ludotheque import load_game
from ludotheque.errors import NoSuchPly
from ludotheque.study.hints import hints
from ludotheque.table import Match


def test_there_is_no_hint_for_a_ply_that_has_not_been_played() -> None:
    match = Match.start(load_game("passerelles"))
    with pytest.raises(NoSuchPly, match="No player is to move at ply 1;"):
        hints(match, 1, seconds=0.01)
