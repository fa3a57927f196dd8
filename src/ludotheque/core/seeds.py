"""Derive reproducible seeds, one for each purpose."""

from __future__ import annotations

from hashlib import sha256


def seed_bytes(*purpose: object) -> bytes:
    """Derive 32 bytes from a purpose such as `7, "dice"`: enough for the dice of a match."""
    return sha256("/".join(map(str, purpose)).encode()).digest()


def seed_number(*purpose: object) -> int:
    """Derive a seed for `Random` from a purpose."""
    return int.from_bytes(seed_bytes(*purpose)[:7], "big")
