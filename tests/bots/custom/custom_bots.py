"""Bots as users write them: good ones and bad ones. Found by `python:` names, and by the entry point `first-legal`."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ludotheque import Game, Turn

ENDED: list[tuple[int, tuple[float, ...]]] = []


class FirstLegal:
    """Plays the first legal action."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.seat = seat

    def choose(self, turn: Turn) -> int:
        assert turn.seat == self.seat
        assert turn.observation.viewer == self.seat
        return turn.legal[0]

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        ENDED.append((self.seat, tuple(returns)))


class Illegal(FirstLegal):
    def choose(self, turn: Turn) -> int:
        return 10**6


class Nonsense(FirstLegal):
    def choose(self, turn: Turn) -> int:
        return "the first"  # type: ignore[return-value]


class Crashing(FirstLegal):
    def choose(self, turn: Turn) -> int:
        raise RuntimeError("out of ideas")


class CannotStart(FirstLegal):
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        raise OSError("no weights")


class Endless(FirstLegal):
    def choose(self, turn: Turn) -> int:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue


class Killed(FirstLegal):
    """Ends its whole process."""

    def choose(self, turn: Turn) -> int:
        os._exit(7)


class NoBot:
    """Has no `choose`."""


class FailsAfterTheEnd(FirstLegal):
    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        raise RuntimeError("a sore loser")
