"""The generator of random numbers that the compiled code draws from, and how to save, copy and pickle it."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Final, SupportsIndex

from librt.random import Random

from ludotheque.core.errors import BadOption
from ludotheque.core.numbers import as_int
from ludotheque.core.phrases import short_repr

__all__ = ["Random", "check_seed", "save_random"]

_SEEDS: Final = 2**62


def check_seed(seed: SupportsIndex) -> int:
    """Return a given seed as an `int`; `BadOption` unless it is a whole number of 64 bits."""
    number = as_int(seed, "A seed", BadOption)
    if not -(2**63) <= number < 2**63:
        raise BadOption(f"A seed is a whole number from -2**63 to 2**63 - 1, not {short_repr(number)}.")
    return number


def save_random(rng: Random) -> int:
    """Seed a generator from itself and return that seed: `Random(seed)` goes on exactly as `rng` does from here.

    The generator has no other state that could be read, so saving it moves it on to a new sequence.
    """
    seed = int(rng.randrange(_SEEDS))
    rng.seed(seed)
    return seed


def _seeded(seed: int) -> Random:
    """Unpickle a generator. (Its type cannot be pickled: it does not know its module.)"""
    return Random(seed)


def _reduced(rng: Random) -> tuple[Callable[[int], Random], tuple[int]]:
    return _seeded, (save_random(rng),)


copyreg.pickle(Random, _reduced)  # for `copy` too: a copy goes on as the generator itself does, from a new sequence
