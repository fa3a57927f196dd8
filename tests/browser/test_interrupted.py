"""A test run that is killed leaves no process behind: no server, no browser, no database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from tests.server.harness import wait_until
from tests.server.postgres import why_not

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

START_ALL = """
import os, signal, sys
from contextlib import ExitStack
from pathlib import Path
from playwright.sync_api import sync_playwright
from tests.browser.conftest import chromium
from tests.browser.server import Server as BrowserServer
from tests.server.harness import Server
from tests.server.postgres import running_database, why_not
folder = Path(sys.argv[1])
with ExitStack() as stack:
    if not why_not():
        stack.enter_context(running_database())
    playwright = stack.enter_context(sync_playwright())
    playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
    Server(folder / "one")
    BrowserServer(folder / "two")
    print("started", flush=True)
    sys.stdin.read()
"""
MARK = "LUDOTHEQUE_INTERRUPTED_TEST"


def processes(mark: str) -> list[str]:
    """The commands of the processes that have the mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


@pytest.mark.full
def test_a_killed_run_leaves_no_server_browser_or_database(tmp_path: Path) -> None:
    mark = uuid4().hex
    words = [sys.executable, "-c", START_ALL, str(tmp_path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, MARK: mark}
    ) as run:
        assert run.stdout
        assert run.stdout.readline() == "started\n"
        names = " ".join(processes(mark))
        expected = ["chrom", "tests.server.launch", *([] if why_not() else ["postgres"])]
        assert [name for name in expected if name not in names] == []
        run.send_signal(signal.SIGKILL)
    wait_until(lambda: not processes(mark))
