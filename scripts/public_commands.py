"""The command line that `docs/stability.md` promises: commands, arguments, options and their defaults.

`python -m scripts.public_surface` writes it to `tests/public_commands.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_type_hints

from scripts.command_page import commands, with_children


def text() -> str:
    """Return one line for each command, argument and option."""
    found = (pair for name, _, command in commands() for pair in with_children(f"ludotheque {name}", command))
    return "".join(f"{line}\n" for name, command in found for line in _lines(name, command))


def _lines(name: str, command: Any) -> Iterator[str]:
    yield name
    types = get_type_hints(command.callback) if command.callback else {}
    for parameter in command.params:
        if parameter.name in types:
            yield f"{name} {_parameter(parameter, types[parameter.name])}"


def _parameter(parameter: Any, kind: Any) -> str:
    """An argument or option with its type and its default."""
    names = parameter.opts if parameter.param_type_name == "option" else [parameter.metavar]
    default = "" if parameter.required else f" = {parameter.default!r}"
    return f"{', '.join(names)}: {_type(kind)}{default}"


def _type(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind).removeprefix("typing.")
