"""`perft`: count the sequences of legal moves."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Table

from ludotheque.cli.terminal import Options, Players, TableGame, console, set_up, written_out
from ludotheque.core.perft import perft as count_sequences


def register(app: typer.Typer) -> None:
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(perft)


def perft(
    context: typer.Context,
    game: TableGame,
    depth: Annotated[int, typer.Option("--depth", min=1, max=9, help="Length of the longest sequences.")] = 2,
    players: Players = 0,
    option: Options = None,
) -> None:
    """Count the sequences of legal moves from the start of a game without chance, length by length.

    The options of the game can be written out: `--landscape africa` is short for `--option landscape=africa`.

    Example: `ludotheque perft passerelles --depth 2 --landscape africa`
    """
    table = set_up(game, players, [*(option or []), *written_out(context.args)])
    found = Table("Moves", "Sequences", "Seconds", box=SIMPLE)
    for length in range(1, depth + 1):
        begin = time.perf_counter()
        count = count_sequences(table.new_initial_state(), length)
        found.add_row(str(length), f"{count:,}", f"{time.perf_counter() - begin:.2f}")
    console.print(found)
