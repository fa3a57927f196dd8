"""The key to the board of Cable Car: what each symbol means."""

from __future__ import annotations

from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.core.scene import KeyEntry

KEY: Final = (
    KeyEntry(
        "lines", "car:2", 42, phrase("A car at its station. Colour and letter say whose it is; its line begins here.")
    ),
    KeyEntry("lines", "own-car:3", 42, phrase("The frame around a car says that it is yours; your lines are bright.")),
    KeyEntry("lines", "tile:E2", 42, phrase("A tile: four tracks join its eight ends.")),
    KeyEntry(
        "lines",
        "tile:B1",
        70,
        phrase(
            "Lines run as far as tiles lie, in the colour of their car. Point at one, or tap it, to read its length."
        ),
    ),
    KeyEntry("lines", "car:16", 38, phrase("A car that has been turned: its line is finished and has scored.")),
    KeyEntry("lines", "tile:D1", 200, phrase("The power station: a line that ends here counts double."), (36, 252)),
    KeyEntry("lines", "last", 44, phrase("The frame marks the tile laid last.")),
    KeyEntry("lines", "pile", 44, phrase("The pile, with the number of tiles that are left.")),
)
