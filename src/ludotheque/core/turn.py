"""What a bot gets when it is to move: all that its seat may know, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from ludotheque.core.game import Game, State
from ludotheque.core.observation import Observation

Event = tuple[int, int | None]
"""A ply as one seat saw it: who acted (a seat, or `CHANCE`), and the action; None if the seat did not see it."""


class Turn:
    """A decision that a bot has to make, with all that its seat may know.

    The true position is not here. `state` is one drawn at random from all those that the seat cannot tell from it, and
    the observation and the legal actions, which are the same in all of them, are taken from that one.
    """

    def __init__(self, state: State, seat: int, events: Sequence[Event], clock: float) -> None:
        self.state: Final = state
        """A position that is possible for all the seat knows; the bot may change it."""
        self.seat: Final = seat
        self.events: Final = events
        """Every ply of the game so far, as the seat saw it."""
        self.clock: Final = clock
        """Seconds for this move; a bot that takes longer loses the game."""
        self.legal: Final = state.legal_actions()
        """The legal actions, ascending."""

    @property
    def game(self) -> Game:
        return self.state.game

    @cached_property
    def observation(self) -> Observation:
        """What the seat sees of the position."""
        return self.state.observation(self.seat)
