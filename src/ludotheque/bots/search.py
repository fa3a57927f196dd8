"""Monte Carlo tree search over information sets: one search for every game and any number of seats. Compiled.

Every simulation starts from a position dealt anew from what the searching seat can see, so nothing hidden is ever used.
Draws are sampled and leave no node: a node represents the decisions that led to it, whatever was drawn between them.
Hence the moves open at a node change from one simulation to the next, and each child counts how often it could have
been chosen. Every seat maximises its own return: its share of the win, and a little of how far ahead it is.

Which child to try is settled by what it brought so far and, while it was tried seldom, by the policy's weights (PUCT).
A node is left to rollouts until it has some visits: before that, children would learn nothing that is worth their
cost. A seat knows its own moves, so those of the root and of the rest of its turn never change; where nothing is hidden
or drawn, no node's moves do: they are kept, the favourites only, and the tree outlives the move. A policy may end the
tree with the turn and leave what follows to rollouts. A position that the policy can work out needs no tree.

Where nothing is hidden or drawn, a policy may also have transpositions merged: the first node of a position then holds
the returns and the children for all nodes that lead to it, and each of these counts its own visits. So what was found
out on one way counts on all. Positions are told apart by a key of 62 bits: of a hundred thousand, two have the same key
once in a thousand million trees.

A move that was tried seldom may also be judged by the simulations in which it was played later (AMAF), if the policy
says how much they count.

A node takes 64 bytes (48 where no hash table is needed, 64 with AMAF, 72 with merged transpositions), 8 for the prior
and 16 for each seat; a tree stops growing at `NODES` of them, 27 MB for two seats (29 with merged transpositions) and
44 MB for six, and a copy while it moves on. Simulations then go on from its leaves.
"""

from __future__ import annotations

from math import sqrt
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.game import CHANCE, TERMINAL, Game, State
from ludotheque.core.policy import Policy

NODES: Final = 262144
BATCH: Final = 64
"""How many simulations run between two looks at the clock, or at whether the choice is decided."""
INITIAL_CAPACITY: Final = 1024
"""Nodes that a new tree can hold before it grows."""

# A node: six numbers at `6 * node`; at `(seats + 1) * node` its prior and each seat's returns, added up; and apart from
# those, because the choice of a child never looks at them, each seat's final scores at `seats * node`, added up.

NODE: Final = 6
ACTION: Final = 0
"""The action that led here."""
VISITS: Final = 1
CHANCES: Final = 2
"""Where the moves may change: how often it could have been chosen."""
ARRIVALS: Final = 2
"""In the same place, where transpositions are merged: how many simulations came to the position that it holds."""
FIRST: Final = 3
"""Its first child, or `NONE`."""
NEXT: Final = 4
"""The next child of its parent, or `NONE`."""
PARENT: Final = 5
"""Where the moves may change."""
HOLDER: Final = 5
"""In the same place, where transpositions are merged: the node that holds its position, `NONE` before the first
visit."""
NONE: Final = -1


@final
class Candidate:
    """A move of the position searched, and what was found out about it."""

    def __init__(
        self,
        action: int,
        visits: int,
        returns: tuple[float, ...],
        scores: tuple[float, ...],
        line: list[int],
        is_exact: bool = False,
    ) -> None:
        self.action = action
        self.visits = visits
        self.returns = returns
        """By seat: the mean return."""
        self.scores = scores
        """By seat: the mean final score, as far as it was played out or as the policy expects it from there."""
        self.line = line
        """The decisions that are expected to follow, as far as they were looked at."""
        self.is_exact = is_exact
        """Whether this is no estimate, but what comes of best play by all."""


@final
class Search:
    """A search tree for one seat of one game."""

    policy: Policy
    seats: i64
    stride: i64
    expand_after_visits: i64
    is_fixed: bool
    """Nothing is hidden or drawn, so the moves of a node never change."""
    root: State
    seat: i64
    solution: Candidate | None
    """The best move, where the policy could work it out."""

    nodes: vec[i64]
    values: vec[float]
    outcomes: vec[float]
    size: i64
    capacity: i64
    slots: vec[i64]
    """A hash table of the nodes, twice the capacity: by parent and action where moves may change, by position where
    transpositions are merged."""

    merges: bool
    """Whether transpositions are merged."""
    keys: vec[i64]
    """By node that holds a position: its key."""

    amaf_visits: float
    amaf: vec[float]
    """At `2 * node`: in how many simulations the seat that could choose it played its move then or later (AMAF), and
    that seat's returns, added up. Empty unless the policy wants it."""
    movers: vec[i64]
    """By depth of the path: who moved there."""
    marks: vec[i64]
    """By move, as a trail writes it: the last simulation in which it was played below the node looked at."""
    stamp: i64

    actions: vec[i64]
    weights: vec[float]
    new_actions: vec[i64]
    new_weights: vec[float]
    matches: vec[i64]
    path: vec[i64]
    returns: vec[float]
    scores: vec[float]

    def __init__(self, game: Game, policy: Policy, state: State, seat: int) -> None:
        self.policy = policy
        self.seats = game.players
        self.stride = game.players + 1
        self.expand_after_visits = policy.expand_after_visits
        self.is_fixed = not game.has_chance and not game.has_hidden_information
        self.merges = self.is_fixed and policy.merges_transpositions and state.transposition_key() != 0
        self.root = state
        self.seat = seat
        self.actions = game.new_buffer()
        self.matches = game.new_buffer()
        self.weights = vec[float]([0.0] * len(self.actions))
        self.new_actions = game.new_buffer()
        self.new_weights = vec[float]([0.0] * len(self.actions))
        self.path = vec[i64]([0] * (game.max_game_length() + 2))
        self.returns = vec[float]([0.0] * game.players)
        self.scores = vec[float]([0.0] * game.players)
        self.amaf_visits = policy.amaf_visits if self.is_fixed and game.players == 2 else 0.0
        self.movers = vec[i64]([0] * (game.max_game_length() + 2))
        self.marks = vec[i64]([0] * (2 * game.num_distinct_actions() if self.amaf_visits > 0.0 else 0))
        self.stamp = 0
        self._allocate(INITIAL_CAPACITY)
        self.start(state, seat)

    def _allocate(self, capacity: i64) -> None:
        """Allocate the arrays for `capacity` nodes, as far as the tree needs them."""
        self.capacity = capacity
        self.nodes = vec[i64]([0] * int(NODE * capacity))
        self.values = vec[float]([0.0] * int(self.stride * capacity))
        self.outcomes = vec[float]([0.0] * int(self.seats * capacity))
        self.slots = vec[i64]([NONE] * int(2 * capacity) if self.merges or not self.is_fixed else [])
        self.keys = vec[i64]([0] * int(capacity) if self.merges else [])
        self.amaf = vec[float]([0.0] * int(2 * capacity) if self.amaf_visits > 0.0 else [])

    def start(self, state: State, seat: int) -> None:
        """Forget the tree and search another position of the same game, in the same arrays."""
        self.root = state
        self.seat = seat
        self.solution = None
        i: i64 = 0
        while i < len(self.slots):
            self.slots[i] = NONE
            i += 1
        self.size = 0
        self._add(NONE, NONE, 1.0)
        if self.merges:
            self.nodes[HOLDER] = 0

    # One simulation.

    def run(self, simulations: i64, rng: Random) -> None:
        """Run the given number of simulations from the position."""
        while simulations > 0:
            self._simulate(rng)
            simulations -= 1

    def run_until_decided(self, simulations: i64, rng: Random) -> None:
        """Run at most the given number of simulations; stop once the rest cannot change which move has most visits."""
        while simulations > 0 and not self.is_decided(simulations):
            batch: i64 = simulations if simulations < BATCH else BATCH
            self.run(batch, rng)
            simulations -= batch

    def is_decided(self, simulations: i64) -> bool:
        """Whether the most visited move keeps that place even if its closest rival gets all the simulations left."""
        most: i64 = 0
        second: i64 = 0
        child = self.nodes[FIRST]
        while child != NONE:
            visits = self.nodes[NODE * child + VISITS]
            if visits > most:
                second = most
                most = visits
            elif visits > second:
                second = visits
            child = self.nodes[NODE * child + NEXT]
        return most - second > simulations

    def _simulate(self, rng: Random) -> None:
        """Down the tree, on by the policy, and back up with what it brought."""
        state = self.root.resample_from_infostate(self.seat, rng)
        path = self.path
        depth: i64 = 1
        node: i64 = 0
        path[0] = 0
        own_turn = True
        while True:
            player = state.current_player()
            if player != self.seat and not self.is_fixed:
                own_turn = False
                if self.policy.tree_ends_with_turn:
                    break
            if player == CHANCE:
                state.apply(state.sample(rng))
                continue
            if player == TERMINAL or (self._arrivals(node) < self.expand_after_visits and node != 0):
                break
            if own_turn:
                node = self._choose_fixed(node, player, state)
            else:
                node = self._choose_open(node, player, state)
            if node == NONE:
                break
            self.movers[depth - 1] = player
            state.apply(self.nodes[NODE * node + ACTION])
            path[depth] = node
            depth += 1
            if self.merges:
                node = self._reach(node, state)
        self.policy.play_on(state, rng)
        self.policy.judge_into(state, self.returns, self.scores)
        self._record(depth)
        if self.amaf_visits > 0.0:
            self._record_amaf(depth)

    def _record_amaf(self, depth: i64) -> None:
        """Credit the result to every move that could have been played at a node of the path and was played later."""
        self.stamp += 1
        i: i64 = 0
        while i < self.policy.trail_length:
            self.marks[self.policy.trail[i]] = self.stamp
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

    def _record(self, depth: i64) -> None:
        i: i64 = 0
        while i < depth:
            node = self.path[i]
            self.nodes[NODE * node + VISITS] += 1
            if self.merges:
                node = self.nodes[NODE * node + HOLDER]
                self.nodes[NODE * node + ARRIVALS] += 1
            value = self.stride * node + 1
            outcome = self.seats * node
            seat: i64 = 0
            while seat < self.seats:
                self.values[value + seat] += self.returns[seat]
                self.outcomes[outcome + seat] += self.scores[seat]
                seat += 1
            i += 1

    # The choice of a child where the moves may change.

    def _choose_open(self, node: i64, player: i64, state: State) -> i64:
        """The most promising move that is legal now, as a child; it is added if it is new."""
        count = state.legal_into(self.actions)
        self._match_children(node, count)
        self._weigh_new(state, count)
        visits = self.nodes[NODE * node + VISITS]
        untried = self._mean(node, player) - self.policy.fpu_reduction
        urge = self.policy.c_puct / self._total_weight(count)
        new_urge = urge * sqrt(float(visits + 1))
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
                promise = self.values[self.stride * child + 1 + player] / float(tried)
                promise += urge * self.weights[i] * sqrt(float(chances)) / float(1 + tried)
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
        """Ask the policy about the legal actions that are no children yet."""
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

    def _slot(self, parent: i64, action: i64) -> i64:
        """Where the hash table has the child of that action, or the free slot for it."""
        nodes = self.nodes
        last = 2 * self.capacity - 1
        slot = (parent * 7919 + action * 31) & last
        child = self.slots[slot]
        while child != NONE and (nodes[NODE * child + PARENT] != parent or nodes[NODE * child + ACTION] != action):
            slot = (slot + 1) & last
            child = self.slots[slot]
        return slot

    def _insert(self, parent: i64, action: i64, prior: float) -> i64:
        """Add a child; `NONE` if the tree is full."""
        child = self._add(parent, action, prior)
        if child != NONE:
            self.slots[self._slot(parent, action)] = child
            self.nodes[NODE * child + CHANCES] = 1
        return child

    # The choice of a child where the moves never change.

    def _choose_fixed(self, node: i64, player: i64, state: State) -> i64:
        """The most promising of the children, which are all kept."""
        child = self.nodes[NODE * node + FIRST]
        if child == NONE:
            child = self._expand(node, state)
        if self.policy.refine_after > 0 and self._is_to_refine(node):
            self._refine(node, state)
        nodes = self.nodes
        untried = self._mean(node, player) - self.policy.fpu_reduction
        urge = self.policy.c_puct * sqrt(float(self._arrivals(node) + 1))
        best = child
        best_promise = -1.0
        while child != NONE:
            tried = nodes[NODE * child + VISITS]
            promise = untried
            if tried > 0:
                promise = self._mean(child, player)
            if self.amaf_visits > 0.0:
                promise = self._with_amaf(child, promise, float(tried))
            promise += urge * self.values[self.stride * child] / float(1 + tried)
            if promise > best_promise:
                best_promise = promise
                best = child
            child = nodes[NODE * child + NEXT]
        return best

    def _is_to_refine(self, node: i64) -> bool:
        """Whether better priors are due: at a node with enough visits, at the root from the beginning."""
        visits = self._arrivals(node)
        return visits == self.policy.refine_after or (visits == 0 and node == 0)

    def _refine(self, node: i64, state: State) -> None:
        """Give the children of a node better priors."""
        count: i64 = 0
        child = self.nodes[NODE * node + FIRST]
        while child != NONE:
            self.actions[count] = self.nodes[NODE * child + ACTION]
            count += 1
            child = self.nodes[NODE * child + NEXT]
        self.policy.refined_into(state, self.actions, count, self.weights)
        total = self._total_weight(count)
        i: i64 = 0
        child = self.nodes[NODE * node + FIRST]
        while child != NONE:
            self.values[self.stride * child] = self.weights[i] / total
            i += 1
            child = self.nodes[NODE * child + NEXT]

    def _with_amaf(self, child: i64, mean: float, tried: float) -> float:
        """A mean return, mixed with that of the simulations in which the move was played later."""
        played = self.amaf[2 * child]
        if played == 0.0:
            return mean
        if tried == 0.0:
            tried = 1.0
        part = played / (tried + played + tried * played / self.amaf_visits)
        return mean + part * (self.amaf[2 * child + 1] / played - mean)

    def _expand(self, node: i64, state: State) -> i64:
        """Keep the moves with most weight as children, their weights as shares of the sum; return the first."""
        count = state.legal_into(self.actions)
        self.policy.weights_into(state, self.actions, count, self.weights)
        count = self._favourites(count)
        if self.size + count > NODES:
            return NONE
        total = self._total_weight(count)
        i = count - 1
        while i >= 0:
            self._add(node, self.actions[i], self.weights[i] / total)
            i -= 1
        return self.nodes[NODE * node + FIRST]

    def _total_weight(self, count: i64) -> float:
        total = 0.0
        i: i64 = 0
        while i < count:
            total += self.weights[i]
            i += 1
        return total

    def _favourites(self, count: i64) -> i64:
        """Move the actions of most weight to the front, as many as the policy's width; return how many. All of them
        where a weight may hang on what is hidden."""
        width = self.policy.width
        if count <= width or not self.is_fixed:
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

    # Transpositions.

    def _reach(self, node: i64, state: State) -> i64:
        """The node that holds the position of a node; at its first visit, the position is looked up."""
        if self.nodes[NODE * node + HOLDER] == NONE:
            key = state.transposition_key()
            slot = self._slot_of(key)
            if self.slots[slot] == NONE:
                self.slots[slot] = node
                self.keys[node] = key
            self.nodes[NODE * node + HOLDER] = self.slots[slot]
        return self.nodes[NODE * node + HOLDER]

    def _slot_of(self, key: i64) -> i64:
        """Where the hash table has the node that holds a position, or the free slot for it."""
        last = 2 * self.capacity - 1
        slot = key & last
        holder = self.slots[slot]
        while holder != NONE and self.keys[holder] != key:
            slot = (slot + 1) & last
            holder = self.slots[slot]
        return slot

    def _holder(self, node: i64) -> i64:
        """The node with the returns and the children of a node's position."""
        return self.nodes[NODE * node + HOLDER] if self.merges else node

    def _arrivals(self, holder: i64) -> i64:
        """How many simulations came to a position."""
        return self.nodes[NODE * holder + (ARRIVALS if self.merges else VISITS)]

    # Nodes.

    def _mean(self, node: i64, seat: i64) -> float:
        holder = self._holder(node)
        arrivals = self._arrivals(holder)
        if arrivals == 0:
            return 1.0 / float(self.seats)
        return self.values[self.stride * holder + 1 + seat] / float(arrivals)

    def _add(self, parent: i64, action: i64, prior: float) -> i64:
        """A new node, the first child of its parent; `NONE` if the tree is full."""
        if self.size == self.capacity:
            if self.capacity >= NODES:
                return NONE
            self._grow()
        node = self.size
        self.size += 1
        self.nodes[NODE * node + ACTION] = action
        self.nodes[NODE * node + VISITS] = 0
        self.nodes[NODE * node + CHANCES] = 0
        self.nodes[NODE * node + FIRST] = NONE
        self.nodes[NODE * node + NEXT] = NONE
        if self.merges:
            self.nodes[NODE * node + HOLDER] = NONE
        else:
            self.nodes[NODE * node + PARENT] = parent
        if parent != NONE:
            self.nodes[NODE * node + NEXT] = self.nodes[NODE * parent + FIRST]
            self.nodes[NODE * parent + FIRST] = node
        value = self.stride * node
        self.values[value] = prior
        outcome = self.seats * node
        seat: i64 = 0
        while seat < self.seats:
            self.values[value + 1 + seat] = 0.0
            self.outcomes[outcome + seat] = 0.0
            seat += 1
        if self.amaf_visits > 0.0:
            self.amaf[2 * node] = 0.0
            self.amaf[2 * node + 1] = 0.0
        return node

    def _grow(self) -> None:
        """Double the capacity."""
        old = Arrays(self)
        self._allocate(2 * self.capacity)
        _copy_numbers(old.nodes, self.nodes)
        _copy_numbers(old.keys, self.keys)
        _copy_floats(old.values, self.values)
        _copy_floats(old.outcomes, self.outcomes)
        _copy_floats(old.amaf, self.amaf)
        self._fill_slots()

    def _fill_slots(self) -> None:
        """Enter all nodes but the root into the hash table, if there is one: of a position, the node that holds it."""
        node: i64 = 1
        while node < self.size:
            if not self.is_fixed:
                self.slots[self._slot(self.nodes[NODE * node + PARENT], self.nodes[NODE * node + ACTION])] = node
            elif self.merges and self.nodes[NODE * node + HOLDER] == node:
                self.slots[self._slot_of(self.keys[node])] = node
            node += 1

    # Between moves.

    def advance(self, state: State, seat: int, actions: list[int]) -> None:
        """Go on from the position after these actions, with what is known of it where the moves never change."""
        node: i64 = 0
        for action in actions:
            if node != NONE:
                node = self._after(node, action)
        if not self.is_fixed or not actions or node == NONE:
            self.start(state, seat)
            return
        old = Arrays(self)
        self._allocate(self.capacity)
        self.start(state, seat)
        self._copy_below(old, node)
        self._fill_slots()

    def _after(self, node: i64, action: i64) -> i64:
        """The node that holds the position after an action; `NONE` if it was never reached."""
        child = self.nodes[NODE * node + FIRST]
        while child != NONE and self.nodes[NODE * child + ACTION] != action:
            child = self.nodes[NODE * child + NEXT]
        return NONE if child == NONE else self._holder(child)

    def _copy_below(self, old: Arrays, origin: i64) -> None:
        """Take over a node of another tree as the root, and all that is below it, in the order of their depth."""
        origins = vec[i64]([0] * (len(old.nodes) // NODE))
        origins[0] = origin
        copies = vec[i64]([NONE] * (len(old.nodes) // NODE) if self.merges else [])
        node: i64 = 0
        while node < self.size:
            origin = origins[node]
            self.nodes[NODE * node + VISITS] = old.nodes[NODE * origin + VISITS]
            if not self.merges:
                self._copy_position(old, origin, node, origins)
            elif old.nodes[NODE * origin + HOLDER] != NONE:
                holder = old.nodes[NODE * origin + HOLDER]
                if copies[holder] == NONE:
                    copies[holder] = node
                    self.keys[node] = old.keys[holder]
                    self.nodes[NODE * node + ARRIVALS] = old.nodes[NODE * holder + ARRIVALS]
                    self._copy_position(old, holder, node, origins)
                self.nodes[NODE * node + HOLDER] = copies[holder]
            node += 1

    def _copy_position(self, old: Arrays, origin: i64, node: i64, origins: vec[i64]) -> None:
        """Copy what was found out about a position, and add its children, to be copied in their turn."""
        i: i64 = 0
        while i < self.seats:
            self.values[self.stride * node + 1 + i] = old.values[self.stride * origin + 1 + i]
            self.outcomes[self.seats * node + i] = old.outcomes[self.seats * origin + i]
            i += 1
        if len(old.amaf) > 0:
            self.amaf[2 * node] = old.amaf[2 * origin]
            self.amaf[2 * node + 1] = old.amaf[2 * origin + 1]
        child = old.nodes[NODE * origin + FIRST]
        while child != NONE:
            copy = self._add(node, old.nodes[NODE * child + ACTION], old.values[self.stride * child])
            origins[copy] = child
            child = old.nodes[NODE * child + NEXT]

    # Near the end.

    def solve(self, effort: int) -> bool:
        """Let the policy solve the position within a limit of positions; return whether it could."""
        line = self.policy.solve(self.root, effort)
        if not line:
            return False
        state = self.root.clone()
        for action in line:
            state.apply(action)
        self.policy.judge_into(state, self.returns, self.scores)
        returns = tuple([float(self.returns[seat]) for seat in range(self.seats)])
        scores = tuple([float(self.scores[seat]) for seat in range(self.seats)])
        self.solution = Candidate(line[0], 0, returns, scores, line[1:], True)
        return True

    # What was found out.

    def simulations(self) -> int:
        """How many simulations the tree holds."""
        return int(self._arrivals(0))

    def candidates(self) -> list[Candidate]:
        """The moves that were tried, the most visited first; before them the best, where it was worked out."""
        found: list[Candidate] = []
        child = self.nodes[FIRST]
        while child != NONE:
            if self.nodes[NODE * child + VISITS] > 0:
                found.append(self._candidate(child))
            child = self.nodes[NODE * child + NEXT]
        found.sort(key=_by_visits)
        solution = self.solution
        if solution is not None:
            solution.visits = sum([move.visits for move in found if move.action == solution.action])
            found = [solution, *[move for move in found if move.action != solution.action]]
        return found

    def _candidate(self, node: i64) -> Candidate:
        visits = int(self.nodes[NODE * node + VISITS])
        returns = tuple([self._mean(node, seat) for seat in range(self.seats)])
        holder = self._holder(node)
        arrivals = int(self._arrivals(holder))
        scores = tuple([self.outcomes[self.seats * holder + seat] / arrivals for seat in range(self.seats)])
        action = int(self.nodes[NODE * node + ACTION])
        return Candidate(action, visits, returns, scores, self._line(node))

    def _line(self, node: i64) -> list[int]:
        """The most visited decisions below a node."""
        line: list[int] = []
        node = self._favourite(node)
        while node != NONE:
            line.append(int(self.nodes[NODE * node + ACTION]))
            node = self._favourite(node)
        return line

    def _favourite(self, node: i64) -> i64:
        best: i64 = NONE
        most: i64 = 0
        child = self.nodes[NODE * self._holder(node) + FIRST]
        while child != NONE:
            if self.nodes[NODE * child + VISITS] > most:
                most = self.nodes[NODE * child + VISITS]
                best = child
            child = self.nodes[NODE * child + NEXT]
        return best


@final
class Arrays:
    """The arrays of a tree, while it gets others."""

    def __init__(self, tree: Search) -> None:
        self.nodes = tree.nodes
        self.values = tree.values
        self.outcomes = tree.outcomes
        self.amaf = tree.amaf
        self.keys = tree.keys


def _copy_numbers(source: vec[i64], target: vec[i64]) -> None:
    i: i64 = 0
    while i < len(source):
        target[i] = source[i]
        i += 1


def _copy_floats(source: vec[float], target: vec[float]) -> None:
    i: i64 = 0
    while i < len(source):
        target[i] = source[i]
        i += 1


def _by_visits(candidate: Candidate) -> tuple[int, float, int]:
    return -candidate.visits, -max(candidate.returns), candidate.action
