"""`ludotheque._unpack` in NumPy, for where nothing is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np


class Plan:
    """The items of a tensor that show the bits and numbers of the words; see `_unpack.pyi`."""

    def __init__(self, words: int, items: int, split: int, bits: bytes, numbers: bytes, scales: bytes, /) -> None:
        self._words = words
        self._items = items
        self._split = split
        self._places, self._bit_items = np.frombuffer(bits, np.int32).reshape(-1, 2).T.astype(np.intp)
        self._number_words, self._number_items = np.frombuffer(numbers, np.int32).reshape(-1, 2).T.astype(np.intp)
        self._scales = np.frombuffer(scales, np.float64)

    def write(self, words: Any, out: Any, shown: Any = None, second: Any = None, /) -> None:
        """Write rows of words into rows of `out` and `second`: everything, also what has not changed."""
        rows = np.ascontiguousarray(words, "<i8").reshape(-1, self._words)
        items = np.zeros((len(rows), self._items), np.float32)
        items[:, self._bit_items] = np.unpackbits(rows.view(np.uint8), axis=-1, bitorder="little")[:, self._places]
        items[:, self._number_items] = rows[:, self._number_words] / self._scales
        out[:] = items[:, : self._split].reshape(out.shape)
        if second is not None:
            second[:] = items[:, self._split :].reshape(second.shape)
        if shown is not None:
            shown[:] = words
