"""`bench`: measure the speed of the rules and of the search."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Table

import ludotheque
from ludotheque.bots.tuning import Tuning, tuning_file, write_tuning
from ludotheque.cli.terminal import Jobs, Options, Players, console, print_json, set_up
from ludotheque.core.registry import game_class, game_names
from ludotheque.study import calibrate as calibration
from ludotheque.study.bench import Measurement, measure


def register(app: typer.Typer) -> None:
    app.command()(bench)
    app.command()(calibrate)


def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", show_default="all", help="The games to measure."),
    ] = None,
    players: Players = 0,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, max=600, help="Seconds to measure each game.")] = 2.0,
    option: Options = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Measure speed on one core: random playouts, steps (moves and draws) and state copies per second.

    Also measures the bots' search from the middle of a game: simulations per second, and "of bare", the same as a
    percentage of bare rollouts by the same policy (copy the position, play it on, judge it). Both alternate,
    2,000 at a time, each search from an empty tree. Times are processor times.

    Example: `ludotheque bench cable-car --players 4 --seconds 5`
    """
    tables = [set_up(name, players, option) for name in games or game_names()]
    found = [measure(game, seconds) for game in tables]
    if as_json:
        print_json(found)
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


def calibrate(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", show_default="all", help="The games to measure.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=600, help="Seconds to measure each kind of table.")
    ] = 1.0,
    jobs: Jobs = 1,
    write: Annotated[
        bool, typer.Option("--write", help="Write the speeds to `bots.toml` of each game: all levels then follow them.")
    ] = False,
) -> None:
    """Measure how many simulations a second the bots do, by game, options and seats.

    A level promises a time for a move; these numbers turn it into simulations. Times are the processor's, on one core.

    Example: `ludotheque calibrate cable-car --seconds 2`
    """
    found = calibration.calibrate(games or game_names(), seconds, jobs)
    console.print(_speeds(found))
    if write:
        for name, tuned in found.items():
            tuning_file(game_class(name)).write_text(write_tuning(tuned), encoding="utf-8")


def _speeds(found: dict[str, Tuning]) -> Table:
    table = Table("Game", "Options", "Seats", "Search/s", "Decisions", box=SIMPLE, padding=(0, 1, 0, 0))
    for game, tuned in found.items():
        for settings, speeds in tuned.speeds.items():
            for seats, speed in speeds.items():
                table.add_row(game, settings, str(seats), f"{speed.simulations:,}", f"{speed.decisions:g}")
    return table
