"""Each colour has a letter in every language, and no two colours of a game share one."""

from __future__ import annotations

import pytest

from ludotheque.core.colours import SEAT_COLOURS, colour_letter, colour_name, letter_svg, translate_letters
from ludotheque.core.registry import game_class
from ludotheque.games.cable_car import board
from ludotheque.show.language import LANGUAGES, translator
from tests.ours import OURS


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_colours_of_a_game_share_a_letter(language: str) -> None:
    sets = [SEAT_COLOURS, board.COLOURS]
    sets += [game_class(name)(game_class(name).max_players).seat_colours() for name in OURS]
    for colours in sets:
        letters = [colour_letter(colour).render(translator(language)) for colour in colours]
        assert all(len(letter) == 1 for letter in letters)
        assert len(set(letters)) == len(letters), (language, letters)


def test_a_letter_is_in_the_name_of_its_colour() -> None:
    for language in LANGUAGES:
        translate = translator(language)
        for colour in (*SEAT_COLOURS, *board.COLOURS, "violet"):
            name = colour_name(colour).render(translate).upper().replace("É", "E")
            assert colour_letter(colour).render(translate) in name


def test_a_game_of_another_package_may_have_other_colours() -> None:
    assert (str(colour_name("mint")), str(colour_letter("mint"))) == ("mint", "M")


def test_letters_in_a_picture_are_translated() -> None:
    svg = letter_svg("yellow", 'class="x"')
    assert svg == '<text data-letter="yellow" class="x">Y</text>'
    assert translate_letters(svg, translator("fr")) == '<text data-letter="yellow" class="x">J</text>'
