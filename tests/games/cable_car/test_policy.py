"""The policy of Cable Car: what open lines can expect, and what a company's points are worth to a seat."""

from __future__ import annotations

import pytest
from librt.random import Random
from mypy_extensions import i32, u8

from ludotheque import load_game
from ludotheque.bots.players import GreedyBot
from ludotheque.core.turn import Turn
from ludotheque.games.cable_car.board import COMPANIES, POWER_STATION
from ludotheque.games.cable_car.policy import (
    ALL_VALUES,
    BEYOND,
    DRAW_GAIN,
    EXIT_CHANCES,
    FURTHER,
    POWER,
    SPREAD,
    SPREAD_PER_TILE,
    CableCarPolicy,
    expected,
    worth,
)
from ludotheque.games.cable_car.rules import BLOCK, DRAW, OPEN, PILES, CableCarState, swap_action
from tests.games.rollouts import check_rollout_draws_as_sample
from tests.speeds import several


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
    assert sum(policy.expected_shares(state)) == pytest.approx(1)


def test_the_nearer_the_end_the_less_a_lead_must_be_to_win() -> None:
    policy, early = after_steps(2, 20)
    _, late = after_steps(2, 100)
    assert policy.lead_scale_at(late) < policy.lead_scale_at(early)


def decision_with_companies(players: int, steps: int) -> tuple[CableCarPolicy, CableCarState]:
    policy, state = after_steps(players, steps, companies=True)
    while state.current_player() < 0:
        state.apply(state.sample(Random(1)))
    return policy, state


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_point_may_bring_a_company_ahead_of_those_near_it_of_which_the_seat_holds_less(players: int) -> None:
    policy, state = decision_with_companies(players, 90)
    policy.weigh(state)
    seat, points = int(state.seat), list(policy.expected_points)
    spread = SPREAD + SPREAD_PER_TILE * int(state.free).bit_count()
    others = [sum((pile + 1) / 6 for pile in range(PILES) if company not in held_by_no_other(state, pile, seat))
              for company in range(COMPANIES)]  # fmt: skip
    leads = [int(state.holding(seat, company)) - others[company] for company in range(COMPANIES)]
    for company in range(COMPANIES):
        near = [other for other in range(COMPANIES) if abs(points[other] - points[company]) < spread]
        stake = sum(leads[company] - leads[other] for other in near) / (2 * spread)
        assert policy.stakes[8 * seat + company] == pytest.approx(stake)


def held_by_no_other(state: CableCarState, pile: int, seat: int) -> set[int]:
    """The companies whose share of this percentage lies open, or is the seat's own."""
    return {int(state.shares[BLOCK * pile + place]) for place in (seat, OPEN)}


@pytest.mark.parametrize("steps", [20, 60, 110])
def test_the_values_to_expect_add_up_and_follow_the_points_to_expect(steps: int) -> None:
    policy, state = decision_with_companies(4, steps)
    policy.weigh(state)
    values, points = list(policy.values), list(policy.expected_points)
    assert sum(values) == pytest.approx(ALL_VALUES) == sum(range(1, COMPANIES + 1))
    by_points = sorted(range(COMPANIES), key=lambda company: points[company])
    assert [values[company] for company in by_points] == sorted(values)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_look_ahead_with_companies_goes_by_what_its_seat_can_see(players: int) -> None:
    policy, state = decision_with_companies(players, 70)
    seat = int(state.seat)
    values = policy.turn_values(state)
    for seed in range(5):
        assert policy.turn_values(state.resample_from_infostate(seat, Random(seed))) == values


def test_greedy_swaps_a_share_of_the_last_company_for_one_of_the_first() -> None:
    policy, state = decision_with_companies(3, 60)
    policy.weigh(state)
    last, *_, first = sorted(range(COMPANIES), key=lambda company: policy.values[company])
    largest = BLOCK * (PILES - 1)
    state.shares[largest + state.seat], state.shares[largest + OPEN] = u8(last), u8(first)
    values = policy.turn_values(state)
    assert max(values, key=lambda action: values[action]) == swap_action(PILES - 1, 0)
    state.shares[largest + state.seat], state.shares[largest + OPEN] = u8(first), u8(last)
    assert policy.turn_values(state)[swap_action(PILES - 1, 0)] < 0


@pytest.mark.parametrize("companies", [False, True])
@pytest.mark.parametrize(("rotation", "hand"), [(False, 1), (True, 1), (False, 3), (True, 2)])
def test_a_rollout_draws_its_moves_as_sample_does(companies: bool, rotation: bool, hand: int) -> None:
    game = load_game("cable-car", 3, companies=companies, rotation=rotation, hand=hand)
    policy = CableCarPolicy(game)
    policy.chooser.tries = 1
    check_rollout_draws_as_sample(policy, game.new_initial_state())


@pytest.mark.parametrize("companies", [False, True])
def test_a_rollout_stops_at_the_horizon(companies: bool) -> None:
    policy, state = after_steps(3, 60, companies)
    policy.horizon = 7
    assert policy.play_on(state, Random(1)) == 7
    assert not state.is_terminal()


@pytest.mark.parametrize("run", [0, 1, 12, 63, 64, 100])
def test_a_line_is_worth_its_tiles_and_those_to_come_the_more_the_nearer_the_power_station(run: int) -> None:
    for end in (0, 100, POWER_STATION):
        assert worth(run, end) == pytest.approx((run + FURTHER[end]) * (1 + POWER[end]))


def test_a_line_can_expect_what_the_tiles_beside_it_promise() -> None:
    """Such as three tiles to the power station on one of the ways on."""
    _, state = after_steps(2, 0)
    waiting, side = 0, 1
    before = expected(state.stretches, 0, waiting, 1)
    beyond = BEYOND[side]
    state.stretches[beyond] = i32(512 * 3 + POWER_STATION)
    gain = expected(state.stretches, 0, waiting, 1) - before
    assert gain == pytest.approx(EXIT_CHANCES[side] * (worth(4, POWER_STATION) - worth(1, beyond)))


def test_a_placement_counts_the_lines_beside_it_in_the_position_searched() -> None:
    """Which the quick weights leave out: they see only what the tile crosses."""
    policy, state = after_steps(2, 60)
    while state.current_player() < 0:
        state.apply(state.sample(Random(1)))
    quick, whole = policy.weigh(state), policy.turn_values(state)
    crossed_nothing = [a for a, weight in quick.items() if weight == 1.0 and a != DRAW]
    assert any(whole[action] != 0.0 for action in crossed_nothing)


def test_greedy_draws_rather_than_place_a_tile_that_brings_less_than_most() -> None:
    game = load_game("cable-car", 2)
    policy = CableCarPolicy(game)
    bot = GreedyBot(game, 1)
    state = game.new_initial_state()
    rng = Random(3)
    drew = set()
    while not state.is_terminal():
        action = state.sample(rng)
        if state.current_player() >= 0:
            values = policy.turn_values(state)
            action = bot.choose(Turn(state, int(state.current_player())))
            if DRAW in values:
                assert (action == DRAW) == (max(values.values()) == DRAW_GAIN)
                drew.add(action == DRAW)
        state.apply_action(action)
    assert drew == {True, False}


@pytest.mark.parametrize("players", [2, 5])
def test_a_rollout_without_variants_makes_the_same_moves_step_by_step(players: int) -> None:
    """From many positions, with the same generator: same steps, same end, same points, same luck after it."""
    for seed in range(several(20, 500)):
        policy, state = after_steps(players, 7 * (seed % 15))
        finished, rng, again, steps = state.clone(), Random(seed), Random(seed), 0
        assert state.begins_plain_turn() or state.current_player() < 0
        while not state.is_terminal():
            state.apply(policy.move(state, rng))
            steps += 1
        assert policy.play_on(finished, again) == steps
        assert finished.position() == state.position()
        assert finished.scores() == state.scores()
        assert again.randrange(10**9) == rng.randrange(10**9)
