"""Search a position: the visits and value of each move, and the line that is expected to follow.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.search import think
    >>> state = load_game("passerelles", rounds=1).new_initial_state()
    >>> found = think(state, simulations=500, seed=1)
    >>> found.simulations, found.best.action in state.legal_actions()
    (500, True)
    >>> found.line == (found.best.action, *found.best.line)
    True
    >>> shares = found.visit_shares()                        # a target for a policy network; adds up to 1
    >>> max(shares, key=shares.get) == found.best.action
    True

The search is the one that the bots of this package play by. It uses what the seat to act may know and nothing else.
"""

from __future__ import annotations

from msgspec import Struct

from ludotheque.bots.candidate import Candidate
from ludotheque.bots.players import SearchBot
from ludotheque.core.errors import BadOption
from ludotheque.core.game import State
from ludotheque.core.phrases import short_repr
from ludotheque.core.randoms import check_seed
from ludotheque.core.turn import Turn

__all__ = ["Candidate", "SearchResult", "think"]


class SearchResult(Struct, frozen=True):
    """The moves that a search tried for the seat to act."""

    seat: int
    moves: tuple[Candidate, ...]
    """The most visited first; before them a move that was worked out to the end, if there is one."""

    @property
    def best(self) -> Candidate:
        """The move to play."""
        return self.moves[0]

    @property
    def value(self) -> float:
        """The return that the seat can expect from the best move."""
        return self.best.returns[self.seat]

    @property
    def line(self) -> tuple[int, ...]:
        """The principal line: the best move, and the decisions that are expected to follow."""
        return self.best.action, *self.best.line

    @property
    def simulations(self) -> int:
        """The number of simulations that tried a move."""
        return sum(move.visits for move in self.moves)

    def visit_shares(self) -> dict[int, float]:
        """Each move's share of the visits; the best move alone, if it was worked out to the end."""
        if self.best.is_exact:
            return {self.best.action: 1.0}
        return {move.action: move.visits / self.simulations for move in self.moves}


def think(state: State, *, simulations: int = 0, seconds: float = 0.0, seed: int = 1) -> SearchResult:
    """Search for the seat to act, with a number of simulations or for some seconds on one core.

    With simulations, the same seed gives the same result. `NotYourTurn` where no seat is to act.
    """
    _check_budget(simulations, seconds)
    turn = Turn(state, int(state.current_player()))
    bot = SearchBot(state.game, check_seed(seed), simulations=simulations, seconds=seconds)
    return SearchResult(turn.seat, tuple(bot.think(turn)))


def _check_budget(simulations: int, seconds: float) -> None:
    if simulations < 0 or seconds < 0 or bool(simulations) == bool(seconds):
        given = f"simulations={short_repr(simulations)}, seconds={short_repr(seconds)}"
        raise BadOption(f"A search takes a number of simulations or of seconds, one of them above 0, not {given}.")
