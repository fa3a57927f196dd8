"""Hints: the best few moves, with reasons; the tests of the command line cover the rest."""

from __future__ import annotations

import re

import pytest

from ludotheque import load_game
from ludotheque.bots.pool import Pool, ThisProcess
from ludotheque.errors import NoSuchPly
from ludotheque.study.hints import Hint, bot_move, hints, position_hints
from ludotheque.table import Match
from tests.ours import OURS
from tests.table.matches import random_match


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


def hint_of(match: Match, seat: int, simulations: int = 200) -> list[Hint]:
    return position_hints(match._present, seat, ThisProcess(), simulations=simulations)


@pytest.mark.parametrize("name", OURS)
def test_a_hint_is_the_best_few_moves_each_with_a_reason_of_numbers(name: str) -> None:
    match = random_match(load_game(name), 2, plies=24)
    found = hint_of(match, match.to_move)
    assert 1 <= len(found) <= 3
    legal = match._present.legal_actions()
    assert len({hint.action for hint in found} & set(legal)) == len(found)
    assert [hint.visits for hint in found] == sorted((hint.visits for hint in found), reverse=True)
    for hint in found:
        assert 0 <= hint.returns[match.to_move] <= 1
        assert hint.error >= 0
        assert re.search(r"\d", str(hint.reason)), "no reason without a number"


@pytest.mark.parametrize("name", ["cable-car", "pays-noir"])
def test_the_same_position_gives_the_same_hint_whatever_is_hidden(name: str) -> None:
    """The other player's hand is dealt anew, and a pool of processes searches instead of this one."""
    match = random_match(load_game(name, 2), 2, plies=24)
    seat = match.to_move
    first = hint_of(match, seat)
    assert hint_of(match, seat) == first
    with Pool(1) as pool:
        assert position_hints(match._present, seat, pool, simulations=200) == first


def test_a_reason_speaks_like_players() -> None:
    match = random_match(load_game("cable-car", 2), 2, plies=24)
    reasons = " ".join(str(hint.reason) for hint in hint_of(match, match.to_move))
    assert not re.search(r"\b[a-h]{4}\b", reasons), "a tile in notation"


def test_a_bid_that_answers_is_named_once() -> None:
    reasons = " ".join(str(hint.reason) for hint in hint_of(Match.start(load_game("chicago-express", 3)), 0))
    assert "“Bid $" in reasons
    assert "Bid, from" not in reasons
