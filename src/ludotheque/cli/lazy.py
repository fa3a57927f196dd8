"""The root of the command line. It lists all commands without loading them; a command is loaded when it is called."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from ludotheque.cli.command_index import COMMANDS

# Typer's versions differ in where the types of contexts and commands come from: they are Any here.


class LazyGroup(TyperGroup):
    """A group of the listed commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (module, line) in COMMANDS.items():
            self.add_command(LazyCommand(name, module, line))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write plain text: loading Rich would take longer than all the rest."""
        super(TyperGroup, self).format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first line of help of each command, wrapped instead of cut."""
        rows = [(name, first_line(command.help)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


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


def first_line(help_text: str | None) -> str:
    """The first paragraph of a help text, as one line."""
    return " ".join((help_text or "").split("\n\n")[0].split())
