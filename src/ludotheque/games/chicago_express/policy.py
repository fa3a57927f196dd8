"""A decent player of Chicago Express: values of positions, bids, the favourites of a search, and rollouts. Compiled.

`appraisal.py` says what shares will still pay, `gains.py` what an action gains. `SPENDING`, `SAVING` and
`LIMIT_OF_FOUR` were found by playing.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import as_float, kth_place, popcount
from ludotheque.core.game import TERMINAL, Game, State
from ludotheque.core.policy import Policy
from ludotheque.games.chicago_express.appraisal import Appraisal, bid_discount, dividends_to_come, lead_with
from ludotheque.games.chicago_express.board import DETROIT, WORD_BITS
from ludotheque.games.chicago_express.gains import Gains, richest_rival
from ludotheque.games.chicago_express.rules import (
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    DECLINE,
    DIALS,
    HEX,
    OFFERING,
    PASS,
    ChicagoExpressState,
)

NO_ACTION: Final = -1
SPENDING: Final = 0.07
"""Deduction from that rate in a search, for cash in hand: a search without it lets the others buy too cheaply."""
LIMIT_OF_FOUR: Final = 0.92
"""The part of what is right to bid with other seats that is right with four: there is one first share for each of them,
so that prices stay low."""
SAVING: Final = 0.1
"""Addition to that rate for a bidder who looks one turn ahead and does not see what the cash will buy."""
TEMPERATURE: Final = 3.0
"""Dollars of gain, or of distance below a bidder's limit, that make a move weigh about three times
as much."""
MOST_TEMPERATURES: Final = 4.0
"""The gain in such steps above which a move weighs no more."""
ABSURD: Final = 1000.0
"""Loss of a bid that no dividend can pay back: no bot makes it, even by a slip."""
TRIES: Final = 3
"""A rollout takes the best of this number of random moves."""
TRIES_TO_BUILD: Final = 6
"""The same for hexes to build on."""
NOISE: Final = 4.0
"""Dollars by which a player in a rollout may misjudge an action."""


@final
class ChicagoExpressPolicy(Policy):
    """Cash, and what the shares will still pay."""

    appraisal: Appraisal
    gains: Gains
    limit_part: float
    """The part of what a share is worth to a careful bidder that it pays with so many seats."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.lead_scale = 10.0
        self.width = 24
        self.expand_after_visits = 1
        self.beam = 8
        self.merges_transpositions = game.players == 2  # with more seats it gained nothing
        self.slips_unseen = True
        self.worst_slip = 5.0
        self.limit_part = LIMIT_OF_FOUR if game.players == 4 else 1.0
        state = game.new_initial_state()
        assert isinstance(state, ChicagoExpressState)
        self.appraisal = Appraisal(state.board)
        self.gains = Gains(state.board, self.appraisal)

    def is_plausible(self, action: int) -> bool:
        """Nobody chooses an action and declines it by mistake: people who do so want to turn the dial."""
        return action != DECLINE

    # The worth of a position.

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        self.appraisal.appraise(state)
        seat: i64 = 0
        while seat < state.players:
            scores[seat] = self.appraisal.seat_worth(state, seat)
            seat += 1

    def lead_scale_at(self, state: State) -> float:
        assert isinstance(state, ChicagoExpressState)
        return lead_with(dividends_to_come(state))

    def evaluate_into(self, state: State, returns: vec[float], scores: vec[float]) -> None:
        """As ever, but with less weight on cash in hand than it has in the scores to expect."""
        assert isinstance(state, ChicagoExpressState)
        if state.player == TERMINAL:
            super().evaluate_into(state, returns, scores)
            return
        self.estimate_scores_into(state, scores)
        part = SPENDING * (self.appraisal.to_come - 1.0)
        seat: i64 = 0
        while seat < state.players:
            self._outlook[seat] = scores[seat] - part * as_float(state.cash[seat])
            seat += 1
        self.likely_shares_into(self._outlook, lead_with(self.appraisal.to_come), returns)

    def resolve_auction(self, state: State) -> None:
        """Carry an auction to its end: every seat bids up to what the share is worth to a careful bidder."""
        assert isinstance(state, ChicagoExpressState)
        company = state.company
        openings = state.openings
        while state.stage == BIDDING and state.company == company and state.openings == openings:
            state.apply(self._bid_up_to(state, i64(self.limit(state))))

    def is_turn_over(self, state: State, seat: i64) -> bool:
        assert isinstance(state, ChicagoExpressState)
        return state.player != seat or state.stage == CHOOSING or state.stage == BIDDING

    def turn_values_into(self, state: State, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """A bid is judged as if all others passed after it, a pass as if the highest bidder got the share; and a good
        bidder saves."""
        assert isinstance(state, ChicagoExpressState)
        if state.stage != BIDDING:
            super().turn_values_into(state, actions, count, values)
            return
        seat = state.player
        saving = SAVING * (dividends_to_come(state) - 1.0)
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(actions[i])
            if actions[i] == PASS:
                self._let_a_rival_win(after, state)
            self._all_pass(after, state)
            values[i] = self.value(after, seat) + saving * cash_lead(after, seat)
            if actions[i] != PASS and as_float(actions[i] - BID) > self._most_to_return(state, actions[i] - BID):
                values[i] -= ABSURD
            i += 1

    def _most_to_return(self, state: ChicagoExpressState, bid: i64) -> float:
        """Return what the share for sale will still pay, if such a bid gets it."""
        company = state.company
        self.appraisal.to_come = dividends_to_come(state)
        self.appraisal.measure(state, company)
        return self.appraisal.share_worth(state, company, state.sold[company] + 1, state.treasury[company] + bid)

    def _let_a_rival_win(self, after: ChicagoExpressState, before: ChicagoExpressState) -> None:
        """After a pass to an auction without a bid: the next bidder who can pays the minimum."""
        while before.bid == 0 and _same_auction(after, before) and after.bid == 0:
            lowest = after.lowest_bid()
            after.apply(BID + lowest if lowest <= after.cash[after.player] else PASS)

    def _all_pass(self, after: ChicagoExpressState, before: ChicagoExpressState) -> None:
        while _same_auction(after, before):
            after.apply(PASS)

    # A careful bidder.

    def limit(self, state: ChicagoExpressState) -> float:
        """Return what a careful bidder pays for the share for sale."""
        self.appraisal.to_come = dividends_to_come(state)
        return self._limit(state)

    def _limit(self, state: ChicagoExpressState) -> float:
        """The same, with the dividends to expect that were found before."""
        company = state.company
        self.appraisal.measure(state, company)
        treasury = state.treasury[company] + state.lowest_bid()
        worth = self.appraisal.share_worth(state, company, state.sold[company] + 1, treasury)
        return self.limit_part * worth * bid_discount(self.appraisal.to_come)

    # The favourites of a search.

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        if state.stage == BIDDING:
            self._weigh_bids(state, actions, count, weights)
            return
        self.gains.look(state)
        i: i64 = 0
        while i < count:
            gain = self.gains.gain(state, actions[i]) / TEMPERATURE
            weights[i] = 0.02 + exp(gain if gain < MOST_TEMPERATURES else MOST_TEMPERATURES)
            i += 1

    def _weigh_bids(self, state: ChicagoExpressState, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """The lowest bid, while it is below what the share is worth; higher ones less and less; else a pass. Nobody
        outbids what the others can pay."""
        limit = self.limit(state)
        lowest = as_float(state.lowest_bid())
        rival = as_float(richest_rival(state, state.bidders))
        i: i64 = 0
        while i < count:
            bid = as_float(actions[i] - BID)
            if actions[i] == PASS:
                weights[i] = sigmoid((lowest - limit) / TEMPERATURE) + 0.05
            elif bid > lowest and bid > rival:
                weights[i] = 0.001
            else:
                weights[i] = sigmoid((limit - bid) / TEMPERATURE) / (1.0 + 0.5 * (bid - lowest)) + 0.001
            i += 1

    # A rollout.

    def play_on(self, state: State, rng: Random) -> i64:
        """Play on until a turn begins after the next general dividend, or to the end."""
        assert isinstance(state, ChicagoExpressState)
        if state.player != TERMINAL and state.stage != CHOOSING:
            self.gains.look(state)
        # Detroit moves one step at each dividend.
        detroit = state.steps[DETROIT]
        steps: i64 = 0
        while state.player != TERMINAL and (state.steps[DETROIT] == detroit or state.stage != CHOOSING):
            state.apply(self._quick_move(state, rng))
            steps += 1
        return steps

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, ChicagoExpressState)
        if state.stage != CHOOSING:
            self.gains.look(state)
        return self._quick_move(state, rng)

    def _quick_move(self, state: ChicagoExpressState, rng: Random) -> i64:
        """One step of a rollout, after a look at the position or at the one where the turn began. What changes within
        a turn is looked at again: the way to Chicago of a company that builds, the end once a share is for sale."""
        if state.stage == CHOOSING:
            self.gains.look(state)
            return self._quick_choice(state, rng)
        if state.stage == BIDDING:
            return self._quick_bid(state, rng)
        if state.stage >= BUILDING:
            if state.stage == BUILDING:
                self.appraisal.measure(state, state.company)
            return self._quick_hex(state, rng)
        if state.stage == OFFERING:
            self.appraisal.to_come = dividends_to_come(state)
        return self._quick_name(state, rng)

    def _quick_name(self, state: ChicagoExpressState, rng: Random) -> i64:
        """The best of some random companies, or none: what `sample` draws, with the choices found once."""
        choices = state.simple_choices()
        count = popcount(choices)
        best = kth_place(choices, rng.randrange(count))
        best_gain = self.gains.gain(state, best)
        tries = TRIES
        while tries > 1:
            other = kth_place(choices, rng.randrange(count))
            if other != best:
                gain = self.gains.gain(state, other)
                if gain > best_gain:
                    best = other
                    best_gain = gain
            tries -= 1
        return best

    def _quick_hex(self, state: ChicagoExpressState, rng: Random) -> i64:
        """The best of some random hexes, or none: what `sample` draws, with the hexes found once."""
        done = state.simple_choices()
        first = popcount(done)
        west = state.open_hexes(0)
        middle = state.open_hexes(1)
        east = state.open_hexes(2)
        to_west = first + popcount(west)
        to_middle = to_west + popcount(middle)
        total = to_middle + popcount(east)
        tries = TRIES_TO_BUILD if state.stage == BUILDING else TRIES
        best: i64 = NO_ACTION
        best_gain = 0.0
        while tries > 0:
            k = rng.randrange(total)
            if k < first:
                other = kth_place(done, k)
            elif k < to_west:
                other = HEX + kth_place(west, k - first)
            elif k < to_middle:
                other = HEX + WORD_BITS + kth_place(middle, k - to_west)
            else:
                other = HEX + 2 * WORD_BITS + kth_place(east, k - to_middle)
            if other != best:
                gain = self.gains.gain(state, other)
                if best == NO_ACTION or gain > best_gain:
                    best = other
                    best_gain = gain
            tries -= 1
        return best

    def _quick_choice(self, state: ChicagoExpressState, rng: Random) -> i64:
        """Return the action that seems to gain most, by the mood of the moment."""
        best: i64 = 0
        best_gain = -1.0
        dial: i64 = 0
        while dial < DIALS:
            if not state.is_red(dial):
                gain = self.gains.dial_gain(state, dial) + NOISE * rng.random()
                if gain > best_gain:
                    best = dial
                    best_gain = gain
            dial += 1
        return best

    def _quick_bid(self, state: ChicagoExpressState, rng: Random) -> i64:
        """Up to what the share is worth, in leaps, but no further than the others can follow."""
        if state.lowest_bid() > state.cash[state.player]:
            return PASS
        if state.bid == 0:
            self.appraisal.to_come = dividends_to_come(state)
        return self._bid_up_to(state, i64(self._limit(state) * (0.75 + 0.35 * rng.random())))

    def _bid_up_to(self, state: ChicagoExpressState, most: i64) -> i64:
        """A bid halfway to the most that the bidder would pay, but no higher than the others can follow; or a pass."""
        lowest = state.lowest_bid()
        if most > state.cash[state.player]:
            most = state.cash[state.player]
        if lowest > most:
            return PASS
        rival = richest_rival(state, state.bidders)
        if most > rival:
            most = rival
        leap = (most - lowest) // 2
        return BID + lowest + leap if leap > 0 else BID + lowest


def _same_auction(after: ChicagoExpressState, before: ChicagoExpressState) -> bool:
    """Whether the auction of `before` is still going on."""
    return after.stage == BIDDING and after.company == before.company and after.openings == before.openings


def cash_lead(state: ChicagoExpressState, seat: i64) -> float:
    """Return a seat's dollars, less the mean of the others'."""
    total: i64 = 0
    other: i64 = 0
    while other < state.players:
        total += state.cash[other]
        other += 1
    own = state.cash[seat]
    return as_float(own) - as_float(total - own) / as_float(state.players - 1)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))
