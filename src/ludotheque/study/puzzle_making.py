"""Make puzzles: let strong bots play, look for positions in which one move is clearly the best, and gather evidence.

The search of the bot that plays is a first look, which drops most positions, and a short search drops most others. Two
long searches from different seeds must then agree by a wide margin on a move that the policy alone would not play.
Searches ten times as long confirm what was found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from time import monotonic
from typing import Any, Final

import msgspec
from librt.random import Random
from msgspec import Struct

from ludotheque.bots.candidate import Candidate
from ludotheque.bots.players import GreedyBot, SearchBot
from ludotheque.bots.pool import added_up
from ludotheque.bots.workers import WorkerPool
from ludotheque.core.game import Game, State
from ludotheque.core.policy import policy_of
from ludotheque.core.registry import game_class
from ludotheque.core.seeds import seed_number
from ludotheque.core.turn import SeenPly, Turn
from ludotheque.study.hints import standard_errors, turn_of
from ludotheque.study.puzzles import Evidence, MoveValue, Puzzle

MARGIN: Final = 0.08
"""The best move gives this much more of the win than the next best, in both searches."""
MIN_BEST_VISITS: Final = 0.5
"""The best move takes at least this part of the visits, in both searches."""
MIN_LEGAL_MOVES: Final = 3
MIN_COMPARED_VISITS: Final = 0.004
"""A move that took a smaller part of the visits was hardly looked at: its value is not compared."""
DECIDED: Final = 0.97
"""A game that the best move wins almost surely is no puzzle."""
SLACK: Final = 0.5
"""The first look, by a search that is short, asks for this part of the margin and of the visits."""
SCREEN_DIVISOR: Final = 10
"""A short search takes the simulations of a long one divided by this."""
PUZZLES_PER_GAME: Final = 2
"""The most puzzles that are taken from one game of bots."""
FOUND_PER_WANTED: Final = 2
"""Puzzles to find for each one wanted, to choose among themes."""
FINDERS: Final = (40, 200, 1000)
"""Simulations of the short searches that say how hard a puzzle is."""
FINDER_SEEDS: Final = (1, 2, 3, 4)
"""Seeds of each of them."""
LINE_LENGTH: Final = 6
"""Decisions to keep after the best move."""


# Judging a position.


class SearchResult(Struct, frozen=True):
    """The result of one search of a position."""

    best: int
    margin: float
    candidates: list[Candidate]


def look(state: State, seat: int, simulations: int, seed: int) -> SearchResult:
    """Search a position."""
    return compared(SearchBot(state.game, seed, simulations=simulations).think(Turn(state, seat)), simulations, seat)


def compared(found: list[Candidate], simulations: int, seat: int) -> SearchResult:
    """Compare the moves of a search: the best is the most visited, and its margin is over the next best by value."""
    best, *others = found
    seen = [move.returns[seat] for move in others if move.visits >= MIN_COMPARED_VISITS * simulations]
    return SearchResult(best.action, best.returns[seat] - max(seen) if seen else 0.0, found)


def choice(state: State, seat: int, simulations: int, seed: int) -> int:
    """The best move of `look`, without values: the search stops once its choice cannot change any more."""
    return SearchBot(state.game, seed, simulations=simulations).choose(Turn(state, seat))


def is_clear(result: SearchResult, simulations: int, seat: int, slack: float = 1.0) -> bool:
    """Whether one move is clearly the best, and the game is not as good as decided."""
    best = result.candidates[0]
    sure = best.is_exact or best.visits >= slack * MIN_BEST_VISITS * simulations
    return sure and result.margin >= slack * MARGIN and best.returns[seat] < DECIDED


def policy_choice(state: State, seat: int) -> int:
    """Return the choice of the game's policy alone."""
    weights = policy_of(state.game).weigh(state.resample_from_infostate(seat, Random(1)))
    return max(weights, key=lambda action: (weights[action], -action))


def judge_position(
    history: Sequence[int], state: State, simulations: int, seed: int, id: str, themes: Collection[str] = ()
) -> Puzzle | None:
    """The puzzle in a position, of some of these themes if there are any; nothing if there is none."""
    seat = int(state.current_player())
    screen = look(state, seat, simulations // SCREEN_DIVISOR, seed)
    if not is_promising(state, seat, screen, themes):
        return None
    return _search_twice(history, state, simulations, (seed_number(id, 1), seed_number(id, 2)), id)


def is_promising(
    state: State, seat: int, result: SearchResult, themes: Collection[str] = (), slack: float = 1.0
) -> bool:
    """Whether a short search finds one move clearly the best, not the policy's, of some of these themes if there are
    any."""
    if len(state.legal_actions()) < MIN_LEGAL_MOVES or result.best == policy_choice(state, seat):
        return False
    # A bot's tree may know the position from before: its visits count, not the simulations of this move.
    visits = sum(move.visits for move in result.candidates)
    return is_clear(result, visits, seat, slack) and (not themes or not set(themes).isdisjoint(_themes(state, result)))


def judge_again(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle as the searches and the policy see it now, with the same budgets and seeds; nothing if no move is
    clearly the best any more. What a longer search confirmed must be confirmed anew if the best move has changed."""
    evidence = puzzle.evidence
    found = _search_twice(puzzle.history, puzzle.state(), evidence.simulations, evidence.seeds, puzzle.id)
    if found is None:
        return None
    confirmed = evidence.confirmed if found.best == puzzle.best else None
    new_evidence = msgspec.structs.replace(found.evidence, confirmed=confirmed)
    return msgspec.structs.replace(found, evidence=new_evidence, game=puzzle.game)


def _search_twice(
    history: Sequence[int], state: State, simulations: int, seeds: tuple[int, int], id: str
) -> Puzzle | None:
    """The puzzle in a position if two long searches agree on a move that the policy alone would not play."""
    seat = int(state.current_player())
    policy = policy_choice(state, seat)
    first = look(state, seat, simulations, seeds[0])
    if first.best == policy or not is_clear(first, simulations, seat):
        return None
    second = look(state, seat, simulations, seeds[1])
    if first.best != second.best or not is_clear(second, simulations, seat):
        return None
    margins = (round(first.margin, 4), round(second.margin, 4))
    evidence = Evidence(simulations, seeds, margins, policy, finders=finders(state, seat, first.best))
    return _puzzle(history, state, first, second, evidence, id)


def finders(state: State, seat: int, best: int) -> int:
    """Count the short searches that find the best move."""
    return sum(choice(state, seat, budget, seed) == best for budget in FINDERS for seed in FINDER_SEEDS)


def graded(puzzle: Puzzle) -> Puzzle:
    """The puzzle, with how many short searches find its best move."""
    found = finders(puzzle.state(), puzzle.seat, puzzle.best)
    return msgspec.structs.replace(puzzle, evidence=msgspec.structs.replace(puzzle.evidence, finders=found))


def _puzzle(
    history: Sequence[int], state: State, first: SearchResult, second: SearchResult, evidence: Evidence, id: str
) -> Puzzle:
    game, seat = state.game, int(state.current_player())
    return Puzzle(
        id=id,
        players=game.players,
        settings={option.name: game.settings[option.name] for option in game.changed_options()},
        history=tuple(history),
        seat=seat,
        best=first.best,
        themes=tuple(_themes(state, first)),
        values=tuple(_values(first, second, seat)),
        line=tuple(first.candidates[0].line[:LINE_LENGTH]),
        evidence=evidence,
    )


def _themes(state: State, result: SearchResult) -> list[str]:
    """Name the themes of the best move and its expected continuation in the same turn."""
    turn = turn_of(state, [result.best, *result.candidates[0].line[:LINE_LENGTH]])
    return [str(theme) for theme in state.game.themes(state, turn)]


def _values(first: SearchResult, second: SearchResult, seat: int) -> Iterator[MoveValue]:
    """The moves of both searches, by visits: the best first."""
    searches = [first.candidates, second.candidates]
    for move in added_up(searches):
        error, score_error = standard_errors(seat, move, searches)
        shares, scores = (tuple(round(value, 3) for value in values) for values in (move.returns, move.scores))
        yield MoveValue(move.action, move.visits, shares, scores, round(error, 4), round(score_error, 2), move.is_exact)


# Making them.


class Order(Struct, frozen=True):
    """A task for a process: the puzzles of one game of bots."""

    game: str
    players: int
    settings: dict[str, Any]
    number: int
    simulations: int
    bot_simulations: int
    """Simulations for each move of the bots that play."""
    seconds: float
    """The time after which no further position is examined."""
    themes: tuple[str, ...] = ()
    """Themes of the puzzles wanted; all if empty."""
    skipped: int = 0
    """Plies of the game that a bot without search plays, before bots that search go on and puzzles are looked for."""


def game_of_puzzles(order: Order) -> list[Puzzle]:
    """Play one game of strong bots and look for puzzles in it."""
    ends = monotonic() + order.seconds
    game = game_class(order.game)(order.players, order.settings)
    seed = seed_number(order.game, order.players, sorted(order.settings.items()), order.number)
    bots = [SearchBot(game, seed + seat, simulations=order.bot_simulations) for seat in range(game.players)]
    opener = GreedyBot(game, seed)
    rng = Random(seed)
    events = list[SeenPly]()
    state, history, found = game.new_initial_state(), list[int](), list[Puzzle]()
    while not state.is_terminal() and len(found) < PUZZLES_PER_GAME and monotonic() < ends:
        seat = int(state.current_player())
        if state.is_chance_node() or len(state.legal_actions()) == 1:
            action = int(state.sample(rng))
        elif len(history) < order.skipped:
            action = opener.choose(Turn(state, seat))
        else:
            first_look = compared(bots[seat].think(Turn(state, seat, events)), order.bot_simulations, seat)
            action = first_look.best
            if is_promising(state, seat, first_look, order.themes, SLACK):
                id = f"{seed_number(seed, len(history)) % 16**8:08x}"
                if puzzle := judge_position(history, state, order.simulations, seed, id, order.themes):
                    found.append(puzzle)
        # A search uses the plies before it only where nothing is hidden.
        events.append((seat, None if game.has_hidden_information else action))
        state.apply(action)
        history.append(action)
    return found


def make_puzzles(
    game: Game,
    *,
    count: int,
    simulations: int,
    bot_simulations: int,
    seconds: float,
    jobs: int,
    first: int = 0,
    themes: Sequence[str] = (),
    skipped: int = 0,
) -> list[Puzzle]:
    """Puzzles from games of bots, numbered from `first`, in parallel processes, until there are enough or the time is
    over; of all themes or only of the given ones; after the first `skipped` plies of each game, which a bot without
    search plays."""
    ends = monotonic() + seconds
    order = Order(
        game=game.name,
        players=game.players,
        settings=dict(game.settings),
        number=first,
        simulations=simulations,
        bot_simulations=bot_simulations,
        seconds=seconds,
        themes=tuple(themes),
        skipped=skipped,
    )
    found: list[Puzzle] = []
    with WorkerPool(jobs) as workers:
        tasks = {workers.submit(game_of_puzzles, _numbered(order, first + n, seconds)) for n in range(jobs)}
        number = first + jobs
        while tasks:
            done, tasks = wait(tasks, return_when=FIRST_COMPLETED)
            for task in done:
                found += task.result()
                if (left := ends - monotonic()) > 0 and len(found) < FOUND_PER_WANTED * count:
                    tasks.add(workers.submit(game_of_puzzles, _numbered(order, number, left)))
                    number += 1
    return [msgspec.structs.replace(puzzle, game=game.name) for puzzle in balanced(found, count)]


def _numbered(order: Order, number: int, seconds: float) -> Order:
    """The same order for the next game of bots."""
    return msgspec.structs.replace(order, number=number, seconds=seconds)


def balanced(found: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Choose `count` of the puzzles, taking the themes in turn; of each theme those of the widest margin."""
    by_theme: dict[tuple[str, ...], list[Puzzle]] = {}
    for puzzle in sorted(found, key=lambda puzzle: (-min(puzzle.evidence.margins), puzzle.id)):
        by_theme.setdefault(puzzle.themes, []).append(puzzle)
    chosen: list[Puzzle] = []
    for rank in range(len(found)):
        chosen += [puzzles[rank] for puzzles in by_theme.values() if rank < len(puzzles)]
    return chosen[:count]


def confirm(puzzle: Puzzle, times: int = 10) -> Puzzle:
    """The puzzle, with whether a search `times` as long finds the same move."""
    simulations = times * puzzle.evidence.simulations
    found = choice(puzzle.state(), puzzle.seat, simulations, seed_number(puzzle.id, "confirm"))
    evidence = msgspec.structs.replace(puzzle.evidence, confirmed=found == puzzle.best)
    return msgspec.structs.replace(puzzle, evidence=evidence)


def judge_puzzles_again(puzzles: Sequence[Puzzle], *, jobs: int) -> list[Puzzle]:
    """The puzzles that are still puzzles, searched again."""
    with WorkerPool(jobs) as workers:
        return [puzzle for puzzle in workers.map(judge_again, puzzles) if puzzle]


def confirm_puzzles(puzzles: Sequence[Puzzle], *, seconds: float, jobs: int) -> list[Puzzle]:
    """The puzzles, each confirmed or refuted by a longer search, as far as the time goes."""
    with WorkerPool(jobs) as workers:
        tasks = [workers.submit(confirm, puzzle) for puzzle in puzzles]
        done, late = wait(tasks, timeout=seconds)
        for task in late:
            task.cancel()
        return [task.result() if task in done else puzzle for task, puzzle in zip(tasks, puzzles, strict=True)]
