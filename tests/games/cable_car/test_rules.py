"""The rules of the base game of Cable Car, one after the other."""

from __future__ import annotations

import pytest

from ludotheque.core.bits import popcount
from ludotheque.core.game import CHANCE, TERMINAL
from ludotheque.errors import IllegalMove
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observation import cell_name
from ludotheque.games.cable_car.observe import line
from tests.games.cable_car.positions import cells_of, game, legal, play, position, seen

pytestmark = pytest.mark.both

EDGE_CELLS = {cell_name(cell) for cell in range(60) if board.PLACE_OF_CELL[cell][0] in (0, 7)} | {
    cell_name(cell) for cell in range(60) if board.PLACE_OF_CELL[cell][1] in (0, 7)
}


# Set-up.


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("hand", [1, 2, 3])
def test_everyone_draws_a_hand_seat_by_seat_and_seat_1_starts(players: int, hand: int) -> None:
    state = game(players, hand=hand).new_initial_state()
    for deal in range(players * hand):
        assert state.current_player() == CHANCE
        assert state.seat == deal // hand
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 0
    assert [popcount(tiles) for tiles in state.hands] == [hand] * players
    assert state.left == 60 - players * hand


def test_seat_k_plays_the_kth_colour_of_the_table() -> None:
    state = game(4).new_initial_state()
    assert state.owners[4 - 1] == 0, "yellow"
    assert state.owners[3 - 1] == 1, "blue"
    assert state.owners[1 - 1] == 2, "orange"
    assert state.owners[2 - 1] == 3, "green"


def test_drawing_a_tile_is_as_likely_as_its_copies() -> None:
    chances = dict(game().new_initial_state().chance_outcomes())
    assert chances[board.TYPE_OF_CODE["aaaa"]] == 4 / 60
    assert chances[board.TYPE_OF_CODE["dddd"]] == 2 / 60


# A turn.


def test_after_placing_from_the_hand_one_is_drawn_while_the_pile_lasts() -> None:
    state = play(position(hands="aaaa|acba"), "aaaa A1")
    assert state.current_player() == CHANCE
    play(state, "bbbb")
    assert state.current_player() == 1
    assert cells_of(play(state, "acba H8", "cccc"), "bbbb"), "seat 1 holds what it drew"


def test_a_larger_hand_is_refilled_after_every_placement() -> None:
    state = play(position(hands="aaaa,bbbb|acba,cccc", hand=2), "aaaa A1")
    assert state.current_player() == CHANCE, "the hand still holds a tile, and another is drawn"
    play(state, "dddd")
    assert popcount(state.hands[0]) == 2


def test_a_drawn_tile_must_be_placed_and_the_hand_is_kept() -> None:
    state = play(position(hands="aaaa|acba"), "draw", "bbbb")
    assert state.current_player() == 0
    assert {move.split()[0] for move in legal(state)} == {"bbbb"}
    play(state, "bbbb B1")
    assert state.current_player() == 1, "nothing is drawn after draw-and-place"
    play(state, "acba H8", "cccc")
    assert cells_of(state, "aaaa")


@pytest.mark.parametrize("hand", [2, 3])
def test_nothing_is_drawn_after_draw_and_place_with_larger_hands(hand: int) -> None:
    hands = "|".join([",".join(["aaaa", "bbbb", "cccc"][:hand]), ",".join(["acba", "baac", "cbaa"][:hand])])
    state = play(position(hands=hands, hand=hand), "draw", "adbb", "adbb B1")
    assert state.current_player() == 1
    assert popcount(state.hands[0]) == hand


@pytest.mark.parametrize("hand", [2, 3])
def test_any_tile_of_a_larger_hand_may_be_placed(hand: int) -> None:
    hands = "|".join([",".join(["aaaa", "bbbb", "cccc"][:hand]), ",".join(["acba", "baac", "cbaa"][:hand])])
    moves = legal(position(hands=hands, hand=hand))
    assert {move.split()[0] for move in moves} == {"draw", *["aaaa", "bbbb", "cccc"][:hand]}


def test_the_rest_of_a_larger_hand_stays_and_one_tile_is_drawn_to_it() -> None:
    state = play(position(hands="aaaa,bbbb,bbbb|acba,baac,cbaa", hand=3), "bbbb B1")
    assert seen(state, 0).hands[0] == ("aaaa", "bbbb")
    play(state, "dddd")
    assert seen(state, 0).hands[0] == ("aaaa", "bbbb", "dddd")


def test_equal_tiles_in_a_hand_are_one_move() -> None:
    moves = legal(position(hands="aaaa,aaaa|acba,baac", hand=2))
    assert len(moves) == len(set(moves)) == len(cells_of(position(hands="aaaa|acba"), "aaaa")) + 1


def full_board_but(*free: str) -> dict[str, str]:
    """All tiles on the board, in the order of the box, but for some cells."""
    cells = [cell_name(cell) for cell in range(60) if cell_name(cell) not in free]
    codes = [board.CODES[tile] for tile in board.TYPE_OF_TILE]
    return dict(zip(cells, codes, strict=False))


def test_nobody_draws_from_an_empty_pile() -> None:
    state = position(full_board_but("D3", "E3"), hands="dddd|dddd")
    assert state.left == 0
    assert "draw" not in legal(state)
    with pytest.raises(IllegalMove, match="pile is empty"):
        state.string_to_action("draw")
    play(state, "dddd D3")
    assert state.current_player() == 1, "nothing is drawn after placing"
    play(state, "dddd E3")
    assert state.current_player() == TERMINAL


def test_a_player_whose_lines_are_all_finished_goes_on_placing() -> None:
    tiles = full_board_but("D3", "E3")
    state = position(tiles, players=6, hands="dddd|dddd|-|-|-|-")
    waiting = {state.owners[station] for station in range(32) if not line(state, station).is_finished}
    finished = min(set(range(6)) - waiting)
    hands = ["-"] * 6
    hands[finished] = hands[finished - 1] = "dddd"
    state = position(tiles, players=6, hands="|".join(hands), turn=str(finished + 1))
    assert legal(state) == ["dddd D3", "dddd E3"]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_player_places_as_many_tiles(players: int) -> None:
    state = game(players).new_initial_state()
    placed = [0] * players
    while not state.is_terminal():
        seat, chance = state.seat, state.is_chance_node()
        action = state.legal_actions()[-1 if chance else 0]
        placed[seat] += not chance
        state.apply_action(action)
    assert placed == [60 // players] * players


# Placement.


def test_a_tile_lies_at_the_edge_or_next_to_a_tile() -> None:
    assert cells_of(position(hands="adad|acba"), "adad") <= EDGE_CELLS
    state = position({"B1": "aaaa"}, hands="acba|baac")
    assert "B2" in cells_of(state, "acba")
    assert "C2" not in cells_of(state, "acba")


def test_touching_only_the_power_station_is_not_enough() -> None:
    assert not {"D3", "C4", "F5", "E6"} & cells_of(position(hands="aaaa|acba"), "aaaa")


def test_a_cell_holds_one_tile() -> None:
    state = position({"B1": "aaaa"}, hands="acba|baac")
    with pytest.raises(IllegalMove, match="B1 is taken"):
        state.string_to_action("acba B1")


@pytest.mark.parametrize(
    ("tile", "side"),
    [("dacc", "B1 C1 D1 E1 F1 G1"), ("adbb", "H2 H3 H4 H5 H6 H7"), ("badb", "B8 C8 D8 E8 F8 G8"), ("accd", "A2 A3 A4")],
)
def test_no_tile_leads_a_station_back_to_itself(tile: str, side: str) -> None:
    assert not set(side.split()) & cells_of(position(hands=f"{tile}|acba"), tile)


@pytest.mark.parametrize(
    ("tile", "corner"),
    [
        ("cbaa", "A1"), ("aacb", "A1"),  # 0-7 and 6-1
        ("baac", "H1"), ("acba", "H1"),  # 0-3 and 2-1
        ("cbaa", "H8"), ("aacb", "H8"),  # 2-5 and 4-3
        ("acba", "A8"), ("baac", "A8"),  # 4-7 and 6-5
    ],
)  # fmt: skip
def test_no_tile_joins_the_two_stations_of_a_corner(tile: str, corner: str) -> None:
    assert corner not in cells_of(position(hands=f"{tile}|bcbc"), tile)


def test_the_one_tile_rule_counts_for_stations_without_a_car() -> None:
    assert "H8" not in cells_of(position(hands="cbaa|acba|bcbc", players=3), "cbaa"), "stations 16 and 17"


def test_dddd_as_the_very_first_tile_may_lie_anywhere_at_the_edge() -> None:
    assert cells_of(position(hands="dddd|acba"), "dddd") == EDGE_CELLS


def test_the_exception_ends_when_the_tile_has_another_placement() -> None:
    state = position({"B1": "aaaa"}, hands="dddd|acba")
    assert cells_of(state, "dddd") == {"B2"}


def test_the_exception_looks_at_this_tile_alone() -> None:
    state = position(hands="aaaa,dddd|acba,baac", hand=2)
    assert cells_of(state, "dddd") == EDGE_CELLS, "although aaaa could be placed, or another tile drawn"


def test_with_rotation_the_exception_needs_every_turn_to_fail() -> None:
    """Unturned it would lead stations 2 and 3 back to themselves, and these are the last free cells."""
    codes = [board.CODES[tile] for tile in board.TYPE_OF_TILE]
    codes.remove("dacc")
    codes.remove("aaaa")
    cells = [cell_name(cell) for cell in range(60) if cell_name(cell) not in ("B1", "C1")]
    tiles = dict(zip(cells, codes, strict=True))
    assert cells_of(position(tiles, hands="dacc|aaaa"), "dacc") == {"B1", "C1"}, "without rotation it has no other way"
    assert legal(position(tiles, hands="dacc|aaaa", rotation=True)) == [
        "dacc+1 B1", "dacc+1 C1", "dacc+2 B1", "dacc+2 C1", "dacc+3 B1", "dacc+3 C1",
    ]  # fmt: skip


def test_with_rotation_dddd_as_the_first_tile_may_lie_anywhere_at_the_edge() -> None:
    state = position(hands="dddd|acba", rotation=True)
    assert cells_of(state, "dddd") == EDGE_CELLS
    assert not cells_of(state, "dddd+1"), "its turns give the same tracks"


def test_with_rotation_a_tile_is_listed_once_for_each_way_it_can_lie() -> None:
    state = position({"B1": "aaaa"}, hands="acba,adad|baac,bbbb", rotation=True, hand=2)
    moves = legal(state)
    assert {move.split()[0] for move in moves if move.endswith("B2")} == {
        "acba", "acba+1", "acba+2", "acba+3", "adad", "adad+1",
    }  # fmt: skip


def test_without_rotation_tiles_are_not_turned() -> None:
    with pytest.raises(IllegalMove, match="not turned"):
        position(hands="acba|baac").string_to_action("acba+1 B1")


def test_a_turned_tile_makes_the_tracks_of_its_turn() -> None:
    turned = position({"B1": "aacb+1"}, rotation=True, hands="acba|baac")
    straight = position({"B1": "baac"}, rotation=True, hands="acba|aaaa")
    assert list(turned.stretches) == list(straight.stretches)


# Scoring.

THREE_CROSSINGS = {"A1": "aaaa", "A2": "dacc"}
TWO_TILES = {"A1": "aaaa", "A2": "cccc"}
FIVE_TILES_TO_POWER = {"C1": "aaaa", "C2": "baac", "D2": "aaaa", "E2": "baac", "E3": "aaaa"}


def test_example_a_tile_used_twice_counts_twice() -> None:
    state = position(THREE_CROSSINGS)
    first = line(state, 0)
    assert (first.run, first.points) == (3, 3)


def test_a_line_may_end_at_its_own_station() -> None:
    assert line(position(THREE_CROSSINGS), 0).end == 1


def test_example_a_line_of_two_tiles_scores_2() -> None:
    state = position(TWO_TILES)
    assert line(state, 0).end == 31
    assert state.scores() == [2, 0]


def test_example_five_tiles_into_the_power_station_score_10() -> None:
    state = position(FIVE_TILES_TO_POWER)
    third = line(state, 2)
    assert (third.run, third.end, third.points) == (5, 0, 10)
    assert state.scores() == [10, 0], "station 3 is yellow's; the printed tracks count nothing"


@pytest.mark.parametrize(
    ("station", "way"),
    [
        (4, "D1 D2 D3"), (5, "E1 E2 E3"), (12, "H4 G4 F4"), (13, "H5 G5 F5"),
        (20, "E8 E7 E6"), (21, "D8 D7 D6"), (28, "A5 B5 C5"), (29, "A4 B4 C4"),
    ],
)  # fmt: skip
def test_each_of_the_eight_tracks_into_the_power_station_doubles(station: int, way: str) -> None:
    state = position(dict.fromkeys(way.split(), "aaaa"))
    straight = line(state, station - 1)
    assert (straight.run, straight.end, straight.points) == (3, 0, 6)
    assert sorted(state.scores()) == [0, 6]


def test_a_line_is_scored_at_once_for_the_owner_of_the_car() -> None:
    state = position({"A1": "aaaa"}, turn="2", hands="acba|cccc")
    play(state, "cccc A2")
    assert state.scores() == [2, 0], "laid by seat 2 and scored for seat 1"


def test_several_lines_may_finish_with_one_tile() -> None:
    before = position({"A1": "aaaa", "B1": "aaaa", "B2": "cbaa"}, hands="cccc|acba")
    assert before.scores() == [0, 0]
    after = play(before, "cccc A2")
    assert (line(after, 0).end, line(after, 0).points) == (31, 2)
    assert (line(after, 1).end, line(after, 1).points) == (1, 4)
    assert after.scores() == [2, 4]


def test_a_stretch_laid_before_its_line_arrives_counts_in_full() -> None:
    grown = play(position({"A1": "aaaa"}, hands="dacc|acba"), "dacc A2")
    assert grown.scores() == position(THREE_CROSSINGS).scores()
    backwards = play(position({"B1": "aaaa", "B2": "aaaa", "A2": "cccc"}, hands="aaaa|acba"), "aaaa A1")
    assert line(backwards, 0).run == 2


def test_an_open_line_scores_nothing_and_knows_its_length() -> None:
    state = position({"B1": "aaaa", "B2": "aaaa"})
    second = line(state, 1)
    assert (second.run, second.end) == (2, -1)
    assert state.scores() == [0, 0]


# The end.


def test_most_points_wins() -> None:
    state = play(position(full_board_but("D3", "E3"), hands="dddd|dddd"), "dddd D3", "dddd E3")
    scores = state.scores()
    assert scores[0] != scores[1]
    assert state.returns() == ([1.0, 0.0] if scores[0] > scores[1] else [0.0, 1.0])


def test_ties_share_the_win() -> None:
    state = play(position(full_board_but("D3", "E3"), hands="dddd|dddd"), "dddd D3", "dddd E3")
    for seat in (0, 1):
        state.points[seat] = 80
    assert state.returns() == [0.5, 0.5]


def test_nobody_has_won_before_the_end() -> None:
    assert position(TWO_TILES).returns() == [0.0, 0.0]
