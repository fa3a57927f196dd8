"""NumPy views of batches, and observations as tensors. NumPy is optional: nothing else in this package needs it.

Tensors are written into buffers of the caller or into new arrays. An `out` may be anything that NumPy sees as a
writable, contiguous array: a tensor of PyTorch on the processor, shared memory, a slice of a replay buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ludotheque._mode import COMPILED
from ludotheque.core.batch import Batch
from ludotheque.core.errors import BadOption
from ludotheque.core.game import State
from ludotheque.core.layout import OFF_BOARD, Field, Layout
from ludotheque.core.memo import cached_by_identity
from ludotheque.core.planes import planes_of

__all__ = [
    "BatchArrays",
    "BatchRows",
    "BatchTensors",
    "batch_arrays",
    "observation_arrays",
    "observation_row",
    "row_size",
    "unpack_fields",
    "unpack_planes",
    "unpack_rows",
]

if COMPILED:
    from ludotheque._unpack import Plan
else:
    from ludotheque._plan import Plan  # type: ignore[assignment]  # the same methods


class BatchArrays(Struct, frozen=True):
    """The arrays of a batch, shaped: views of what it writes, not copies, and read-only."""

    to_move: NDArray[np.int64]
    """(games)"""
    mask: NDArray[np.uint8]
    """(games, actions)"""
    legal: NDArray[np.int64]
    """(games, max_legal_actions); only the first `legal_counts` of each row are filled."""
    legal_counts: NDArray[np.int64]
    """(games)"""
    words: NDArray[np.int64]
    """(games, words)"""
    movers: NDArray[np.int64]
    """(games)"""
    rewards: NDArray[np.float64]
    """(games, seats)"""
    done: NDArray[np.uint8]
    """(games)"""
    truncated: NDArray[np.uint8]
    """(games)"""
    final_words: NDArray[np.int64]
    """(games, seats, words)"""


def batch_arrays(batch: Batch) -> BatchArrays:
    """Views of all arrays of a batch; every `step` changes what they show."""
    size, seats, width = len(batch), int(batch.seats), int(batch.width)
    return BatchArrays(
        to_move=np.frombuffer(batch.to_move, np.int64),
        mask=np.frombuffer(batch.mask, np.uint8).reshape(size, -1),
        legal=np.frombuffer(batch.legal, np.int64).reshape(size, -1),
        legal_counts=np.frombuffer(batch.legal_counts, np.int64),
        words=_numbers(batch.words).reshape(size, width),
        movers=np.frombuffer(batch.movers, np.int64),
        rewards=np.frombuffer(batch.rewards, np.float64).reshape(size, seats),
        done=np.frombuffer(batch.done, np.uint8),
        truncated=np.frombuffer(batch.truncated, np.uint8),
        final_words=_numbers(batch.final_words).reshape(size, seats, width),
    )


def _numbers(words: Any) -> NDArray[np.int64]:
    return np.frombuffer(words, np.int64) if len(words) else np.zeros(0, np.int64)


class BatchTensors:
    """The knowledge of the seat to act in each game, as tensors that never move.

    `update` after a step writes what has changed, so no one else may write into them. `planes` is float32 or uint8 of
    shape (games, planes, height, width), `fields` float32 of shape (games, features).
    """

    def __init__(self, batch: Batch, planes: Any = None, fields: Any = None, *, dtype: Any = np.float32) -> None:
        """Write into these buffers, or into new arrays; `dtype` is that of new planes."""
        layout, size = planes_of(batch.game).layout, len(batch)
        self.planes = _room(planes, (size, *_grid(layout)), dtype, bits=True)
        self.fields = _room(fields, (size, layout.features), np.float32)
        self._kept = _Kept(_split_plan(layout), batch, self.planes, self.fields)

    def update(self) -> None:
        """Write what differs from what the tensors showed after the last update."""
        self._kept.update()

    def rewrite(self) -> None:
        """Write everything, also where another has written."""
        self._kept.rewrite()


class BatchRows:
    """The knowledge of the seat to act in each game, as one row that never moves: planes, then fields.

    `rows` is float32 of shape (games, `row_size(layout)`); `update` after a step writes what has changed.
    """

    def __init__(self, batch: Batch, out: Any = None) -> None:
        """Write into the buffer `out`, or into a new array."""
        layout = planes_of(batch.game).layout
        self.rows = _room(out, (len(batch), row_size(layout)), np.float32)
        self._kept = _Kept(_row_plan(layout), batch, self.rows)

    def update(self) -> None:
        """Write what differs from what the rows showed after the last update."""
        self._kept.update()

    def rewrite(self) -> None:
        """Write everything, also where another has written."""
        self._kept.rewrite()


class _Kept:
    """Tensors, and the words that they show."""

    def __init__(self, plan: Plan, batch: Batch, out: NDArray[Any], second: NDArray[Any] | None = None) -> None:
        if not batch.width:
            raise BadOption("This batch writes no planes.")
        self._plan = plan
        self._words = batch_arrays(batch).words
        self._out = out
        self._second = second
        self.rewrite()

    def update(self) -> None:
        self._plan.write(self._words, self._out, self._shown, self._second)

    def rewrite(self) -> None:
        self._plan.write(self._words, self._out, None, self._second)
        self._shown = self._words.copy()


def unpack_planes(layout: Layout, words: Any, out: Any = None, dtype: Any = np.float32) -> NDArray[Any]:
    """The planes of observations, of shape (..., planes, height, width): float32 or uint8."""
    room = _room(out, (*words.shape[:-1], *_grid(layout)), dtype, bits=True)
    return _unpacked(_planes_plan(layout), words, room)


def unpack_fields(layout: Layout, words: Any, out: Any = None) -> NDArray[np.float32]:
    """All fields of observations in a row, numbers scaled, as float32 of shape (..., features)."""
    return _unpacked(_fields_plan(layout), words, _room(out, (*words.shape[:-1], layout.features), np.float32))


def unpack_rows(layout: Layout, words: Any, out: Any = None) -> NDArray[np.float32]:
    """Planes and then fields of observations in one row, as float32 of shape (..., `row_size(layout)`)."""
    return _unpacked(_row_plan(layout), words, _room(out, (*words.shape[:-1], row_size(layout)), np.float32))


def row_size(layout: Layout) -> int:
    """Return the number of values that `unpack_rows` gives for an observation."""
    return len(layout.plane_places) + layout.features


def observation_arrays(state: State, viewer: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Planes and fields of what `viewer` knows of one position."""
    planes = planes_of(state.game)
    words = np.frombuffer(planes.packed(state, viewer), np.int64)
    return unpack_planes(planes.layout, words), unpack_fields(planes.layout, words)


def observation_row(state: State, viewer: int, out: Any = None) -> NDArray[np.float32]:
    """Planes and fields of what `viewer` knows of one position, in one row."""
    planes = planes_of(state.game)
    return unpack_rows(planes.layout, np.frombuffer(planes.packed(state, viewer), np.int64), out)


def _unpacked(plan: Plan, words: Any, out: NDArray[Any]) -> NDArray[Any]:
    plan.write(np.ascontiguousarray(words, np.int64), out)
    return out


def _room(out: Any, shape: tuple[int, ...], dtype: Any, bits: bool = False) -> NDArray[Any]:
    """The array to write into: a new one, or the caller's if it fits. `bits`: bytes will do."""
    room = np.empty(shape, dtype) if out is None else np.asarray(out)
    if room.shape != shape:
        raise BadOption(f"A tensor of shape {shape} is needed here, not {room.shape}.")
    if not room.flags.c_contiguous or not room.flags.writeable:
        raise BadOption("A tensor to write into is writable, and contiguous in memory.")
    if room.dtype != np.float32 and not (bits and room.dtype == np.uint8):
        raise BadOption(f"A tensor here is float32{' or uint8' if bits else ''}, not {room.dtype}.")
    return room


def _grid(layout: Layout) -> tuple[int, int, int]:
    return len(layout.planes), layout.height, layout.width


# Plans: which items of a tensor show which bits and numbers.


@cached_by_identity(maxsize=64)
def _planes_plan(layout: Layout) -> Plan:
    return _plan(layout.words, layout.plane_places, ())


@cached_by_identity(maxsize=64)
def _fields_plan(layout: Layout) -> Plan:
    return _plan(layout.words, (), layout.fields)


@cached_by_identity(maxsize=64)
def _row_plan(layout: Layout) -> Plan:
    return _plan(layout.words, layout.plane_places, layout.fields)


@cached_by_identity(maxsize=64)
def _split_plan(layout: Layout) -> Plan:
    return _plan(layout.words, layout.plane_places, layout.fields, split=len(layout.plane_places))


def _plan(words: int, places: Sequence[int], fields: Sequence[Field], split: int | None = None) -> Plan:
    """A plan for squares and then fields in a row, which may be split in two."""
    bits = [(place, item) for item, place in enumerate(places) if place != OFF_BOARD]
    numbers: list[tuple[int, int, float]] = []
    item = len(places)
    for field in fields:
        if field.scale:
            numbers += [(word, item + i, field.scale) for i, word in enumerate(field.places)]
        else:
            bits += [(place, item + i) for i, place in enumerate(field.places)]
        item += len(field.places)
    numbers.sort()
    return Plan(
        words,
        item,
        item if split is None else split,
        np.array(sorted(bits), np.int32).tobytes(),
        np.array([pair[:2] for pair in numbers], np.int32).tobytes(),
        np.array([scale for _, _, scale in numbers], np.float64).tobytes(),
    )
