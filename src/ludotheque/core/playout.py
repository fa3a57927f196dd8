"""Random games from a position to the end, for search and benchmarks. Compiled."""

from __future__ import annotations

from time import sleep as let_others_run
from typing import Final

from librt.random import Random
from mypy_extensions import i64

from ludotheque.core.game import State

BATCH: Final = 32
"""Games between two turns of other threads: compiled code keeps them waiting until it lets them run."""


def playout(state: State, rng: Random) -> i64:
    """Play `state` to its end by random legal actions; return how many steps, draws included."""
    return state.finish(rng)


def playouts(start: State, games: i64, rng: Random) -> i64:
    """Play a number of random games from copies of `start`; return the steps of all games together.

    After each batch of games other threads get their turn.
    """
    steps: i64 = 0
    while games > 0:
        steps += playout(start.clone(), rng)
        games -= 1
        if games % BATCH == 0:
            let_others_run(0)
    return steps


def clones(state: State, times: i64) -> None:
    """Copy `state` a number of times, for benchmarks."""
    while times > 0:
        state.clone()
        times -= 1
