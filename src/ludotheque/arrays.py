"""NumPy views of batches and observations. NumPy is optional: nothing else in this package needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from ludotheque.core.batch import Batch
from ludotheque.core.game import State
from ludotheque.core.layout import OFF_BOARD, Layout
from ludotheque.core.planes import planes_of


class BatchArrays(Struct, frozen=True):
    """The arrays of a batch, shaped: views of what it writes, not copies, and read-only."""

    to_move: Any
    """(games)"""
    mask: Any
    """(games, actions)"""
    legal: Any
    """(games, most actions); only the first `counts` of each row count."""
    counts: Any
    """(games)"""
    words: Any
    """(games, words)"""
    moved: Any
    """(games)"""
    rewards: Any
    """(games, seats)"""
    done: Any
    """(games)"""
    truncated: Any
    """(games)"""
    final_words: Any
    """(games, seats, words)"""


def batch_arrays(batch: Batch) -> BatchArrays:
    """Views of all arrays of a batch; every `step` changes what they show."""
    size, seats, width = len(batch), int(batch.seats), int(batch.width)
    return BatchArrays(
        to_move=np.frombuffer(batch.to_move, np.int64),
        mask=np.frombuffer(batch.mask, np.uint8).reshape(size, -1),
        legal=np.frombuffer(batch.legal, np.int64).reshape(size, -1),
        counts=np.frombuffer(batch.counts, np.int64),
        words=_numbers(batch.words).reshape(size, width),
        moved=np.frombuffer(batch.moved, np.int64),
        rewards=np.frombuffer(batch.rewards, np.float64).reshape(size, seats),
        done=np.frombuffer(batch.done, np.uint8),
        truncated=np.frombuffer(batch.truncated, np.uint8),
        final_words=_numbers(batch.final_words).reshape(size, seats, width),
    )


def _numbers(words: Any) -> Any:
    return np.frombuffer(words, np.int64) if len(words) else np.zeros(0, np.int64)


def unpack_planes(layout: Layout, words: Any) -> Any:
    """The planes of observations, as float32 of shape (..., planes, height, width)."""
    places = np.asarray(layout.plane_places, np.int64)
    grids = _bits(words, np.maximum(places, 0)) * (places != OFF_BOARD)
    return grids.reshape(*words.shape[:-1], len(layout.planes), layout.height, layout.width).astype(np.float32)


def unpack_fields(layout: Layout, words: Any) -> Any:
    """All fields of observations in a row, numbers scaled, as float32 of shape (..., features)."""
    rows = [np.zeros((*words.shape[:-1], 0), np.float32)]
    for field in layout.fields:
        places = np.asarray(field.places, np.int64)
        rows.append(words[..., places] / field.scale if field.scale else _bits(words, places))
    return np.concatenate([row.astype(np.float32) for row in rows], axis=-1)


def _bits(words: Any, places: Any) -> Any:
    return (words[..., places >> 6] >> (places & 63)) & 1


def observation_arrays(state: State, viewer: int) -> tuple[Any, Any]:
    """Planes and fields of what `viewer` knows of one position."""
    planes = planes_of(state.game)
    words = np.asarray(planes.words(state, viewer), np.int64)
    return unpack_planes(planes.layout, words), unpack_fields(planes.layout, words)
