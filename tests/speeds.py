"""Two speeds of the tests: one example of every kind, or with `--all` every seed, language, size and game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")

_all = False


def run_all(chosen: bool) -> None:
    """Choose the speed; `conftest.py` does so before it imports a test."""
    global _all
    _all = chosen


def several(few: int, many: int) -> int:
    """How many examples to try: `many` only with `--all`."""
    return many if _all else few


def few(values: Iterable[First], count: int = 1) -> list[First]:
    """The first values, or with `--all` every one of them."""
    return list(values) if _all else list(values)[:count]


def pairs(first: Sequence[First], second: Sequence[Second]) -> list[tuple[First, Second]]:
    """Pairs in which every value comes, as few as there can be; with `--all` each value with each."""
    if _all:
        return list(product(first, second))
    return [(first[i % len(first)], second[i % len(second)]) for i in range(max(len(first), len(second)))]
