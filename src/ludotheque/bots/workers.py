"""Worker processes: started fresh, ended with their parent, silent at Ctrl-C, and killed if their work takes too long.

All long computations use them: arenas and studies, the bots, reviews and summaries of a server, and what it reads from
strangers. A worker runs one function at a time. One that dies fails its work alone, and is replaced.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from msgspec import Struct

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")
_NICENESS: Final = 10
"""The priority of background work, as `nice` counts it."""
_START_SECONDS: Final = 120.0
"""Seconds until a worker must have started, on a busy machine."""
_MOST_KEYS: Final = 1024
"""The most keys of which a pool remembers the worker."""


class TookTooLong(Exception):
    """Work that did not end within its time limit."""


class WorkerDied(Exception):
    """A worker that ended before its work did."""


class Limit(Struct, frozen=True):
    """A time limit for each piece of work.

    It is processor time, so that a busy machine refuses nothing that a quiet one accepts. The longer limit of real time
    ends what waits for something that never comes. On Windows, which has no timer for that, it is the only one.
    """

    seconds: float
    real_seconds: float


# The beginning of a worker.


def end_on_interrupt() -> None:
    """In a worker, end at Ctrl-C without a message; the parent prints it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def ignore_interrupt() -> None:
    """In a worker, ignore Ctrl-C and finish the work; the parent waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def let_others_go_first(niceness: int) -> None:
    """In a worker, lower its priority by this much, as `nice` counts it; Windows has no `nice`."""
    if sys.platform != "win32":
        os.nice(niceness)


def work_in_background() -> None:
    """In a worker, let others go first, ignore Ctrl-C and finish the work."""
    let_others_go_first(_NICENESS)
    ignore_interrupt()


class WorkerPool:
    """A number of workers. Close it, or use it in a `with` statement."""

    def __init__(self, count: int, begin: Callable[[], object] = end_on_interrupt, limit: Limit | None = None) -> None:
        """`begin` is the first function that each worker calls."""
        self.count: Final = count
        self._begin: Final = begin
        self._limit: Final = limit
        self._threads: Final = ThreadPoolExecutor(count, "workers")
        self._lock: Final = threading.Lock()
        self._idle: Final[list[_Worker]] = []
        self._all: Final[set[_Worker]] = set()
        self._by_key: Final[OrderedDict[str, _Worker]] = OrderedDict()
        """The worker that did the last work of a key; the keys used most recently last."""
        self._is_stopped = False

    def start(self) -> None:
        """Start all workers now, so that no work waits for them later; others start when they are needed."""
        with self._lock:
            self._idle.extend(self._new() for _ in range(self.count - len(self._all)))

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function in a worker; its future raises what the function raises, `TookTooLong` or `WorkerDied`."""
        return self._threads.submit(self._call, "", work, args, kwargs)

    def submit_for(self, key: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function in the worker that ran the last one for this key, unless that one is busy or gone."""
        return self._threads.submit(self._call, key, work, args, kwargs)

    def map(self, work: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
        """Run a function for each item; yield the results in the order of the items."""
        futures = [self.submit(work, item) for item in items]
        return (future.result() for future in futures)

    def close(self) -> None:
        """End the workers once they have finished their present work; work that waits is cancelled."""
        self._threads.shutdown(cancel_futures=True)
        self._stop(_Worker.end)

    def kill(self) -> None:
        """End the workers at once; their work fails with `WorkerDied`."""
        self._stop(_Worker.kill)
        self._threads.shutdown(cancel_futures=True)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._threads.shutdown()
            self.close()
        else:
            self.kill()

    def _stop(self, end: Callable[[_Worker], None]) -> None:
        with self._lock:
            self._is_stopped = True
            for worker in self._all:
                end(worker)

    def _call(self, key: str, work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        worker = self._take(key)
        try:
            succeeded, result = worker.call(work, args, kwargs)
        except BaseException:
            worker.remove()
            with self._lock:
                self._forget(worker)
            raise
        with self._lock:
            self._idle.append(worker)
        if not succeeded:
            raise result
        return result

    def _take(self, key: str) -> _Worker:
        with self._lock:
            if self._is_stopped:
                raise WorkerDied("The workers were stopped.")
            for worker in [worker for worker in self._idle if not worker.is_alive()]:
                self._idle.remove(worker)
                self._forget(worker)
                worker.remove()
            known = self._by_key.get(key)
            worker = known if known in self._idle else self._idle[0] if self._idle else self._new()
            if worker in self._idle:
                self._idle.remove(worker)
            if key:
                self._remember(key, worker)
            return worker

    def _forget(self, worker: _Worker) -> None:
        self._all.discard(worker)
        for key in [key for key, known in self._by_key.items() if known is worker]:
            del self._by_key[key]

    def _remember(self, key: str, worker: _Worker) -> None:
        self._by_key[key] = worker
        self._by_key.move_to_end(key)
        if len(self._by_key) > _MOST_KEYS:
            self._by_key.popitem(last=False)

    def _new(self) -> _Worker:
        worker = _Worker(self._begin, self._limit)
        self._all.add(worker)
        return worker


class _Worker:
    """One process, and the connection to it."""

    def __init__(self, begin: Callable[[], object], limit: Limit | None) -> None:
        self._limit: Final = limit
        context = _Context()
        self._connection, theirs = context.Pipe()
        self._process: Final = context.Process(target=_serve, args=(theirs, begin), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def call(self, work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, Any]:
        """Run a function; return whether it succeeded, and its result or its error."""
        limit = self._limit
        try:
            if not self._is_ready:
                self._is_ready = bool(self._receive(_START_SECONDS))
            self._connection.send((limit.seconds if limit else 0.0, work, args, kwargs))
            succeeded, result = self._receive(limit.real_seconds if limit else None)
            return succeeded, result
        except (EOFError, OSError) as error:
            self._process.join()
            if limit and sys.platform != "win32" and self._process.exitcode == -signal.SIGPROF:
                raise TookTooLong("The work took too long.") from error
            raise WorkerDied(f"A worker ended with exit code {self._process.exitcode}.") from error

    def _receive(self, seconds: float | None) -> Any:
        if not self._connection.poll(seconds):
            raise TookTooLong("The work took too long.")
        return self._connection.recv()

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        """End an idle process, which waits for its next work."""
        self._connection.close()
        self._process.join()

    def kill(self) -> None:
        self._process.kill()

    def remove(self) -> None:
        """End the process at once, and keep nothing of it open."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _serve(connection: Connection, begin: Callable[[], object]) -> None:
    """Do what is asked, one request after the other, until the parent closes the connection or dies."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin()
    with suppress(EOFError, ConnectionError):
        connection.send(True)
        while True:
            connection.send(_reply(*connection.recv()))


def _reply(seconds: float, work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, Any]:
    """Whether the work succeeded, and its result or its error, which the parent raises again."""
    _limit_processor_time(seconds)  # SIGPROF ends the process, even within a long computation of the interpreter.
    try:
        return True, work(*args, **kwargs)
    except Exception as error:
        return False, error
    finally:
        _limit_processor_time(0)


def _limit_processor_time(seconds: float) -> None:
    """Let SIGPROF come after this much processor time; 0 for never. See `Limit`."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _end_with_parent() -> None:
    """End when the process that started this one does, however that ends."""
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(0)


class _Process(SpawnProcess):
    """A process that Ctrl-C does not reach before it has begun: it would print where in its imports it was."""

    def start(self) -> None:
        if sys.platform == "win32":
            super().start()
            return
        resource_tracker.ensure_running()  # else the first process starts it, and that unblocks the signal again
        # A new process has the mask of the thread that starts it; here a Ctrl-C only comes a moment later.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process
