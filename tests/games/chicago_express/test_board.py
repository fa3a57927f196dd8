"""The printed board, and boards of players' own."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludotheque import game_class
from ludotheque.core.options import read_settings
from ludotheque.errors import BadOption
from ludotheque.games.chicago_express import ChicagoExpress
from ludotheque.games.chicago_express.board import hexes_of
from ludotheque.games.chicago_express.document import PRINTED, PRINTED_DOCUMENT
from ludotheque.testing import check_game

from .table import NYC, new_game, play

pytestmark = pytest.mark.both


# The printed board.


def test_the_printed_board_has_160_hexes() -> None:
    terrains = Counter(hex.terrain for hex in PRINTED.hexes)
    assert terrains == {"plain": 73, "forest": 41, "city": 23, "mountain": 16, "start": 4, "industrial": 3}
    assert len({hex.id for hex in PRINTED.hexes}) == 160


def test_doubts_and_guessed_names_are_marked() -> None:
    assert sum(bool(hex.doubt) for hex in PRINTED.hexes) == 12
    assert sum(hex.name_is_a_guess for hex in PRINTED.hexes) == 16


def test_the_page_of_rules_lists_every_doubt_and_every_guess() -> None:
    from ludotheque.games import chicago_express

    page = Path(chicago_express.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    for hex in PRINTED.hexes:
        if hex.doubt:
            assert f"| {hex.id} |" in page
            assert hex.doubt in page
        if hex.name_is_a_guess:
            assert f"{hex.name} ({hex.id})" in page


@pytest.mark.parametrize(
    ("hex", "around"),
    [
        ("S3", {"S2", "S4", "R2", "R3"}),
        ("R3", {"R2", "R4", "Q3", "Q4", "S3", "S4"}),
        ("A2", {"A3", "B2"}),
        ("D3", {"D2", "D4", "C3", "C4", "E3", "E4"}),
    ],
)
def test_neighbours(hex: str, around: set[str]) -> None:
    board = new_game().board
    assert {board.hex(near).id for near in hexes_of(board.around, board.number_of[hex])} == around


def test_being_a_neighbour_is_mutual() -> None:
    board = new_game().board
    for hex in range(board.hexes):
        assert all(hex in hexes_of(board.around, near) for near in hexes_of(board.around, hex))


def test_no_bid_is_higher_than_3704() -> None:
    """$120, seven general dividends and one of each company for Chicago, of at most 88, 94, 107, 103 and 56."""
    game = new_game()
    assert [game.board.most_paid(company) for company in range(5)] == [88, 94, 107, 103, 56]
    assert game.most_bid == 120 + 8 * (88 + 94 + 107 + 103 + 56)
    assert game.num_distinct_actions() == 200 + 3704 + 1


# A board of one's own.


def test_an_owner_of_the_board_corrects_single_values() -> None:
    game = new_game(board={"corrections": {"J2": {"cost": 2}, "B5": {"name": "Danville"}}})
    forest, city = game.board.facts.hex("J2"), game.board.facts.hex("B5")
    assert (forest.cost, forest.doubt, forest.terrain) == (2, "", "forest")
    assert (city.name, city.name_is_a_guess, city.income) == ("Danville", False, 2)


def test_a_correction_may_change_the_terrain() -> None:
    game = new_game(board={"corrections": {"N8": {"terrain": "forest", "cost": 2}}})
    assert game.board.facts.hex("N8").terrain == "forest"


def test_what_a_file_leaves_out_is_as_printed() -> None:
    game = new_game(board={"dials": {"auction": 4}, "companies": {"NYC": {"income": 9}}})
    assert game.board.facts.dials == (4, 5, 4)
    assert game.board.facts.companies[NYC].income == 9
    assert game.board.facts.companies[NYC].locomotives == 24


def test_the_whole_printed_document_is_a_board() -> None:
    assert new_game(board=copy.deepcopy(PRINTED_DOCUMENT)).board.facts == PRINTED


def test_a_board_is_read_from_a_json_or_toml_file(tmp_path: Path) -> None:
    toml, js = tmp_path / "mine.toml", tmp_path / "mine.json"
    toml.write_text("[corrections]\nJ2 = { cost = 2 }\n", encoding="utf-8")
    js.write_text(json.dumps({"corrections": {"J2": {"cost": 2}}}), encoding="utf-8")
    for path in (toml, js):
        settings = read_settings(ChicagoExpress.options, [f"board={path}"])
        game = game_class("chicago-express")(2, settings)
        assert game.settings["board"] == {"corrections": {"J2": {"cost": 2}}}


SMALL_MAP = {
    "A0": {"terrain": "start", "name": "New York"},
    "A1": {"terrain": "start", "name": "Philadelphia"},
    "A2": {"terrain": "start", "name": "Baltimore"},
    "A3": {"terrain": "start", "name": "Washington"},
    "B0": {"terrain": "plain", "cost": 1},
    "B1": {"terrain": "forest", "cost": 2},
    "B2": {"terrain": "plain", "cost": 1},
    "B3": {"terrain": "mountain", "cost": 3, "income": 1, "development": 2},
    "C0": {"terrain": "industrial", "cost": 3, "name": "Detroit"},
    "C1": {"terrain": "industrial", "cost": 3, "name": "Wheeling"},
    "C2": {"terrain": "industrial", "cost": 4, "name": "Pittsburgh"},
    "C3": {"terrain": "plain", "cost": 1},
    "D1": {"terrain": "city", "cost": 1, "income": 1, "development": 2, "name": "Fort Wayne"},
    "D2": {"terrain": "city", "cost": 2, "income": 2, "development": 1, "name": "Cleveland"},
    "E1": {"terrain": "city", "cost": 3, "income": 7, "name": "Chicago"},
}
SMALL_BOARD: dict[str, Any] = {
    "hexes": SMALL_MAP,
    "chicago": "E1",
    "industry": {"Detroit": {"hex": "C0"}, "Wheeling": {"hex": "C1"}, "Pittsburgh": {"hex": "C2"}},
    "companies": {
        "NYC": {"start": "A0"},
        "PRR": {"start": "A1"},
        "B&O": {"start": "A2"},
        "C&O": {"start": "A3"},
        "WAB": {"start": "D1"},
    },
}


def test_a_whole_map_of_ones_own_is_played() -> None:
    game = new_game(3, board=SMALL_BOARD)
    state = game.new_initial_state()
    play(state, *["pass"] * 12)
    assert "Fort Wayne" in str(state)
    check_game(game, games=3, every=20)


def test_a_board_file_never_changes_the_printed_board() -> None:
    before = copy.deepcopy(PRINTED_DOCUMENT)
    new_game(board={"corrections": {"J2": {"cost": 2}}, "dials": {"auction": 4}})
    assert before == PRINTED_DOCUMENT


# What is wrong with a board, in a sentence.


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    document = copy.deepcopy({**PRINTED_DOCUMENT, **SMALL_BOARD})
    document["industry"] = copy.deepcopy(PRINTED_DOCUMENT["industry"])
    for name, hex in (("Detroit", "C0"), ("Wheeling", "C1"), ("Pittsburgh", "C2")):
        document["industry"][name]["hex"] = hex
    change(document)
    return document


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"hexagons": {}}, "the board has no 'hexagons'"),
        ({"hexes": []}, "the hexes of the board must be a table"),
        ({"hexes": {}}, "the map must have 1 to 180 hexes, not 0"),
        ({"hexes": {"A1": 3}}, "the A1 of the map must be a table"),
        ({"corrections": {"Z9": {"cost": 2}}}, "name the hex 'Z9', which is not on the map"),
        ({"corrections": {"J2": {"cost": 0}}}, "cost of hex J2 must be a whole number from 1 to 9, not 0"),
        ({"corrections": {"J2": {"cost": "two"}}}, "cost of hex J2 must be a whole number from 1 to 9, not 'two'"),
        ({"corrections": {"J2": {"cost": True}}}, "cost of hex J2 must be a whole number from 1 to 9, not True"),
        ({"corrections": {"J2": {"income": 2}}}, "the forest hex J2 has no 'income'"),
        ({"corrections": {"J2": {"terrain": "swamp"}}}, "terrain of hex J2 must be one of plain, .*, not 'swamp'"),
        ({"corrections": {"J2": {"terrain": "city"}}}, "cost of hex J2 must be .*, it is missing"),
        ({"corrections": {"A2": {"development": 2}}}, "the city hex A2 has no 'development'"),
        ({"corrections": {"B5": {"name": 5}}}, "the name of hex B5 must be a short text, not 5"),
        ({"corrections": {"B5": {"name_is_a_guess": 5}}}, "name_is_a_guess of hex B5 must be true or false"),
        ({"corrections": {"R5": {"terrain": "plain", "cost": 1}}}, "PRR must start on a start hex of the map"),
        ({"corrections": {"R4": {"terrain": "start"}}}, "no company starts on the start hex R4"),
        ({"corrections": {"R4": {"terrain": "industrial", "cost": 3}}}, "industrial hex R4 belongs to none of"),
        ({"chicago": "A9"}, "Chicago must be a city on the map, and 'A9' is not"),
        ({"chicago": "A3"}, "Chicago must be a city"),
        ({"companies": {"PRR": {"start": "S3"}}}, "must have a start hex of its own"),
        ({"companies": {"WAB": {"start": "A3"}}}, "the Wabash must start on a city that is not Chicago"),
        ({"companies": {"WAB": {"start": "A2"}}}, "the Wabash must start on a city that is not Chicago"),
        ({"companies": {"WAB": {"income": 2}}}, "income_if_start_developed of WAB must be 4"),
        ({"companies": {"PRR": {"shares": 0}}}, "the shares of PRR must be a whole number from 1 to 9, not 0"),
        ({"companies": {"PRR": {"money": 1}}}, "PRR has no 'money'"),
        ({"companies": {"PRR": {"colour": "pink"}}}, "the colour of PRR must be one of red, .*, not 'pink'"),
        ({"companies": {"XYZ": {}}}, "the table of companies has no 'XYZ'"),
        ({"companies": {"PRR": 1}}, "the PRR of the companies must be a table"),
        ({"industry": {"Detroit": {"track": [3, 2]}}}, "the track of Detroit must be 2 to 16 rising whole numbers"),
        ({"industry": {"Detroit": {"track": [3]}}}, "the track of Detroit must be 2 to 16 rising whole numbers"),
        ({"industry": {"Detroit": {"hex": "A3"}}}, "Detroit must be an industrial hex of its own, and 'A3' is not"),
        ({"industry": {"Detroit": {"hex": "K4"}}}, "Detroit must be an industrial hex of its own, and 'K4' is not"),
        ({"dials": {"auction": 0}}, "the auction of the dials must be a whole number from 1 to 9, not 0"),
        ({"dials": 3}, "the dials of the board must be a table"),
        ({"cash": 100}, "the cash must be a multiple of 60"),
        ({"houses": 3}, "the houses of the board must be a whole number from 4 to 100, not 3"),
        ({"opening_auctions": ["PRR", "NYC"]}, "the opening_auctions must name each of PRR, B&O, C&O, NYC once"),
        ({"opening_auctions": 4}, "the opening_auctions must name each of"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(document: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption, match=f"^This board cannot be played: .*{sentence}.*\\.$"):
        new_game(board=document)


@pytest.mark.parametrize("id", ["AA1", "a1", "A01", "A26", "1A", "A-1", ""])
def test_a_hex_is_a_letter_and_a_row(id: str) -> None:
    with pytest.raises(BadOption, match="is not a hex: write a letter A to Z and a row from 0 to 25"):
        new_game(board=changed(lambda document: document["hexes"].update({id: {"terrain": "plain", "cost": 1}})))


def test_a_map_must_be_connected() -> None:
    apart = {"terrain": "plain", "cost": 1, "name": "Atlantis"}
    with pytest.raises(BadOption, match="the map is not connected: no track can lead from Atlantis to Chicago"):
        new_game(board=changed(lambda document: document["hexes"].update(Z9=apart)))


def test_start_hexes_connect_nothing() -> None:
    """Nobody builds there, so what lies behind one is out of reach."""

    def behind_new_york(document: dict[str, Any]) -> None:
        document["hexes"] = {"A0": {"terrain": "plain", "cost": 1, "name": "Nantucket"}, **{
            id if id[0] != "A" else f"A{int(id[1:]) + 1}": hex for id, hex in document["hexes"].items()
        }}  # fmt: skip
        del document["hexes"]["B0"]
        for id, row in (("NYC", 1), ("PRR", 2), ("B&O", 3), ("C&O", 4)):
            document["companies"][id]["start"] = f"A{row}"

    with pytest.raises(BadOption, match="no track can lead from Nantucket to Chicago"):
        new_game(board=changed(behind_new_york))


def test_every_start_must_have_a_way_out() -> None:
    def island(document: dict[str, Any]) -> None:
        document["hexes"]["Z9"] = document["hexes"].pop("A0")
        document["companies"]["NYC"]["start"] = "Z9"

    with pytest.raises(BadOption, match="no track can leave the start of NYC, Z9"):
        new_game(board=changed(island))


def test_a_map_has_at_most_180_hexes() -> None:
    plain = {"terrain": "plain", "cost": 1}
    many = {f"{column}{row}": plain for column in "FGHIJKLMNOPQ" for row in range(15)}
    with pytest.raises(BadOption, match="1 to 180 hexes, not 195"):
        new_game(board=changed(lambda document: document["hexes"].update(many)))
