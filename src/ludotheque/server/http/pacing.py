"""Pace the requests that can wait, so that moves never wait for pictures.

All requests that can wait share one budget of processor time. While it is used up, they take turns: one step of one
network, then one of the next, however many requests each has sent.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Final

from ludotheque.server.errors import too_many
from ludotheque.server.http.limits import Bucket, Rule

SHARED_TIME: Final = Rule(1, 0.3)
"""Seconds of processor time for all requests that can wait: 30 % of the process, and a second at once."""
MOST_WAITING: Final = 64
"""The most requests of one network that may wait for their turn."""


class Pacer:
    """The shared budget, and the requests that wait for it."""

    def __init__(self) -> None:
        self._bucket = Bucket(SHARED_TIME)
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_waking = False

    def check(self, network: str) -> None:
        """Raise if too many requests of a network wait already."""
        if len(self._waiting.get(network, ())) >= MOST_WAITING:
            raise too_many(1)

    @property
    def is_busy(self) -> bool:
        """Whether the budget is used up, or others wait for it."""
        return bool(self._waiting) or self._bucket.debt(SHARED_TIME) > 0

    async def turn(self, network: str) -> None:
        """Wait until a network may take the next step."""
        if not self.is_busy:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        self._wake_later()
        await turn

    def spend(self, seconds: float) -> None:
        """Count processor time that a step has taken."""
        self._bucket.left -= seconds

    def _wake_later(self) -> None:
        if not self._is_waking:
            self._is_waking = True
            asyncio.get_running_loop().call_later(self._bucket.debt(SHARED_TIME), self._wake)

    def _wake(self) -> None:
        """Let the next network take one step, unless the budget is used up; look again afterwards."""
        self._is_waking = False
        if not self._bucket.debt(SHARED_TIME):
            self._let_next_go()
        if self._waiting:
            self._wake_later()

    def _let_next_go(self) -> None:
        network, turns = self._waiting.popitem(last=False)
        while turns:
            turn = turns.popleft()
            if not turn.done():  # it is, if the request was cancelled
                turn.set_result(None)
                break
        if turns:
            self._waiting[network] = turns
