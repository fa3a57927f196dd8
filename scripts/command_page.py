"""Write `docs/command-line.md` from the commands themselves: every command, argument and option, with its help.

`python -m scripts.command_page` writes the page; a test compares it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from typer.main import get_command

from ludotheque.cli import app

PAGE: Final = Path(__file__).parents[1] / "docs" / "command-line.md"
_HIDDEN: Final = {"--help", "--install-completion", "--show-completion"}
_HEAD: Final = """# The command line

Written by `python -m scripts.command_page` from the commands themselves; `ludotheque COMMAND --help` prints the same.

Some to begin with:

```sh
ludotheque games
ludotheque rules cable-car
ludotheque simulate cable-car --seats 4 --option companies=on --games 20 --seed 7 --out games
ludotheque replay games/cable-car-7-01.json --at 60 --as 2
ludotheque render games/cable-car-7-01.json --at 60 --out board.svg
ludotheque render games/cable-car-7-01.json --out game.html
ludotheque review games/cable-car-7-01.json --simulations 32 --out review.html
ludotheque hint games/cable-car-7-01.json --at 59 --seconds 0.2
ludotheque arena cable-car bot:1 greedy --games 2 --seats 2
ludotheque perft passerelles --depth 2 --landscape africa
ludotheque cards check --sheet cards.svg
ludotheque bench cable-car --seats 4 --seconds 1
```
"""


def page() -> str:
    """The whole page."""
    root: Any = get_command(app)
    return "\n".join([_HEAD, *_commands("ludotheque", root)])


def _commands(name: str, command: Any) -> Iterator[str]:
    """A command, or those of a group."""
    children = command.list_commands(None) if hasattr(command, "list_commands") else []
    if not children or name.count(" "):
        yield from _command(name, command)
    for child in children:
        yield from _commands(f"{name} {child}", command.get_command(None, child))


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
    return f"| {names} | {(parameter.help or '').replace('|', '/')} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
