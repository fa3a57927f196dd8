"""Sets as bits, against Python's own numbers and sets."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ludotheque.core.bits import BIT, BITS, kth_bit, kth_place, place_of, places, popcount, set_of, write_numbers

pytestmark = pytest.mark.both

SETS = st.sets(st.integers(0, BITS - 1))


def test_a_bit_and_its_place_belong_together() -> None:
    assert [BIT[place] for place in range(BITS)] == [2**place for place in range(BITS)]
    assert [place_of(BIT[place]) for place in range(BITS)] == list(range(BITS))


@given(SETS)
def test_a_set_is_as_large_as_its_number_has_ones(members: set[int]) -> None:
    bits = sum(2**place for place in members)
    assert set_of(sorted(members)) == bits
    assert popcount(bits) == bits.bit_count() == len(members)
    assert places(bits) == sorted(members)


@given(SETS.filter(bool), st.data())
def test_the_kth_bit_is_the_kth_lowest(members: set[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(members) - 1))
    assert kth_bit(set_of(sorted(members)), k) == 2 ** sorted(members)[k]


@given(SETS.filter(bool), st.data())
def test_the_kth_place_is_that_of_the_kth_bit(members: set[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(members) - 1))
    assert kth_place(set_of(sorted(members)), k) == sorted(members)[k]


@given(SETS, st.integers(0, 3))
def test_a_list_gets_what_lies_at_the_places(members: set[int], first: int) -> None:
    numbers: list[object] = [f"at {place}" for place in range(BITS + first)]
    found: list[object] = ["before", *[None] * len(members), "after"]
    assert write_numbers(found, 1, numbers, first, set_of(sorted(members))) == 1 + len(members)
    assert found == ["before", *[numbers[first + place] for place in sorted(members)], "after"]
