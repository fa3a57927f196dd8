"""The work that each client has caused lately."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

_MOST_CLIENTS: Final = 1000
"""The most clients whose work is remembered."""


class RecentWork:
    """The seconds of work that each client has caused lately."""

    def __init__(self, forgotten: float) -> None:
        """`forgotten`: the seconds of a client's work that are forgotten each second."""
        self._forgotten = forgotten
        self._until: OrderedDict[str, float] = OrderedDict()
        """The time at which all work of a client is forgotten; those who worked most recently last."""

    def seconds(self, client: str) -> float:
        return max(0.0, self._until.get(client, 0.0) - time.monotonic()) * self._forgotten

    def add(self, client: str, seconds: float) -> None:
        self._until[client] = time.monotonic() + (self.seconds(client) + seconds) / self._forgotten
        self._until.move_to_end(client)
        if len(self._until) > _MOST_CLIENTS:
            self._until.popitem(last=False)
