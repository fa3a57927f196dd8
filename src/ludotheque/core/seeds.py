"""Luck that comes again: from one seed, a seed of its own for each purpose."""

from __future__ import annotations

from hashlib import sha256


def seed_bytes(*purpose: object) -> bytes:
    """32 bytes that follow from the words for a purpose, such as `7, "dice"`: enough for the dice of a match."""
    return sha256("/".join(map(str, purpose)).encode()).digest()


def seed_number(*purpose: object) -> int:
    """The same as a number for a `Random`."""
    return int.from_bytes(seed_bytes(*purpose)[:7], "big")
