"""Fair dice: every draw of a match follows from a secret seed that was fixed before the first move.

People add to the seed, so that not even the server can choose the draws. Each seated person's browser sends the
commitment of a *nonce*, 32 random bytes; the server commits to its seed; only then the browsers reveal their nonces.
The *key* that makes the draws is the seed, if no one revealed a nonce, else HMAC-SHA-256 with the seed as the key, of
the ASCII text ``ludotheque-nonces-1`` followed, for each revealed nonce by ascending seat, by ``/0:`` (the seat, from
0) and the nonce in hexadecimal.

The *seed* is 32 secret bytes. Before the game all players get its *commitment*, the SHA-256 of those bytes in
lower-case hexadecimal; after the game they get the seed and can check each draw. The generator is specified here to
the byte, so that it gives the same draws on every platform and in every version:

1. Plies are numbered from 1, draws and moves alike. The message for ply 7 is the ASCII text ``ludotheque-dice-1/7/0``.
2. The number is the first 8 bytes, read big-endian, of HMAC-SHA-256 of the message with the key.
3. To draw a number below a total: a number of ``2**64 - 2**64 % total`` or more is rejected, which makes all remainders
   equally likely, and the next message (``.../7/1``, ``.../7/2``, ...) is tried. The draw is the number modulo total.
4. The outcomes lie side by side in ascending order, each as wide as its weight; the draw falls on one of them.

A draw depends only on the key, the ply and what can be drawn there. Undoing moves and playing them again therefore
gives the same draws: no one can roll again for a better one.

A match that branches off another has its own dice from that ply on. `since` is that ply: the dice prove the draws after
it, not those before.

The same in a browser::

    const key = await crypto.subtle.importKey("raw", bytes, {name: "HMAC", hash: "SHA-256"}, false, ["sign"])
    const message = new TextEncoder().encode(`ludotheque-dice-1/${ply}/${attempt}`)
    const number = new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0)
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, final

from msgspec import Struct

from ludotheque.core.errors import UnfairDice
from ludotheque.core.game import Game

SEED_BYTES: Final = 32
_LABEL: Final = "ludotheque-dice-1"
_NONCES_LABEL: Final = "ludotheque-nonces-1"
_SPAN: Final = 2**64
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{64}")


def commitment_of(seed: bytes) -> str:
    """Return the commitment of a seed: what is published before the game."""
    return hashlib.sha256(seed).hexdigest()


class Nonce(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A number that the browser of a seat adds to the dice, in hexadecimal."""

    seat: int
    commitment: str
    """The SHA-256 of the nonce."""
    nonce: str = ""
    """Empty if the browser did not reveal it in time: the seat was left out."""


def check_nonces(nonces: Sequence[Nonce]) -> None:
    """Raise `UnfairDice` unless there is at most one for each seat, by ascending seat, as committed to."""
    seats = [nonce.seat for nonce in nonces]
    if seats != sorted(set(seats)) or any(seat < 0 for seat in seats):
        raise UnfairDice("The nonces of the dice must be in the order of their seats, at most one for each.")
    for nonce in nonces:
        _check_hexadecimal(nonce.commitment, "The nonces of dice and their commitments")
        if nonce.nonce:
            _check_hexadecimal(nonce.nonce, "The nonces of dice and their commitments")
            if commitment_of(bytes.fromhex(nonce.nonce)) != nonce.commitment:
                raise UnfairDice(f"The nonce of seat {nonce.seat + 1} is not the one that was committed to.")


def mix(seed: bytes, nonces: Sequence[Nonce]) -> bytes:
    """Return the key that makes the draws: the seed together with the nonces that were revealed."""
    revealed = [f"/{nonce.seat}:{nonce.nonce}" for nonce in nonces if nonce.nonce]
    return hmac.digest(seed, "".join([_NONCES_LABEL, *revealed]).encode("ascii"), "sha256") if revealed else seed


def number_below(total: int, key: bytes, ply: int) -> int:
    """Return the number from 0 to `total - 1` that the key gives for a ply; all are equally likely."""
    limit = _SPAN - _SPAN % total
    attempt = 0
    while True:
        message = f"{_LABEL}/{ply}/{attempt}".encode("ascii")
        number = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if number < limit:
            return number % total
        attempt += 1


def outcome_at(number: int, weighted: Sequence[tuple[int, int]]) -> int:
    """Return the outcome that a number falls on, with the outcomes side by side, each as wide as its weight."""
    for outcome, weight in weighted:
        if number < weight:
            return outcome
        number -= weight
    raise AssertionError("the number lies beyond the total weight")


def _check_hexadecimal(text: str, what: str = "The commitment and the seed of dice") -> None:
    if not _HEXADECIMAL.fullmatch(text):
        raise UnfairDice(f"{what} are 64 hexadecimal digits each, in lower case.")


@final
class Dice:
    """The dice of a match: with the seed, or only with its commitment.

    A plain class and not a Struct, so that the seed is neither printed nor encoded by accident.
    """

    __slots__ = ("_key", "awaits_nonces", "commitment", "nonces", "seed", "since")

    commitment: str
    seed: bytes | None
    since: int
    """The draws up to this ply were made by other dice."""

    nonces: tuple[Nonce, ...]
    """The players' additions, by seat."""
    awaits_nonces: bool
    """Whether the players may still add nonces; until all are there the dice cannot draw."""

    def __init__(
        self,
        seed: bytes | None = None,
        commitment: str = "",
        since: int = 0,
        nonces: Sequence[Nonce] = (),
        awaits_nonces: bool = False,
    ) -> None:
        check_nonces(nonces)
        if seed is None:
            _check_hexadecimal(commitment)
        elif len(seed) != SEED_BYTES:
            raise UnfairDice(f"The seed of the dice must be {SEED_BYTES} bytes, not {len(seed)}.")
        elif commitment not in ("", commitment_of(seed)):
            raise UnfairDice("The seed of the dice is not the one that was committed to.")
        self.seed = seed
        self.commitment = commitment if seed is None else commitment_of(seed)
        self.since = since
        self.nonces = tuple(nonces)
        self.awaits_nonces = awaits_nonces
        self._key = mix(seed, nonces) if seed else b""

    @classmethod
    def fresh(cls, since: int = 0, awaits_nonces: bool = False) -> Dice:
        """Make dice with a random seed."""
        return cls(secrets.token_bytes(SEED_BYTES), since=since, awaits_nonces=awaits_nonces)

    @classmethod
    def from_text(cls, commitment: str, seed: str = "", since: int = 0, nonces: Sequence[Nonce] = ()) -> Dice:
        """Make dice from hexadecimal text: the commitment, the seed if it is known, and the nonces."""
        _check_hexadecimal(commitment)
        if not seed:
            return cls(None, commitment, since, nonces)
        _check_hexadecimal(seed)
        return cls(bytes.fromhex(seed), commitment, since, nonces)

    @property
    def can_draw(self) -> bool:
        """Whether the seed is known and all nonces are there."""
        return self.seed is not None and not self.awaits_nonces

    def closed(self, nonces: Sequence[Nonce]) -> Dice:
        """Return these dice with the nonces that people added; nothing can be added to them any more."""
        return Dice(self.seed, self.commitment, self.since, nonces)

    def draw(self, ply: int, weighted: Sequence[tuple[int, int]]) -> int:
        """Draw the outcome of a ply from outcomes with their weights (`State.weighted_outcomes`)."""
        if self.seed is None:
            raise UnfairDice("These dice cannot draw: their seed is not known.")
        if self.awaits_nonces:
            raise UnfairDice("These dice cannot draw yet: people may still add to them.")
        total = sum(weight for _, weight in weighted)
        return outcome_at(number_below(total, self._key, ply), weighted)

    def __repr__(self) -> str:
        return f"<Dice {self.commitment[:12]}{'' if self.seed else ', seed unknown'}>"


def verify(game: Game, history: Iterable[int], dice: Dice) -> int:
    """Check every draw of a match against the seed of its dice, and return how many there were.

    To check a seed against a commitment as well, pass both to `Dice`.
    """
    state = game.new_initial_state()
    draws = 0
    for ply, action in enumerate(history, 1):
        if ply > dice.since and state.is_chance_node():
            expected = dice.draw(ply, state.weighted_outcomes())
            if expected != action:
                drawn, correct = state.action_to_string(action), state.action_to_string(expected)
                raise UnfairDice(f"Ply {ply} drew {drawn!r}, but the seed gives {correct!r}.")
            draws += 1
        state.apply_action(action)
    return draws
