"""Search in deterministic games of perfect information: a node is a position, and the tree outlives the move. Compiled.

The moves of a node never change, so the favourites among them are its children, and the tree is kept from move to move.
A position that the policy can work out needs no tree.

A policy may have transpositions merged: the first node of a position then holds the returns and the children for all
nodes that lead to it, and each of these counts its own visits. So what was found out on one way counts on all. The
key of a position has 62 bits: of a hundred thousand, two have the same key once in a thousand million trees. Where
nothing is merged, each node holds its own position.

A move that was tried seldom may also be judged by the simulations in which it was played later (AMAF), if the policy
says how much they count.
"""

from __future__ import annotations

from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.bots.search.tree import ACTION, FIRST, NEXT, NODE, NONE, VISITS, SearchTree, copy_floats, copy_numbers
from ludotheque.core.bits import as_float
from ludotheque.core.game import TERMINAL, Game, State
from ludotheque.core.policy import Policy

ARRIVALS: Final = 4
"""The number of simulations that came to the position that the node holds, on any way."""
HOLDER: Final = 5
"""The node that holds the position; `NONE` before the first visit."""


@final
class DeterministicTree(SearchTree):
    """A tree whose nodes are positions."""

    merges: bool
    """Whether transpositions are merged."""
    slots: vec[i64]
    """A hash table of the nodes that hold a position, by its key, twice the capacity; empty if nothing is merged."""
    keys: vec[i64]
    """The key of each node that holds a position; empty if nothing is merged."""

    amaf_visits: float
    amaf: vec[float]
    """At `2 * node`, the number of simulations in which the seat that could choose it played its move then or later
    (AMAF), and the sum of that seat's returns. Empty unless the policy wants it."""
    movers: vec[i64]
    """The seat that moved at each depth of the path."""
    marks: vec[i64]
    """For each move, as a trail writes it, the last simulation in which it was played below the node looked at."""
    stamp: i64

    def __init__(self, game: Game, policy: Policy, state: State, seat: int) -> None:
        self.merges = policy.merges_transpositions and state.transposition_key() != 0
        self.amaf_visits = policy.amaf_visits if game.players == 2 else 0.0
        super().__init__(game, policy, state, seat)
        self.movers = vec[i64]([0] * len(self.path))
        self.marks = vec[i64]([0] * (2 * game.num_distinct_actions() if self.amaf_visits > 0.0 else 0))
        self.stamp = 0
        self.start(state, seat)

    # Nodes.

    def _allocate(self, capacity: i64) -> None:
        super()._allocate(capacity)
        self.slots = vec[i64]([NONE] * int(2 * capacity) if self.merges else [])
        self.keys = vec[i64]([0] * int(capacity) if self.merges else [])
        self.amaf = vec[float]([0.0] * int(2 * capacity) if self.amaf_visits > 0.0 else [])

    def start(self, state: State, seat: int) -> None:
        i: i64 = 0
        while i < len(self.slots):
            self.slots[i] = NONE
            i += 1
        super().start(state, seat)
        self.nodes[HOLDER] = 0

    def _add(self, parent: i64, action: i64, prior: float) -> i64:
        node = super()._add(parent, action, prior)
        if node != NONE:
            self.nodes[NODE * node + ARRIVALS] = 0
            self.nodes[NODE * node + HOLDER] = NONE
            if self.amaf_visits > 0.0:
                self.amaf[2 * node] = 0.0
                self.amaf[2 * node + 1] = 0.0
        return node

    def _grow(self) -> None:
        keys, amaf = self.keys, self.amaf
        super()._grow()
        copy_numbers(keys, self.keys)
        copy_floats(amaf, self.amaf)
        self._fill_slots()

    def _holder(self, node: i64) -> i64:
        return self.nodes[NODE * node + HOLDER]

    def _arrivals(self, holder: i64) -> i64:
        return self.nodes[NODE * holder + ARRIVALS]

    def _mean(self, node: i64, seat: i64) -> float:
        holder = self.nodes[NODE * node + HOLDER]
        return self.values[self.stride * holder + 1 + seat] / as_float(self.nodes[NODE * holder + ARRIVALS])

    # Transpositions.

    def _reach(self, node: i64, state: State) -> i64:
        """The node that holds the position of a node, which is looked up at the first visit."""
        if self.nodes[NODE * node + HOLDER] == NONE:
            self.nodes[NODE * node + HOLDER] = self._look_up(node, state) if self.merges else node
        return self.nodes[NODE * node + HOLDER]

    def _look_up(self, node: i64, state: State) -> i64:
        """The node that holds a position: the given one, if no other does."""
        key = state.transposition_key()
        slot = self._slot(key)
        if self.slots[slot] == NONE:
            self.slots[slot] = node
            self.keys[node] = key
        return self.slots[slot]

    def _slot(self, key: i64) -> i64:
        """The slot of the node that holds a position in the hash table, or the free slot for it."""
        last = 2 * self.capacity - 1
        slot = key & last
        holder = self.slots[slot]
        while holder != NONE and self.keys[holder] != key:
            slot = (slot + 1) & last
            holder = self.slots[slot]
        return slot

    def _fill_slots(self) -> None:
        """Enter the nodes that hold a position into the hash table, except the root."""
        node: i64 = 1
        while self.merges and node < self.size:
            if self.nodes[NODE * node + HOLDER] == node:
                self.slots[self._slot(self.keys[node])] = node
            node += 1

    # Simulations.

    def _simulate(self, rng: Random) -> None:
        state = self.root.clone()
        depth: i64 = 1
        node: i64 = 0
        self.path[0] = 0
        while True:
            player = state.current_player()
            if player == TERMINAL or (self.nodes[NODE * node + ARRIVALS] < self.expand_after_visits and node != 0):
                break
            node = self._choose_known(node, player, state)
            if node == NONE:
                break
            self.movers[depth - 1] = player
            state.apply(self.nodes[NODE * node + ACTION])
            self.path[depth] = node
            depth += 1
            node = self._reach(node, state)
        self._play_out(state, rng)
        self._record(depth)
        if self.amaf_visits > 0.0:
            self._record_amaf(depth)

    def _record(self, depth: i64) -> None:
        """Add the result to the nodes of the path, and to those that hold their positions."""
        i: i64 = 0
        while i < depth:
            node = self.path[i]
            self.nodes[NODE * node + VISITS] += 1
            holder = self.nodes[NODE * node + HOLDER]
            self.nodes[NODE * holder + ARRIVALS] += 1
            self._add_result(holder)
            i += 1

    def _record_amaf(self, depth: i64) -> None:
        """Credit the result to every move that could have been played at a node of the path and was played later."""
        self.stamp += 1
        i: i64 = 0
        while i < self.policy.rollout_length:
            self.marks[self.policy.rollout_moves[i]] = self.stamp
            i += 1
        i = depth - 2
        while i >= 0:
            mover = self.movers[i]
            self.marks[2 * self.nodes[NODE * self.path[i + 1] + ACTION] + mover] = self.stamp
            value = self.returns[mover]
            child = self.nodes[NODE * self._holder(self.path[i]) + FIRST]
            while child != NONE:
                if self.marks[2 * self.nodes[NODE * child + ACTION] + mover] == self.stamp:
                    self.amaf[2 * child] += 1.0
                    self.amaf[2 * child + 1] += value
                child = self.nodes[NODE * child + NEXT]
            i -= 1

    # The choice of a child.

    def _promised_return(self, child: i64, player: i64, untried: float) -> float:
        promise = super()._promised_return(child, player, untried)
        if self.amaf_visits > 0.0:
            promise = self._with_amaf(child, promise, as_float(self.nodes[NODE * child + VISITS]))
        return promise

    def _with_amaf(self, child: i64, mean: float, tried: float) -> float:
        """A mean return, mixed with that of the simulations in which the move was played later."""
        played = self.amaf[2 * child]
        if played == 0.0:
            return mean
        if tried == 0.0:
            tried = 1.0
        part = played / (tried + played + tried * played / self.amaf_visits)
        return mean + part * (self.amaf[2 * child + 1] / played - mean)

    def _narrow(self, count: i64) -> i64:
        """Move the actions of most weight to the front, as many as the policy's width; return their number."""
        width = self.policy.width
        if count <= width:
            return count
        # The front is a heap, the least of it first: whatever weighs more takes that one's place and sinks.
        i = width // 2 - 1
        while i >= 0:
            self._sink(i, width)
            i -= 1
        i = width
        while i < count:
            if self.weights[i] > self.weights[0]:
                self.actions[0] = self.actions[i]
                self.weights[0] = self.weights[i]
                self._sink(0, width)
            i += 1
        return width

    def _sink(self, place: i64, size: i64) -> None:
        """Let an action sink in the heap until none below it weighs less."""
        actions = self.actions
        weights = self.weights
        action = actions[place]
        weight = weights[place]
        below = 2 * place + 1
        while below < size:
            if below + 1 < size and weights[below + 1] < weights[below]:
                below += 1
            if weights[below] >= weight:
                break
            actions[place] = actions[below]
            weights[place] = weights[below]
            place = below
            below = 2 * place + 1
        actions[place] = action
        weights[place] = weight

    # From move to move.

    def advance(self, state: State, seat: int, actions: list[int]) -> None:
        """Go on from the position after these actions, with all that the tree knows of it."""
        node: i64 = 0 if actions else NONE
        for action in actions:
            if node != NONE:
                node = self._after(node, action)
        if node == NONE:
            self.start(state, seat)
            return
        nodes, values, outcomes, keys, amaf = self.nodes, self.values, self.outcomes, self.keys, self.amaf
        self._allocate(self.capacity)
        self.start(state, seat)
        self._copy_below(Arrays(nodes, values, outcomes, keys, amaf), node)
        self._fill_slots()

    def _after(self, node: i64, action: i64) -> i64:
        """The node that holds the position after an action; `NONE` if it was never reached."""
        child = self.nodes[NODE * node + FIRST]
        while child != NONE and self.nodes[NODE * child + ACTION] != action:
            child = self.nodes[NODE * child + NEXT]
        return NONE if child == NONE else self._holder(child)

    def _copy_below(self, old: Arrays, origin: i64) -> None:
        """Copy a node of the old arrays as the root, and all that is below it, in the order of their depth."""
        origins = vec[i64]([0] * (len(old.nodes) // NODE))
        origins[0] = origin
        copies = vec[i64]([NONE] * (len(old.nodes) // NODE))
        node: i64 = 0
        while node < self.size:
            origin = origins[node]
            self.nodes[NODE * node + VISITS] = old.nodes[NODE * origin + VISITS]
            if self.amaf_visits > 0.0:
                self.amaf[2 * node] = old.amaf[2 * origin]
                self.amaf[2 * node + 1] = old.amaf[2 * origin + 1]
            holder = old.nodes[NODE * origin + HOLDER]
            if holder != NONE:
                if copies[holder] == NONE:
                    copies[holder] = node
                    self._copy_position(old, holder, node, origins)
                self.nodes[NODE * node + HOLDER] = copies[holder]
            node += 1

    def _copy_position(self, old: Arrays, holder: i64, node: i64, origins: vec[i64]) -> None:
        """Copy what is known of a position, and add its children, to be copied in their turn."""
        self.nodes[NODE * node + ARRIVALS] = old.nodes[NODE * holder + ARRIVALS]
        if self.merges:
            self.keys[node] = old.keys[holder]
        i: i64 = 0
        while i < self.seats:
            self.values[self.stride * node + 1 + i] = old.values[self.stride * holder + 1 + i]
            self.outcomes[self.seats * node + i] = old.outcomes[self.seats * holder + i]
            i += 1
        child = old.nodes[NODE * holder + FIRST]
        while child != NONE:
            copy = self._add(node, old.nodes[NODE * child + ACTION], old.values[self.stride * child])
            origins[copy] = child
            child = old.nodes[NODE * child + NEXT]


@final
class Arrays:
    """The arrays of a tree before it moved on."""

    def __init__(
        self, nodes: vec[i64], values: vec[float], outcomes: vec[float], keys: vec[i64], amaf: vec[float]
    ) -> None:
        self.nodes = nodes
        self.values = values
        self.outcomes = outcomes
        self.keys = keys
        self.amaf = amaf
