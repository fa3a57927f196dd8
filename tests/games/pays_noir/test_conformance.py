"""The conformance suite for Pays noir, at every kind of table."""

from __future__ import annotations

import random

import pytest

from ludotheque.games.pays_noir import PaysNoir
from ludotheque.testing import check_game
from tests.games.pays_noir.cards_at_random import few_own_cards, strange_cards
from tests.speeds import few


@pytest.mark.parametrize("players", few([2, 4, 5, 3], 2))
def test_conformance(players: int) -> None:
    check_game(PaysNoir(players, {"quarters": players % 2 == 0}), games=1, seed=players, every=17)


@pytest.mark.parametrize("seed", few(range(6), 2))
def test_conformance_with_other_cards(seed: int) -> None:
    make = few_own_cards if seed % 2 else strange_cards
    document = make(random.Random(seed))
    check_game(PaysNoir(2 + seed % 3, {"cards": document}), games=2, seed=seed, every=3, both_modes=seed == 0)
