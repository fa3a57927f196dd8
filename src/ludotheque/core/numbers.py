"""Whole numbers that a caller gives: any integer type will do, also those of an array library. Compiled."""

from __future__ import annotations

from operator import index
from typing import Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import short_repr


def as_int(value: Any, what: str, error: type[LudothequeError]) -> int:
    """The number as an `int`; `error` if it is no whole number. `what` is being asked for: "An action"."""
    if type(value) is int:  # much quicker than `index`
        return value
    try:
        return index(value)
    except TypeError as reason:
        raise error(f"{what} is a whole number, not {short_repr(value)}.") from reason
