"""Hexes as players call them: by their land, and by the town nearest to them."""

from __future__ import annotations

import pytest

from ludotheque.core.phrases import Phrase
from ludotheque.games.chicago_express.document import PRINTED_DOCUMENT, read_board
from ludotheque.games.chicago_express.place_words import hex_title, hex_words
from ludotheque.show.language import translator

PRINTED = read_board({})


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("E0", "Detroit"),
        ("A3", "the plain south of Chicago"),
        ("L4", "the mountains by Pittsburgh"),
        ("O5", "the plain south of Harrisburg"),
        ("G3", "the plain 2 hexes south-east of Toledo towards Fort Wayne"),
    ],
)
def test_a_hex_has_the_name_of_its_town_or_lies_beside_one(id: str, words: str) -> None:
    assert str(hex_words(PRINTED.hex(id))) == words


@pytest.mark.parametrize(
    ("language", "id", "words"),
    [
        ("fr", "L4", "La montagne côté Pittsburgh"),
        ("fr", "N3", "La forêt au nord-est d'Altoona"),
        ("nl", "L4", "Het gebergte bij Pittsburgh"),
    ],
)
def test_hexes_are_named_in_every_language(language: str, id: str, words: str) -> None:
    title = hex_title(PRINTED.hex(id))
    assert isinstance(title, Phrase)
    assert title.render(translator(language)) == words


def test_no_two_hexes_have_the_same_words() -> None:
    words = [str(hex_words(hex)) for hex in PRINTED.hexes]
    assert len(set(words)) == len(words)


def test_no_hex_of_the_printed_map_needs_its_coordinates_which_the_map_does_not_show() -> None:
    assert not [hex.id for hex in PRINTED.hexes if hex.id in str(hex_words(hex))]


def test_hexes_that_share_a_town_and_a_side_of_it_are_told_apart_by_a_second_town() -> None:
    shared = {hex.id: hex.landmark.towards for hex in PRINTED.hexes if hex.landmark and hex.landmark.shared}
    assert shared
    assert all(shared.values())


def test_where_only_one_hex_of_a_land_touches_a_town_no_direction_is_said() -> None:
    alone = [str(hex_words(hex)) for hex in PRINTED.hexes if hex.landmark and hex.landmark.alone]
    assert "the mountains by Harrisburg" in alone
    assert all(" by " in words for words in alone)


def test_a_hex_far_from_all_towns_has_its_coordinates() -> None:
    nameless = {id: {key: value for key, value in hex.items() if key != "name"} for id, hex in printed_hexes().items()}
    board = read_board({"hexes": nameless})
    assert str(hex_words(board.hex("A3"))) == "the plain at A3"


def printed_hexes() -> dict[str, dict[str, object]]:
    return dict(PRINTED_DOCUMENT["hexes"])
