"""Connect a game with its modules: a function with the name of a method of `Game` becomes that method."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TypeVar

from ludotheque.core.game import Game

G = TypeVar("G", bound=Game)


def connect(*modules: ModuleType) -> Callable[[type[G]], type[G]]:
    """Give a game the functions of its modules as methods, by their names: `log.describe` becomes `Game.describe`.

    Functions do not get the game; methods that need it, and those with more specific types, are written in the class,
    which comes first.
    """

    def connected(kind: type[G]) -> type[G]:
        for module in modules:
            for name, function in _methods(module).items():
                if name not in vars(kind):
                    setattr(kind, name, staticmethod(function))
        return kind

    return connected


def _methods(module: ModuleType) -> dict[str, Callable[..., object]]:
    """The functions that a module defines, and `Game` as well."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and value.__module__ == module.__name__
        and callable(getattr(Game, name, None))
    }
