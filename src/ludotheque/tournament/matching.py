"""Perfect matchings of players, by Edmonds' blossom algorithm.

A search that tries pairs and takes them back may take ages where few pairs are allowed; this one never does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence


def pair_up(preferences: Mapping[int, Sequence[int]]) -> list[tuple[int, int]] | None:
    """Pair everyone; None if that is impossible. Each in turn gets the first of their preferences that leaves a
    partner for everyone after them. Preferences are mutual: if one names the other, the other names them too."""
    matching = _Matching({one: {*others} for one, others in preferences.items()})
    if not all(matching.is_matched(one) or matching.augment(one) for one in preferences):
        return None
    pairs: list[tuple[int, int]] = []
    for one, others in preferences.items():
        if matching.is_free(one):
            pairs.append((one, next(other for other in others if matching.fix(one, other))))
    return pairs


class _Matching:
    """A matching that grows along augmenting paths, and shrinks as pairs are fixed."""

    def __init__(self, graph: dict[int, set[int]]) -> None:
        self._graph = graph
        self._mate: dict[int, int] = {}

    def is_matched(self, one: int) -> bool:
        return one in self._mate

    def is_free(self, one: int) -> bool:
        """Whether someone is not in a fixed pair."""
        return one in self._graph

    def fix(self, one: int, other: int) -> bool:
        """Fix a pair, if the rest still has a perfect matching."""
        if other not in self._graph:
            return False
        graph, mate = self._graph, dict(self._mate)
        self._graph = {each: near - {one, other} for each, near in graph.items() if each not in (one, other)}
        left = [self._mate.pop(each) for each in (one, other)]
        for each in left:
            self._mate.pop(each, None)
        if one in left or self.augment(left[0]):
            return True
        self._graph, self._mate = graph, mate
        return False

    def augment(self, root: int) -> bool:
        """Match one more, along an augmenting path from `root`, if there is one."""
        search = _Search(self._graph, self._mate, root)
        end = search.find()
        while end is not None:
            before = search.parent[end]
            after = self._mate.get(before)
            self._mate[end], self._mate[before] = before, end
            end = after
        return root in self._mate


class _Search:
    """A search for an augmenting path, in which an odd cycle (a blossom) counts as one vertex."""

    def __init__(self, graph: Mapping[int, set[int]], mate: Mapping[int, int], root: int) -> None:
        self._graph, self._mate, self._root = graph, mate, root
        self._base = {each: each for each in graph}
        self._reached = {root}
        self._queue = deque([root])
        self.parent: dict[int, int] = {}

    def find(self) -> int | None:
        """Return the end of an augmenting path; `parent` leads back along it."""
        while self._queue:
            one = self._queue.popleft()
            for other in sorted(self._graph[one]):
                if self._base[one] == self._base[other] or self._mate.get(one) == other:
                    continue
                if other == self._root or self._mate.get(other) in self.parent:
                    self._contract(one, other)
                elif other not in self.parent:
                    self.parent[other] = one
                    if other not in self._mate:
                        return other
                    self._reach(self._mate[other])
        return None

    def _reach(self, one: int) -> None:
        if one not in self._reached:
            self._reached.add(one)
            self._queue.append(one)

    def _contract(self, one: int, other: int) -> None:
        """Give all vertices of the odd cycle through two vertices one base."""
        base = self._common_base(one, other)
        blossom = self._mark(one, base, other) | self._mark(other, base, one)
        for each in self._graph:
            if self._base[each] in blossom:
                self._base[each] = base
                self._reach(each)

    def _common_base(self, one: int, other: int) -> int:
        """Return the nearest base on both paths to the root."""
        on_path = {*self._bases_to_root(one)}
        return next(base for base in self._bases_to_root(other) if base in on_path)

    def _bases_to_root(self, one: int) -> list[int]:
        found = [self._base[one]]
        while (mate := self._mate.get(found[-1])) is not None and mate in self.parent:
            found.append(self._base[self.parent[mate]])
        return found

    def _mark(self, one: int, base: int, child: int) -> set[int]:
        """Return the bases between a vertex and the base of its blossom, and let parents lead round the cycle."""
        marked: set[int] = set()
        while self._base[one] != base:
            mate = self._mate[one]
            marked |= {self._base[one], self._base[mate]}
            self.parent[one] = child
            child, one = mate, self.parent[mate]
        return marked
