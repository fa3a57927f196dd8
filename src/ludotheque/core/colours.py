"""The colours of seats, companies and pieces: each has a letter in the reader's language, so that colour is never the
only mark. Notation keeps the English letters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ludotheque.core.phrases import Phrase, phrase

SEAT_COLOURS: Final = ("turquoise", "pink", "white", "grey", "gold", "olive")
"""The colours of the seats where a game has none of its own."""

# Each message is the letter and, as an empty placeholder, the colour that it stands for.
_LETTERS: Final = {
    "black": phrase("K{black}", black=""),
    "blue": phrase("B{blue}", blue=""),
    "brown": phrase("N{brown}", brown=""),
    "gold": phrase("D{gold}", gold=""),
    "green": phrase("G{green}", green=""),
    "grey": phrase("G{grey}", grey=""),
    "neutral": phrase("N{neutral}", neutral=""),
    "olive": phrase("O{olive}", olive=""),
    "orange": phrase("O{orange}", orange=""),
    "pink": phrase("P{pink}", pink=""),
    "purple": phrase("P{purple}", purple=""),
    "red": phrase("R{red}", red=""),
    "turquoise": phrase("T{turquoise}", turquoise=""),
    "violet": phrase("V{violet}", violet=""),
    "white": phrase("W{white}", white=""),
    "yellow": phrase("Y{yellow}", yellow=""),
}
_NAMES: Final = {
    "black": phrase("black"),
    "blue": phrase("blue"),
    "brown": phrase("brown"),
    "gold": phrase("gold"),
    "green": phrase("green"),
    "grey": phrase("grey"),
    "neutral": phrase("neutral"),
    "olive": phrase("olive"),
    "orange": phrase("orange"),
    "pink": phrase("pink"),
    "purple": phrase("purple"),
    "red": phrase("red"),
    "turquoise": phrase("turquoise"),
    "violet": phrase("violet"),
    "white": phrase("white"),
    "yellow": phrase("yellow"),
}
_LETTER_IN_SVG: Final = re.compile(r'(<text data-letter="(\w+)"[^>]*>)[^<]*')


def colour_name(colour: str) -> Phrase:
    """The name of a colour; of one that is not known here, the word itself."""
    return _NAMES.get(colour) or Phrase(colour)


def colour_letter(colour: str) -> Phrase:
    """The letter of a colour; of one that is not known here, its first letter."""
    return _LETTERS.get(colour) or Phrase(colour[:1].upper())


def letter_svg(colour: str, attributes: str) -> str:
    """A text element with the letter of a colour, which `translate_letters` finds again."""
    return f'<text data-letter="{colour}" {attributes}>{colour_letter(colour)}</text>'


def translate_letters(svg: str, translate: Callable[[str], str]) -> str:
    """A picture with the letters of its colours in another language."""
    return _LETTER_IN_SVG.sub(lambda found: found[1] + colour_letter(found[2]).render(translate), svg)
