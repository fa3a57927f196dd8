"""Ready phrases for the chat: a line is stored with the key of its phrase, and each reader reads their own language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ludotheque.core.phrases import Phrase, phrase

READY_PHRASES: Final[Mapping[str, Phrase]] = {
    "hello": phrase("Hello!"),
    "good-luck": phrase("Good luck!"),
    "nice-move": phrase("Nice move!"),
    "thanks": phrase("Thank you!"),
    "sorry": phrase("Sorry!"),
    "thinking": phrase("I need a moment to think."),
    "back-soon": phrase("I'll be right back."),
    "well-played": phrase("Well played!"),
    "again": phrase("Another game?"),
    "goodbye": phrase("Goodbye!"),
}
"""Phrases by key. A key stays: stored lines name it."""
