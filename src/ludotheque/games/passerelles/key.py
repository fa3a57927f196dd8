"""The key to the board of Passerelles: what each symbol means."""

from __future__ import annotations

from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.core.scene import KeyEntry

KEY: Final = (
    KeyEntry(
        "areas", "piece:B4.1", 90, phrase("A flat piece. Dots are blue, diamonds yellow, crosses neutral."), (0, 72)
    ),
    KeyEntry(
        "bridge",
        "piece:B5.1",
        110,
        phrase("A bridge. The number is its height; the higher a piece, the longer its shadow."),
        (90, 0),
    ),
    KeyEntry(
        "areas",
        "area-count:B:A1",
        90,
        phrase("Empty squares that a player encloses. The mark says who, the number how many squares."),
    ),
    KeyEntry("bridge", "last", 110, phrase("The frame marks the piece laid last."), (90, 0)),
)
