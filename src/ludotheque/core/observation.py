"""The part of a position that one viewer may know: a plain value that can be stored, compared and sent."""

from __future__ import annotations

from msgspec import Struct

HIDDEN = "?"
"""The sign for a tile, card or share that the viewer may not see."""


class Observation(Struct, frozen=True, kw_only=True):
    """The fields of every game's observation; each game adds its own."""

    viewer: int
    """A seat from 0, or `SPECTATOR`."""
    to_move: int
    """A seat, `CHANCE` or `TERMINAL`."""
    players: int
    returns: tuple[float, ...] = ()
    """Each seat's share of the win, once the game is over."""

    @property
    def won_by(self) -> str:
        """The winner or winners, in a sentence, once the game is over."""
        seats = [f"seat {seat + 1}" for seat, share in enumerate(self.returns) if share]
        return f"Won by {' and '.join(seats)}."
