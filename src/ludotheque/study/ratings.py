"""Ratings of players from games of two and more, with intervals.

A game is a ranking: by share of the win, then by points. The model is the Plackett-Luce model of openskill, converted
to the chess scale: 400 points mean ten wins to one. Such ratings depend a little on the order of the games, and a lot
on chance when there are few games. A bootstrap accounts for both: the deals are resampled many times, with replacement
and in random order; the rating is the mean over the samples, and the interval holds 95% of them. The rotations of one
group of players through the seats of a deal stay together, because they had the same draws; other groups of players
that had these draws too count as deals of their own. Each sample also has one deal of each group of players whose
ranks are shuffled: so the intervals of players that won or lost every game have a width, which shrinks with the number
of games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from math import log, sqrt
from random import Random
from typing import Final

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

MIDDLE: Final = 1500.0
"""The rating of an unknown player."""
RESAMPLES: Final = 100
PASSES: Final = 4
"""Passes of the model through the games, so that what it learns about one player reaches those that met it
earlier: on a ladder most players never meet."""
_MODEL: Final = PlackettLuce()
_POINTS: Final = 400 / log(10) / (sqrt(2) * _MODEL.beta)
"""Rating points per unit of the model."""


class Rating(Struct, frozen=True):
    """A rating with its 95% interval."""

    rating: float
    low: float
    high: float

    @classmethod
    def of(cls, points: Sequence[float]) -> Rating:
        """Summarize the ratings of many resamples: their mean, and bounds with 2.5% of them outside on each side."""
        ordered = sorted(points)
        cut = len(ordered) * 25 // 1000
        return cls(sum(ordered) / len(ordered), ordered[cut], ordered[-1 - cut])


class Ranking(Struct, frozen=True):
    """The ranks of the bots in one game, seat by seat."""

    deal: int
    """The rotations of one group of players through the seats share it: they had the same draws."""
    bots: tuple[str, ...]
    ranks: tuple[float, ...]
    """Lower is better; equal for a tie."""


def ranks_of(returns: Sequence[float], scores: Sequence[int]) -> tuple[float, ...]:
    """Return the ranks of the seats: by share of the win, then by points."""
    results = [(-share, -score) for share, score in zip(returns, scores, strict=True)]
    places = sorted(set(results))
    return tuple(float(places.index(result)) for result in results)


class Skill(Struct, frozen=True):
    """The model's belief about a player: a mean and its uncertainty, in units of the model."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @classmethod
    def at(cls, rating: float, margin: float) -> Skill:
        """Return the belief with this rating and half of its 95% interval."""
        return cls(_MODEL.mu + (rating - MIDDLE) / _POINTS, margin / (2 * _POINTS))

    @property
    def points(self) -> float:
        """The rating on the chess scale."""
        return MIDDLE + _POINTS * (self.mu - _MODEL.mu)

    @property
    def margin(self) -> float:
        """Half of the 95% interval of the rating."""
        return 2 * _POINTS * self.sigma


def rate_game(players: Sequence[Skill], ranks: Sequence[float]) -> list[Skill]:
    """Return the skills of players after one game; a lower rank is better."""
    seated = [[_MODEL.rating(mu=player.mu, sigma=player.sigma)] for player in players]
    return [Skill(team[0].mu, team[0].sigma) for team in _MODEL.rate(seated, ranks=list(ranks))]


def rate(rankings: Sequence[Ranking], seed: int = 1) -> dict[str, Rating]:
    """Return the ratings of all players."""
    deals: dict[int, list[Ranking]] = {}
    for ranking in rankings:
        deals.setdefault(ranking.deal, []).append(ranking)
    groups = list({tuple(sorted(deal[0].bots)): deal for deal in deals.values()}.values())
    names = sorted({name for ranking in rankings for name in ranking.bots})
    rng = Random(seed)
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(RESAMPLES):
        drawn = [rng.choices(list(deals.values()), k=len(deals)), [_shuffled(deal, rng) for deal in groups]]
        for name, points in _points(names, [game for deal in chain(*drawn) for game in deal]).items():
            found[name].append(points)
    return {name: Rating.of(points) for name, points in found.items()}


def _shuffled(deal: Sequence[Ranking], rng: Random) -> list[Ranking]:
    """A deal that chance alone decided: ranks in random order, the same for each player in all its games."""
    order = rng.sample(range(len(deal[0].bots)), len(deal[0].bots))
    places = dict(zip(deal[0].bots, order, strict=True))
    return [msgspec.structs.replace(game, ranks=tuple(float(places[name]) for name in game.bots)) for game in deal]


def _points(names: Sequence[str], rankings: Sequence[Ranking]) -> dict[str, float]:
    """Return the rating points of all players after these games, in this order."""
    players = {name: _MODEL.rating(name=name) for name in names}
    for ranking in chain.from_iterable(repeat(rankings, PASSES)):
        seated = [[_copy(players[name])] for name in ranking.bots]
        rated = _MODEL.rate(seated, ranks=list(ranking.ranks))
        players |= _merged(ranking.bots, [team[0] for team in rated])
    return {name: MIDDLE + _POINTS * (player.mu - _MODEL.mu) for name, player in players.items()}


def _copy(player: PlackettLuceRating) -> PlackettLuceRating:
    """Copy a rating for one seat: the model would add up the changes of two seats that share an object."""
    return _MODEL.rating(mu=player.mu, sigma=player.sigma, name=player.name)


def _merged(names: Sequence[str], rated: Sequence[PlackettLuceRating]) -> Mapping[str, PlackettLuceRating]:
    """Average the ratings of a player that has several seats."""
    merged: dict[str, PlackettLuceRating] = {}
    for name in dict.fromkeys(names):
        own = [player for player, at in zip(rated, names, strict=True) if at == name]
        mu = sum(player.mu for player in own) / len(own)
        sigma = sum(player.sigma for player in own) / len(own)
        merged[name] = _MODEL.rating(mu=mu, sigma=sigma, name=name)
    return merged
