"""The command line, `ludotheque`: one module per group of commands, loaded when one of them is called."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

import ludotheque
from ludotheque.cli.lazy import LazyGroup

_SERVER_PACKAGES = {"aiosqlite", "alembic", "litestar", "markdown_it", "sqlalchemy", "uvicorn"}
"""The packages of the extra `server`."""


def _current_name(option: str) -> str:
    """The name that an option has now: `--seats` was renamed after 0.1."""
    return "players" if option == "seats" else option


app = typer.Typer(
    name="ludotheque",
    cls=LazyGroup,
    help="Four modern board games with exact rules: play them, replay them, measure them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"token_normalize_func": _current_name},
)


def _version(asked: bool) -> None:
    if asked:
        mode = "compiled" if ludotheque.COMPILED else "pure Python"
        print(f"ludotheque {ludotheque.__version__} ({mode})")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Four modern board games with exact rules: play them, replay them, measure them."""


def main() -> None:
    """Run a command. A user's mistake is reported as one sentence on standard error, with exit code 1."""
    _print_in_any_encoding()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except Exception as error:
        _report(error)


def _print_in_any_encoding() -> None:
    """Let no text fail for the encoding of the output.

    Files and pipes get UTF-8, as from Python 3.15 on. A terminal, or what PYTHONIOENCODING chose, keeps its encoding
    and shows `?` in place of a sign that it lacks, such as an arrow at an old Windows console.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            keeps = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if keeps else "utf-8", errors="replace")


def _report(error: Exception) -> NoReturn:
    """Print the sentence of a user's mistake; raise any other error again."""
    from ludotheque.cli.terminal import fail
    from ludotheque.core.errors import LudothequeError

    if isinstance(error, LudothequeError):
        fail(str(error))
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _SERVER_PACKAGES:
        fail("A server needs more packages; install them with: pip install 'ludotheque[server]'.")
    if not isinstance(error, OSError):
        raise error
    if error.filename is not None:
        fail(f"{str(error.filename)!r} cannot be used: {error.strerror}.")
    # Python flushes standard output again at exit; send that to the null device.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    fail(f"The output cannot be written: {error.strerror}.")
