"""The ladder: how strong the levels of a game are, measured, as a page of the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ludotheque.bots.levels import LEVELS, level
from ludotheque.bots.version import bots_version
from ludotheque.core.game import Game
from ludotheque.study.arena import Contest, Entry, Outcome, Runner, play_here, rankings_of, run_contests
from ludotheque.study.ratings import Rating, rate

HEAD: Final = """# The ladder

How strong the bots are, measured by `ludotheque ladder GAME`, which writes this page. In every pairing both sit at
every seat, with the same dice; with an odd number of seats one bot meets several of the other kind. Win rates have 95 %
intervals (Wilson's, which take the games as independent); ratings
are on the scale of chess, 400 points for ten wins to one, with 95 % intervals from a bootstrap over the deals. Levels
are numbers of simulations for each decision, with slips that typically give away that much of the win; the times are
what a move, which may be made of several decisions, is meant to take on one core of a plain machine, and the processor
time that a decision took on the one that ran it all.
"""


class Pairing(Struct, frozen=True):
    """Two bots that met, and how it went."""

    contest: Contest
    outcomes: list[Outcome]

    @property
    def names(self) -> tuple[str, str]:
        return self.contest.bots[0], self.contest.bots[-1]

    @property
    def even(self) -> float:
        """The share of the wins of the first, if both were as strong."""
        return self.contest.bots.count(self.names[0]) / self.contest.players

    @property
    def wins(self) -> float:
        """Of the first of the two."""
        return sum(
            share
            for game in self.outcomes
            for name, share in zip(game.names, game.returns, strict=True)
            if name == self.names[0]
        )


def pairings(top: int = len(LEVELS)) -> list[tuple[str, str]]:
    """Who meets whom: each level up to the top the one below it, and the ends of the ladder the plain players."""
    levels = [f"bot:{rung.number}" for rung in LEVELS[:top]]
    steps = [(above, below) for below, above in pairwise(levels)]
    return [(levels[0], "random"), (levels[0], "greedy"), *steps,
            *((levels[-1], plain) for plain in ("policy", "greedy", "random"))]  # fmt: skip


def play_ladder(
    game: Game,
    games: int,
    *,
    plain: int = 0,
    top: int = len(LEVELS),
    seed: int = 1,
    run: Runner = play_here,
    folder: Path | None = None,
    report: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Pairing]:
    """Play so many games of each pairing, or another number against plain players; with a folder, from where they were
    stopped. The longest games come first, so that all cores are busy to the end."""
    half = game.players // 2 if game.players % 2 == 0 else 1
    entries = []
    for name, other in pairings(top):
        contest = Contest(
            game.name, game.players, game.settings, (name,) * half + (other,) * (game.players - half), seed
        )
        results = folder / f"{game.name}-{game.players}-{name}-{other}.jsonl".replace(":", "-") if folder else None
        entries.append(Entry(contest, games if is_level(other) else plain or games, results))
    played = run_contests(entries[::-1], run, report=report)[::-1]
    return [Pairing(entry.contest, outcomes) for entry, outcomes in zip(entries, played, strict=True)]


def is_level(name: str) -> bool:
    return name.startswith("bot:")


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate."""
    z = 1.96
    rate = wins / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * ((rate * (1 - rate) + z * z / (4 * games)) / games) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


# The page.


def section(game: Game, played: Sequence[Pairing]) -> str:
    """The part of the page about one game."""
    settings = "".join(f", {option.name}={option.write(game.settings[option.name])}" for option in game.options)
    contest = played[0].contest
    lines = [
        f"## {game.title}",
        "",
        f"{game.players} seats{settings}; seed {contest.seed}; bots {bots_version(game)}; {date.today():%d %B %Y}.",
        "",
        "| bot | simulations | slips | a move is meant to take | a decision took | rating |",
        "|---|---|---|---|---|---|",
        *_strengths(game, played),
        "",
        "| bot | against | games | wins | 95 % interval | even share |",
        "|---|---|---|---|---|---|",
        *(_result(pairing) for pairing in played),
    ]
    return "\n".join(lines) + "\n"


def _strengths(game: Game, played: Sequence[Pairing]) -> list[str]:
    ratings = _ratings(played)
    rows = []
    for name in sorted(ratings, key=lambda name: -ratings[name].rating):
        rated = ratings[name]
        rows.append(
            f"| {name}{_budget(game, name)} | {_time(played, name)} "
            f"| {rated.rating:.0f} ({rated.low:.0f} to {rated.high:.0f}) |"
        )
    return rows


def _ratings(played: Sequence[Pairing]) -> dict[str, Rating]:
    """All pairings together; their deals are different ones."""
    return rate(
        [
            msgspec.structs.replace(ranking, deal=1000000 * number + ranking.deal)
            for number, pairing in enumerate(played)
            for ranking in rankings_of(pairing.outcomes)
        ]
    )


def _budget(game: Game, name: str) -> str:
    """A level's name, simulations, blur and time; nothing for plain players."""
    if not is_level(name):
        return " | | |"
    chosen = level(int(name.partition(":")[2]))
    return f", {chosen.name} | {chosen.simulations(game):,} | {chosen.error_scale(game):g} | {chosen.seconds:g} s"


def _time(played: Sequence[Pairing], name: str) -> str:
    at = [
        (game.seconds[seat], game.moves[seat])
        for pairing in played
        for game in pairing.outcomes
        for seat, who in enumerate(game.names)
        if who == name
    ]
    return f"{sum(seconds for seconds, _ in at) / max(1, sum(moves for _, moves in at)):.3f} s"


def _result(pairing: Pairing) -> str:
    games = len(pairing.outcomes)
    low, high = wilson(pairing.wins, games)
    name, other = pairing.names
    return f"| {name} | {other} | {games} | {pairing.wins / games:.1%} | {low:.0%} to {high:.0%} | {pairing.even:.0%} |"


def with_section(page: str, game: Game, text: str) -> str:
    """The page with this part about the game instead of the one it had."""
    _, *parts = re.split(r"(?m)^(?=## )", page)
    kept = [part for part in parts if not part.startswith(f"## {game.title}\n")]
    ordered = sorted([*(part.rstrip() + "\n" for part in kept), text])
    return HEAD + "\n" + "\n".join(ordered)
