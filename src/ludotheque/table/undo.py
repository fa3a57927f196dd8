"""The rules of undo: a seat may undo its latest move alone as long as no one has learnt anything since."""

from __future__ import annotations

from typing import Final, final

from ludotheque.core.errors import CannotUndo
from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.table.timeline import Timeline


@final
class UndoRules:
    """Questions about undo in one match."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline: Final = timeline

    def why_not(self, seat: int) -> Phrase | None:
        """Return why a seat may not undo its latest move by itself; None if it may."""
        timeline = self._timeline
        if timeline.is_over:
            return phrase("The game is over, so no move can be taken back.")
        if timeline.to_move != seat:
            return phrase("{turn}, so the move can no longer be taken back.", turn=timeline.whose_turn())
        if seat not in timeline.movers:
            return phrase("There is no move of yours to take back.")
        latest = timeline.movers[-1]
        if latest == CHANCE:
            return phrase("A draw has been made since your last move, so it cannot be taken back.")
        if latest != seat:
            name = timeline.names[latest]
            return phrase("{name} has moved since your last move, so it cannot be taken back.", name=name)
        if self._revealed(timeline.ply):
            return phrase("Your last move showed something hidden, so it cannot be taken back.")
        if timeline.ply <= timeline.branched_at:
            return phrase("Your last move was made with other dice, so it cannot be taken back.")
        return None

    def learnt_since(self, ply: int) -> bool:
        """Return whether a draw was made, or something hidden was shown, after a ply."""
        later = range(ply + 1, self._timeline.ply + 1)
        return CHANCE in self._timeline.movers[ply:] or any(map(self._revealed, later))

    def _revealed(self, ply: int) -> bool:
        """Return whether the action of a ply showed someone something hidden."""
        timeline = self._timeline
        return timeline.game.reveals(timeline.state_at(ply - 1), timeline.actions[ply - 1])

    def ply_before_latest_move(self, seat: int) -> int | None:
        """Return the ply before a seat's latest move; None if it has not moved in this match."""
        for ply in range(self._timeline.ply - 1, self._timeline.branched_at - 1, -1):
            if self._timeline.movers[ply] == seat:
                return ply
        return None

    def check_rewind(self, to_ply: int) -> None:
        """Raise unless `Match.rewind` can go back to a ply: a server asks before it stores that it did."""
        self._timeline.check_ply(to_ply)
        if to_ply < self._timeline.branched_at:
            raise CannotUndo(phrase("Moves made with other dice cannot be taken back."))
