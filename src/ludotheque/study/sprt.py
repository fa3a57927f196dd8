"""The sequential probability ratio test: play two bots until it is clear whether the first is stronger.

Two hypotheses are compared: the first bot is stronger by `low` rating points, or by `high`. The observations are the
shares of the win by deal, so that games with the same draws count as one observation; their log-likelihood ratio is
that of the normal approximation (the generalised test, as chess engines are tested). The variance counts one deal more,
as spread as one game of equal bots: after a few equal results nothing is certain.
"""

from __future__ import annotations

from math import log
from statistics import mean
from typing import Final, Literal

from msgspec import Struct

from ludotheque.core.errors import BadArena
from ludotheque.core.game import Game
from ludotheque.core.turn import CLOCK
from ludotheque.study.arena import Runner, play_in_process
from ludotheque.study.pairing import Pairing, pairing_contest

DEALS_PER_LOOK: Final = 8
"""Deals played between two looks at the result, whatever the number of processes."""

Decision = Literal["stronger", "not stronger", "undecided"]


class SprtResult(Struct, frozen=True):
    """The result of a sequential test of a bot against another."""

    decision: Decision
    """`stronger` by about `high` points rather than `low`, `not stronger`, or `undecided` after all games."""
    games: int
    win_rate: float
    interval: tuple[float, float]
    """95% interval of the win rate. A test that stops early favours extreme rates a little."""
    even_win_rate: float
    """The win rate of equal bots."""
    log_likelihood_ratio: float
    bounds: tuple[float, float]
    """The ratios at which the test stops."""


def sprt(
    game: Game,
    first: str,
    second: str,
    *,
    low: float = 0.0,
    high: float = 50.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 10000,
    seed: int = 1,
    clock: float = CLOCK,
    run: Runner = play_in_process,
) -> SprtResult:
    """Test whether the first bot is stronger by `high` rating points rather than by `low`.

    `alpha` is the risk of finding a bot stronger that is not, `beta` the risk of missing one that is.
    """
    _check(low, high, alpha, beta, max_games)
    contest = pairing_contest(game, first, second, seed, clock)
    contest.check()
    bounds = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    played = Pairing(contest, [])
    ratio = 0.0
    while bounds[0] < ratio < bounds[1] and len(played.outcomes) < max_games:
        games = min(max_games, len(played.outcomes) + DEALS_PER_LOOK * game.players)
        played = played.extended(games, run)
        ratio = log_likelihood_ratio(played.shares_by_deal(), played.even, low, high)
    decision: Decision = "stronger" if ratio >= bounds[1] else "not stronger" if ratio <= bounds[0] else "undecided"
    return SprtResult(decision, len(played.outcomes), played.win_rate, played.interval(), played.even, ratio, bounds)


def log_likelihood_ratio(shares: list[float], even: float, low: float, high: float) -> float:
    """The logarithm of how much likelier the shares are, by deal, at `high` rating points than at `low`."""
    expected = expected_share(even, low), expected_share(even, high)
    found = mean(shares)
    variance = (sum((share - found) ** 2 for share in shares) + even * (1 - even)) / (len(shares) + 1)
    return len(shares) * (expected[1] - expected[0]) * (2 * found - expected[0] - expected[1]) / (2 * variance)


def expected_share(even: float, points: float) -> float:
    """The share of the wins of a bot that is stronger by these rating points, if equal bots get `even`."""
    strength: float = even * 10.0 ** (points / 400)
    return strength / (strength + 1 - even)


def _check(low: float, high: float, alpha: float, beta: float, max_games: int) -> None:
    if not low < high:
        raise BadArena(f"The higher of the two differences is above the lower one, not {high:g} and {low:g}.")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise BadArena("The risks of a test lie between 0 and 0.5.")
    if max_games < 1:
        raise BadArena(f"A test takes at least one game, not {max_games}.")
