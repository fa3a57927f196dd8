"""`bench`: measure the speed of the rules and of the search."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from rich.box import SIMPLE
from rich.table import Table

import ludotheque
from ludotheque.cli.terminal import Options, Seats, console, set_up
from ludotheque.core.registry import game_names
from ludotheque.study.bench import Measurement, measure


def register(app: typer.Typer) -> None:
    app.command()(bench)


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="The games to measure (default: all).")
    ] = None,
    seats: Seats = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=600, help="How long to measure each game.")
    ] = 2.0,
    option: Options = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a list of objects.")] = False,
) -> None:
    """Measure speed on one core: random playouts, steps (moves and draws) and state copies per second.

    Also measures the bots' search from the middle of a game: simulations per second, and "of bare", the same as a
    percentage of bare playouts of the same policy (copy the position, play it to the end, score it). Both alternate,
    2,000 at a time, each search from an empty tree. Times are processor times.

    Example: `ludotheque bench cable-car --seats 4 --seconds 5`
    """
    tables = [set_up(name, seats, option) for name in games or game_names()]
    found = [measure(game, seconds) for game in tables]
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        console.print(_table(found))


def _table(found: list[Measurement]) -> Table:
    heads = ("Game", "Seats", "Playouts/s", "Steps/s", "Clones/s", "Bytes", "Search/s", "of bare")
    title = "Compiled" if ludotheque.COMPILED else "Pure Python"
    table = Table(*heads, box=SIMPLE, padding=(0, 1, 0, 0), title=title)
    for row in found:
        speeds = (row.playouts_per_s, row.steps_per_s, row.clones_per_s, row.bytes_per_state, row.simulations_per_s)
        figures = [f"{speed:,.0f}" for speed in speeds]
        table.add_row(row.game, str(row.seats), *figures, f"{row.search_speed:.0%}")
    return table
