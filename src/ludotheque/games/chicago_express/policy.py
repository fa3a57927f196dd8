"""A decent player's knowledge of Chicago Express: what a share will still pay, and who gains from each hex. Compiled.

The worth of a seat is what its shares will still pay (the general dividends to come, at an income that grows with what
the treasury can buy, on to Chicago if it can be reached, over the shares sold by then) and its cash, which counts for
more while it can still buy shares: a seat with money when the others have none buys cheaply.

The constants were fitted by least squares, and the leads by log-loss, to games of the bots among themselves. Only
`SPENDING`, `SAVING` and `LIMIT_OF_FOUR` were found by playing.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import BIT, kth_place, popcount
from ludotheque.core.game import TERMINAL, Game, State
from ludotheque.core.policy import Policy
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    DETROIT,
    FOREST,
    HEX_BIT,
    INDUSTRIES,
    TRACK,
    WABASH,
    WORD,
    WORD_BITS,
    WORDS,
    Board,
    hexes_of,
    words_of,
)
from ludotheque.games.chicago_express.rules import (
    AUCTION,
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    COMPANY,
    DEVELOPMENT,
    DIALS,
    HEX,
    HOUSES_LEFT,
    OFFERING,
    PASS,
    ChicagoExpressState,
    per_share,
)

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
NO_ACTION: Final = -1
FAR: Final = 60
"""Further away than anything."""
REINVESTMENT_RATE: Final = 0.15
"""The return on a dollar put into later shares, for each dividend after the next."""
SPENDING: Final = 0.07
"""Deduction from that rate in a search, for cash in hand: a search without it lets the others buy too cheaply."""
LIMIT_OF_FOUR: Final = 0.92
"""The part of what is right to bid with other seats that is right with four: there is one first share for each of them,
so that prices stay low."""
SAVING: Final = 0.1
"""Addition to that rate for a bidder who looks one turn ahead and does not see what the cash will buy."""
DEVELOPED_LATER: Final = 0.3
"""Approximate chance that a hex with a new locomotive is developed in time."""
EXPANSION_COST: Final = 8.0
"""Approximate cost of an expansion."""
LEAD: Final = 2.5
"""The lead in dollars that makes a seat about three times as likely to win as another, at the last dividend."""
LEAD_TO_COME: Final = 3.5
"""Addition for each dividend to come before it."""
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

    distance: vec[i64]
    """Steps to Chicago by hex."""
    near: vec[i64]
    """Set of the hexes that are no further from Chicago than a number of steps, by steps."""
    raised: vec[i64]
    """The sets of the hexes whose development raises an income: by 1 or more, by 2 or more."""

    limit_part: float
    """The part of what a share is worth to a careful bidder that it pays with so many seats."""

    # Results of `look` at a position.
    to_come: float
    """Expected number of general dividends."""
    steps: vec[i64]
    """Steps to Chicago by company."""
    interests: vec[float]
    """Part of a company's payments that goes to the player to act, less the mean part of the others, by company."""
    worths: vec[float]
    """Expected payments of one share of a company, by company; found by `appraise`."""

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
        self.distance = _distances(state.board)
        self.near = _near(self.distance)
        self.raised = _raised(state.board)
        self.to_come = 0.0
        self.steps = vec[i64]([0] * COMPANIES)
        self.interests = vec[float]([0.0] * COMPANIES)
        self.worths = vec[float]([0.0] * COMPANIES)

    # The worth of a position.

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        self.appraise(state)
        seat: i64 = 0
        while seat < state.players:
            scores[seat] = self.seat_worth(state, seat)
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
        part = SPENDING * (self.to_come - 1.0)
        seat: i64 = 0
        while seat < state.players:
            self._outlook[seat] = scores[seat] - part * float(state.cash[seat])
            seat += 1
        self.likely_shares_into(self._outlook, lead_with(self.to_come), returns)

    def appraise(self, state: ChicagoExpressState) -> None:
        """Find what one share of each company will still pay."""
        self.to_come = dividends_to_come(state)
        company: i64 = 0
        while company < COMPANIES:
            self.worths[company] = 0.0
            if state.sold[company] > 0:
                self.steps[company] = self.steps_to_chicago(state, company)
                self.worths[company] = self.share_worth(state, company, state.sold[company], state.treasury[company])
            company += 1

    def seat_worth(self, state: ChicagoExpressState, seat: i64) -> float:
        """Return what a seat can expect to have in the end, by the last appraisal."""
        worth = float(state.cash[seat]) / bid_discount(self.to_come)
        company: i64 = 0
        while company < COMPANIES:
            held = state.held[COMPANIES * seat + company]
            if held > 0:
                worth += float(held) * self.worths[company]
            company += 1
        return worth

    def share_worth(self, state: ChicagoExpressState, company: i64, sold: i64, treasury: i64) -> float:
        """Return what one share of a company will still pay, given the shares sold and the treasury."""
        most = GROWTH * float(treasury)
        for_locomotives = GROWTH_FOR_LOCOMOTIVE * float(state.locomotives[company])
        if most > for_locomotives:
            most = for_locomotives
        income = float(state.income[company])
        most += income
        unsold = float(state.board.shares[company] - sold)
        shares = float(sold)
        paid = float(per_share(state.income[company], sold))
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
        cost = STEP_COST * float(steps)
        if float(treasury) < cost:
            return CHICAGO_UNPAID * float(treasury) / cost
        return CHICAGO_STEPS / (float(steps) + CHICAGO_STEPS)

    def steps_to_chicago(self, state: ChicagoExpressState, company: i64) -> i64:
        """The least steps from a hex of the network. What was found last time is the first guess: it seldom changes."""
        networks = state.networks
        near = self.near
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
            if actions[i] != PASS and float(actions[i] - BID) > self._most_to_return(state, actions[i] - BID):
                values[i] -= ABSURD
            i += 1

    def _most_to_return(self, state: ChicagoExpressState, bid: i64) -> float:
        """Return what the share for sale will still pay, if such a bid gets it."""
        company = state.company
        self.to_come = dividends_to_come(state)
        self.steps[company] = self.steps_to_chicago(state, company)
        return self.share_worth(state, company, state.sold[company] + 1, state.treasury[company] + bid)

    def _let_a_rival_win(self, after: ChicagoExpressState, before: ChicagoExpressState) -> None:
        """After a pass to an auction without a bid: the next bidder who can pays the minimum."""
        while before.bid == 0 and _same_auction(after, before) and after.bid == 0:
            lowest = after.lowest_bid()
            after.apply(BID + lowest if lowest <= after.cash[after.player] else PASS)

    def _all_pass(self, after: ChicagoExpressState, before: ChicagoExpressState) -> None:
        while _same_auction(after, before):
            after.apply(PASS)

    # The worth of an action to the player to act: in dollars, less what the others gain on average.

    def look(self, state: ChicagoExpressState) -> None:
        """See what every gain depends on: the time left, who owns what, and how far Chicago is. Where to build depends
        on one company alone."""
        self.to_come = dividends_to_come(state)
        if state.stage == BUILDING:
            self.steps[state.company] = self.steps_to_chicago(state, state.company)
            return
        held = COMPANIES * state.player
        others = float(state.players - 1)
        company: i64 = 0
        while company < COMPANIES:
            self.interests[company] = 0.0
            if state.sold[company] > 0:
                mine = float(state.held[held + company]) / float(state.sold[company])
                self.interests[company] = mine - (1.0 - mine) / others
            if state.sold[company] > 0 or state.may_offer(company):
                self.steps[company] = self.steps_to_chicago(state, company)
            company += 1

    def dial_gain(self, state: ChicagoExpressState, dial: i64) -> float:
        """Return about the best gain of an action; 0 if it is declined."""
        best = 0.0
        company: i64 = 0
        while company < COMPANIES:
            gain = 0.0
            if dial == AUCTION:
                if state.may_offer(company):
                    gain = self.auction_gain(state, company)
            elif self.interests[company] > 0.0:
                if dial == DEVELOPMENT:
                    gain = self.interests[company] * self.to_come * self._best_rise(state, company)
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
            ripe |= hexes & self.raised[word]
            very_ripe |= hexes & self.raised[WORDS + word]
            word += 1
        if very_ripe != 0:
            return 2.0
        return 1.0 if ripe != 0 else 0.0

    def auction_gain(self, state: ChicagoExpressState, company: i64) -> float:
        """Return the gain of offering a share: the richest gets it, for what the second can pay, and others shrink."""
        sold = state.sold[company]
        minimum = float(state.minimum(company))
        worth = self.share_worth(state, company, sold + 1, state.treasury[company] + state.minimum(company))
        cash = float(state.cash[state.player])
        rival = float(richest_rival(state, BIT[state.players] - 1))
        limit = worth * bid_discount(self.to_come)
        gain = 0.0
        if (cash >= minimum or rival >= minimum) and (cash < limit or rival < limit):
            price = cash if cash < rival else rival
            if price < minimum:
                price = minimum
            if price > limit:
                price = limit
            gain = worth - price
            if cash < rival:
                gain /= float(1 - state.players)
        if sold > 0:
            before = self.share_worth(state, company, sold, state.treasury[company])
            gain -= (before - worth) * float(sold) * self.interests[company]
        return gain

    def expansion_gain(self, state: ChicagoExpressState, company: i64) -> float:
        """Return the gain of building for a company: what a few dollars of treasury buy, and Chicago if it is near."""
        dollars = float(state.treasury[company])
        if dollars > EXPANSION_COST:
            dollars = EXPANSION_COST
        gain = GROWTH * dollars * self.to_come
        steps = self.steps[company]
        if 0 < steps <= state.board.expansion_limit:
            gain += float(state.income[company]) + CHICAGO_INCOME * (1.0 + self.to_come)
        elif steps > 0:
            gain += self.to_come
        return self.interests[company] * gain

    def development_gain(self, state: ChicagoExpressState, hex: i64) -> float:
        """Return the gain of developing a hex: what companies there pay more, or what the dollars of a forest buy."""
        city = i64(state.board.industry[hex])
        rise = float(state.board.development[hex])
        if city < INDUSTRIES:
            step = TRACK * city + state.steps[city]
            rise = float(state.board.track[step + 1] - state.board.track[step])
        elif i64(state.board.terrain[hex]) == FOREST:
            rise = GROWTH * float(state.board.forest_cash)
        interest = 0.0
        bit = HEX_BIT[hex]
        word = WORD[hex]
        company: i64 = 0
        while company < COMPANIES:
            if state.networks[word] & bit != 0:
                interest += self.interests[company]
            word += WORDS
            company += 1
        return interest * rise * self.to_come

    def build_gain(self, state: ChicagoExpressState, hex: i64) -> float:
        """Return a company's gain from a locomotive on a hex: income now and later, a step to Chicago, less cost."""
        gain = float(state.value(hex)) - GROWTH * float(state.price(hex))
        if not state.has_house(hex):
            gain += DEVELOPED_LATER * float(state.board.development[hex])
        gain *= self.to_come
        if self.distance[hex] < self.steps[state.company]:
            gain += 1.0 + 0.5 * self.to_come
            if hex == state.board.chicago:
                gain += float(state.income[state.company])
        return gain

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

    def limit(self, state: ChicagoExpressState) -> float:
        """Return what a careful bidder pays for the share for sale."""
        self.to_come = dividends_to_come(state)
        return self._limit(state)

    def _limit(self, state: ChicagoExpressState) -> float:
        """The same, with the dividends to expect that were found before."""
        company = state.company
        self.steps[company] = self.steps_to_chicago(state, company)
        treasury = state.treasury[company] + state.lowest_bid()
        worth = self.share_worth(state, company, state.sold[company] + 1, treasury)
        return self.limit_part * worth * bid_discount(self.to_come)

    # The favourites of a search.

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, ChicagoExpressState)
        if state.stage == BIDDING:
            self._weigh_bids(state, actions, count, weights)
            return
        self.look(state)
        i: i64 = 0
        while i < count:
            gain = self.gain(state, actions[i]) / TEMPERATURE
            weights[i] = 0.02 + exp(gain if gain < MOST_TEMPERATURES else MOST_TEMPERATURES)
            i += 1

    def _weigh_bids(self, state: ChicagoExpressState, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """The lowest bid, while it is below what the share is worth; higher ones less and less; else a pass. Nobody
        outbids what the others can pay."""
        limit = self.limit(state)
        lowest = float(state.lowest_bid())
        rival = float(richest_rival(state, state.bidders))
        i: i64 = 0
        while i < count:
            bid = float(actions[i] - BID)
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
            self.look(state)
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
            self.look(state)
        return self._quick_move(state, rng)

    def _quick_move(self, state: ChicagoExpressState, rng: Random) -> i64:
        """One step of a rollout, after a look at the position or at the one where the turn began. What changes within
        a turn is looked at again: the way to Chicago of a company that builds, the end once a share is for sale."""
        if state.stage == CHOOSING:
            self.look(state)
            return self._quick_choice(state, rng)
        if state.stage == BIDDING:
            return self._quick_bid(state, rng)
        if state.stage >= BUILDING:
            if state.stage == BUILDING:
                self.steps[state.company] = self.steps_to_chicago(state, state.company)
            return self._quick_hex(state, rng)
        if state.stage == OFFERING:
            self.to_come = dividends_to_come(state)
        best = state.sample(rng)
        best_gain = self.gain(state, best)
        tries = TRIES
        while tries > 1:
            other = state.sample(rng)
            gain = self.gain(state, other)
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
            gain = self.gain(state, other)
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
                gain = self.dial_gain(state, dial) + NOISE * rng.random()
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
            self.to_come = dividends_to_come(state)
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


def richest_rival(state: ChicagoExpressState, seats: i64) -> i64:
    """The most that any of these seats, a set as bits, can pay, the player to act left out."""
    most: i64 = 0
    seat: i64 = 0
    while seat < state.players:
        if seat != state.player and seats & BIT[seat] != 0 and state.cash[seat] > most:
            most = state.cash[seat]
        seat += 1
    return most


def cash_lead(state: ChicagoExpressState, seat: i64) -> float:
    """Return a seat's dollars, less the mean of the others'."""
    total: i64 = 0
    other: i64 = 0
    while other < state.players:
        total += state.cash[other]
        other += 1
    own = state.cash[seat]
    return float(own) - float(total - own) / float(state.players - 1)


def bid_discount(to_come: float) -> float:
    """The part of what a share will pay that is right to bid for it."""
    return 1.0 / (1.0 + REINVESTMENT_RATE * (to_come - 1.0))


def lead_with(to_come: float) -> float:
    """The lead in dollars that makes a seat about three times as likely to win, with so many dividends to come."""
    return LEAD + LEAD_TO_COME * (to_come - 1.0)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def dividends_to_come(state: ChicagoExpressState) -> float:
    """Return the expected number of general dividends: one if an end holds, more the further off the nearest end is."""
    if state.ends() != 0:
        return 1.0
    board = state.board
    later = float(board.last_step[DETROIT] - state.steps[DETROIT])
    sales = float(_to_the_end(state, False)) - SALES_NOW * float(board.limit[AUCTION] - state.dials[AUCTION])
    if sales < later * SALES:
        later = sales / SALES
    locomotives = float(_to_the_end(state, True))
    if locomotives < later * BUILT:
        later = locomotives / BUILT
    houses = float(state.houses - HOUSES_LEFT)
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
