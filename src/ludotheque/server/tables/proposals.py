"""Questions that everyone at a table must agree to: to play again, or to end the game now."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from msgspec import structs

from ludotheque.server.tables.facts import Proposal, TableFacts

P = TypeVar("P", bound=Proposal)


def holders(facts: TableFacts) -> frozenset[int]:
    """The seats whose people are asked: those that a browser holds, also where a bot plays for them."""
    return frozenset(seat for seat in (*facts.people, *facts.lent_seats) if facts.keys.browsers(seat))


def agree(proposal: P, seats: Collection[int]) -> P:
    """Let these seats agree."""
    return structs.replace(proposal, agreed=tuple(sorted({*proposal.agreed, *seats})))


def refuse(proposal: P, seats: Collection[int]) -> P | None:
    """Let these seats refuse, or withdraw what they asked; None if no one asks any more."""
    agreed = tuple(seat for seat in proposal.agreed if seat not in seats)
    refused = tuple(sorted({*proposal.refused, *seats}))
    return structs.replace(proposal, agreed=agreed, refused=refused) if agreed else None


def is_agreed(proposal: Proposal | None, asked: Collection[int]) -> bool:
    """Whether all who are asked agree."""
    return proposal is not None and not proposal.refused and {*asked} <= {*proposal.agreed}
