"""What holds in every game, however it is played."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random

from ludotheque import COMPILED
from ludotheque.core.bits import places
from ludotheque.games.pays_noir.rules import CARD, Journal, PaysNoirState
from ludotheque.games.pays_noir.tabletop import held
from tests.games.pays_noir.positions import game
from tests.speeds import several

pytestmark = pytest.mark.both


def check_cards(state: PaysNoirState, discarded: Counter[int]) -> None:
    """Every card is on the table, in a hand, in the pile or discarded."""
    found = Counter(discarded)
    found.update(int(state.board.type_of(card)) for card in range(1, state.board.laid))
    found.update(entry >> 1 for seat in range(state.players) for entry in held(state, seat))
    found.update({card: int(copies) for card, copies in enumerate(state.pile)})
    assert [found[card] for card in range(state.deck.types)] == [int(copies) for copies in state.deck.copies]
    assert state.left == sum(int(copies) for copies in state.pile)


def check_members(state: PaysNoirState) -> None:
    """Every member is on the table or in its supply."""
    standing = Counter(int(state.board.cards[4 * card + 3]) % 8 - 1 for card in range(state.board.laid))
    for seat in range(state.players):
        assert state.supply(seat) + standing[seat] == 8


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_cards_members_and_points_are_conserved(players: int) -> None:
    table = game(players, quarters=players % 2 == 1)
    for seed in range(several(100, 1000) if COMPILED else several(3, 8)):
        state = table.new_initial_state()
        state.journal = journal = Journal()
        rng = Random(seed)
        discarded: Counter[int] = Counter()
        steps = 0
        while not state.is_terminal():
            action = state.sample(rng)
            if state.phase == CARD and action >= table.deck.first_discard:
                discarded[action - table.deck.first_discard] += 1
            state.apply(action)
            steps += 1
            if steps % 50 == 0:
                check_cards(state, discarded)
                check_members(state)
        check_cards(state, discarded)
        check_members(state)
        given_points: Counter[int] = Counter()
        for award in journal.awards:
            assert award.points > 0
            given_points.update(dict.fromkeys(places(award.families), award.points))
        assert [given_points[seat] for seat in range(players)] == [int(points) for points in state.points]
        full = max(state.scores()) >= state.last_space
        assert full or (state.left == 0 and not any(state.held(seat) for seat in range(players)))


@given(players=st.integers(2, 5), seed=st.integers(0, 10**6), steps=st.integers(0, 330))
@settings(max_examples=60 if COMPILED else 10)
def test_a_position_is_written_and_read_back_anywhere(players: int, seed: int, steps: int) -> None:
    state = game(players).new_initial_state()
    rng = Random(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply(state.sample(rng))
    read = game(players).read_position(state.position())
    assert read.position() == state.position()
    while not state.is_terminal():
        action = state.sample(rng)
        state.apply(action)
        read.apply_action(action)
    assert read.position() == state.position(), "and the game goes on alike"


@given(seed=st.integers(0, 10**6), steps=st.integers(0, 330))
@settings(max_examples=60 if COMPILED else 10)
def test_all_actions_are_sampled_and_only_legal_ones(seed: int, steps: int) -> None:
    state = game(3).new_initial_state()
    rng = Random(seed)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply(state.sample(rng))
    if not state.is_terminal():
        legal = set(state.legal_actions())
        sampled = {int(state.sample(rng)) for _ in range(60 * len(legal))}
        assert sampled <= legal
        assert len(sampled) >= 0.9 * len(legal)
