"""E-mail addresses that people enter: checked so that nothing but one plain address reaches a mail server."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

ADDRESS_LENGTH: Final = 254
_WORD: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(rf"(?=.{{1,64}}@){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]")
"""Printable ASCII only: no spaces, line breaks, quotation marks, lists, or letters that cannot be seen."""


def is_address(text: str) -> bool:
    """Whether a text is one plain e-mail address."""
    return len(text) <= ADDRESS_LENGTH and _ADDRESS.fullmatch(text) is not None


def check_address(text: str) -> str:
    """Return the address, its domain in small letters; `Refused` if it is none."""
    text = text.strip(" ")
    if not is_address(text):
        raise Refused(400, "bad-address", phrase("This is not an e-mail address that can be used here."))
    name, _, domain = text.rpartition("@")
    return f"{name}@{domain.lower()}"


def address_digest(address: str) -> bytes:
    """Return the digest under which the messages to an address are counted."""
    return hashlib.sha256(address.lower().encode()).digest()
