"""`make bench`: decisions per second of a `Batch`, with masks and with planes. Needs NumPy."""

from __future__ import annotations

import time

import numpy as np
from rich.console import Console
from rich.table import Table

import ludotheque
from ludotheque.arrays import batch_arrays

SEATS = {"cable-car": 4, "chicago-express": 4, "passerelles": 2, "pays-noir": 3}
GAMES = 256
SECONDS = 1.0


def decisions_per_second(name: str, planes: bool) -> float:
    """Random decisions, chosen by NumPy, by the processor's time."""
    batch = ludotheque.Batch(ludotheque.load_game(name, players=SEATS[name]), GAMES, 1, planes=planes)
    seen, luck, rows = batch_arrays(batch), np.random.default_rng(1), np.arange(GAMES)
    decisions = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        batch.step(seen.legal[rows, (luck.random(GAMES) * seen.counts).astype(int)])
        decisions += GAMES
    return decisions / spent


def main() -> None:
    table = Table("Batch of 256 games", "Seats", "Decisions/s, masks", "with planes")
    for name, seats in SEATS.items():
        figures = [f"{decisions_per_second(name, planes):,.0f}" for planes in (False, True)]
        table.add_row(name, str(seats), *figures)
    Console().print(table)


if __name__ == "__main__":
    main()
