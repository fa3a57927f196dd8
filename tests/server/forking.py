"""Servers that start quickly: each is forked from a process that has loaded the server before."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path


class ForkedServer:
    """A process of a server, to be used like a `subprocess.Popen`."""

    def __init__(self, words: list[str], log: Path) -> None:
        their_input, lifeline = os.pipe()
        output, their_output = os.pipe()
        told, their_told = os.pipe()
        with log.open("ab") as file:
            theirs = [their_input, their_output, file.fileno(), their_told]
            socket.send_fds(_forker().control, [json.dumps(words).encode()], theirs)
        for end in (their_input, their_output, their_told):
            os.close(end)
        self.stdin, self.stdout = os.fdopen(lifeline, "w"), os.fdopen(output)
        self._told = os.fdopen(told)
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit code, if it has ended."""
        return self._ended_within(0)

    def wait(self, seconds: float) -> int:
        code = self._ended_within(seconds)
        if code is None:
            raise subprocess.TimeoutExpired("a server", seconds)
        return code

    def _ended_within(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], seconds)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forker:
    """The process that forks servers, one for each process of tests; it ends with that."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.launch", "--fork"], stdin=theirs.fileno(), stdout=subprocess.DEVNULL
        )
        theirs.close()
        atexit.register(self.end)

    def end(self) -> None:
        self.control.close()
        self.process.wait()


_forker = cache(Forker)


def use_new_environment() -> None:
    """Fork the next servers from a process that starts anew, with the environment of now."""
    _forker.cache_clear()
