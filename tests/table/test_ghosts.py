"""Moves drawn on the board as ghosts: what a move puts there, as each viewer may know it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from librt.random import Random

from ludotheque import CHANCE, SPECTATOR, load_game
from ludotheque.core.game import Game
from ludotheque.core.ghosts import expected_ghost, ghost
from ludotheque.core.scene import Scene
from ludotheque.games.cable_car import CableCar
from ludotheque.table import Match
from tests.ours import OURS
from tests.table.matches import random_match, twins, viewers


def ids(match: Match, viewer: int = SPECTATOR, ply: int | None = None) -> list[str]:
    """The ids of the pieces of a ghost, of the latest ply unless another is asked for."""
    return [piece.id for piece in match.viewing.ghost(viewer, match.ply if ply is None else ply).pieces]


@pytest.mark.parametrize("name", OURS)
def test_the_decider_of_almost_every_move_gets_a_ghost_of_it(name: str) -> None:
    """Passing and declining leave nothing on the board."""
    match = random_match(load_game(name), 3)
    decided = [(ply, who) for ply, (who, _) in enumerate(match.actions(), 1) if who != CHANCE]
    drawn = [ply for ply, who in decided if match.viewing.ghost(who, ply).pieces]
    assert len(drawn) > 0.6 * len(decided)


@pytest.mark.parametrize("name", OURS)
def test_a_draw_has_no_ghost(name: str) -> None:
    match = random_match(load_game(name), 3, plies=30)
    assert not [ply for ply, (who, _) in enumerate(match.actions(), 1) if who == CHANCE and ids(match, ply=ply)]


def cable_car(*moves: str) -> Match:
    match = Match(load_game("cable-car", 2))
    for who, move in ((CHANCE, "aaaa"), (CHANCE, "cccc"), (0, "draw"), (CHANCE, "bbad")):
        match.add(who, move)
    for move in moves:
        match.add(0, move)
    return match


def test_a_tile_of_cable_car_is_drawn_with_the_lines_that_it_lengthens() -> None:
    drawn = cable_car("bbad B1").viewing.ghost(1, 5)
    assert [piece.id for piece in drawn.pieces] == ["tile:B1"]
    assert {piece.id.partition(":")[0] for piece in drawn.changes} <= {"line", "own-line", "car"}
    assert "line:2" in {piece.id for piece in drawn.changes}


def test_what_a_move_of_chicago_express_is_about_is_pointed_at() -> None:
    match = Match(load_game("chicago-express", 3))
    match.play(0, "bid 7")
    assert ids(match) == ["income:PRR"]
    while match.to_move >= 0 and "choose" not in str(match.view().observation.stage):  # type: ignore[attr-defined]
        match.play(match.to_move, match._timeline.present.legal_actions()[0])
    match.play(match.to_move, "expand")
    assert ids(match) == ["dial:expansion"]


def pays_noir() -> Match:
    match = Match(load_game("pays-noir", 2))
    for card in ["straight", "junction", "crossing", "mine_end", "port_end", "terminus", "curve"]:
        match.add(CHANCE, card)
    return match


def test_the_card_that_another_player_chooses_is_not_pointed_at() -> None:
    match = pays_noir()
    match.add(0, "curve")
    assert ids(match, 0)[0].startswith("hand:")
    assert ids(match, 1) == ids(match, SPECTATOR) == []


def test_the_ghosts_of_a_board_that_has_grown_stay_at_their_places() -> None:
    """Far to the west, the board gets a new column at its left: all that lies moves right."""
    match = random_match(load_game("pays-noir", 2), 5, plies=120)
    scene = match.game.scene(match.view(SPECTATOR).observation)
    places = {piece.id: (piece.x, piece.y) for piece in scene.pieces}
    moved = 0
    for ply in range(1, match.ply + 1):
        for piece in match.viewing.ghost(SPECTATOR, ply).pieces:
            if piece.id.startswith(("card:", "member:")) and piece.id in places:
                assert (piece.x, piece.y) == pytest.approx(places[piece.id]), f"ply {ply}: {piece.id}"
                moved += 1
    assert moved > 10


def test_the_board_of_each_position_is_built_once_for_several_ghosts(monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_match(load_game("cable-car", 2), 5, plies=40)
    plies = [ply for ply, who in enumerate(match.movers, 1) if who != CHANCE]
    expected = [match.viewing.ghost(SPECTATOR, ply, 40) for ply in plies]
    built: list[object] = []
    scene = match.game.scene

    def counted(self: CableCar, observation: Any) -> Scene:
        built.append(observation)
        return scene(observation)

    monkeypatch.setattr(CableCar, "scene", counted)
    copy = Match(match.game, match.names, None, [action for _, action in match.actions()])
    assert [move.ghost for move in copy.viewing.moves(SPECTATOR, plies, 40)] == expected
    assert len(built) == len({40}.union(plies, (ply - 1 for ply in plies)))


def ghost_bytes(match: Match, viewer: int) -> list[bytes]:
    return [msgspec.json.encode(match.viewing.ghost(viewer, ply)) for ply in range(1, match.ply + 1)]


@pytest.mark.parametrize("game", [load_game("cable-car", 3), load_game("cable-car", 3, companies=True),
                                  load_game("pays-noir", 2)])  # fmt: skip
def test_another_hidden_draw_changes_no_ghost(game: Game) -> None:
    match = random_match(game, 4, plies=40)
    found = 0
    for viewer in viewers(match):
        seen = ghost_bytes(match, viewer)
        for twin in twins(match, viewer, attempts=4):
            assert ghost_bytes(twin, viewer) == seen
            found += 1
    assert found > 0


def test_ghosts_that_depend_on_what_is_hidden_agree_only_in_part() -> None:
    match = cable_car("bbad B1")
    whole = match.viewing.ghost(0, 5)
    assert whole.agreeing(whole) == whole
    other = cable_car("bbad C1").viewing.ghost(0, 5)
    assert not whole.agreeing(other).pieces


def test_a_ghost_is_of_one_position_and_does_not_change_it() -> None:
    state = cable_car()._timeline.present
    before = state.position()
    after = state.clone()
    after.apply_action(state.legal_actions()[0])
    assert ghost(state, state.legal_actions()[0], after, 0).pieces
    assert state.position() == before


def test_the_last_turn_of_a_seat_begins_with_its_latest_own_move() -> None:
    match = Match(load_game("cable-car", 2))
    for tile in ("aaaa", "cccc"):
        match.add(CHANCE, tile)
    assert match.viewing.last_turn(0) == match.viewing.last_turn(1) == 0
    match.add(0, "aaaa B1")
    match.add(CHANCE, "bbad")
    assert (match.viewing.last_turn(0), match.viewing.last_turn(1)) == (2, 0)
    match.add(1, "cccc A2")
    match.add(CHANCE, "bbbb")
    assert (match.viewing.last_turn(0), match.viewing.last_turn(1)) == (2, 4)


@pytest.mark.parametrize("name", OURS)
def test_what_a_move_would_do_is_drawn_on_the_scene_that_the_viewer_has_already(name: str) -> None:
    for plies in (10, 25, 40):
        match = random_match(load_game(name, 2), 3, plies)
        seat = match.to_move
        positions = match.possible_positions(seat, seed=1)
        for action in match.resampled(seat, Random(1)).legal_actions()[:5]:
            drawn = expected_ghost(positions, action, seat, match.viewing.scene(seat))
            assert drawn == expected_ghost(positions, action, seat)
