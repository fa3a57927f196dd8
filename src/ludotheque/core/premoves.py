"""Premoves: decisions ahead of one's turn. The game offers them, and the table plays them as ordinary moves."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.phrases import Phrase


class PremoveOffer(Struct, frozen=True):
    """A decision that a seat may make before it is its turn."""

    key: str
    label: Phrase
    lowest: int = 0
    highest: int = 0
    """The amounts to choose from; 0 if there are none."""


class Premove(Struct, frozen=True):
    """A decision that a seat has made ahead of its turn. Secret: only that seat knows."""

    key: str
    situation: str
    """`Game.premove_context` when it was made; it counts as long as the context is the same."""
    amount: int = 0
