"""What a player may decide ahead of their turn: the game offers it, and the table plays it as an ordinary move."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.phrases import Phrase


class AheadOffer(Struct, frozen=True):
    """Something that a seat may decide before it is its turn."""

    key: str
    label: Phrase
    lowest: int = 0
    highest: int = 0
    """The amounts to choose from; 0: it has none."""


class AheadOrder(Struct, frozen=True):
    """What a seat has decided ahead. Secret: only that seat knows."""

    key: str
    situation: str
    """It counts as long as the game names the same situation."""
    amount: int = 0
