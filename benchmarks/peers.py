"""Measure random play with observations beside Pgx and RLCard, where they are installed.

    pip install pgx rlcard
    python -m benchmarks.peers

Rates are decisions per second of processor time, over all threads. Pgx plays 256 games at once, its loop compiled by
JAX; our batches play 256 games with float32 tensors. RLCard plays one game at a time from Python, as our PettingZoo
environments do. All are measured in turns of one run, because on a noisy machine only ratios count.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any

from benchmarks.batches import GAMES, SEATS, batch_rate, pettingzoo_rate, rate
from rich.console import Console
from rich.table import Table

TURNS = 3
STEPS = 50
PGX_GAMES = ("connect_four", "go_9x9", "backgammon")
RLCARD_GAMES = ("leduc-holdem", "limit-holdem", "doudizhu", "mahjong")


def pgx_rate(name: str) -> float:
    """Random decisions of 256 games, chosen and played by JAX, with games that begin again by themselves."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    game = pgx.make(name)
    step = jax.vmap(auto_reset(game.step, game.init))

    def decide(states: Any, key: Any) -> tuple[Any, Any]:
        choice, luck = jax.random.split(key)
        actions = jax.random.categorical(choice, jax.numpy.log(states.legal_action_mask.astype(float)), axis=-1)
        states = step(states, actions, jax.random.split(luck, GAMES))
        return states, states.observation.sum()

    def many(states: Any, key: Any) -> Any:
        return jax.lax.scan(decide, states, jax.random.split(key, STEPS))

    play = jax.jit(many)
    keys = iter(jax.random.split(jax.random.PRNGKey(1), 100_000))
    states = jax.jit(jax.vmap(game.init))(jax.random.split(next(keys), GAMES))
    states, _ = jax.block_until_ready(play(states, next(keys)))

    def steps() -> int:
        nonlocal states
        states, _ = jax.block_until_ready(play(states, next(keys)))
        return GAMES * STEPS

    return rate(steps)


def rlcard_rate(name: str) -> float:
    """Random decisions of one game from Python; every step has an observation."""
    import rlcard

    table, luck = rlcard.make(name, config={"seed": 1}), random.Random(1)
    seen, _ = table.reset()

    def step() -> int:
        nonlocal seen
        if table.is_over():
            seen, _ = table.reset()
        seen, _ = table.step(luck.choice(list(seen["legal_actions"])))
        return 1

    return rate(step)


def contestants() -> dict[str, Callable[[], float]]:
    """Return functions that measure a rate, by what they measure."""
    found: dict[str, Callable[[], float]] = {}
    for name in SEATS:
        found[f"{name}, batch"] = partial(batch_rate, name, planes=True, tensors=True)
    if find_spec("pgx"):
        found |= {f"Pgx {name}, batch": partial(pgx_rate, name) for name in PGX_GAMES}
    if find_spec("pettingzoo"):
        found |= {f"{name}, PettingZoo": partial(pettingzoo_rate, name) for name in SEATS}
    if find_spec("rlcard"):
        found |= {f"RLCard {name}": partial(rlcard_rate, name) for name in RLCARD_GAMES}
    return found


def main() -> None:
    measures = contestants()
    turns = [{name: measure() for name, measure in measures.items()} for _ in range(TURNS)]
    table = Table("Random play with observations", "Decisions/s")
    for name in measures:
        table.add_row(name, f"{median(turn[name] for turn in turns):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
