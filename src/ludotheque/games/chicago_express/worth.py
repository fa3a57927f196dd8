"""An estimate of the cash that each seat will end with, for the charts of a match."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.games.chicago_express.appraisal import Appraisal, bid_discount
from ludotheque.games.chicago_express.board import COMPANIES
from ludotheque.games.chicago_express.rules import ChicagoExpressState


class Worth(Struct, frozen=True):
    """The estimate for one seat at one position; the bots use the same."""

    cash: int
    shares: int
    """About what its shares will still pay, as incomes grow and more shares are sold until the game ends."""
    earnings: int
    """About what its cash can still earn by buying shares."""

    @property
    def total(self) -> int:
        return self.cash + self.shares + self.earnings


def worth(state: ChicagoExpressState) -> tuple[Worth, ...]:
    """Return by seat its cash, what its shares will still pay and its cash still earn; cash alone after the end."""
    if state.is_terminal():
        return tuple(Worth(int(cash), 0, 0) for cash in state.cash)
    appraisal = Appraisal(state.board)
    appraisal.appraise(state)
    return tuple(_worth(appraisal, state, seat) for seat in range(state.players))


def _worth(appraisal: Appraisal, state: ChicagoExpressState, seat: int) -> Worth:
    cash = int(state.cash[seat])
    held = [int(state.held[COMPANIES * seat + company]) for company in range(COMPANIES)]
    paid = sum(shares * appraisal.worths[company] for company, shares in enumerate(held))
    return Worth(cash, round(paid), round(cash / bid_discount(appraisal.to_come) - cash))
