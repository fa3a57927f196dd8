"""What a seat is worth: the cash it is likely to end with. For charts of a game, folded over its positions."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.games.chicago_express.board import COMPANIES
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy, thrift
from ludotheque.games.chicago_express.rules import ChicagoExpressState


class Worth(Struct, frozen=True):
    """The worth of one seat at one position; the bots reckon the same."""

    cash: int
    shares: int
    """What its shares will still pay, about: incomes grow, more shares are sold, and the game ends some time."""
    earnings: int
    """What its cash can still earn, about, by buying shares."""

    @property
    def total(self) -> int:
        return self.cash + self.shares + self.earnings


def worth(state: ChicagoExpressState) -> tuple[Worth, ...]:
    """By seat: its cash, what its shares will still pay, and what the cash can still earn; cash alone after the end."""
    if state.is_terminal():
        return tuple(Worth(int(cash), 0, 0) for cash in state.cash)
    policy = ChicagoExpressPolicy(state.game)
    policy.appraise(state)
    return tuple(_worth(policy, state, seat) for seat in range(state.players))


def _worth(policy: ChicagoExpressPolicy, state: ChicagoExpressState, seat: int) -> Worth:
    cash = int(state.cash[seat])
    held = [int(state.held[COMPANIES * seat + company]) for company in range(COMPANIES)]
    paid = sum(shares * policy.worths[company] for company, shares in enumerate(held))
    return Worth(cash, round(paid), round(cash / thrift(policy.to_come) - cash))
