"""Set-up, opening auctions and auctions."""

from __future__ import annotations

import pytest
from msgspec import structs

from ludotheque import SPECTATOR
from ludotheque.errors import IllegalMove
from ludotheque.games.chicago_express.board import hexes_of
from ludotheque.games.chicago_express.observe import observe
from ludotheque.games.chicago_express.rules import ChicagoExpressState, per_share

from .table import BO, CO, NYC, PRR, WAB, legal, new_game, play, seen, stand, way

pytestmark = pytest.mark.both

SHARED_OUT = {2: 60, 3: 40, 4: 30, 5: 24, 6: 20}


def start(players: int = 4) -> ChicagoExpressState:
    return new_game(players).new_initial_state()


# Set-up.


@pytest.mark.parametrize("players", SHARED_OUT)
def test_120_dollars_are_shared_out_equally(players: int) -> None:
    state = start(players)
    assert list(state.cash) == [SHARED_OUT[players]] * players
    assert sum(state.cash) == 120


def test_treasuries_start_empty() -> None:
    assert list(start().treasury) == [0, 0, 0, 0, 0]


def test_one_locomotive_of_each_but_the_wabash_is_on_its_start_hex() -> None:
    state = start()
    ids = [[state.board.hex(hex).id for hex in hexes_of(state.networks, company)] for company in range(5)]
    assert ids == [["R5"], ["Q7"], ["Q9"], ["S3"], []]
    assert list(state.locomotives) == [19, 21, 25, 23, 11]


def test_incomes_start_at_7_6_5_and_8_and_the_wabash_is_not_in_play() -> None:
    state = start()
    assert list(state.income) == [7, 6, 5, 8, 0]
    assert [company.in_play for company in seen(state).companies] == [True] * 4 + [False]


def test_shares_are_3_4_6_5_and_2() -> None:
    assert [company.unsold for company in seen(start()).companies] == [3, 4, 6, 5, 2]


def test_20_houses_industry_at_1_3_and_4_and_dials_at_the_start() -> None:
    state = start()
    assert state.houses == 20
    assert [city.value for city in seen(state).industry] == [1, 3, 4]
    assert [(dial.at, dial.red) for dial in seen(state).dials] == [(0, 3), (0, 5), (0, 4)]


def test_everything_is_open_to_everyone() -> None:
    state = stand(cash="1,2,3,4")
    views = [structs.asdict(observe(state, viewer)) for viewer in (0, 1, 2, 3, SPECTATOR)]
    assert [view.pop("viewer") for view in views] == [0, 1, 2, 3, SPECTATOR]
    assert all(view == views[0] for view in views)


# Opening auctions.


def test_seat_1_opens_the_first_auction_of_prr_from_7_dollars() -> None:
    state = start()
    assert state.current_player() == 0
    assert state.company == PRR
    assert legal(state)[:2] == ["pass", "bid 7"]


def test_opening_auctions_go_prr_bo_co_nyc_from_7_6_5_and_8() -> None:
    state = start()
    order = []
    while state.is_opening():
        order.append((int(state.company), int(state.minimum(state.company))))
        play(state, "pass", "pass", "pass", "pass")
    assert order == [(PRR, 7), (BO, 6), (CO, 5), (NYC, 8)]


def test_the_buyer_of_a_share_opens_the_next_auction() -> None:
    state = start()
    play(state, "pass", "pass", "bid 9", "pass")
    assert (state.company, state.current_player(), state.seat) == (BO, 2, 2)
    assert state.held[5 * 2 + PRR] == 1


def test_if_everyone_passes_the_opener_gets_the_share_for_nothing_and_opens_the_next() -> None:
    state = start()
    play(state, "bid 7", "pass", "bid 8", "pass", "pass")
    log = play(state, "pass", "pass", "pass", "pass")
    assert log[-1] == "Nobody bids: Seat 3 gets the share of B&O for nothing."
    assert (state.held[5 * 2 + BO], state.cash[2], state.treasury[BO]) == (1, 22, 0)
    assert (state.company, state.current_player()) == (CO, 2)


def test_the_owner_of_the_prr_share_begins_the_game() -> None:
    state = start()
    play(state, "pass", "bid 7", "pass", "pass")
    play(state, "pass", "bid 6", "pass", "pass")
    play(state, "pass", "bid 5", "pass", "pass")
    play(state, "pass", "bid 8", "pass", "pass")
    assert [int(state.held[5 * seat + company]) for company, seat in enumerate((1, 2, 3, 0))] == [1, 1, 1, 1]
    assert state.current_player() == 1
    assert legal(state) == ["auction", "expand", "develop"]


def test_opening_auctions_move_no_dial() -> None:
    state = start(2)
    play(state, *["pass"] * 8)
    assert list(state.dials) == [0, 0, 0]


# Auctions.


def test_bidding_goes_clockwise_and_each_bid_is_higher() -> None:
    state = start()
    play(state, "bid 10")
    assert state.current_player() == 1
    assert legal(state)[:2] == ["pass", "bid 11"]
    play(state, "bid 12")
    with pytest.raises(IllegalMove, match=r"The lowest bid is \$13\."):
        play(state, "bid 12")


def test_the_first_bid_is_at_least_the_minimum_for_every_bidder() -> None:
    state = start()
    play(state, "pass", "pass")
    with pytest.raises(IllegalMove, match=r"The lowest bid is \$7\."):
        play(state, "bid 6")
    assert legal(state)[1] == "bid 7"


def test_a_player_who_passes_is_out_of_this_auction() -> None:
    state = start()
    play(state, "pass", "bid 7", "bid 8", "bid 9")
    assert state.current_player() == 1


def test_an_auction_ends_when_all_but_the_highest_bidder_have_passed() -> None:
    state = start()
    log = play(state, "bid 7", "pass", "bid 8", "pass", "pass")
    assert log[-1] == "Seat 3 buys a share of PRR for $8."
    assert state.company == BO


def test_the_last_player_left_while_there_is_no_bid_is_still_asked() -> None:
    state = start()
    play(state, "pass", "pass", "pass")
    assert state.current_player() == 3
    log = play(state, "bid 7")
    assert log[-1] == "Seat 4 buys a share of PRR for $7."


def test_the_winner_pays_the_treasury_of_the_company() -> None:
    state = start()
    play(state, "bid 11", "pass", "pass", "pass")
    assert (state.cash[0], state.treasury[PRR], state.bank) == (19, 11, 0)


def test_bids_are_at_most_the_cash_of_the_bidder() -> None:
    state = start()
    assert legal(state)[-1] == "bid 30"
    with pytest.raises(IllegalMove, match=r"You have only \$30\."):
        play(state, "bid 31")


def test_a_player_who_cannot_bid_is_still_asked_and_can_only_pass() -> None:
    state = stand(cash="30,3,30,30")
    play(state, "auction NYC bid 10")
    assert (state.current_player(), legal(state)) == (1, ["pass"])
    with pytest.raises(IllegalMove, match="you can only pass"):
        play(state, "bid 11")


def test_an_auction_nobody_can_afford() -> None:
    state = stand(cash="1,2,3,0")
    log = play(state, "auction NYC")
    for _ in range(4):
        assert legal(state) == ["pass"]
        log += play(state, "pass")
    assert log[-1] == "Nobody bids: the share stays with NYC."
    assert (state.sold[NYC], state.current_player()) == (1, 1)


def test_an_offered_share_that_nobody_buys_stays_with_the_company() -> None:
    state = stand()
    play(state, "auction C&O", "pass", "pass", "pass", "pass")
    assert (state.sold[CO], state.treasury[CO], list(state.cash)) == (1, 30, [30] * 4)
    assert state.current_player() == 1


def test_the_minimum_bid_for_income_22_with_two_shares_sold_is_8() -> None:
    state = stand(NYC="0:0,1,1,0:S3")
    state.income[NYC] = 22
    play(state, "auction NYC")
    assert state.lowest_bid() == 8
    assert legal(state)[1] == "bid 8"


@pytest.mark.parametrize(("income", "shares", "each"), [(22, 3, 8), (16, 3, 6), (17, 2, 9), (18, 2, 9), (1, 2, 1)])
def test_parts_of_an_income_are_rounded_up(income: int, shares: int, each: int) -> None:
    assert per_share(income, shares) == each


def test_the_offering_player_opens() -> None:
    state = stand(turn="choose:3")
    play(state, "auction PRR")
    assert (state.current_player(), state.seat) == (2, 2)


def test_after_an_auction_the_player_after_the_offering_one_goes_on() -> None:
    state = stand(turn="choose:3")
    play(state, "auction PRR", "pass", "pass", "bid 5", "pass")
    assert (state.held[PRR], state.current_player()) == (2, 3)


def test_no_share_of_a_wabash_that_is_not_open_can_be_offered() -> None:
    state = stand(turn="offer:1")
    assert legal(state) == ["decline auction", "PRR", "B&O", "C&O", "NYC"]
    with pytest.raises(IllegalMove, match="The Wabash is not open yet"):
        play(state, "Wabash")


def test_no_share_of_a_company_that_has_none_left_can_be_offered() -> None:
    state = stand(turn="offer:1", PRR="0:3,0,0,0:R5")
    assert "PRR" not in legal(state)
    with pytest.raises(IllegalMove, match="PRR has no share left"):
        play(state, "PRR")


def test_an_open_wabash_can_be_offered() -> None:
    game = new_game()
    state = stand(game, "offer:1", NYC="0:0,0,0,1:" + way(game, NYC, "A2"), WAB="0:0,0,0,0:D3")
    assert "WAB" in legal(state)
    assert state.minimum(WAB) == 1
