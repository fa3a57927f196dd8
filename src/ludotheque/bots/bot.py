"""The protocol of a bot: it gets a `Turn` and returns an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ludotheque.core.game import Game
from ludotheque.core.turn import Turn


class CustomBot(Protocol):
    """A bot that a user supplies. Its class is called with the game, the seat and a seed, once for each game.

    It may also have the other methods of `Bot`.
    """

    def choose(self, turn: Turn) -> int:
        """One of the legal actions of the turn."""
        ...


class Bot(CustomBot, Protocol):
    """A bot that plays one seat of one game. Any method of a custom bot may raise `BotFailed`."""

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        """Learn the result of the game."""
        ...

    def close(self) -> None:
        """Release what the bot holds, at the end of the game or before it."""
        ...


BotMaker = Callable[[Game, int, int], CustomBot]
"""Makes a custom bot for one seat of one game, from the game, the seat and a seed."""
