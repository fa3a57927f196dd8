"""`engine`: our bots as programs for others, and a check of programs that others wrote."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from ludotheque.bots.engine_check import check_engine
from ludotheque.bots.engine_loop import run_engine
from ludotheque.bots.registry import check_bot
from ludotheque.cli.terminal import set_up
from ludotheque.core.errors import BadOption


def register(app: typer.Typer) -> None:
    app.command()(engine)


def engine(
    game: Annotated[str, typer.Argument(metavar="GAME|check", help="The game to play, or the word check.")],
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="With check: the program to check.")] = "",
    level: Annotated[int, typer.Option("--level", min=1, help="The level that our bot plays at.")] = 3,
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", show_default="the level", help="Play as this bot instead of a level.")
    ] = "",
    check_game: Annotated[
        str, typer.Option("--game", show_default="cable-car", help="With check: the game that the program plays.")
    ] = "",
    players: Annotated[
        int, typer.Option("--players", min=0, show_default="the minimum", help="With check: number of players.")
    ] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="With check: set an option of the game; repeatable."),
    ] = None,
    clock: Annotated[float, typer.Option("--clock", min=0.01, max=3600, help="With check: seconds per move.")] = 10.0,
    games: Annotated[
        int, typer.Option("--games", min=1, max=1000, help="With check: number of games at each seat.")
    ] = 1,
) -> None:
    """Play as a program that speaks the engine protocol (docs/engine-protocol.md), or check such a program.

    Examples: `ludotheque engine cable-car --level 5` · `ludotheque engine check ./mybot --game cable-car`
    """
    if game == "check":
        if not command:
            raise BadOption("Name the program to check: ludotheque engine check COMMAND.")
        table = set_up(check_game or "cable-car", players, option)
        problems = [_print_finding(*finding) for finding in check_engine(command, table, clock, games)]
        if any(problems):
            raise typer.Exit(1)
        return
    name = bot or f"bot:{level}"
    table = set_up(game, 0, None)
    check_bot(name, table)
    _speak(name, table.name)


def _speak(name: str, game: str) -> None:
    """Speak the protocol. What the bot prints goes to standard error, so that only messages are on standard output."""
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        if not run_engine(name, game, sys.stdin.buffer, output):
            raise typer.Exit(1)


def _print_finding(what: str, problem: str) -> str:
    print(f"FAILED  {what}: {problem}" if problem else f"ok      {what}", flush=True)
    return problem
