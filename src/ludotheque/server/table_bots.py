"""The bots that the tables of a server offer. Loads nothing of the server, because the workers of bots use it too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from ludotheque.bots.bot import Bot
from ludotheque.bots.levels import BUDGET_FACTOR, LEVELS, Level, level_bot
from ludotheque.bots.players import RandomBot
from ludotheque.bots.registry import bot_title, is_custom
from ludotheque.bots.styles import STYLED_LEVELS, style_named
from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase, phrase, short_repr

RANDOM: Final = "random"
TITLES: Final[dict[str, Phrase]] = {
    RANDOM: phrase("Random mover"),
    **{str(level.number): level.title for level in LEVELS},
}
"""The titles of the built-in bots that a table offers by level, weakest first."""

_BETWEEN: Final = re.compile(rf"[1-{len(LEVELS) - 1}]\.[1-9]", re.ASCII)
_STYLED: Final = re.compile(rf"(?P<level>[{STYLED_LEVELS[0]}-{STYLED_LEVELS[-1]}])-(?P<style>[a-z]{{1,20}})", re.ASCII)


def is_builtin_level(level: str) -> bool:
    """Whether a level is one of the six, one in a style ("3-patient"), a tenth between two ("2.3", a player's match),
    or random."""
    return level in TITLES or any(kind.fullmatch(level) for kind in (_BETWEEN, _STYLED))


def without_style(level: str) -> str:
    """The level without its style."""
    return found["level"] if (found := _STYLED.fullmatch(level)) else level


def level_title(level: str) -> Phrase:
    """The title of a level, or a general one if the level no longer exists."""
    if _BETWEEN.fullmatch(level):
        return phrase("Matched bot ({level})", level=level)
    if found := _STYLED.fullmatch(level):
        return phrase("{level} ({style})", level=TITLES[found["level"]], style=Phrase(found["style"]))
    return TITLES.get(level, phrase("Bot"))


def level_within(level: str, seconds: float) -> str:
    """The level, or the strongest weaker one that moves within this time even where the choice is hard; a beginner if
    none does."""
    if level == RANDOM or _fits(LEVELS[ceil(level_number(level)) - 1], seconds):
        return level
    fitting = [str(each.number) for each in LEVELS[: int(level_number(level))] if _fits(each, seconds)]
    return fitting[-1] if fitting else str(LEVELS[0].number)


def level_number(level: str) -> float:
    """The number of a level other than random."""
    return float(without_style(level))


def _fits(level: Level, seconds: float) -> bool:
    return BUDGET_FACTOR * level.seconds <= seconds


def table_bot(level: str, game: Game, seed: int) -> Bot:
    """A bot of a level that a table offers."""
    if level == RANDOM:
        return RandomBot(game, seed)
    return level_bot(level_number(level), game, seed, style=level.partition("-")[2])


class TableBots:
    """The bots that a server offers: the levels, and those that its operator adds."""

    def __init__(self, custom: Mapping[str, str] | None = None) -> None:
        """`custom`: the registered names of custom bots, by the names that players read."""
        self.custom: Final = dict(custom or {})

    def titles(self) -> dict[str, Phrase]:
        """The titles of the bots, weakest first, then the operator's."""
        return TITLES | {name: self.title(name) for name in self.custom}

    def check(self, level: str, game: Game) -> str:
        """Return the level, or the name of a custom bot; `BadOption` or `NoSuchBot` if this game has none of it."""
        if not is_builtin_level(level) and level not in self.custom:
            raise BadOption(f"There is no bot {level[:40]!r}; the bots are: {', '.join(self.titles())}.")
        if found := _STYLED.fullmatch(level):
            style_named(found["style"], game)
        return level

    def registered_name(self, name: str) -> str:
        """Return the registered name of a custom bot; `BadOption` if the server offers none of this name."""
        if name not in self.custom:
            raise BadOption(phrase("{name} is not offered on this server any more.", name=name[:40]))
        return self.custom[name]

    def title(self, level: str) -> Phrase:
        """The title of a bot; of one that is no longer offered, a general one."""
        return Phrase("{name}", {"name": level}) if level in self.custom else level_title(level)

    @staticmethod
    def read(words: Sequence[str]) -> dict[str, str]:
        """Parse bots as an operator writes them: NAME=BOT, or the NAME of a registered one."""
        custom: dict[str, str] = {}
        for word in words:
            name = bot_title(word)
            if not is_custom(word):
                raise BadOption(f"There is no custom bot {short_repr(word)}; write NAME=python:... or NAME=engine:...")
            if is_builtin_level(name) or name in custom:
                raise BadOption(f"There are two bots {name!r}; write NAME=BOT with another name.")
            custom[name] = word
        return custom
