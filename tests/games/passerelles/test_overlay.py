"""The walls that are drawn on demand: those that would enclose more, and exactly what they would enclose."""

from __future__ import annotations

from itertools import pairwise

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.core.seats import SPECTATOR
from ludotheque.games.passerelles.overlay import MOST_WALLS, best_walls, walls
from ludotheque.games.passerelles.rules import PasserellesState

GAME = load_game("passerelles", rounds=1)


def position(seed: int, plies: int) -> PasserellesState:
    state = GAME.new_initial_state()
    assert isinstance(state, PasserellesState)
    rng = Random(seed)
    for _ in range(plies):
        state.apply(state.sample(rng))
    return state


@pytest.mark.parametrize("seed", range(6))
def test_every_wall_encloses_what_it_says_and_none_is_left_out(seed: int) -> None:
    state = position(seed, 14)
    seat = int(state.current_player())
    now = state.score_now()[seat]
    gains = {}
    for action in state.legal_actions():
        after = state.child(action)
        assert isinstance(after, PasserellesState)
        if after.score_now()[seat] > now:
            gains[action] = after.score_now()[seat] - now
    found = {wall.placement: wall for wall in walls(state, seat)}
    assert found.keys() == gains.keys()
    assert all(wall.gain >= gains[wall.placement] for wall in found.values()), "it may lose squares elsewhere"


@pytest.mark.parametrize("seed", range(6))
def test_the_best_walls_come_first_and_do_not_share_squares(seed: int) -> None:
    state = position(seed, 16)
    for seat in (0, 1):
        best = best_walls(state, seat)
        assert len(best) <= MOST_WALLS
        assert all(one.gain >= two.gain for one, two in pairwise(best))
        assert len(frozenset().union(*(wall.reach for wall in best))) == sum(len(wall.reach) for wall in best)
        assert max((wall.gain for wall in walls(state, seat)), default=0) == (best[0].gain if best else 0)


def test_walls_of_both_seats_are_drawn_with_their_squares_counted_and_told() -> None:
    seen = [GAME.overlay(position(seed, 16), SPECTATOR) for seed in range(6)]
    told = [overlay for overlay in seen if overlay.pieces]
    assert told
    for overlay in told:
        kinds = [piece.id.partition(":")[0] for piece in overlay.pieces]
        count = len(kinds) // 3
        assert kinds == ["would"] * count + ["piece"] * count + ["would-count"] * count
        assert all("could enclose" in str(line) for line in overlay.lines)


def test_nothing_is_drawn_on_an_empty_board_or_after_the_end() -> None:
    over = position(3, 0)
    rng = Random(1)
    while not over.is_terminal():
        over.apply(over.sample(rng))
    for state in (position(1, 0), over):
        overlay = GAME.overlay(state, 0)
        assert not overlay.pieces
        assert [str(line) for line in overlay.lines] == ["No piece would enclose more squares now."]
