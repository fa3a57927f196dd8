"""Vectors that a game keeps and lends, so that hot loops do not allocate one each time. Compiled."""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i64


@final
class Buffers:
    """The spare vectors of a game. A slot is empty while its vector is lent.

    `take_x` lends a vector, and a caller inside the first one gets a new one. To give it back, assign it to the slot
    (`buffers.actions = actions`). Only compiled code may do so: a vec that plain Python hands to compiled code is
    never freed by mypyc 2.4. Each slot is a plain attribute, because a shared pool was 12 to 21 % slower.
    """

    actions: vec[i64]
    weights: vec[i64]
    scores: vec[i64]
    values: vec[float]
    shares: list[vec[float]]
    """Several of these may be lent at once: append each to give it back."""

    def __init__(self, players: int, capacity: int) -> None:
        self.players = players
        self.capacity = capacity
        """The most actions, or chance outcomes, that a position has."""
        self.actions = vec[i64]()
        self.weights = vec[i64]()
        self.scores = vec[i64]()
        self.values = vec[float]()
        self.shares = []

    def take_actions(self) -> vec[i64]:
        """Lend a vector with room for the actions, or the chance outcomes, of any position."""
        actions = self.actions
        self.actions = vec[i64]()
        return actions if len(actions) > 0 else vec[i64]([0] * self.capacity)

    def take_weights(self) -> vec[i64]:
        """Lend a vector for the weights of chance outcomes."""
        weights = self.weights
        self.weights = vec[i64]()
        return weights if len(weights) > 0 else vec[i64]([0] * self.capacity)

    def take_values(self) -> vec[float]:
        """Lend a vector with a float for each action."""
        values = self.values
        self.values = vec[float]()
        return values if len(values) > 0 else vec[float]([0.0] * self.capacity)

    def take_scores(self) -> vec[i64]:
        """Lend a vector with a whole number for each seat."""
        scores = self.scores
        self.scores = vec[i64]()
        return scores if len(scores) > 0 else vec[i64]([0] * self.players)

    def take_shares(self) -> vec[float]:
        """Lend a vector with a float for each seat."""
        return self.shares.pop() if self.shares else vec[float]([0.0] * self.players)
