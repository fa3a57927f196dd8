"""Ludotheque suite v1: fixed set-ups, yardsticks and a protocol by which any bot can be measured and compared.

A set-up is a game, a number of players and a budget. In each the bot meets every yardstick of the budget: deals are
played once for each rotation of the seats, until the 95% interval of the win rate is narrow enough or the most games
are played. Whether to go on depends on the width of the interval alone, not on who is ahead. Everything follows from
the seed of the suite, so a result can be repeated by anyone with the same bot and the same version of the yardsticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import Final

import msgspec
from msgspec import Struct

from ludotheque.bots.registry import bot_title, check_bot
from ludotheque.bots.version import bots_version
from ludotheque.core.errors import BadArena
from ludotheque.core.game import Game
from ludotheque.core.registry import load_game
from ludotheque.study.arena import DIGITS, Runner, play_in_process, run_contest
from ludotheque.study.pairing import Pairing, pairing_contest

NAME: Final = "ludotheque-suite"
VERSION: Final = 1
"""Raised when set-ups, yardsticks or the protocol change; results of different versions are never mixed."""
SEED: Final = 20260101
NARROW: Final = 0.1
"""Width of a 95% interval at which a pairing stops: 5 points on each side."""
MOST_GAMES: Final = 400
DEALS_PER_LOOK: Final = 5
GAMES: Final = (
    "cable_car(players=2)", "cable_car(players=3)", "cable_car(players=4)", "cable_car(players=5)",
    "chicago_express(players=2)", "chicago_express(players=3)", "chicago_express(players=4)",
    "chicago_express(players=5)",
    "passerelles(players=2)",
    "pays_noir(players=2)", "pays_noir(players=3)", "pays_noir(players=4)", "pays_noir(players=5)",
)  # fmt: skip


class Budget(Struct, frozen=True):
    """The time of a bot for a decision, and the yardsticks that it is measured by."""

    name: str
    clock: float
    """Seconds for a decision on one core; a slower custom bot loses the game."""
    yardsticks: tuple[str, ...]


BUDGETS: Final = {
    "small": Budget("small", 1.0, ("policy", "greedy", "search:100", "bot:1", "bot:2", "bot:3")),
    "large": Budget("large", 10.0, ("policy", "greedy", "search:1000", "bot:4", "bot:5", "bot:6")),
}


class Measured(Struct, frozen=True):
    """The result of a bot against one yardstick in one set-up."""

    game: str
    """A game string, with the version of the game."""
    yardstick: str
    yardstick_version: str
    games: int
    win_rate: float
    low: float
    high: float
    """The 95% interval of the win rate."""
    even: float
    """The win rate of equal bots."""
    seconds_per_decision: float
    """Mean time of the bot."""
    failures: int
    """Games lost because the bot made an illegal move, crashed or took too long."""

    @property
    def strength(self) -> float:
        """The win rate as it would be at a table of two: 0.5 for a bot as strong as the yardstick."""
        for_it = self.win_rate / self.even
        return for_it / (for_it + (1 - self.win_rate) / (1 - self.even))


class SuiteResult(Struct, frozen=True):
    """The results of one bot."""

    bot: str
    """The title under which the bot is listed."""
    budget: str
    measured: tuple[Measured, ...]
    about: str = ""
    """A description for readers: author, method, training, address of the code."""
    suite: str = NAME
    version: int = VERSION
    seed: int = SEED
    digest: str = ""
    """SHA-256 of all other fields, as canonical JSON: a file that was changed by hand is refused."""

    def signed(self) -> SuiteResult:
        """The same with the digest of its content."""
        return msgspec.structs.replace(self, digest=self._content_digest())

    def _content_digest(self) -> str:
        content = msgspec.structs.replace(self, digest="")
        return sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()

    def check(self) -> None:
        """Raise `BadArena` for a result of another suite, or one that was changed."""
        if (self.suite, self.version) != (NAME, VERSION):
            raise BadArena(f"These are results of {self.suite} v{self.version}, not of {NAME} v{VERSION}.")
        if self.digest != self._content_digest():
            raise BadArena(f"The results of {self.bot!r} do not have the digest that they claim: they were changed.")

    @property
    def is_complete(self) -> bool:
        """Whether every yardstick of the budget was met in every set-up."""
        met = {(measured.game, measured.yardstick) for measured in self.measured}
        yardsticks = BUDGETS[self.budget].yardsticks
        return met == {(str(load_game(game)), name) for game in GAMES for name in yardsticks}


# Measuring.


def measure_bot(
    bot: str,
    budget: Budget,
    *,
    games: Sequence[str] = GAMES,
    yardsticks: Sequence[str] = (),
    about: str = "",
    run: Runner = play_in_process,
    folder: Path | None = None,
    narrow: float = NARROW,
    most_games: int = MOST_GAMES,
    on_measured: Callable[[Measured], object] = lambda measured: None,
) -> SuiteResult:
    """Measure a bot in these set-ups against these yardsticks (default: all); with a folder, resume what was played."""
    chosen = list(yardsticks or budget.yardsticks)
    for name in chosen:
        if name not in budget.yardsticks:
            raise BadArena(f"The yardsticks of {budget.name} are {', '.join(budget.yardsticks)}; {name!r} is none.")
    tables = [load_game(text) for text in games]
    for game in tables:
        check_bot(bot, game)
    found: list[Measured] = []
    for game in tables:
        for yardstick in chosen:
            found.append(_measure(_play(game, bot, yardstick, budget, run, folder, narrow, most_games)))
            on_measured(found[-1])
    return SuiteResult(bot_title(bot), budget.name, tuple(found), about).signed()


def _play(
    game: Game, bot: str, yardstick: str, budget: Budget, run: Runner, folder: Path | None, narrow: float, most: int
) -> Pairing:
    """Play a pairing until its interval is narrow enough."""
    # A bot that is itself a yardstick plays under another name, so that its results can be told apart.
    contest = pairing_contest(game, f"measured={bot}" if bot == yardstick else bot, yardstick, SEED, budget.clock)
    contest.check()
    results = folder / _file_name(game, bot, yardstick, budget) if folder else None
    played = Pairing(contest, [])
    while len(played.outcomes) < most and (not played.outcomes or _width(played) > narrow):
        games = min(most, len(played.outcomes) + DEALS_PER_LOOK * game.players)
        if results is None:
            played = played.extended(games, run)
        else:
            played = Pairing(contest, run_contest(contest, games, run, results))
    return played


def _width(played: Pairing) -> float:
    low, high = played.interval()
    return high - low


def _file_name(game: Game, bot: str, yardstick: str, budget: Budget) -> str:
    words = f"{game.name}-{game.players}-{bot_title(bot)}-{yardstick}-{budget.name}"
    return re.sub(r"[^\w.-]+", "-", words)[:200] + ".jsonl"


def _measure(played: Pairing) -> Measured:
    name, yardstick = played.names
    game = played.contest.load_game()
    low, high = played.interval()
    at = [(each, seat) for each in played.outcomes for seat, who in enumerate(each.bots) if who == name]
    seconds = sum(each.seconds[seat] for each, seat in at) / max(1, sum(each.move_counts[seat] for each, seat in at))
    return Measured(
        game=str(game),
        yardstick=yardstick,
        yardstick_version=bots_version(game),
        games=len(played.outcomes),
        win_rate=round(played.win_rate, DIGITS),
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        even=round(played.even, DIGITS),
        seconds_per_decision=round(seconds, 6),
        failures=sum(each.failed_seat == seat for each, seat in at),
    )


# Files and the table.


def read_result(path: Path) -> SuiteResult:
    """Read a file of results; `BadArena` if it cannot be read, belongs to another suite or was changed."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=SuiteResult)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadArena(f"The file {str(path)!r} does not hold results of the suite: {error}.") from error
    found.check()
    return found


def write_result(result: SuiteResult) -> str:
    """The content of a file of results."""
    return msgspec.json.format(msgspec.json.encode(result)).decode() + "\n"


def result_table(results: Iterable[SuiteResult]) -> str:
    """Results as Markdown: the mean strength of each bot, then its win rates by set-up and yardstick."""
    ordered = sorted(results, key=lambda result: (result.budget, -_strength(result), result.bot))
    lines = [
        "| bot | budget | strength | set-ups | games | time per decision | about |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [_summary_row(result) for result in ordered]
    for result in ordered:
        lines += ["", *_details(result)]
    return "\n".join(lines) + "\n"


def _strength(result: SuiteResult) -> float:
    return mean(measured.strength for measured in result.measured)


def _summary_row(result: SuiteResult) -> str:
    measured = result.measured
    setups = f"{len({one.game for one in measured})}{'' if result.is_complete else ' (partial)'}"
    games = sum(one.games for one in measured)
    seconds = mean(one.seconds_per_decision for one in measured)
    return (
        f"| {result.bot} | {result.budget} | {_strength(result):.1%} | {setups} | {games:,} "
        f"| {1000 * seconds:.2f} ms | {result.about} |"
    )


def _details(result: SuiteResult) -> Iterator[str]:
    yardsticks = [name for name in BUDGETS[result.budget].yardsticks if any(
        one.yardstick == name for one in result.measured)]  # fmt: skip
    yield f"### {result.bot}, {result.budget} budget\n"
    yield f"| set-up | even | {' | '.join(yardsticks)} |"
    yield "|---|---|" + "---|" * len(yardsticks)
    for game in dict.fromkeys(one.game for one in result.measured):
        by_name = {one.yardstick: one for one in result.measured if one.game == game}
        cells = [_cell(by_name.get(name)) for name in yardsticks]
        even = next(iter(by_name.values())).even
        yield f"| `{re.sub(r',version=.*', ')', game)}` | {even:.0%} | {' | '.join(cells)} |"


def _cell(measured: Measured | None) -> str:
    if measured is None:
        return ""
    return f"{measured.win_rate:.0%} ({measured.low:.0%} to {measured.high:.0%})"
