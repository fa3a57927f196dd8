"""`make bench`: what the engine protocol adds to a move, with events only, for a program in C.

A move without the protocol chooses the same action in this process, so the difference is what writing, switching
processes and reading cost. Both play the same games alternately; medians per move count.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from librt.random import Random

from ludotheque import game_names, load_game, seat_bot
from ludotheque.bots.bot import Bot
from ludotheque.core.game import Game
from ludotheque.core.turn import Turn
from ludotheque.table import Dice, Match

SOURCE = Path(__file__).parents[1] / "examples" / "bots" / "steady.c"
GAMES = 5


class Middle:
    """The same moves as the program, chosen here."""

    def choose(self, turn: Turn) -> int:
        return turn.legal[len(turn.legal) // 2]


def times(game: Game, choose: Bot | Middle, number: int) -> list[float]:
    """Seconds for each move of seat 0 in one game against random moves, the first left out: it starts the program."""
    match = Match.start(game, None, Dice(bytes([number] * 32)) if game.has_chance else None)
    rng = Random(number)
    found = []
    while not match.is_over:
        seat = match.to_move
        turn = match.turn(seat, rng, 60.0)
        if seat:
            match.play(seat, turn.legal[rng.randrange(len(turn.legal))])
            continue
        begin = perf_counter()
        action = choose.choose(turn)
        found.append(perf_counter() - begin)
        match.play(seat, action)
    return found[1:]


def measure(name: str, program: Path) -> None:
    game = load_game(name)
    with_protocol: list[float] = []
    without: list[float] = []
    for number in range(1, GAMES + 1):
        bot = seat_bot(f"engine:{program}", game, 0, 1)
        with_protocol += times(game, bot, number)
        bot.close()
        without += times(game, Middle(), number)
    added = 1000 * (median(with_protocol) - median(without))
    print(f"{name:20} {len(with_protocol):6} moves   {added:7.3f} ms added to a move (aim: under 0.200)")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "steady"
        subprocess.run(["cc", "-O2", "-o", str(program), str(SOURCE)], check=True)
        for name in game_names():
            measure(name, program)


if __name__ == "__main__":
    main()
