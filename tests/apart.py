"""Work that must not run in the thread of the tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from typer.testing import CliRunner, Result

from ludotheque.cli import app

T = TypeVar("T")


def in_a_thread(work: Callable[[], T]) -> T:
    """Run it where no event loop is running; a browser test before it may have left one in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def invoke(*words: str) -> Result:
    """Run a command that runs an event loop of its own."""
    return in_a_thread(lambda: CliRunner().invoke(app, words))
