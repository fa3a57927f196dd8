"""Questions that everyone at a table must agree to: to play again, or to end the game now."""

from __future__ import annotations

from collections.abc import Collection
from itertools import dropwhile
from typing import TypeVar

from msgspec import structs

from ludotheque.core.game import CHANCE
from ludotheque.server.tables.facts import EndOffer, Proposal, TableFacts
from ludotheque.table import Match

P = TypeVar("P", bound=Proposal)


def holders(facts: TableFacts) -> frozenset[int]:
    """The seats whose people are asked: those that a browser holds, also where a bot plays for them."""
    return frozenset(seat for seat in (*facts.people, *facts.lent_seats) if facts.keys.browsers(seat))


def agree(proposal: P, seats: Collection[int]) -> P:
    """Let these seats agree, after those that have."""
    return structs.replace(proposal, agreed=tuple(dict.fromkeys((*proposal.agreed, *seats))))


def refuse(proposal: P, seats: Collection[int]) -> P | None:
    """Let these seats refuse, or withdraw what they asked; None if no one asks any more."""
    agreed = tuple(seat for seat in proposal.agreed if seat not in seats)
    refused = tuple(sorted({*proposal.refused, *seats}))
    return structs.replace(proposal, agreed=agreed, refused=refused) if agreed else None


def is_agreed(proposal: Proposal | None, asked: Collection[int]) -> bool:
    """Whether all who are asked agree."""
    return proposal is not None and not proposal.refused and {*asked} <= {*proposal.agreed}


def standing_offer(facts: TableFacts, match: Match) -> EndOffer | None:
    """The offer to end the game; None once the one who asked has moved in a later turn."""
    offer = facts.end_offer
    if offer is None:
        return None
    played = [who for who in match.movers[offer.ply :] if who != CHANCE]
    later_turns = dropwhile(lambda who: who == played[0], played)
    return None if offer.agreed[0] in later_turns else offer
