"""Whether this package runs compiled."""

from typing import Final

from ludotheque.core import game

COMPILED: Final = not (game.__file__ or "").endswith(".py")
"""Whether the rules run compiled; LUDOTHEQUE_PURE=1 in the environment forces plain Python."""
