"""The queue for worker processes and for the database: people who wait come first, networks take turns, short work
first."""

from __future__ import annotations

import asyncio
import heapq
import time
from itertools import count
from typing import Final

from msgspec import Struct

Turn = asyncio.Future[None]
SHORT: Final = 1.5
"""Seconds up to which a piece of work is short."""
HEADSTART: Final = 20.0
"""Work that takes a second less may go before what was asked for this many seconds earlier."""


class _Waiting(Struct, frozen=True, order=True):
    """A piece of work that waits; compared in the order in which pieces get their places."""

    nobody_waits: bool
    round: int
    deadline: float
    serial: int
    seconds: float
    network: str | None
    turn: Turn


class FairQueue:
    """A number of places. Waiting work gets them by urgency, then network by network, then by time of arrival and
    expected length: among equally urgent pieces none waits for ever, and none for all the work of another network.

    Where there are several places, long work leaves one of them to short work.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._free_for_long = max(1, places - 1)
        self._waiting: list[_Waiting] = []
        self._serial = count()
        self._round = 0
        """The round of the work that got a place last."""
        self._rounds: dict[str, list[int]] = {}
        """Rounds of the work that waits, by network."""

    async def acquire(self, *, people_wait: bool, seconds: float, network: str | None = None) -> None:
        """Wait for a place; `network` is that of the people who wait, None if their work is limited already."""
        if self._has_place(seconds):
            self._take_place(seconds)
            return
        turn: Turn = asyncio.get_running_loop().create_future()
        deadline = time.monotonic() + HEADSTART * seconds
        round = self._next_round(network)
        heapq.heappush(
            self._waiting, _Waiting(not people_wait, round, deadline, next(self._serial), seconds, network, turn)
        )
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(seconds)
            raise

    def release(self, seconds: float) -> None:
        """Give the place of work of this length to the next in the queue."""
        self._free += 1
        self._free_for_long += seconds > SHORT
        kept = []
        while self._free and self._waiting:
            next_one = heapq.heappop(self._waiting)
            if not next_one.turn.done() and not self._has_place(next_one.seconds):
                kept.append(next_one)
                continue
            self._leave(next_one)
            if not next_one.turn.done():
                self._round = next_one.round
                self._take_place(next_one.seconds)
                next_one.turn.set_result(None)
        for skipped in kept:
            heapq.heappush(self._waiting, skipped)

    def _has_place(self, seconds: float) -> bool:
        return self._free > 0 and (seconds <= SHORT or self._free_for_long > 0)

    def _take_place(self, seconds: float) -> None:
        self._free -= 1
        self._free_for_long -= seconds > SHORT

    def _next_round(self, network: str | None) -> int:
        """The present round, or the one after the latest that work of this network waits for."""
        if network is None:
            return self._round
        rounds = self._rounds.setdefault(network, [])
        rounds.append(max(self._round, max(rounds, default=-1) + 1))
        return rounds[-1]

    def _leave(self, waiting: _Waiting) -> None:
        if waiting.network is not None:
            self._rounds[waiting.network].remove(waiting.round)
            if not self._rounds[waiting.network]:
                del self._rounds[waiting.network]
