"""The commands that games declare themselves (`Game.commands`)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.terminal import write_file
from ludotheque.core.commands import Argument, Command
from ludotheque.core.errors import UnknownGame
from ludotheque.core.registry import game_class, game_names


def register(app: typer.Typer, names: Sequence[str] = ()) -> None:
    """Add the groups of commands that these games declare; without names: all games."""
    groups: dict[str, typer.Typer] = {}
    for command in declared(names or game_names()):
        if command.group not in groups:
            groups[command.group] = typer.Typer(name=command.group, help=command.group_help, no_args_is_help=True)
            app.add_typer(groups[command.group])
        groups[command.group].command(command.name, help=inspect.cleandoc(command.help))(_function(command))


def declared(names: Sequence[str]) -> Iterator[Command]:
    """The commands of these games; a game that cannot be loaded is reported on standard error."""
    for name in names:
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
