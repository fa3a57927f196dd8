"""What a seat is worth: for charts of a game, folded over the positions of its record."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.games.chicago_express.board import COMPANIES, DETROIT
from ludotheque.games.chicago_express.rules import ChicagoExpressState


class Worth(Struct, frozen=True):
    """The worth of one seat at one position."""

    cash: int
    shares: int
    """A plain estimate: what they would pay if no income and no holding changed until the end."""

    @property
    def total(self) -> int:
        return self.cash + self.shares


def worth(state: ChicagoExpressState) -> tuple[Worth, ...]:
    """By seat: its cash, and its shares at their present dividend times the general dividends still to come."""
    to_come = dividends_to_come(state)
    paid = [state.dividend(company) for company in range(COMPANIES)]
    return tuple(
        Worth(state.cash[seat], to_come * sum(state.held[COMPANIES * seat + c] * paid[c] for c in range(COMPANIES)))
        for seat in range(state.players)
    )


def dividends_to_come(state: ChicagoExpressState) -> int:
    """How many general dividends are still to come: one if an end holds, else as many as Detroit has steps; none after
    the end, when shares are worth nothing."""
    if state.is_terminal():
        return 0
    if state.ends():
        return 1
    return state.board.most_dividends() - state.steps[DETROIT]
