"""What is seen of Passerelles: the observation, its text and its picture."""

from __future__ import annotations

import re

import pytest

from ludotheque.core.game import SPECTATOR
from ludotheque.core.ghosts import ghost
from ludotheque.core.scene import Piece
from ludotheque.games.passerelles.board import ROWS
from ludotheque.games.passerelles.observation import Area, LaidPiece
from ludotheque.games.passerelles.observe import observe
from ludotheque.games.passerelles.rules import PasserellesState
from ludotheque.games.passerelles.scene import CELL, MARGIN, THICKNESS, WIDTH, backdrop
from tests.games.passerelles.tables import placement, play, table
from tests.games.passerelles.test_rules import CRAMPED

pytestmark = pytest.mark.both


def pieces(state: PasserellesState) -> dict[str, Piece]:
    return {piece.id: piece for piece in state.game.scene(state.observation(SPECTATOR)).pieces}


def test_everyone_sees_everything() -> None:
    state = table("B2vC4 Y2vE4 B3hC4")
    views = [observe(state, viewer) for viewer in (0, 1, SPECTATOR)]
    assert len({(view.pieces, view.tops, view.supply, view.areas, view.now) for view in views}) == 1


def test_an_observation_names_pieces_heights_and_tops() -> None:
    state = table("B2vC4 Y2vE4 B3hC4")
    seen = observe(state, 0)
    assert seen.pieces[2] == LaidPiece(0, "3h C4", 1, (35, 36, 37))
    assert [seen.tops[square] for square in (35, 36, 37, 46, 48, 0)] == [2, 2, 2, 0, 1, -1]
    assert seen.supply == ((0, 1, 2, 4, 3), (0, 1, 3, 4, 3), (3, 2, 1, 0, 0))
    assert seen.last == 2


def test_an_observation_names_areas() -> None:
    state = table("B5vF1 B5hA6 Y3vC1 Y2hA3 Y3vI8 Y2hJ8")
    seen = observe(state, 0)
    assert seen.now == (16, 8)
    assert [(area.owner, len(area.squares)) for area in seen.areas] == [(0, 16), (1, 4), (1, 4)]
    assert seen.areas[1] == Area(1, (0, 1, 11, 12))


def test_a_forced_pass_is_seen() -> None:
    state = table(rounds=1)
    play(state, CRAMPED)
    assert observe(state, 0).must_pass
    assert "must pass" in str(state.observation(0))
    assert pieces(state)["pass"].step == "pass"


def test_the_text_of_an_observation_draws_the_board() -> None:
    text = str(table("B3vC1 B2hA3 Y2vE4 B3vC4 B3hC4"))
    lines = text.splitlines()
    assert lines[0].split() == list("ABCDEFGHIJK")
    assert lines[1].split() == ["1", "b", "b", "B0", *"........"]
    assert lines[4].split() == ["4", ".", ".", "B1*", "B1*", "B1*", *"......"]
    assert "> Seat 1, blue (B), 4 points now, pieces 5 5 5 4 4 4 4 2" in text
    assert "  Seat 2, yellow (Y), 0 points now, pieces 5 5 5 4 4 4 4 3 3 3 2" in text


def test_a_piece_is_raised_by_its_height_and_has_a_shadow() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4"))
    flat, bridge = drawn["piece:B2.1"], drawn["piece:B3.1"]
    assert (flat.x, flat.y, flat.turn, flat.elevation) == (MARGIN + 2.5 * CELL, MARGIN + 3.5 * CELL, 90, 0)
    assert (bridge.x, bridge.y, bridge.turn, bridge.elevation) == (flat.x, flat.y, 0, THICKNESS)
    order = list(drawn)
    ways = ["shadow:0", "piece:B2.1", f"shadow:{THICKNESS}", "piece:B3.1"]
    assert sorted(ways, key=order.index) == ways
    assert drawn[f"shadow:{THICKNESS}"].elevation == THICKNESS
    assert (drawn["height:B3.1"].text, drawn["height:B3.1"].elevation) == ("1", bridge.top)
    assert "height:B2.1" not in drawn


def test_the_height_of_a_bridge_stands_on_a_plate_that_lies_on_it() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4"))
    plate, order = drawn["plate:B3.1"], list(drawn)
    assert (plate.x, plate.y, plate.elevation) == (drawn["piece:B3.1"].x, drawn["piece:B3.1"].y, THICKNESS * 2)
    assert order.index("piece:B3.1") < order.index("plate:B3.1") < order.index("height:B3.1")
    assert "plate:B2.1" not in drawn, "what lies flat has none"


def test_water_mirrors_pieces_as_deep_as_they_are_high_within_the_basin() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4 Y5hA10"))
    assert {name: drawn[name].elevation for name in drawn if name.startswith("reflection:")} == {
        "reflection:B1": -THICKNESS, "reflection:Y0": 0, "reflection:B0": 0}  # fmt: skip
    order = list(drawn)
    assert max(order.index(name) for name in drawn if name.startswith("reflection:")) < order.index("shadow:0")
    corners = re.findall(r"[ML]([\d.]+),([\d.]+)", drawn["reflection:Y0"].path)
    assert max(float(y) for _, y in corners) == MARGIN + ROWS * CELL, "not on the frame"


def test_a_square_is_clicked_where_the_top_of_its_stack_is_seen() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4"))
    heights = {name: drawn[f"cell:{name}"].elevation for name in ("A1", "C5", "D4")}
    assert heights == {"A1": 0, "C5": THICKNESS, "D4": 2 * THICKNESS}
    order = list(drawn)
    assert order.index("cell:K10") < order.index("cell:C5") < order.index("cell:D4")


def test_higher_pieces_are_drawn_over_lower_ones() -> None:
    order = list(pieces(table("B2vC4 Y2vE4 B3hC4 Y5hA1")))
    assert order.index("piece:B3.1") > order.index("piece:B2.1") > order.index("piece:Y5.1"), "back to front"


def test_the_last_piece_is_marked() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4"))
    assert (drawn["last"].x, drawn["last"].y) == (drawn["piece:B3.1"].x, drawn["piece:B3.1"].y)
    assert "last" not in pieces(table(landscape="asia"))


def test_areas_are_tinted_with_their_counts() -> None:
    drawn = pieces(table("B5vF1 B5hA6 Y3vC1 Y2hA3"))
    assert drawn["area:Y:A1"].classes == "area yellow"
    assert str(drawn["area-count:Y:A1"].text) == "4"
    blue = [(piece.symbol, str(piece.text)) for piece in drawn.values() if piece.classes == "area-count blue"]
    assert blue == [("owner", ""), ("", "16")], "`B16` would read as the name of a square"


def test_the_trays_hold_what_is_left_under_the_names_it_will_keep() -> None:
    state = table("B5hA1")
    drawn = pieces(state)
    assert {name for name in drawn if name.startswith("piece:B5.")} == {"piece:B5.1", "piece:B5.2", "piece:B5.3"}
    assert drawn["piece:B5.1"].classes == "blue"
    assert drawn["piece:B5.2"].classes == "tray blue stack-0"
    assert str(drawn["stack:B5"].label) == "blue pieces of length 5: 2"
    assert str(drawn["left:B5"].text) == "\u00d72"
    assert "left:B5" not in pieces(table("B5hA1 B5hA3")), "one piece is seen to be one"


def test_only_the_tray_of_the_seat_to_move_is_picked_from() -> None:
    drawn = pieces(table("B5hA1", to_move="Y"))
    assert drawn["stack:Y4"].step == "piece:4"
    assert drawn["tray-caption"].classes == "caption of-yellow"
    assert drawn["stack:B4"].classes == "spot blue stack-1", "the art hides it from all but blue"
    assert not drawn["stack:B4"].step
    state = table(landscape="free")
    state.resume(1, True, 0)
    drawn = pieces(state)
    assert drawn["stack:N1"].step == "piece:1"
    assert "stack:Y4" not in drawn
    assert drawn["pass"].step == "pass"


def test_every_square_can_be_clicked_and_says_what_is_there() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4 Y3vC1 Y2hA3"))
    assert sum(name.startswith("cell:") for name in drawn) == 110
    assert drawn["cell:D4"].step == "cell:D4"
    labels = {name: str(drawn[f"cell:{name}"].label) for name in ("D4", "C5", "A1", "K10")}
    assert labels == {
        "D4": "D4: blue bridge of length 3 at height 1",
        "C5": "C5: blue piece of length 2, flat",
        "A1": "A1, empty, in a yellow area of 4",
        "K10": "K10, empty",
    }


def test_the_first_round_has_no_points_of_others_to_show() -> None:
    state = table("B3vC1 B2hA3")
    shown = state.game.scene(state.observation(0)).tables[0]
    assert [str(head) for head in shown.head] == ["Seat", "Pieces left", "Points"]
    assert [row[-1] for row in shown.rows] == [4, 0]


def test_the_table_shows_the_points_of_each_round() -> None:
    state = table("B3vC1 B2hA3")
    state.round, state.first_points, state.second_points = 1, 10, 12
    scene = state.game.scene(state.observation(0))
    assert [str(head) for head in scene.tables[0].head] == ["Seat", "Round 1", "Round 2", "Pieces left", "Points"]
    assert [[str(mark), *cells] for (mark,), *cells in scene.tables[0].rows] == [  # type: ignore[misc, str-unpack]
        ["B Seat 1", 10, 4, "3\u00d75 4\u00d74 2\u00d73 1\u00d72", 14],
        ["Y Seat 2", 12, 0, "3\u00d75 4\u00d74 3\u00d73 2\u00d72", 12],
    ]
    assert (scene.tables[0].lists_seats, scene.tables[0].marked) == (True, 0)


def test_a_covered_square_can_be_clicked_on_the_side_of_its_pieces() -> None:
    drawn = pieces(table("B2vC4 Y2vE4 B3hC4"))
    assert [drawn[f"cell:{name}"].symbol for name in ("A1", "C5", "C4")] == ["cell", "cell-1", "cell-2"]


def test_squares_have_32_pixels_on_the_whole_width_of_a_phone() -> None:
    assert round(375 / WIDTH * CELL) == 32


def test_the_edges_of_slabs_lie_on_the_squares() -> None:
    assert f'id="edges" x="{MARGIN}" y="{MARGIN}" width="{CELL}"' in backdrop()


def test_a_preview_draws_the_piece_and_no_reflections_over_the_others() -> None:
    state, flat = table("B2vC4 Y2vE4 B3hC4"), placement("5hA1")
    changes = [piece.id for piece in ghost(state, flat, state.child(flat), SPECTATOR).changes]
    assert "reflection:B0" in pieces(state)
    assert not [id for id in changes if id.startswith("reflection:")]
