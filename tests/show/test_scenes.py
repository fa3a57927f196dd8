"""The changes from one scene to the next: complete, and no more than needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given, strategies as st

from ludotheque import load_game
from ludotheque.core.phrases import Picture, detailed, in_full, phrase, pictured, seat_name
from ludotheque.core.scene import Piece
from ludotheque.show.language import Reader
from ludotheque.show.scenes import Difference, RenderedPicture, difference, render_lines, renderer
from ludotheque.table import LogLine
from tests.ours import OURS
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


@pytest.mark.parametrize("name", OURS)
def test_a_line_with_details_has_a_short_one_for_the_news(name: str) -> None:
    lines = render_lines(random_match(load_game(name), 3).view(0).log, str)
    shorts = {line.ply: (line.text, line.short) for line in lines if line.short}
    assert len(shorts) > 10
    assert [short for text, short in shorts.values() if len(short) >= len(text) or ":" in short or "(" in short] == []


def test_the_news_leave_out_lines_that_a_picture_or_a_gain_tells() -> None:
    lines = render_lines(random_match(load_game("chicago-express"), 3).view(0).log, str)
    left_out = {line.text.split(maxsplit=2)[2] for line in lines if line.short == ""}
    assert left_out >= {"chooses an auction.", "chooses an expansion.", "chooses a development."}
    assert {line.short for line in lines if " bids " in line.text} == {None}


def test_a_line_has_pictures_in_place_of_the_words_that_describe_them() -> None:
    odd = "Ann \ue000"  # the letter that marks a place for a picture where no name has it
    tile = pictured(phrase("4 straight"), "tile-aaaa", 90)
    sentence = phrase("{seat} lays a tile on {cell}: {tracks}.", seat=seat_name(0), cell="C4", tracks=tile)
    [line] = render_lines([LogLine(3, sentence)], renderer("cable-car", Reader("en"), [odd, "Ben"]))
    assert line.text == f"{odd} lays a tile on C4: 4 straight."
    assert line.drawn == (f"{odd} lays a tile on C4: ", RenderedPicture("tile-aaaa", "4 straight", 90), ".")
    for stored in (in_full(sentence), in_full(detailed(sentence))):
        assert not any(isinstance(value, Picture) for value in stored.values.values())


@pytest.mark.parametrize("companies", [False, True])
def test_every_tile_that_the_log_of_cable_car_names_is_drawn_as_it_lies(companies: bool) -> None:
    match = random_match(load_game("cable-car", companies=companies, rotation=True), 3)
    symbols = {piece.symbol: piece.turn for piece in match.viewing.scene(0, match.ply).pieces}
    drawn = [
        part
        for line in render_lines(match.view(0).log, str)
        for part in line.drawn
        if isinstance(part, RenderedPicture)
    ]
    assert len(drawn) >= 60
    assert {picture.symbol for picture in drawn} >= {symbol for symbol in symbols if symbol.startswith("tile-")}
    assert {picture.turn for picture in drawn} == {0, 90, 180, 270}


def test_a_line_names_the_seat_that_acted() -> None:
    match = random_match(load_game("cable-car"), 3)
    lines = render_lines(match.view(0).log, str)
    assert {(line.ply, line.seat) for line in lines} <= set(enumerate(match.movers, 1))
