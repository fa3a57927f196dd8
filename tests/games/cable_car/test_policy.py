"""The policy of Cable Car: what open lines can expect, and what a company's points are worth to a seat."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.games.cable_car.board import COMPANIES, POWER_STATION
from ludotheque.games.cable_car.policy import FURTHER, POWER, CableCarPolicy, worth
from ludotheque.games.cable_car.rules import CableCarState
from tests.games.rollouts import check_rollout_draws_as_sample


def after_steps(players: int, steps: int, companies: bool = False) -> tuple[CableCarPolicy, CableCarState]:
    game = load_game("cable-car", players, companies=companies)
    policy = CableCarPolicy(game)
    state = game.new_initial_state()
    assert isinstance(state, CableCarState)
    rng = Random(5)
    for _ in range(steps):
        state.apply(policy.move(state, rng))
    return policy, state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_open_lines_can_expect_more_points(players: int) -> None:
    policy, state = after_steps(players, 60)
    policy.horizon = 0
    outlook = policy.expected_scores(state, 1, Random(1))
    assert all(expected > score for expected, score in zip(outlook, state.scores(), strict=True))
    assert sum(policy.expected(state)) == pytest.approx(1)


def test_the_nearer_the_end_the_less_a_lead_must_be_to_win() -> None:
    policy, early = after_steps(2, 20)
    _, late = after_steps(2, 100)
    assert policy.lead_at(late) < policy.lead_at(early)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_point_of_a_company_is_worth_what_a_seat_holds_of_it_less_the_mean_of_the_others(players: int) -> None:
    policy, state = after_steps(players, 90, companies=True)
    policy.weigh(state)
    for company in range(COMPANIES):
        held = [int(state.holding(seat, company)) for seat in range(players)]
        for seat in range(players):
            others = (sum(held) - held[seat]) / (players - 1)
            assert policy.stakes[8 * seat + company] == pytest.approx((held[seat] - others) / 4)


@pytest.mark.parametrize("companies", [False, True])
@pytest.mark.parametrize(("rotation", "hand"), [(False, 1), (True, 1), (False, 3), (True, 2)])
def test_a_rollout_draws_its_moves_as_sample_does(companies: bool, rotation: bool, hand: int) -> None:
    game = load_game("cable-car", 3, companies=companies, rotation=rotation, hand=hand)
    policy = CableCarPolicy(game)
    policy.tries = 1
    check_rollout_draws_as_sample(policy, game.new_initial_state())


@pytest.mark.parametrize("run", [0, 1, 12, 63, 64, 100])
def test_a_line_is_worth_its_tiles_and_those_to_come_the_more_the_nearer_the_power_station(run: int) -> None:
    for end in (0, 100, POWER_STATION):
        assert worth(run, end) == pytest.approx((run + FURTHER[end]) * (1 + POWER[end]))
