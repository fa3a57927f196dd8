"""Search over information sets, for games with chance or hidden information. Compiled.

Every simulation starts from a position dealt anew from what the searching seat can see, so nothing hidden is ever used.
Draws are sampled and leave no node: a node represents the decisions that led to it, whatever was drawn between them.
Hence the moves open at a node change from one simulation to the next, and each child counts how often it could have
been chosen. A seat knows its own moves, so those of the root and of the rest of its turn never change: they are all
children. A policy may end the tree with the turn and leave what follows to rollouts.
"""

from __future__ import annotations

from math import sqrt
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.bots.search.tree import ACTION, NODE, NONE, VISITS, SearchTree
from ludotheque.core.bits import as_float
from ludotheque.core.game import CHANCE, TERMINAL, Game, State
from ludotheque.core.policy import Policy

CHANCES: Final = 4
"""The number of simulations in which the move could have been chosen."""
PARENT: Final = 5


@final
class InformationSetTree(SearchTree):
    """A tree whose nodes are sequences of decisions."""

    slots: vec[i64]
    """A hash table of the nodes by parent and action, twice the capacity."""
    matches: vec[i64]
    new_actions: vec[i64]
    new_weights: vec[float]

    def __init__(self, game: Game, policy: Policy, state: State, seat: int) -> None:
        super().__init__(game, policy, state, seat)
        self.matches = game.new_buffer()
        self.new_actions = game.new_buffer()
        self.new_weights = vec[float]([0.0] * len(self.actions))
        self.start(state, seat)

    # Nodes.

    def _allocate(self, capacity: i64) -> None:
        super()._allocate(capacity)
        self.slots = vec[i64]([NONE] * int(2 * capacity))

    def start(self, state: State, seat: int) -> None:
        i: i64 = 0
        while i < len(self.slots):
            self.slots[i] = NONE
            i += 1
        super().start(state, seat)

    def _add(self, parent: i64, action: i64, prior: float) -> i64:
        node = super()._add(parent, action, prior)
        if node != NONE:
            self.nodes[NODE * node + CHANCES] = 0
            self.nodes[NODE * node + PARENT] = parent
        return node

    def _insert(self, parent: i64, action: i64, prior: float) -> i64:
        """Add a child to the hash table too; `NONE` if the tree is full."""
        child = self._add(parent, action, prior)
        if child != NONE:
            self.slots[self._slot(parent, action)] = child
            self.nodes[NODE * child + CHANCES] = 1
        return child

    def _grow(self) -> None:
        super()._grow()
        node: i64 = 1
        while node < self.size:
            self.slots[self._slot(self.nodes[NODE * node + PARENT], self.nodes[NODE * node + ACTION])] = node
            node += 1

    def _slot(self, parent: i64, action: i64) -> i64:
        """The slot of the child of that action in the hash table, or the free slot for it."""
        nodes = self.nodes
        last = 2 * self.capacity - 1
        slot = (parent * 7919 + action * 31) & last
        child = self.slots[slot]
        while child != NONE and (nodes[NODE * child + PARENT] != parent or nodes[NODE * child + ACTION] != action):
            slot = (slot + 1) & last
            child = self.slots[slot]
        return slot

    # Simulations.

    def _simulate(self, rng: Random) -> None:
        state = self.root.resample_from_infostate(self.seat, rng)
        path = self.path
        depth: i64 = 1
        node: i64 = 0
        path[0] = 0
        own_turn = True
        while True:
            player = state.current_player()
            if player != self.seat:
                own_turn = False
                if self.policy.tree_ends_with_turn:
                    break
            if player == CHANCE:
                state.apply(state.sample(rng))
                continue
            if player == TERMINAL or (self.nodes[NODE * node + VISITS] < self.expand_after_visits and node != 0):
                break
            if own_turn:
                node = self._choose_known(node, player, state)
            else:
                node = self._choose_legal(node, player, state)
            if node == NONE:
                break
            state.apply(self.nodes[NODE * node + ACTION])
            path[depth] = node
            depth += 1
        self._play_out(state, rng)
        self._record(depth)

    def _record(self, depth: i64) -> None:
        """Add the result to the nodes of the path."""
        i: i64 = 0
        while i < depth:
            node = self.path[i]
            self.nodes[NODE * node + VISITS] += 1
            self._add_result(node)
            i += 1

    # The choice of a child where the moves may change.

    def _choose_legal(self, node: i64, player: i64, state: State) -> i64:
        """The most promising move that is legal now, as a child, which is added if it is new."""
        count = state.legal_into(self.actions)
        self._match_children(node, count)
        self._weigh_new(state, count)
        untried = self._untried_return(node, player)
        urge = self.policy.c_puct / self._total_weight(count)
        new_urge = urge * sqrt(as_float(self.nodes[NODE * node + VISITS] + 1))
        best: i64 = 0
        best_promise = -1.0
        i: i64 = 0
        while i < count:
            child = self.matches[i]
            if child == NONE:
                promise = untried + new_urge * self.weights[i]
            else:
                tried = self.nodes[NODE * child + VISITS]
                self.nodes[NODE * child + CHANCES] += 1
                chances = self.nodes[NODE * child + CHANCES]
                promise = self.values[self.stride * child + 1 + player] / as_float(tried)
                promise += urge * self.weights[i] * sqrt(as_float(chances)) / as_float(1 + tried)
            if promise > best_promise:
                best_promise = promise
                best = i
            i += 1
        if self.matches[best] != NONE:
            return self.matches[best]
        return self._insert(node, self.actions[best], self.weights[best])

    def _match_children(self, node: i64, count: i64) -> None:
        """Find the children of the legal actions, and their priors as weights."""
        i: i64 = 0
        while i < count:
            child = self.slots[self._slot(node, self.actions[i])]
            self.matches[i] = child
            if child != NONE:
                self.weights[i] = self.values[self.stride * child]
            i += 1

    def _weigh_new(self, state: State, count: i64) -> None:
        """Ask the policy about the legal actions that are not children yet."""
        new: i64 = 0
        i: i64 = 0
        while i < count:
            if self.matches[i] == NONE:
                self.new_actions[new] = self.actions[i]
                new += 1
            i += 1
        if new == 0:
            return
        self.policy.weights_into(state, self.new_actions, new, self.new_weights)
        new = 0
        i = 0
        while i < count:
            if self.matches[i] == NONE:
                self.weights[i] = self.new_weights[new]
                new += 1
            i += 1
