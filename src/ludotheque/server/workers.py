"""Worker processes for work with a time limit: a worker that takes too long is killed, and the server goes on.

The limit is processor time, so that a busy machine refuses nothing that a quiet one accepts. A longer limit of real
time ends what waits for something that never comes.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from ludotheque.bots.workers import work_in_background, worker_context
from ludotheque.server.errors import too_many

MOST_PER_CLIENT: Final = 10
"""How much work of one client may wait or run."""
WAITING: Final = 30.0
"""How many times its processor time work may take in real time, on a busy machine."""
START_SECONDS: Final = 120.0
"""How long a worker may take to start, on a busy machine."""

P = ParamSpec("P")
T = TypeVar("T")


class TookTooLong(Exception):
    """Work that did not end within its time limit."""


class WorkerDied(Exception):
    """A worker that ended before its work did."""


class LimitedWorkers:
    """Processes that work at low priority, in the order in which they are asked, each within a time limit.

    A client gets one of them at a time, so that with two or more nobody waits for the slow work of one other client.
    """

    def __init__(self, count: int, seconds: float, real_seconds: float | None = None) -> None:
        """`seconds` of processor time for each piece of work; `real_seconds` if not `WAITING` times as many."""
        self._seconds = seconds
        self._real_seconds = WAITING * seconds if real_seconds is None else real_seconds
        self._threads = ThreadPoolExecutor(count, "limited")
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._clients: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}
        """By client with work that waits or runs: locked while some of it runs."""
        self._is_stopped = False

    async def run(self, client: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a worker; `Refused` if too much work of this client is waiting already.

        Raises what the function raises, `TookTooLong` or `WorkerDied`.
        """
        if client and self._clients[client] >= MOST_PER_CLIENT:
            raise too_many(round(self._seconds))
        self._clients[client] += 1
        running = asyncio.ensure_future(self._run_in_turn(client, work, args, kwargs))
        running.add_done_callback(lambda _: self._forget(client))
        result: T = await asyncio.shield(running)
        return result

    async def _run_in_turn(
        self, client: str, work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Run a function in a worker, once the earlier work of this client has ended."""
        async with self._turns.setdefault(client, asyncio.Lock()) if client else nullcontext():
            if self._is_stopped:
                raise WorkerDied
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._call, work, args, kwargs)

    async def stop(self) -> None:
        """Kill the workers."""
        with self._lock:
            self._is_stopped = True
            for worker in self._all:
                worker.kill()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)

    def _forget(self, client: str) -> None:
        self._clients -= Counter([client])
        if client not in self._clients:
            self._turns.pop(client, None)

    def _call(self, work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        worker = self._take()
        try:
            succeeded, result = worker.call((self._seconds, work, args, kwargs), self._real_seconds)
        except BaseException:
            self._drop(worker)
            raise
        with self._lock:
            self._idle.append(worker)
        if not succeeded:
            raise result
        return result

    def _take(self) -> _Worker:
        with self._lock:
            if self._is_stopped:
                raise WorkerDied
            worker = self._idle.pop() if self._idle else _Worker()
            self._all.add(worker)
            return worker

    def _drop(self, worker: _Worker) -> None:
        worker.kill()
        with self._lock:
            self._all.discard(worker)


class _Worker:
    """One process, and the connection to it."""

    def __init__(self) -> None:
        context = worker_context()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def call(self, request: tuple[Any, ...], seconds: float) -> tuple[bool, Any]:
        """Whether the work succeeded, and its result or its error; within a limit of seconds of real time."""
        try:
            if not self._is_ready:
                self._is_ready = bool(self._receive(START_SECONDS))
            self._connection.send(request)
            succeeded, result = self._receive(seconds)
            return succeeded, result
        except (EOFError, OSError) as error:
            self._process.join()
            raise TookTooLong if self._process.exitcode == -signal.SIGPROF else WorkerDied from error

    def _receive(self, seconds: float) -> Any:
        if not self._connection.poll(seconds):
            raise TookTooLong
        return self._connection.recv()

    def kill(self) -> None:
        self._process.kill()


def _serve(connection: Connection) -> None:
    """Do what is asked, one request after the other; runs in the worker."""
    work_in_background()
    connection.send(True)
    while True:
        try:
            seconds, work, args, kwargs = connection.recv()
        except EOFError:
            return
        # SIGPROF ends the process, even within a long computation of the interpreter.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            reply = True, work(*args, **kwargs)
        except Exception as error:  # the server raises it again
            reply = False, error
        signal.setitimer(signal.ITIMER_PROF, 0)
        connection.send(reply)
