"""The conformance suite for authors of games.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.testing import check_game
    >>> check_game(load_game("cable-car", players=3), games=1)
"""

from ludotheque.testing.conformance import check_game
from ludotheque.testing.modes import check_both_modes, trace

__all__ = ["check_both_modes", "check_game", "trace"]
