"""A decent player's knowledge of Cable Car: the worth of an open line, and whose line a tile helps. Compiled.

An open line goes on over tiles that no one knows yet. If they were drawn at random, one after the other, its
expected length and its chance to end in the power station follow from the tiles and the way in where the line waits.
That is on an empty board. Where there is time, the tiles laid beside the next tile or two of a line count as well.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from ludotheque.core.bits import BIT, as_float, kth_place, popcount
from ludotheque.core.game import CHANCE, TERMINAL, Game, State
from ludotheque.core.policy import TO_THE_END, Policy, weigh_values
from ludotheque.games.cable_car.board import (
    ARRIVALS,
    CELLS,
    CODES,
    COMPANIES,
    DEPARTURES,
    ENDS,
    FACTS,
    NOBODY,
    POWER_STATION,
    TRACKS,
    exit_port,
    leads_to,
)
from ludotheque.games.cable_car.rules import (
    ACTIONS,
    BLOCK,
    DRAW,
    MOST_TURNED_TILES,
    NO_SHARE,
    OPEN,
    PILES,
    SWAP,
    CableCarState,
    Chooser,
    place_action,
)

SWEEPS: Final = 80
"""The number of tiles after which practically every line has ended."""


def _exits() -> vec[float]:
    """Return the chance that a random tile leads from one side to another, by entry and exit (`4 * entry + exit`)."""
    chances = [0.0] * 16
    for code in CODES:
        for entry in range(4):
            chances[4 * entry + exit_port(code, 2 * entry) // 2] += int(FACTS["tiles"][code]) / 60
    return vec[float](chances)


EXIT_CHANCES: Final = _exits()
BEYOND: Final = vec[i64]([i64(leads_to(cell, 2 * side + 1)) for cell in range(CELLS) for side in range(4)])
"""The way in or the end that a track leads to, by cell and side of exit (`4 * cell + side`)."""


def _random_walk() -> tuple[vec[float], vec[float]]:
    """Return a track's expected length over random tiles, and its chance of the power station, by where it is."""
    further = [0.0] * ENDS
    power = [1.0 if end >= POWER_STATION else 0.0 for end in range(ENDS)]
    ways = [[(BEYOND[4 * cell + side], EXIT_CHANCES[4 * entry + side]) for side in range(4)]
            for cell in range(CELLS) for entry in range(4)]  # fmt: skip
    for _ in range(SWEEPS):
        for way_in, nexts in enumerate(ways):
            further[way_in] = 1.0 + sum([chance * further[end] for end, chance in nexts])
            power[way_in] = sum([chance * power[end] for end, chance in nexts])
    return vec[float](further), vec[float](power)


_WALK: Final = _random_walk()
FURTHER: Final = _WALK[0]
POWER: Final = _WALK[1]

RUNS: Final = 64
"""Longer lines are so rare that what they are worth is worked out each time."""


def _worths() -> vec[float]:
    """Return the expected points of a line, by where it waits or ended and its tiles so far (`64 * end + run`)."""
    return vec[float]([(run + FURTHER[end]) * (1.0 + POWER[end]) for end in range(ENDS) for run in range(RUNS)])


WORTHS: Final = _worths()

DRAW_GAIN: Final = 5.0
COMPANIES_DRAW_GAIN: Final = 3.0
"""Points to expect from drawing a tile to place instead, and in The Companies from what shares pay."""
QUICK_DRAW_GAIN: Final = 0.0
"""The same in a rollout, which tries few placements of that tile."""
SWAP_COST: Final = 0.5
"""Worth of the placement that a swap puts off."""
SPREAD: Final = 3.0
"""The lead in points to expect that makes a company sure to end ahead of another, with no tile to come."""
SPREAD_PER_TILE: Final = 0.35
"""Addition to that for each tile still to come."""
ALL_VALUES: Final = 36.0
"""Worth of 10 % of each of the companies together, if no two have as many points."""
LARGE_SLIP: Final = 6.0
"""The points that a slip may lose where smaller ones hardly matter."""
LEAST_WEIGHT: Final = 0.01
"""Weight of the worst placement in the position searched, where the best weighs 1."""
TILES_AHEAD: Final = 2
"""Tiles ahead of every open line to look at when a position is judged."""


@final
class QuickChooser(Chooser):
    """The best of some random placements of a tile that is not turned, or a draw."""

    tries: i64
    """A rollout takes the best of this number of random moves."""
    stakes: vec[float]
    """Worth of a point of an owner of cars to a seat, by seat and owner, `8 * seat + owner`."""

    def choose(self, state: CableCarState, seat: i64, tile: i64, cells: i64, draws: i64, rng: Random) -> i64:
        stretches, owners = state.stretches, state.owners
        first_stake = 8 * seat
        count = popcount(cells)
        choices = count + draws
        best: i64 = 0
        best_gain = 0.0
        tries: i64 = 0
        while tries < self.tries:
            k = rng.randrange(choices)
            gain = QUICK_DRAW_GAIN
            if k < count:
                gain = quick_gain(stretches, owners, self.stakes, first_stake, 256 * tile + kth_place(cells, k))
            if tries == 0 or gain > best_gain:
                best = k
                best_gain = gain
            tries += 1
        return best


@final
class CableCarPolicy(Policy):
    """Gains in points: the seat's, less the others'."""

    temperature: float
    """The gain in points that makes a move e times as attractive."""
    lead_now: float
    """The lead in points to expect that makes a seat about three times as likely to win, with no tile to come."""
    lead_per_tile: float
    """Addition, for each tile still to come, to the lead that makes a seat about three times as likely to win."""
    chooser: QuickChooser
    stakes: vec[float]
    """Those of `chooser`."""
    draw_gain: float
    """Expected gain of drawing a tile to place, before it is seen: about the best placement of a random tile."""
    values: vec[float]
    """Expected final value of 10 % of a company, by company."""
    leads: vec[float]
    """Number of times 10 % that a seat holds beyond what another can be expected to, by company."""
    firsts: vec[i64]
    cells: vec[i64]
    counts: vec[i64]
    """The action of its first cell, the cells where it may lie, and their number, by tile to place and its turn."""
    expected_points: vec[float]
    """Expected final points by owner of cars."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.lead_scale = 12.0
        self.expand_after_visits = 16
        self.draw_gain = DRAW_GAIN
        self.worst_slip = 4.0
        if game.settings["companies"]:
            self.draw_gain = COMPANIES_DRAW_GAIN
            self.slips_unseen = True
            self.worst_slip = LARGE_SLIP
        self.temperature = 1.5
        self.refine_after = 1  # The position searched alone: what follows depends on draws.
        self.lead_now = 3.0
        self.lead_per_tile = 0.5
        self.values = vec[float]([0.0] * COMPANIES)
        self.leads = vec[float]([0.0] * COMPANIES)
        self.firsts = vec[i64]([0] * MOST_TURNED_TILES)
        self.cells = vec[i64]([0] * MOST_TURNED_TILES)
        self.counts = vec[i64]([0] * MOST_TURNED_TILES)
        self.expected_points = vec[float]([0.0] * COMPANIES)
        self.stakes = vec[float]([0.0] * (8 * game.players))
        for seat in range(game.players):
            for other in range(game.players):
                self.stakes[8 * seat + other] = 1.0 if seat == other else -1.0 / (game.players - 1)
        self.chooser = QuickChooser()
        self.chooser.tries = 3
        self.chooser.stakes = self.stakes

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, CableCarState)
        if state.companies:
            self._expect_values(state, 0)
            self._stake_shares(state, state.seat)
        i: i64 = 0
        while i < count:
            weights[i] = exp(self._gain(state, actions[i]) / self.temperature)
            i += 1

    def refined_weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        self.turn_values_into(state, actions, count, weights)
        weigh_values(weights, count, self.temperature, LEAST_WEIGHT)

    def turn_values_into(self, state: State, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """A tile changes not only the lines that it crosses, but also where those beside it can go."""
        assert isinstance(state, CableCarState)
        before = self._promise(state)  # This also finds the values that a swap goes by.
        i: i64 = 0
        while i < count:
            if actions[i] >= DRAW:
                values[i] = self._gain(state, actions[i])
            i += 1
        i = 0
        while i < count:
            if actions[i] < DRAW:
                after = state.clone()
                after.lay(actions[i])
                values[i] = self._promise(after) - before
            i += 1

    def _promise(self, state: CableCarState) -> float:
        """All points, and those to expect of the open lines, each by what it is worth to the seat; in The Companies
        what its shares can expect to pay more than those of another."""
        if state.companies:
            self._expect_values(state, TILES_AHEAD)
            return self._share_lead(state)
        self._expect_points(state, TILES_AHEAD)
        first_stake = 8 * state.seat
        total = 0.0
        owner: i64 = 0
        while owner < len(state.points):
            total += self.stakes[first_stake + owner] * self.expected_points[owner]
            owner += 1
        return total

    # The worth of a position.

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        """The points that the owner has, and those that its open lines can expect; the shares pay by those."""
        assert isinstance(state, CableCarState)
        self._expect_points(state, TILES_AHEAD)
        if state.companies:
            self._pay_shares(state, scores)
            return
        seat: i64 = 0
        while seat < state.players:
            scores[seat] = self.expected_points[seat]
            seat += 1

    def _expect_points(self, state: CableCarState, tiles: i64) -> None:
        """Find the points that each owner of cars can expect to end with, by a look over that many tiles ahead."""
        owner: i64 = 0
        while owner < len(state.points):
            self.expected_points[owner] = as_float(state.points[owner])
            owner += 1
        station: i64 = 0
        while station < len(state.owners):
            owner = i64(state.owners[station])
            if owner != NOBODY and state.finished & BIT[station] == 0:
                waiting = i64(state.stretches[DEPARTURES + station])
                self.expected_points[owner] += expected(state.stretches, waiting >> 9, waiting & 511, tiles)
            station += 1

    def _pay_shares(self, state: CableCarState, scores: vec[float]) -> None:
        """Write what the shares would pay if the companies ended with the points they can expect."""
        end = state.clone()
        company: i64 = 0
        while company < COMPANIES:
            end.points[company] = i64(self.expected_points[company] + 0.5)
            company += 1
        self._scores_into(end, scores)

    def lead_scale_at(self, state: State) -> float:
        assert isinstance(state, CableCarState)
        return self.lead_now + self.lead_per_tile * as_float(popcount(state.free))

    def play_on(self, state: State, rng: Random) -> i64:
        """As ever; in The Companies by what the companies can expect now, found once."""
        assert isinstance(state, CableCarState)
        if state.companies:
            self._stake_all_shares(state)
        steps: i64 = 0
        swapper: i64 = NOBODY
        while steps < self.horizon and state.player != TERMINAL:
            if self.horizon == TO_THE_END and state.begins_plain_turn():
                return steps + state.finish_plain_game(self.chooser, rng)
            if state.player == CHANCE:
                state.apply(state.sample(rng))
            else:
                if swapper != NOBODY:
                    self._stake_shares(state, swapper)
                action = self._quick_move(state, rng)
                swapper = state.seat if action >= SWAP else NOBODY
                state.apply(action)
            steps += 1
        return steps

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, CableCarState)
        if state.player == CHANCE:
            return state.sample(rng)
        if state.companies:
            self._stake_all_shares(state)
        return self._quick_move(state, rng)

    def _quick_move(self, state: CableCarState, rng: Random) -> i64:
        """One step of a rollout, by the stakes found before."""
        if state.has_one_way():
            tile = state.only_tile()
            cells = state.placements(tile, 0)
            k = self.chooser.choose(state, state.seat, tile, cells, 1 if state.may_draw() else 0, rng)
            return DRAW if k == popcount(cells) else place_action(tile, 0, kth_place(cells, k))
        placements = self._find_placements(state)
        choices = placements
        beyond: i64 = SWAP - placements
        if state.may_draw():
            choices += 1
            beyond = DRAW - placements
        if state.companies and state.may_swap():
            choices += ACTIONS - SWAP
        best: i64 = DRAW
        best_gain = 0.0
        tries: i64 = 0
        while tries < self.chooser.tries:
            k = rng.randrange(choices)
            if k < placements:
                other = self._placement(k)
                gain = quick_gain(state.stretches, state.owners, self.stakes, 8 * state.seat, other)
            elif beyond + k == DRAW:
                other = DRAW
                gain = QUICK_DRAW_GAIN
            else:
                other = beyond + k
                gain = self._gain(state, other)
            if tries == 0 or gain > best_gain:
                best = other
                best_gain = gain
            tries += 1
        return best

    def _find_placements(self, state: CableCarState) -> i64:
        """Find the cells for each tile to place and each turn of it; return how many placements there are."""
        ways = state.placements_into(self.firsts, self.cells)
        total: i64 = 0
        way: i64 = 0
        while way < ways:
            self.counts[way] = popcount(self.cells[way])
            total += self.counts[way]
            way += 1
        return total

    def _placement(self, k: i64) -> i64:
        """The k-th of the placements found."""
        way: i64 = 0
        while k >= self.counts[way]:
            k -= self.counts[way]
            way += 1
        return self.firsts[way] + kth_place(self.cells[way], k)

    def _gain(self, state: CableCarState, action: i64) -> float:
        """Return the apparent gain of an action to its seat over the others, in points."""
        if action < DRAW:
            return self.placement_gain(state, action, 1)
        if action == DRAW:
            return self.draw_gain
        return self._swap_gain(state, (action - SWAP) >> 1, (action - SWAP) & 1)

    def placement_gain(self, state: CableCarState, action: i64, tiles: i64) -> float:
        """Return the improvement of the lines that the tile crosses, each by what it is worth to the seat and by a
        look over that many tiles ahead."""
        stretches = state.stretches
        first_stake = 8 * state.seat
        tracks = TRACKS[action]
        way_in = 4 * (action & 63)
        after = way_in + 4
        gain = 0.0
        while way_in < after:
            waiting = i64(stretches[way_in])
            start = waiting & 511
            if start >= DEPARTURES and start < ARRIVALS:
                beyond = i64(stretches[tracks & 511])
                run = waiting >> 9
                stake = self.stakes[first_stake + i64(state.owners[start - DEPARTURES])]
                after_it = expected(stretches, run + 1 + (beyond >> 9), beyond & 511, tiles)
                gain += stake * (after_it - expected(stretches, run, way_in, tiles))
            tracks >>= 9
            way_in += 1
        return gain

    # The Companies. Who holds what is hidden: another seat is taken to hold any share alike that is neither one's own
    # nor open.

    def _stake_all_shares(self, state: CableCarState) -> None:
        """Find what a point of each company is worth to each seat."""
        self._expect_values(state, 0)
        seat: i64 = 0
        while seat < state.players:
            self._stake_shares(state, seat)
            seat += 1

    def _stake_shares(self, state: CableCarState, seat: i64) -> None:
        """Find the worth of a point of each company to a seat, by the points to expect: it may put the company ahead
        of those that are near it, which is good as far as the seat holds more of it than of them."""
        self._lead_in_shares(state, seat)
        spread = _spread(state)
        company: i64 = 0
        while company < COMPANIES:
            stake = 0.0
            other: i64 = 0
            while other < COMPANIES:
                ahead = self.expected_points[other] - self.expected_points[company]
                if -spread < ahead and ahead < spread:
                    stake += self.leads[company] - self.leads[other]
                other += 1
            self.stakes[8 * seat + company] = stake / (2.0 * spread)
            company += 1

    def _lead_in_shares(self, state: CableCarState, seat: i64) -> None:
        """Find how much more of each company a seat holds than another, which holds one of six shares of each pile."""
        company: i64 = 0
        while company < COMPANIES:
            self.leads[company] = -10.0 / 6.0
            company += 1
        pile: i64 = 0
        while pile < PILES:
            part = as_float(pile + 1)
            mine = i64(state.shares[BLOCK * pile + seat])
            if mine != NO_SHARE:
                self.leads[mine] += part + part / 6.0
            shown = i64(state.shares[BLOCK * pile + OPEN])
            if shown != NO_SHARE:
                self.leads[shown] += part / 6.0
            pile += 1

    def _expect_values(self, state: CableCarState, tiles: i64) -> None:
        """Find what 10 % of each company can expect to be worth: 8, less the chance of each other to end before it."""
        self._expect_points(state, tiles)
        spread = _spread(state)
        company: i64 = 0
        while company < COMPANIES:
            self.values[company] = 8.0
            company += 1
        company = 0
        while company < COMPANIES:
            other: i64 = 0
            while other < company:
                chance = 0.5 + 0.5 * (self.expected_points[other] - self.expected_points[company]) / spread
                if chance < 0.0:
                    chance = 0.0
                elif chance > 1.0:
                    chance = 1.0
                self.values[company] -= chance
                self.values[other] -= 1.0 - chance
                other += 1
            company += 1

    def _share_lead(self, state: CableCarState) -> float:
        """Return the expected pay of the seat's shares beyond those of another, by the values found."""
        lead = 0.0
        pile: i64 = 0
        while pile < PILES:
            mine = i64(state.shares[BLOCK * pile + state.seat])
            if mine != NO_SHARE:
                lead += as_float(pile + 1) * (self.values[mine] - self._other_value(state, pile, mine))
            pile += 1
        return lead

    def _other_value(self, state: CableCarState, pile: i64, mine: i64) -> float:
        """Return the mean value of the shares of a pile that are neither the seat's nor open."""
        total = ALL_VALUES - self.values[mine]
        shown = i64(state.shares[BLOCK * pile + OPEN])
        if shown == NO_SHARE:
            return total / 7.0
        return (total - self.values[shown]) / 6.0

    def _swap_gain(self, state: CableCarState, pile: i64, hidden: i64) -> float:
        """The difference in value of the shares; a hidden one has the mean value of those it may be."""
        mine = i64(state.shares[BLOCK * pile + state.seat])
        if mine == NO_SHARE:
            return 0.0
        value = self._other_value(state, pile, mine)
        if hidden == 0:
            value = self.values[i64(state.shares[BLOCK * pile + OPEN])]
        return as_float(pile + 1) * (value - self.values[mine]) - SWAP_COST


def _spread(state: CableCarState) -> float:
    """The lead in points to expect that makes a company sure to end ahead of another."""
    return SPREAD + SPREAD_PER_TILE * as_float(popcount(state.free))


def expected(stretches: vec[i32], run: i64, end: i64, tiles: i64) -> float:
    """The points to expect of a line over that many random tiles among those that lie, then over an empty board."""
    if tiles == 0 or end >= DEPARTURES:
        return worth(run, end)
    way_out = end & -4
    turn = 4 * (end & 3)
    last = turn + 4
    total = 0.0
    while turn < last:
        beyond = i64(stretches[BEYOND[way_out]])
        total += EXIT_CHANCES[turn] * expected(stretches, run + 1 + (beyond >> 9), beyond & 511, tiles - 1)
        turn += 1
        way_out += 1
    return total


def quick_gain(stretches: vec[i32], owners: vec[u8], stakes: vec[float], first_stake: i64, action: i64) -> float:
    """The result of `placement_gain` without a look ahead, for the seat whose stakes begin there."""
    tracks = TRACKS[action]
    way_in = 4 * (action & 63)
    after = way_in + 4
    gain = 0.0
    while way_in < after:
        waiting = i64(stretches[way_in])
        start = waiting & 511
        if start >= DEPARTURES and start < ARRIVALS:
            beyond = i64(stretches[tracks & 511])
            run = waiting >> 9
            stake = stakes[first_stake + i64(owners[start - DEPARTURES])]
            gain += stake * (worth(run + 1 + (beyond >> 9), beyond & 511) - worth(run, way_in))
        tracks >>= 9
        way_in += 1
    return gain


def worth(run: i64, end: i64) -> float:
    """The points to expect of a line, by its tiles so far and the place where it waits or ended."""
    if run < RUNS:
        return WORTHS[RUNS * end + run]
    return (as_float(run) + FURTHER[end]) * (1.0 + POWER[end])
