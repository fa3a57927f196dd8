"""The log of a match for one viewer: the lines that describe each ply."""

from __future__ import annotations

from typing import final

from msgspec import Struct

from ludotheque.core.game import CHANCE, Game, State
from ludotheque.core.phrases import Phrase


class LogLine(Struct, frozen=True, gc=False):
    """A line of the log, and the ply that it describes."""

    ply: int
    phrase: Phrase
    seat: int = CHANCE
    """The seat that acted at the ply; `CHANCE` for a draw."""


@final
class Log:
    """The lines that one viewer may read about each ply so far; each ply is described once."""

    def __init__(self, game: Game, viewer: int) -> None:
        self._game = game
        self._viewer = viewer
        self._lines: list[LogLine] = []
        self._lines_up_to = [0]
        """Number of lines that describe a ply and all before it, by ply."""
        self._seen: list[bool] = []

    @property
    def plies(self) -> int:
        """Number of plies that the log describes."""
        return len(self._seen)

    def add(self, before: State, action: int, after: State) -> None:
        """Describe the next ply."""
        ply, seat = self.plies + 1, int(before.current_player())
        for phrase in self._game.describe(before, action, after, self._viewer):
            self._lines.append(LogLine(ply, phrase, seat))
        self._lines_up_to.append(len(self._lines))
        self._seen.append(self._game.sees(before, action, self._viewer))

    def truncate(self, ply: int) -> None:
        """Drop the lines of the plies after this one, which have been undone."""
        if ply < self.plies:
            del self._lines[self._lines_up_to[ply] :]
            del self._lines_up_to[ply + 1 :]
            del self._seen[ply:]

    def lines(self, ply: int, start: int = 0) -> tuple[LogLine, ...]:
        """Return the lines up to a ply, without the first `start`."""
        return tuple(self._lines[start : self._lines_up_to[ply]])

    def saw(self, ply: int) -> bool:
        """Whether the viewer saw what was played, or drawn, at a ply."""
        return self._seen[ply - 1]
