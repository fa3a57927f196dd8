"""The commands that games declare themselves (`Game.commands`)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.terminal import write_file
from ludotheque.core.commands import Argument, Command
from ludotheque.core.errors import UnknownGame
from ludotheque.core.registry import game_class, game_names


def register(app: typer.Typer) -> None:
    groups: dict[str, typer.Typer] = {}
    for command in _declared():
        if command.group not in groups:
            groups[command.group] = typer.Typer(help=command.group_help, no_args_is_help=True)
            app.add_typer(groups[command.group], name=command.group)
        groups[command.group].command(command.name, help=inspect.cleandoc(command.help))(_function(command))


def _declared() -> Iterator[Command]:
    for name in game_names():
        try:
            yield from game_class(name).commands
        except UnknownGame as error:
            print(f"The commands of {name} are missing: {error}", file=sys.stderr)


def _function(command: Command) -> Callable[..., None]:
    """A function with the command's arguments as its parameters, as Typer expects it."""

    def run(**given: str) -> None:
        output = command.run(**given)
        print(output.text)
        for path, content in output.files.items():
            write_file(Path(path), content)
        if output.failed:
            raise typer.Exit(1)

    parameters = [_parameter(argument) for argument in command.arguments]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameter(argument: Argument) -> inspect.Parameter:
    declared: object
    if argument.is_option:
        declared = typer.Option(f"--{argument.name}", metavar=argument.metavar, help=argument.help)
    else:
        declared = typer.Argument(metavar=argument.metavar, help=argument.help)
    return inspect.Parameter(
        argument.name, inspect.Parameter.KEYWORD_ONLY, default="", annotation=Annotated[str, declared]
    )
