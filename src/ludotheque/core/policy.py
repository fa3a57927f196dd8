"""A decent player's knowledge of a game, for the bots: which moves look good, how it is likely to end. Compiled.

A policy never decides what is legal and never needs to be right: search tries its favourites first and finds out. It
may read all of a `State`, because the bots hand it only positions that were dealt anew from what their seat can see.
"""

from __future__ import annotations

from math import exp
from typing import Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from ludotheque.core.bits import as_float
from ludotheque.core.buffers import Buffers
from ludotheque.core.game import TERMINAL, Game, State, buffers_of

TO_THE_END: Final = 1000000
"""A horizon that no game reaches."""
LONGEST_TURN: Final = 8
"""Largest number of decisions of one turn to look ahead."""
TURN_POSITIONS: Final = 10000
"""Positions that a lookahead over a turn tries for one action before it goes on with the favourites alone."""

SCORE_PART: Final = 0.2
"""The part of the lead in the return of a finished game; the rest is the share of the win."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Policy:
    """Heuristics of a game for the bots: which moves look good, and how a position is likely to end.

    This one is uniform: all moves look alike, and the seat that is ahead is likely to win. Games refine it.
    """

    horizon: i64
    """Steps, draws included, of a rollout before it is cut and the standings are estimated; a policy with
    its own `play_on` may end rollouts by another rule."""
    lead_scale: float
    """The lead in points, once all is counted, that makes a seat about three times as likely to win as another."""
    width: i64
    """Moves of a position that search looks at, the favourites first, if nothing is hidden or drawn."""
    expand_after_visits: i64
    """Rollouts that search sends through a position before it looks at the moves there one by one."""
    simulations_per_second: int
    """Simulations a second on one core of a plain machine from the middle of a game, for a game whose speed was never
    measured (`ludotheque calibrate`)."""
    decisions_per_move: float
    """Decisions that make one move at the table (choose a card, its place, its rotation), for a game that was never
    measured."""
    worst_slip: float
    """No slip loses more points than this by the lookahead over the turn: that would be absurd. A weak level, whose
    error scale is large, may lose more."""
    visit_penalty: float
    """The discount of a weak level on the return of a move, over the root of its visits: what was tried seldom may look
    good by luck."""
    c_puct: float
    """Weight of the policy in a search against the results of its simulations."""
    amaf_visits: float
    """Visits of a move that count as much as all simulations in which it was played later (AMAF); 0 if only visits
    count. `play_on` then writes the moves of a rollout to `rollout_moves`."""
    rollout_moves: vec[i64]
    """The moves of the latest rollout, each as `2 * action + seat`, for AMAF in games of two seats."""
    rollout_length: i64
    """Number of moves in `rollout_moves`."""
    slips_unseen: bool
    """Whether a weak level may also slip to moves that its search never tried, judged by the lookahead."""
    refine_after: i64
    """Visits that a position needs before search asks for better weights of its moves (`refined_weights_into`); 0 for
    never. The position searched gets them at once, unless the tree had it already."""
    merges_transpositions: bool
    """Whether a search counts for a position what it found out on any way there, if nothing is hidden or drawn and the
    states have a `transposition_key`."""
    tree_ends_with_turn: bool
    """Whether a search looks at the decisions of one turn only and leaves the rest to rollouts, in games with
    draws or hidden information."""
    beam: i64
    """Actions, those of most weight first, that a lookahead over a turn tries at each decision after the first."""
    _turn_actions: list[vec[i64]]
    """Buffers for the actions of a lookahead, by depth."""
    _turn_weights: vec[float]
    _positions_left: i64
    """Positions that the lookahead for one action may still try."""
    _outlook: vec[float]
    _scores_now: vec[i64]
    _end_shares: vec[float]

    def __init__(self, game: Game) -> None:
        self.horizon = TO_THE_END
        self.lead_scale = 10.0
        self.width = 40
        self.expand_after_visits = 8
        self.simulations_per_second = 2000
        self.decisions_per_move = 1.0
        self.worst_slip = 5.0
        self.visit_penalty = 0.0
        self.c_puct = 0.9
        self.amaf_visits = 0.0
        self.rollout_moves = vec[i64]([0] * self.max_rollout_moves(game))
        self.rollout_length = 0
        self.refine_after = 0
        self.slips_unseen = False
        self.merges_transpositions = False
        self.tree_ends_with_turn = False
        self.beam = 1000000
        self._turn_actions = []
        self._turn_weights = vec[float]([])
        self._positions_left = 0
        self._outlook = vec[float]([0.0] * game.players)
        self._scores_now = game.new_scores()
        self._end_shares = vec[float]([0.0] * game.players)

    # Constants of a game. (A field that is set here and set again by a compiled subclass is never freed by mypyc 2.4.)

    def error_scales(self) -> list[float]:
        """The loss, as a part of the win, that makes a move half as likely as the best: at level 1, at level 2, and so
        on as far as levels slip. For a game without tuned ones (`bots.toml`)."""
        return [0.1, 0.03, 0.006, 0.002]

    def is_plausible(self, action: int) -> bool:
        """Whether a weak level may take an action by a slip. No person takes some, however little they lose; the move
        that its search likes best is played in any case."""
        return True

    def max_rollout_moves(self, game: Game) -> int:
        """Return the number of moves that a rollout may write down for AMAF."""
        return 1

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """Write how good each of the first `count` actions looks, as positive weights."""
        i: i64 = 0
        while i < count:
            weights[i] = 1.0
            i += 1

    def refined_weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        """Write weights that take longer to find and are worth it where a search spends much time."""
        self.weights_into(state, actions, count, weights)

    def move(self, state: State, rng: Random) -> i64:
        """One step of a rollout: a quick sensible move, or a draw."""
        return state.sample(rng)

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        """Write a quick estimate of the final score of each seat, while the game is going on."""
        self._scores_into(state, scores)

    def lead_scale_at(self, state: State) -> float:
        """The lead in estimated scores that makes a seat about three times as likely to win at this stage."""
        return self.lead_scale

    def solve(self, state: State, effort: i64) -> list[int]:
        """The best play by all, to where a rollout would end, if a limit of positions is enough to be sure of
        it; else nothing. For games that come to an end which can be worked out: nothing drawn, nothing hidden."""
        return []

    def resolve_auction(self, state: State) -> None:
        """Carry an auction, or whatever else must be decided before a position can be judged, to its end."""

    def is_turn_over(self, state: State, seat: i64) -> bool:
        """Whether the turn in which `seat` has acted is over."""
        return state.current_player() != seat

    # One turn ahead.

    def value(self, state: State, seat: i64) -> float:
        """Return the lead over the mean of the others that a seat can expect, in points, plus a bonus for a win."""
        bonus = 0.0
        if state.current_player() == TERMINAL:
            self._scores_into(state, self._outlook)
            state.shares_into(self._scores_now, self._end_shares)
            bonus = self.lead_scale * self._end_shares[seat]
        else:
            self.estimate_scores_into(state, self._outlook)
        total = 0.0
        other: i64 = 0
        while other < len(self._outlook):
            total += self._outlook[other]
            other += 1
        own = self._outlook[seat]
        others = as_float(len(self._outlook) - 1)
        return own + bonus - ((total - own) / others if others > 0.0 else 0.0)

    def turn_values_into(self, state: State, actions: vec[i64], count: i64, values: vec[float]) -> None:
        """Write what each action is worth to the player to act (`value`) if it goes on as well as it can to the end of
        its turn."""
        seat = state.current_player()
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(actions[i])
            self._positions_left = TURN_POSITIONS
            values[i] = self._best_in_turn(after, seat, 0)
            i += 1

    def _best_in_turn(self, state: State, seat: i64, depth: i64) -> float:
        """The value of the best end of the turn that can be reached from here."""
        if depth == LONGEST_TURN or self.is_turn_over(state, seat):
            self.resolve_auction(state)
            return self.value(state, seat)
        if depth == len(self._turn_actions):
            self._turn_actions.append(state.game.new_buffer())
        actions = self._turn_actions[depth]
        count = state.legal_into(actions)
        beam: i64 = self.beam if self._positions_left > 0 else 1
        if count > beam:
            count = self._keep_favourites(state, actions, count, beam)
        self._positions_left -= count
        best = 0.0
        i: i64 = 0
        while i < count:
            after = state
            if i + 1 < count:
                after = state.clone()
            after.apply(actions[i])
            value = self._best_in_turn(after, seat, depth + 1)
            if i == 0 or value > best:
                best = value
            i += 1
        return best

    def _keep_favourites(self, state: State, actions: vec[i64], count: i64, beam: i64) -> i64:
        """Move the actions of most weight to the front, as many as the beam is wide; return how many."""
        if len(self._turn_weights) < len(actions):
            self._turn_weights = vec[float]([0.0] * len(actions))
        weights = self._turn_weights
        self.weights_into(state, actions, count, weights)
        kept: i64 = 0
        while kept < beam:
            best = kept
            i = kept + 1
            while i < count:
                if weights[i] > weights[best]:
                    best = i
                i += 1
            actions[kept], actions[best] = actions[best], actions[kept]
            weights[kept], weights[best] = weights[best], weights[kept]
            kept += 1
        return kept

    def turn_values(self, state: State) -> dict[int, float]:
        """Return what each legal action is worth to the player to act at the end of its turn, as a dict."""
        buffers = buffers_of(state.game)
        actions = buffers.take_actions()
        values = buffers.take_values()
        count = state.legal_into(actions)
        self.turn_values_into(state, actions, count, values)
        return _by_action(buffers, actions, values, count)

    # The rest follows.

    def weigh(self, state: State) -> dict[int, float]:
        """Return the weight of each legal action, as a dict."""
        buffers = buffers_of(state.game)
        actions = buffers.take_actions()
        weights = buffers.take_values()
        count = state.legal_into(actions)
        self.weights_into(state, actions, count, weights)
        return _by_action(buffers, actions, weights, count)

    def expected_shares(self, state: State) -> list[float]:
        """Return the share of the win that each seat can expect, as a list; once the game is over, its actual share."""
        if state.is_terminal():
            return state.returns()
        buffers = buffers_of(state.game)
        shares = buffers.take_shares()
        scores = buffers.take_shares()
        self.estimate_into(state, shares, scores)
        return _by_seat(buffers, shares, scores)

    def evaluate(self, state: State) -> list[float]:
        """Return the worth of a position to each seat as a search counts it, as a list (see `evaluate_into`)."""
        buffers = buffers_of(state.game)
        returns = buffers.take_shares()
        scores = buffers.take_shares()
        self.evaluate_into(state, returns, scores)
        return _by_seat(buffers, returns, scores)

    def expected_scores(self, state: State, games: int, rng: Random) -> list[float]:
        """Return the mean final score of each seat over rollouts, as a list; once the game is over, its score."""
        seats = state.game.players
        buffers = buffers_of(state.game)
        returns = buffers.take_shares()
        scores = buffers.take_shares()
        sums = [0.0] * seats
        for _ in range(games):
            end = state.clone()
            self.play_on(end, rng)
            self.evaluate_into(end, returns, scores)
            for seat in range(seats):
                sums[seat] += scores[seat]
        buffers.shares += [returns, scores]
        return [total / games for total in sums]

    def estimate_into(self, state: State, shares: vec[float], scores: vec[float]) -> None:
        """Write a quick estimate of each seat's share of the win and final score, while the game is going on."""
        self.estimate_scores_into(state, scores)
        self.likely_shares_into(scores, self.lead_scale_at(state), shares)

    def likely_shares_into(self, scores: vec[float], lead: float, shares: vec[float]) -> None:
        """Write the share of the win that each seat can expect with such scores, the more the further it is ahead."""
        seats = i64(len(scores))
        best = scores[0]
        seat: i64 = 1
        while seat < seats:
            if scores[seat] > best:
                best = scores[seat]
            seat += 1
        total = 0.0
        seat = 0
        while seat < seats:
            shares[seat] = exp((scores[seat] - best) / lead)
            total += shares[seat]
            seat += 1
        seat = 0
        while seat < seats:
            shares[seat] = shares[seat] / total
            seat += 1

    def play_on(self, state: State, rng: Random) -> i64:
        """Play a rollout from `state`, to its end or to the horizon; return the number of steps."""
        steps: i64 = 0
        while steps < self.horizon and state.current_player() != TERMINAL:
            state.apply(self.move(state, rng))
            steps += 1
        return steps

    def evaluate_into(self, state: State, returns: vec[float], scores: vec[float]) -> None:
        """Write what the end of a rollout is worth to each seat, and its score.

        At the end of the game this is the share of the win with a small part of the lead, which tells winning lines
        apart; before that, an estimate.
        """
        if state.current_player() != TERMINAL:
            self.estimate_into(state, returns, scores)
            return
        self._scores_into(state, scores)
        state.shares_into(self._scores_now, returns)
        self.likely_shares_into(scores, self.lead_scale, self._end_shares)
        seat: i64 = 0
        while seat < len(returns):
            returns[seat] += SCORE_PART * (self._end_shares[seat] - returns[seat])
            seat += 1

    def _scores_into(self, state: State, scores: vec[float]) -> None:
        """Write the scores so far, and keep them as whole numbers."""
        state.scores_into(self._scores_now)
        seat: i64 = 0
        while seat < len(scores):
            scores[seat] = as_float(self._scores_now[seat])
            seat += 1

    def play_out(self, start: State, games: i64, rng: Random) -> None:
        """Play and evaluate rollouts from copies of `start`, as a search does but without a tree, for benchmarks."""
        buffers = buffers_of(start.game)
        returns = buffers.take_shares()
        scores = buffers.take_shares()
        while games > 0:
            state = start.clone()
            self.play_on(state, rng)
            self.evaluate_into(state, returns, scores)
            games -= 1
        buffers.shares += [returns, scores]


def _by_action(buffers: Buffers, actions: vec[i64], values: vec[float], count: i64) -> dict[int, float]:
    """The value of each action; the buffers are given back."""
    found = {int(actions[i]): float(values[i]) for i in range(count)}
    buffers.actions = actions
    buffers.values = values
    return found


def _by_seat(buffers: Buffers, shares: vec[float], scores: vec[float]) -> list[float]:
    """The share of each seat; the buffers are given back."""
    found = [float(shares[seat]) for seat in range(buffers.players)]
    buffers.shares += [shares, scores]
    return found


def weigh_values(values: vec[float], count: i64, temperature: float, least: float) -> None:
    """Turn what moves are worth into their weights, in place: about 1 for the best, a third of that for a move that is
    worth `temperature` less, and at least `least` for all."""
    best = values[0]
    i: i64 = 1
    while i < count:
        if values[i] > best:
            best = values[i]
        i += 1
    i = 0
    while i < count:
        values[i] = least + exp((values[i] - best) / temperature)
        i += 1


def pick(weights: list[float], rng: Random) -> int:
    """The number of a weight, drawn by the weights."""
    total = 0.0
    for weight in weights:  # `sum` rounds otherwise from Python 3.12 on
        total += weight
    left = rng.random() * total
    for number, weight in enumerate(weights[:-1]):
        left -= weight
        if left < 0.0:
            return number
    return len(weights) - 1


def policy_of(game: Game) -> Policy:
    """Return a new policy for a game: its own, or the uniform one if it has none."""
    policy = game.policy()
    if policy is None:
        return Policy(game)
    if not isinstance(policy, Policy):
        raise TypeError(f"{type(game).__name__}.policy() must return a ludotheque.Policy or None, not {policy!r}.")
    return policy
