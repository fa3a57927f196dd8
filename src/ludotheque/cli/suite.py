"""`suite`: measure any bot by fixed set-ups and yardsticks, check files of results, and put them in a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludotheque.cli.terminal import Jobs, fail, make_folder, write_file
from ludotheque.study.arena import runner_on
from ludotheque.study.suite import BUDGETS, GAMES, Measured, measure_bot, read_result, result_table, write_result

suite = typer.Typer(help="Measure bots by Ludotheque suite v1 (docs/suite.md).", no_args_is_help=True)
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of results.")]


def register(app: typer.Typer) -> None:
    app.add_typer(suite, name="suite")


@suite.command()
def run(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Any bot, such as NAME=python:package.module:Class.")],
    budget: Annotated[
        Literal["small", "large"], typer.Option("--budget", help="The time for a decision, and the yardsticks.")
    ] = "small",
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="Only this set-up, such as cable_car(players=3); repeatable."),
    ] = None,
    yardstick: Annotated[
        list[str] | None, typer.Option("--yardstick", metavar="BOT", help="Only this yardstick; repeatable.")
    ] = None,
    about: Annotated[str, typer.Option("--about", help="A line for the table: author, method, address.")] = "",
    jobs: Jobs = 1,
    results: Annotated[
        Path | None, typer.Option("--results", metavar="DIR", help="Save all games there, and resume from them.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file of results to write.")] = Path(
        "suite.json"
    ),
) -> None:
    """Measure a bot, and write a file of results with a digest of its content.

    Example: `ludotheque suite run greedy --game "passerelles(players=2)" --yardstick policy --out greedy.json`
    """
    for text in game or []:
        if text not in GAMES:
            fail(f"{text!r} is no set-up of the suite; these are: {', '.join(GAMES)}.")
    make_folder(out.parent)
    if results is not None:
        make_folder(results)
    result = measure_bot(
        bot,
        BUDGETS[budget],
        games=game or GAMES,
        yardsticks=yardstick or (),
        about=about,
        run=runner_on(jobs),
        folder=results,
        on_measured=_print_measured,
    )
    write_file(out, write_result(result))


def _print_measured(found: Measured) -> None:
    rate = f"{found.win_rate:.1%} ({found.low:.0%} to {found.high:.0%}, even {found.even:.0%})"
    print(f"{found.game} against {found.yardstick}: {rate} of {found.games} games", flush=True)


@suite.command()
def check(files: Files) -> None:
    """Check that files of results belong to this suite and were not changed.

    Example: `ludotheque suite check greedy.json`
    """
    for path in files:
        result = read_result(path)
        print(f"{path}: {result.bot}, {result.budget} budget, {'complete' if result.is_complete else 'partial'}")


@suite.command()
def table(files: Files) -> None:
    """Print files of results as a table in Markdown, the strongest bot first.

    Example: `ludotheque suite table greedy.json policy.json`
    """
    print(result_table(read_result(path) for path in files), end="")
