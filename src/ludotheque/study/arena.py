"""The arena: bots against bots, many games, and what they show.

Every deal is played once for each way of seating the bots, round the table, with the same dice: the draw of a ply
follows from the deal and the ply, as at a table. Each game follows from the contest and its number alone, so the
results are the same on one core, on many and on a cluster; and a contest that was stopped goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any, Final

import msgspec
from librt.random import Random
from msgspec import Struct

from ludotheque.bots.names import bot_named
from ludotheque.bots.version import bots_version
from ludotheque.bots.workers import new_workers
from ludotheque.core.errors import BadArena
from ludotheque.core.game import Game
from ludotheque.core.options import OptionValue
from ludotheque.core.registry import load_game
from ludotheque.core.seeds import seed_bytes, seed_number
from ludotheque.study.ratings import Ranking, ranks_of, rate
from ludotheque.table import Dice, Match, Record, write_json


class Contest(Struct, frozen=True):
    """Who plays what: a game as set up, the bots by name, and a seed for all luck."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    bots: tuple[str, ...]
    seed: int = 1
    version: str = ""
    """Of the bots, in a file of results; files of other versions are never mixed."""

    def table(self) -> Game:
        return load_game(self.game, self.players, **self.settings)

    def lineups(self) -> list[tuple[str, ...]]:
        """All who sit down together, seat by seat: every group of bots, turned round the table."""
        groups = dict.fromkeys(combinations(self.bots, self.players))
        return [group[turn:] + group[:turn] for group in groups for turn in range(self.players)]

    def check(self) -> None:
        """Complain about what cannot be played before anything is."""
        game = self.table()
        if len(self.bots) < self.players:
            raise BadArena(f"{self.players} seats need at least {self.players} bots; a bot can be named twice.")
        if len(set(self.bots)) < 2:
            raise BadArena("An arena needs two different bots.")
        for name in self.bots:
            bot_named(name, game, 1)


class Outcome(Struct, frozen=True):
    """How one game of a contest ended, seat by seat."""

    number: int
    deal: int
    names: tuple[str, ...]
    scores: tuple[int, ...]
    returns: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    """Time spent on all moves."""


# One game.


def play_game(contest: Contest, number: int, records: Path | None = None) -> Outcome:
    """The game of that number, from 0."""
    lineups = contest.lineups()
    deal, names = number // len(lineups), lineups[number % len(lineups)]
    game = contest.table()
    match = Match.start(
        game, _seat_names(names), Dice(seed_bytes(contest.seed, deal, "dice")) if game.has_chance else None
    )
    table = _Table(contest, number, names, match)
    while not match.is_over:
        table.move()
    if records is not None:
        path = records / f"{contest.game}-{contest.seed}-{number + 1:05}.json"
        path.write_text(write_json(Record.full(match)), encoding="utf-8")
    end = match.view()
    return Outcome(number, deal, names, end.scores, end.returns, tuple(table.moves), tuple(table.seconds))


class _Table:
    """The bots around one match."""

    def __init__(self, contest: Contest, number: int, names: Sequence[str], match: Match) -> None:
        self.match = match
        seeds = [seed_number(contest.seed, number, f"seat {seat}") for seat in range(contest.players + 1)]
        self.bots = [bot_named(name, match.game, seeds[seat]) for seat, name in enumerate(names)]
        self.rng = Random(seeds[-1])
        self.moves = [0] * contest.players
        self.seconds = [0.0] * contest.players

    def move(self) -> None:
        """Ask whoever is to move, and tell all what happened where nothing is hidden."""
        match = self.match
        seat, before = match.to_move, match.ply
        position = match.resampled(seat, self.rng)
        begin = process_time()
        action = self.bots[seat].choose(position, seat)
        self.seconds[seat] += process_time() - begin
        self.moves[seat] += 1
        match.play(seat, action)
        if not match.game.has_hidden_information:
            for _, done in match.actions()[before:]:
                for bot in self.bots:
                    bot.heard(done)


def _seat_names(names: Sequence[str]) -> list[str]:
    """The names of the bots, with the seat where one sits twice."""
    return [f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names, 1)]


# Many games: here, on several cores, or on a cluster.


Turn = tuple[Contest, int]
"""A game to play: of which contest, and its number."""
Runner = Callable[[Sequence[Turn], Path | None], Iterable[tuple[Turn, Outcome]]]


def play_here(turns: Sequence[Turn], records: Path | None) -> Iterator[tuple[Turn, Outcome]]:
    """One game after the other in this process."""
    for contest, number in turns:
        yield (contest, number), play_game(contest, number, records)


def on_cores(jobs: int) -> Runner:
    """Games side by side in so many processes."""

    def play(turns: Sequence[Turn], records: Path | None) -> Iterator[tuple[Turn, Outcome]]:
        with new_workers(jobs) as pool:
            games = {pool.submit(play_game, *turn, records): turn for turn in turns}
            try:
                for done in as_completed(games):
                    yield games[done], done.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    return play


def on_ray(turns: Sequence[Turn], records: Path | None) -> Iterator[tuple[Turn, Outcome]]:
    """Games on the machines of a Ray cluster, or on the cores of this one where none is found."""
    try:
        import ray
    except ImportError as error:
        raise BadArena("Ray is not installed; install it with: pip install 'ludotheque[ray]'.") from error
    ray.init(ignore_reinit_error=True, log_to_driver=False)
    remote: Any = ray.remote(play_game)
    waiting = {remote.remote(*turn, records): turn for turn in turns}
    while waiting:
        done, _ = ray.wait(list(waiting))
        for game in done:
            yield waiting.pop(game), ray.get(game)


def run_contest(
    contest: Contest,
    games: int,
    run: Runner = play_here,
    results: Path | None = None,
    records: Path | None = None,
    report: Callable[[Outcome], object] = lambda outcome: None,
) -> list[Outcome]:
    """Play what is missing of so many games, write each result down at once, and return them all in order."""
    return run_contests([Entry(contest, games, results)], run, records, report)[0]


class Entry(Struct, frozen=True):
    """A contest to run, how many games of it, and the file that keeps their results."""

    contest: Contest
    games: int
    results: Path | None = None


def run_contests(
    entries: Sequence[Entry],
    run: Runner = play_here,
    records: Path | None = None,
    report: Callable[[Outcome], object] = lambda outcome: None,
) -> list[list[Outcome]]:
    """The same for several contests, side by side, so that no core waits for the last game of one of them."""
    books = [_Book(entry) for entry in entries]
    of_contest = {id(book.contest): book for book in books}
    for book in books:
        for outcome in book.outcomes.values():
            report(outcome)
    missing = [(book.contest, number) for book in books for number in book.missing()]
    for (contest, _), outcome in run(missing, records) if missing else ():
        of_contest[id(contest)].add(outcome)
        report(outcome)
    return [book.in_order() for book in books]


class _Book:
    """The outcomes of one contest so far."""

    def __init__(self, entry: Entry) -> None:
        self.contest = entry.contest
        self.games = entry.games
        self.contest.check()
        self.file = _Results(entry.results, with_version(entry.contest)) if entry.results is not None else None
        known = self.file.outcomes if self.file else ()
        self.outcomes = {outcome.number: outcome for outcome in known if outcome.number < entry.games}

    def missing(self) -> list[int]:
        return [number for number in range(self.games) if number not in self.outcomes]

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.number] = outcome
        if self.file:
            self.file.add(outcome)

    def in_order(self) -> list[Outcome]:
        return [self.outcomes[number] for number in range(self.games)]


def with_version(contest: Contest) -> Contest:
    """The contest with the version of the bots that play it here."""
    return msgspec.structs.replace(contest, version=bots_version(contest.table()))


def _check_same(path: Path, found: Contest, contest: Contest) -> None:
    """Complain if a file of results belongs to another contest, or to other bots of the same names."""
    if msgspec.structs.replace(found, version=contest.version) != contest:
        raise BadArena(f"The file {str(path)!r} holds the results of another contest.")
    if found.version != contest.version:
        versions = f"{found.version or 'unknown'}; these are {contest.version}"
        raise BadArena(f"The file {str(path)!r} holds the results of bots of another version: {versions}.")


class _Results:
    """The file of a contest's results: the contest on the first line, then a game on each."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        try:
            # What follows the last line break was cut off when the arena was stopped.
            self.outcomes = [msgspec.json.decode(line, type=Outcome) for line in lines[1:-1]]
            if len(lines) > 1:
                _check_same(path, msgspec.json.decode(lines[0], type=Contest), contest)
        except msgspec.DecodeError as error:
            raise BadArena(f"The file {str(path)!r} holds no results of an arena: {error}.") from error
        whole = b"\n".join([*lines[:-1], b""]) if len(lines) > 1 else msgspec.json.encode(contest) + b"\n"
        path.write_bytes(whole)

    def add(self, outcome: Outcome) -> None:
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(outcome) + b"\n")


# What they show.


class Standing(Struct, frozen=True):
    """How one bot did."""

    name: str
    games: int
    wins: float
    win_rate: float
    mean_score: float
    rating: float
    rating_low: float
    rating_high: float
    seconds_per_move: float


class Report(Struct, frozen=True):
    """What a contest showed."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    seed: int
    games: int
    version: str
    """Of the bots."""
    bots: list[Standing]
    """The strongest first."""
    beats: dict[str, dict[str, float]]
    """By bot and other bot: in which part of their games the one came out ahead; a tie is half."""


DIGITS: Final = 4


def report(contest: Contest, outcomes: Sequence[Outcome]) -> Report:
    """Add up a contest."""
    rankings = rankings_of(outcomes)
    ratings = rate(rankings, contest.seed)
    standings = []
    for name, rated in ratings.items():
        at = [(game, seat) for game in outcomes for seat, who in enumerate(game.names) if who == name]
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
                seconds_per_move=round(seconds / max(1, sum(game.moves[seat] for game, seat in at)), 6),
            )
        )
    standings.sort(key=lambda standing: -standing.rating)
    return Report(
        game=contest.game,
        players=contest.players,
        settings=contest.settings,
        seed=contest.seed,
        games=len(outcomes),
        version=bots_version(contest.table()),
        bots=standings,
        beats=_cross_table(rankings),
    )


def rankings_of(outcomes: Iterable[Outcome]) -> list[Ranking]:
    """Who came out ahead of whom in each game; a deal as these players had it, turned round the table, is one."""
    return [
        Ranking(game.number // len(game.names), game.names, ranks_of(game.returns, game.scores)) for game in outcomes
    ]


def _cross_table(rankings: Iterable[Ranking]) -> dict[str, dict[str, float]]:
    met: dict[tuple[str, str], list[float]] = {}
    for game in rankings:
        for name, rank in zip(game.names, game.ranks, strict=True):
            for other, place in zip(game.names, game.ranks, strict=True):
                if other != name:
                    met.setdefault((name, other), []).append(0.5 if rank == place else float(rank < place))
    table: dict[str, dict[str, float]] = {}
    for (name, other), ahead in sorted(met.items()):
        table.setdefault(name, {})[other] = round(sum(ahead) / len(ahead), DIGITS)
    return table
