"""How long a game takes, told to people who are invited."""

from __future__ import annotations

import pytest

from ludotheque.study.game_length import about_minutes, turns_of
from ludotheque.table.clock import ClockRule
from tests.ours import OURS


def test_cable_car_has_a_turn_for_each_tile() -> None:
    assert [turns_of("cable-car", players) for players in (2, 6)] == [60, 60]


@pytest.mark.parametrize("name", OURS)
def test_our_games_take_a_quarter_of_an_hour_to_an_hour(name: str) -> None:
    assert 15 <= about_minutes(name, 2, 2, None) <= 60


def test_more_players_at_chicago_express_take_longer() -> None:
    assert about_minutes("chicago-express", 2, 2, None) < about_minutes("chicago-express", 6, 6, None)


def test_bots_are_quick() -> None:
    assert about_minutes("cable-car", 4, 1, None) < about_minutes("cable-car", 4, 4, None)


def test_a_clock_bounds_the_time() -> None:
    assert about_minutes("cable-car", 2, 2, ClockRule("move", 5)) == 5
    assert about_minutes("cable-car", 2, 2, ClockRule("game", 180)) == 5
    assert about_minutes("cable-car", 2, 2, ClockRule("move", 180)) == about_minutes("cable-car", 2, 2, None)
    assert about_minutes("cable-car", 2, 2, ClockRule("days", 86_400)) == 0
