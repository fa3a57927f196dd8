"""The changes from one scene to the next: complete, and no more than needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given, strategies as st

from ludotheque import load_game
from ludotheque.core.scene import Piece
from ludotheque.show.scenes import Difference, difference, render_lines
from tests.table.matches import random_match

SCENES = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 1)), unique_by=lambda piece: piece[0])


def in_order(ids: Iterable[str], follows: Mapping[str, str]) -> list[str]:
    """Ids in the order of painting: those that follow another come right after it, or first; the others stay."""
    order = [id for id in ids if id not in follows]
    for id, before in follows.items():
        order.insert(order.index(before) + 1 if before else 0, id)
    return order


def scene(words: str) -> list[Piece]:
    """Pieces by id, or by id and place: "a b2 c"."""
    return [Piece(id=word[0], x=int(word[1:] or 0)) for word in words.split()]


def applied(old: Sequence[Piece], found: Difference) -> list[Piece]:
    """The old scene with the changes."""
    pieces = {piece.id: piece for piece in old if piece.id not in found.gone}
    pieces |= {piece.id: piece for piece in found.changed}
    return [pieces[id] for id in in_order(pieces, found.follows)]


@given(SCENES, SCENES)
def test_the_changes_make_the_new_scene_of_the_old_one(
    before: list[tuple[str, int]], after: list[tuple[str, int]]
) -> None:
    old, new = ([Piece(id=id, x=x) for id, x in pieces] for pieces in (before, after))
    known = {piece.id: piece for piece in old}
    found = difference(old, new, known)
    assert applied(old, found) == new
    assert known == {piece.id: piece for piece in new}
    assert [piece for piece in found.changed if piece in old] == []
    assert sorted(found.gone) == sorted({piece.id for piece in old} - known.keys())


def test_pieces_that_stay_are_not_named() -> None:
    found = difference(scene("a b c d"), scene("b c x d y"))
    assert ([piece.id for piece in found.changed], found.gone, found.follows) == (
        ["x", "y"], ("a",), {"x": "c", "y": "d"},
    )  # fmt: skip


def test_a_piece_that_changes_and_moves_is_named_alone() -> None:
    found = difference(scene("a b c d"), scene("a d1 b c"))
    assert ([piece.id for piece in found.changed], found.gone, found.follows) == (["d"], (), {"d": "a"})


def test_the_first_piece_of_a_layer_follows_the_layer_below() -> None:
    below = Piece(id="z")
    assert difference([], scene("a b"), below=below).follows == {"a": "z", "b": "a"}
    assert difference(scene("b"), scene("a b"), below=below).follows == {"a": "z"}


@pytest.mark.parametrize("name", ["cable-car", "pays-noir"])
def test_a_line_with_details_has_a_short_one_for_the_news(name: str) -> None:
    match = random_match(load_game(name), 3)
    lines = render_lines(match.view(0).log, str)
    shorts = [line for line in lines if line.short]
    assert len({line.ply for line in shorts}) > 10
    assert [line for line in shorts if len(line.short) >= len(line.text)] == []
    assert [line.short for line in shorts if ":" in line.short or "(" in line.short] == []


def test_a_line_without_details_has_no_short_one() -> None:
    lines = render_lines(random_match(load_game("passerelles"), 3).view(0).log, str)
    assert {line.short for line in lines} == {""}
