"""Where the points of Pays noir come from: lines, ports, mines, factories, towns and countries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ludotheque.core.bits import places
from ludotheque.core.earnings import Earning, sources
from ludotheque.core.phrases import phrase
from ludotheque.games.pays_noir.log import awards
from ludotheque.games.pays_noir.rules import (
    FOR_COUNTRY,
    FOR_FACTORY,
    FOR_LINE,
    FOR_MINE,
    FOR_PORT,
    FOR_QUARTER,
    FOR_URBANISM,
    Award,
    PaysNoirState,
)

_SOURCES: Final = {
    FOR_LINE: phrase("Railway lines"),
    FOR_PORT: phrase("Ports"),
    FOR_MINE: phrase("Mines"),
    FOR_FACTORY: phrase("Factories"),
    FOR_QUARTER: phrase("Towns"),
    FOR_URBANISM: phrase("Towns"),
    FOR_COUNTRY: phrase("Countries"),
}


def earnings(before: PaysNoirState, action: int, after: PaysNoirState) -> list[Earning]:
    """The points that were given, and the change of the final count, which the scores include before it is made."""
    changes = [
        *_shared(awards(before, action), 1),
        *_shared(after.final_count(), 1),
        *_shared(before.final_count(), -1),
    ]
    # Most ports and countries are the same before and after: what stays of the sums.
    left = sources(changes, after.players)
    return [Earning(seat, of.name, amount) for of in left for seat, amount in enumerate(of.amounts) if amount]


def _shared(given: Iterable[Award], sign: int) -> Iterator[Earning]:
    for award in given:
        for seat in places(award.families):
            yield Earning(seat, _SOURCES[award.reason], sign * award.points)
