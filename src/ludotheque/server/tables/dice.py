"""Rules about the dice of a table."""

from __future__ import annotations

from msgspec import structs

from ludotheque.core.game import CHANCE
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.table import Dice, Match


def is_peeked(facts: TableFacts, ply: int) -> bool:
    """Whether draws that are still to come after a ply have been seen: moves were taken back."""
    return facts.has_dice and facts.peeked > ply


def is_only_dealt(facts: TableFacts, match: Match) -> bool:
    """Whether the dice have drawn something, and no one has moved since."""
    since = match.movers[facts.dice_since :]
    return facts.has_dice and bool(since) and all(mover == CHANCE for mover in since)


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


def deal_again(facts: TableFacts, nonce_round: NonceRound) -> TableFacts:
    """Take back all that the dice have drawn, and draw it with fresh ones; a rule for tables that are only dealt."""
    fresh = renew_dice(facts, facts.dice_since, nonce_round)
    return structs.replace(fresh, redeals=facts.redeals + 1, ahead={})
