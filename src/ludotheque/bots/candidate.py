"""A move that a search looked at, as a value."""

from __future__ import annotations

from msgspec import Struct


class Candidate(Struct, frozen=True):
    """A move of the position searched, with the result of its simulations."""

    action: int
    visits: int
    returns: tuple[float, ...]
    """The mean return of each seat: its share of the win, and a little of how far ahead it is."""
    scores: tuple[float, ...]
    """The mean final score of each seat, as played out or as the policy expects it where a rollout ended."""
    line: tuple[int, ...] = ()
    """The decisions that are expected to follow, as far as they were searched."""
    is_exact: bool = False
    """Whether this is the result of best play by all rather than an estimate."""
