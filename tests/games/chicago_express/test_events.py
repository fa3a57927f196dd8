"""The events of Chicago Express, and what hints say of a pass."""

from __future__ import annotations

import pytest

from ludotheque.core.earnings import Earning
from ludotheque.core.events import NO_SEAT, Event
from ludotheque.core.phrases import phrase
from ludotheque.games.chicago_express.effects import effects
from ludotheque.games.chicago_express.events import (
    ActionChosen,
    Bid,
    ChicagoReached,
    Developed,
    ExpressEnded,
    GeneralDividend,
    Passed,
    Rise,
    ShareSold,
    ShareUnsold,
    TrackBuilt,
    events,
)
from ludotheque.games.chicago_express.rules import ChicagoExpressState
from tests.games.chicago_express.table import NYC, PRR, new_game, stand, way
from tests.games.chicago_express.test_chicago_and_the_end import before_chicago


def after(state: ChicagoExpressState, move: str) -> list[Event]:
    action = state.string_to_action(move)
    then = state.clone()
    then.apply_action(action)
    return events(state, action, then)


def said_of_a_pass(state: ChicagoExpressState) -> str:
    action, then = state.string_to_action("pass"), state.clone()
    then.apply_action(action)
    effect, _worth = effects(state, action, then, int(state.player))
    return str(effect).partition("at a dividend, ")[2]


def auction(cash: str, *moves: str) -> ChicagoExpressState:
    """An auction of a share of PRR (minimum $4) that seat 1 offers, after some moves."""
    state = stand(new_game(3), "offer:1", cash=cash)
    for move in ("PRR", *moves):
        state.apply_action(state.string_to_action(move))
    return state


def test_a_bid_names_the_dividend_of_the_share() -> None:
    (bid,) = after(new_game(3).new_initial_state(), "bid 8")
    assert bid == Bid(seat=0, places=("income:PRR",), company="PRR", dollars=8, pays=7)


def test_a_sold_share_is_paid_by_its_buyer() -> None:
    passed, sold = after(auction("30,30,30", "bid 9", "pass"), "pass")
    assert isinstance(passed, Passed)
    assert (passed.dollars, passed.contested, passed.ends, passed.taker) == (9, False, True, 0)
    paid = (Earning(0, phrase("Paid for shares"), -9),)
    assert sold == ShareSold(seat=0, places=("income:PRR",), company="PRR", dollars=9, earnings=paid)


def test_a_share_that_nobody_wants_stays_with_its_company() -> None:
    passed, unsold = after(auction("30,30,30", "pass", "pass"), "pass")
    assert isinstance(passed, Passed)
    assert (passed.contested, passed.ends, passed.taker) == (False, True, NO_SEAT)
    assert unsold == ShareUnsold(places=("income:PRR",), company="PRR")


@pytest.mark.parametrize(
    ("cash", "moves", "said"),
    [
        ("30,30,30", ["bid 9"], "for $9 or more to the others"),
        ("30,30,30", ["pass"], "for $4 or more to the others"),
        ("30,30,30", ["bid 9", "pass"], "to Seat 1 for $9"),
        ("30,30,9", ["bid 9"], "to Seat 1 for $9"),  # the third seat cannot bid more
        ("30,30,30", ["pass", "pass"], "with the company"),
        ("30,30,3", ["pass"], "with the company"),
    ],
)
def test_a_hint_for_a_pass_says_who_can_still_get_the_share(cash: str, moves: list[str], said: str) -> None:
    assert said_of_a_pass(auction(cash, *moves)) == said


def test_an_opening_share_that_nobody_bids_for_is_the_openers() -> None:
    state = new_game(3).new_initial_state()
    for _ in range(2):
        state.apply_action(state.string_to_action("pass"))
    assert said_of_a_pass(state) == "to Seat 1 for nothing"
    state = new_game(2).new_initial_state()
    state.cash[1] = 0
    assert said_of_a_pass(state) == "for nothing"


def test_chicago_raises_the_income_and_pays_those_who_hold_shares() -> None:
    state = before_chicago()
    for move in ("expansion", "NYC"):
        state.apply_action(state.string_to_action(move))
    income = int(state.income[NYC])
    built, reached = after(state, "A2")
    assert isinstance(built, TrackBuilt)
    assert (built.places, built.price) == (("engine:NYC:A2", "hex:A2"), 3)
    assert built.rises == (Rise("NYC", income, income + 7),)
    assert isinstance(reached, ChicagoReached)
    source = phrase("Chicago dividends")
    assert reached.earnings == (Earning(0, source, reached.dollars), Earning(3, source, 2 * reached.dollars))


def test_a_development_names_the_incomes_that_it_raises() -> None:
    game = new_game()
    state = stand(game, "develop:1", PRR="0:1,0,0,0:" + way(game, PRR, "K4"))
    (developed,) = after(state, "K4")
    assert isinstance(developed, Developed)
    assert developed.places == ("hex:K4",)  # an industrial city has no house
    (rise,) = developed.rises
    assert developed.grown is not None
    was, now = developed.grown
    assert (rise.company, rise.new - rise.old) == ("PRR", now - was)


def test_a_dividend_moves_the_dial_first_and_ends_the_game_last() -> None:
    state = stand(new_game(printing="revised"), dials="2,5,0", industry="8,3,4", PRR="0:2,0,0,0:R5")
    chosen, paid, ended = after(state, "auction")
    assert chosen == ActionChosen(seat=0, places=("dial:auction",), action="auction", at=3, red=3)
    assert isinstance(paid, GeneralDividend)
    assert dict(paid.dollars)["PRR"] == 4
    assert Earning(0, phrase("Dividends of {company}", company="PRR"), 8) in paid.earnings
    assert isinstance(ended, ExpressEnded)
    assert ended.ends == ("Detroit",)
