"""The bound on the nesting of request bodies."""

from __future__ import annotations

import re
from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

DEEPEST: Final = 64
"""Deepest nesting of a body."""
MOST_BRACKETS: Final = 16_000
"""The most brackets outside strings: far more than a board or card set has. A long record is one string."""
_TOKENS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""Strings, whole or cut off, and brackets; it never looks at a byte twice, however a body is written."""


def check_depth(body: bytes) -> None:
    """Raise if a JSON text is nested deeper than anything that people send, and than those who read it can follow."""
    if body.count(b"[") + body.count(b"{") > DEEPEST and _is_deep(body):
        raise Refused(400, "malformed", phrase("That is nested too deeply."))


def _is_deep(body: bytes) -> bool:
    depth = brackets = 0
    for token in _TOKENS.finditer(body):
        kind = token[0]
        if kind.startswith(b'"'):
            continue
        depth += 1 if kind in b"[{" else -1
        brackets += 1
        if depth > DEEPEST or brackets > MOST_BRACKETS:
            return True
    return False
