"""The commands that games declare themselves (`Game.commands`)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from ludotheque.cli.terminal import write_file
from ludotheque.core.commands import Argument, Command
from ludotheque.core.errors import UnknownGame
from ludotheque.core.registry import game_class, game_names


class GroupWithGames(TyperGroup):
    """The root of the command line. It loads the games only where their commands can matter. (Typer's versions differ
    in where the types of contexts and commands come from.)"""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *game_groups()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or game_groups().get(cmd_name)


@cache
def game_groups() -> dict[str, TyperGroup]:
    """The groups of commands that games declare, by name."""
    groups: dict[str, typer.Typer] = {}
    for command in declared():
        if command.group not in groups:
            groups[command.group] = typer.Typer(name=command.group, help=command.group_help, no_args_is_help=True)
        groups[command.group].command(command.name, help=inspect.cleandoc(command.help))(_function(command))
    return {name: get_group(group) for name, group in groups.items()}


def declared() -> Iterator[Command]:
    """The commands of all games; a game that cannot be loaded is reported on standard error."""
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
