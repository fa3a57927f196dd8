"""The key to the board of Chicago Express: what each symbol means."""

from __future__ import annotations

from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.core.scene import KeyEntry

KEY: Final = (
    KeyEntry(
        "expansion",
        "hex:I9",
        36,
        phrase(
            "A city. It grows with what it adds to the income. While you build, a tag on each hex in reach says what "
            "it costs and adds; point at a hex at any time to read it."
        ),
    ),
    KeyEntry(
        "expansion",
        "engine:PRR:R5",
        34,
        phrase("A locomotive, with the letter of its company. The hexes with its locomotives are its network."),
    ),
    KeyEntry(
        "expansion",
        "dial:auction",
        50,
        phrase(
            "A dial: its pointer moves on with each action of its kind. In the red, that action is over until the next "
            "dividend."
        ),
    ),
    KeyEntry(
        "expansion",
        "industry:Detroit",
        90,
        phrase("What each industrial city adds to the income now. The marker moves to the right as the city grows."),
        (60, 34),
    ),
    KeyEntry("expansion", "houses", 40, phrase("The houses that are left.")),
    KeyEntry("expansion", "income:PRR", 70, phrase("The income of each company, up to 50."), (40, 22)),
    KeyEntry("expansion", "last", 40, phrase("The frame marks the hex that was built or developed last.")),
)
