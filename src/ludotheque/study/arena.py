"""The arena: play many games between bots and report how strong they are.

Every deal is played once for each rotation of the bots round the table, with the same dice. Each game depends only on
the contest and the number of the game, so the results are the same on one core, on many and on a cluster, and a contest
that was interrupted can be resumed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from itertools import combinations
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import msgspec
from librt.random import Random
from msgspec import Struct, field

from ludotheque.bots.bot import Bot
from ludotheque.bots.isolated import close_idle, runs_isolated, seat_isolated_bot
from ludotheque.bots.registry import bot_title, check_bot
from ludotheque.bots.version import bots_version
from ludotheque.bots.workers import WorkerPool
from ludotheque.core.errors import BadArena, BotFailed
from ludotheque.core.game import Game
from ludotheque.core.options import OptionValue
from ludotheque.core.registry import load_game
from ludotheque.core.seeds import seed_bytes, seed_number
from ludotheque.core.turn import CLOCK
from ludotheque.study.line_file import LineFile
from ludotheque.study.ratings import Ranking, ranks_of, rate
from ludotheque.table import Dice, Match, Record, write_json

_LOG: Final = logging.getLogger("ludotheque.study.arena")


class Contest(Struct, frozen=True):
    """A game with its settings, the names of the bots that play it, and the seed of all random numbers."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    bots: tuple[str, ...]
    seed: int = 1
    version: str = ""
    """Version of the bots, in a file of results; files of other versions are never mixed."""
    clock: float = CLOCK
    """Seconds for a move of a custom bot."""

    def load_game(self) -> Game:
        return load_game(self.game, self.players, **self.settings)

    def lineups(self) -> list[tuple[str, ...]]:
        """Return every group of bots in every rotation round the table, seat by seat."""
        groups = dict.fromkeys(combinations(self.bots, self.players))
        return [group[turn:] + group[:turn] for group in groups for turn in range(self.players)]

    def check(self) -> None:
        """Raise `BadArena` or `NoSuchBot` for a contest that cannot be played."""
        game = self.load_game()
        if len(self.bots) < self.players:
            raise BadArena(f"{self.players} seats need at least {self.players} bots; a bot can be named twice.")
        if len(set(self.bots)) < 2:
            raise BadArena("An arena needs two different bots.")
        for name in self.bots:
            check_bot(name, game)


class Outcome(Struct, frozen=True):
    """The result of one game of a contest, seat by seat."""

    number: int
    deal: int
    """Games of one deal had the same draws."""
    bots: tuple[str, ...] = field(name="names")
    scores: tuple[int, ...]
    returns: tuple[float, ...]
    move_counts: tuple[int, ...] = field(name="moves")
    seconds: tuple[float, ...]
    """Processor time for all moves of the seat; for a bot in a separate process, the time it took."""
    failed_seat: int = field(default=-1, name="failed")
    """The seat whose bot failed, which lost the game; -1 if none did."""
    failure: str = ""
    """A description of the failure, in a sentence."""


# One game.


def play_game(contest: Contest, number: int, records: Path | None = None) -> Outcome:
    """Play the game with this number, from 0."""
    lineups = contest.lineups()
    deal, names = number // len(lineups), lineups[number % len(lineups)]
    game = contest.load_game()
    match = Match.start(
        game, _seat_names(names), Dice(seed_bytes(contest.seed, deal, "dice")) if game.has_chance else None
    )
    players = _Players(contest, number, names, match)
    players.play()
    if records is not None:
        path = records / f"{contest.game}-{contest.seed}-{number + 1:05}.json"
        path.write_text(write_json(Record.full(match)), encoding="utf-8")
    scores, returns = players.result()
    moves, seconds = tuple(players.moves), tuple(players.seconds)
    return Outcome(number, deal, names, scores, returns, moves, seconds, players.failed, players.failure)


class _Players:
    """The bots that play one match."""

    def __init__(self, contest: Contest, number: int, names: Sequence[str], match: Match) -> None:
        self.match = match
        self.clock = contest.clock
        self.seeds = [seed_number(contest.seed, number, f"seat {seat}") for seat in range(contest.players + 1)]
        self.names = names
        self.rng = Random(self.seeds[-1])
        self.bots: list[Bot] = []
        self.moves = [0] * contest.players
        self.seconds = [0.0] * contest.players
        self.failed = -1
        self.failure = ""

    def play(self) -> None:
        """Play to the end, or until a bot fails."""
        try:
            for seat, name in enumerate(self.names):
                self.failed = seat
                self.bots.append(seat_isolated_bot(name, self.match.game, seat, self.seeds[seat], self.clock))
            while not self.match.is_over:
                self.failed = self.match.to_move
                self._move()
            self.failed = -1
        except BotFailed as error:
            self.failure = f"Seat {self.failed + 1}: {error}"
        except BaseException:  # Ctrl-C too: no program may be left running
            for bot in self.bots:
                _close(bot)
            raise
        scores, returns = self.result()
        for bot in self.bots:
            _end(bot, returns, scores)

    def _move(self) -> None:
        """Let the bot to move play."""
        match = self.match
        seat = match.to_move
        turn = match.turn(seat, self.rng, self.clock)
        time = perf_counter if runs_isolated(self.names[seat], match.game) else process_time
        begin = time()
        action = self.bots[seat].choose(turn)
        self.seconds[seat] += time() - begin
        self.moves[seat] += 1
        match.play(seat, action)

    def result(self) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Each seat's score and share of the win; a bot that failed loses, and the others share the win."""
        if self.failed < 0:
            end = self.match.view()
            return end.scores, end.returns
        share = 1 / max(1, len(self.names) - 1)
        returns = tuple(0.0 if seat == self.failed else share for seat in range(len(self.names)))
        return (0,) * len(self.names), returns


def _end(bot: Bot, returns: Sequence[float], scores: Sequence[int]) -> None:
    """Tell a bot how the game ended. One that fails now changes nothing."""
    try:
        bot.end(returns, scores)
    except BotFailed as error:
        _LOG.warning("after the end of a game: %s", error)
    _close(bot)


def _close(bot: Bot) -> None:
    try:
        bot.close()
    except BotFailed as error:
        _LOG.warning("after the end of a game: %s", error)


def _seat_names(names: Sequence[str]) -> list[str]:
    """Return the names of the bots, with the seat number where a bot has several seats."""
    titles = [bot_title(name) for name in names]
    return [f"{title} {seat}" if titles.count(title) > 1 else title for seat, title in enumerate(titles, 1)]


# Many games: in this process, on several cores, or on a cluster.


GameTask = tuple[Contest, int]
"""A game to play: its contest and its number."""
Runner = Callable[[Sequence[GameTask], Path | None], Iterable[tuple[GameTask, Outcome]]]


def play_in_process(tasks: Sequence[GameTask], records: Path | None) -> Iterator[tuple[GameTask, Outcome]]:
    """Play the games one after the other in this process."""
    try:
        for contest, number in tasks:
            yield (contest, number), play_game(contest, number, records)
    finally:
        close_idle()


def on_cores(jobs: int) -> Runner:
    """Return a runner that plays games in parallel in this many processes."""

    def play(tasks: Sequence[GameTask], records: Path | None) -> Iterator[tuple[GameTask, Outcome]]:
        with WorkerPool(jobs) as pool:
            games = {pool.submit(play_game, *task, records): task for task in tasks}
            for done in as_completed(games):
                yield games[done], done.result()

    return play


def runner_on(jobs: int) -> Runner:
    """Return a runner for this many processes; one is this process itself."""
    return on_cores(jobs) if jobs > 1 else play_in_process


def on_ray(tasks: Sequence[GameTask], records: Path | None) -> Iterator[tuple[GameTask, Outcome]]:
    """Play the games on a Ray cluster, or on the cores of this machine if there is none."""
    try:
        import ray
    except ImportError as error:
        raise BadArena("Ray is not installed; install it with: pip install 'ludotheque[ray]'.") from error
    ray.init(ignore_reinit_error=True, log_to_driver=False)
    remote: Any = ray.remote(play_game)
    waiting = {remote.remote(*task, records): task for task in tasks}
    while waiting:
        done, _ = ray.wait(list(waiting))
        for game in done:
            yield waiting.pop(game), ray.get(game)


def run_contest(
    contest: Contest,
    games: int,
    run: Runner = play_in_process,
    results: Path | None = None,
    records: Path | None = None,
    on_outcome: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Outcome]:
    """Play the missing games of a contest, save each result at once, and return all results in order."""
    return run_contests([ContestRun(contest, games, results)], run, records, on_outcome)[0]


class ContestRun(Struct, frozen=True):
    """A contest to run, its number of games, and the file for their results."""

    contest: Contest
    games: int
    results: Path | None = None


def run_contests(
    runs: Sequence[ContestRun],
    run: Runner = play_in_process,
    records: Path | None = None,
    on_outcome: Callable[[Outcome], object] = lambda outcome: None,
) -> list[list[Outcome]]:
    """Run several contests together, so that no core waits for the last game of one of them."""
    contests = [_ContestOutcomes(entry) for entry in runs]
    of_contest = {id(outcomes.contest): outcomes for outcomes in contests}
    for outcomes in contests:
        for outcome in outcomes.by_number.values():
            on_outcome(outcome)
    missing = [(outcomes.contest, number) for outcomes in contests for number in outcomes.missing()]
    for (contest, _), outcome in run(missing, records) if missing else ():
        of_contest[id(contest)].add(outcome)
        on_outcome(outcome)
    return [outcomes.in_order() for outcomes in contests]


class _ContestOutcomes:
    """The outcomes of one contest so far."""

    def __init__(self, run: ContestRun) -> None:
        self.contest = run.contest
        self.games = run.games
        self.contest.check()
        self.file = _ResultsFile(run.results, with_version(run.contest)) if run.results is not None else None
        saved = self.file.outcomes if self.file else ()
        self.by_number = {outcome.number: outcome for outcome in saved if outcome.number < run.games}

    def missing(self) -> list[int]:
        return [number for number in range(self.games) if number not in self.by_number]

    def add(self, outcome: Outcome) -> None:
        self.by_number[outcome.number] = outcome
        if self.file:
            self.file.add(outcome)

    def in_order(self) -> list[Outcome]:
        return [self.by_number[number] for number in range(self.games)]


def with_version(contest: Contest) -> Contest:
    """The contest with the version of the bots that play it here."""
    return msgspec.structs.replace(contest, version=bots_version(contest.load_game()))


def _check_same(path: Path, found: Contest, contest: Contest) -> None:
    """Complain if a file of results belongs to another contest, or to other bots of the same names."""
    if msgspec.structs.replace(found, version=contest.version) != contest:
        raise BadArena(f"The file {str(path)!r} holds the results of another contest.")
    if found.version != contest.version:
        versions = f"{found.version or 'unknown'}; these are {contest.version}"
        raise BadArena(f"The file {str(path)!r} holds the results of bots of another version: {versions}.")


class _ResultsFile:
    """The results file of a contest, as JSON lines: the contest first, then one game per line."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self._file = LineFile(path, BadArena)
        lines = self._file.lines
        try:
            self.outcomes = [msgspec.json.decode(line, type=Outcome) for line in lines[1:]]
            if lines:
                _check_same(path, msgspec.json.decode(lines[0], type=Contest), contest)
        except msgspec.DecodeError as error:
            raise BadArena(f"The file {str(path)!r} does not hold arena results: {error}.") from error
        self._file.resume(msgspec.json.encode(contest))

    def add(self, outcome: Outcome) -> None:
        self._file.add(msgspec.json.encode(outcome))


# The report.


class Standing(Struct, frozen=True):
    """The results of one bot."""

    name: str
    games: int
    wins: float
    win_rate: float
    mean_score: float
    rating: float
    rating_low: float
    rating_high: float
    seconds_per_move: float
    failures: int = 0
    """Games lost because the bot made an illegal move, crashed or took too long."""


class Report(Struct, frozen=True):
    """The results of a contest."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    seed: int
    games: int
    version: str
    """Version of the bots."""
    bots: list[Standing]
    """Strongest first."""
    beats: dict[str, dict[str, float]]
    """Share of their games in which a bot finished ahead, by bot and opponent; a tie counts half."""


DIGITS: Final = 4


def make_report(contest: Contest, outcomes: Sequence[Outcome]) -> Report:
    """Sum up the outcomes of a contest."""
    rankings = rankings_of(outcomes)
    ratings = rate(rankings, contest.seed)
    standings = []
    for name, rated in ratings.items():
        at = [(game, seat) for game in outcomes for seat, who in enumerate(game.bots) if who == name]
        wins = sum(game.returns[seat] for game, seat in at)
        seconds = sum(game.seconds[seat] for game, seat in at)
        standings.append(
            Standing(
                name=name,
                games=len(at),
                wins=round(wins, DIGITS),
                win_rate=round(wins / len(at), DIGITS),
                mean_score=round(sum(game.scores[seat] for game, seat in at) / len(at), DIGITS),
                rating=round(rated.rating, 1),
                rating_low=round(rated.low, 1),
                rating_high=round(rated.high, 1),
                seconds_per_move=round(seconds / max(1, sum(game.move_counts[seat] for game, seat in at)), 6),
                failures=sum(game.failed_seat == seat for game, seat in at),
            )
        )
    standings.sort(key=lambda standing: -standing.rating)
    return Report(
        game=contest.game,
        players=contest.players,
        settings=contest.settings,
        seed=contest.seed,
        games=len(outcomes),
        version=bots_version(contest.load_game()),
        bots=standings,
        beats=_cross_table(rankings),
    )


def rankings_of(outcomes: Iterable[Outcome]) -> list[Ranking]:
    """Return the ranking of each game; all rotations of one deal among the same players share a deal number."""
    return [Ranking(game.number // len(game.bots), game.bots, ranks_of(game.returns, game.scores)) for game in outcomes]


def _cross_table(rankings: Iterable[Ranking]) -> dict[str, dict[str, float]]:
    met: dict[tuple[str, str], list[float]] = {}
    for game in rankings:
        for name, rank in zip(game.bots, game.ranks, strict=True):
            for other, place in zip(game.bots, game.ranks, strict=True):
                if other != name:
                    met.setdefault((name, other), []).append(0.5 if rank == place else float(rank < place))
    table: dict[str, dict[str, float]] = {}
    for (name, other), ahead in sorted(met.items()):
        table.setdefault(name, {})[other] = round(sum(ahead) / len(ahead), DIGITS)
    return table
