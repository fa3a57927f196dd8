"""Keys: random texts that open a seat. Only their digests are stored."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

COOKIE: Final = "ludotheque"
SECURE_COOKIE: Final = "__Host-ludotheque"
"""Over https: browsers accept this name from this host only, and send it nowhere else."""
COOKIE_AGE: Final = 365 * 24 * 3600
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH: Final = 10
_ID: Final = re.compile(f"[{_LETTERS}]{{{_ID_LENGTH}}}")


def new_secret() -> str:
    """A new key of 192 random bits."""
    return secrets.token_urlsafe(24)


def new_table_id() -> str:
    """A new id of a table: short, and not secret."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether a text has the form of a table's id."""
    return _ID.fullmatch(text) is not None


def is_secret(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _SECRET.fullmatch(text) is not None


def digest(secret: str) -> bytes:
    """Return the stored form of a key; a plain hash suffices, since keys are random."""
    return hashlib.sha256(secret.encode()).digest()
