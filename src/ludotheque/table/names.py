"""Names and comments that people enter: checked so that they can be shown and stored."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from ludotheque.core.errors import BadName
from ludotheque.core.phrases import phrase

NAME_LENGTH: Final = 40
COMMENT_LENGTH: Final = 4000

# Control characters, surrogates, line breaks, and characters that change the direction of the text after them.
_UNPRINTABLE: Final = {"Cc", "Cs", "Zl", "Zp"}
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


def resolve_names(names: Sequence[str] | None, players: int) -> list[str]:
    """Return a checked name for each seat; by default, the number of the seat."""
    if names is None:
        return [f"Seat {seat + 1}" for seat in range(players)]
    if len(names) != players:
        raise BadName(phrase("There are {names} names for {seats} seats.", names=len(names), seats=players))
    return [check_name(name) for name in names]
