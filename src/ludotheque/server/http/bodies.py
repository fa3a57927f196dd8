"""The bound on the nesting of request bodies."""

from __future__ import annotations

import re
from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused

DEEPEST: Final = 64
"""Deepest nesting of a body."""
_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS: Final = re.compile(rb"[\[\]{}]")


def check_depth(body: bytes) -> None:
    """Raise if a JSON text is nested deeper than anything that people send, and than those who read it can follow."""
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(body) > DEEPEST:
        raise Refused(400, "malformed", phrase("That is nested too deeply."))


def _depth(body: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
