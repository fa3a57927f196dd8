"""Shared parts of the commands: the console, common arguments, files and errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludotheque.core.errors import BadOption, LudothequeError
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.game_string import read_game_string
from ludotheque.core.options import read_settings
from ludotheque.core.registry import game_class, load_game
from ludotheque.web import LANGUAGES

console = Console(highlight=False, markup=False, emoji=False)
"""Prints brackets and colons in names and moves literally."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; see `ludotheque games`.")]
TableGame = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, such as cable-car or cable_car(players=3); see `ludotheque games`."),
]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A record, as JSON or text.")]
Players = Annotated[int, typer.Option("--players", min=0, show_default="the minimum", help="Number of players.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the game; repeatable."),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", show_default="~/.local/share/ludotheque", help="The folder of the SQLite file."
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, max=1024, help="Number of processes on this machine.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")]


def _language(code: str) -> str:
    if code not in LANGUAGES:
        raise typer.BadParameter(f"{code!r} is not one of {', '.join(LANGUAGES)}.")
    return code


Language = Annotated[
    str,
    typer.Option("--language", parser=_language, metavar=f"[{'|'.join(LANGUAGES)}]", help="Language of the output."),
]


def fail(sentence: str) -> NoReturn:
    """Print one sentence on standard error and exit with code 1."""
    print(f"ludotheque: {sentence}", file=sys.stderr)
    raise SystemExit(1)


def print_json(value: object) -> None:
    """Print a value as a line of JSON, which is UTF-8 whatever the encoding of the output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def write_file(path: Path, text: str, silent: bool = False) -> None:
    """Write a file that the user asked for, and print its name unless silent."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LudothequeError(f"The file {str(path)!r} cannot be written: {reason}.") from error
    if not silent:
        print(f"Wrote {path}.")


def make_folder(path: Path) -> None:
    """Make a folder unless it exists."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudothequeError(f"The folder {str(path)!r} cannot be made: {error.strerror}.") from error


@contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error if that is a terminal; yields the function that advances it."""
    stderr = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=stderr, disable=not stderr.is_terminal)
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)


def game_kind(text: str) -> type[Game]:
    """The class of a game that is written as a name or, with options, as `cable_car(players=3)`."""
    return game_class(read_game_string(text).name)


def set_up(text: str, players: int, options: list[str] | None, default_players: int = 0) -> Game:
    """Load a game with the options given on the command line; `default_players` if no one says how many play."""
    written = read_game_string(text).written
    number = players or (0 if "players" in written else default_players)
    return load_game(text, number, **read_settings(game_kind(text).options, options or []))


def written_out(words: Sequence[str]) -> Iterator[str]:
    """Options of a game that are written out, `--name value` or `--name=value`, as `name=value`."""
    left = list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if not name.startswith("--") or not (equals or left):
            raise BadOption(f"An option of the game is written --name value, not {name[:40]!r}.")
        yield f"{name[2:]}={value if equals else left.pop(0)}"


def read_number(text: str) -> int | None:
    """Parse a number of up to nine digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def read_viewer(text: str, players: int) -> int:
    """Parse a seat, counted from 1, or `spectator`."""
    if text == "spectator":
        return SPECTATOR
    seat = read_number(text)
    if seat is None or not 1 <= seat <= players:
        raise BadOption(f"A viewer is a seat from 1 to {players} or spectator, not {text[:40]!r}.")
    return seat - 1
