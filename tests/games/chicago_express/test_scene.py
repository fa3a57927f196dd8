"""The picture: everything a player needs to see, and everything that can be clicked."""

from __future__ import annotations

import math
import re

import pytest
from fontTools.ttLib import TTFont

from ludotheque import Scene, choices
from ludotheque.core.game import SPECTATOR
from ludotheque.core.scene import Row
from ludotheque.games.chicago_express import ChicagoExpressState, document, map_art
from ludotheque.web import WEB

from .table import NYC, PRR, WAB, Tracks, new_game, play, stand, way

pytestmark = pytest.mark.both


ENGINE_WIDTH = 40
"""From the cowcatcher of a locomotive to the back of its cab, before it is scaled."""


def picture(state: ChicagoExpressState) -> Scene:
    return state.game.scene(state.game.observe(state, 0))


def piece_labels(state: ChicagoExpressState) -> dict[str, str]:
    return {piece.id: str(piece.label) for piece in picture(state).pieces if piece.label}


def test_locomotives_of_several_companies_in_one_hex_are_told_apart_by_letter_and_place() -> None:
    game = new_game()
    state = stand(game, PRR="0:1,0,0,0:R5,R4,Q4,Q3", NYC="0:0,0,0,1:S3,R3,Q3")
    engines = [piece for piece in picture(state).pieces if piece.id in ("engine:PRR:Q3", "engine:NYC:Q3")]
    assert [piece.symbol for piece in engines] == ["small-engine-N", "small-engine-P"]
    assert engines[0].x - engines[1].x >= map_art.SMALL_ENGINE * ENGINE_WIDTH, "neither covers the other"
    backdrop = game.backdrop()
    for letter in "PBCNW":
        assert f'id="engine-{letter}"' in backdrop


def test_five_locomotives_in_one_hex_are_small_and_apart() -> None:
    game = new_game()
    tracks = Tracks(game)
    state = stand(game, "build:1:WAB:0", WAB="90:1,0,0,0:" + tracks.way(WAB, "I4", "J4"),
                  PRR="0:1,0,0,0:" + tracks.way(PRR, "O4", "M4", "K4"), CO="0:0,0,1,0:" + tracks.way(2, "K7", "K4"),
                  NYC="0:0,0,0,1:" + tracks.way(NYC, "A2", "K4"), BO="0:0,1,0,0:" + tracks.way(1, "K4"))  # fmt: skip
    play(state, "K4")
    engines = [piece for piece in picture(state).pieces if piece.id.startswith("engine:") and piece.id.endswith(":K4")]
    assert [piece.symbol for piece in engines] == [f"small-engine-{letter}" for letter in "WNCBP"]
    assert len({piece.x for piece in engines}) == 5


def test_the_largest_names_of_industrial_cities_keep_off_the_dials() -> None:
    backdrop = new_game().backdrop()
    largest = re.search(r"\.ce-track-name {[^}]*clamp\([^}]*, ([\d.]+)px\);", backdrop)
    rim = re.search(r'<circle class="ce-rim" r="(\d+)"', backdrop)
    assert largest
    assert rim
    face = TTFont(WEB / "static" / "fonts" / "besley.woff2")
    letters, advances = face.getBestCmap(), face["hmtx"]
    last_dial, height = map_art.layout_of(tuple(hex.id for hex in document.read_board({}).hexes)).dial(2)
    names = re.findall(r'<text class="ce-track-name" x="([\d.]+)" y="([\d.]+)">(\w+)<', backdrop)
    assert len(names) == 3
    for right, base, name in names:
        ems = sum(advances[letters[ord(letter)]][0] for letter in name) / face["head"].unitsPerEm
        left = float(right) - ems * float(largest[1])
        beside = max(0, abs(float(base) - float(largest[1]) / 3 - height) - float(largest[1]) / 2)
        assert left > last_dial + (float(rim[1]) ** 2 - beside**2) ** 0.5, name


def test_the_map_shows_names_and_terrain_but_no_prices() -> None:
    backdrop = new_game().backdrop()
    for words in (">Binghamton<", ">Chicago<", 'href="#wood-1"', 'href="#peaks-1"'):
        assert words in backdrop
    assert "$" not in backdrop
    assert re.search(r'<text class="ce-name ce-guess" x="[\d.]+" y="[\d.]+">Lafayette</text>', backdrop)


def test_names_of_cities_are_above_what_stands_beside_them() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3")
    play(state, "develop Q3")
    ids = [piece.id for piece in picture(state).pieces]
    assert ids.index("house:Q3") < ids.index("engine:PRR:Q3") < ids.index("names")


def test_a_city_grows_with_what_it_adds_to_the_income() -> None:
    def drawn(state: ChicagoExpressState, hex: str) -> str:
        return next(piece.symbol for piece in picture(state).pieces if piece.id == f"town:{hex}")

    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3", industry="1,3,4")
    assert drawn(state, "E0") == "works-1"
    assert "town:Q3" not in {piece.id for piece in picture(state).pieces}, "it is printed on the map"
    play(state, "develop Q3")
    assert re.fullmatch("town-2-[1-4]", drawn(state, "Q3"))
    assert drawn(stand(industry="8,3,4"), "E0") == "works-3"


def test_towns_are_built_in_different_ways_and_the_steamer_keeps_off_the_land() -> None:
    backdrop = new_game().backdrop()
    for number in range(1, map_art.TOWNS + 1):
        assert f'href="#town-1-{number}"' in backdrop
    facts = document.read_board({})
    layout = map_art.layout_of(tuple(hex.id for hex in facts.hexes))
    nearest = min(math.dist(layout.widest_water(), layout.hex(hex.id)) for hex in facts.hexes)
    assert nearest > 2 * map_art.RADIUS


def test_the_track_of_a_company_has_no_rings() -> None:
    """From its start on one way leads to each of its locomotives, however many of them are neighbours."""
    engines = ("R5", "R4", "Q4", "Q3", "R3")
    state = stand(PRR=f"0:1,0,0,0:{','.join(engines)}")
    track = next(piece.path for piece in picture(state).pieces if piece.id == "network:PRR")
    ends = [tuple(link.split(" L")) for link in track.removeprefix("M").split(" M")]
    assert len(ends) == len(engines) - 1
    assert len({end for _, end in ends}) == len(ends), "each is reached once"


def test_prices_leave_the_names_of_cities_free() -> None:
    """A name is as high as the lower edge of the hexes beside its own, where a price would lie over it."""
    hexes = {piece.id: piece.classes for piece in picture(stand()).pieces if piece.id.startswith("hex:")}
    assert (hexes["hex:Q3"], hexes["hex:R3"]) == ("spot", "spot tag-above")


def test_a_house_stands_above_the_locomotives_of_open_country() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3,R3")
    play(state, "develop R3")
    pieces = {piece.id: piece for piece in picture(state).pieces}
    house, engine = pieces["house:R3"], pieces["engine:PRR:R3"]
    assert house.x == engine.x
    assert house.y < engine.y - 20


def test_the_map_of_a_board_of_ones_own_is_drawn() -> None:
    assert ">Danville<" in new_game(board={"corrections": {"B5": {"name": "Danville"}}}).backdrop()


def test_hovering_a_hex_tells_cost_and_income() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3")
    labels = piece_labels(state)
    assert labels["hex:Q3"] == "Binghamton (Q3), city; costs $4; income +1; a house adds 1; locomotives P"
    assert labels["hex:S3"] == "New York (S3), start; locomotives N"
    assert labels["hex:A3"] == "A3, plain; costs $1"
    play(state, "develop Q3")
    assert piece_labels(state)["hex:Q3"].endswith("income +2; developed; locomotives P")
    assert "house:Q3" in piece_labels(state)


def test_dials_tracks_and_incomes_are_markers_that_move() -> None:
    state = stand(dials="2,3,0", industry="4,3,8")
    labels = piece_labels(state)
    assert labels["dial:auction"] == "auction dial: 2 of 3"
    assert labels["industry:Detroit"] == "Detroit: 4"
    assert labels["industry:Pittsburgh"] == "Pittsburgh: 8"
    assert labels["income:NYC"] == "NYC: income 8"
    turns = {piece.id: piece.turn for piece in picture(state).pieces}
    assert (turns["dial:auction"], turns["dial:development"]) == (40, -120)


def test_an_income_beyond_50_is_marked() -> None:
    state = stand()
    state.income[NYC] = 63
    texts = {piece.id: piece.text for piece in picture(state).pieces}
    assert texts["beyond:NYC"] == "+50"
    assert "beyond:PRR" not in texts


def texts(row: Row) -> list[str]:
    """A row of a table in plain text."""
    return [" ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell) for cell in row]


def test_tables_show_money_shares_and_how_far_the_end_is() -> None:
    state = stand(turn="bid:1:NYC:12@3:134:4", NYC="7:0,0,0,1:S3")
    tables = {str(table.caption): table for table in picture(state).tables}
    assert list(tables) == ["Players", "Auction: a share of NYC", "Companies", "The end"]
    rows = {caption: [texts(row) for row in table.rows] for caption, table in tables.items()}
    assert rows["Auction: a share of NYC"] == [
        ["Highest bid", "$12, Seat 3"],
        ["Lowest bid", "$13"],
        ["Still bidding", "Seat 1, Seat 3, Seat 4"],
        ["The share would pay", "$4"],
    ]
    assert rows["Companies"][3] == ["N NYC", "$7", "8", "1/5", "$8", "$4", "23"]
    assert len(rows["Companies"]) == 4
    assert rows["Players"][3] == ["4 Seat 4", "N 1", "$30"]
    assert tables["Players"].marked == 3
    assert rows["The end"][2] == ["Houses left", "20, ends at 3"]


@pytest.mark.parametrize("turn", ["choose:1", "offer:1", "name:1", "build:1:PRR:1", "develop:1"])
def test_every_action_company_and_hex_can_be_clicked(turn: str) -> None:
    game = new_game()
    state = stand(game, turn, PRR="90:1,0,0,0:" + way(game, PRR, "Q4", "O4"))
    clickable = {piece.step for piece in picture(state).pieces}
    keys = {choice.step.key for choice in choices(state)}
    assert keys - {"done", "decline"} <= clickable


@pytest.mark.parametrize("turn", ["offer:1", "name:1"])
def test_a_company_is_chosen_by_its_locomotives_which_are_above_the_hexes(turn: str) -> None:
    pieces = picture(stand(turn=turn, PRR="9:1,0,0,0:R5,R4,Q4")).pieces
    chosen = [piece.id for piece in pieces if piece.step == "company:PRR"]
    assert chosen == ["engine:PRR:Q4", "engine:PRR:R4", "engine:PRR:R5"]
    ids = [piece.id for piece in pieces]
    assert ids.index(chosen[0]) > max(ids.index(id) for id in ids if id.startswith("hex:"))


def test_the_last_hex_is_marked() -> None:
    state = stand()
    assert "last" not in piece_labels(state)
    play(state, "expand PRR R4 done")
    assert piece_labels(state)["last"] == "the last hex"


def test_the_position_drawn_in_text_fits_a_terminal() -> None:
    game = new_game(6)
    state = stand(game, "bid:1:NYC:12@3:134:4", NYC="7:0,0,0,1,0,0:" + way(game, NYC, "A2"), WAB="0:0,0,0,0,0,0:D3")
    text = str(state)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "N NYC  treasury $7   income 22  shares 1 sold, 4 left, $22 each; 5 locomotives" in text
    assert "For sale: a share of NYC; $12 by seat 3; from $13; still bidding: 1, 3, 4" in text
    assert "> Seat 4, $30, shares NYC 1" in text


def test_during_the_opening_auctions_a_share_already_sold_shows_what_the_next_one_costs() -> None:
    state = new_game(2).new_initial_state()
    play(state, "bid 7")
    play(state, "pass")
    companies = next(table for table in picture(state).tables if str(table.caption) == "Companies")
    price = [str(word) for word in companies.head].index("Price")
    assert {texts(row)[0]: str(row[price]) for row in companies.rows}["P PRR"] == "$4"


def test_gauges_show_how_far_the_dividend_and_the_end_are() -> None:
    state = stand(dials="2,3,0", industry="4,3,8", PRR="0:1,0,0,0:R5,R4,Q4,Q3", houses="Q3")
    gauges = picture(state).gauges
    assert [(str(gauge.event), str(gauge.label), gauge.at, gauge.end) for gauge in gauges] == [
        ("Dividend", "Auction", 2, 3),
        ("Dividend", "Expand", 3, 5),
        ("Dividend", "Develop", 0, 4),
        ("End", "Locos", 0, 3),
        ("End", "Shares", 0, 3),
        ("End", "Houses", 1, 17),
        ("End", "Detroit", 3, 7),
    ]


def test_a_sheet_says_what_the_share_for_sale_is_worth_and_who_bids() -> None:
    sheet = picture(stand(turn="bid:1:NYC:12@3,11@2,9@1:134:4", NYC="7:0,0,0,1:S3")).sheet
    assert sheet is not None
    assert (str(sheet.title), str(sheet.mark.text)) == ("Auction: a share of NYC", "New York Central")
    assert [texts(fact) for fact in sheet.facts] == [
        ["Would pay", "$4"],
        ["Pays now", "$8"],
        ["Income", "8"],
        ["Treasury", "$7"],
        ["Shares sold", "1 of 5"],
        ["Lowest bid", "$13"],
    ]
    assert [texts(row) for row in sheet.table.rows] == [
        ["1 Seat 1", "0", "$30", "$9"],
        ["2 Seat 2", "0", "$30", "$11, passed"],
        ["3 Seat 3", "0", "$30", "$12"],
        ["4 Seat 4", "1", "$30", "still in"],
    ]
    assert sheet.table.marked == 3
    assert str(sheet.note) == "It ends when all others have passed."
    assert picture(stand()).sheet is None


def test_the_sheet_says_what_becomes_of_the_share_while_nobody_has_bid() -> None:
    sheet = picture(stand(turn="bid:1:NYC:-:1234:4")).sheet
    assert sheet is not None
    assert "the share stays with the company" in str(sheet.note)


def test_the_sheet_tells_every_viewer_the_same() -> None:
    state = stand(turn="bid:1:NYC:12@3:134:4")
    sheets = [state.game.scene(state.game.observe(state, viewer)).sheet for viewer in (0, 2, SPECTATOR)]
    assert sheets[0] == sheets[1] == sheets[2]


def test_open_country_is_printed_unlike_that_beside_it() -> None:
    board = new_game().board.facts
    open_hexes = [hex for hex in board.hexes if hex.terrain in map_art.PRINTED_TERRAIN]
    symbols = {document.place(hex.id): map_art.printed(hex) for hex in open_hexes}
    backdrop = new_game().backdrop()
    for place, symbol in symbols.items():
        assert f'id="{symbol}"' in backdrop
        assert symbol not in [symbols.get(beside) for beside in document.neighbours(*place)]
