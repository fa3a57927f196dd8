"""The toys are games like any other, although they are interpreted and come from outside the package."""

from __future__ import annotations

import gc
import weakref

import pytest

from ludotheque import game_names, load_game
from ludotheque.core.earnings import Earning
from ludotheque.core.game import Game
from ludotheque.core.words import Phrase, say
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


class Forgetful(Nim):
    """Scores without saying what for."""

    def earnings(self, before: object, action: int, after: object) -> list[Earning]:
        return []


class Boastful(Orchard):
    """Shows scores in which hidden cards count."""

    def shows_scores(self, state: object, viewer: int) -> bool:
        return True


class Mumbling(Nim):
    """Tells every decision alike."""

    def decision_words(self, state: object, action: int) -> Phrase:
        return say("Some are taken.")


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (Forgetful(2), "do not add up"),
        (Boastful(3), "tell what should be hidden"),
        (Mumbling(2), "told in the same words"),
    ],
    ids=repr,
)
def test_the_kit_finds_wrong_earnings_scores_that_tell_too_much_and_words_that_tell_too_little(
    game: Game, promise: str
) -> None:
    with pytest.raises(AssertionError, match=promise):
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
