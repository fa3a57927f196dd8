"""What a decent player of Pays noir knows: where a member will bring points, which turn of a card helps. Compiled."""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.game import Game, State
from ludotheque.core.policy import Policy, pick
from ludotheque.games.pays_noir.deck import COUNT, FACTORY, MINE, OPEN_ENDS, PATCH, PORT, QUARTER, QUARTERS_FROM, TRACK
from ludotheque.games.pays_noir.rules import FACTORY_POINTS, MINE_POINTS, SPOT, TURN, PaysNoirState

EAGER: Final = 1.5
"""The gain in points that makes a move e times as attractive."""
ONE_END: Final = 1048576
"""One open end, in a record."""
KEPT: Final = 1.2
"""What a member in hand is worth, in points, while there are few of them."""


@final
class PaysNoirPolicy(Policy):
    """Points for what can still be finished, with the cards that are left."""

    actions: vec[i64]
    weights: vec[float]
    scores: vec[i64]

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.lead_scale = 8.0
        self.simulations_per_second = 12000
        self.decisions = 4.0
        self.error_scale = 0.15
        self.actions = game.new_buffer()
        self.weights = vec[float]([0.0] * len(self.actions))
        self.scores = game.new_scores()

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        assert isinstance(state, PaysNoirState)
        i: i64 = 0
        while i < count:
            if state.phase == SPOT:
                weights[i] = exp(self._spot_gain(state, actions[i]) / EAGER)
            elif state.phase == TURN:
                weights[i] = exp(self._lead_after(state, actions[i]) / EAGER)
            else:
                weights[i] = 1.0
            i += 1

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PaysNoirState)
        if state.phase != SPOT:
            return state.sample(rng)
        count = state.legal_into(self.actions)
        i: i64 = 0
        while i < count:
            self.weights[i] = exp(self._spot_gain(state, self.actions[i]) / EAGER)
            i += 1
        return self.actions[pick(self.weights, count, rng)]

    def _lead_after(self, state: PaysNoirState, action: i64) -> float:
        """How far a card, laid that way round, would leave the seat ahead of the mean of the others."""
        seat = state.seat
        after = state.clone()
        after.apply(action)
        after.scores_into(self.scores)
        others: i64 = 0
        other: i64 = 0
        while other < state.players:
            if other != seat:
                others += self.scores[other]
            other += 1
        lead = float(self.scores[seat]) - float(others) / float(state.players - 1)
        return lead if lead < 20.0 else 20.0

    def _spot_gain(self, state: PaysNoirState, action: i64) -> float:
        """The points that a member on a spot of the card just laid promises."""
        spot = action - state.deck.first_member - 1
        supply = float(state.supply(state.seat))
        if spot < 0:
            return KEPT * 3.0 / (1.0 + supply)
        board = state.board
        node = board.base(board.laid - 1) + spot
        kind = board.kind(node)
        if board.is_finished(node):
            return self._finished_points(state, node, kind)
        left = float(state.left + state.players) / float(state.deck.total)
        if kind == PATCH:
            return 1.0 + 1.5 * left
        if kind == QUARTER:
            return 1.0 + 3.0 * left
        if kind == TRACK:
            ends = float((board.record(node) & OPEN_ENDS) // ONE_END)
            return (float(board.line_length(node)) + 1.5) * left_to_close(ends, left)
        if kind == PORT:
            return float(board.port_value(node)) + 1.5 * left
        points = MINE_POINTS if kind == MINE else FACTORY_POINTS
        return float(points) * (0.35 + 0.6 * left)

    def _finished_points(self, state: PaysNoirState, node: i64, kind: i64) -> float:
        """What the member brings at once, and comes back."""
        board = state.board
        points = 0.0
        if kind == TRACK:
            points = float(board.line_length(node))
        elif kind == MINE:
            points = float(MINE_POINTS)
        elif kind == FACTORY:
            points = float(FACTORY_POINTS)
        elif kind == PORT:
            points = float(board.port_value(node))
        elif kind == QUARTER:
            points = float((board.record(node) >> QUARTERS_FROM) & COUNT)
        return 1.5 + points


def left_to_close(ends: float, left: float) -> float:
    """How likely so many open ends of a line are closed, while that part of the cards is left."""
    chance = 0.25 + 0.75 * left
    return chance if ends < 2.0 else chance * chance
