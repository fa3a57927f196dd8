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

from tests.lifeline import start_program, stop_program
from tests.server.harness import wait_until

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


@contextmanager
def running_database() -> Iterator[str]:
    """The address of a database of its own."""
    # Not below pytest's own folder, which PostgreSQL's user may not enter.
    with tempfile.TemporaryDirectory() as folder:
        if ROOT:
            shutil.chown(folder, "postgres")
        yield from _run(Path(folder))


def _run(folder: Path) -> Iterator[str]:
    assert PROGRAMS
    # PostgreSQL refuses to run as root.
    before = [str(RUNUSER), "-u", "postgres", "--"] if ROOT else []
    cluster, port = str(folder / "cluster"), _free_port()
    make = [str(PROGRAMS / "initdb"), "-D", cluster, "-U", "tester", "-A", "trust", "--no-sync"]
    subprocess.run([*before, *make], check=True, capture_output=True, cwd="/")
    where = ["-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1"]
    program = start_program([str(PROGRAMS / "postgres"), "-D", cluster, *where, "-c", "fsync=off"], before)
    ready = [str(PROGRAMS / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    try:
        wait_until(lambda: program.poll() is None and subprocess.run(ready, check=False).returncode == 0)
        yield f"postgresql+asyncpg://tester@127.0.0.1:{port}/postgres"
    finally:
        stop_program(program)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
