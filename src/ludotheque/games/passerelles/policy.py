"""A decent player's knowledge of Passerelles: build on one's walls and to the sides, cut the other's. Compiled."""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.bits import as_float, popcount
from ludotheque.core.game import TERMINAL, Game, State
from ludotheque.core.policy import Policy, weigh_values
from ludotheque.games.passerelles.board import (
    ALL,
    BIT_DOWN,
    COLUMNS,
    DOWN,
    NEUTRAL,
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
from ludotheque.games.passerelles.endgame import FAR, Endgame, in_hand
from ludotheque.games.passerelles.rules import BARE, NO_MOVE, TOPS, PasserellesState, flood, is_enclosed, lowest

# Placements: the three squares beyond each end, where a wall would go on, and how many ends are at a side of
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

# Gains of a placement, in tenths; ten of them make a move e times as attractive.

CUTS: Final = 9
"""For each square of the other's walls that is covered."""
WASTES: Final = 6
"""For each covered square of the seat's own walls."""
JOINS: Final = 8
"""For each end that goes on in a wall of the same seat, or stops at a side of the board."""
REACHES: Final = 3
"""For each square of its length."""
LEAST: Final = -40
"""No placement gains as little as this."""
MOST: Final = 120
"""Nor as much as this."""
ATTRACTION: Final = vec[float]([exp(tenths / 10) for tenths in range(LEAST, MOST)])
"""Attraction by gain, from the least on."""

# The refined weights, fitted to the visits of searches of 3,000 simulations, then halved.

WALLS_EARLY: Final = 2.6
"""E-folds that a gain of ten tenths is worth, with all pieces to come."""
WALLS_LATE: Final = 0.03
"""And with none."""
AREAS_LATE: Final = 0.065
"""E-folds that a point of the lead is worth, with no piece to come."""
LEAST_WEIGHT: Final = 0.001
"""The weight that every move has at least, next to the best."""

# The lookahead of `greedy`: one placement and the best reply to it. The weights were chosen by games between `greedy`
# players.

LOOKED_AT: Final = 20
"""Placements, those that look best, to judge after the best reply."""
AREAS_EARLY: Final = 0.5
"""The part of a point that a square enclosed counts less, with all pieces to come."""
NEARLY_ENCLOSED_POINTS: Final = 0.2
"""The points that a square nearly enclosed counts while pieces are to come."""
WALL_POINTS: Final = 1.0
"""The points that a gain of ten tenths counts, with all pieces to come."""

ROUND: Final = 15.0
"""Points that a seat makes in a round, roughly."""


@final
class PasserellesPolicy(Policy):
    """Walls that hang together. Rollouts go to the end of the round."""

    endgame: Endgame
    tries: i64
    """A rollout takes the best of this number of random moves."""
    seen: PasserellesState
    """The board as seen from above after a placement; kept by `_see`."""
    order: vec[i64]
    """The places of the actions of a lookahead, those that look best first."""
    replies: vec[i64]
    refutation: i64
    """The best reply found last: it is tried first against the next placement."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.endgame = Endgame(game)
        self.lead_scale = 8.0
        self.width = 32
        self.worst_slip = 8.0
        self.visit_penalty = 0.5
        self.tries = 2
        self.amaf_visits = 1000.0
        self.refine_after = 32
        self.seen = PasserellesState()
        self.seen.clear_board()
        self.order = game.new_buffer()
        self.replies = game.new_buffer()
        self.refutation = PASS

    def max_rollout_moves(self, game: Game) -> int:
        return game.max_game_length() + 2

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, PasserellesState)
        i: i64 = 0
        while i < count:
            weights[i] = ATTRACTION[gain(state, actions[i]) - LEAST]
            i += 1

    def refined_weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """Weigh placements by their use for the walls, the more the more pieces are to come, and by the areas after."""
        assert isinstance(state, PasserellesState)
        seat = state.player
        to_come = part_to_come(in_hand(state))
        by_walls = 0.1 * (WALLS_LATE + WALLS_EARLY * to_come)
        by_areas = AREAS_LATE * (1.0 - to_come)
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(actions[i])
            after.scores_into(self._scores_now)
            lead = as_float(self._scores_now[seat] - self._scores_now[1 - seat])
            weights[i] = by_walls * as_float(gain(state, actions[i])) + by_areas * lead
            i += 1
        weigh_values(weights, count, 1.0, LEAST_WEIGHT)

    # One placement and the best reply to it.

    def turn_values_into(self, state: State, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """Judge by the areas and the walls after the other's best reply. Only the placements that look best are judged
        so; the others are taken to lose as much by a reply as the best one does."""
        assert isinstance(state, PasserellesState)
        left = in_hand(state) - 1
        i: i64 = 0
        while i < count:
            self.order[i] = i
            self._see(state, actions[i])
            values[i] = self._lead_seen(state.player, left) + wall_points(state, actions[i], left)
            i += 1
        if not state.laying:
            self._judge_by_replies(state, actions, count, values)

    def _judge_by_replies(self, state: PasserellesState, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """Correct what the placements are worth by the best replies to those that look best."""
        self.refutation = PASS
        best = -as_float(FAR)
        loss = 0.0
        i: i64 = 0
        while i < count:
            place = self.order[i]
            if i < LOOKED_AT:
                place = self._next_best(i, count, values)
                at_once = values[place]
                values[place] = self._after_reply(state, actions[place], at_once, best - self.worst_slip)
                if values[place] > best:
                    best = values[place]
                    loss = at_once - best
            else:
                values[place] -= loss
            i += 1

    def _next_best(self, first: i64, count: i64, values: vec[float]) -> i64:
        """Move the place of the greatest value from `first` on to the front; return it."""
        order = self.order
        best = first
        i = first + 1
        while i < count:
            if values[order[i]] > values[order[best]]:
                best = i
            i += 1
        order[first], order[best] = order[best], order[first]
        return order[first]

    def _after_reply(self, state: PasserellesState, action: i64, at_once: float, floor: float) -> float:
        """Return the worth of a placement after the best reply; once it is below `floor`, only that is sure."""
        seat = state.player
        after = state.clone()
        after.apply(action)
        if after.player == TERMINAL or after.round != state.round:
            return at_once
        left = in_hand(after) - 1
        walls = wall_points(state, action, left)
        worst = as_float(FAR)
        if after.allows(self.refutation):
            self._see(after, self.refutation)
            worst = walls + self._lead_seen(seat, left)
        count = after.legal_into(self.replies)
        i: i64 = 0
        while i < count and worst >= floor:
            self._see(after, self.replies[i])
            value = walls + self._lead_seen(seat, left)
            if value < worst:
                worst = value
                self.refutation = self.replies[i]
            i += 1
        return worst

    def _see(self, state: PasserellesState, action: i64) -> None:
        """Keep what is seen from above after a placement of the seat to act."""
        sets = state.sets
        seen = self.seen.sets
        self.seen.diagonal = state.diagonal
        owner = state.player
        if state.laying:
            owner = NEUTRAL
        north: i64 = 0
        south: i64 = 0
        if action != PASS:
            north = NORTH[action]
            south = SOUTH[action]
        half: i64 = TOPS
        while half <= BARE:
            seen[half] = sets[half] & ~north
            seen[half + 1] = sets[half + 1] & ~south
            half += 2
        seen[TOPS + 2 * owner] |= north
        seen[TOPS + 2 * owner + 1] |= south

    def _lead_seen(self, seat: i64, left: i64) -> float:
        """Return a seat's lead by the areas seen, with so many pieces left: enclosed and nearly enclosed ones."""
        first, second = self.seen.score_now()
        lead = (1.0 - AREAS_EARLY * part_to_come(left)) * as_float(first - second)
        if left > 0:
            lead += NEARLY_ENCLOSED_POINTS * as_float(nearly_enclosed(self.seen, 0) - nearly_enclosed(self.seen, 1))
        return lead if seat == 0 else -lead

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PasserellesState)
        if state.laying:
            return state.sample(rng)
        return self._quick_move(state, rng)

    def _quick_move(self, state: PasserellesState, rng: Random) -> i64:
        """The best of some random placements; or a pass, or `NO_MOVE`."""
        best = state.draw(rng)
        if best in (PASS, NO_MOVE):
            return best
        best_gain = gain(state, best)
        tries: i64 = 1
        while tries < self.tries:
            other = state.draw(rng)
            other_gain = gain(state, other)
            if other_gain > best_gain:
                best = other
                best_gain = other_gain
            tries += 1
        return best

    def play_on(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PasserellesState)
        steps: i64 = 0
        while state.laying and state.player != TERMINAL:
            neutral = state.sample(rng)
            self._note(steps, neutral, state.player)
            state.apply(neutral)
            steps += 1
        action: i64 = NO_MOVE
        if state.player != TERMINAL:
            action = self._quick_move(state, rng)
        while action != NO_MOVE:
            self._note(steps, action, state.player)
            state.go_on(action)
            steps += 1
            action = self._quick_move(state, rng)
        if steps > 0:
            state.end_round()
        self.rollout_length = steps
        return steps

    def _note(self, step: i64, action: i64, seat: i64) -> None:
        """Write a move of a rollout down."""
        self.rollout_moves[step] = 2 * action + seat

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        """The areas of this round count the more the fewer pieces are left; what is to come, the same for both."""
        assert isinstance(state, PasserellesState)
        super().estimate_scores_into(state, scores)
        to_come = part_to_come(in_hand(state))
        typical = ROUND * (as_float(state.rounds - 1 - state.round) + to_come)
        first = as_float(state.first_points)
        second = as_float(state.second_points)
        scores[0] = first + (1.0 - to_come) * (scores[0] - first) + typical
        scores[1] = second + (1.0 - to_come) * (scores[1] - second) + typical

    def solve(self, state: State, effort: i64) -> list[int]:
        assert isinstance(state, PasserellesState)
        return self.endgame.best_play(state, effort)


def part_to_come(left: i64) -> float:
    """The part of the players' pieces that is to come, with so many left."""
    return as_float(left) / as_float(PIECES - NEUTRAL_PIECES) if left > 0 else 0.0


def wall_points(state: PasserellesState, action: i64, left: i64) -> float:
    """The points that a placement is worth by what it does for the walls, with so many pieces left."""
    return 0.1 * WALL_POINTS * part_to_come(left) * as_float(gain(state, action))


def nearly_enclosed(state: PasserellesState, seat: i64) -> i64:
    """Return how many bare squares the seat would enclose with walls a square thicker wherever the other has none."""
    sets = state.sets
    north = sets[TOPS + 2 * seat]
    south = sets[TOPS + 2 * seat + 1]
    above = (north >> BIT_DOWN) | ((south & 0xFFF) << 48) | ((north & 0xFFFFFFFFFFFF) << BIT_DOWN)
    below = (south >> BIT_DOWN) | (north >> 48) | ((south & 0xFFFFFFFFFFFF) << BIT_DOWN)
    thicker_north = ((north << 1) | (north >> 1) | above) & ~sets[TOPS + 2 - 2 * seat]
    thicker_south = ((south << 1) | (south >> 1) | below) & ~sets[TOPS + 3 - 2 * seat]
    free_north = ALL & ~(north | thicker_north)
    free_south = ALL & ~(south | thicker_south)
    left_north = free_north
    left_south = free_south
    count: i64 = 0
    while left_north | left_south != 0:
        north, south = lowest(left_north, left_south)
        north, south = flood(north, south, free_north, free_south, state.diagonal)
        if is_enclosed(north, south):
            count += popcount(north & sets[BARE]) + popcount(south & sets[BARE + 1])
        left_north &= ~north
        left_south &= ~south
    return count


def gain(state: PasserellesState, action: i64) -> i64:
    """Return the apparent use of a placement to the seat that makes it, in tenths."""
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
