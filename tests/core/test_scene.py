"""Pictures: pieces over a backdrop, as SVG."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from ludotheque import Piece, Scene, ScoreTable, phrase
from ludotheque.core.scene import art

NASTY = '<b> & "x"'
SVG = "{http://www.w3.org/2000/svg}"


def scene(*tables: ScoreTable) -> Scene:
    pieces = (
        Piece(id="car", symbol="car", x=3, y=4.5, turn=90, classes="mine", step="cell:A1", label=phrase(NASTY)),
        Piece(id="line", path="M0,0H9"),
        Piece(id="text", text=NASTY),
    )
    return Scene(title=phrase(NASTY), width=100, height=50, pieces=pieces, tables=tables)


def test_pieces_lie_over_the_backdrop_in_their_order() -> None:
    root = ET.fromstring(scene().to_svg('<symbol id="car"/>'))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("id")]
    assert [group.get("id") for group in groups] == ["car", "line", "text"]
    assert groups[0].get("transform") == "translate(3 4.5) rotate(90)"
    assert (groups[0].get("class"), groups[0].get("data-step")) == ("mine", "cell:A1")
    assert root.find(f"{SVG}symbol") is not None


def test_words_in_a_picture_are_never_markup() -> None:
    table = ScoreTable(phrase(NASTY), (phrase("Seat"), phrase("Points")), ((NASTY, 7),))
    root = ET.fromstring(scene(table).to_svg(""))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == [NASTY, NASTY, "Seat", "Points", NASTY, "7"]
    assert root.get("aria-label") == NASTY


def test_art_is_what_is_inside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "art.svg"
    file.write_text('<?xml version="1.0"?>\n<svg width="1">\n<g/>\n</svg>\n')
    assert art(file) == "<g/>"
