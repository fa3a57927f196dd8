"""Guided first games: a lesson is data, and one player runs the lessons of every game.

A game has its lessons in `lesson.toml` beside its class. A lesson plays a few moves and draws by itself (`setup`),
then goes from step to step. A step has a text, the pieces to highlight, and the moves it accepts; without moves the
learner only reads. Moves are written in the game's notation. After an accepted move the lesson plays what follows it
(`then`): the replies of the others and the draws. A step with a `setup` leaves the game and begins
in another position.

    [[lessons]]
    name = "first-game"
    title = "Your first game"
    players = 2
    seat = 1
    setup = ["aacb", "bbbb"]

    [[lessons.steps]]
    text = "Lay your tile on D1: it lengthens your line 4."
    highlights = ["cell:D1", "line:4"]
    moves = ["aacb D1"]
    then = ["cccc", "bbbb E1", "dddd"]
    wrong = [
      { move = "aacb A*", text = "There your line would end after two tiles.", always = ["LineFinished"], earns = 2 },
    ]

A text that claims what a move does says so in `always`, `never`, `earns` and `earns_at_end`, which no learner sees:
`lesson_check` plays every move that the text is about and compares the claims with the events of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.core.earnings import Counts, totals
from ludotheque.core.errors import BadLesson
from ludotheque.core.game import Game, State
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import game_class, game_folder
from ludotheque.table import Match
from ludotheque.table.dice import Dice
from ludotheque.table.names import placeholder_names


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The claims of a text about the moves that it is about."""

    always: tuple[str, ...] = ()
    """Events that each of the moves makes happen: a kind, and perhaps a piece of the scene: "LineFinished line:5"."""
    never: tuple[str, ...] = ()
    """Events that none of the moves makes happen."""
    earns: int | None = None
    """The amount that each of the moves earns the learner at once."""
    earns_at_end: int | None = None
    """The amount that it earns the learner if the position stays as it is."""


class WrongMove(Claims, frozen=True, forbid_unknown_fields=True):
    """A typical wrong move, and what the lesson says about it."""

    move: str
    """In the game's notation; `*` matches anything."""
    text: str
    can: tuple[str, ...] = ()
    """Events that some way to end the turn makes happen."""


class LessonStep(Claims, frozen=True, forbid_unknown_fields=True):
    """One step: something to read, and perhaps a move to make. Its claims are about the moves that lead on."""

    text: str
    highlights: tuple[str, ...] = ()
    """Ids of pieces of the scene, or steps of choices; `*` matches anything."""
    moves: tuple[str, ...] = ()
    """The moves that lead on; none where the learner only reads."""
    then: tuple[str, ...] = ()
    """Moves and draws after the learner's move."""
    setup: tuple[str, ...] = ()
    """Moves and draws from the beginning of another game to the position of this step; empty to go on from the last."""
    wrong: tuple[WrongMove, ...] = ()
    section: int = 0
    """The section of the rules that this step shows, counted from 1; 0 for none."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A guided game."""

    name: str
    title: str
    players: int
    seat: int
    """The learner's, counted from 1 as people do."""
    settings: dict[str, Any] = {}
    setup: tuple[str, ...] = ()
    """Moves and draws before the first step."""
    steps: tuple[LessonStep, ...]
    short: bool = False
    """Whether it only adds to another lesson, and may have fewer steps."""
    strategy: bool = False
    """Whether it teaches to play well: a search must clearly prefer the moves of its steps."""
    game: str = ""
    """Its game's name; `lessons` fills it in."""

    def texts(self) -> Iterator[str]:
        """Everything that a learner reads."""
        yield self.title
        for step in self.steps:
            yield step.text
            for wrong in step.wrong:
                yield wrong.text

    def set_up(self) -> Game:
        """The game of the lesson, set up."""
        return game_class(self.game)(self.players, self.settings)


class _File(Struct, forbid_unknown_fields=True):
    lessons: tuple[Lesson, ...]


def lessons(kind: type[Game]) -> tuple[Lesson, ...]:
    """The lessons of a game; empty if there is no `lesson.toml` beside its class."""
    page = game_folder(kind) / "lesson.toml"
    return _read(page, kind.name) if page.is_file() else ()


@lru_cache(maxsize=16)
def _read(page: Path, game: str) -> tuple[Lesson, ...]:
    try:
        found = msgspec.toml.decode(page.read_bytes(), type=_File).lessons
    except msgspec.MsgspecError as error:
        raise BadLesson(f"The lessons of {game} cannot be read: {error}.") from error
    return tuple(msgspec.structs.replace(lesson, game=game) for lesson in found)


def lesson_named(kind: type[Game], name: str = "") -> Lesson:
    """A lesson of a game by its name; the first one if no name is given."""
    found = lessons(kind)
    for lesson in found:
        if name in ("", lesson.name):
            return lesson
    names = ", ".join(lesson.name for lesson in found) or "none"
    raise BadLesson(f"{kind.title} has no lesson {name!r}; its lessons are: {names}.")


# Playing a lesson.


class Answer(Struct, frozen=True):
    """The lesson's answer to a move."""

    is_right: bool
    is_complete: bool
    """Whether the step is done: a move may take several small actions."""
    sentence: Phrase


class LessonRun:
    """A learner's way through a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson: Final = lesson
        self.seat: Final = lesson.seat - 1
        self.step_number = 0
        self._game: Final = lesson.set_up()
        self._history: list[int] = []
        self._state = self._game.new_initial_state()
        self._tried: list[int] = []
        self._before: State = self._state
        """The position at the beginning of the step."""
        self._played = 0
        self._play(lesson.setup)

    @classmethod
    def resume(cls, lesson: Lesson, step: int, actions: Iterable[int]) -> LessonRun:
        """Take up a lesson at a step, after the learner's accepted actions."""
        run = cls(lesson)
        for action in actions:
            run.read_on(len(lesson.steps))
            if run.is_over or not run.play(action).is_right:
                raise BadLesson(phrase("Those moves do not follow the lesson; start it again."))
        run.read_on(step)
        return run

    def copy(self) -> LessonRun:
        """The same way, to be tried further."""
        run = LessonRun(self.lesson)
        run.step_number = self.step_number
        run._history, run._state = list(self._history), self._state
        run._tried, run._before, run._played = list(self._tried), self._before, self._played
        return run

    @property
    def position(self) -> State:
        """The position at the beginning of the step."""
        return self._before

    @property
    def state(self) -> State:
        """The position after the accepted actions of the step."""
        return self._state

    @property
    def tried(self) -> tuple[int, ...]:
        """The accepted actions since then."""
        return tuple(self._tried)

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.step_number]

    @property
    def is_over(self) -> bool:
        """Whether the last step is done."""
        return self.step_number == len(self.lesson.steps)

    @property
    def is_waiting(self) -> bool:
        """Whether the step asks for a move."""
        return not self.is_over and bool(self.step.moves)

    def match(self) -> Match:
        """The game as it stands, to be looked at from the learner's seat."""
        return Match(self._game, self.names(), history=self._history)

    def match_before(self) -> Match:
        """The game as it stood when the step began."""
        return Match(self._game, self.names(), history=self._history[: len(self._history) - len(self._tried)])

    def match_after(self, action: int) -> Match:
        """The game as it would be after one more action."""
        return Match(self._game, self.names(), history=[*self._history, action])

    def playable(self) -> Match:
        """Return the game from here on, with fresh dice."""
        dice = Dice.fresh(since=len(self._history)) if self._game.has_chance else None
        match = Match(self._game, self.names(), dice, self._history)
        match.roll()
        return match

    def read(self, text: str) -> list[int]:
        """The actions that words in the game's notation stand for here."""
        return self._state.string_to_actions(text)

    def history(self) -> tuple[int, ...]:
        """All that was played and drawn so far."""
        return tuple(self._history)

    @property
    def played(self) -> int:
        """The number of actions of the steps so far, without those that set positions up."""
        return self._played

    def names(self) -> list[str]:
        """Return the names of the seats, the learner's too."""
        return placeholder_names(self._game.players)

    def next(self) -> None:
        """Go on from a step that is only read."""
        if self.is_over or self.is_waiting:
            raise BadLesson(phrase("This step asks for a move."))
        self._finish_step()

    def read_on(self, step: int) -> None:
        """Go on to a step, or to the first before it that asks for a move."""
        while self.step_number < step and not self.is_over and not self.is_waiting:
            self._finish_step()

    def play(self, action: int) -> Answer:
        """Try an action: an accepted one is played, any other is answered and changes nothing."""
        if not self.is_waiting:
            raise BadLesson(phrase("This step asks for no move."))
        tried = [*self._tried, action]
        accepted = self.accepted()
        if not any(line[: len(tried)] == tried for line in accepted):
            return Answer(False, False, self._consequence(action))
        self._apply(action)
        self._played += 1
        self._tried = tried
        if tried not in accepted:
            return Answer(True, False, phrase("Right. Go on."))
        self._finish_step()
        return Answer(True, True, phrase("Right."))

    def accepted(self) -> list[list[int]]:
        """The moves of the step, as the actions they are made of."""
        return [self._before.string_to_actions(move) for move in self.step.moves]

    def wrong_actions(self) -> list[int]:
        """The legal actions that do not lead on from here."""
        done = len(self._tried)
        leading = {line[done] for line in self.accepted() if line[:done] == self._tried and len(line) > done}
        return [action for action in self._state.legal_actions() if action not in leading]

    def words(self, action: int) -> str:
        """Write what was tried in this step and an action after it, in the game's notation."""
        state, words = self._before.clone(), []
        for tried in (*self._tried, action):
            words.append(state.action_to_string(tried))
            state.apply(tried)
        return " ".join(words)

    def answer_to(self, action: int) -> WrongMove | None:
        """Return what the step says about a wrong action, if anything."""
        words = self.words(action)
        return next((wrong for wrong in self.step.wrong if fnmatchcase(words, wrong.move)), None)

    def _consequence(self, action: int) -> Phrase:
        """Describe what a wrong action would do: in the lesson's words, else in facts of the engine."""
        if action not in self._state.legal_actions():
            raise BadLesson(phrase("That move is not possible here."))
        if wrong := self.answer_to(action):
            return Phrase(wrong.text)
        done = self._game.describe_decision(self._state, action)
        earned, best = self._earned([action], "now"), self._earned(self._way_on(), "now")
        if earned != best:
            return phrase(
                "{move} It brings you {earned} at once; the move of this step brings {best}.",
                move=done, earned=self._game.amount(earned), best=self._game.amount(best),
            )  # fmt: skip
        earned, best = self._earned([action], "end"), self._earned(self._way_on(), "end")
        if earned != best:
            return phrase(
                "{move} It would bring you {earned} at the end; the move of this step would bring {best}.",
                move=done, earned=self._game.amount(earned), best=self._game.amount(best),
            )  # fmt: skip
        return phrase("{move} That is allowed, but this step shows another move.", move=done)

    def _way_on(self) -> list[int]:
        """Return the rest of the first accepted move that fits what was tried."""
        done = len(self._tried)
        return next(line[done:] for line in self.accepted() if line[:done] == self._tried)

    def _earned(self, actions: Sequence[int], counts: Counts) -> int:
        """Return what actions from here earn the learner: what counts now, or at the end."""
        state, total = self._state, 0
        for action in actions:
            after = state.clone()
            after.apply(action)
            earned = self._game.earnings(state, action, after)
            total += totals(earned, self._game.players, [counts])[self.seat]
            state = after
        return total

    def _finish_step(self) -> None:
        self._played += self._play(self.step.then)
        self.step_number += 1
        if not self.is_over and self.step.setup:
            self._state, self._history = self._game.new_initial_state(), []
            self._play(self.step.setup)
        self._tried = []
        self._before = self._state

    def _play(self, moves: Sequence[str]) -> int:
        """Play moves and draws; return the number of their actions."""
        begun = len(self._history)
        for move in moves:
            for action in self._state.string_to_actions(move):
                self._apply(action)
        self._before = self._state
        return len(self._history) - begun

    def _apply(self, action: int) -> None:
        self._state = self._state.child(action)
        self._history.append(action)
