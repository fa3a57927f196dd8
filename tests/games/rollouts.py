"""What the rollouts of every policy must do."""

from __future__ import annotations

from librt.random import Random

from ludotheque.core.game import State
from ludotheque.core.policy import Policy


def check_rollout_draws_as_sample(policy: Policy, state: State) -> None:
    """Of a policy with a single try, which has nothing to choose: the same luck gives the same move, of all the legal
    ones, until the game ends."""
    rng = Random(3)
    seed = 0
    while not state.is_terminal():
        seed += 1
        assert policy.move(state, Random(seed)) == state.sample(Random(seed))
        state.apply(state.sample(rng))
