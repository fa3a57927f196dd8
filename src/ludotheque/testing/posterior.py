"""Exact beliefs: the positions that a viewer cannot tell from the true one, with their probabilities.

A belief follows a game move by move: every possible position is carried along with the same moves and with every draw,
and those that would look different to the viewer are dropped. As long as it is small, resampling can be compared with
it: it must give possible positions only, and each as often as it is likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Final

import msgspec
from librt.random import Random

from ludotheque.core.game import CHANCE, Game, State

MOST_POSITIONS: Final = 100
"""A belief of more positions is given up."""
SAMPLES: Final = 300
LEAST_EXPECTED: Final = 10.0
"""Samples that a class of the comparison should expect; rarer positions are counted together."""
UNLIKELY: Final = 6.0
"""Standard deviations beyond which frequencies are no chance: once in a thousand million comparisons."""


class Belief:
    """The positions that are possible for all a viewer knows, by their text, and their probabilities."""

    def __init__(self, game: Game, viewer: int, start: State) -> None:
        self.viewer: Final = viewer
        self._game: Final = game
        self._weights: dict[str, float] = {start.position(): 1.0}
        self._ruled_out: set[str] = set()
        """Some positions that looked different once, carried along too: if one of them looks the same later, the game's
        observations forget what a viewer has seen, and the belief knows more than resampling can."""

    @property
    def is_small(self) -> bool:
        """Whether the belief is still followed."""
        return bool(self._weights)

    def follow(self, before: State, action: int, after: State) -> None:
        """Carry the belief along with an action or draw of the true game."""
        seen = _seen(after, self.viewer)
        known = self._game.sees(before, action, self.viewer)
        drawn = before.current_player() == CHANCE
        weights: dict[str, float] = {}
        ruled_out: set[str] = set()
        for text, weight in self._weights.items():
            state = self._game.read_position(text)
            for outcome, chance in _possible(state, action, drawn, known).items():
                child = state.child(outcome)
                position = child.position()
                if _seen(child, self.viewer) == seen and (outcome == action or not known):
                    weights[position] = weights.get(position, 0.0) + weight * chance
                elif len(ruled_out) < MOST_POSITIONS:
                    ruled_out.add(position)
        forgets = self._carry_along(action, drawn, known, seen, ruled_out)
        given_up = forgets or len(weights) > MOST_POSITIONS
        total = sum(weights.values())
        self._weights = {} if given_up else {position: weight / total for position, weight in weights.items()}
        self._ruled_out = ruled_out

    def _carry_along(self, action: int, drawn: bool, known: bool, seen: bytes, ruled_out: set[str]) -> bool:
        """Add what positions that were ruled out have become; return whether one now looks like the true one."""
        for text in self._ruled_out:
            state = self._game.read_position(text)
            for outcome in _possible(state, action, drawn, known):
                child = state.child(outcome)
                if _seen(child, self.viewer) == seen:
                    return True
                if len(ruled_out) < MOST_POSITIONS:
                    ruled_out.add(child.position())
        return False

    def complaint(self, state: State, rng: Random) -> str:
        """The way in which resampling disagrees with the belief; empty if it does not."""
        drawn = Counter(state.resample_from_infostate(self.viewer, rng).position() for _ in range(SAMPLES))
        for position in drawn:
            if position not in self._weights:
                return f"resampling for viewer {self.viewer} gives a position that is impossible: {position}"
        surprise = _surprise(self._weights, drawn)
        if surprise > UNLIKELY:
            return (
                f"resampling for viewer {self.viewer} gives positions more or less often than they are likely: "
                f"{surprise:.0f} standard deviations off in {SAMPLES} samples of {len(self._weights)} positions"
            )
        return ""


def _possible(state: State, action: int, drawn: bool, known: bool) -> Mapping[int, float]:
    """The actions that may have happened in a possible position, and their probabilities: any draw; of decisions the
    true one or, if it was secret, any."""
    if drawn != state.is_chance_node():
        return {}
    if drawn:
        return dict(state.chance_outcomes())
    if not known:  # a secret decision: no choice is likelier than another
        return dict.fromkeys(state.legal_actions(), 1.0)
    return {action: 1.0} if state.is_legal(action) else {}


def _surprise(weights: Mapping[str, float], drawn: Mapping[str, int]) -> float:
    """The distance of frequencies from probabilities, in standard deviations: Pearson's test, as a normal variable."""
    classes: list[tuple[float, int]] = []
    expected, found = 0.0, 0
    for position in sorted(weights, key=lambda position: (weights[position], position)):
        expected += SAMPLES * weights[position]
        found += drawn.get(position, 0)
        if expected >= LEAST_EXPECTED:
            classes.append((expected, found))
            expected, found = 0.0, 0
    if expected and classes:  # what is left is likelier than the rest: it joins the class before it
        last = classes.pop()
        classes.append((last[0] + expected, last[1] + found))
    freedom = len(classes) - 1
    if freedom < 1:
        return 0.0
    statistic = sum((found - expected) ** 2 / expected for expected, found in classes)
    spread = 2 / (9 * freedom)  # Wilson and Hilferty: its cube root is nearly normal
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def _seen(state: State, viewer: int) -> bytes:
    return msgspec.json.encode(state.observation(viewer))
