"""Nonces for the dice of a table: browsers commit to them when they take a seat, and reveal them once all sit.

The dice stay open until every seat for a person is taken, or the host starts the game. Where people are seated already
(a rematch, or fresh dice after a peek), they stay open for ten seconds, or until the browsers of all have committed.
Then each browser that has committed has ten seconds to reveal its nonce. One that does not is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal

from msgspec import Struct, structs

from ludotheque.core.errors import UnfairDice
from ludotheque.core.phrases import phrase
from ludotheque.table import Nonce
from ludotheque.table.dice import commitment_of
from ludotheque.table.steady_time import steady_time

COMMIT_SECONDS: Final = 10.0
"""Seconds that the browsers of people who are seated already have to commit to a nonce."""
REVEAL_SECONDS: Final = 10.0
"""Seconds that a browser has to reveal its nonce."""


class NonceRound(Struct, frozen=True):
    """The nonces that people add to the dice of a table, and whether the dice still wait for them."""

    state: Literal["open", "reveal", "closed"] = "closed"
    until: float = 0.0
    """End of the time to commit or to reveal, in seconds since 1970; 0 while the dice wait for people to sit down."""
    nonces: tuple[Nonce, ...] = ()
    """In the order of the seats; without the nonce until it is revealed."""

    @classmethod
    def of_seated(cls) -> NonceRound:
        """The state in which people who are seated already commit to nonces."""
        return cls("open", steady_time() + COMMIT_SECONDS)

    def seated(self, commitments: Mapping[int, str], is_complete: bool) -> NonceRound:
        """Return the round after people sat down with these commitments (empty if none); `is_complete`: all sit."""
        if self.state != "open":
            return self
        after = self._with_commitments(commitments)
        return after.reveal_now() if is_complete and not self.until else after

    def committed(self, seat: int, commitment: str, people: Collection[int]) -> NonceRound:
        """The state after a seated person's browser committed to a nonce; `people`: the seats that may."""
        if self.state != "open":
            raise _not_open()
        after = self._with_commitments({seat: commitment})
        is_complete = {nonce.seat for nonce in after.nonces} >= set(people)
        return after.reveal_now() if is_complete and self.until else after

    def _with_commitments(self, commitments: Mapping[int, str]) -> NonceRound:
        others = [nonce for nonce in self.nonces if nonce.seat not in commitments]
        added = [Nonce(seat, commitment) for seat, commitment in commitments.items() if commitment]
        return structs.replace(self, nonces=tuple(sorted((*others, *added), key=lambda nonce: nonce.seat)))

    def reveal_now(self) -> NonceRound:
        """The state in which browsers reveal their nonces; closed if there are none."""
        if self.state != "open":
            raise _not_open()
        if not self.nonces:
            return NonceRound()
        return NonceRound("reveal", steady_time() + REVEAL_SECONDS, self.nonces)

    def with_nonce(self, seat: int, nonce: str) -> NonceRound:
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
    def is_timed(self) -> bool:
        """Whether the next state comes when the time is over."""
        return self.state != "closed" and self.until > 0

    @property
    def is_late(self) -> bool:
        """Whether the time to commit or to reveal is over."""
        return self.is_timed and steady_time() >= self.until

    def in_time(self) -> NonceRound:
        """The next state if the time is over: those who have not committed, or not revealed, are left out."""
        if not self.is_late:
            return self
        return self.reveal_now() if self.state == "open" else structs.replace(self, state="closed")


def _not_open() -> UnfairDice:
    return UnfairDice(phrase("The dice are no longer open."))
