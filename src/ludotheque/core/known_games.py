"""The games that are known by name, found without loading any of them: installed by an entry point, or added here."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ludotheque.core.game import Game

GROUP: Final = "ludotheque.games"

added_games: Final[dict[str, type[Game]]] = {}
"""The games of this process alone, by name."""


@cache
def installed_games() -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points of installed packages by name of the game; each name should have one."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in sorted(set(entry_points(group=GROUP)), key=_by_value):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def _by_value(entry: EntryPoint) -> str:
    return entry.value


def names_of_other_games() -> list[str]:
    """Return the names of the games that are not in this package, in order."""
    others = (name for name, entries in installed_games().items() if not all(map(_is_ours, entries)))
    return sorted({*others, *added_games})


def _is_ours(entry: EntryPoint) -> bool:
    return entry.module.startswith("ludotheque.games.")
