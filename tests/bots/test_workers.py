"""Worker processes and Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, Future

import pytest

from ludotheque.bots.workers import WorkerDied, WorkerPool, ignore_interrupt

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")


def at_interrupt() -> tuple[bool, object]:
    """Whether an interrupt is kept waiting here, and what it would do."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGINT)


def test_an_interrupt_ends_a_worker_without_a_word_once_it_has_begun() -> None:
    before = at_interrupt()
    with WorkerPool(1) as workers:
        assert workers.submit(at_interrupt).result() == (False, signal.SIG_DFL)
    assert at_interrupt() == before


def test_an_interrupt_does_not_reach_a_worker_that_is_starting() -> None:
    with WorkerPool(1, ignore_interrupt) as workers:
        waits, _ = workers.submit(at_interrupt).result()
        assert waits


def test_a_worker_ends_with_whoever_started_it() -> None:
    """The worker holds on to the output of its parent, which was killed; so the output ends when it does."""
    script = (
        "import os, signal, time\n"
        "from ludotheque.bots.workers import WorkerPool\n"
        "if __name__ == '__main__':\n"
        "    workers = WorkerPool(1)\n"
        "    workers.submit(os.getpid).result()\n"
        "    workers.submit(time.sleep, 3600)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=False, timeout=300)
    assert killed.returncode == -signal.SIGKILL


def test_a_worker_that_dies_fails_its_own_work_alone() -> None:
    with WorkerPool(2, ignore_interrupt) as workers:
        workers.start()
        first = workers.submit_for("one", os.getpid).result()
        with pytest.raises(WorkerDied, match="exit code 3"):
            workers.submit_for("two", os._exit, 3).result()
        assert workers.submit_for("one", os.getpid).result() == first
        assert workers.submit_for("two", os.getpid).result() != os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc lists")
def test_workers_that_died_keep_no_files_open() -> None:
    with WorkerPool(1) as workers:
        workers.submit_for("first", os.getpid).result()
        before = len(os.listdir("/proc/self/fd"))
        for key in range(10):
            with pytest.raises(WorkerDied):
                workers.submit_for(str(key), os._exit, 3).result()
        workers.submit_for("last", os.getpid).result()
        gc.collect()
        assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_work_for_the_same_key_runs_in_the_same_worker_while_it_is_free() -> None:
    with WorkerPool(3, ignore_interrupt) as workers:
        workers.start()
        ones = {workers.submit_for("one", os.getpid).result() for _ in range(3)}
        twos = {workers.submit_for("two", os.getpid).result() for _ in range(3)}
        again = workers.submit_for("one", os.getpid).result()
        assert (len(ones), len(twos), again) == (1, 1, *ones)
        assert ones != twos


def test_an_idle_worker_that_was_killed_is_replaced() -> None:
    with WorkerPool(1, ignore_interrupt) as workers:
        first = workers.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        (worker,) = workers._all
        worker._process.join()
        assert workers.submit(os.getpid).result() != first


def test_an_error_of_the_work_comes_back_and_the_worker_lives_on() -> None:
    with WorkerPool(1, ignore_interrupt) as workers:
        first = workers.submit(os.getpid).result()
        with pytest.raises(ZeroDivisionError):
            workers.submit(divmod, 1, 0).result()
        assert workers.submit(os.getpid).result() == first
        assert list(workers.map(abs, [-1, 2, -3])) == [1, 2, 3]


def test_a_pool_that_is_left_by_an_error_does_not_wait_for_its_work() -> None:
    asleep: list[Future[None]] = []

    def leave() -> None:
        with WorkerPool(1) as workers:
            workers.submit(os.getpid).result()
            asleep.append(workers.submit(time.sleep, 3600))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    with pytest.raises((WorkerDied, CancelledError)):
        asleep[0].result()
