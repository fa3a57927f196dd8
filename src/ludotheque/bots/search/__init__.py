"""Monte Carlo tree search: one for every game and any number of seats.

Every seat maximises its own return: its share of the win, and a little of how far ahead it is. The child to try next
has the best return so far or, while it was tried seldom, the best prior, which is the policy's weight (PUCT). A node is
left to rollouts until it has some visits: before that, its children would not be worth their cost.

There are two trees. In a deterministic game of perfect information a node is a position, and the tree outlives the move
(`deterministic`). In games with chance or hidden information a node is a sequence of decisions, searched over positions
drawn anew for each simulation (`information_sets`).
"""

from __future__ import annotations

from ludotheque.bots.search.deterministic import DeterministicTree
from ludotheque.bots.search.information_sets import InformationSetTree
from ludotheque.bots.search.tree import BATCH, SearchTree
from ludotheque.core.game import Game, State
from ludotheque.core.policy import Policy

__all__ = ["BATCH", "SearchTree", "new_search"]


def new_search(game: Game, policy: Policy, state: State, seat: int) -> SearchTree:
    """Start a tree that fits the game, for one seat and the position where it is to act."""
    if game.has_chance or game.has_hidden_information:
        return InformationSetTree(game, policy, state, seat)
    return DeterministicTree(game, policy, state, seat)
