"""Hints: what the tests of the command line do not cover."""

from __future__ import annotations

import pytest

from ludotheque import load_game
from ludotheque.errors import NoSuchPly
from ludotheque.study.hints import bot_move, hints
from ludotheque.table import Match


def test_there_is_no_hint_for_a_ply_that_has_not_been_played() -> None:
    match = Match.start(load_game("passerelles"))
    with pytest.raises(NoSuchPly, match="No player is to move at ply 1;"):
        hints(match, 1, seconds=0.01)
    with pytest.raises(NoSuchPly, match="No player is to move at ply 1;"):
        bot_move(match, 1, "policy")


def test_any_bot_can_be_asked_for_its_move() -> None:
    match = Match.start(load_game("cable-car", 2))
    found = bot_move(match, match.ply, "mine=policy")
    assert found.bot == "mine"
    match.play(match.to_move, found.move)
    assert match.view().decisions == 1
