"""The generator of random numbers that the compiled code draws from, and how to save where it is."""

from __future__ import annotations

from typing import Final

from librt.random import Random

__all__ = ["Random", "save_random"]

_SEEDS: Final = 2**62


def save_random(rng: Random) -> int:
    """Seed a generator from itself and return that seed: `Random(seed)` goes on exactly as `rng` does from here.

    The generator has no other state that could be read, so saving it moves it on to a new sequence.
    """
    seed = int(rng.randrange(_SEEDS))
    rng.seed(seed)
    return seed
