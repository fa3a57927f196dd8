"""From what moves are worth to how much they weigh in a search."""

from __future__ import annotations

from math import exp

import pytest
from librt.vecs import vec

from ludotheque.core.policy import weigh_values


def test_the_best_move_weighs_most_and_none_less_than_the_least() -> None:
    values = vec[float]([3.0, 5.0, -40.0, 99.0])
    weigh_values(values, 3, 2.0, 0.01)
    assert list(values) == pytest.approx([0.01 + exp(-1), 1.01, 0.01, 99.0])
