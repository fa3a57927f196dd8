"""What one viewer gets to see of a match: a plain value that can be compared and sent."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.choices import Choice
from ludotheque.core.observation import Observation
from ludotheque.table.log import LogLine


class View(Struct, frozen=True, kw_only=True):
    """A match at one ply, as a seat or a spectator may know it."""

    viewer: int
    """A seat from 0, or `SPECTATOR`."""
    names: tuple[str, ...]
    """What the seats are called."""
    ply: int
    """How many plies, moves and draws, led here."""
    last_ply: int
    """How many there are by now."""
    decisions: int
    """How many of the plies that led here were moves of a seat."""
    to_move: int
    """A seat, `CHANCE` or `TERMINAL`."""
    observation: Observation
    log: tuple[LogLine, ...]
    """What was told of the plies that led here."""
    comments: dict[int, str]
    """By ply: what somebody remarked on it; not on what this viewer did not see."""
    choices: tuple[Choice, ...] = ()
    """What the viewer can do, at the present ply and when it is their turn."""
    can_undo: bool = False
    """Whether the viewer may take back their latest move."""
    scores: tuple[int, ...] = ()
    """Each seat's points or money, at the end of the game."""
    returns: tuple[float, ...] = ()
    """Each seat's share of the win, at the end of the game."""
    commitment: str = ""
    """What the dice committed to before the first draw; empty where the match has no dice."""
    seed: str = ""
    """The seed of the dice in hexadecimal, once the game is over and if it is known."""
