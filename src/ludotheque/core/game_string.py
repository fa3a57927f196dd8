"""A game with its options as one word, as OpenSpiel writes it: `cable_car(players=3,hand=2,version=1)`."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game
from ludotheque.core.numbers import as_int
from ludotheque.core.options import OptionValue, read_settings
from ludotheque.core.phrases import short_repr

_GAME: Final = re.compile(r"(?P<name>[^()]*+)(?:\((?P<written>[^()]*+)\))?")


class GameString(Struct, frozen=True):
    """The parts of a game string."""

    name: str
    written: dict[str, str]
    """Values as written, by name of an option, `players` or `version`."""

    def seats(self, given: object) -> int:
        """The number of players, of the string or as given beside it; 0 for as few as the game takes."""
        if isinstance(given, bool):
            raise BadOption(f"The number of players is a whole number, not {given}.")
        number = as_int(given, "The number of players", BadOption)
        if "players" not in self.written:
            return number
        if number:
            raise BadOption("The number of players is given twice.")
        return self._number("players")

    def check_version(self, kind: type[Game]) -> None:
        """Raise BadOption if the string names another version of the game than the installed one."""
        if "version" in self.written and self._number("version") != kind.version:
            installed = f"The installed version of {kind.title} is {kind.version}"
            raise BadOption(f"{installed}, not {self.written['version']}: results may differ.")

    def settings(self, kind: type[Game]) -> dict[str, OptionValue]:
        """The options that the string gives."""
        documents = {option.name for option in kind.options if option.kind == "document"}
        for name in documents & self.written.keys():
            raise BadOption(f"A game string cannot hold the document of the option {name}: give it beside the string.")
        words = [f"{name}={value}" for name, value in self.written.items() if name not in ("players", "version")]
        return read_settings(kind.options, words)

    def _number(self, name: str) -> int:
        word = self.written[name]
        if not (word.isascii() and word.isdecimal() and len(word) < 10):
            raise BadOption(f"{name}= takes a whole number, not {short_repr(word)}.")
        return int(word)


def read_game_string(text: str) -> GameString:
    """Read `name` or `name(option=value,...)`."""
    game = _GAME.fullmatch(text.strip())
    if game is None:
        raise BadOption(f"A game is written name(option=value,...), not {short_repr(text)}.")
    written: dict[str, str] = {}
    for word in filter(None, (game["written"] or "").split(",")):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise BadOption(f"An option is written name=value, not {short_repr(word)}.")
        if name in written:
            raise BadOption(f"The option {name} is given twice.")
        written[name] = value
    return GameString(game["name"].rstrip(), written)
