"""Clocks: time for each move or for the game; it passes only while everyone is seated. All times are given."""

from __future__ import annotations

import msgspec
import pytest

from ludotheque.table.clock import LEAST_AFTER_RETURN, ClockRule, change_player, pass_turn, start_clock, time_left

MOVE = ClockRule("move", 60)
GAME = ClockRule("game", 600, 5)
NOON = 1_000_000.0


def test_each_move_has_a_time_of_its_own() -> None:
    clock = start_clock(MOVE, 2, 0, NOON)
    assert time_left(clock, 0, NOON + 20, NOON) == 40
    assert time_left(clock, 1, NOON + 20, NOON) == 60
    clock = pass_turn(MOVE, clock, 1, NOON + 20, NOON)
    assert [*clock.left] == [60, 60]
    assert time_left(clock, 1, NOON + 50, NOON) == 30


def test_a_game_has_one_time_and_each_turn_adds_to_it() -> None:
    clock = pass_turn(GAME, start_clock(GAME, 2, 0, NOON), 1, NOON + 100, NOON)
    assert [*clock.left] == [505, 600]
    clock = pass_turn(GAME, clock, 0, NOON + 150, NOON)
    assert [*clock.left] == [505, 555]
    assert time_left(clock, 0, NOON + 160, NOON) == 495


def test_a_turn_of_several_moves_has_one_time() -> None:
    clock = start_clock(MOVE, 2, 0, NOON)
    assert pass_turn(MOVE, clock, 0, NOON + 50, NOON) == clock
    assert time_left(clock, 0, NOON + 70, NOON) == 0


def test_time_never_falls_below_nothing() -> None:
    clock = pass_turn(GAME, start_clock(GAME, 2, 0, NOON), 1, NOON + 10_000, NOON)
    assert [*clock.left] == [5, 600]


def test_no_time_passes_while_someone_is_missing() -> None:
    clock = start_clock(MOVE, 2, 0, NOON)
    assert time_left(clock, 0, NOON + 1000, None) == 60
    assert time_left(clock, 0, NOON + 1000, NOON + 990) == 50


def test_nobodys_time_runs_at_a_draw_and_after_the_end() -> None:
    clock = pass_turn(GAME, start_clock(GAME, 2, 0, NOON), -4, NOON + 10, NOON)
    assert [time_left(clock, seat, NOON + 99, NOON) for seat in (0, 1)] == [595, 600]


def test_who_comes_back_has_time_to_move() -> None:
    clock = start_clock(GAME, 2, 0, NOON)
    back = change_player(GAME, clock, 0, NOON + 700, NOON)
    assert time_left(back, 0, NOON + 700, NOON) == LEAST_AFTER_RETURN
    assert change_player(MOVE, start_clock(MOVE, 2, 0, NOON), 0, NOON + 99, NOON).left[0] == 60


@pytest.mark.parametrize("rule", [{"kind": "move", "seconds": 1}, {"kind": "hour", "seconds": 60}, {"kind": "game"}])
def test_impossible_rules_are_refused(rule: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(rule, ClockRule)
