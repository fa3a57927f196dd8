"""Appraisal of Chicago Express: payments still to come for each share, and the cash that seats will end with. Compiled.

The worth of a seat is what its shares will still pay (the general dividends to come, at an income that grows with what
the treasury can buy, on to Chicago if it can be reached, over the shares sold by then) and its cash, which counts for
more while it can still buy shares: a seat with money when the others have none buys cheaply.

The constants were fitted by least squares, and the leads by log-loss, to games of the bots among themselves.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import as_float
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, WABASH, WORDS, Board, hexes_of, words_of
from ludotheque.games.chicago_express.rules import AUCTION, HOUSES_LEFT, ChicagoExpressState, per_share

GROWTH: Final = 0.3
"""Approximate income that a dollar in a treasury buys."""
GROWTH_FOR_LOCOMOTIVE: Final = 0.6
"""And a locomotive at most."""
GROWTH_AT_ONCE: Final = 4.0
"""And a company from one dividend to the next: others want to build as well."""
SALES: Final = 1.5
"""Approximate number of shares sold from one dividend to the next, of those that matter for the end."""
SALES_NOW: Final = 0.3
"""Approximate part of the auctions left before the next dividend that sell one of them."""
BUILT: Final = 15.0
"""Approximate number of locomotives built from one dividend to the next."""
DEVELOPED: Final = 4.0
"""Approximate number of houses built from one dividend to the next."""
DILUTION: Final = 0.15
"""Approximate part of the unsold shares that is sold from one dividend to the next."""
CHICAGO_INCOME: Final = 7.0
STEP_COST: Final = 1.6
"""Approximate cost of a step towards Chicago."""
CHICAGO_STEPS: Final = 6.0
"""Steps from Chicago at which a company that can pay its way arrives in time in about half of all games."""
CHICAGO_UNPAID: Final = 0.1
"""And seldom if it has not the money yet."""
FAR: Final = 60
"""Further away than anything."""
REINVESTMENT_RATE: Final = 0.15
"""The return on a dollar put into later shares, for each dividend after the next."""
LEAD: Final = 2.5
"""The lead in dollars that makes a seat about three times as likely to win as another, at the last dividend."""
LEAD_TO_COME: Final = 3.5
"""Addition for each dividend to come before it."""


@final
class Appraisal:
    """The latest look at a position: the dividends to come, the ways to Chicago, and what each share will still pay."""

    distance: vec[i64]
    """Steps to Chicago by hex."""
    to_come: float
    """Expected number of general dividends."""
    steps: vec[i64]
    """Steps to Chicago by company; found by `measure`."""
    worths: vec[float]
    """Expected payments of one share of a company, by company; found by `appraise`."""
    _near: vec[i64]
    """Set of the hexes that are no further from Chicago than a number of steps, by steps."""

    def __init__(self, board: Board) -> None:
        self.distance = _distances(board)
        self.to_come = 0.0
        self.steps = vec[i64]([0] * COMPANIES)
        self.worths = vec[float]([0.0] * COMPANIES)
        self._near = _near(self.distance)

    def appraise(self, state: ChicagoExpressState) -> None:
        """Find what one share of each company will still pay."""
        self.to_come = dividends_to_come(state)
        company: i64 = 0
        while company < COMPANIES:
            self.worths[company] = 0.0
            if state.sold[company] > 0:
                self.measure(state, company)
                self.worths[company] = self.share_worth(state, company, state.sold[company], state.treasury[company])
            company += 1

    def seat_worth(self, state: ChicagoExpressState, seat: i64) -> float:
        """Return what a seat can expect to have in the end, by the last appraisal."""
        worth = as_float(state.cash[seat]) / bid_discount(self.to_come)
        company: i64 = 0
        while company < COMPANIES:
            held = state.held[COMPANIES * seat + company]
            if held > 0:
                worth += as_float(held) * self.worths[company]
            company += 1
        return worth

    def share_worth(self, state: ChicagoExpressState, company: i64, sold: i64, treasury: i64) -> float:
        """Return what one share of a company will still pay, given the shares sold and the treasury."""
        most = GROWTH * as_float(treasury)
        for_locomotives = GROWTH_FOR_LOCOMOTIVE * as_float(state.locomotives[company])
        if most > for_locomotives:
            most = for_locomotives
        income = as_float(state.income[company])
        most += income
        unsold = as_float(state.board.shares[company] - sold)
        shares = as_float(sold)
        paid = as_float(per_share(state.income[company], sold))
        later = self.to_come - 1.0
        if later > 0.0:
            chance = self._chance_of_chicago(state, company, treasury)
            most += chance * CHICAGO_INCOME
            paid += chance * income / shares
        while later > 0.0:
            income += GROWTH_AT_ONCE
            if income > most:
                income = most
            shares += DILUTION * unsold
            unsold -= DILUTION * unsold
            # Rounding up gives half a dollar for nothing, unless there is a single share.
            paid += (0.5 + (income - 0.5) / shares) * (later if later < 1.0 else 1.0)
            later -= 1.0
        return paid

    def _chance_of_chicago(self, state: ChicagoExpressState, company: i64, treasury: i64) -> float:
        """Return the chance that the company gets to Chicago in time; 0 if it is there."""
        steps = self.steps[company]
        if steps == 0 or steps > state.locomotives[company]:
            return 0.0
        cost = STEP_COST * as_float(steps)
        if as_float(treasury) < cost:
            return CHICAGO_UNPAID * as_float(treasury) / cost
        return CHICAGO_STEPS / (as_float(steps) + CHICAGO_STEPS)

    def measure(self, state: ChicagoExpressState, company: i64) -> None:
        """Find how far a company is from Chicago."""
        self.steps[company] = self._steps_to_chicago(state, company)

    def _steps_to_chicago(self, state: ChicagoExpressState, company: i64) -> i64:
        """The least steps from a hex of the network. What was found last time is the first guess: it seldom changes."""
        networks = state.networks
        near = self._near
        west = networks[WORDS * company]
        middle = networks[WORDS * company + 1]
        east = networks[WORDS * company + 2]
        steps = self.steps[company]
        while steps > 0:
            word = WORDS * (steps - 1)
            if (west & near[word]) | (middle & near[word + 1]) | (east & near[word + 2]) == 0:
                break
            steps -= 1
        while steps < FAR:
            word = WORDS * steps
            if (west & near[word]) | (middle & near[word + 1]) | (east & near[word + 2]) != 0:
                break
            steps += 1
        return steps


def bid_discount(to_come: float) -> float:
    """The part of what a share will pay that is right to bid for it."""
    return 1.0 / (1.0 + REINVESTMENT_RATE * (to_come - 1.0))


def lead_with(to_come: float) -> float:
    """The lead in dollars that makes a seat about three times as likely to win, with so many dividends to come."""
    return LEAD + LEAD_TO_COME * (to_come - 1.0)


def dividends_to_come(state: ChicagoExpressState) -> float:
    """Return the expected number of general dividends: one if an end holds, as it is no way off then; more the further
    off the nearest end is."""
    board = state.board
    later = as_float(board.last_step[DETROIT] - state.steps[DETROIT])
    sales = as_float(_to_the_end(state, False)) - SALES_NOW * as_float(board.limit[AUCTION] - state.dials[AUCTION])
    if sales < later * SALES:
        later = sales / SALES
    locomotives = as_float(_to_the_end(state, True))
    if locomotives < later * BUILT:
        later = locomotives / BUILT
    houses = as_float(state.houses - HOUSES_LEFT)
    if houses < later * DEVELOPED:
        later = houses / DEVELOPED
    return 1.0 + later if later > 0.0 else 1.0


def _to_the_end(state: ChicagoExpressState, of_locomotives: bool) -> i64:
    """Return the shares, or locomotives, left to the three companies in play that have least of them."""
    total: i64 = 0
    greatest: i64 = 0
    second: i64 = 0
    company: i64 = 0
    while company < COMPANIES:
        left = state.locomotives[company] if of_locomotives else state.board.shares[company] - state.sold[company]
        if company == WABASH and not state.wabash_open:
            left = FAR
        total += left
        if left > greatest:
            second = greatest
            greatest = left
        elif left > second:
            second = left
        company += 1
    return total - greatest - second


def _distances(board: Board) -> vec[i64]:
    """Return the steps to Chicago by hex, `FAR` where none lead there."""
    steps = [FAR] * 180
    steps[int(board.chicago)] = 0
    reached = [int(board.chicago)]
    for hex in reached:
        around = vec[i64]([board.around[WORDS * hex + word] for word in range(WORDS)])
        for near in hexes_of(around):
            if steps[near] == FAR:
                steps[near] = steps[hex] + 1
                reached.append(near)
    return vec[i64]([i64(step) for step in steps])


def _near(distance: vec[i64]) -> vec[i64]:
    """Return the set of the hexes that are no further from Chicago, by steps."""
    hexes = range(len(distance))
    words = [word for steps in range(FAR + 1) for word in words_of([hex for hex in hexes if distance[hex] <= steps])]
    return vec[i64]([i64(word) for word in words])
