"""Styles: ways to play at the same level, as people differ.

A level that slips draws one of the moves that look nearly as good as the best. A style makes some of these likelier, by
how the turn ends: by the points in hand, by what they may become, and by what the best rival can expect. It tries no
move that its level would not. The styles of a game are in its `bots.toml`; a game without any offers none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from librt.vecs import vec
from msgspec import Struct

from ludotheque.bots.tuning import Style, styles
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game, State
from ludotheque.core.policy import LONGEST_TURN, Policy

STYLED_LEVELS: Final = (2, 3, 4)
"""Levels that have styles: a beginner has none yet, and a strong player does what the position asks for."""
LEAST_LIKELY: Final = -12.0
"""Doublings below which an action is too unlikely to be worth a look."""


class TurnEnd(Struct, frozen=True):
    """The position that a turn leaves behind, in points."""

    points: float
    """The score of the seat."""
    prospects: float
    """The score that the seat can expect to end with."""
    rival: float
    """The same for the best of the others."""


def style_named(name: str, game: Game) -> Style:
    """The style of that name; `NoSuchBot` if this table has none."""
    offered = styles(game)
    found = next((style for style in offered if style.name == name), None)
    if found is None:
        names = ", ".join(style.name for style in offered)
        known = f"the styles are: {names}" if names else "it has no styles"
        raise NoSuchBot(f"{game.title} has no style {name[:40]!r}; {known}.")
    return found


def lean(style: Style, policy: Policy, state: State, doublings: Mapping[int, float]) -> dict[int, float]:
    """Change how likely actions are, in doublings, by the weights of a style: times how much an action has of a thing,
    from 0 for the action with least to 1 for the one with most. Actions that are hardly likely are dropped."""
    likely = {action: before for action, before in doublings.items() if before > LEAST_LIKELY}
    ends = [turn_end(policy, state, action) for action in likely]
    points = _parts([end.points for end in ends])
    prospects = _parts([end.prospects for end in ends])
    rival = _parts([end.rival for end in ends])
    return {
        action: before + style.points * points[place] + style.prospects * prospects[place] + style.rival * rival[place]
        for place, (action, before) in enumerate(likely.items())
    }


def turn_end(policy: Policy, state: State, action: int) -> TurnEnd:
    """Judge the end of the turn that an action begins, if it goes on as the lookahead likes best."""
    seat = int(state.current_player())
    after = state.clone()
    after.apply(action)
    for _ in range(LONGEST_TURN):
        if policy.is_turn_over(after, seat):
            break
        values = policy.turn_values(after)
        after.apply(max(values, key=values.__getitem__))
    policy.resolve_auction(after)
    return _judge(policy, after, seat)


def _judge(policy: Policy, state: State, seat: int) -> TurnEnd:
    scores = state.scores()
    outlook = vec[float]([float(score) for score in scores])
    if not state.is_terminal():
        policy.estimate_scores_into(state, outlook)
    others = (float(expected) for other, expected in enumerate(outlook) if other != seat)
    return TurnEnd(float(scores[seat]), float(outlook[seat]), max(others, default=0.0))


def _parts(amounts: Sequence[float]) -> list[float]:
    """Scale amounts from the least, 0, to the most, 1; all 0 if they are alike."""
    least, most = min(amounts), max(amounts)
    return [(amount - least) / (most - least) if most > least else 0.0 for amount in amounts]
