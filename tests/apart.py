"""Work that must not run in the thread of the tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_a_thread(work: Callable[[], T]) -> T:
    """Run it where no event loop is running; a browser test before it may have left one in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
