"""Worker processes and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from ludotheque.bots.workers import end_with_parent, new_workers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")


def at_interrupt() -> tuple[bool, object]:
    """Whether an interrupt is kept waiting here, and what it would do."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGINT)


def test_an_interrupt_ends_a_worker_without_a_word_once_it_has_begun() -> None:
    before = at_interrupt()
    with new_workers(1) as workers:
        assert workers.submit(at_interrupt).result() == (False, signal.SIG_DFL)
    assert at_interrupt() == before


def test_an_interrupt_does_not_reach_a_worker_that_is_starting() -> None:
    with new_workers(1, end_with_parent) as workers:
        waits, _ = workers.submit(at_interrupt).result()
        assert waits


def test_a_worker_ends_with_whoever_started_it() -> None:
    """The worker holds on to the output of its parent, which was killed; so the output ends when it does."""
    script = (
        "import os, signal, time\n"
        "from ludotheque.bots.workers import new_workers\n"
        "if __name__ == '__main__':\n"
        "    workers = new_workers(1)\n"
        "    workers.submit(os.getpid).result()\n"
        "    workers.submit(time.sleep, 3600)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=False, timeout=300)
    assert killed.returncode == -signal.SIGKILL
