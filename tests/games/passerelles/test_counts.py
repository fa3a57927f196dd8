"""Counts of move sequences, from the rules page: one, two and three moves from the start."""

from __future__ import annotations

import pytest

import ludotheque
from ludotheque import load_game
from ludotheque.core.perft import perft

COUNTS = {
    "none": (670, 413_800, 235_792_388),
    "africa": (470, 204_524),
    "asia": (483, 215_040),
    "australia": (475, 208_604),
    "europe": (469, 204_004),
    "north-america": (499, 229_714),
    "south-america": (482, 214_724),
    "free": (488, 199_939),
}
PLIES = [(landscape, depth) for landscape, counts in COUNTS.items() for depth in range(1, len(counts) + 1)]


@pytest.mark.parametrize(("landscape", "depth"), PLIES)
def test_move_sequences(landscape: str, depth: int) -> None:
    if depth == 3 and not ludotheque.COMPILED:
        pytest.skip("three moves take too long in pure mode")
    state = load_game("passerelles", landscape=landscape).new_initial_state()
    assert perft(state, depth) == COUNTS[landscape][depth - 1]
