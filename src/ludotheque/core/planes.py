"""Observations for learners: what one viewer knows of a position, written into words of bits and numbers. Compiled.

A game's `planes.py` says what it writes and where. Seats are rotated: the viewer comes first, then the others
clockwise, so that a learner need not know where it sits. A game without one gets hashed features of its observation,
which are slow to make.
"""

from __future__ import annotations

from typing import Any, Final, SupportsIndex
from zlib import crc32

from librt.vecs import vec
from msgspec import to_builtins
from mypy_extensions import i64, mypyc_attr

from ludotheque.core.bits import BIT
from ludotheque.core.game import Game, State, check_viewer
from ludotheque.core.layout import OFF_BOARD, ActionPlanes, Layout, LayoutBuilder, action_planes

HASH_WORDS: Final = 32
HASH_BITS: Final = 32
"""Bits used of each word."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Planes:
    """A writer of observations; this one hashes everything that a viewer sees into 1,024 bits."""

    game: Game
    layout: Layout
    width: i64
    """Words in an observation."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = self.make_layout()
        self.width = self.layout.words

    def make_layout(self) -> Layout:
        """Say what `observation_into` writes."""
        builder = LayoutBuilder(1, 1)
        builder.bits("seen", HASH_WORDS * HASH_BITS, HASH_WORDS, HASH_BITS)
        return builder.build()

    def observation_into(self, state: State, words: vec[i64], at: i64, viewer: i64) -> None:
        """Write what `viewer` may know, from the word `at` on; every word of the layout is written."""
        clear(words, at, HASH_WORDS)
        for feature in _features("", to_builtins(state.observation(int(viewer)))):
            place = i64(crc32(feature.encode()) % (HASH_WORDS * HASH_BITS))
            words[at + place // HASH_BITS] |= BIT[place % HASH_BITS]

    def action_planes(self) -> ActionPlanes:
        """Return the place of each action in a policy head; here in one row."""
        return action_planes(1, 1, (), [OFF_BOARD] * self.game.num_distinct_actions())

    def words(self, state: State, viewer: SupportsIndex) -> list[int]:
        """The words of one observation, for people and tests."""
        return [int(word) for word in self.packed(state, viewer)]

    def packed(self, state: State, viewer: SupportsIndex) -> vec[i64]:
        """The words of one observation in a new array; `numpy.frombuffer` shows it without copying."""
        seat = check_viewer(viewer, self.game.players)
        found = vec[i64]([0] * self.width)
        self.observation_into(state, found, 0, seat)
        return found


_known: Final[dict[Game, Planes]] = {}
"""The planes of the games that were asked for last: layouts are large and take milliseconds to make."""
_MOST_KNOWN: Final = 16


def planes_of(game: Game) -> Planes:
    """Return the game's writer of observations, or a hashing one if it has none. Equal games share it."""
    planes = _known.get(game)
    if planes is None:
        planes = _planes_of(game)
        if len(_known) >= _MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        _known[game] = planes
    return planes


def _planes_of(game: Game) -> Planes:
    planes = game.planes()
    if planes is None:
        return Planes(game)
    if not isinstance(planes, Planes):
        raise TypeError(f"{type(game).__name__}.planes() must return a ludotheque.Planes or None, not {planes!r}.")
    return planes


def clear(words: vec[i64], at: i64, count: i64) -> None:
    """Write zeros."""
    end = at + count
    while at < end:
        words[at] = 0
        at += 1


def copy_words(source: vec[i64], first: i64, count: i64, words: vec[i64], at: i64) -> None:
    """Copy words of a state, from the word `first` on."""
    i: i64 = 0
    while i < count:
        words[at + i] = source[first + i]
        i += 1


def rotated(seat: i64, viewer: i64, players: i64) -> i64:
    """Return how many places clockwise from the viewer a seat is; a spectator looks from seat 0."""
    if viewer < 0:
        return seat
    seat -= viewer
    return seat if seat >= 0 else seat + players


def seat_bit(seat: i64, viewer: i64, players: i64) -> i64:
    """Return the bit of a rotated seat; 0 for no seat."""
    return BIT[rotated(seat, viewer, players)] if seat >= 0 else 0


def _features(path: str, value: Any) -> list[str]:
    """A text for each fact of an observation: where it stands, and what it says."""
    if isinstance(value, dict):
        return [text for key in value for text in _features(f"{path}.{key}", value[key])]
    if isinstance(value, (list, tuple)):
        return [text for i, item in enumerate(value) for text in _features(f"{path}[{i}]", item)]
    return [f"{path}={value}"]
