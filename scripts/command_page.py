"""Texts made from the commands themselves: `reference()`, with the help of every command, argument and option, which
the documentation site shows below `docs/command-line.md`; and `cli/command_index.py`, with the first line of each, for
`ludotheque --help`.

`python -m scripts.command_page` writes the second; a test compares it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ludotheque.cli.lazy import first_line, loaded

ROOT: Final = Path(__file__).parents[1]
LIST: Final = ROOT / "src" / "ludotheque" / "cli" / "command_index.py"
MODULES: Final = (
    "library", "play", "learn", "puzzles", "serve", "database", "records", "review", "bots", "engine", "bench", "count",
    "new_game", "cards", "suite",
)  # fmt: skip
"""The modules with commands, in the order of `ludotheque --help`, in which groups of commands come last."""
_HIDDEN: Final = {"--help", "--install-completion", "--show-completion"}
_LIST_HEAD: Final = '''"""The commands, each with its module and first line of help; `ludotheque --help` loads none.

Written by `python -m scripts.command_page` from the commands themselves.
"""

from __future__ import annotations

from typing import Final

'''


def reference() -> str:
    """The help of every command, with its arguments and options."""
    found = (pair for name, _, command in commands() for pair in with_children(f"ludotheque {name}", command))
    return "\n".join(part for name, command in found for part in _command(name, command))


def commands() -> list[tuple[str, str, Any]]:
    """The name of each command, its module and itself, in the order of the help."""
    found = [(name, module, command) for module in MODULES for name, command in loaded(module).items()]
    return sorted(found, key=lambda row: bool(_children(row[2])))


def command_list() -> str:
    """The text of `cli/command_index.py`."""
    rows = "".join(f'    "{name}": (\n        "{module}",\n        "{first_line(command.help)}",\n    ),\n'
                   for name, module, command in commands())  # fmt: skip
    return f"{_LIST_HEAD}COMMANDS: Final = {{\n{rows}}}\n"


def _children(command: Any) -> list[str]:
    """The names of the commands of a group; none for a command."""
    return list(command.list_commands(None)) if hasattr(command, "list_commands") else []


def with_children(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield a command, or a group and its commands, each with its whole name."""
    yield name, command
    for child in _children(command):
        yield from with_children(f"{name} {child}", command.get_command(None, child))


def _command(name: str, command: Any) -> Iterator[str]:
    yield f"## `{name}`\n"
    yield f"{command.help.strip()}\n" if command.help else ""
    rows = [row for parameter in command.params if (row := _row(parameter))]
    if rows:
        yield "| | |\n|---|---|"
        yield from rows
        yield ""


def _row(parameter: Any) -> str:
    """An argument or option as a row of a table; empty for those that every command has."""
    if _HIDDEN.intersection(parameter.opts):
        return ""
    is_option = parameter.param_type_name == "option"
    names = ", ".join(f"`{name}`" for name in parameter.opts) if is_option else f"`{parameter.metavar}`"
    return f"| {names} | {(parameter.help or '').replace('|', '/')}{_default(parameter)} |"


def _default(parameter: Any) -> str:
    """The default of an argument or option, in the words of its help; empty if it has none."""
    if isinstance(parameter.show_default, str):
        return f" Default: {parameter.show_default}."
    return "" if parameter.default in (None, "", False) else f" Default: `{parameter.default}`."


if __name__ == "__main__":
    LIST.write_text(command_list(), encoding="utf-8")
