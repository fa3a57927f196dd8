"""Nonces for the dice of a table: browsers commit to them when they take a seat, and reveal them once all sit.

The dice stay open until every seat for a person is taken, or the host starts the game. Then each browser that has
committed has ten seconds to reveal its nonce. One that does not is left out.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct, structs

from ludotheque.core.errors import UnfairDice
from ludotheque.core.phrases import phrase
from ludotheque.table import Nonce
from ludotheque.table.dice import commitment_of

REVEAL_SECONDS: Final = 10.0
"""How long a browser has to reveal its nonce."""


class Gathering(Struct, frozen=True):
    """What people add to the dice of a table."""

    state: Literal["open", "reveal", "closed"] = "closed"
    until: float = 0.0
    """While browsers reveal: when the time is over, in seconds since 1970."""
    nonces: tuple[Nonce, ...] = ()
    """By seat; without the nonce until it is revealed."""

    def seated(self, commitments: Mapping[int, str], is_complete: bool) -> Gathering:
        """The state after people took seats with these commitments (empty: none); `is_complete`: nobody is missing."""
        if self.state != "open":
            return self
        others = [nonce for nonce in self.nonces if nonce.seat not in commitments]
        added = [Nonce(seat, commitment) for seat, commitment in commitments.items() if commitment]
        nonces = tuple(sorted((*others, *added), key=lambda nonce: nonce.seat))
        gathering = structs.replace(self, nonces=nonces)
        return gathering.reveal_now() if is_complete else gathering

    def reveal_now(self) -> Gathering:
        """The state in which browsers reveal their nonces; closed if there are none."""
        if self.state != "open":
            raise UnfairDice(phrase("The dice are no longer open."))
        if not self.nonces:
            return Gathering()
        return Gathering("reveal", time.time() + REVEAL_SECONDS, self.nonces)

    def with_nonce(self, seat: int, nonce: str) -> Gathering:
        """The state after a seat's browser revealed its nonce; closed if it was the last one."""
        added = next((added for added in self.nonces if added.seat == seat), None)
        if added is None or commitment_of(bytes.fromhex(nonce)) != added.commitment:
            raise UnfairDice(phrase("This is not the nonce that the seat committed to."))
        if added.nonce:
            return self
        if self.state != "reveal":
            raise UnfairDice(phrase("The dice do not wait for this nonce now."))
        nonces = tuple(Nonce(seat, each.commitment, nonce) if each is added else each for each in self.nonces)
        is_complete = all(each.nonce for each in nonces)
        return structs.replace(self, state="closed" if is_complete else "reveal", nonces=nonces)

    @property
    def is_late(self) -> bool:
        """Whether the time to reveal is over."""
        return self.state == "reveal" and time.time() >= self.until

    def close(self) -> Gathering:
        """The final state: those who have not revealed their nonce are left out."""
        return structs.replace(self, state="closed")
