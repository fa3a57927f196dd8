"""What a level promises: a time at every kind of table, and no absurd move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.bots.levels import LEVELS, TITLES
from ludotheque.bots.players import SearchBot
from ludotheque.bots.speeds import Speed, settings_key, speed
from ludotheque.core.game import State
from ludotheque.core.policy import policy_of
from ludotheque.games.cable_car.rules import DRAW, CableCarState
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import BID, BIDDING, ChicagoExpressState
from ludotheque.study.calibrate import Setup, calibrate, setups
from tests.ours import OURS
from tests.toy import Nim

WILD = 1000.0
"""An error scale at which all plausible moves are as likely."""


def tables() -> list[Setup]:
    return list(setups(OURS, 1.0))


def test_every_kind_of_table_has_a_measured_speed() -> None:
    for table in tables():
        known = speed(load_game(table.game, table.players, **table.settings))
        assert known.simulations > 100
        assert 0.5 < known.decisions < 8


def test_a_level_thinks_for_its_time_at_every_kind_of_table() -> None:
    for table in tables():
        game = load_game(table.game, table.players, **table.settings)
        known = speed(game)
        for level in LEVELS:
            seconds = level.simulations(game) * known.decisions / known.simulations
            assert seconds == pytest.approx(level.seconds, rel=0.1)


def test_the_companies_give_a_decision_fewer_simulations_than_the_base_game() -> None:
    base, companies = (load_game("cable-car", 3, companies=on) for on in (False, True))
    assert LEVELS[2].simulations(companies) < LEVELS[2].simulations(base) / 2


def test_a_board_of_ones_own_has_the_speed_of_the_printed_one() -> None:
    assert speed(load_game("chicago-express", 3, board={})) == speed(load_game("chicago-express", 3))


def test_a_game_that_was_never_measured_has_the_estimate_of_its_policy() -> None:
    game = Nim(2, {"matches": 7})
    assert speed(game) == Speed(policy_of(game).simulations_per_second, policy_of(game).decisions)


def test_a_calibration_measures_every_table_once() -> None:
    found = calibrate(["passerelles"], 0.01)["passerelles"]
    games = [load_game("passerelles", 2, **table.settings) for table in setups(["passerelles"], 1.0)]
    assert list(found.speeds) == [settings_key(game, found.options) for game in games]
    assert all(at[2].simulations > 0 for at in found.speeds.values())


def test_tables_offer_a_random_mover_and_six_levels() -> None:
    assert list(TITLES) == ["random", "1", "2", "3", "4", "5", "6"]
    assert [level.name for level in LEVELS] == ["beginner", "casual", "club", "strong", "expert", "master"]


# No absurd moves, however much a bot slips.


def decisions(state: State, seed: int) -> Iterator[State]:
    """The decisions of a random game."""
    rng = Random(seed)
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
        state.apply(state.sample(rng))


def ends_own_line_at_two_tiles(state: CableCarState, action: int) -> bool:
    """The rules themselves forbid to end a line at one tile, as long as anything else is possible."""
    seat = int(state.seat)
    after = state.clone()
    after.apply(action)
    ended = int(after.finished) & ~int(state.finished)
    own = [station for station in range(32) if ended >> station & 1 and int(state.owners[station]) == seat]
    return bool(own) and int(after.points[seat]) - int(state.points[seat]) <= 2 * len(own)


def test_a_beginner_ends_no_line_of_its_own_at_two_tiles_while_many_places_are_open() -> None:
    game = load_game("cable-car", 3, rotation=True)
    tempted = 0
    for seed in range(4):
        for state in decisions(game.new_initial_state(), seed):
            assert isinstance(state, CableCarState)
            placements = [action for action in state.legal_actions() if action < DRAW]
            ends = [action for action in placements if ends_own_line_at_two_tiles(state, action)]
            if ends and len(placements) > 40 and state.left > 20:
                tempted += 1
                bot = SearchBot(game, tempted, simulations=200, error_scale=WILD)
                assert bot.choose(state, int(state.seat)) not in ends
    assert tempted > 5


def test_a_beginner_bids_no_more_than_a_share_can_return() -> None:
    game = load_game("chicago-express", 3)
    auctions = 0
    for seed in range(6):
        for state in decisions(game.new_initial_state(), seed):
            assert isinstance(state, ChicagoExpressState)
            if state.stage == BIDDING and len(state.legal_actions()) > 10:
                auctions += 1
                seat = int(state.player)
                action = SearchBot(game, auctions, simulations=40, error_scale=WILD).choose(state, seat)
                if action >= BID:
                    assert action - BID <= share_returns(state, action - BID)
    assert auctions > 5


def share_returns(state: ChicagoExpressState, bid: int) -> float:
    """What the share for sale will still pay, as the policy expects it."""
    policy = policy_of(state.game)
    assert isinstance(policy, ChicagoExpressPolicy)
    company = state.company
    policy.limit(state)
    return float(policy.share_worth(state, company, state.sold[company] + 1, state.treasury[company] + bid))
