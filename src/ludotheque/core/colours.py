"""The colours of players and companies, the same on boards, cards, tables and charts; each goes with a letter."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ludotheque.core.phrases import Phrase, Translation, phrase

PALETTE: Final = {
    "yellow": ("#f2c52b", "#241c05"),
    "blue": ("#2b62c9", "#ffffff"),
    "orange": ("#f08a3c", "#241c05"),
    "green": ("#1f8045", "#ffffff"),
    "purple": ("#8e44ad", "#ffffff"),
    "black": ("#2a2a2a", "#ffffff"),
    "red": ("#c9252d", "#ffffff"),
    "brown": ("#7a4a24", "#ffffff"),
    "violet": ("#8b4fb5", "#ffffff"),
    "teal": ("#0c7a78", "#ffffff"),
    "pink": ("#f0a3c4", "#3a0a22"),
    "slate": ("#5d6b79", "#ffffff"),
    "olive": ("#6d7418", "#ffffff"),
    "navy": ("#24386b", "#ffffff"),
    "sand": ("#dcc79a", "#2f2409"),
}
"""Colours by name, each with the colour of the text on it."""
SEAT_COLOURS: Final = ("teal", "pink", "slate", "olive", "navy", "sand")
"""Colours of the seats in games whose players have none; companies have none of these."""

_LETTERS: Final = {
    "yellow": phrase("Y"),
    "blue": phrase("B"),
    "orange": phrase("O"),
    "green": phrase("G"),
    "purple": phrase("P"),
    "black": phrase("K"),
    "red": phrase("R"),
    "brown": phrase("N"),
    "violet": phrase("V"),
}
_NAMES: Final = {
    "yellow": phrase("yellow"),
    "blue": phrase("blue"),
    "orange": phrase("orange"),
    "green": phrase("green"),
    "purple": phrase("purple"),
    "black": phrase("black"),
    "red": phrase("red"),
    "brown": phrase("brown"),
    "violet": phrase("violet"),
    "teal": phrase("teal"),
    "pink": phrase("pink"),
    "slate": phrase("slate"),
    "olive": phrase("olive"),
    "navy": phrase("navy"),
    "sand": phrase("sand"),
}
_DRAWN_LETTER: Final = re.compile(r'(<text data-colour="(\w+)"[^>]*>)[^<]*')


class Mark(Struct, frozen=True):
    """A counter in a colour, with its letter and perhaps a word or number beside it: a player, a company, a share."""

    colour: str
    """A name of the palette."""
    letter: str | Phrase
    text: str | int | Phrase = ""

    def __str__(self) -> str:
        return f"{self.letter} {self.text}".strip()


def letter_of(colour: str) -> Phrase:
    """The letter that stands for a colour, in the reader's language."""
    return _LETTERS[colour]


def colour_name(colour: str) -> Phrase:
    """The name of a colour; of one that is not known here, the word itself."""
    return _NAMES.get(colour) or Phrase(colour)


def seat_letter(colour: str, seat: int) -> Phrase:
    """Return the mark of a seat besides its colour: the letter of the colour or, if it has none, the seat's number."""
    return _LETTERS.get(colour) or Phrase(str(seat + 1))


def colour_mark(colour: str, text: str | int | Phrase = "") -> Mark:
    """Return a counter in a colour that has a letter."""
    return Mark(colour, letter_of(colour), text)


def seat_mark(seat: int, text: str | int | Phrase = "") -> Mark:
    """A counter for a seat that has no colour in the game: its number."""
    return Mark(SEAT_COLOURS[seat], str(seat + 1), text)


def drawn_letter(colour: str, classes: str, y: float) -> str:
    """The letter of a colour as a part of a picture."""
    return f'<text data-colour="{colour}" class="{classes}" y="{y:g}">{letter_of(colour)}</text>'


def translate_letters(picture: str, translate: Translation) -> str:
    """A picture with its letters of colours in another language."""
    return _DRAWN_LETTER.sub(lambda drawn: drawn[1] + letter_of(drawn[2]).render(translate), picture)
