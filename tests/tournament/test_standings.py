"""Standings: points by place, Buchholz, Sonneborn-Berger, direct encounters, and shared places."""

from __future__ import annotations

import pytest

from ludotheque.tournament.standings import Standing, points_by_player, standings
from ludotheque.tournament.values import Meeting, points_by_place


def test_points_are_the_share_of_the_others_whom_one_beat() -> None:
    assert points_by_place([0, 1]) == (1, 0)
    assert points_by_place([0, 0]) == (0.5, 0.5)
    assert points_by_place([1, 0, 2]) == (0.5, 1, 0)
    assert points_by_place([0, 0, 2, 3]) == pytest.approx((5 / 6, 5 / 6, 1 / 3, 0))


def test_one_who_forfeits_loses_to_everyone() -> None:
    assert points_by_place([0, 1], absent=[0]) == (0, 1)
    assert points_by_place([0, 0, 0], absent=[1]) == (0.75, 0, 0.75)
    assert points_by_place([0, 0], absent=[0, 1]) == (0, 0)


def game(number: int, one: int, other: int, points: float) -> Meeting:
    return Meeting(number, (one, other), (points, 1 - points), "played")


ROUND_ROBIN = [
    game(1, 1, 2, 1), game(1, 3, 4, 1), game(2, 2, 3, 1),
    game(2, 4, 1, 1), game(3, 1, 3, 1), game(3, 4, 2, 0),
]  # fmt: skip


def by_player(found: list[Standing]) -> dict[int, Standing]:
    return {each.player: each for each in found}


def test_a_direct_encounter_decides_a_round_robin() -> None:
    found = standings("round-robin", range(1, 5), ROUND_ROBIN)
    assert [(each.player, each.points, each.rank) for each in found] == [(1, 2, 1), (2, 2, 2), (3, 1, 3), (4, 1, 4)]
    assert by_player(found)[1].direct == 1
    assert by_player(found)[2].direct == 0


def test_buchholz_adds_the_points_of_those_one_met() -> None:
    meetings = [game(1, 1, 2, 1), game(1, 3, 4, 1), game(2, 1, 3, 0.5), game(2, 2, 4, 1)]
    found = by_player(standings("swiss", range(1, 5), meetings))
    assert found[1].buchholz == 1 + 1.5
    assert found[1].sonneborn == 1 + 0.75
    assert (found[1].rank, found[3].rank) == (1, 2)


def test_a_bye_counts_like_an_opponent_with_ones_own_points() -> None:
    meetings = [game(1, 1, 2, 1), Meeting(1, (3,), (1.0,), "bye")]
    found = by_player(standings("swiss", range(1, 4), meetings))
    assert (found[3].points, found[3].buchholz, found[3].sonneborn) == (1, 1, 0)


def test_players_whom_nothing_tells_apart_share_a_place() -> None:
    found = standings("swiss", range(1, 4), [])
    assert [each.rank for each in found] == [1, 1, 1]


def test_thirds_add_up() -> None:
    meetings = [Meeting(number, (1, 2, 3, 4), points_by_place([2, 0, 1, 3]), "played") for number in (1, 2, 3)]
    assert points_by_player(meetings)[1] == 1.0


def test_a_game_under_way_counts_for_nothing() -> None:
    found = standings("swiss", (1, 2), [Meeting(1, (1, 2))])
    assert [(each.points, each.buchholz, each.played) for each in found] == [(0, 0, 0), (0, 0, 0)]
