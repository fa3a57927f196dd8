"""Colours of players and companies: one palette, and letters in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludotheque
from ludotheque import Phrase, Scene, ScoreTable, phrase
from ludotheque.core.colours import (
    PALETTE,
    SEAT_COLOURS,
    Mark,
    colour_mark,
    colour_name,
    drawn_letter,
    letter_of,
    seat_letter,
    translate_letters,
)
from ludotheque.show.language import translator

_RULE = re.compile(r"\.colour-(\w+) \{\s*background: (#\w{6});\s*color: (#\w{6});\s*\}")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_pages_have_the_same_palette() -> None:
    tokens = Path(ludotheque.__file__).with_name("web") / "static/styles/tokens.css"
    assert {name: (fill, ink) for name, fill, ink in _RULE.findall(tokens.read_text())} == PALETTE


@pytest.mark.parametrize("name", PALETTE)
def test_a_letter_can_be_read_on_its_colour(name: str) -> None:
    light, dark = sorted(map(luminance, PALETTE[name]), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize(
    "colours",
    [
        ("yellow", "blue", "orange", "green", "purple", "black", "red", "brown"),
        ("blue", "red", "yellow", "green", "violet"),
    ],
)
def test_the_letters_of_a_game_differ_in_every_language(language: str, colours: tuple[str, ...]) -> None:
    letters = {letter_of(colour).render(translator(language)) for colour in colours}
    assert len(letters) == len(colours)


def test_a_letter_on_a_picture_follows_the_language() -> None:
    picture = f'<symbol id="car">{drawn_letter("yellow", "letter", 5)}</symbol>'
    assert ">Y</text>" in picture
    assert ">J</text>" in translate_letters(picture, translator("fr"))


def test_every_colour_of_the_palette_has_a_name() -> None:
    assert [str(colour_name(colour)) for colour in PALETTE] == [*PALETTE]
    assert str(colour_name("mint")) == "mint"


def test_a_seat_is_marked_by_its_letter_or_its_number() -> None:
    assert [str(seat_letter(colour, 1)) for colour in ("red", "teal")] == ["R", "2"]


def test_seats_without_a_colour_have_six_that_no_company_has() -> None:
    assert len(set(SEAT_COLOURS)) == 6
    with pytest.raises(KeyError):
        letter_of(SEAT_COLOURS[0])


def test_a_table_draws_its_marks_in_an_exported_picture() -> None:
    row = ((colour_mark("red", phrase("Ann")),), (Mark("blue", "B", 2), Mark("green", "N", 1)), 7)
    table = ScoreTable(phrase("Players"), (Phrase("Seat"), Phrase("Shares"), Phrase("Points")), (row,))
    drawn = Scene(title=phrase("Test"), width=10, height=10, pieces=(), tables=(table,)).to_svg("")
    for fill, ink in (PALETTE["red"], PALETTE["blue"], PALETTE["green"]):
        assert f'fill="{fill}"' in drawn
        assert f"fill:{ink}" in drawn
    words = re.findall(r"<text[^>]*>(\w+)</text>", drawn)
    assert words[-7:] == ["R", "Ann", "7", "B", "2", "N", "1"]
