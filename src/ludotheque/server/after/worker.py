"""The work of the worker process of reviews. Nothing of the server is loaded here: a worker starts in a moment."""

from __future__ import annotations

import msgspec

from ludotheque.study.review import PendingDecision, judge


def judged(encoded: bytes) -> bytes:
    """A decision as it was judged."""
    return msgspec.msgpack.encode(judge(msgspec.msgpack.decode(encoded, type=PendingDecision)))
