"""What a level promises: a time at every kind of table, and no absurd move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.levels import BUDGET_FACTOR, LEVELS, level_bot
from ludotheque.bots.names import bot_named
from ludotheque.bots.players import PLAIN_SCALE, SearchBot, worst_slip
from ludotheque.bots.tuning import Speed, newcomer, settings_key, speed
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game, State
from ludotheque.core.policy import policy_of
from ludotheque.core.turn import Turn
from ludotheque.games.cable_car.rules import DRAW, CableCarState
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import BID, BIDDING, DECLINE, ChicagoExpressState
from ludotheque.server.table_bots import TITLES
from ludotheque.study.calibrate import Setup, calibrate, setups
from tests.ours import OURS
from tests.toy import Nim


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
            longest = level.simulations(game) * known.decisions / known.simulations
            assert longest == pytest.approx(BUDGET_FACTOR * level.seconds, rel=0.1)


def test_levels_think_longer_and_slip_less_from_one_to_the_next() -> None:
    for table in tables():
        game = load_game(table.game, table.players, **table.settings)
        efforts = [(level.simulations(game), -level.error_scale(game)) for level in LEVELS]
        assert efforts == sorted(set(efforts))
        slips = [level.error_scale(game) for level in LEVELS]
        assert all(weak >= strong for weak, strong in pairwise(slips))
        assert all(weak > strong for weak, strong in pairwise(slips[:4]))
        assert slips[4:] == [0, 0], "level 5 and the master do not slip"
    assert all(0.03 <= level.seconds <= 5 for level in LEVELS)


def test_a_level_between_two_thinks_and_slips_in_between() -> None:
    game = load_game("cable-car", 2)
    below, between, above = (level_bot(number, game, 1) for number in (2, 2.5, 3))
    assert below.simulations < between.simulations < above.simulations
    assert below.error_scale > between.error_scale > above.error_scale
    assert between.error_scale == pytest.approx((below.error_scale * above.error_scale) ** 0.5)
    assert level_bot(4.5, game, 1).error_scale == pytest.approx(level_bot(4, game, 1).error_scale / 2)
    assert bot_named("bot:2.5", game, 1).error_scale == between.error_scale  # type: ignore[attr-defined]
    for wrong in (0.9, 6.1):
        with pytest.raises(NoSuchBot, match="The levels are 1 to 6"):
            level_bot(wrong, game, 1)


def test_the_companies_give_a_decision_fewer_simulations_than_the_base_game() -> None:
    base, companies = (load_game("cable-car", 3, companies=on) for on in (False, True))
    assert LEVELS[2].simulations(companies) < LEVELS[2].simulations(base) / 1.5


def test_a_board_of_ones_own_has_the_speed_of_the_printed_one() -> None:
    assert speed(load_game("chicago-express", 3, board={})) == speed(load_game("chicago-express", 3))


def test_a_game_that_was_never_measured_has_the_estimate_of_its_policy() -> None:
    game = Nim(2, {"matches": 7})
    assert speed(game) == Speed(policy_of(game).simulations_per_second, policy_of(game).decisions_per_move)


def test_a_calibration_measures_every_table_once() -> None:
    found = calibrate(["passerelles"], 0.01)["passerelles"]
    games = [load_game("passerelles", 2, **table.settings) for table in setups(["passerelles"], 1.0)]
    assert list(found.speeds) == [settings_key(game, found.speed_options) for game in games]
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


def ends_own_line(state: CableCarState, action: int) -> bool:
    """At two tiles; the rules themselves forbid to end it at one, as long as anything else is possible."""
    seat = int(state.seat)
    after = state.clone()
    after.apply(action)
    ended = int(after.finished) & ~int(state.finished)
    own = [station for station in range(32) if ended >> station & 1 and int(state.owners[station]) == seat]
    return bool(own) and int(after.points[seat]) - int(state.points[seat]) <= 2 * len(own)


def for_nothing(state: State, actions: list[int]) -> list[int]:
    """Those that lose by far more than a slip may: they bring nothing else."""
    values = policy_of(state.game).turn_values(state)
    return [action for action in actions if values[action] < max(values.values()) - 6]


def test_a_beginner_ends_no_line_of_its_own_at_two_tiles_for_nothing() -> None:
    game = load_game("cable-car", 3, rotation=True)
    tempted = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 1)):
        assert isinstance(state, CableCarState)
        legal = state.legal_actions()
        absurd = for_nothing(state, [action for action in legal if action < DRAW and ends_own_line(state, action)])
        if absurd and len(absurd) < len(legal):
            tempted += 1
            assert wild_beginner(game, number).choose(Turn(state, int(state.seat))) not in absurd
    assert tempted > 10


def wild_beginner(game: Game, seed: int) -> SearchBot:
    """A player with a short search who slips as much as one may without losing more than the policy's worst slip."""
    return SearchBot(game, seed, simulations=40, error_scale=PLAIN_SCALE, slips_unseen=True)


def test_the_more_a_level_slips_the_more_a_slip_may_lose() -> None:
    assert [worst_slip(4.0, scale) for scale in (0.0, 0.01, PLAIN_SCALE, 0.4, 1.6)] == [4, 4, 4, 8, 16]


@pytest.mark.parametrize("table", [("cable-car", 4, {}), ("chicago-express", 3, {}), ("passerelles", 2, {})])
def test_no_slip_of_a_beginner_loses_more_than_its_worst(table: tuple[str, int, dict[str, Any]]) -> None:
    name, seats, settings = table
    game = load_game(name, seats, **settings)
    losses = []
    for number, state in enumerate(decisions(game.new_initial_state(), 2)):
        if number % 5 or len(state.legal_actions()) < 3:
            continue
        values = policy_of(game).turn_values(state)
        seat = int(state.current_player())
        best = SearchBot(game, number, simulations=40).think(Turn(state, seat))[0].action
        bot = SearchBot(game, number, simulations=40, error_scale=1.6, slips_unseen=True)
        chosen = bot.choose(Turn(state, seat))
        losses += [max(values.values()) - values[chosen]] if chosen != best else []
        assert not losses or losses[-1] <= 4 * policy_of(game).worst_slip
    assert max(losses) > policy_of(game).worst_slip, "a beginner slips more than the others"


def test_an_absurd_move_is_no_slip_even_if_a_search_visited_it() -> None:
    game = load_game("cable-car", 3, rotation=True)
    state = next(state for state in decisions(game.new_initial_state(), 1) if for_nothing(state, state.legal_actions()))
    visited = [Candidate(action, 1, (0.0,) * 3, (0.0,) * 3) for action in state.legal_actions()]
    kept = SearchBot(game, 1, simulations=1)._without_absurd(visited, policy_of(game).turn_values(state))
    absurd = for_nothing(state, state.legal_actions())
    assert not {move.action for move in kept[1:]} & set(absurd)
    assert len(kept) > 1


def test_a_beginner_bids_no_more_than_a_share_can_return() -> None:
    """Unless its search likes that best, say to fill a treasury or to leave a rival without the share."""
    game = load_game("chicago-express", 3)
    auctions = 0
    for seed in range(6):
        for state in decisions(game.new_initial_state(), seed):
            assert isinstance(state, ChicagoExpressState)
            if state.stage == BIDDING and len(state.legal_actions()) > 10:
                auctions += 1
                seat = int(state.player)
                action = SearchBot(game, auctions, simulations=40, error_scale=PLAIN_SCALE).choose(Turn(state, seat))
                best = SearchBot(game, auctions, simulations=40).think(Turn(state, seat))[0].action
                if action >= BID and action != best:
                    assert action - BID <= share_returns(state, action - BID)
    assert auctions > 5


def test_a_beginner_gives_away_no_more_than_five_dollars_by_a_slip() -> None:
    """No opening bid of twice the minimum, no turn spent on nothing while a share goes cheaply."""
    game = load_game("chicago-express", 3)
    tempted = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 7)):
        values = policy_of(game).turn_values(state)
        absurd = {action for action, value in values.items() if value < max(values.values()) - 5}
        if absurd and number % 3 == 0:
            tempted += 1
            seat = int(state.current_player())
            bot = SearchBot(game, number, simulations=40, error_scale=PLAIN_SCALE)
            best = SearchBot(game, number, simulations=40).think(Turn(state, seat))[0].action
            assert bot.choose(Turn(state, seat)) not in absurd - {best}
    assert tempted > 5


def test_a_beginner_declines_no_action_by_a_slip() -> None:
    """Who chose an action carries it out, unless the search likes best to turn the dial for nothing."""
    game = load_game("chicago-express", 3)
    tempted = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 4)):
        legal = state.legal_actions()
        if DECLINE not in legal or len(legal) < 2:
            continue
        turn = Turn(state, int(state.current_player()))
        if SearchBot(game, number, simulations=40).think(turn)[0].action != DECLINE:
            tempted += 1
            assert SearchBot(game, number, simulations=40, error_scale=1.7).choose(turn) != DECLINE
    assert tempted > 10


def share_returns(state: ChicagoExpressState, bid: int) -> float:
    """What the share for sale will still pay, as the policy expects it."""
    policy = policy_of(state.game)
    assert isinstance(policy, ChicagoExpressPolicy)
    company = state.company
    policy.limit(state)
    return float(policy.appraisal.share_worth(state, company, state.sold[company] + 1, state.treasury[company] + bid))


def test_a_weak_player_of_pays_noir_also_slips_to_moves_that_no_search_tried_but_to_no_absurd_one() -> None:
    game = load_game("pays-noir", 2)
    policy = policy_of(game)
    unseen = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 3)):
        legal = state.legal_actions()
        if len(legal) < 8 or number % 4:
            continue
        seat = int(state.current_player())
        values = policy.turn_values(state)
        chosen = SearchBot(game, number, simulations=8, error_scale=PLAIN_SCALE).choose(Turn(state, seat))
        tried = {move.action for move in SearchBot(game, number, simulations=8).think(Turn(state, seat))}
        assert chosen in tried or values[chosen] >= max(values.values()) - policy.worst_slip
        unseen += chosen not in tried
    assert unseen > 3


def test_a_newcomer_to_cable_car_takes_points_at_once_up_to_level_2() -> None:
    """With four seats larger error scales made level 1 no weaker, so it likes points in hand more."""
    game = load_game("cable-car", 4)
    eager = newcomer(game)
    assert eager is not None
    styles = [level_bot(number, game, 1).style for number in (1, 1.5, 2)]
    assert [style.points if style else 0.0 for style in styles] == [eager.points, eager.points / 2, 0]
    assert eager.points > 0
    assert level_bot(1, load_game("passerelles", 2), 1).style is None, "other games need it not"


def test_a_newcomer_to_chicago_express_with_six_seats_overlooks_what_pays_later() -> None:
    game = load_game("chicago-express", 6)
    styles = [level_bot(number, game, 1).style for number in (1, 1.5, 2)]
    assert styles[0] == newcomer(game)
    first, half, none = (style.prospects if style else 0.0 for style in styles)
    assert (first, none) == (2 * half, 0)
    assert first < 0
    assert newcomer(load_game("chicago-express", 5)) is None
