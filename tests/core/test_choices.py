"""The tree of choices."""

from __future__ import annotations

import pytest

from ludotheque import choices
from ludotheque.core.choices import Choice
from tests.games.cable_car.positions import play, position
from tests.games.chicago_express.table import stand

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


def lines(tree: tuple[Choice, ...]) -> list[list[str]]:
    """The keys from each decision to the last one that is asked for at once."""
    return [[choice.step.key, *rest] for choice in tree for rest in lines(choice.next_decision) or [[]]]


def test_the_next_decisions_of_a_turn_are_asked_for_at_once() -> None:
    state = stand(PRR="9:1,0,0,0:R5,R4,Q4")
    found = lines(choices(state, ahead=True))
    assert ["action:auction", "company:NYC"] in found
    assert ["action:expand", "company:PRR", "hex:P3"] in found
    assert ["action:expand", "decline"] in found
    assert lines(choices(state)) == [["action:auction"], ["action:expand"], ["action:develop"]]


def test_an_expansion_that_has_begun_asks_for_one_hex_at_a_time() -> None:
    state = stand(turn="build:1:PRR:1", PRR="9:1,0,0,0:R5,R4,Q4")
    assert not any(choice.next_decision for choice in choices(state, ahead=True))


def test_what_is_hidden_is_never_tried_out() -> None:
    state = position(hands="aaaa|acba")
    assert choices(state, ahead=True) == choices(state)
