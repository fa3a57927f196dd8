"""Rules about taking moves back."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from ludotheque.core.errors import CannotUndo
from ludotheque.core.phrases import phrase
from ludotheque.server.tables.facts import Rights, TableFacts, UndoRequest
from ludotheque.table import Match


class UndoOffer(Struct, frozen=True):
    """The moves that a seat may take back."""

    way: Literal["free", "ask", ""]
    """At once, after asking others, or not at all."""
    to_ply: int = 0
    others: tuple[int, ...] = ()
    """The seats that have to agree."""


NO_UNDO: Final = UndoOffer("")


def undo_offer(match: Match, facts: TableFacts, seat: int, rights: Rights) -> UndoOffer:
    """The way in which a seat may take back its latest move, to which ply, and which other seats have to agree.

    A person for whom a bot plays has to agree too, or the moves that they made themselves could be taken back. Moves
    from before a resignation stay.
    """
    if match.is_over or match.ply <= facts.ending.last_ply:
        return NO_UNDO
    if match.to_move == seat and not match.undo_rules.why_not(seat):
        return UndoOffer("free", match.ply - 1)
    to_ply = match.undo_rules.ply_before_latest_move(seat)
    if to_ply is None or facts.terms.is_binding or to_ply < facts.ending.last_ply:
        return NO_UNDO
    others = sorted({*facts.people, *facts.lent_seats} - {seat, *rights.held, *facts.ending.seats})
    seated = tuple(number for number in others if facts.seats[number].taken)
    if len(seated) < len(others) and match.undo_rules.learnt_since(to_ply):
        return NO_UNDO  # a seat that is still free cannot agree to a look at what comes
    return UndoOffer("ask" if seated else "free", to_ply, seated)


def check_waiting(request: UndoRequest | None, seat: int) -> UndoRequest:
    """Return the request that waits for a seat, or raise."""
    if request is None or seat not in request.waiting:
        raise CannotUndo(phrase("No undo request is waiting for you."))
    return request


def agree(request: UndoRequest, seat: int) -> UndoRequest:
    """The request once a seat agrees; all have agreed if it waits for no one."""
    waiting = tuple(other for other in request.waiting if other != seat)
    return UndoRequest(request.seat, request.to_ply, (*request.agreed, seat), waiting)
