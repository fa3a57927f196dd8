"""`make bench`: the loop that a researcher writes first (`legal_actions`, `apply_action`), beside games of OpenSpiel.

All are measured in turns of one run, and each of our games is compared with connect_four within a turn: on a noisy
machine only ratios count. Without the extra `openspiel` there is nothing to compare with.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

import ludotheque

TURNS = 7
SECONDS = 0.3
SEATS = {"cable-car": 4, "chicago-express": 4, "passerelles": 2, "pays-noir": 3}
THEIRS = ("connect_four", "hex", "hearts")


def steps_per_second(new_state: Callable[[], Any], seconds: float = SECONDS) -> float:
    """Steps of random games from a plain Python loop, by the processor's time."""
    rng = random.Random(1)
    steps = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        state = new_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            steps += 1
    return steps / spent


def contestants() -> dict[str, Callable[[], Any]]:
    """Return functions that make a new state, by name."""
    found: dict[str, Callable[[], Any]] = {}
    for name, seats in SEATS.items():
        found[name] = ludotheque.load_game(name, players=seats).new_initial_state
    if find_spec("pyspiel"):
        import pyspiel

        for name in THEIRS:
            found[f"OpenSpiel {name}"] = pyspiel.load_game(name).new_initial_state
    return found


def main() -> None:
    console = Console()
    players = contestants()
    turns = [{name: steps_per_second(new) for name, new in players.items()} for _ in range(TURNS)]
    table = Table("Plain Python loop", "Steps/s", "x connect_four", title="legal_actions + apply_action")
    for name in players:
        ratios = [turn[name] / turn["OpenSpiel connect_four"] for turn in turns if "OpenSpiel connect_four" in turn]
        ratio = f"{median(ratios):.2f}" if ratios else ""
        table.add_row(name, f"{median(turn[name] for turn in turns):,.0f}", ratio)
    console.print(table)
    if not find_spec("pyspiel"):
        console.print("OpenSpiel is not installed (pip install ludotheque[openspiel]): no ratios.")


if __name__ == "__main__":
    main()
