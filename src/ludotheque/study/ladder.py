"""The ladder: measure how strong the bot levels of a game are, and write the results as a documentation page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from ludotheque.bots.levels import LEVELS, level
from ludotheque.bots.registry import bot_title
from ludotheque.bots.version import bots_version
from ludotheque.core.game import Game
from ludotheque.study.arena import ContestRun, Outcome, Runner, play_in_process, rankings_of, run_contests
from ludotheque.study.pairing import Pairing, pairing_contest, wilson
from ludotheque.study.ratings import Rating, rate

HEAD: Final = """# The ladder

How strong the bots are, measured by `ludotheque ladder GAME`, which writes a section of this page; the line under a
heading says if games of several runs were put together. In every pairing both bots play every seat, with the same dice;
with an odd number of seats one bot meets several of the other kind. Win rates have 95% Wilson intervals, which treat
the games as independent; the even share is what equal bots would win. Ratings go by the places of all seats in each
game, on the chess scale (400 points mean ten to one), with 95% bootstrap intervals over the deals; with more than two
seats they need not agree with the wins. A level is a number of simulations per decision, at most (easy decisions stop
early), and an error scale: the loss, as a part of the win, that makes a move half as likely as the best. "Target time"
is what a move, which may consist of several decisions, should take on one core of an ordinary machine; "time per
decision" is the processor time measured on the machine that ran the games. Where a heading says "1/10 of the time",
every level had that part of its simulations (`--divide-time 10`).
"""


def pairings(top: int = len(LEVELS), divisor: int = 1) -> list[tuple[str, str]]:
    """Return the pairings: each level up to `top` against the one below, the lowest and highest against plain bots;
    with a divisor, every level in that part of its time."""
    levels = _levels(top, divisor)
    steps = [(above, below) for below, above in pairwise(levels)]
    return [(levels[0], "random"), (levels[0], "greedy"), *steps,
            *((levels[-1], plain) for plain in ("policy", "greedy", "random"))]  # fmt: skip


def _levels(top: int, divisor: int) -> list[str]:
    part = f"/{divisor}" if divisor > 1 else ""
    return [f"bot:{rung.number}{part}" for rung in LEVELS[:top]]


def custom_pairings(custom: Sequence[str], top: int = len(LEVELS), divisor: int = 1) -> list[tuple[str, str]]:
    """Return the pairings of custom bots: each against `random`, `policy`, `greedy` and every level up to `top`."""
    others = ["random", "policy", "greedy", *_levels(top, divisor)]
    return [(name, other) for name in custom for other in others]


def play_ladder(
    game: Game,
    games: int,
    *,
    plain: int = 0,
    top: int = len(LEVELS),
    divisor: int = 1,
    custom: Sequence[str] = (),
    seed: int = 1,
    run: Runner = play_in_process,
    folder: Path | None = None,
    on_outcome: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Pairing]:
    """Play this many games of each pairing, or `plain` games against plain bots; with a folder, resume what was
    interrupted. The longest games come first, so that all cores are busy to the end."""
    runs = []
    for name, other in [*pairings(top, divisor), *custom_pairings(custom, top, divisor)]:
        contest = pairing_contest(game, name, other, seed)
        results = folder / _file_name(game, name, other) if folder else None
        runs.append(ContestRun(contest, games if is_level(other) else plain or games, results))
    played = run_contests(runs[::-1], run, on_outcome=on_outcome)[::-1]
    return [Pairing(entry.contest, outcomes) for entry, outcomes in zip(runs, played, strict=True)]


def _file_name(game: Game, name: str, other: str) -> str:
    table = "-".join([game.name, str(game.players), *_option_words(game)])
    words = f"{table}-{bot_title(name)}-{other}".replace("/", "-part-")
    return re.sub(r"[^\w.-]+", "-", words)[:200] + ".jsonl"


def _option_words(game: Game) -> list[str]:
    """The options that are not at their default, as words."""
    return [f"{option.name}={option.write(game.settings[option.name])}" for option in game.changed_options()]


def is_level(name: str) -> bool:
    return name.startswith("bot:")


# The page.


def _heading(game: Game, divisor: int) -> str:
    """A heading for each number of seats, each choice of options and each part of the time."""
    part = [f"1/{divisor} of the time"] if divisor > 1 else []
    return ", ".join([f"## {game.title}, {game.players} seats", *_option_words(game), *part])


def _divisor(name: str) -> int:
    """The part of its time that a level plays in, as the number it is divided by."""
    return int(name.partition("/")[2] or 1) if is_level(name) else 1


def section(game: Game, played: Sequence[Pairing]) -> str:
    """Return the section of the page about one game."""
    settings = "".join(f", {option.name}={option.write(game.settings[option.name])}" for option in game.options)
    contest = played[0].contest
    lines = [
        _heading(game, max(_divisor(name) for pairing in played for name in pairing.names)),
        "",
        f"{game.players} seats{settings}; seed {contest.seed}; bots {bots_version(game)}; {date.today():%d %B %Y}.",
        "",
        "| bot | simulations | error scale | target time per move | time per decision | rating |",
        "|---|---|---|---|---|---|",
        *_strength_rows(game, played),
        "",
        "| bot | against | games | wins | 95% interval | even share |",
        "|---|---|---|---|---|---|",
        *(_result(pairing) for pairing in played),
    ]
    return "\n".join(lines) + "\n"


def _strength_rows(game: Game, played: Sequence[Pairing]) -> list[str]:
    ratings = _ratings(played)
    rows = []
    for name in sorted(ratings, key=lambda name: -ratings[name].rating):
        rated = ratings[name]
        rows.append(
            f"| {bot_title(name)}{_budget(game, name)} | {_time(played, name)} "
            f"| {rated.rating:.0f} ({rated.low:.0f} to {rated.high:.0f}) |"
        )
    return rows


def _ratings(played: Sequence[Pairing]) -> dict[str, Rating]:
    """Rate the bots over all pairings; deals of different pairings are kept apart."""
    return rate(
        [
            msgspec.structs.replace(ranking, deal=1000000 * number + ranking.deal)
            for number, pairing in enumerate(played)
            for ranking in rankings_of(pairing.outcomes)
        ]
    )


def _budget(game: Game, name: str) -> str:
    """Return a level's title, simulations, error scale and target time; empty cells for plain bots."""
    if not is_level(name):
        return " | | |"
    divisor = _divisor(name)
    chosen = level(int(name.partition(":")[2].partition("/")[0]))
    simulations = chosen.simulations(game, divisor)
    seconds = chosen.seconds / divisor
    return f", {chosen.name} | {simulations:,} | {chosen.error_scale(game):g} | {seconds:g} s"


def _time(played: Sequence[Pairing], name: str) -> str:
    at = [
        (game.seconds[seat], game.move_counts[seat])
        for pairing in played
        for game in pairing.outcomes
        for seat, who in enumerate(game.bots)
        if who == name
    ]
    return f"{sum(seconds for seconds, _ in at) / max(1, sum(moves for _, moves in at)):.3f} s"


def _result(pairing: Pairing) -> str:
    games = len(pairing.outcomes)
    low, high = wilson(pairing.wins, games)
    name, other = map(bot_title, pairing.names)
    return f"| {name} | {other} | {games} | {pairing.wins / games:.1%} | {low:.0%} to {high:.0%} | {pairing.even:.0%} |"


def with_section(page: str, text: str) -> str:
    """Return the page with a section replaced, if it has one of that heading, or added."""
    heading = text.partition("\n")[0]
    _, *parts = re.split(r"(?m)^(?=## )", page)
    kept = [part for part in parts if not part.startswith(f"{heading}\n")]
    ordered = sorted([*(part.rstrip() + "\n" for part in kept), text])
    return HEAD + "\n" + "\n".join(ordered)
