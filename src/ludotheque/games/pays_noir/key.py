"""The key to the board of Pays noir: what each symbol means."""

from __future__ import annotations

from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.core.scene import KeyEntry

KEY: Final = (
    KeyEntry("table", "card:1,0", 56, phrase("A card. Its edges must match those of the cards beside it.")),
    KeyEntry("table", "member:-1,1", 30, phrase("A member of a family, in its colour and with its letter.")),
    KeyEntry(
        "table",
        "member:1,-1",
        46,
        phrase("What a family holds is outlined in its colour, and country is tinted; two colours share it."),
    ),
    KeyEntry("table", "card:0,1", 34, phrase("A mine. It scores once rails link it to a town, a factory or a port.")),
    KeyEntry("table", "card:0,-1", 34, phrase("A factory. It scores once it touches a town and a mine.")),
    KeyEntry("table", "card:1,0", 34, phrase("A port. It scores for the sites that rails link to it.")),
    KeyEntry(
        "table",
        "card:0,0",
        50,
        phrase("A town. Its quarters score as they are laid; it is closed once no edge of it is open."),
        (0, -50),
    ),
    KeyEntry("table", "last", 56, phrase("The frame marks the card laid last.")),
)
