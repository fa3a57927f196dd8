"""The tree of choices."""

from __future__ import annotations

import pytest

from ludotheque import choices
from tests.games.cable_car.positions import play, position

pytestmark = pytest.mark.both


def test_the_tree_goes_from_step_to_step_to_each_action() -> None:
    state = position({"B1": "aaaa"}, hands="acba,adad|baac,bbbb", rotation=True, hand=2)
    tree = choices(state)
    assert [choice.step.key for choice in tree] == ["tile:acba", "tile:adad", "draw"]
    cell = next(choice for choice in tree[1].children if choice.step.key == "cell:B2")
    assert [turn.step.key for turn in cell.children] == ["turn:0", "turn:90"]
    assert [turn.action for turn in cell.children] == [state.string_to_action(f"adad{turn} B2") for turn in ("", "+1")]
    assert sorted(leaf.action or 0 for choice in tree for leaf in choice.leaves()) == state.legal_actions()


def test_nobody_chooses_at_a_draw_or_after_the_end() -> None:
    assert choices(play(position(hands="aaaa|acba"), "draw")) == ()
    state = position(hands="aaaa|acba")
    state.end()
    assert choices(state) == ()
