"""Meaning of the words that `Planes.observation_into` writes, and places of actions in a policy head.

Words are native integers. A *plane* is a grid of bits over the board; a *field* is a row of bits, or of whole numbers
with a word each. Bit `b` of word `w` has the place `64 * w + b`, which is where `numpy.unpackbits` finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

WORD: Final = 64
"""Places of a word, as `numpy.unpackbits` counts them; the highest two are never used."""
OFF_BOARD: Final = -1
"""The place of a square that is not on the board: always 0."""


class Plane(Struct, frozen=True):
    """A grid of bits over the board."""

    name: str
    places: tuple[int, ...]
    """Row by row: the place of each square's bit, or `OFF_BOARD`."""


class Field(Struct, frozen=True):
    """A row of bits, or of numbers."""

    name: str
    places: tuple[int, ...]
    """The place of each bit; of numbers, each one's word."""
    scale: float = 0.0
    """Divisor of the numbers, so that most lie between 0 and 1. 0 for bits."""


class Layout(Struct, frozen=True, dict=True):
    """All planes and fields of a game's observations."""

    words: int
    """Words in an observation."""
    height: int
    width: int
    planes: tuple[Plane, ...]
    fields: tuple[Field, ...]

    @cached_property
    def plane_places(self) -> list[int]:
        """Plane by plane, row by row: the place of each bit."""
        return [place for plane in self.planes for place in plane.places]

    @cached_property
    def features(self) -> int:
        """Number of values, numbers and bits, of all fields together."""
        return sum([len(field.places) for field in self.fields])


class ActionPlanes(Struct, frozen=True):
    """The place of each action in a policy head: planes over the board first, then a row of all other actions."""

    height: int
    width: int
    planes: tuple[str, ...]
    index: tuple[int, ...]
    """Places in the head by action; no two are equal."""

    @property
    def size(self) -> int:
        """Number of places in the head."""
        return max((len(self.planes) * self.height * self.width, *(place + 1 for place in self.index)))


def action_planes(height: int, width: int, names: Sequence[str], on_board: Sequence[int]) -> ActionPlanes:
    """Place the actions: by action its place on the planes, or `OFF_BOARD` for the row behind them."""
    following = len(names) * height * width
    index = []
    for place in on_board:
        if place == OFF_BOARD:
            place = following
            following += 1
        index.append(place)
    return ActionPlanes(height, width, tuple(names), tuple(index))


class LayoutBuilder:
    """Collects planes and fields in the order of their words."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.words = 0
        self._planes: list[Plane] = []
        self._fields: list[Field] = []

    def plane(self, name: str, bits: Sequence[int], words: int = 1, bits_per_word: int = 62) -> None:
        """A plane in the next words: by square the number of its bit, from 0, or `OFF_BOARD`."""
        self._planes.append(Plane(name, tuple([self._place(bit, bits_per_word) for bit in bits])))
        self.words += words

    def bits(self, name: str, count: int, words: int = 1, bits_per_word: int = 62) -> None:
        """A row of bits in the next words."""
        self._fields.append(Field(name, tuple([self._place(bit, bits_per_word) for bit in range(count)])))
        self.words += words

    def numbers(self, name: str, count: int, scale: float) -> None:
        """A row of numbers, a word each."""
        self._fields.append(Field(name, tuple(range(self.words, self.words + count)), scale))
        self.words += count

    def _place(self, bit: int, bits_per_word: int) -> int:
        if bit == OFF_BOARD:
            return OFF_BOARD
        return WORD * (self.words + bit // bits_per_word) + bit % bits_per_word

    def build(self) -> Layout:
        return Layout(self.words, self.height, self.width, tuple(self._planes), tuple(self._fields))
