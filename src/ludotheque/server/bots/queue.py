"""The queue for the worker processes of bots: tables with people waiting first, short searches first."""

from __future__ import annotations

import asyncio
import heapq
import time
from itertools import count
from typing import Final

from ludotheque.bots.levels import level
from ludotheque.server.table_bots import RANDOM

HEADSTART: Final = 20.0
"""A search that takes a second less may go before one that was asked for this many seconds earlier."""


def expected_seconds(name: str) -> float:
    """The time that a bot of a level needs for a move, typically."""
    return 0.0 if name == RANDOM else level(int(name)).seconds


class FairQueue:
    """A number of places. Waiting searches get them by urgency, then by time of arrival and expected length, so that
    among equally urgent ones no search waits for ever."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[tuple[bool, float, int, asyncio.Future[None]]] = []
        self._serial = count()

    async def acquire(self, *, people_wait: bool, seconds: float) -> None:
        """Wait for a place."""
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        deadline = time.monotonic() + HEADSTART * seconds
        heapq.heappush(self._waiting, (not people_wait, deadline, next(self._serial), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Give the place to the next in the queue."""
        while self._waiting:
            turn = heapq.heappop(self._waiting)[-1]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
