"""The players and viewers that are no seat; seats are numbered from 0."""

from __future__ import annotations

from typing import Final

CHANCE: Final = -1
"""The player to move at a chance node, where a tile, a card or a die is drawn."""
TERMINAL: Final = -4
"""The player to move when the game is over."""
SPECTATOR: Final = -5
"""The viewer without a seat, who sees only what is public."""
