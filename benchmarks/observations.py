"""`make bench`: what it takes to observe and to read a position, the mean over all decisions of random games."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.table import Table

import ludotheque
from ludotheque import Game, State

TABLES = {
    "cable-car": ludotheque.load_game("cable-car", players=4),
    "cable-car, The Companies": ludotheque.load_game("cable-car", players=4, companies=True),
    "chicago-express": ludotheque.load_game("chicago-express", players=4),
    "passerelles": ludotheque.load_game("passerelles"),
    "pays-noir": ludotheque.load_game("pays-noir", players=3),
}
GAMES = 6
Item = TypeVar("Item")


def decisions(game: Game, seed: int) -> list[State]:
    """The positions of random games in which a player is to act."""
    found: list[State] = []
    for number in range(GAMES):
        state, rng = game.new_initial_state(), ludotheque.Random(100 * seed + number)
        while not state.is_terminal():
            if not state.is_chance_node():
                found.append(state.clone())
            state.apply(state.sample(rng))
    return found


def microseconds(call: Callable[[Item], object], items: Sequence[Item]) -> float:
    """Return the processor time for each item."""
    begin = time.process_time()
    for item in items:
        call(item)
    return 1e6 * (time.process_time() - begin) / len(items)


def main() -> None:
    table = Table("Microseconds", "observation()", "read_position", title="Observing and reading positions")
    for name, game in TABLES.items():
        seen, read = [], []
        for seed in range(1, 4):  # other games each time, so that nothing is remembered
            states = decisions(game, seed)
            seen.append(microseconds(lambda state: state.observation(int(state.current_player())), states))
            read.append(microseconds(game.read_position, [state.position() for state in states]))
        table.add_row(name, f"{min(seen):.0f}", f"{min(read):.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
