"""The bound on the nesting of request bodies."""

from __future__ import annotations

import re
from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

DEEPEST: Final = 64
"""Deepest nesting of a body."""
MOST_TOKENS: Final = 16_000
"""The most strings, and brackets outside them: far more than a board or card set has. A long record is one string."""
_TOKENS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""Strings, whole or cut off, and brackets; it never looks at a byte twice, however a body is written."""


def check_depth(body: bytes) -> None:
    """Raise if a JSON text is nested deeper than anything that people send, and than those who read it can follow."""
    if body.count(b"[") + body.count(b"{") > DEEPEST and _is_deep(body):
        raise Refused(400, "malformed", phrase("That is nested too deeply."))


def _is_deep(body: bytes) -> bool:
    depth = 0
    for number, token in enumerate(_TOKENS.finditer(body), 1):
        kind = token[0]
        if not kind.startswith(b'"'):
            depth += 1 if kind in b"[{" else -1
        if depth > DEEPEST or number > MOST_TOKENS:
            return True
    return False
