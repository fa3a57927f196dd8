"""Addresses and keys that browsers give for push messages: strangers write them, so little is let through."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

ENDPOINT_LENGTH: Final = 1000
_PRINTABLE: Final = re.compile(r"[!-~]+")
_HOST: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?")
"""A name of the public network: no address, no name of this machine."""
_HTTPS: Final = 443
_KEY_BYTES: Final = 65
_SECRET_BYTES: Final = 16


class Endpoint(Struct, frozen=True):
    """The place to which messages for one browser are sent, and what encrypts them."""

    url: str
    browser_key: bytes
    auth_secret: bytes


def check_endpoint(url: str, browser_key: str, auth_secret: str) -> Endpoint:
    """Return what a browser gave; `Refused` if it cannot be where a browser takes messages."""
    try:
        found = Endpoint(url, _decoded(browser_key), _decoded(auth_secret))
    except ValueError:
        raise bad_endpoint() from None
    has_lengths = (len(found.browser_key), len(found.auth_secret)) == (_KEY_BYTES, _SECRET_BYTES)
    if not has_lengths or not is_safe_address(url):
        raise bad_endpoint()
    return found


def is_safe_address(url: str) -> bool:
    """Whether an address is one of https at its usual port, by a public name."""
    if len(url) > ENDPOINT_LENGTH or not _PRINTABLE.fullmatch(url):
        return False
    try:
        found = urlsplit(url)
        port = found.port or _HTTPS
    except ValueError:
        return False
    is_plain = not {"@", "\\", "#"} & {*url}
    return found.scheme == "https" and port == _HTTPS and is_plain and bool(_HOST.fullmatch(found.hostname or ""))


def bad_endpoint() -> Refused:
    return Refused(400, "bad-endpoint", phrase("Your browser gave an address to which no notifications can be sent."))


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
