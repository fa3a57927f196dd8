"""What macOS and Windows lack or refuse, as far as it can be seen on Linux: by types and by stand-ins."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path, PureWindowsPath

import pytest

from ludotheque.bots import workers
from ludotheque.bots.workers import Limit, TookTooLong, WorkerPool, work_in_background
from ludotheque.core.options import read_document
from ludotheque.server.bots import worker
from ludotheque.server.routes.pages import _static_path
from ludotheque.server.run import MACOS_FILES, raise_open_files

ROOT = Path(__file__).parents[1]
NEEDS_PROGRAMS = "src/ludotheque/bots/engine.py"
"""Refuses Windows before it runs anything: bots that are programs need Linux or macOS."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="a stand-in for another system")


@pytest.mark.full
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_another_system_has_all_functions_and_signals_that_we_use(system: str, tmp_path: Path) -> None:
    options = ("--platform", system, "--no-warn-unreachable", "--cache-dir", str(tmp_path))
    command = [sys.executable, "-m", "mypy", *options, "src/ludotheque"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    errors = [line for line in checked.stdout.splitlines() if ": error: " in line]
    assert [line for line in errors if not line.startswith(f"{NEEDS_PROGRAMS}:")] == []
    assert checked.returncode == bool(errors), checked.stderr


# Windows.


def begin_as_on_windows() -> None:
    """In a worker, take away what Windows lacks, then begin as the workers of a server do."""
    sys.platform = "win32"
    for owner, names in ((os, ("nice",)), (signal, ("setitimer", "ITIMER_PROF", "SIGPROF"))):
        for name in names:
            delattr(owner, name)
    work_in_background()
    worker.begin()


@linux
def test_workers_of_a_server_work_and_are_limited_without_priorities_and_timers() -> None:
    with WorkerPool(1, begin_as_on_windows, Limit(seconds=1000, real_seconds=60)) as pool:
        assert pool.submit(abs, -3).result() == 3
    with WorkerPool(1, begin_as_on_windows, Limit(seconds=0.1, real_seconds=0.2)) as pool, pytest.raises(TookTooLong):
        pool.submit(time.sleep, 3600).result()


@linux
def test_a_worker_that_dies_is_told_from_slow_work_where_no_signal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(signal, "SIGPROF")
    with WorkerPool(1, work_in_background, Limit(60, 60)) as pool, pytest.raises(workers.WorkerDied, match="code 3"):
        pool.submit(os._exit, 3).result()


def test_static_files_are_found_by_paths_of_windows() -> None:
    assert _static_path(PureWindowsPath("\\styles\\base.css")) == "styles/base.css"
    assert _static_path(PureWindowsPath("C:\\styles\\base.css")) is None
    assert _static_path(PureWindowsPath("\\..\\__init__.py")) is None


def test_documents_may_begin_with_the_mark_of_windows_editors(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text('{"cards": []}', encoding="utf-8-sig")
    assert read_document(str(tmp_path / "cards.json")) == {"cards": []}


# macOS.


@linux
def test_a_server_starts_where_the_system_names_no_limit_of_open_files(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import resource

    set_to: list[tuple[int, int]] = []

    def setrlimit(_: int, limits: tuple[int, int]) -> None:
        """Refuse more than OPEN_MAX, as macOS does."""
        if not 0 < limits[0] <= 10_240:
            raise ValueError("current limit exceeds maximum limit")
        set_to.append(limits)

    monkeypatch.setattr(resource, "getrlimit", lambda kind: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    with caplog.at_level(logging.WARNING, logger="ludotheque.server"):
        raise_open_files()
    assert set_to == [(MACOS_FILES, resource.RLIM_INFINITY)]
    assert caplog.text == ""
