"""What a game must provide, what it may provide, and how it learns that something is missing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import ludotheque
from ludotheque import Game, State
from ludotheque.core.game import GAME_MUST, STATE_MUST
from ludotheque.testing import check_game
from tests.toy import Nim, NimState

CORE = Path(ludotheque.__file__).parent / "core"
PARTS = {"State": ["State"], "Game": ["Game", "GameAdvice", "GamePicture", "GameWords", "GameSetup"]}
"""The classes whose methods a class has."""


class Silent(Nim):
    """Nim without a log and without pictures."""

    describe = Game.describe
    scene = Game.scene


class Stuck(Nim):
    """Nim in which nothing can be done."""

    def new_initial_state(self) -> NimState:
        return StuckState(self, 7, 0)


class StuckState(NimState):
    apply = State.apply


class Lucky(Nim):
    """Nim that declares chance and has no draws."""

    has_chance = True


def without_default(kind: str) -> set[str]:
    """The methods of a class that only raise the error for a missing method."""
    nodes = [node for path in CORE.glob("game*.py") for node in ast.parse(path.read_text(encoding="utf-8")).body]
    bodies = [node.body for node in nodes if isinstance(node, ast.ClassDef) and node.name in PARTS[kind]]
    assert len(bodies) == len(PARTS[kind])
    methods = [node for body in bodies for node in body if isinstance(node, ast.FunctionDef)]
    return {method.name for method in methods if "raise missing" in ast.unparse(method.body[-1])}


def test_the_lists_name_every_method_without_a_default() -> None:
    assert without_default("Game") == {*GAME_MUST, "premove_action"}  # only where players decide ahead
    assert without_default("State") == {*STATE_MUST, "chance_into"}


def test_a_missing_method_of_a_game_is_named() -> None:
    state = Silent(2).new_initial_state()
    with pytest.raises(
        NotImplementedError, match="Silent does not provide the method describe, which every game needs"
    ):
        state.game.describe(state, 0, state, 0)


def test_a_missing_method_of_a_state_is_named() -> None:
    with pytest.raises(NotImplementedError, match="StuckState does not provide the method apply, which every game"):
        Stuck(2).new_initial_state().apply(0)


def test_a_game_with_chance_must_say_how_many_outcomes_it_has() -> None:
    with pytest.raises(NotImplementedError, match="Lucky does not provide the method max_chance_outcomes"):
        Game.max_chance_outcomes(Lucky(2))
    assert Game.max_chance_outcomes(Nim(2)) == 0


@pytest.mark.parametrize(
    ("game", "missing"),
    [
        (Silent(2), "Silent.describe, Silent.scene"),
        (Stuck(2), "StuckState.apply"),
        (Lucky(2), "NimState.chance_into"),
    ],
    ids=["Silent", "Stuck", "Lucky"],
)
def test_check_game_names_everything_that_is_missing(game: Game, missing: str) -> None:
    with pytest.raises(AssertionError, match=f"does not provide what every game needs: {missing}$"):
        check_game(game, both_modes=False)


def test_a_state_of_the_toy_provides_what_it_must() -> None:
    buffer = vec[i64]([0] * 3)
    assert Nim(2).new_initial_state().legal_into(buffer) == 3
