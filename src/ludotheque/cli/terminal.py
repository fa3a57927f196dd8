"""What the commands share: the console, the usual arguments, and how things are said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludotheque.core.errors import BadOption, LudothequeError
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.options import read_settings
from ludotheque.core.registry import game_class, load_game

console = Console(highlight=False, markup=False, emoji=False)
"""Names and moves that people type may hold brackets and colons: they are shown as they are."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game, as `ludotheque games` lists it.")]
Seats = Annotated[int, typer.Option("--seats", min=0, help="How many play; 0: as few as the game takes.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]


def fail(sentence: str) -> NoReturn:
    """End with exit code 1 and one sentence."""
    print(f"ludotheque: {sentence}", file=sys.stderr)
    raise SystemExit(1)


def write_file(path: Path, text: str, silent: bool = False) -> None:
    """Write a file that a person asked for, and say so."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LudothequeError(f"The file {str(path)!r} cannot be written: {reason}.") from error
    if not silent:
        print(f"Wrote {path}.")


def make_folder(path: Path) -> None:
    """Make a folder that a person asked for, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudothequeError(f"The folder {str(path)!r} cannot be made: {error.strerror}.") from error


@contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where somebody watches; it advances when called."""
    screen = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=screen, disable=not screen.is_terminal)
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)


def set_up(name: str, seats: int, options: list[str] | None) -> Game:
    """The game that a person asked for."""
    return load_game(name, seats, **read_settings(game_class(name).options, options or []))


def written_out(words: Sequence[str]) -> Iterator[str]:
    """Options of a game that are written out, `--name value` or `--name=value`, as `name=value`."""
    left = list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if not name.startswith("--") or not (equals or left):
            raise BadOption(f"An option of the game is written --name value, not {name[:40]!r}.")
        yield f"{name[2:]}={value if equals else left.pop(0)}"


def read_number(text: str) -> int | None:
    """The number that a person typed; None for anything else, or one longer than anybody needs."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def read_viewer(text: str, players: int) -> int:
    """A seat as people count, or `spectator`."""
    if text == "spectator":
        return SPECTATOR
    seat = read_number(text)
    if seat is None or not 1 <= seat <= players:
        raise BadOption(f"A viewer is a seat from 1 to {players}, or spectator, not {text[:40]!r}.")
    return seat - 1
