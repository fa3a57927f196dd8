"""Make a data set: games of the search against itself, with visits, values and results, as one Parquet file.

    python examples/self_play.py "cable_car(players=2)" --games 10000 --jobs 16 --out cable_car.parquet

Needs `pip install ludotheque[data]`. `ludotheque.selfplay.read_games` reads the file, and so does any data frame.
`examples/data/` has a small sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from ludotheque import load_game
from ludotheque.selfplay import Decision, play_itself, write_games


def one_game(text: str, simulations: int, seed: int) -> list[Decision]:
    return play_itself(load_game(text), simulations=simulations, seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help='such as "cable_car(players=3)"')
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=2000, help="for each decision")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", required=True, help="the Parquet file to write")
    asked = parser.parse_args()

    def decisions() -> Iterator[Decision]:
        with ProcessPoolExecutor(asked.jobs) as pool:
            seeds = range(asked.first, asked.first + asked.games)
            for game in pool.map(partial(one_game, asked.game, asked.simulations), seeds):
                yield from game

    written = write_games(asked.out, decisions())
    print(f"{written} decisions of {asked.games} games, {asked.simulations} simulations each, in {asked.out}")


if __name__ == "__main__":
    main()
