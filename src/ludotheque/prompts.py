"""Games in words, for language models: a prompt for a seat, moves read from answers, and a text environment.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.prompts import TextEnv, prompt, read_answer
    >>> state = load_game("passerelles").new_initial_state()
    >>> print(prompt(state, rules="none"))  # doctest: +ELLIPSIS
    You play Passerelles as seat 1 of 2. Lay straight pieces, flat or as bridges, and enclose more squares than ...
    >>> state.action_to_string(read_answer(state, "I wall in the corner.\\nMove: 5h A1"))
    '5h A1'
    >>> table = TextEnv("passerelles(rounds=1)", opponents="random")
    >>> text = table.reset(seed=7)
    >>> step = table.step("Move: nonsense")
    >>> step.is_refusal, step.is_over
    (True, False)

A prompt holds what its seat may know and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, SupportsIndex

from msgspec import Struct

from ludotheque.bots.opponents import Opponents, opponent_names
from ludotheque.core.errors import BadOption, IllegalMove, MoveError, UnreadableMove
from ludotheque.core.game import Game, State, check_viewer
from ludotheque.core.phrases import short_repr
from ludotheque.core.randoms import Random, check_seed, save_random
from ludotheque.core.registry import load_game, rules_page

__all__ = ["TextEnv", "TextStep", "prompt", "read_answer"]

Rules = Literal["short", "full", "none"]
"""Part of the rules that a prompt holds: the summary and the notation, the whole page, or nothing."""

MOST_WORDS: Final = 60
"""Up to this many legal moves are described in words; more are listed by their notation alone."""
REFUSALS: Final = 3
"""Answers in a row that name no legal move, after which a game is lost."""
_HOW_TO_ANSWER: Final = "Choose a legal move and write it as it is listed, in the last line of your answer: Move: ..."
_SHORT: Final = ("In one minute", "Notation")
_MOVE: Final = re.compile(r"^\W*move\W*:\s*(?P<move>.+)$", re.IGNORECASE | re.MULTILINE)
_MARKS: Final = " \t`*\"'."


def prompt(state: State, seat: SupportsIndex | None = None, *, rules: Rules = "short") -> str:
    """Describe a position to a seat (default: the one to act): rules, position, legal moves, and how to answer."""
    player = int(state.current_player())
    viewer = check_viewer(player if seat is None else seat, state.game.players)
    game = state.game
    parts = [
        f"You play {game.title} as seat {viewer + 1} of {game.players}. {game.sentence}",
        _rules(game, rules),
        f"The position, as you see it:\n\n{state.observation(viewer)}",
        _legal_moves(state) if player == viewer else _waiting(state),
    ]
    return "\n\n".join(part for part in parts if part)


def read_answer(state: State, answer: str) -> int:
    """The legal action that an answer names: after the last `Move:`, or in its last line. A `MoveError` says what is
    wrong with it."""
    found = [match["move"] for match in _MOVE.finditer(answer)]
    lines = found or [line for line in answer.splitlines() if line.strip()]
    if not lines:
        raise UnreadableMove("The answer is empty.")
    return state.string_to_action(lines[-1].strip(_MARKS))


def _rules(game: Game, rules: Rules) -> str:
    if rules not in ("short", "full", "none"):
        raise BadOption(f"The rules of a prompt are short, full or none, not {short_repr(rules)}.")
    if rules == "none":
        return ""
    page = re.sub(r"!\[[^\]]*\]\([^)]*\)\n*", "", rules_page(type(game)))
    if rules == "full":
        return page.strip()
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    chosen = [section.strip() for section in sections if section.partition("\n")[0].strip() in _SHORT]
    return "\n\n".join(f"## {section}" for section in chosen)


def _legal_moves(state: State) -> str:
    legal = state.legal_actions()
    notation = [state.action_to_string(action) for action in legal]
    if len(legal) > MOST_WORDS:
        listed = f"Your legal moves:\n\n{', '.join(notation)}"
    else:
        words = [str(state.game.describe_decision(state, action)) for action in legal]
        rows = [f"- {move}: {text}" for move, text in zip(notation, words, strict=True)]
        listed = "Your legal moves:\n\n" + "\n".join(rows)
    return f"{listed}\n\n{_HOW_TO_ANSWER}"


def _waiting(state: State) -> str:
    if state.is_terminal():
        return "The game is over."
    return "A draw comes next." if state.is_chance_node() else f"It is the turn of seat {state.current_player() + 1}."


class TextStep(Struct, frozen=True):
    """The reply to an answer."""

    text: str
    """The next prompt; why the answer was refused; or how the game ended."""
    reward: float = 0.0
    """The seat's share of the win at the end, 0 before it."""
    is_over: bool = False
    is_refusal: bool = False


class TextEnv:
    """A game in words: one seat answers prompts, bots play the others.

    An answer that names no legal move is refused with a sentence and changes nothing; a few refusals in a row lose the
    game.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int = 0,
        rules: Rules = "short",
        max_refusals: int = REFUSALS,
    ) -> None:
        self.game: Final = load_game(game) if isinstance(game, str) else game
        self.seat: Final = check_viewer(seat, self.game.players)
        self.refusals = 0
        """Answers of this game that were refused."""
        self._names: Final = opponent_names(opponents, self.game)
        self._rules: Final = rules
        self._max_refusals: Final = max_refusals
        self._state: State = self.game.new_initial_state()
        self._others: Opponents | None = None

    def reset(self, seed: int | None = None) -> str:
        """Start a new game; return the first prompt. Without a seed, with draws that no one can foresee."""
        rng = Random() if seed is None else Random(check_seed(seed))
        self.refusals = self._in_a_row = 0
        while True:
            self.close()
            self._others = Opponents(self.game, self._names, self.seat, lambda: save_random(rng))
            self._state = self.game.new_initial_state()
            self._others.play_on(self._state)
            if not self._state.is_terminal():  # a game may end before the seat has acted, if rarely
                return prompt(self._state, self.seat, rules=self._rules)

    def step(self, answer: str) -> TextStep:
        """Play the move that an answer names, and the others' moves until the seat is to act again."""
        if self._others is None or self._state.is_terminal():
            raise IllegalMove("The game is over, or has not begun: call reset.")
        try:
            action = read_answer(self._state, answer)
        except MoveError as error:
            return self._refused(error)
        self._in_a_row = 0
        self._state.apply_action(action)
        self._others.play_on(self._state)
        if not self._state.is_terminal():
            return TextStep(prompt(self._state, self.seat, rules="none"))
        share = self._state.returns()[self.seat]
        return TextStep(f"The game is over. Scores by seat: {self._state.scores()}.", share, is_over=True)

    def _refused(self, error: MoveError) -> TextStep:
        self.refusals += 1
        self._in_a_row += 1
        if self._in_a_row >= self._max_refusals:
            self.close()
            return TextStep(f"{error} The game is lost after {self._in_a_row} refusals.", is_over=True, is_refusal=True)
        return TextStep(f"{error} {_HOW_TO_ANSWER}", is_refusal=True)

    def close(self) -> None:
        """Close the bots."""
        if self._others is not None:
            self._others.close()
            self._others = None
