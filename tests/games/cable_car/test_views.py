"""What each viewer sees of the tiles."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ludotheque.core.game import SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.core.scene import Scene
from ludotheque.games.cable_car import board, observe, scene
from ludotheque.games.cable_car.rules import CableCarState
from ludotheque.table import Match
from tests.games.cable_car.positions import game, play, position, seen
from tests.table.matches import random_match

pytestmark = pytest.mark.both


def test_a_hand_is_seen_by_its_player_only() -> None:
    state = position(hands="aaaa|acba")
    assert seen(state, 0).hands == (("aaaa",), (HIDDEN,))
    assert seen(state, 1).hands == ((HIDDEN,), ("acba",))
    assert seen(state, SPECTATOR).hands == ((HIDDEN,), (HIDDEN,))


@pytest.mark.parametrize("companies", [False, True])
def test_the_tile_that_must_be_laid_is_framed_and_the_others_are_dimmed(companies: bool) -> None:
    state = position(hands="aaaa|acba", companies=companies)
    assert framed_and_dimmed(state) == ([], [])
    play(state, "draw", "bbbb")
    assert framed_and_dimmed(state) == (["drawn"], ["hand:0"])


def framed_and_dimmed(state: CableCarState) -> tuple[list[str], list[str]]:
    """The tiles of the tray with a frame around them, and those that step back."""
    tray = [piece for piece in scene.scene(seen(state, 0)).pieces if piece.in_tray]
    frames = [(piece.x, piece.y) for piece in tray if "drawn-frame" in piece.classes]
    framed = [piece.id for piece in tray if piece.symbol.startswith("tile-") and (piece.x, piece.y) in frames]
    return framed, [piece.id for piece in tray if "kept" in piece.classes]


def test_sizes_of_hands_and_pile_are_open() -> None:
    view = seen(position(hands="aaaa,bbbb|acba,cccc", hand=2), SPECTATOR)
    assert view.hands == ((HIDDEN, HIDDEN), (HIDDEN, HIDDEN))
    assert view.pile == 56


def test_a_tile_drawn_to_be_placed_is_seen_only_by_its_player_until_it_lies() -> None:
    state = play(position(hands="aaaa|acba"), "draw", "bbbb")
    assert seen(state, 0).drawn == "bbbb"
    assert seen(state, 1).drawn == HIDDEN
    play(state, "bbbb B1")
    assert seen(state, 1).tiles[1] == "bbbb"
    assert seen(state, 1).drawn == ""


def test_dealt_and_refilled_tiles_are_seen_by_their_player_only() -> None:
    state = game(2).new_initial_state()
    aaaa = board.TYPE_OF_CODE["aaaa"]
    assert [state.game.sees(state, aaaa, viewer) for viewer in (0, 1, SPECTATOR)] == [True, False, False]
    state = play(position(hands="aaaa|acba"), "aaaa B1")
    assert [state.game.sees(state, aaaa, viewer) for viewer in (0, 1, SPECTATOR)] == [True, False, False]


def test_what_players_do_is_open_to_all() -> None:
    state = position(hands="aaaa|acba")
    assert all(state.game.sees(state, action, SPECTATOR) for action in state.legal_actions())


def test_a_move_number_says_nothing_about_the_rest_of_the_hand() -> None:
    one = position(hands="aaaa,bbbb|acba,baac", hand=2)
    other = position(hands="bbbb,dddd|acba,baac", hand=2)
    assert one.string_to_action("bbbb B1") == other.string_to_action("bbbb B1")


def test_the_text_of_an_observation_draws_the_board() -> None:
    text = str(seen(position({"B1": "aaaa"}, hands="acba|baac"), 0))
    assert "aaaa*" in text
    assert "> Seat 1, yellow, 0 points, tiles acba" in text
    assert "Seat 2, blue, 0 points, tiles ?" in text
    assert "Pile: 57" in text


def test_the_picture_shows_what_the_viewer_may_see() -> None:
    state = position({"A1": "aaaa", "A2": "cccc"}, hands="acba|baac")
    scene = state.game.scene(seen(state, 0))
    pieces = {piece.id: piece for piece in scene.pieces}
    assert pieces["hand:0"].step == "tile:acba"
    assert "finished" in pieces["line:1"].classes
    assert pieces["car:1"].turn == 90, "its line has been scored"
    assert pieces["car:2"].turn == 0
    assert (pieces["last"].x, pieces["last"].y) == (pieces["tile:A2"].x, pieces["tile:A2"].y)
    spectator = state.game.svg(seen(state, SPECTATOR))
    assert 'id="hand:0"' in spectator
    assert 'data-step="tile:acba"' not in spectator


def test_the_lines_of_the_position_before_are_taken_over_and_the_picture_is_the_same() -> None:
    for kind, number in ((game(2), 1), (game(4, rotation=True), 2), (game(5, companies=True), 3)):
        match = random_match(kind, number)
        in_turn = [picture(match, ply) for ply in range(match.ply + 1)]
        for ply, drawn in enumerate(in_turn):
            scene._DRAWN.clear()
            observe._BOARDS.clear()
            assert picture(match, ply) == drawn


def test_a_finished_board_is_not_remembered() -> None:
    scene._DRAWN.clear()
    match = random_match(game(2), 1)
    for ply in range(match.ply + 1):
        picture(match, ply)
    assert not scene._DRAWN


def picture(match: Match, ply: int) -> Scene:
    """The picture of a ply for a spectator."""
    observation: Any = match.view(at=ply).observation
    return match.game.scene(observation)


# What stands out.


def pieces_of(state: Any, viewer: int) -> dict[str, str]:
    return {piece.id: piece.classes for piece in scene.scene(seen(state, viewer)).pieces}


@pytest.mark.parametrize("code", board.CODES)
def test_the_house_of_a_tile_stands_between_its_tracks(code: str) -> None:
    drawn = scene.backdrop().partition(f'id="tile-{code}"')[2].partition("</symbol>")[0]
    x, y, scale = (float(number) for number in re.findall(r"translate\((\S+) (\S+)\) scale\((\S+)\)", drawn)[0])
    rails = re.findall(r'class="cc-rails" d="M(\S+)C(\S+) (\S+) (\S+)"', drawn)
    assert len(rails) == 4
    for across, down in (point for track in rails for point in along(track)):
        beside = abs(across - x) > 7 * scale + RAILS
        assert beside or not y - 9 * scale - RAILS < down < y + 8 * scale + RAILS


RAILS = 2.6
"""Half the width of a track."""


def along(track: tuple[str, ...]) -> list[list[float]]:
    """Points of a cubic curve."""
    ends = [[float(number) for number in place.split(",")] for place in track]
    weights = [
        ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (step / 32 for step in range(33))
    ]
    return [[sum(w * end[axis] for w, end in zip(weight, ends, strict=True)) for axis in (0, 1)] for weight in weights]


def test_a_line_stands_out_from_the_tile_that_finishes_it_to_the_next_one() -> None:
    state = play(position({"A1": "aaaa"}, hands="cccc|acba"), "cccc A2")
    assert pieces_of(state, SPECTATOR)["fresh:1"] == "fresh own-yellow arrived"
    play(state, "bbbb", "acba B1")
    later = pieces_of(state, SPECTATOR)
    assert not [id for id in later if id.startswith("fresh:1")]
    assert "line:1" in later


def test_the_power_station_glows_when_a_line_has_just_ended_there() -> None:
    tiles = {"D1": "aaaa", "D2": "aaaa", "D3": "aaaa"}
    assert "glow" in pieces_of(position(tiles), SPECTATOR)
    assert "glow" not in pieces_of(position(tiles | {"H8": "aaaa"}), SPECTATOR)


def test_the_power_station_says_what_a_line_earns_there_and_which_have_ended_in_it() -> None:
    earns = "The power station: a line that ends here earns 2 points for each tile, elsewhere 1."
    assert label_of("power", position()) == earns
    tiles = {"D1": "aaaa", "D2": "aaaa", "D3": "aaaa"}
    assert label_of("power", position(tiles)) == f"{earns} Lines that ended here: 4."


def label_of(id: str, state: CableCarState) -> str:
    return next(str(piece.label) for piece in scene.scene(seen(state, SPECTATOR)).pieces if piece.id == id)


def test_the_viewer_s_open_lines_and_cars_are_marked() -> None:
    state = position({"A1": "aaaa"})
    mine = pieces_of(state, 0)
    assert mine["own-line:1"] == "own-line own-yellow"
    assert {id for id in mine if id.startswith("own-car:")} == {
        f"own-car:{line.station}" for line in seen(state, 0).lines if line.owner == 0 and not line.is_finished
    }
    assert not [id for id in pieces_of(state, SPECTATOR) if id.startswith("own-")]
    assert "own-line:1" not in pieces_of(state, 1)
