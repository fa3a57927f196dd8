"""Names and comments that people enter: checked so that they can be shown and stored."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ludotheque.core.errors import BadName
from ludotheque.core.phrases import phrase

NAME_LENGTH: Final = 40
COMMENT_LENGTH: Final = 4000
STAND_INS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""The names of the players in lessons and puzzles, and of people who give none in the terminal."""

# Control characters, surrogates, line breaks, and characters that change the direction of the text after them.
_UNPRINTABLE: Final = {"Cc", "Cs", "Zl", "Zp"}
# Letters and marks without any ink, besides those of the category "format".
_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_IN_EMOJI: Final = "\u200d\ufe0f"
_BIDI_CONTROLS: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def check_name(name: str) -> str:
    """Return the name, or raise `BadName`."""
    if not name or name != name.strip():
        raise BadName(
            phrase("A name must not be empty, nor begin or end with a space: {name}.", name=repr(name[:NAME_LENGTH]))
        )
    if len(name) > NAME_LENGTH:
        shown = repr(name[:NAME_LENGTH] + "...")
        raise BadName(phrase("The name {name} is longer than {most} characters.", name=shown, most=NAME_LENGTH))
    for character in name:
        if unicodedata.category(character) in _UNPRINTABLE or unicodedata.bidirectional(character) in _BIDI_CONTROLS:
            sign = ascii(character)
            raise BadName(
                phrase("The name {name} holds the character {sign}, which cannot be shown.", name=repr(name), sign=sign)
            )
    return name


def check_new_name(name: str) -> str:
    """Return a name that somebody typed; `BadName` if it holds anything invisible. (Older stored names may.)

    Within an emoji two invisible characters are allowed: the joiner and the selector of its coloured form.
    """
    check_name(name)
    for before, character in pairwise(" " + name):
        if _is_hidden(before, character):
            sign = ascii(character)
            raise BadName(
                phrase("The name {name} holds the character {sign}, which cannot be shown.", name=repr(name), sign=sign)
            )
    return name


def visible_name(name: str) -> str:
    """A stored name, perhaps an old one, without what cannot be seen."""
    return "".join(character for before, character in pairwise(" " + name) if not _is_hidden(before, character))


def _is_hidden(before: str, character: str) -> bool:
    """Whether a character cannot be seen, after the one before it."""
    in_emoji = character in _IN_EMOJI and (unicodedata.category(before) in ("So", "Sk") or before in _IN_EMOJI)
    return unicodedata.category(character) in _UNPRINTABLE or (_is_invisible(character) and not in_emoji)


def _is_invisible(character: str) -> bool:
    return (
        unicodedata.category(character) == "Cf"
        or character in _BLANK
        or "VARIATION SELECTOR" in unicodedata.name(character, "")
    )


def check_comment(comment: str) -> str:
    """Return the comment, which may have several lines, or raise `BadName`."""
    if len(comment) > COMMENT_LENGTH:
        most, count = COMMENT_LENGTH, len(comment)
        raise BadName(phrase("A comment has at most {most} characters, not {count}.", most=most, count=count))
    for character in comment:
        if character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cs"):
            sign = ascii(character)
            raise BadName(phrase("The comment holds the character {sign}, which cannot be shown.", sign=sign))
    return comment


def stand_ins(players: int) -> list[str]:
    """A name for each seat where nobody has given any."""
    return [STAND_INS[seat % len(STAND_INS)] for seat in range(players)]


def resolve_names(names: Sequence[str] | None, players: int) -> list[str]:
    """Return a checked name for each seat; by default, the number of the seat."""
    if names is None:
        return [f"Seat {seat + 1}" for seat in range(players)]
    if len(names) != players:
        raise BadName(phrase("There are {names} names for {seats} seats.", names=len(names), seats=players))
    return [check_name(name) for name in names]
