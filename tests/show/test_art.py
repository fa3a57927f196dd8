"""The pictures of the lobby."""

from __future__ import annotations

import re

import pytest

from ludotheque import load_game
from ludotheque.show.art import lobby_picture
from tests.ours import OURS


@pytest.mark.parametrize("name", [name for name in OURS if name != "pays-noir"])  # whose board grows
def test_the_picture_of_a_game_shows_its_board_alone(name: str) -> None:
    game = load_game(name)
    scene = game.scene(game.observe(game.new_initial_state(), 0))
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', lobby_picture(name))
    assert size
    assert (float(size[1]), float(size[2])) == (scene.width, scene.height), "no tray below the board, no tables beside"


def test_the_picture_of_passerelles_shows_an_enclosed_area() -> None:
    assert 'class="area ' in lobby_picture("passerelles")


def test_a_variant_has_its_own_picture() -> None:
    assert 'href="#car-brown"' in lobby_picture("cable-car", "companies")
    assert 'href="#car-brown"' not in lobby_picture("cable-car")
