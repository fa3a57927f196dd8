"""`perft`: count the sequences of legal moves."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Table

from ludotheque.cli.terminal import GameName, Options, Seats, console, set_up
from ludotheque.core.perft import perft as count_sequences


def register(app: typer.Typer) -> None:
    app.command()(perft)


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", min=1, max=9, help="Length of the longest sequences.")] = 2,
    landscape: Annotated[str, typer.Option("--landscape", help="Short for --option landscape=NAME.")] = "",
    seats: Seats = 0,
    option: Options = None,
) -> None:
    """Count the sequences of legal moves from the start of a game without chance, length by length.

    Example: `ludotheque perft passerelles --depth 2 --landscape africa`
    """
    words = [*(option or []), *([f"landscape={landscape}"] if landscape else [])]
    table = set_up(game, seats, words)
    found = Table("Moves", "Sequences", "Seconds", box=SIMPLE)
    for length in range(1, depth + 1):
        begin = time.perf_counter()
        count = count_sequences(table.new_initial_state(), length)
        found.add_row(str(length), f"{count:,}", f"{time.perf_counter() - begin:.2f}")
    console.print(found)
