"""Passwords of tables: hashed with scrypt, so that a stolen database does not hold them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

_COST: Final = {"n": 2**14, "r": 8, "p": 1}
_SALT_BYTES: Final = 16


def hash_password(password: str) -> str:
    """Hash a password with a random salt; slow on purpose, so not for the event loop."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"scrypt:{salt.hex()}:{_digest(password, salt).hex()}"


def matches(password: str, hashed: str) -> bool:
    """Whether a password is the one that was hashed; slow on purpose, so not for the event loop."""
    _, salt, digest = hashed.split(":")
    return hmac.compare_digest(_digest(password, bytes.fromhex(salt)), bytes.fromhex(digest))


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)
