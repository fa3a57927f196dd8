"""The keys to a table: which browsers hold its seats, and which links lead to them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

NO_SEATS: Final[frozenset[int]] = frozenset()
KeyKind = Literal["browser", "link", "once"]
"""Whether a browser holds a key; or a link, for the first browser that joins with it, or for one more of a holder."""


class Key(Struct, frozen=True):
    """A key to a table: the digest of a secret, and the seat that it opens."""

    digest: bytes
    seat: int
    """A seat, or -5 to watch."""
    kind: KeyKind


class Keys(Struct, frozen=True, dict=True):
    """All keys to a table; a key is known by its digest, and may open several seats."""

    rows: frozenset[Key] = frozenset()

    @cached_property
    def _seats(self) -> dict[bytes, frozenset[int]]:
        found: dict[bytes, frozenset[int]] = {}
        for key in self.rows:
            found[key.digest] = found.get(key.digest, NO_SEATS) | {key.seat}
        return found

    @cached_property
    def _kinds(self) -> dict[bytes, KeyKind]:
        return {key.digest: key.kind for key in self.rows}

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._seats

    def kind(self, digest: bytes) -> KeyKind | None:
        """The kind of a key; None if it is not a key to this table."""
        return self._kinds.get(digest)

    def seats(self, digest: bytes) -> frozenset[int]:
        """The seats that a key is for."""
        return self._seats.get(digest, NO_SEATS)

    def leads_to(self, digest: bytes) -> frozenset[int]:
        """The seats of a key. A seat's link leads to it only as long as no browser holds the seat."""
        seats = self.seats(digest)
        if self.kind(digest) != "link":
            return seats
        return frozenset(seat for seat in seats if seat < 0 or not self.browsers(seat))

    def holds_seat(self, digest: bytes) -> bool:
        return any(seat >= 0 for seat in self.seats(digest))

    def holders(self, seat: int) -> set[bytes]:
        """The digests of the keys to a seat."""
        return {key.digest for key in self.rows if key.seat == seat}

    def browsers(self, seat: int) -> set[bytes]:
        """The digests of the browsers that hold a seat."""
        return {key.digest for key in self.rows if key.seat == seat and key.kind == "browser"}

    def links(self, seat: int) -> set[bytes]:
        """The digests of the links to a seat."""
        return self.holders(seat) - self.browsers(seat)

    def adding(self, *keys: Key) -> Keys:
        """These keys too, each in place of one to the same seat."""
        added = {(key.digest, key.seat) for key in keys}
        return Keys(frozenset(key for key in self.rows if (key.digest, key.seat) not in added) | set(keys))

    def without(self, digests: Collection[bytes], seat: int | None = None) -> Keys:
        """All keys but these; with a seat, these still open their other seats."""
        dropped = {key for key in self.rows if key.digest in digests and seat in (None, key.seat)}
        return Keys(self.rows - dropped)
