"""A game connected with its modules."""

from __future__ import annotations

from types import ModuleType

import pytest

from ludotheque import Game
from ludotheque.core.connect import connect
from tests.toy import Nim

pytestmark = pytest.mark.both


def module(source: str) -> ModuleType:
    """A module with this source."""
    made = ModuleType("words")
    exec(source, vars(made))
    return made


WORDS = module(
    """
from ludotheque.core.ghosts import ghost as themes  # imported: not a function of this module
def describe(before, action, after, viewer): return [f"took {action}"]
def write_position(state): return "somewhere"
def helper(state): return "not a method of a game"
"""
)


@connect(WORDS)
class Spoken(Nim):
    """Nim with words from a module, and a method of its own."""

    def write_position(self, state: object) -> str:
        return "here"


def test_a_function_of_a_module_becomes_the_method_of_its_name() -> None:
    game: Game = Spoken(2)
    state = game.new_initial_state()
    assert [*map(str, game.describe(state, 1, state, 0))] == ["took 1"]
    assert not hasattr(game, "helper")


def test_a_method_of_the_class_comes_first() -> None:
    assert Spoken(2).new_initial_state().position() == "here", "asked for by compiled code"


def test_what_a_module_imports_is_no_method() -> None:
    assert Spoken.themes is Game.themes
