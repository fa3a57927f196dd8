"""What a game adds to the command line: declared here, without any library for command lines."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Argument(Struct, frozen=True, kw_only=True):
    """An optional text that a command takes: by position, or as `--name TEXT`."""

    name: str
    help: str
    metavar: str
    is_option: bool = False


class Output(Struct, frozen=True, kw_only=True):
    """What a command prints, the files it writes (content by path), and whether it failed."""

    text: str
    files: dict[str, str] = {}
    failed: bool = False


class Command(Struct, frozen=True, kw_only=True):
    """A command of a game: `ludotheque GROUP NAME`. `run` takes the arguments by name, "" for those not given."""

    group: str
    group_help: str
    name: str
    help: str
    arguments: tuple[Argument, ...] = ()
    run: Callable[..., Output]
