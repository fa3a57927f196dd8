"""The part of a match that one viewer may know: a plain value that can be compared and sent."""

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
    """The names of the seats."""
    ply: int
    """The ply shown: how many moves and draws led to it."""
    last_ply: int
    """The latest ply of the match."""
    decisions: int
    """Number of plies, up to the one shown, that were moves of a seat."""
    to_move: int
    """A seat, `CHANCE` or `TERMINAL`."""
    observation: Observation
    log: tuple[LogLine, ...]
    """The log of the plies up to the one shown."""
    comments: dict[int, str]
    """The comments, by ply, on the plies that this viewer saw."""
    choices: tuple[Choice, ...] = ()
    """The viewer's choices, if the latest ply is shown and it is their turn."""
    can_undo: bool = False
    """Whether the viewer may undo their latest move."""
    scores: tuple[int, ...] = ()
    """Each seat's points or money, at the end of the game."""
    returns: tuple[float, ...] = ()
    """Each seat's share of the win, at the end of the game."""
    commitment: str = ""
    """The commitment of the dice, published before the first draw; empty if the match has no dice."""
    seed: str = ""
    """The seed of the dice in hexadecimal; empty until the game is over, or if it is unknown."""
