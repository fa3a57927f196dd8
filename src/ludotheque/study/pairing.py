"""Two bots that meet at a table, and the first one's share of the wins with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import mean, pvariance
from typing import Final

from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.turn import CLOCK
from ludotheque.study.arena import Contest, Outcome, Runner, play_in_process

_Z: Final = 1.96
"""Standard errors on each side of a 95% interval."""


class Pairing(Struct, frozen=True):
    """Two bots and the games between them."""

    contest: Contest
    outcomes: list[Outcome]
    """In the order of their numbers, from 0."""

    def extended(self, games: int, run: Runner = play_in_process) -> Pairing:
        """The same pairing after this many games: those that are missing are played."""
        tasks = [(self.contest, number) for number in range(len(self.outcomes), games)]
        played = sorted((outcome for _, outcome in run(tasks, None)), key=lambda game: game.number)
        return Pairing(self.contest, [*self.outcomes, *played])

    @property
    def names(self) -> tuple[str, str]:
        return self.contest.bots[0], self.contest.bots[-1]

    @property
    def even(self) -> float:
        """The share of the wins of the first, if both were as strong."""
        return self.contest.bots.count(self.names[0]) / self.contest.players

    @property
    def wins(self) -> float:
        """The wins of the first bot."""
        return sum(map(self._share, self.outcomes))

    @property
    def win_rate(self) -> float:
        return self.wins / len(self.outcomes)

    @property
    def shares(self) -> list[float]:
        """The first bot's share of the win in each game."""
        return [self._share(game) for game in self.outcomes]

    def shares_by_deal(self) -> list[float]:
        """The first bot's mean share of the win over the games of each deal: one game for each rotation of the bots."""
        return _by_deal(self.shares, self.contest.players)

    def _share(self, game: Outcome) -> float:
        return sum(share for name, share in zip(game.bots, game.returns, strict=True) if name == self.names[0])

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the first bot's win rate."""
        return interval_of(self.shares, self.contest.players)


def interval_of(shares: Sequence[float], seats: int) -> tuple[float, float]:
    """Return the 95% interval of a win rate from the shares of each game: a Wilson interval whose number of games
    follows from the spread between deals, because the games of one deal had the same draws."""
    deals, games = _by_deal(shares, seats), len(shares)
    spread = pvariance(deals)
    rate = mean(shares)
    independent = rate * (1 - rate) * len(deals) / spread if spread else games
    counted = min(float(games), max(float(len(deals)), independent))
    return wilson(rate * counted, counted)


def _by_deal(shares: Sequence[float], seats: int) -> list[float]:
    return [mean(shares[start : start + seats]) for start in range(0, len(shares), seats)]


def pairing_contest(game: Game, first: str, second: str, seed: int = 1, clock: float = CLOCK) -> Contest:
    """A contest of two bots: each has half of the seats; of an odd number, the first has one."""
    half = game.players // 2 if game.players % 2 == 0 else 1
    bots = (first,) * half + (second,) * (game.players - half)
    return Contest(game.name, game.players, game.settings, bots, seed, clock=clock)


def wilson(wins: float, games: float) -> tuple[float, float]:
    """Return the 95% Wilson interval of a win rate."""
    rate = wins / games
    middle = (rate + _Z * _Z / (2 * games)) / (1 + _Z * _Z / games)
    half = _Z / (1 + _Z * _Z / games) * sqrt((rate * (1 - rate) + _Z * _Z / (4 * games)) / games)
    return max(0.0, middle - half), min(1.0, middle + half)
