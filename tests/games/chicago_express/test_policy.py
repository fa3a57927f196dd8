"""What a decent player knows: what shares are worth, what to bid, what to do; and the worth of a seat for charts."""

from __future__ import annotations

import pytest
from librt.random import Random
from librt.vecs import vec

from ludotheque.games.chicago_express import ChicagoExpressState, worth
from ludotheque.games.chicago_express.appraisal import FAR, Appraisal, dividends_to_come
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT
from ludotheque.games.chicago_express.gains import Gains
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import AUCTION, BID, BUILDING, CHOOSING, COMPANY, HEX, PASS
from tests.speeds import several

from .table import BO, CO, NYC, PRR, new_game, play, stand, way

pytestmark = pytest.mark.both


def share(state: ChicagoExpressState, company: int) -> float:
    """What one share of the company will still pay."""
    appraisal = Appraisal(state.board)
    appraisal.appraise(state)
    return float(appraisal.worths[company])


def favourite(state: ChicagoExpressState) -> int:
    weights = ChicagoExpressPolicy(state.game).weigh(state)
    return max(weights, key=lambda action: weights[action])


# What a share will still pay.


def test_a_fuller_treasury_makes_a_share_worth_more() -> None:
    assert share(stand(PRR="40:1,0,0,0:R5"), PRR) > share(stand(PRR="5:1,0,0,0:R5"), PRR)


def test_money_that_no_locomotive_is_left_to_spend_makes_no_share_worth_more() -> None:
    poor, rich = stand(PRR="0:1,0,0,0:R5"), stand(PRR="60:1,0,0,0:R5")
    for state in (poor, rich):
        state.locomotives[PRR] = 0
    assert share(rich, PRR) == share(poor, PRR)


def test_another_share_sold_lowers_what_each_share_pays() -> None:
    worths = [share(stand(NYC=f"30:0,0,0,{sold}:S3"), NYC) for sold in (1, 2, 3, 4)]
    assert worths == sorted(worths, reverse=True)
    assert worths[-1] < worths[0] / 2


def test_shares_still_to_be_sold_lower_what_a_share_will_pay() -> None:
    """PRR has two more to sell, C&O five."""
    state = stand(PRR="0:1,0,0,0:R5", CO="0:0,0,1,0:Q9")
    state.income[PRR] = state.income[CO] = 7
    assert share(state, PRR) > share(state, CO)


def test_a_company_near_chicago_with_the_money_to_get_there_is_worth_more() -> None:
    game = new_game()
    to_the_lake = way(game, NYC, "C2")
    near, far = stand(game, NYC=f"20:0,0,0,1:{to_the_lake}"), stand(game, NYC="20:0,0,0,1:S3")
    far.income[NYC] = near.income[NYC]
    far.locomotives[NYC] = near.locomotives[NYC]
    assert share(near, NYC) > share(far, NYC)


def test_the_next_dividend_is_what_a_share_pays_when_an_end_holds() -> None:
    state = stand(dials="2,5,0", industry="8,3,4", NYC="30:1,1,0,1:S3")
    assert dividends_to_come(state) == 1.0
    assert share(state, NYC) == state.dividend(NYC) == 3


# How long the game will go on.


def test_fewer_dividends_are_to_come_the_nearer_any_end_is() -> None:
    start = dividends_to_come(stand())
    assert 3.0 < start <= 8.0
    assert dividends_to_come(stand(PRR="30:2,0,0,0:R5", BO="30:0,3,0,0:Q7")) < start
    assert dividends_to_come(stand(industry="7,3,4")) == 2.0


def test_the_wabash_ends_nothing_before_it_is_open() -> None:
    """With PRR and B&O sold out, the third to sell out is NYC with four shares left, not the Wabash with two."""
    sold_out = {"PRR": "30:3,0,0,0:R5", "BO": "30:0,4,0,0:Q7"}
    game = new_game()
    track = way(game, NYC, "A2")
    closed = stand(game, **sold_out)
    opened = stand(game, **sold_out, NYC=f"30:0,0,0,1:{track}", WAB="0:0,0,0,0:D3")
    assert dividends_to_come(opened) < dividends_to_come(closed)


# What a seat is worth.


def test_after_the_end_worth_is_cash() -> None:
    state = stand(dials="2,5,0", industry="8,3,4")
    assert [(seat.shares, seat.earnings) for seat in worth(state)] == [(7, 0), (6, 0), (5, 0), (8, 0)]
    expected = [seat.total for seat in worth(state)]
    play(state, "decline auction")
    assert [(seat.cash, seat.shares, seat.earnings) for seat in worth(state)] == [(cash, 0, 0) for cash in expected]


def test_all_seats_are_worth_the_same_before_the_first_bid() -> None:
    first, *others = worth(new_game(3).new_initial_state())
    assert (first.cash, first.shares) == (40, 0)
    assert first.earnings > 0
    assert others == [first, first]


def test_half_way_worth_tells_the_final_cash_much_better_than_cash_does() -> None:
    """Over games of rollouts, after two dividends."""
    missed = missed_by_cash = 0
    for seed in range(12):
        middle, end = _played(seed)
        for estimate, final in zip(worth(middle), end.scores(), strict=True):
            missed += abs(estimate.total - final)
            missed_by_cash += abs(estimate.cash - final)
    assert missed < 0.6 * missed_by_cash


def _played(seed: int) -> tuple[ChicagoExpressState, ChicagoExpressState]:
    """A game of rollouts, after its second dividend and at its end: each goes on to the next dividend."""
    state = new_game(3).new_initial_state()
    policy = ChicagoExpressPolicy(state.game)
    rng = Random(seed)
    policy.play_on(state, rng)
    policy.play_on(state, rng)
    middle = state.clone()
    while not state.is_terminal():
        policy.play_on(state, rng)
    return middle, state


# Bids.


def test_opening_bids_are_well_below_what_a_player_has() -> None:
    """Whoever spends everything in the opening auctions watches the others buy the rest for a song."""
    state = new_game(3).new_initial_state()
    limit = ChicagoExpressPolicy(state.game).limit(state)
    assert 10 < limit < 25


@pytest.mark.parametrize(("bid", "move"), [(8, BID + 9), (29, PASS)])
def test_a_bidder_goes_on_up_to_what_the_share_is_worth_and_no_further(bid: int, move: int) -> None:
    state = new_game(3).new_initial_state()
    play(state, f"bid {bid}")
    assert favourite(state) == move


def test_nobody_bids_more_than_needed_against_players_without_money() -> None:
    state = stand(new_game(3), "choose:1", cash="40,3,2")
    play(state, "auction NYC")
    weights = ChicagoExpressPolicy(state.game).weigh(state)
    lowest = BID + state.lowest_bid()
    assert max(weights, key=lambda action: weights[action]) == lowest
    assert all(weights[action] < weights[lowest] / 100 for action in weights if action > lowest)


@pytest.mark.parametrize(("bid", "move"), [(12, BID + 13), (20, PASS)])
def test_greedy_saves_its_cash_for_later_shares(bid: int, move: int) -> None:
    """With two seats it once bid up to 29 dollars for the first share."""
    state = new_game(2).new_initial_state()
    play(state, f"bid {bid}")
    values = ChicagoExpressPolicy(state.game).turn_values(state)
    assert max(values, key=lambda action: values[action]) == move


def test_a_careful_bidder_pays_less_where_there_is_a_first_share_for_each() -> None:
    states = {seats: new_game(seats).new_initial_state() for seats in (3, 4, 5)}
    limits = {seats: ChicagoExpressPolicy(state.game).limit(state) for seats, state in states.items()}
    assert limits[4] < limits[3] == pytest.approx(limits[5])


# Actions.


def test_the_only_player_with_money_puts_shares_up_for_sale() -> None:
    assert favourite(stand(new_game(3), "choose:3", cash="2,1,30")) == AUCTION


def test_a_player_without_money_does_not_sell_the_others_a_share() -> None:
    assert favourite(stand(new_game(3), "choose:1", cash="1,30,30")) != AUCTION


def test_a_development_serves_the_company_that_the_player_has_most_of() -> None:
    """PRR is in Binghamton, B&O in Cumberland."""
    game = new_game()
    state = stand(game, PRR=f"30:1,0,0,0:{way(game, PRR, 'Q3')}", BO=f"30:0,1,0,0:{way(game, BO, 'N6')}")
    play(state, "develop")
    gains = Gains(state.board, Appraisal(state.board))
    gains.look(state)
    mine, theirs = state.board.number_of["Q3"], state.board.number_of["N6"]
    assert gains.development_gain(state, mine) > 0 > gains.development_gain(state, theirs)
    assert favourite(state) == HEX + mine


def test_building_is_for_the_company_that_the_player_has_most_of() -> None:
    """One of three shares of PRR, and the only one of NYC."""
    state = stand(new_game(3), PRR="30:1,1,1:R5", NYC="30:1,0,0:S3")
    play(state, "expand")
    assert favourite(state) == COMPANY + NYC


def test_chicago_is_built_on_when_it_can_be_reached() -> None:
    game = new_game()
    state = stand(game, "choose:4", NYC=f"20:0,0,0,1:{way(game, NYC, 'B2')}")
    for action in ("expand", "NYC"):
        state.apply_action(state.string_to_action(action))
    assert favourite(state) == HEX + state.board.chicago


# Playouts.


def test_a_rollout_goes_on_to_the_next_dividend_and_stops_where_a_turn_begins() -> None:
    state = new_game(3).new_initial_state()
    ChicagoExpressPolicy(state.game).play_on(state, Random(1))
    assert (state.steps[DETROIT], state.stage) == (1, CHOOSING)


def test_rollouts_come_to_an_end() -> None:
    state = stand(industry="8,3,4")
    ChicagoExpressPolicy(state.game).play_on(state, Random(1))
    assert state.is_terminal()


def test_standings_are_shares_of_one_win_and_favour_the_worthier() -> None:
    state = stand(cash="30,10,10,10")
    shares = vec[float]([0.0] * 4)
    dollars = vec[float]([0.0] * 4)
    policy = ChicagoExpressPolicy(state.game)
    policy.estimate_into(state, shares, dollars)
    assert sum(shares) == pytest.approx(1.0)
    assert max(shares) == shares[0]
    assert list(dollars) == [policy.appraisal.seat_worth(state, seat) for seat in range(4)]


@pytest.mark.parametrize("cash", ["30,10,10", "30,10,10,10"])
def test_a_search_counts_cash_for_less_than_the_scores_to_expect_until_the_last_dividend(cash: str) -> None:
    game = new_game(1 + cash.count(","))
    policy = ChicagoExpressPolicy(game)
    rich = stand(game, cash=cash)
    assert policy.evaluate(rich)[0] < policy.expected_shares(rich)[0]
    last = stand(game, cash=cash, industry="8,3,4")
    assert policy.evaluate(last) == pytest.approx(policy.expected_shares(last))


def test_the_way_to_chicago_is_the_shortest_from_any_hex_of_the_network() -> None:
    """Whatever the guess from the position looked at before."""
    policy = ChicagoExpressPolicy(new_game())
    appraisal = policy.appraisal
    for seed in range(3):
        state = new_game().new_initial_state()
        rng = Random(seed)
        while not state.is_terminal():
            for company in range(COMPANIES):
                hexes = [hex for hex in range(int(state.board.hexes)) if state.is_on(company, hex)]
                appraisal.measure(state, company)
                assert appraisal.steps[company] == min((int(appraisal.distance[hex]) for hex in hexes), default=FAR)
            state.apply(policy.move(state, rng))


def test_rollouts_play_legal_moves_only() -> None:
    policy = ChicagoExpressPolicy(new_game())
    state = new_game().new_initial_state()
    rng = Random(2)
    while not state.is_terminal():
        action = policy.move(state, rng)
        assert state.is_legal(action)
        state.apply(action)


@pytest.mark.parametrize("seed", range(several(2, 30)))
def test_prices_read_off_the_sets_of_hexes_and_the_end_are_those_of_the_rules(seed: int) -> None:
    state, rng = new_game(3 + seed % 3).new_initial_state(), Random(seed)
    while not state.is_terminal():
        if state.stage == BUILDING:
            for action in state.legal_actions():
                assert action < HEX or state.price_where_open(action - HEX) == state.price(action - HEX)
        if state.ends() != 0:
            assert dividends_to_come(state) == 1.0
        state.apply(state.sample(rng))
