"""The bot levels that a table offers."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.server.bots.worker import RANDOM

HINT_LEVEL: Final = "4"


class Level(Struct, frozen=True):
    """A kind of bot."""

    level: str
    name: Phrase


LEVELS: Final = (
    Level(RANDOM, phrase("Random mover")),
    Level("1", phrase("Beginner")),
    Level("2", phrase("Casual player")),
    Level("3", phrase("Club player")),
    Level("4", phrase("Strong player")),
    Level("5", phrase("Strongest player")),
)
"""All there are, weakest first: the random mover and the levels of `ludotheque.bots`."""


def check_level(level: str) -> str:
    """The level, if there is such a bot."""
    if level not in {known.level for known in LEVELS}:
        raise BadOption(f"There is no bot {level[:40]!r}; the levels are: {', '.join(k.level for k in LEVELS)}.")
    return level


def level_name(level: str) -> Phrase:
    return next((known.name for known in LEVELS if known.level == level), phrase("Bot"))
