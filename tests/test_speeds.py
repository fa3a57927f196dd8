"""Which examples are tried at which speed."""

from __future__ import annotations

import pytest

from tests import speeds
from tests.speeds import chosen, few, pairs, several


@pytest.fixture(params=[False, True], ids=["quick", "all"])
def is_all(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(speeds, "_all", request.param)
    return bool(request.param)


def test_fewer_examples_are_tried_unless_all_are(is_all: bool) -> None:
    assert several(3, 100) == (100 if is_all else 3)
    assert few(range(60), 5) == (list(range(60)) if is_all else [0, 12, 24, 36, 48])
    assert few("ab", 3) == ["a", "b"]
    assert chosen("abcd", "b", "d", "x") == (["a", "b", "c", "d"] if is_all else ["b", "d"])


def test_every_value_comes_in_some_pair(is_all: bool) -> None:
    found = pairs("abcde", (0, 1))
    assert len(found) == (10 if is_all else 5)
    assert {letter for letter, _ in found} == set("abcde")
    assert {number for _, number in found} == {0, 1}
