"""What a move of Pays noir changes: members that stay or come home, and what the others get."""

from __future__ import annotations

from typing import Final

from ludotheque.core.phrases import Phrase, counted, phrase
from ludotheque.games.pays_noir.log import awards
from ludotheque.games.pays_noir.rules import (
    CARD,
    FOR_COUNTRY,
    FOR_FACTORY,
    FOR_LINE,
    FOR_MINE,
    FOR_PORT,
    FOR_QUARTER,
    FOR_URBANISM,
    SPOT,
    PaysNoirState,
)

_THEMES: Final = {
    FOR_LINE: phrase("Railway line"),
    FOR_PORT: phrase("Port"),
    FOR_MINE: phrase("Mine"),
    FOR_FACTORY: phrase("Factory"),
    FOR_QUARTER: phrase("Town"),
    FOR_URBANISM: phrase("Town"),
    FOR_COUNTRY: phrase("Country"),
}


def effects(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[Phrase]:
    """How many members the seat has left."""
    if before.phase != SPOT:
        return []
    left = after.supply(seat)
    members = counted(left, phrase("1 member"), phrase("{count} members", count=left))
    if left > before.supply(seat):
        return [phrase("brings members home: you have {members} to place", members=members)]
    return [phrase("leaves you {members} to place", members=members)]


def themes(before: PaysNoirState, action: int, after: PaysNoirState) -> list[Phrase]:
    """What is scored; else what is decided."""
    found = {str(_THEMES[award.reason]): _THEMES[award.reason] for award in awards(before, action)}
    if found:
        return list(found.values())
    if before.phase == SPOT:
        return [phrase("Member")]
    return [phrase("Choice of a card") if before.phase == CARD else phrase("Place")]
