"""The queue for the worker processes of bots: people who wait come first, networks take turns, short searches first."""

from __future__ import annotations

import asyncio
import heapq
import time
from itertools import count
from math import ceil
from typing import Final

from msgspec import Struct

from ludotheque.bots.levels import level
from ludotheque.server.table_bots import RANDOM

Turn = asyncio.Future[None]
SHORT: Final = 1.5
"""Seconds up to which a search is short."""
HEADSTART: Final = 20.0
"""A search that takes a second less may go before one that was asked for this many seconds earlier."""


def expected_seconds(name: str) -> float:
    """The time that a bot of a level needs for a move, typically."""
    return 0.0 if name == RANDOM else level(ceil(float(name))).seconds


class _Search(Struct, frozen=True, order=True):
    """A search that waits; compared in the order in which searches get their places."""

    nobody_waits: bool
    round: int
    deadline: float
    serial: int
    seconds: float
    network: str | None
    turn: Turn


class FairQueue:
    """A number of places. Waiting searches get them by urgency, then network by network, then by time of arrival and
    expected length: among equally urgent ones none waits for ever, and none for all the searches of another network.

    Where there are several places, long searches leave one of them to short ones.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._free_for_long = max(1, places - 1)
        self._waiting: list[_Search] = []
        self._serial = count()
        self._round = 0
        """The round of the search that got a place last."""
        self._rounds: dict[str, list[int]] = {}
        """Rounds of the searches that wait, by network."""

    async def acquire(self, *, people_wait: bool, seconds: float, network: str | None = None) -> None:
        """Wait for a place; `network` is that of the people who wait, None if their searches are limited already."""
        if self._has_place(seconds):
            self._take_place(seconds)
            return
        turn: Turn = asyncio.get_running_loop().create_future()
        deadline = time.monotonic() + HEADSTART * seconds
        round = self._next_round(network)
        heapq.heappush(
            self._waiting, _Search(not people_wait, round, deadline, next(self._serial), seconds, network, turn)
        )
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(seconds)
            raise

    def release(self, seconds: float) -> None:
        """Give the place of a search of this length to the next in the queue."""
        self._free += 1
        self._free_for_long += seconds > SHORT
        kept = []
        while self._free and self._waiting:
            search = heapq.heappop(self._waiting)
            if not search.turn.done() and not self._has_place(search.seconds):
                kept.append(search)
                continue
            self._leave(search)
            if not search.turn.done():
                self._round = search.round
                self._take_place(search.seconds)
                search.turn.set_result(None)
        for search in kept:
            heapq.heappush(self._waiting, search)

    def _has_place(self, seconds: float) -> bool:
        return self._free > 0 and (seconds <= SHORT or self._free_for_long > 0)

    def _take_place(self, seconds: float) -> None:
        self._free -= 1
        self._free_for_long -= seconds > SHORT

    def _next_round(self, network: str | None) -> int:
        """The present round, or the one after the latest that a search of this network waits for."""
        if network is None:
            return self._round
        rounds = self._rounds.setdefault(network, [])
        rounds.append(max(self._round, max(rounds, default=-1) + 1))
        return rounds[-1]

    def _leave(self, search: _Search) -> None:
        if search.network is not None:
            self._rounds[search.network].remove(search.round)
            if not self._rounds[search.network]:
                del self._rounds[search.network]
