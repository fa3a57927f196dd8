"""Transpositions: positions that came about otherwise and are the same have the same key, and no others."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from librt.random import Random

from ludotheque import COMPILED, policy_of
from ludotheque.games.chicago_express import ChicagoExpressState
from ludotheque.games.chicago_express.rules import AUCTION, COMPANY, HEX, PASS

from .table import new_game, stand


def key_and_position(state: ChicagoExpressState) -> tuple[int, str]:
    """The key, and the position but for the last hex and for bids that have been outbid."""
    return int(state.transposition_key()), re.sub(r",\d+@\d", "", state.position().rpartition(" ")[0])


@pytest.mark.both
@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("printing", ["first", "revised"])
def test_positions_have_the_same_key_just_if_the_last_hex_or_lower_bids_differ(players: int, printing: str) -> None:
    game = new_game(players, printing=printing)
    policy = policy_of(game)
    rng = Random(players)
    found = set()
    for _ in range(6 if COMPILED else 1):
        state = game.new_initial_state()
        while not state.is_terminal():
            for action in state.legal_actions():
                after = state.clone()
                after.apply(action)
                if not after.is_terminal():
                    found.add(key_and_position(after))
            state.apply(policy.move(state, rng))
    keys = {key for key, _ in found}
    positions = {position for _, position in found}
    assert len(keys) == len(positions) == len(found) > 1000
    assert all(0 < key < 2**62 for key in keys)


def test_keys_do_not_depend_on_the_order_of_hexes_or_on_earlier_auctions() -> None:
    state = stand(turn="build:1:PRR:1", PRR="30:1,0,0,0:Q5,R5")
    hexes = [action for action in state.legal_actions() if action >= HEX]
    for one, other in combinations(hexes, 2):
        there, back = state.clone(), state.clone()
        there.apply(one)
        back.apply(other)
        if there.is_legal(other) and back.is_legal(one):
            there.apply(other)
            back.apply(one)
            assert there.transposition_key() == back.transposition_key()
    before = stand(turn="choose:1")
    keys = set()
    for company in range(4):
        after = before.clone()
        for move in (AUCTION, COMPANY + company, *[PASS] * 4, AUCTION):
            after.apply(move)
        keys.add(int(after.transposition_key()))
    assert len(keys) == 1
