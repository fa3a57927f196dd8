"""The registry of games. Any installed package can add one by an entry point of the group `ludotheque.games`:

[project.entry-points."ludotheque.games"]
my-game = "my_package:MyGame"        # a subclass of ludotheque.Game
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.core.errors import BadOption, UnknownGame
from ludotheque.core.game import Game
from ludotheque.core.game_string import read_game_string
from ludotheque.core.known_games import added_games, installed_games
from ludotheque.core.phrases import short_repr

_LOG: Final = logging.getLogger("ludotheque.core.registry")


def game_names() -> list[str]:
    """The names of all games, in order."""
    return sorted({*installed_games(), *added_games})


def is_installed_game(name: str) -> bool:
    """Whether an installed package has the game, so that other processes know it too."""
    return name not in added_games and name in installed_games()


def register_game(kind: type[Game]) -> type[Game]:
    """Add a game for this process; usable as a decorator."""
    added_games[kind.name] = kind
    return kind


def game_class(name: str) -> type[Game]:
    """The class of the game of that name; `cable_car` is `cable-car`."""
    name = _registered_name(name)
    if name in added_games:
        return added_games[name]
    entries = installed_games().get(name)
    if entries is None:
        raise UnknownGame(f"There is no game {name!r}; the games are: {', '.join(game_names())}.")
    if len(entries) > 1:
        places = " and ".join(entry.value for entry in entries)
        raise UnknownGame(f"More than one installed package has a game {name!r}: {places}. Uninstall all but one.")
    entry = entries[0]
    try:
        kind = entry.load()
    except Exception as error:  # whatever another package does while it is imported
        raise UnknownGame(f"The game {name!r} cannot be loaded from {entry.value}: {error}.") from error
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise UnknownGame(f"The entry point {entry.value} of game {name!r} is not a subclass of ludotheque.Game.")
    return kind


def game_classes() -> list[type[Game]]:
    """The classes of all games that can be loaded, in the order of their names."""
    return [kind for name in game_names() if (kind := find_game(name))]


def house_games() -> list[type[Game]]:
    """The classes of the games of this package, in the order of their names."""
    return [kind for kind in game_classes() if kind.__module__.startswith("ludotheque.")]


def find_game(name: str) -> type[Game] | None:
    """The class of the game of that name; None if it is not installed, or cannot be loaded: then the log says why."""
    try:
        return game_class(name)
    except UnknownGame as error:
        if name in game_names():
            _log_once(str(error))
        return None


@lru_cache(maxsize=32)
def _log_once(sentence: str) -> None:
    _LOG.warning(sentence)


def _registered_name(name: str) -> str:
    spellings = (name, name.replace("_", "-"), name.replace("-", "_"))
    return next((spelling for spelling in spellings if spelling in added_games or spelling in installed_games()), name)


def load_game(name: str, players: int = 0, **options: object) -> Game:
    """Set up a game for a number of players (default: the minimum) with these options.

    A name may hold both, as OpenSpiel writes them: `cable_car(players=3,hand=2)`; so `load_game(str(game)) == game`.
    """
    if not isinstance(name, str):
        raise UnknownGame(f"The name of a game is a text, not {short_repr(name)}.")
    written = read_game_string(name)
    kind = game_class(written.name)
    written.check_version(kind)
    settings = written.settings(kind)
    for option in settings.keys() & options.keys():
        raise BadOption(f"The option {option} is given twice.")
    return kind(written.seats(players), settings | options)


def cached_game(name: str, players: int, settings: Mapping[str, object]) -> Game:
    """The same, cached: workers ask for the game again at every move."""
    return _cached(name, players, msgspec.msgpack.encode(settings))


@lru_cache(maxsize=32)
def _cached(name: str, players: int, settings: bytes) -> Game:
    return game_class(name)(players, msgspec.msgpack.decode(settings))


class RulesPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """A position for a picture on a rules page."""

    players: int
    position: str
    settings: dict[str, Any] = {}


def rules_page(kind: type[Game], language: str = "en") -> str:
    """The rules of a game in Markdown: `RULES.md` beside its class, or `RULES.fr.md`; English if there is no other."""
    if page := _rules_file(kind, language):
        return page.read_text(encoding="utf-8")
    return f"# {kind.title}\n\n{kind.sentence}\n\nThis game has no page of rules.\n"


def rules_language(kind: type[Game], language: str) -> str:
    """The language of the page that `rules_page` returns."""
    page = _rules_file(kind, language)
    return language if page and page.name != "RULES.md" else "en"


def _rules_file(kind: type[Game], language: str) -> Path | None:
    folder = game_folder(kind)
    return next((page for name in (f"RULES.{language}.md", "RULES.md") if (page := folder / name).is_file()), None)


def rules_pictures(kind: type[Game]) -> dict[str, RulesPicture]:
    """The positions that the rules of a game show, by name: the `pictures.toml` beside its class."""
    page = game_folder(kind) / "pictures.toml"
    return msgspec.toml.decode(page.read_bytes(), type=dict[str, RulesPicture]) if page.is_file() else {}


def game_folder(kind: type[Game]) -> Path:
    """The folder of a game's class, where its pages and data lie."""
    return Path(sys.modules[kind.__module__].__file__ or "").parent
