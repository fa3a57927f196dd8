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
    """So many values, spread evenly; with `--all` every one of them."""
    every = list(values)
    return every if _all or len(every) <= count else [every[i * len(every) // count] for i in range(count)]


def chosen(values: Iterable[First], *wanted: First) -> list[First]:
    """The wanted ones of the values; with `--all` every one of them."""
    return [value for value in values if _all or value in wanted]


def pairs(first: Sequence[First], second: Sequence[Second]) -> list[tuple[First, Second]]:
    """Pairs in which every value comes, as few as there can be; with `--all` each value with each."""
    if _all:
        return list(product(first, second))
    return [(first[i % len(first)], second[i % len(second)]) for i in range(max(len(first), len(second)))]
