"""Perfect matchings: found whenever there is one, and by preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from hypothesis import given, strategies as st

from ludotheque.tournament.matching import pair_up


def has_perfect_matching(graph: Mapping[int, Sequence[int]]) -> bool:
    """Try everything."""
    if not graph:
        return True
    one = min(graph)
    rest = {each: [other for other in near if other != one] for each, near in graph.items() if each != one}
    return any(
        has_perfect_matching(
            {each: [o for o in near if o != other] for each, near in rest.items() if each != other}
        )
        for other in graph[one]
    )  # fmt: skip


@st.composite
def graphs(draw: st.DrawFn) -> dict[int, list[int]]:
    size = draw(st.integers(1, 5)) * 2
    edges = draw(st.sets(st.sampled_from(list(combinations(range(size), 2)))))
    order = draw(st.permutations(range(size)))
    return {one: [other for other in order if (min(one, other), max(one, other)) in edges] for one in range(size)}


@given(graphs())
def test_everyone_is_paired_exactly_where_that_is_possible(graph: dict[int, list[int]]) -> None:
    pairs = pair_up(graph)
    assert (pairs is not None) == has_perfect_matching(graph)
    for one, other in pairs or []:
        assert other in graph[one]
    if pairs is not None:
        assert sorted(each for pair in pairs for each in pair) == sorted(graph)


def test_the_first_get_what_they_prefer() -> None:
    everyone = {one: [other for other in (3, 1, 2, 0) if other != one] for one in range(4)}
    assert pair_up(everyone) == [(0, 3), (1, 2)]


def test_an_odd_cycle_is_no_dead_end() -> None:
    triangles = {0: [1, 2], 1: [0, 2], 2: [0, 1, 3], 3: [2, 4, 5], 4: [3, 5], 5: [3, 4]}
    assert pair_up(triangles) == [(0, 1), (2, 3), (4, 5)]
