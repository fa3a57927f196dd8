"""Gains of the player to act from each action of Chicago Express, less the others' mean gain, in dollars. Compiled."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import BIT, as_float
from ludotheque.games.chicago_express.appraisal import (
    CHICAGO_INCOME,
    GROWTH,
    Appraisal,
    bid_discount,
    dividends_to_come,
)
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    FOREST,
    HEX_BIT,
    INDUSTRIES,
    TRACK,
    WORD,
    WORDS,
    Board,
    words_of,
)
from ludotheque.games.chicago_express.rules import (
    AUCTION,
    BUILDING,
    CHOOSING,
    COMPANY,
    DEVELOPMENT,
    HEX,
    OFFERING,
    ChicagoExpressState,
)

DEVELOPED_LATER: Final = 0.3
"""Approximate chance that a hex with a new locomotive is developed in time."""
EXPANSION_COST: Final = 8.0
"""Approximate cost of an expansion."""


@final
class Gains:
    """The gains of actions at the position that was looked at last."""

    appraisal: Appraisal
    _raised: vec[i64]
    """The sets of the hexes whose development raises an income: by 1 or more, by 2 or more."""
    _interests: vec[float]
    """Part of a company's payments that goes to the player to act, less the mean part of the others, by company."""

    def __init__(self, board: Board, appraisal: Appraisal) -> None:
        self.appraisal = appraisal
        self._raised = _raised(board)
        self._interests = vec[float]([0.0] * COMPANIES)

    def look(self, state: ChicagoExpressState) -> None:
        """See what every gain depends on: the time left, who owns what, and how far Chicago is. Where to build depends
        on one company alone."""
        self.appraisal.to_come = dividends_to_come(state)
        if state.stage == BUILDING:
            self.appraisal.measure(state, state.company)
            return
        held = COMPANIES * state.player
        others = as_float(state.players - 1)
        company: i64 = 0
        while company < COMPANIES:
            self._interests[company] = 0.0
            if state.sold[company] > 0:
                mine = as_float(state.held[held + company]) / as_float(state.sold[company])
                self._interests[company] = mine - (1.0 - mine) / others
            if state.sold[company] > 0 or state.may_offer(company):
                self.appraisal.measure(state, company)
            company += 1

    def gain(self, state: ChicagoExpressState, action: i64) -> float:
        """Return the gain of anything but a bid, after a look; 0 for declining, or for being done."""
        if state.stage == CHOOSING:
            return self.dial_gain(state, action)
        if action >= HEX:
            if state.stage == BUILDING:
                return self.build_gain(state, action - HEX)
            return self.development_gain(state, action - HEX)
        if action >= COMPANY:
            if state.stage == OFFERING:
                return self.auction_gain(state, action - COMPANY)
            return self.expansion_gain(state, action - COMPANY)
        return 0.0

    def dial_gain(self, state: ChicagoExpressState, dial: i64) -> float:
        """Return about the best gain of an action; 0 if it is declined."""
        best = 0.0
        company: i64 = 0
        while company < COMPANIES:
            gain = 0.0
            if dial == AUCTION:
                if state.may_offer(company):
                    gain = self.auction_gain(state, company)
            elif self._interests[company] > 0.0:
                if dial == DEVELOPMENT:
                    gain = self._interests[company] * self.appraisal.to_come * self._best_rise(state, company)
                elif state.may_expand(company):
                    gain = self.expansion_gain(state, company)
            if gain > best:
                best = gain
            company += 1
        return best

    def _best_rise(self, state: ChicagoExpressState, company: i64) -> float:
        """Return the most by which a development can raise the company's income."""
        word: i64 = 0
        ripe: i64 = 0
        very_ripe: i64 = 0
        while word < WORDS:
            hexes = state.networks[WORDS * company + word] & state.can_be_developed[word]
            ripe |= hexes & self._raised[word]
            very_ripe |= hexes & self._raised[WORDS + word]
            word += 1
        if very_ripe != 0:
            return 2.0
        return 1.0 if ripe != 0 else 0.0

    def auction_gain(self, state: ChicagoExpressState, company: i64) -> float:
        """Return the gain of offering a share: the richest gets it, for what the second can pay, and others shrink."""
        sold = state.sold[company]
        lowest = state.minimum(company)
        minimum = as_float(lowest)
        worth = self.appraisal.share_worth(state, company, sold + 1, state.treasury[company] + lowest)
        cash = as_float(state.cash[state.player])
        rival = as_float(richest_rival(state, BIT[state.players] - 1))
        limit = worth * bid_discount(self.appraisal.to_come)
        gain = 0.0
        if (cash >= minimum or rival >= minimum) and (cash < limit or rival < limit):
            price = cash if cash < rival else rival
            if price < minimum:
                price = minimum
            if price > limit:
                price = limit
            gain = worth - price
            if cash < rival:
                gain /= as_float(1 - state.players)
        if sold > 0:
            before = self.appraisal.share_worth(state, company, sold, state.treasury[company])
            gain -= (before - worth) * as_float(sold) * self._interests[company]
        return gain

    def expansion_gain(self, state: ChicagoExpressState, company: i64) -> float:
        """Return the gain of building for a company: what a few dollars of treasury buy, and Chicago if it is near."""
        dollars = as_float(state.treasury[company])
        if dollars > EXPANSION_COST:
            dollars = EXPANSION_COST
        gain = GROWTH * dollars * self.appraisal.to_come
        steps = self.appraisal.steps[company]
        if 0 < steps <= state.board.expansion_limit:
            gain += as_float(state.income[company]) + CHICAGO_INCOME * (1.0 + self.appraisal.to_come)
        elif steps > 0:
            gain += self.appraisal.to_come
        return self._interests[company] * gain

    def development_gain(self, state: ChicagoExpressState, hex: i64) -> float:
        """Return the gain of developing a hex: what companies there pay more, or what the dollars of a forest buy."""
        city = i64(state.board.industry[hex])
        rise = as_float(state.board.development[hex])
        if city < INDUSTRIES:
            step = TRACK * city + state.steps[city]
            rise = as_float(state.board.track[step + 1] - state.board.track[step])
        elif i64(state.board.terrain[hex]) == FOREST:
            rise = GROWTH * as_float(state.board.forest_cash)
        interest = 0.0
        bit = HEX_BIT[hex]
        word = WORD[hex]
        company: i64 = 0
        while company < COMPANIES:
            if state.networks[word] & bit != 0:
                interest += self._interests[company]
            word += WORDS
            company += 1
        return interest * rise * self.appraisal.to_come

    def build_gain(self, state: ChicagoExpressState, hex: i64) -> float:
        """Return a company's gain from a locomotive on a hex: income now and later, a step to Chicago, less cost."""
        gain = as_float(state.value(hex)) - GROWTH * as_float(state.price_where_open(hex))
        if not state.has_house(hex):
            gain += DEVELOPED_LATER * as_float(state.board.development[hex])
        gain *= self.appraisal.to_come
        if self.appraisal.distance[hex] < self.appraisal.steps[state.company]:
            gain += 1.0 + 0.5 * self.appraisal.to_come
            if hex == state.board.chicago:
                gain += as_float(state.income[state.company])
        return gain


def richest_rival(state: ChicagoExpressState, seats: i64) -> i64:
    """The most that any of these seats, a set as bits, can pay, the player to act left out."""
    most: i64 = 0
    seat: i64 = 0
    while seat < state.players:
        if seat != state.player and seats & BIT[seat] != 0 and state.cash[seat] > most:
            most = state.cash[seat]
        seat += 1
    return most


def _raised(board: Board) -> vec[i64]:
    """The sets of the hexes whose development raises an income: by 1 or more, then by 2 or more."""
    hexes = range(int(board.hexes))
    rises = [_rise(board, hex) for hex in hexes]
    words = [word for rise in (1, 2) for word in words_of([hex for hex in hexes if rises[hex] >= rise])]
    return vec[i64]([i64(word) for word in words])


def _rise(board: Board, hex: int) -> int:
    """Return the rise of an income by a development of the hex, at the beginning of the game."""
    city = i64(board.industry[hex])
    if city < INDUSTRIES:
        return int(board.track[TRACK * city + 1] - board.track[TRACK * city])
    return int(board.development[hex])
