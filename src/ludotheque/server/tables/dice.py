"""Rules about the dice of a table."""

from __future__ import annotations

from msgspec import structs

from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.table import Dice


def is_peeked(facts: TableFacts, ply: int) -> bool:
    """Whether draws that are still to come after a ply have been seen: moves were taken back."""
    return facts.has_dice and facts.peeked > ply


def renew_dice(facts: TableFacts, ply: int, nonce_round: NonceRound) -> TableFacts:
    """Fresh dice after a ply, so that nothing before them can be taken back, and a new round of nonces for them."""
    dice = Dice.fresh(since=ply)
    return structs.replace(
        facts,
        seed=dice.seed,
        commitment=dice.commitment,
        dice_since=dice.since,
        nonce_round=nonce_round,
        peeked=0,
        undo_request=None,
    )
