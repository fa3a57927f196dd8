"""Miniatures: a position near the end of each game, small enough to be solved. Data: `miniatures.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ludotheque.core.game import State
from ludotheque.core.registry import load_game

__all__ = ["Miniature", "miniatures"]


class Miniature(Struct, frozen=True):
    """A game that starts from a late position."""

    about: str
    game: str
    """A game string."""
    position: str

    def state(self) -> State:
        """The position, to play on from."""
        return load_game(self.game).read_position(self.position)


@cache
def miniatures() -> dict[str, Miniature]:
    """All miniatures, by the name of their game."""
    page = Path(__file__).with_name("miniatures.toml").read_bytes()
    return msgspec.toml.decode(page, type=dict[str, Miniature])
