"""A PostgreSQL database for tests, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.lifeline import start_program, stop_program
from tests.server.harness import run_apart, wait_until

ROOT = os.geteuid() == 0
RUNUSER = shutil.which("runuser", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def _programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return installed[-1].parent if installed else None


PROGRAMS = _programs()


def why_not() -> str:
    """Why no database can be run here; empty where one can."""
    if not PROGRAMS:
        return "PostgreSQL is not installed here"
    if ROOT and not RUNUSER:
        return "there is no runuser to run it as another user"
    if ROOT and subprocess.run(["id", "postgres"], capture_output=True).returncode:
        return "there is no user postgres to run it as"
    return ""


class Database:
    """A PostgreSQL that can be killed and started again."""

    def __init__(self, folder: Path, is_durable: bool = False) -> None:
        assert PROGRAMS
        self._fsync = "on" if is_durable else "off"
        self._programs = PROGRAMS
        # PostgreSQL refuses to run as root.
        self._before = [str(RUNUSER), "-u", "postgres", "--"] if ROOT else []
        self._folder, self._cluster, self._port = folder, folder / "cluster", free_port()
        make = [str(PROGRAMS / "initdb"), "-D", str(self._cluster), "-U", "tester", "-A", "trust", "--no-sync"]
        subprocess.run([*self._before, *make], check=True, capture_output=True, cwd="/")
        self.start()

    @property
    def address(self) -> str:
        return f"postgresql+asyncpg://tester@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        where = ["-p", str(self._port), "-k", str(self._folder), "-c", "listen_addresses=127.0.0.1"]
        words = [str(self._programs / "postgres"), "-D", str(self._cluster), *where, "-c", f"fsync={self._fsync}"]
        self._program = start_program(words, self._before)
        ready = [str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        wait_until(lambda: self._program.poll() is None and subprocess.run(ready, check=False).returncode == 0)

    @property
    def pid(self) -> int:
        return self._program.pid

    def stop(self) -> None:
        """End it at once, with all its connections, as a crash would."""
        stop_program(self._program)

    def execute(self, statement: str) -> list[Any]:
        """Run one statement, and return its rows."""

        async def run() -> list[Any]:
            connection = await asyncpg.connect(self.address.replace("+asyncpg", ""))
            try:
                return [tuple(row) for row in await connection.fetch(statement)]
            finally:
                await connection.close()

        return run_apart(run())


@contextmanager
def running_database(is_durable: bool = False) -> Iterator[Database]:
    """A database of its own; unless it is durable, it does not wait for the disk."""
    # Not below pytest's own folder, which PostgreSQL's user may not enter.
    with tempfile.TemporaryDirectory() as folder:
        if ROOT:
            shutil.chown(folder, "postgres")
        database = Database(Path(folder), is_durable)
        try:
            yield database
        finally:
            database.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
