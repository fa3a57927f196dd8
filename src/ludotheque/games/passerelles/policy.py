"""What a decent player of Passerelles knows: build on one's walls and to the sides, cut the other's. Compiled."""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.bits import popcount
from ludotheque.core.game import TERMINAL, Game, State
from ludotheque.core.policy import Policy, weigh_values
from ludotheque.games.passerelles.board import (
    COLUMNS,
    DOWN,
    LONGEST,
    NEUTRAL_PIECES,
    NORTH,
    PASS,
    PIECES,
    ROWS,
    SOUTH,
    SQUARES,
    length_of,
    squares_of,
    step_of,
)
from ludotheque.games.passerelles.endgame import Endgame
from ludotheque.games.passerelles.rules import LEVELS, OPEN, TOPS, PasserellesState

# By placement: the three squares beyond each of its ends, where a wall would go on, and how many ends are at a side of
# the board, where it needs to go no further.


def _beyond(action: int, last: bool) -> list[int]:
    """The squares that touch an end of a placement: ahead and to both sides of that."""
    squares = squares_of(action)
    if not squares:
        return []
    row, column = divmod(squares[-1 if last else 0], COLUMNS)
    ahead = 1 if last else -1
    if step_of(action // SQUARES) == DOWN:
        places = [(row + ahead, column + side) for side in (-1, 0, 1)]
    else:
        places = [(row + side, column + ahead) for side in (-1, 0, 1)]
    return [COLUMNS * y + x for y, x in places if 0 <= y < ROWS and 0 <= x < COLUMNS]


def _half(half: vec[i64], last: bool) -> vec[i64]:
    return vec[i64]([i64(sum([half[square] for square in _beyond(action, last)])) for action in range(PASS)])


def _sides() -> vec[u8]:
    ends = [[_beyond(action, last) for last in (False, True)] for action in range(PASS)]
    return vec[u8]([u8(sum([not squares for squares in both])) for both in ends])


FIRST_NORTH: Final = _half(NORTH, False)
FIRST_SOUTH: Final = _half(SOUTH, False)
LAST_NORTH: Final = _half(NORTH, True)
LAST_SOUTH: Final = _half(SOUTH, True)
SIDES: Final = _sides()

# What a placement gains, in tenths; ten of them make a move e times as attractive.

CUTS: Final = 9
"""For each square of the other's walls that is covered."""
WASTES: Final = 6
"""For each square of one's own walls that is covered."""
JOINS: Final = 8
"""For each end that goes on in a wall of one's own, or stops at a side of the board."""
REACHES: Final = 3
"""For each square of its length."""
LEAST: Final = -40
"""No placement gains less than this: five squares wasted."""
MOST: Final = 120
"""Nor more than this: five squares cut, four ends that join."""
ATTRACTION: Final = vec[float]([exp(tenths / 10) for tenths in range(LEAST, MOST)])
"""By gain, from the least on."""

# The refined weights, fitted to the visits of searches of 3,000 simulations, then halved.

WALLS_EARLY: Final = 2.6
"""How many e-folds a gain of ten tenths is worth, with all pieces to come."""
WALLS_LATE: Final = 0.03
"""And with none."""
AREAS_LATE: Final = 0.065
"""How many e-folds a point of the lead is worth, with no piece to come."""
LEAST_WEIGHT: Final = 0.001
"""The weight that every move has at least, next to the best."""

ROUND: Final = 15.0
"""The points that a seat makes in a round, about."""


@final
class PasserellesPolicy(Policy):
    """Walls that hang together. Playouts go to the end of the round."""

    endgame: Endgame
    tries: i64
    """A rollout takes the best of this number of random moves."""
    counts: vec[i64]
    """By half of a set of open placements: how many there are; found by `_count_placements`."""
    wall_points: float
    """What a gain that makes a move e times as attractive is worth in points, with all pieces to come."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.endgame = Endgame(game)
        self.lead_scale = 8.0
        self.width = 32
        self.simulations_per_second = 70000
        self.error_scales = [0.11, 0.03, 0.0095, 0.0]
        self.worst_slip = 8.0
        self.tries = 2
        self.amaf_visits = 1000.0
        self.wall_points = 2.0
        self.refine_after = 32
        self.counts = vec[i64]([0] * LEVELS)
        self.trail = vec[i64]([0] * (game.max_game_length() + 2))

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, PasserellesState)
        i: i64 = 0
        while i < count:
            weights[i] = ATTRACTION[gain(state, actions[i]) - LEAST]
            i += 1

    def refined_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """By what a placement does for the walls, the more the more pieces are to come, and by the areas after it."""
        assert isinstance(state, PasserellesState)
        seat = state.player
        to_come = float(pieces_left(state)) / float(PIECES - NEUTRAL_PIECES)
        by_walls = 0.1 * (WALLS_LATE + WALLS_EARLY * to_come)
        by_areas = AREAS_LATE * (1.0 - to_come)
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(actions[i])
            after.scores_into(self.scores_now)
            lead = float(self.scores_now[seat] - self.scores_now[1 - seat])
            weights[i] = by_walls * float(gain(state, actions[i])) + by_areas * lead
            i += 1
        weigh_values(weights, count, 1.0, LEAST_WEIGHT)

    def turn_values_into(self, state: State, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """The lead by the areas as they are, and what the placement does for the walls while pieces are left."""
        assert isinstance(state, PasserellesState)
        seat = state.player
        to_come = float(pieces_left(state)) / float(PIECES - NEUTRAL_PIECES)
        i: i64 = 0
        while i < count:
            walls = 0.1 * float(gain(state, actions[i])) * self.wall_points * to_come
            after = state.clone()
            after.apply(actions[i])
            after.scores_into(self.scores_now)
            lead = float(self.scores_now[seat] - self.scores_now[1 - seat])
            values[i] = lead + walls
            i += 1

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PasserellesState)
        total = self._count_placements(state)
        if total == 0 or state.laying:
            return state.sample(rng)
        best: i64 = PASS
        best_gain: i64 = 0
        tries: i64 = 0
        while tries < self.tries:
            other = self._placement(state, rng.randrange(total))
            other_gain = gain(state, other)
            if tries == 0 or other_gain > best_gain:
                best = other
                best_gain = other_gain
            tries += 1
        return best

    def _count_placements(self, state: PasserellesState) -> i64:
        """Count the open placements of each half; return how many there are."""
        sets = state.sets
        counts = self.counts
        total: i64 = 0
        half: i64 = OPEN
        while half < LEVELS:
            count: i64 = 0
            if sets[half] != 0:
                count = popcount(sets[half])
            counts[half] = count
            total += count
            half += 1
        return total

    def _placement(self, state: PasserellesState, k: i64) -> i64:
        """The k-th open placement, by the counts."""
        counts = self.counts
        half: i64 = OPEN
        while k >= counts[half]:
            k -= counts[half]
            half += 1
        return state.kth_placement(half, k)

    def play_on(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PasserellesState)
        this_round = state.round
        steps: i64 = 0
        while state.player != TERMINAL and state.round == this_round:
            action = self.move(state, rng)
            self.trail[steps] = 2 * action + state.player
            state.apply(action)
            steps += 1
        self.trail_length = steps
        return steps

    def outlook_into(self, state: State, scores: vec[float]) -> None:
        """The areas of this round count the more the fewer pieces are left; what is to come, the same for both."""
        assert isinstance(state, PasserellesState)
        super().outlook_into(state, scores)
        to_come = float(pieces_left(state)) / float(PIECES - NEUTRAL_PIECES)
        typical = ROUND * (float(state.rounds - 1 - state.round) + to_come)
        first = float(state.first_points)
        second = float(state.second_points)
        scores[0] = first + (1.0 - to_come) * (scores[0] - first) + typical
        scores[1] = second + (1.0 - to_come) * (scores[1] - second) + typical

    def solve(self, state: State, effort: i64) -> list[int]:
        assert isinstance(state, PasserellesState)
        return self.endgame.best_play(state, effort)


def pieces_left(state: PasserellesState) -> i64:
    """How many pieces the two players have left."""
    left: i64 = 0
    length: i64 = 1
    while length <= LONGEST:
        left += state.held(0, length) + state.held(1, length)
        length += 1
    return left


def gain(state: PasserellesState, action: i64) -> i64:
    """How much a placement seems to do for the seat that makes it, in tenths."""
    if action == PASS or state.laying:
        return 0
    sets = state.sets
    own = TOPS + 2 * state.player
    other = TOPS + 2 - 2 * state.player
    north = NORTH[action]
    south = SOUTH[action]
    # Most placements are within one half, and cover no wall.
    cut: i64 = 0
    wasted: i64 = 0
    if north & (sets[other] | sets[own]) != 0:
        cut = popcount(north & sets[other])
        wasted = popcount(north & sets[own])
    if south & (sets[other + 1] | sets[own + 1]) != 0:
        cut += popcount(south & sets[other + 1])
        wasted += popcount(south & sets[own + 1])
    joined = i64(SIDES[action])
    if (FIRST_NORTH[action] & sets[own]) | (FIRST_SOUTH[action] & sets[own + 1]) != 0:
        joined += 1
    if (LAST_NORTH[action] & sets[own]) | (LAST_SOUTH[action] & sets[own + 1]) != 0:
        joined += 1
    length = length_of(action // SQUARES)
    return CUTS * cut - WASTES * wasted + JOINS * joined + REACHES * length
