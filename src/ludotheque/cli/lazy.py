"""The root of the command line. It lists all commands without loading them; a command is loaded when it is called."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from ludotheque.cli.listed import COMMANDS
from ludotheque.core.known_games import names_of_other_games

# Typer's versions differ in where the types of contexts and commands come from: they are Any here.


class LazyGroup(TyperGroup):
    """A group of the listed commands, and of those that the games of other packages declare."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (module, line) in COMMANDS.items():
            self.add_command(LazyCommand(name, module, line))

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *self._of_other_games()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or self._of_other_games().get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write plain text: loading Rich would take longer than all the rest."""
        super(TyperGroup, self).format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first line of help of each command, wrapped instead of cut."""
        rows = [(name, first_line(self.get_command(ctx, name).help)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _of_other_games(self) -> dict[str, Any]:
        """The groups that only games of other packages declare. Those games have to be loaded for it."""
        names = names_of_other_games()
        found = _groups_of_games(tuple(names)) if names else {}
        return {name: group for name, group in found.items() if name not in self.commands}


class LazyCommand(TyperCommand):
    """A command known by its name and the first line of its help; its module is imported when it is called."""

    def __init__(self, name: str, module: str, line: str) -> None:
        super().__init__(name, help=line)
        self.module = module

    def load(self) -> Any:
        """The command, or group of commands, itself."""
        return loaded(self.module)[self.name or ""]

    def make_context(self, *given: Any, **named: Any) -> Any:
        return self.load().make_context(*given, **named)


@cache
def loaded(module: str) -> dict[str, Any]:
    """The commands and groups that a module of this folder registers, by name."""
    app = typer.Typer(rich_markup_mode="markdown")
    import_module(f"ludotheque.cli.{module}").register(app)
    return dict(get_group(app).commands)


@cache
def _groups_of_games(names: tuple[str, ...]) -> dict[str, Any]:
    from ludotheque.cli.game_commands import register

    app = typer.Typer()
    register(app, names)
    return dict(get_group(app).commands)


def first_line(help_text: str | None) -> str:
    """The first paragraph of a help text, as one line."""
    return " ".join((help_text or "").split("\n\n")[0].split())
