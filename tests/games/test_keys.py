"""The key to the board: every entry shows a part of a picture that exists, and says what it means."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from ludotheque import game_class
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
