"""The common part of the search trees: nodes, simulations, the choice among known children, and the result. Compiled.

A node takes 48 bytes for its numbers, 8 for the prior and 16 for each seat; a tree may add more arrays. It stops
growing at `NODES` nodes, 27 MB for two seats (29 with merged transpositions) and 44 MB for six, and a copy while it
moves on. Simulations then go on from its leaves.
"""

from __future__ import annotations

from math import sqrt
from time import sleep as let_others_run
from typing import Final

import msgspec
from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.bots.candidate import Candidate
from ludotheque.core.bits import as_float
from ludotheque.core.game import Game, State
from ludotheque.core.policy import Policy

NODES: Final = 262144
"""The most nodes of a tree."""
BATCH: Final = 64
"""Simulations between two looks at the clock, or at whether the choice is decided, or for other threads to run."""
FPU_REDUCTION: Final = 0.05
"""First-play urgency: a move never tried is assumed to be worse by this than the mean of its siblings."""
INITIAL_CAPACITY: Final = 1024
"""Nodes that a new tree can hold before it grows."""

# A node has six numbers at `NODE * node`, of which each kind of tree defines the last two; its prior and the sum of the
# returns of each seat at `(seats + 1) * node`; and, apart from those because the choice of a child never looks at them,
# the sums of the final scores of each seat at `seats * node`.

NODE: Final = 6
ACTION: Final = 0
"""The action that led here."""
VISITS: Final = 1
FIRST: Final = 2
"""The first child, or `NONE`."""
NEXT: Final = 3
"""The next child of the parent, or `NONE`."""
NONE: Final = -1


class SearchTree:
    """A search tree for one seat of one game."""

    policy: Policy
    seats: i64
    stride: i64
    expand_after_visits: i64
    root: State
    seat: i64
    solution: Candidate | None
    """The best move, if the policy could work it out."""

    nodes: vec[i64]
    values: vec[float]
    outcomes: vec[float]
    size: i64
    capacity: i64

    actions: vec[i64]
    weights: vec[float]
    path: vec[i64]
    returns: vec[float]
    scores: vec[float]

    def __init__(self, game: Game, policy: Policy, state: State, seat: int) -> None:
        self.policy = policy
        self.seats = game.players
        self.stride = game.players + 1
        self.expand_after_visits = policy.expand_after_visits
        self.root = state
        self.seat = seat
        self.solution = None
        self.size = 0
        self.actions = game.new_buffer()
        self.weights = vec[float]([0.0] * len(self.actions))
        self.path = vec[i64]([0] * (game.max_game_length() + 2))
        self.returns = vec[float]([0.0] * game.players)
        self.scores = vec[float]([0.0] * game.players)
        self._allocate(INITIAL_CAPACITY)

    # Nodes.

    def _allocate(self, capacity: i64) -> None:
        """Replace the arrays by empty ones for `capacity` nodes."""
        self.capacity = capacity
        self.nodes = vec[i64]([0] * int(NODE * capacity))
        self.values = vec[float]([0.0] * int(self.stride * capacity))
        self.outcomes = vec[float]([0.0] * int(self.seats * capacity))

    def start(self, state: State, seat: int) -> None:
        """Forget the tree and search another position of the same game, in the same arrays."""
        self.root = state
        self.seat = seat
        self.solution = None
        self.size = 0
        self._add(NONE, NONE, 1.0)

    def advance(self, state: State, seat: int, actions: list[int]) -> None:
        """Go on from the position after these actions, with what the tree knows of it; here, nothing."""
        self.start(state, seat)

    def _add(self, parent: i64, action: i64, prior: float) -> i64:
        """Add a node as the first child of its parent; `NONE` if the tree is full."""
        if self.size == self.capacity:
            if self.capacity >= NODES:
                return NONE
            self._grow()
        node = self.size
        self.size += 1
        self.nodes[NODE * node + ACTION] = action
        self.nodes[NODE * node + VISITS] = 0
        self.nodes[NODE * node + FIRST] = NONE
        self.nodes[NODE * node + NEXT] = NONE
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
        return node

    def _grow(self) -> None:
        """Double the capacity."""
        nodes, values, outcomes = self.nodes, self.values, self.outcomes
        self._allocate(2 * self.capacity)
        copy_numbers(nodes, self.nodes)
        copy_floats(values, self.values)
        copy_floats(outcomes, self.outcomes)

    def _holder(self, node: i64) -> i64:
        """The node with the returns and the children of a visited node's position."""
        return node

    def _arrivals(self, holder: i64) -> i64:
        """The number of simulations that came to the position of a node."""
        return self.nodes[NODE * holder + VISITS]

    def _mean(self, node: i64, seat: i64) -> float:
        """The mean return of a seat at a visited node."""
        return self.values[self.stride * node + 1 + seat] / as_float(self.nodes[NODE * node + VISITS])

    # Simulations.

    def run(self, simulations: i64, rng: Random) -> None:
        """Run the given number of simulations from the position; after each batch other threads get their turn."""
        while simulations > 0:
            self._simulate(rng)
            simulations -= 1
            if simulations % BATCH == 0:
                let_others_run(0)

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
        """Go down the tree, play on by the policy, and add the result to the nodes of the path."""
        raise NotImplementedError

    def _play_out(self, state: State, rng: Random) -> None:
        """Play on from a leaf by the policy, and judge the end."""
        self.policy.play_on(state, rng)
        self.policy.evaluate_into(state, self.returns, self.scores)

    def _add_result(self, node: i64) -> None:
        """Add the result of the simulation to the sums of a node."""
        value = self.stride * node + 1
        outcome = self.seats * node
        seat: i64 = 0
        while seat < self.seats:
            self.values[value + seat] += self.returns[seat]
            self.outcomes[outcome + seat] += self.scores[seat]
            seat += 1

    # The choice among children that are all known: the moves of such a node never change.

    def _choose_known(self, node: i64, player: i64, state: State) -> i64:
        """The most promising child, or `NONE` if the tree is full."""
        child = self.nodes[NODE * node + FIRST]
        if child == NONE:
            child = self._expand(node, state)
        arrivals = self._arrivals(node)
        if self.policy.refine_after > 0 and (arrivals == self.policy.refine_after or (arrivals == 0 and node == 0)):
            self._refine(node, state)
        untried = self._untried_return(node, player)
        urge = self.policy.c_puct * sqrt(as_float(arrivals + 1))
        return self._most_promising(child, player, untried, urge)

    def _most_promising(self, child: i64, player: i64, untried: float, urge: float) -> i64:
        """The best of a child and those after it, by the return so far and the prior."""
        nodes = self.nodes
        best = child
        best_promise = -1.0
        while child != NONE:
            promise = self._promised_return(child, player, untried)
            promise += urge * self.values[self.stride * child] / as_float(1 + nodes[NODE * child + VISITS])
            if promise > best_promise:
                best_promise = promise
                best = child
            child = nodes[NODE * child + NEXT]
        return best

    def _promised_return(self, child: i64, player: i64, untried: float) -> float:
        """The mean return of a child so far; `untried` before its first visit."""
        return self._mean(child, player) if self.nodes[NODE * child + VISITS] > 0 else untried

    def _untried_return(self, node: i64, player: i64) -> float:
        """The return to assume for a child that was never tried."""
        mean = self._mean(node, player) if self._arrivals(node) > 0 else 1.0 / as_float(self.seats)
        return mean - FPU_REDUCTION

    def _expand(self, node: i64, state: State) -> i64:
        """Add the moves as children, their weights as parts of the sum; return the first, `NONE` if there is no room
        for all."""
        count = state.legal_into(self.actions)
        self.policy.weights_into(state, self.actions, count, self.weights)
        count = self._narrow(count)
        if self.size + count > NODES:
            return NONE
        total = self._total_weight(count)
        i = count - 1
        while i >= 0:
            self._add(node, self.actions[i], self.weights[i] / total)
            i -= 1
        return self.nodes[NODE * node + FIRST]

    def _narrow(self, count: i64) -> i64:
        """Move the actions to search to the front and return their number; here, all of them."""
        return count

    def _refine(self, node: i64, state: State) -> None:
        """Give the children of a node better priors."""
        count: i64 = 0
        child = self.nodes[NODE * node + FIRST]
        while child != NONE:
            self.actions[count] = self.nodes[NODE * child + ACTION]
            count += 1
            child = self.nodes[NODE * child + NEXT]
        self.policy.refined_weights_into(state, self.actions, count, self.weights)
        total = self._total_weight(count)
        i: i64 = 0
        child = self.nodes[NODE * node + FIRST]
        while child != NONE:
            self.values[self.stride * child] = self.weights[i] / total
            i += 1
            child = self.nodes[NODE * child + NEXT]

    def _total_weight(self, count: i64) -> float:
        total = 0.0
        i: i64 = 0
        while i < count:
            total += self.weights[i]
            i += 1
        return total

    # The result.

    def solve(self, effort: int) -> bool:
        """Let the policy solve the position within a limit of positions; return whether it could."""
        line = self.policy.solve(self.root, effort)
        if not line:
            return False
        state = self.root.clone()
        for action in line:
            state.apply(action)
        self.policy.evaluate_into(state, self.returns, self.scores)
        returns = tuple([float(self.returns[seat]) for seat in range(self.seats)])
        scores = tuple([float(self.scores[seat]) for seat in range(self.seats)])
        self.solution = Candidate(line[0], 0, returns, scores, tuple(line[1:]), True)
        return True

    def simulations(self) -> int:
        """The number of simulations that the tree holds."""
        return int(self._arrivals(0))

    def candidates(self) -> list[Candidate]:
        """The moves that were tried, the most visited first; before them the solution, if there is one."""
        found: list[Candidate] = []
        child = self.nodes[FIRST]
        while child != NONE:
            if self.nodes[NODE * child + VISITS] > 0:
                found.append(self._candidate(child))
            child = self.nodes[NODE * child + NEXT]
        found.sort(key=_by_visits)
        solution = self.solution
        if solution is not None:
            visits = sum([move.visits for move in found if move.action == solution.action])
            first: Candidate = msgspec.structs.replace(solution, visits=visits)
            found = [first, *[move for move in found if move.action != solution.action]]
        return found

    def _candidate(self, node: i64) -> Candidate:
        visits = int(self.nodes[NODE * node + VISITS])
        returns = tuple([self._mean(node, seat) for seat in range(self.seats)])
        holder = self._holder(node)
        arrivals = int(self._arrivals(holder))
        scores = tuple([self.outcomes[self.seats * holder + seat] / arrivals for seat in range(self.seats)])
        action = int(self.nodes[NODE * node + ACTION])
        return Candidate(action, visits, returns, scores, tuple(self._line(node)))

    def _line(self, node: i64) -> list[int]:
        """The most visited decisions below a node."""
        line: list[int] = []
        node = self._favourite(node)
        while node != NONE:
            line.append(int(self.nodes[NODE * node + ACTION]))
            node = self._favourite(node)
        return line

    def _favourite(self, node: i64) -> i64:
        """The most visited child of a visited node, or `NONE`."""
        best: i64 = NONE
        most: i64 = 0
        child = self.nodes[NODE * self._holder(node) + FIRST]
        while child != NONE:
            if self.nodes[NODE * child + VISITS] > most:
                most = self.nodes[NODE * child + VISITS]
                best = child
            child = self.nodes[NODE * child + NEXT]
        return best


def copy_numbers(source: vec[i64], target: vec[i64]) -> None:
    """Copy an array to the front of another."""
    i: i64 = 0
    while i < len(source):
        target[i] = source[i]
        i += 1


def copy_floats(source: vec[float], target: vec[float]) -> None:
    """Copy an array to the front of another."""
    i: i64 = 0
    while i < len(source):
        target[i] = source[i]
        i += 1


def _by_visits(candidate: Candidate) -> tuple[int, float, int]:
    return -candidate.visits, -max(candidate.returns), candidate.action
