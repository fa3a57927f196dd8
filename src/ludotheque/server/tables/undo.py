"""Rules about taking moves back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from ludotheque.core.errors import CannotUndo
from ludotheque.core.phrases import phrase
from ludotheque.server.tables.facts import Rights, Seat, UndoRequest
from ludotheque.table import Match


class UndoOffer(Struct, frozen=True):
    """The moves that a seat may take back."""

    way: Literal["free", "ask", ""]
    """At once, after asking others, or not at all."""
    to_ply: int = 0
    others: tuple[int, ...] = ()
    """The seats that have to agree."""


NO_UNDO: Final = UndoOffer("")


def undo_offer(match: Match, seats: Sequence[Seat], seat: int, rights: Rights) -> UndoOffer:
    """The way in which a seat may take back its latest move, to which ply, and which other seats have to agree."""
    if match.is_over:
        return NO_UNDO
    if match.to_move == seat and not match.undo_rules.why_not(seat):
        return UndoOffer("free", match.ply - 1)
    to_ply = match.undo_rules.ply_before_latest_move(seat)
    if to_ply is None:
        return NO_UNDO
    people = [number for number, other in enumerate(seats) if other.who == "person"]
    others = [number for number in people if number not in (seat, *rights.seats)]
    seated = tuple(number for number in others if seats[number].taken)
    if len(seated) < len(others) and match.undo_rules.learnt_since(to_ply):
        return NO_UNDO  # a seat that is still free cannot agree to a look at what comes
    return UndoOffer("ask" if seated else "free", to_ply, seated)


def check_waiting(request: UndoRequest | None, seat: int) -> UndoRequest:
    """Return the request that waits for a seat, or raise."""
    if request is None or seat not in request.waiting:
        raise CannotUndo(phrase("No undo request is waiting for you."))
    return request


def agree(request: UndoRequest, seat: int) -> UndoRequest:
    """The request once a seat agrees; all have agreed if it waits for nobody."""
    waiting = tuple(other for other in request.waiting if other != seat)
    return UndoRequest(request.seat, request.to_ply, (*request.agreed, seat), waiting)
