"""`make bench`: decisions per second of a `Batch` and of the adapters, and microseconds for one tensor. Needs NumPy."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from rich.console import Console
from rich.table import Table

import ludotheque
from ludotheque.arrays import BatchTensors, batch_arrays, observation_arrays

SEATS = {"cable-car": 4, "chicago-express": 4, "passerelles": 2, "pays-noir": 3}
GAMES = 256
SECONDS = 1.0


def rate(step: Callable[[], int]) -> float:
    """Decisions per second of the processor's time."""
    decisions = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        decisions += step()
    return decisions / spent


def batch_rate(name: str, planes: bool, tensors: bool) -> float:
    """Random decisions, chosen by NumPy."""
    batch = ludotheque.Batch(ludotheque.load_game(name, players=SEATS[name]), GAMES, 1, planes=planes)
    seen, luck, rows = batch_arrays(batch), np.random.default_rng(1), np.arange(GAMES)
    shown = BatchTensors(batch) if tensors else None

    def step() -> int:
        batch.step(seen.legal[rows, (luck.random(GAMES) * seen.legal_counts).astype(int)])
        if shown:
            shown.update()
        return GAMES

    return rate(step)


def tensor_rate(name: str) -> float:
    """Tensors of single positions in the middle of games."""
    batch = ludotheque.Batch(ludotheque.load_game(name, players=SEATS[name]), 8, 1)
    for _ in range(40):
        batch.step(batch_arrays(batch).legal[:, 0])
    positions = [(batch.state(number), int(batch.to_move[number])) for number in range(8)]

    def step() -> int:
        for state, seat in positions:
            observation_arrays(state, seat)
        return len(positions)

    return rate(step)


def pettingzoo_rate(name: str) -> float:
    from ludotheque.adapters.pettingzoo import env

    table, luck = env(ludotheque.load_game(name, players=SEATS[name])), random.Random(1)
    table.reset(seed=1)

    def step() -> int:
        seen, _, over, _, _ = table.last()
        if over:
            table.reset(seed=1)
            return 0
        table.step(luck.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        return 1

    return rate(step)


def openspiel_rate(name: str) -> float:
    import pyspiel
    from open_spiel.python import rl_environment

    from ludotheque.adapters import openspiel

    openspiel.register_games()
    game = pyspiel.load_game(f"ludotheque_{name.replace('-', '_')}(players={SEATS[name]})")
    table, luck = rl_environment.Environment(game), random.Random(1)
    seen = table.reset()

    def step() -> int:
        nonlocal seen
        if seen.last():
            seen = table.reset()
            return 0
        legal = seen.observations["legal_actions"][seen.observations["current_player"]]
        seen = table.step([luck.choice(legal)])
        return 1

    return rate(step)


def main() -> None:
    table = Table(
        "256 games", "Seats", "Masks", "with words", "with float32", "One tensor, µs", "PettingZoo", "OpenSpiel"
    )
    for name, seats in SEATS.items():
        figures = [
            batch_rate(name, planes, tensors) for planes, tensors in ((False, False), (True, False), (True, True))
        ]
        one = 1e6 / tensor_rate(name)
        zoo = f"{pettingzoo_rate(name):,.0f}" if find_spec("pettingzoo") else ""
        spiel = f"{openspiel_rate(name):,.0f}" if find_spec("pyspiel") else ""
        table.add_row(name, str(seats), *(f"{figure:,.0f}" for figure in figures), f"{one:.1f}", zoo, spiel)
    Console().print(table)


if __name__ == "__main__":
    main()
