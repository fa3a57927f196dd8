"""Processes that tests start end with the tests, even when those are killed.

The test holds a pipe to the process, and nothing is ever written to it: the pipe ends when the test does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any


def start_python(*words: str, **options: Any) -> subprocess.Popen[str]:
    """Start Python on a script or module that calls `end_with_tests`."""
    return subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, text=True, **options)


def end_with_tests() -> None:
    """In a process that tests started: end when they do."""
    threading.Thread(target=_wait_for_the_end, daemon=True).start()


def _wait_for_the_end() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


_KEEP_RUNNING = '"$@" & program=$!; read -r _; kill -QUIT $program; wait $program'


def start_program(command: Sequence[str], before: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start another program, which `stop_program` or the end of the tests quits; `before` runs it as another user.

    It has a session of its own, so that Ctrl-C does not reach the shell that waits to quit it.
    """
    words = [*before, "sh", "-c", _KEEP_RUNNING, "sh", *command]
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )


def stop_program(program: subprocess.Popen[bytes]) -> None:
    assert program.stdin
    program.stdin.close()
    program.wait(60)
