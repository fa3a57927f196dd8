"""Moves with what to expect of them and why, in a reader's language: hints at the table and solutions of puzzles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ludotheque.core.choices import Choice
from ludotheque.core.game import State
from ludotheque.core.ghosts import expected_ghost
from ludotheque.core.scene import Renderer
from ludotheque.show.scenes import RenderedGhost, RenderedPicture, drawn_parts, render_ghost
from ludotheque.study.hints import Hint


class HintMove(Struct, frozen=True, kw_only=True):
    """One of the moves that a bot would consider, and what to expect of it."""

    action: int
    keys: tuple[str, ...]
    """The choices that lead to it."""
    words: str
    drawn: tuple[str | RenderedPicture, ...]
    """The words with pictures in place of some of them; empty without any."""
    share: float
    """The share of the win to expect."""
    margin: float
    """The margin of error of that; 0 where best play was worked out."""
    result: str
    """The final score to expect, in the game's unit."""
    result_margin: float
    """The same for the final score."""
    exact: bool
    """Whether best play was worked out, to the end of the game or of the round."""
    certain: bool
    """Whether it was worked out to the end of the game."""
    reason: str
    ghost: RenderedGhost


def render_hint(
    move: Hint, seat: int, choices: tuple[Choice, ...], positions: Sequence[State], render: Renderer
) -> HintMove:
    """A hint in words, drawn as far as the positions agree that the seat cannot tell from the true one."""
    game = positions[0].game
    words = render(move.words)
    described = game.describe_decision(positions[0], move.action)
    return HintMove(
        action=move.action,
        keys=tuple(node.step.key for node in path_to(choices, move.action)),
        words=words,
        drawn=tuple(drawn_parts(described, words, render)),
        share=move.returns[seat],
        margin=move.margin,
        result=render(game.amount(round(move.scores[seat]))),
        result_margin=move.score_margin,
        exact=move.exact,
        certain=move.certain,
        reason=render(move.reason),
        ghost=render_ghost(expected_ghost(positions, move.action, seat), render),
    )


def path_to(choices: tuple[Choice, ...], action: int) -> tuple[Choice, ...]:
    """The path of choices that leads to an action."""
    for node in choices:
        if node.action == action:
            return (node,)
        rest = path_to(node.children, action)
        if rest:
            return (node, *rest)
    return ()
