"""What people write at a table, names and comments: whatever can be shown on one screen and stored in a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from ludotheque.core.errors import BadName

NAME_LENGTH: Final = 40
COMMENT_LENGTH: Final = 4000

# Characters that steer the screen, cannot be encoded, break a line, or turn the direction of the text after them.
_UNSHOWN: Final = {"Cc", "Cs", "Zl", "Zp"}
_TURNS_TEXT: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def check_name(name: str) -> str:
    """The name, if a seat can be called so."""
    if not name or name != name.strip():
        raise BadName(f"A name must not be empty, nor begin or end with a space: {name[:NAME_LENGTH]!r}.")
    if len(name) > NAME_LENGTH:
        raise BadName(f"The name {name[:NAME_LENGTH] + '...'!r} is longer than {NAME_LENGTH} characters.")
    for character in name:
        if unicodedata.category(character) in _UNSHOWN or unicodedata.bidirectional(character) in _TURNS_TEXT:
            raise BadName(f"The name {name!r} holds the character {character!a}, which cannot be shown.")
    return name


def check_comment(comment: str) -> str:
    """The comment, if it can be kept; it may have several lines."""
    if len(comment) > COMMENT_LENGTH:
        raise BadName(f"A comment has at most {COMMENT_LENGTH} characters, not {len(comment)}.")
    for character in comment:
        if character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cs"):
            raise BadName(f"The comment holds the character {character!a}, which cannot be shown.")
    return comment


def settled_names(names: Sequence[str] | None, players: int) -> list[str]:
    """A checked name for each seat; without names, the seats are called by their numbers."""
    if names is None:
        return [f"Seat {seat + 1}" for seat in range(players)]
    if len(names) != players:
        raise BadName(f"There are {len(names)} names for {players} seats.")
    return [check_name(name) for name in names]
