"""Puzzles: positions from games of strong bots in which one move is clearly the best.

A puzzle carries its evidence. Two long searches from different seeds agree on the best move, both by a wide margin, and
the game's policy alone would have played another one. What is hidden stays hidden: searches deal anew what the seat
cannot see, so the best move is the best over all that the seat cannot know.

A game's puzzles lie in `puzzles.json` beside its class. A puzzle holds the whole history of its game, so that it can be
shown as at a table and played on.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.bots.candidate import Candidate
from ludotheque.core.errors import BadPuzzle
from ludotheque.core.game import Game, State
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import game_class, game_folder
from ludotheque.study.better_line import fixed_dice, played_on
from ludotheque.study.hints import Hint, explain, settled
from ludotheque.table import Match
from ludotheque.table.dice import Dice
from ludotheque.table.names import placeholder_names


class MoveValue(Struct, frozen=True, array_like=True):
    """The findings of the searches about one move."""

    action: int
    visits: int
    shares: tuple[float, ...]
    """Expected shares of the win by seat."""
    scores: tuple[float, ...]
    """Expected final scores by seat."""
    error: float
    """Margin of error of the share of the seat to move: the standard error of the two searches."""
    score_error: float
    """The same for its final score."""
    exact: bool
    """Whether best play was worked out, to the end of the game or of the round."""


class Evidence(Struct, frozen=True):
    """The evidence that a move is the best."""

    simulations: int
    """Simulations of each of the two searches."""
    seeds: tuple[int, int]
    margins: tuple[float, float]
    """Advantage of the best move over the next best, in shares of the win, by search."""
    policy: int
    """The choice of the policy alone."""
    confirmed: bool | None = None
    """Whether a search ten times as long found the same move; nothing where none was made."""
    finders: int = 0
    """Short searches that find the move, of those that `puzzle_making` tries; the fewer, the harder."""


class Puzzle(Struct, frozen=True, kw_only=True):
    """A position, the best move, and why we know."""

    id: str
    players: int
    settings: dict[str, Any] = {}
    history: tuple[int, ...]
    """All that was played and drawn before."""
    seat: int
    best: int
    themes: tuple[str, ...]
    values: tuple[MoveValue, ...]
    """The moves that were looked at, the best first."""
    line: tuple[int, ...] = ()
    """A possible continuation after the best move."""
    evidence: Evidence
    game: str = ""
    """Its game's name; `puzzles` fills it in."""

    def state(self) -> State:
        """The position, with everything in it."""
        state = game_class(self.game)(self.players, self.settings).new_initial_state()
        for action in self.history:
            state.apply(action)
        return state

    def match(self, names: Sequence[str] | None = None) -> Match:
        """The game so far, to be looked at from the seat of the puzzle."""
        return Match(
            game_class(self.game)(self.players, self.settings),
            names or placeholder_names(self.players),
            history=self.history,
        )

    def playable(self, actions: Sequence[int] = ()) -> Match:
        """Return the game from here on, with fresh dice."""
        game = game_class(self.game)(self.players, self.settings)
        history = [*self.history, *actions]
        dice = Dice.fresh(since=len(history)) if game.has_chance else None
        match = Match(game, placeholder_names(self.players), dice, history)
        match.roll()
        return match

    @property
    def variant(self) -> str:
        """The name of the variant that is played; empty for the game itself."""
        found = (each.name for each in game_class(self.game).variants if each.describes(self.settings))
        return next(found, "")

    def value_of(self, action: int) -> MoveValue | None:
        """Return what is known of a move; None if the searches gave it no time."""
        return next((value for value in self.values if value.action == action), None)


def has_puzzles(kind: type[Game], variant: str = "") -> bool:
    """Whether a game has puzzles, or one of its variants."""
    return bool(puzzles_of(kind, variant))


def puzzles_of(kind: type[Game], variant: str = "") -> tuple[Puzzle, ...]:
    """The puzzles of a variant of that name; without a name those of the game itself."""
    page = _page(kind)
    return _by_variant(page, kind.name).get(variant, ()) if page.is_file() else ()


def puzzle_variants(kind: type[Game]) -> tuple[str, ...]:
    """The names of the variants that have puzzles; that of the game itself is empty, and first."""
    return tuple(name for name in ("", *(each.name for each in kind.variants)) if has_puzzles(kind, name))


def _page(kind: type[Game]) -> Path:
    return game_folder(kind) / "puzzles.json"


def puzzles(kind: type[Game]) -> tuple[Puzzle, ...]:
    """The puzzles of a game and its variants; empty if there is no `puzzles.json` beside its class."""
    page = _page(kind)
    return _read(page, kind.name) if page.is_file() else ()


@lru_cache(maxsize=16)
def _read(page: Path, game: str) -> tuple[Puzzle, ...]:
    try:
        found = msgspec.json.decode(page.read_bytes(), type=tuple[Puzzle, ...])
    except msgspec.MsgspecError as error:
        raise BadPuzzle(f"The puzzles of {game} cannot be read: {error}.") from error
    return tuple(msgspec.structs.replace(puzzle, game=game) for puzzle in found)


@lru_cache(maxsize=16)
def _by_variant(page: Path, game: str) -> dict[str, tuple[Puzzle, ...]]:
    """The puzzles of a page by variant, found once: the lobby asks for each visitor."""
    found: dict[str, tuple[Puzzle, ...]] = {}
    for puzzle in _read(page, game):
        found[puzzle.variant] = (*found.get(puzzle.variant, ()), puzzle)
    return found


def puzzle_named(kind: type[Game], id: str) -> Puzzle:
    """The puzzle of that id."""
    for puzzle in puzzles(kind):
        if puzzle.id == id:
            return puzzle
    raise BadPuzzle(phrase("There is no such puzzle."))


def today() -> date:
    """Return the day by which puzzles are chosen, the same for all visitors."""
    return datetime.now(UTC).date()


def puzzle_of_day(kind: type[Game], day: date, variant: str = "") -> Puzzle:
    """Return the puzzle of a day, of a game or of one of its variants: the same for all players, each once before any
    comes again."""
    found = puzzles_of(kind, variant)
    if not found:
        raise BadPuzzle(phrase("This game has no puzzles."))
    return found[day.toordinal() % len(found)]


def puzzles_of_day(kind: type[Game], day: date) -> set[str]:
    """The ids of the puzzles of a day, of a game and of its variants."""
    return {puzzle_of_day(kind, day, variant).id for variant in puzzle_variants(kind)}


# Difficulty.


class Grade(Struct, frozen=True):
    """The difficulty of a puzzle among those of its game."""

    difficulty: int
    """From 0, easy, to 2, hard: each has a third of the puzzles."""
    rating: int
    """On the scale of chess ratings, to begin with."""


DIFFICULTIES: Final = (phrase("Easy"), phrase("Medium"), phrase("Hard"))
EASIEST: Final = 800
HARDEST: Final = 2000


def grades(kind: type[Game]) -> dict[str, Grade]:
    """Grade the puzzles of a game by id. One that short searches miss is hard; of two that as many find, the one whose
    best move stands out less."""
    ranked = sorted(puzzles(kind), key=lambda puzzle: (-puzzle.evidence.finders, -min(puzzle.evidence.margins)))
    step = (HARDEST - EASIEST) / max(1, len(ranked) - 1)
    return {
        puzzle.id: Grade(len(DIFFICULTIES) * rank // len(ranked), round(EASIEST + step * rank))
        for rank, puzzle in enumerate(ranked)
    }


# The question.


def stake(puzzle: Puzzle) -> Phrase:
    """Say how much the move decides, and not which it is."""
    best, *others = [each.returns[puzzle.seat] for each in settled(puzzle.state(), _candidates(puzzle))]
    return phrase(
        "At stake: from here the best move wins {best} of 100 games, any other at most {rest}.",
        best=round(100 * best),
        rest=round(100 * max(others)),
    )


# Answers.


def refutation(game: str, id: str, tried: int) -> tuple[int, ...]:
    """Return a likely course after a move, draws included: a bot plays for all until it is the seat's turn again."""
    puzzle = puzzle_named(game_class(game), id)
    before = puzzle.match()
    dice = fixed_dice() if before.game.has_chance else None
    line = Match(before.game, before.names, dice, [*puzzle.history, tried])
    line.roll()
    return played_on(line, len(puzzle.history), puzzle.players)


def solution(puzzle: Puzzle, tried: int) -> list[Hint]:
    """The best move, explained like a hint from the stored values, and the tried one as far as the searches looked at
    it; where that is the best, the next best."""
    best, *others = puzzle.values
    second = puzzle.value_of(tried) if tried != puzzle.best else next(iter(others), None)
    return [_hint(puzzle, value) for value in (best, second) if value]


def _hint(puzzle: Puzzle, value: MoveValue) -> Hint:
    position = puzzle.state()
    found = settled(position, _candidates(puzzle))
    move = next(move for move in found if move.action == value.action)
    return explain(position, puzzle.seat, move, found, value.error, value.score_error)


def _candidates(puzzle: Puzzle) -> list[Candidate]:
    return [_candidate(puzzle, value) for value in puzzle.values]


def _candidate(puzzle: Puzzle, value: MoveValue) -> Candidate:
    """A move as a search reports it; what may follow is stored for the best one alone."""
    line = puzzle.line if value.action == puzzle.best else ()
    return Candidate(value.action, value.visits, value.shares, value.scores, line, value.exact)
