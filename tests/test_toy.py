"""The toys are games like any other, although they are interpreted and come from outside the package."""

from __future__ import annotations

import gc
import weakref

import pytest

from ludotheque import game_names, load_game
from ludotheque.core.game import Game
from ludotheque.testing import check_game
from tests.toy import Nim, Orchard

pytestmark = pytest.mark.both


@pytest.mark.parametrize(
    "game",
    [
        Orchard(2),
        Orchard(5, {"rounds": 3, "season": "winter"}),
        Orchard(3, {"peeking": False, "deck": {"cards": [1, 1, 1, 0, 0, 0]}}),
        Nim(1),
        Nim(2, {"matches": 300}),
    ],
    ids=repr,
)
def test_an_interpreted_game_keeps_every_promise(game: Game) -> None:
    check_game(game, twins=False)


def test_registered_games_stand_beside_the_installed_ones() -> None:
    assert {"cable-car", "nim", "orchard"} <= set(game_names())
    assert isinstance(load_game("orchard"), Orchard)


@pytest.mark.parametrize("name", ["cable-car", "orchard"])
def test_games_and_their_weak_references_are_freed_in_peace(name: str) -> None:
    """A compiled class with an uncompiled base, such as `Generic`, frees its weak references by mistake (mypyc 2.4)."""
    for _ in range(50):
        game = load_game(name)
        references = [weakref.ref(game), weakref.ref(game, lambda _: None)]
        del game
        gc.collect()
        assert [reference() for reference in references] == [None, None]
