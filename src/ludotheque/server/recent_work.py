"""The work that each client has caused lately."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

_MOST_CLIENTS: Final = 1000
"""The most clients whose work is remembered."""


class _Waiting(Struct):
    """A client who waits for more work to be done."""

    since: float
    pieces: int = 0


class RecentWork:
    """The seconds of work that each client has caused lately."""

    def __init__(self, forgotten: float) -> None:
        """`forgotten`: the seconds of a client's work that are forgotten each second."""
        self._forgotten = forgotten
        self._until: OrderedDict[str, float] = OrderedDict()
        """The time at which all work of a client is forgotten; those who worked most recently last."""
        self._waiting: dict[str, _Waiting] = {}

    def seconds(self, client: str) -> float:
        return max(0.0, self._until.get(client, 0.0) - self._now(client)) * self._forgotten

    @contextmanager
    def kept(self, client: str) -> Iterator[None]:
        """Forget nothing while a client waits for more: else those who ask without end would soon count as having
        caused little, because they have to share."""
        waiting = self._waiting.setdefault(client, _Waiting(time.monotonic()))
        waiting.pieces += 1
        try:
            yield
        finally:
            waiting.pieces -= 1
            if not waiting.pieces:
                del self._waiting[client]
                if client in self._until:
                    self._until[client] += time.monotonic() - waiting.since

    def _now(self, client: str) -> float:
        """The time, which stands still for a client who waits."""
        waiting = self._waiting.get(client)
        return waiting.since if waiting else time.monotonic()

    def add(self, client: str, seconds: float) -> None:
        self._until[client] = self._now(client) + (self.seconds(client) + seconds) / self._forgotten
        self._until.move_to_end(client)
        if len(self._until) > _MOST_CLIENTS:
            self._until.popitem(last=False)
