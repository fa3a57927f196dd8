"""Ratings of players from games of two and more, with intervals.

A game is a ranking: whoever has the greater share of the win first, then by points. The model is Plackett and Luce's
as openskill keeps it, read on the scale of chess: 400 points more mean ten wins to one. Such ratings depend a little on
the order of the games and a lot on chance when there are few of them, so both are shown: the deals of an arena are
drawn anew, with replacement and in random order, many times over (a bootstrap); the rating is the mean of what comes of
it, and 95 % of it lies in the interval. The games of a deal stay together, because they had the same luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from math import log, sqrt
from random import Random
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

MIDDLE: Final = 1500.0
"""The rating of one of whom nothing is known."""
RESAMPLES: Final = 100
PASSES: Final = 4
"""So many times the games are gone through, so that whatever is found out about one player reaches those that met it
earlier: on a ladder most of them never meet."""
_MODEL: Final = PlackettLuce()
_POINTS: Final = 400 / log(10) / (sqrt(2) * _MODEL.beta)
"""So many points of the scale make one of the model's."""


class Rating(Struct, frozen=True):
    """How strong somebody seems to be, and between which bounds in 95 of 100 cases."""

    rating: float
    low: float
    high: float

    @classmethod
    def of(cls, points: Sequence[float]) -> Rating:
        """What many draws of the same games come to: their mean, and bounds with 2.5 % of them outside on each side."""
        ordered = sorted(points)
        cut = len(ordered) * 25 // 1000
        return cls(sum(ordered) / len(ordered), ordered[cut], ordered[-1 - cut])


class Ranking(Struct, frozen=True):
    """One game: who took part, and who came out ahead of whom."""

    deal: int
    names: tuple[str, ...]
    ranks: tuple[float, ...]
    """The smaller the better; alike for a tie."""


def ranks_of(returns: Sequence[float], scores: Sequence[int]) -> tuple[float, ...]:
    """The places of the seats: by share of the win, then by points."""
    results = [(-share, -score) for share, score in zip(returns, scores, strict=True)]
    places = sorted(set(results))
    return tuple(float(places.index(result)) for result in results)


def rate(rankings: Sequence[Ranking], seed: int = 1) -> dict[str, Rating]:
    """The ratings of all who took part."""
    deals: dict[int, list[Ranking]] = {}
    for ranking in rankings:
        deals.setdefault(ranking.deal, []).append(ranking)
    names = sorted({name for ranking in rankings for name in ranking.names})
    rng = Random(seed)
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(RESAMPLES):
        drawn = [game for deal in rng.choices(list(deals.values()), k=len(deals)) for game in deal]
        for name, points in _points(names, drawn).items():
            found[name].append(points)
    return {name: Rating.of(points) for name, points in found.items()}


def _points(names: Sequence[str], rankings: Sequence[Ranking]) -> dict[str, float]:
    """What the games, in this order, make of everybody."""
    players = {name: _MODEL.rating(name=name) for name in names}
    for ranking in chain.from_iterable(repeat(rankings, PASSES)):
        seated = [[_copy(players[name])] for name in ranking.names]
        rated = _MODEL.rate(seated, ranks=list(ranking.ranks))
        players |= _merged(ranking.names, [team[0] for team in rated])
    return {name: MIDDLE + _POINTS * (player.mu - _MODEL.mu) for name, player in players.items()}


def _copy(player: PlackettLuceRating) -> PlackettLuceRating:
    """One for each seat: at the same object, what two seats make of a player would be added up."""
    return _MODEL.rating(mu=player.mu, sigma=player.sigma, name=player.name)


def _merged(names: Sequence[str], rated: Sequence[PlackettLuceRating]) -> Mapping[str, PlackettLuceRating]:
    """Whoever sits at several seats becomes the mean of what they made of each."""
    merged: dict[str, PlackettLuceRating] = {}
    for name in dict.fromkeys(names):
        own = [player for player, at in zip(rated, names, strict=True) if at == name]
        mu = sum(player.mu for player in own) / len(own)
        sigma = sum(player.sigma for player in own) / len(own)
        merged[name] = _MODEL.rating(mu=mu, sigma=sigma, name=name)
    return merged
