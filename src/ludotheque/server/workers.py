"""Worker processes for what strangers ask for: within a time limit, in turn, and at low priority."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final, ParamSpec, TypeVar

from ludotheque.bots.workers import Limit, WorkerDied, WorkerPool, work_in_background
from ludotheque.server.errors import too_many
from ludotheque.server.fair_queue import FairQueue
from ludotheque.server.recent_work import RecentWork

MOST_PER_CLIENT: Final = 10
"""Pieces of work of one client that may wait or run."""
WAITING: Final = 30.0
"""Real time that work may take on a busy machine, as a multiple of its processor time."""

FORGOTTEN: Final = 0.1
"""Seconds of a client's work that are forgotten each second."""

P = ParamSpec("P")
T = TypeVar("T")


class LimitedWorkers:
    """Workers that clients take turns at, each piece of work within a time limit.

    A client gets one of them at a time. Clients whose work was long lately leave one of several workers to the others,
    so that however many send slow work, the quick work of one more does not wait for it.
    """

    def __init__(self, count: int, seconds: float, real_seconds: float | None = None) -> None:
        """`seconds` of processor time for each piece of work; `real_seconds` if not `WAITING` times as many."""
        self._seconds = seconds
        limit = Limit(seconds, WAITING * seconds if real_seconds is None else real_seconds)
        self._pool = WorkerPool(count, work_in_background, limit)
        self._queue = FairQueue(count)
        self._recent = RecentWork(FORGOTTEN)
        self._clients: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}
        """Locks of the clients with work that waits or runs, held while some of it runs."""
        self._is_stopped = False

    async def run(self, client: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a worker; `Refused` if too much work of this client is waiting already.

        Raises what the function raises, `TookTooLong` or `WorkerDied`.
        """
        if client and self._clients[client] >= MOST_PER_CLIENT:
            raise too_many(round(self._seconds))
        self._clients[client] += 1
        running = asyncio.ensure_future(self._run_in_turn(client, work, *args, **kwargs))
        running.add_done_callback(lambda _: self._forget(client))
        return await asyncio.shield(running)

    async def _run_in_turn(self, client: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a worker, once the earlier work of this client has ended."""
        async with self._turn(client):
            expected = self._recent.seconds(client) if client else 0.0
            await self._queue.acquire(people_wait=True, seconds=expected, network=client or None)
            began = time.monotonic()
            try:
                return await self._run(work, *args, **kwargs)
            finally:
                self._recent.add(client, time.monotonic() - began)
                self._queue.release(expected)

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._is_stopped:
            raise WorkerDied("The workers were stopped.")
        return await asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))

    def _turn(self, client: str) -> Any:
        return self._turns.setdefault(client, asyncio.Lock()) if client else nullcontext()

    async def stop(self) -> None:
        """Kill the workers."""
        self._is_stopped = True
        await asyncio.to_thread(self._pool.kill)

    def _forget(self, client: str) -> None:
        self._clients -= Counter([client])
        if client not in self._clients:
            self._turns.pop(client, None)
