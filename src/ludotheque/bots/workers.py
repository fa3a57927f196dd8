"""Worker processes for long computations: started fresh, ended with their parent, silent at Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Final

_NICENESS: Final = 10
"""The priority of background work, as `nice` counts it."""


def new_workers(count: int, begin: Callable[[], object] | None = None) -> ProcessPoolExecutor:
    """Start `count` processes, each of which calls `begin` first (default: `end_on_interrupt`)."""
    return ProcessPoolExecutor(count, mp_context=_Context(), initializer=begin or end_on_interrupt)


def end_on_interrupt() -> None:
    """In a worker: end at Ctrl-C without a message; the parent prints it."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def ignore_interrupt() -> None:
    """In a worker: ignore Ctrl-C and finish the task; the parent waits for it."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def work_in_background() -> None:
    """In a worker: let others go first, ignore Ctrl-C and finish the task."""
    os.nice(_NICENESS)
    ignore_interrupt()


def end_with_parent() -> None:
    """In a worker: end when the process that started it does, however that ends."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
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
        # A new process has the mask of the thread that starts it; here a Ctrl-C only comes a moment later.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process


def worker_context() -> SpawnContext:
    """What starts a single worker process."""
    return _Context()
