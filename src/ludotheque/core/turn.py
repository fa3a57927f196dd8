"""A decision of a bot, with all that its seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from ludotheque.core.errors import NotYourTurn
from ludotheque.core.game import Game, State
from ludotheque.core.observation import Observation
from ludotheque.core.phrases import short_repr

SeenPly = tuple[int, int | None]
"""A ply as one seat saw it: who acted (a seat, or `CHANCE`), and the action; None if the seat did not see it."""

CLOCK: Final = 60.0
"""Seconds for a move of a custom bot, by default."""


class Turn:
    """A decision that a bot has to make, with all that its seat may know.

    The true position is not here. `state` is one drawn at random from all those that the seat cannot tell from it, and
    the observation and the legal actions, which are the same in all of them, are taken from that one.
    """

    def __init__(self, state: State, seat: int, events: Sequence[SeenPly] = (), clock: float = CLOCK) -> None:
        _check_turn(state, seat)
        self.state: Final = state
        """A position that is possible for all the seat knows; the bot may change it."""
        self.seat: Final = seat
        self.events: Final = events
        """Every ply of the game so far, as the seat saw it; empty if it is not known. A bot that follows the game from
        decision to decision may use what it found out before."""
        self.clock: Final = clock
        """Seconds for this move; a bot that takes longer loses the game."""
        self.legal: Final = state.legal_actions()
        """The legal actions, ascending."""

    @property
    def game(self) -> Game:
        return self.state.game

    @cached_property
    def observation(self) -> Observation:
        """The position as the seat sees it."""
        return self.state.observation(self.seat)


def _check_turn(state: State, seat: int) -> None:
    """Raise `NotYourTurn` unless the seat is to act."""
    if state.is_terminal():
        raise NotYourTurn("The game is over: no seat is to act.")
    if state.is_chance_node():
        raise NotYourTurn("A draw comes next: no seat is to act.")
    if (player := int(state.current_player())) != seat:
        raise NotYourTurn(f"Seat {short_repr(seat)} is not to act; seat {player} is.")
