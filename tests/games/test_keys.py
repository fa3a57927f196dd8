"""The key to the board: every entry shows a part of a picture that exists, and says what it means."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from ludotheque import SPECTATOR, game_class
from ludotheque.core.registry import rules_pictures
from ludotheque.show.art import key_picture
from tests.ours import OURS


@pytest.mark.parametrize("name", OURS)
def test_every_game_has_a_key_to_its_board(name: str) -> None:
    key = game_class(name).key()
    assert len(key) >= 4
    for number in range(len(key)):
        root = ET.fromstring(key_picture(name, number, "en"))
        left, top, width, height = map(float, (root.get("viewBox") or "").split())
        assert left + width > 0
        assert top + height > 0
        assert width == height < 450
    assert key_picture(name, len(key), "en") == ""


def test_the_sites_in_the_key_of_pays_noir_are_upright_and_nobody_stands_on_them() -> None:
    kind = game_class("pays-noir")
    shown = rules_pictures(kind)["table"]
    game = kind(shown.players, shown.settings)
    pieces = game.scene(game.observe(game.read_position(shown.position), SPECTATOR)).pieces
    around = {entry.around for entry in kind.key() if entry.around.startswith("card:")}
    assert {piece.turn for piece in pieces if piece.id in around} == {0}
    members = {piece.id.removeprefix("member:") for piece in pieces if piece.id.startswith("member:")}
    assert not members & {id.removeprefix("card:") for id in around}
