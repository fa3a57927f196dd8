"""What a decent player of Chicago Express knows: what a share will still pay, and who gains from each hex. Compiled.

The worth of a seat is its cash and what its shares will still pay: the general dividends to come, at an income that
grows with what the treasury can buy, on to Chicago if it can be reached, over the shares sold by then.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import place_of
from ludotheque.core.game import Game, State
from ludotheque.core.policy import Policy
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    DETROIT,
    INDUSTRIES,
    TRACK,
    WORD_BITS,
    WORDS,
    Board,
    hexes_of,
)
from ludotheque.games.chicago_express.rules import (
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    COMPANY,
    HEX,
    HOUSES_LEFT,
    NAMING,
    OFFERING,
    PASS,
    ChicagoExpressState,
)

GROWTH: Final = 0.35
"""Income that a dollar in a treasury buys, about."""
GROWTH_FOR_LOCOMOTIVE: Final = 0.8
"""And a locomotive at most."""
GROWTH_AT_ONCE: Final = 1.5
"""And a company from one dividend to the next: others want to build as well."""
AUCTIONS: Final = 2.5
"""Shares sold from one dividend to the next, about."""
BUILT: Final = 10.0
"""Locomotives built from one dividend to the next, about."""
DEVELOPED: Final = 3.0
"""Houses built from one dividend to the next, about."""
DILUTION: Final = 0.3
"""The part of the unsold shares that will be sold by the middle of what is to come."""
CHICAGO_INCOME: Final = 7.0
STEP_COST: Final = 1.6
"""What a step towards Chicago costs, about."""
FAR: Final = 60
"""Further away than anything."""
MARGIN: Final = 0.85
"""The part of a share's worth that a careful bidder pays."""
TRIES: Final = 3
"""A playout builds or develops on the best of so many random hexes."""


@final
class ChicagoExpressPolicy(Policy):
    """Cash, and what the shares will still pay."""

    distance: vec[i64]
    """By hex: the steps to Chicago."""
    worths: vec[float]
    """By company: what one of its shares will still pay; found by `appraise`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.lead = 14.0
        self.width = 24
        self.horizon = 16
        self.pace = 10000
        state = game.new_initial_state()
        assert isinstance(state, ChicagoExpressState)
        self.distance = _distances(state.board)
        self.worths = vec[float]([0.0] * COMPANIES)

    # What a position is worth.

    def standings_into(self, state: State, shares: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        self.appraise(state)
        players = state.players
        best = 0.0
        seat: i64 = 0
        while seat < players:
            shares[seat] = self.seat_worth(state, seat)
            if shares[seat] > best:
                best = shares[seat]
            seat += 1
        total = 0.0
        seat = 0
        while seat < players:
            shares[seat] = exp((shares[seat] - best) / self.lead)
            total += shares[seat]
            seat += 1
        seat = 0
        while seat < players:
            shares[seat] /= total
            seat += 1

    def appraise(self, state: ChicagoExpressState) -> None:
        """Find what one share of each company will still pay."""
        company: i64 = 0
        while company < COMPANIES:
            self.worths[company] = 0.0
            if state.sold[company] > 0:
                self.worths[company] = self.share_worth(state, company, state.sold[company], state.treasury[company])
            company += 1

    def seat_worth(self, state: ChicagoExpressState, seat: i64) -> float:
        """What a seat can expect to have in the end, by the last appraisal."""
        worth = float(state.cash[seat])
        company: i64 = 0
        while company < COMPANIES:
            held = state.held[COMPANIES * seat + company]
            if held > 0:
                worth += float(held) * self.worths[company]
            company += 1
        return worth

    def share_worth(self, state: ChicagoExpressState, company: i64, sold: i64, treasury: i64) -> float:
        """What one of so many shares of a company will still pay, with so much in its treasury."""
        to_come = dividends_to_come(state)
        later = to_come - 1.0
        income = float(state.income[company])
        paid = to_come * income + self._growth(state, company, treasury, later)
        chance = self._chance_of_chicago(state, company, treasury)
        if chance > 0.0 and later > 0.0:
            paid += chance * (0.5 * later * CHICAGO_INCOME + income + CHICAGO_INCOME)
        unsold = float(state.board.shares[company] - sold)
        return paid / (float(sold) + DILUTION * unsold * later / (later + 2.0))

    def _growth(self, state: ChicagoExpressState, company: i64, treasury: i64, later: float) -> float:
        """What new income will pay over so many dividends after the next one."""
        most = GROWTH * float(treasury)
        for_locomotives = GROWTH_FOR_LOCOMOTIVE * float(state.locomotives[company])
        if most > for_locomotives:
            most = for_locomotives
        paid = 0.0
        growth = 0.0
        while later > 0.0:
            growth += GROWTH_AT_ONCE
            if growth > most:
                growth = most
            paid += growth * (later if later < 1.0 else 1.0)
            later -= 1.0
        return paid

    def _chance_of_chicago(self, state: ChicagoExpressState, company: i64, treasury: i64) -> float:
        """How likely the company gets to Chicago in time; 0 if it is there."""
        steps = self.steps_to_chicago(state, company)
        if steps == 0 or steps > state.locomotives[company]:
            return 0.0
        chance = float(treasury + 8) / (STEP_COST * float(steps) + 8.0)
        return 0.9 if chance > 0.9 else chance * 0.9

    def steps_to_chicago(self, state: ChicagoExpressState, company: i64) -> i64:
        least: i64 = FAR
        word: i64 = 0
        while word < WORDS:
            network = state.networks[WORDS * company + word]
            while network != 0:
                low = network & -network
                steps = self.distance[WORD_BITS * word + place_of(low)]
                if steps < least:
                    least = steps
                network ^= low
            word += 1
        return least

    # What a move is worth.

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        if state.stage == BIDDING:
            self._weigh_bids(state, actions, count, weights)
            return
        steps = self.steps_to_chicago(state, state.company) if state.stage == BUILDING else FAR
        i: i64 = 0
        while i < count:
            action = actions[i]
            if state.stage == CHOOSING:
                weights[i] = 1.0
            elif action >= HEX and state.stage == BUILDING:
                weights[i] = exp(self._build_gain(state, action - HEX, steps))
            elif action >= HEX:
                weights[i] = exp(self._develop_gain(state, action - HEX))
            elif action >= COMPANY and state.stage == NAMING:
                weights[i] = 0.2 + 2.0 * self.interest(state, state.player, action - COMPANY)
            elif action >= COMPANY:
                weights[i] = 1.0
            else:
                weights[i] = 0.3
            i += 1

    def _weigh_bids(self, state: ChicagoExpressState, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """The lowest bid, while it is below what the share is worth; higher ones less and less; else a pass."""
        worth = self.offer_worth(state)
        lowest = float(state.lowest_bid())
        i: i64 = 0
        while i < count:
            if actions[i] == PASS:
                weights[i] = sigmoid((lowest - worth) / 3.0) + 0.05
            else:
                bid = float(actions[i] - BID)
                weights[i] = sigmoid((worth - bid) / 3.0) / (1.0 + 0.5 * (bid - lowest)) + 0.001
            i += 1

    def offer_worth(self, state: ChicagoExpressState) -> float:
        """What the share for sale is worth to the player to act: what it pays, less what goes to those who share."""
        company = state.company
        bid = state.lowest_bid()
        sold = state.sold[company] + 1
        paid = self.share_worth(state, company, sold, state.treasury[company] + bid)
        return MARGIN * paid

    def interest(self, state: ChicagoExpressState, seat: i64, company: i64) -> float:
        """Which part of what a company pays goes to the seat, less the mean part of the others."""
        sold = state.sold[company]
        if sold == 0:
            return 0.0
        mine = float(state.held[COMPANIES * seat + company]) / float(sold)
        part = mine - (1.0 - mine) / float(state.players - 1)
        return part if part > 0.0 else 0.0

    def _build_gain(self, state: ChicagoExpressState, hex: i64, steps: i64) -> float:
        """Income, and steps towards Chicago, for little money."""
        gain = 0.7 * float(state.value(hex)) - 0.35 * float(state.price(hex))
        if steps > 0 and self.distance[hex] < steps:
            gain += 1.0
        return gain

    def _develop_gain(self, state: ChicagoExpressState, hex: i64) -> float:
        """Income for the companies there, by the part that the player has in them."""
        city = i64(state.board.industry[hex])
        rise = state.board.development[hex]
        if city < INDUSTRIES:
            step = TRACK * city + state.steps[city]
            rise = state.board.track[step + 1] - state.board.track[step]
        gain = -0.5
        company: i64 = 0
        while company < COMPANIES:
            if state.is_on(company, hex) and state.sold[company] > 0:
                mine = float(state.held[COMPANIES * state.player + company]) / float(state.sold[company])
                gain += 1.5 * float(rise) * (mine - (1.0 - mine) / float(state.players - 1))
            company += 1
        return gain

    # A playout.

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, ChicagoExpressState)
        if state.stage == BIDDING:
            return self._quick_bid(state, rng)
        best = state.sample(rng)
        if state.stage == CHOOSING or state.stage == OFFERING:
            return best
        steps = self.steps_to_chicago(state, state.company) if state.stage == BUILDING else FAR
        best_gain = self._quick_gain(state, best, steps)
        tries: i64 = 1
        while tries < TRIES:
            other = state.sample(rng)
            gain = self._quick_gain(state, other, steps)
            if gain > best_gain:
                best = other
                best_gain = gain
            tries += 1
        return best

    def _quick_bid(self, state: ChicagoExpressState, rng: Random) -> i64:
        lowest = state.lowest_bid()
        limit = self.offer_worth(state) * (0.7 + 0.4 * rng.random())
        if lowest <= state.cash[state.player] and float(lowest) <= limit:
            return BID + lowest
        return PASS

    def _quick_gain(self, state: ChicagoExpressState, action: i64, steps: i64) -> float:
        if action >= HEX and state.stage == BUILDING:
            return self._build_gain(state, action - HEX, steps)
        if action >= HEX:
            return self._develop_gain(state, action - HEX)
        if action >= COMPANY:
            return self.interest(state, state.player, action - COMPANY)
        return 0.0


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def dividends_to_come(state: ChicagoExpressState) -> float:
    """How many general dividends to expect: one if an end holds, more the further off the nearest end is."""
    if state.ends() != 0:
        return 1.0
    board = state.board
    unsold = vec[i64]([0] * COMPANIES)
    unbuilt = vec[i64]([0] * COMPANIES)
    company: i64 = 0
    while company < COMPANIES:
        unsold[company] = board.shares[company] - state.sold[company]
        unbuilt[company] = state.locomotives[company]
        company += 1
    later = float(board.last_step[DETROIT] - state.steps[DETROIT])
    later = min(later, least_three(unsold) / AUCTIONS, least_three(unbuilt) / BUILT)
    later = min(later, float(state.houses - HOUSES_LEFT) / DEVELOPED)
    return 1.0 + later


def least_three(numbers: vec[i64]) -> float:
    """The sum of the three least: what is missing until so many companies have nothing left."""
    total: i64 = 0
    greatest: i64 = 0
    second: i64 = 0
    company: i64 = 0
    while company < COMPANIES:
        number = numbers[company]
        total += number
        if number > greatest:
            second = greatest
            greatest = number
        elif number > second:
            second = number
        company += 1
    return float(total - greatest - second)


def _distances(board: Board) -> vec[i64]:
    """By hex: the steps to Chicago, `FAR` where none lead there."""
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
