"""Names and comments that people enter: checked so that they can be shown and stored."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from ludotheque.core.errors import BadName
from ludotheque.core.phrases import phrase
from ludotheque.table.look_alikes import skeleton

NAME_LENGTH: Final = 40
COMMENT_LENGTH: Final = 4000
PLACEHOLDER_NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""The names of the players in lessons and puzzles, and of people who give none in the terminal."""

# Control characters, surrogates, line breaks, and characters that change the direction of the text after them.
_UNPRINTABLE: Final = {"Cc", "Cs", "Zl", "Zp"}
# Letters and marks without any ink, besides those of the category "format".
_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_IN_EMOJI: Final = "\u200d\ufe0f"
_JOINERS: Final = "\u200c\u200d"
_VIRAMA: Final = 9
"""The combining class of the sign after which a joiner changes how Indic letters are drawn."""
_MARKS: Final = 3
"""The most marks on one letter: no language writes more."""
_LINK: Final = re.compile(r"(?i)://|\bwww\.")
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
    """Return a name that someone typed; `BadName` for anything invisible, piles of marks, or a link. (Older stored
    names may hold them.)

    Invisible characters are allowed where they change what is drawn: within emoji, Arabic and Indic words.
    """
    check_name(name)
    if _LINK.search(name):
        raise BadName(phrase("A name must not be a link: {name}.", name=repr(name)))
    if _without_piles(name) != name:
        raise BadName(phrase("The name {name} has too many marks on one letter.", name=repr(name)))
    for before, character in pairwise(" " + name):
        if _is_hidden(before, character):
            sign = ascii(character)
            raise BadName(
                phrase("The name {name} holds the character {sign}, which cannot be shown.", name=repr(name), sign=sign)
            )
    return name


def check_unlike(name: str, others: Collection[str]) -> str:
    """Return a name that looks like none of the others at a table, or raise `BadName`."""
    if not is_unlike(name, others):
        raise BadName(phrase("The name {name} looks like that of someone else at this table.", name=repr(name)))
    return name


def is_unlike(name: str, others: Collection[str]) -> bool:
    """Whether a name looks like none of the others."""
    return skeleton(name) not in [skeleton(other) for other in others]


def visible_name(name: str) -> str:
    """A stored name, perhaps an old one, without what cannot be seen."""
    return "".join(character for before, character in pairwise(" " + name) if not _is_hidden(before, character))


def unlinked_name(name: str) -> str:
    """A stored name as visible text in which no mail program finds an address to link to."""
    return re.sub(r"([.:/@])(?=\S)", r"\1 ", visible_name(name))


def visible_text(text: str) -> str:
    """Text of several lines without what cannot be seen or would change the lines around it."""
    lines = (visible_name(line) for line in text.replace("\t", " ").split("\n"))
    return _without_piles("\n".join(lines))


def _without_piles(text: str) -> str:
    """Leave out the marks beyond the most that one letter may have."""
    kept, marks = list[str](), 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(character)
    return "".join(kept)


def _is_hidden(before: str, character: str) -> bool:
    """Whether a character cannot be seen, after the one before it."""
    in_emoji = character in _IN_EMOJI and (unicodedata.category(before) in ("So", "Sk") or before in _IN_EMOJI)
    in_word = character in _JOINERS and (
        unicodedata.bidirectional(before) == "AL" or unicodedata.combining(before) == _VIRAMA
    )
    is_drawn = in_emoji or in_word
    return unicodedata.category(character) in _UNPRINTABLE or (_is_invisible(character) and not is_drawn)


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


def placeholder_names(players: int) -> list[str]:
    """Return a name for each seat, for where none was given."""
    return [PLACEHOLDER_NAMES[seat % len(PLACEHOLDER_NAMES)] for seat in range(players)]


def resolve_names(names: Sequence[str] | None, players: int) -> list[str]:
    """Return a checked name for each seat; by default, the number of the seat."""
    if names is None:
        return [f"Seat {seat + 1}" for seat in range(players)]
    if len(names) != players:
        raise BadName(phrase("There are {names} names for {seats} seats.", names=len(names), seats=players))
    return [check_name(name) for name in names]
