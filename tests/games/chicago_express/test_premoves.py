"""Bidding ahead of one's turn in an auction."""

from __future__ import annotations

from ludotheque.games.chicago_express import ChicagoExpress
from ludotheque.games.chicago_express.rules import BID, PASS, ChicagoExpressState


def auction(*moves: str) -> ChicagoExpressState:
    state = ChicagoExpress(3).new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def test_who_still_bids_may_pass_or_set_a_limit_but_not_who_is_to_act_or_has_passed() -> None:
    state = auction("bid 7", "pass")
    game = state.game
    assert [offer.key for offer in game.premove_offers(state, 0)] == ["pass", "bid"]
    bid = game.premove_offers(state, 0)[1]
    assert (bid.lowest, bid.highest) == (8, state.cash[0])
    assert list(game.premove_offers(state, 1)) == []
    assert list(game.premove_offers(state, 2)) == []


def test_a_limit_bids_as_little_as_possible_and_then_passes() -> None:
    state = auction("bid 7")
    assert state.game.premove_action(state, "bid", 9) == BID + 8
    assert state.game.premove_action(state, "bid", 8) == BID + 8
    assert state.game.premove_action(state, "bid", 7) == PASS
    assert state.game.premove_action(state, "pass", 0) == PASS


def test_the_next_share_is_another_situation() -> None:
    first, later, second = auction(), auction("bid 7", "pass"), auction("bid 7", "pass", "pass")
    situations = [state.game.premove_context(state) for state in (first, later, second)]
    assert situations[0] == situations[1] != situations[2]
    assert all(situations)
