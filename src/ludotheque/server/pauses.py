"""Work that holds what others wait for: until it lets go, it pays for processor time but does not wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_HELD: Final[ContextVar[int]] = ContextVar("held", default=0)
"""The number of things that the present work holds."""


@contextmanager
def without_pauses() -> Iterator[None]:
    """Hold something that others wait for, such as a connection to the database."""
    before = _HELD.get()
    _HELD.set(before + 1)
    try:
        yield
    finally:
        _HELD.set(before)


def may_pause() -> bool:
    """Whether the present work holds nothing that others wait for."""
    return not _HELD.get()
