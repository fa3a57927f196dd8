"""Observations of Passerelles for learners. Compiled."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import popcount
from ludotheque.core.game import State
from ludotheque.core.layout import OFF_BOARD, ActionPlanes, Layout, LayoutBuilder, action_planes
from ludotheque.core.planes import Planes, clear, copy_words, seat_bit
from ludotheque.games.passerelles.board import (
    BIT_DOWN,
    BITS_OF_HALF,
    COLUMNS,
    HALF,
    KINDS,
    LONGEST,
    NEUTRAL,
    OWNERS,
    ROWS,
    SQUARES,
)
from ludotheque.games.passerelles.rules import BARE, LEVELS, SETS, PasserellesState

KIND_NAMES: Final = ("1", "2 across", "2 down", "3 across", "3 down", "4 across", "4 down", "5 across", "5 down")
HEIGHTS: Final = 15


def _squares() -> list[int]:
    """Row by row: the bit of each square, the south half behind the north one."""
    found: list[int] = []
    for square in range(SQUARES):
        row, column = divmod(square % HALF, COLUMNS)
        found.append(BITS_OF_HALF * (square // HALF) + BIT_DOWN * row + column)
    return found


@final
class PasserellesPlanes(Planes):
    """The sets of squares that the rules keep, the viewer's pieces first; then the areas, supplies and points."""

    def make_layout(self) -> Layout:
        builder = LayoutBuilder(ROWS, COLUMNS)
        names = ["own piece on top", "other's piece on top", "neutral piece on top", "bare"]
        names += ["same piece as to the right", "same piece as below"]
        names += [f"the seat to act may place {kind} here" for kind in KIND_NAMES]
        names += [f"top piece at height {height}" for height in range(HEIGHTS)]
        names += ["own area", "other's area"]
        for name in names:
            builder.plane(name, _squares(), 2, BITS_OF_HALF)
        builder.numbers("pieces left, by owner and length", OWNERS * LONGEST, 5.0)
        builder.numbers("points of rounds before: own, other's", 2, 50.0)
        builder.numbers("points of this round now: own, other's", 2, 50.0)
        builder.numbers("round, rounds", 2, 2.0)
        builder.bits("whose turn", 2)
        builder.bits("neutral pieces are laid, the other just passed", 2)
        return builder.build()

    def action_planes(self) -> ActionPlanes:
        return action_planes(ROWS, COLUMNS, KIND_NAMES, [*range(KINDS * SQUARES), OFF_BOARD])

    def observation_into(self, state: State, words: vec[i64], at: i64, viewer: i64) -> None:
        assert isinstance(state, PasserellesState)
        clear(words, at, self.width)
        own: i64 = 1 if viewer == 1 else 0
        copy_words(state.sets, 2 * own, 2, words, at)
        copy_words(state.sets, 2 * (1 - own), 2, words, at + 2)
        copy_words(state.sets, 2 * NEUTRAL, 2, words, at + 4)
        copy_words(state.sets, BARE, SETS - BARE, words, at + BARE)
        if state.player < 0:
            clear(words, at + BARE + 6, LEVELS - BARE - 6)
        at += SETS
        _write_areas(state, words, at, own)
        _write_numbers(state, words, at + 4, own)
        _write_turn(state, words, at + 4 + OWNERS * LONGEST + 4, viewer)


def _write_areas(state: PasserellesState, words: vec[i64], at: i64, own: i64) -> None:
    """The areas, and behind the supplies and the points of the rounds before what they score."""
    first_north, first_south, second_north, second_south = state.areas()
    words[at + 2 * own] = first_north
    words[at + 2 * own + 1] = first_south
    words[at + 2 - 2 * own] = second_north
    words[at + 3 - 2 * own] = second_south
    points = at + 4 + OWNERS * LONGEST + 2
    words[points + own] = popcount(first_north) + popcount(first_south)
    words[points + 1 - own] = popcount(second_north) + popcount(second_south)


def _write_numbers(state: PasserellesState, words: vec[i64], at: i64, own: i64) -> None:
    length: i64 = 1
    while length <= LONGEST:
        words[at + length - 1] = state.held(own, length)
        words[at + LONGEST + length - 1] = state.held(1 - own, length)
        words[at + 2 * LONGEST + length - 1] = state.held(NEUTRAL, length)
        length += 1
    at += OWNERS * LONGEST
    words[at + own] = state.first_points
    words[at + 1 - own] = state.second_points


def _write_turn(state: PasserellesState, words: vec[i64], at: i64, viewer: i64) -> None:
    words[at] = state.round + 1
    words[at + 1] = state.rounds
    words[at + 2] = seat_bit(state.player, viewer, 2)
    words[at + 3] = (1 if state.laying else 0) + (2 if state.passes > 0 else 0)
