"""Six levels of strength, the same idea in every game: how long a bot thinks, and how much it slips.

A level is a number of simulations, so that it plays the same on every machine; the time is what they take on one core
of a plain machine. A beginner does not play nonsense: it looks at the position as the others do, only briefly, and then
takes one of the moves that look good to it, now and then a worse one, as people do. How much such slips cost depends on
the game, so its policy says how big a beginner's are.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ludotheque.bots.players import SearchBot
from ludotheque.bots.speeds import speed
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game


class Level(Struct, frozen=True):
    """How strong a bot plays."""

    number: int
    title: str
    seconds: float
    """What a move takes on one core, typically, with all the decisions it is made of."""
    slips: float
    """How much its slips give away, as a part of what a beginner's do."""

    def simulations(self, game: Game) -> int:
        """For each decision, so that a move takes the level's time on one core."""
        known = speed(game)
        return max(8, round(self.seconds * known.simulations / known.decisions))

    def error_scale(self, game: Game) -> float:
        """How much of the win a typical slip gives away."""
        return self.slips * game.policy().error_scale


LEVELS: Final = (
    Level(1, "beginner", 0.1, 1.0),
    Level(2, "casual", 0.12, 0.3),
    Level(3, "club", 0.18, 0.1),
    Level(4, "strong", 0.35, 0.03),
    Level(5, "expert", 0.7, 0.0),
    Level(6, "master", 5.0, 0.0),
)


def level(number: int) -> Level:
    """The level of that number, from 1."""
    if not 1 <= number <= len(LEVELS):
        raise NoSuchBot(f"The levels are 1 to {len(LEVELS)}; there is no level {number}.")
    return LEVELS[number - 1]


def level_bot(number: int, game: Game, seed: int) -> SearchBot:
    """A bot that plays at that level."""
    chosen = level(number)
    return SearchBot(game, seed, simulations=chosen.simulations(game), error_scale=chosen.error_scale(game))
