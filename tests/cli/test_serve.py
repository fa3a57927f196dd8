"""`serve`, run in a separate process."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.cli.test_commands import shell
from tests.lifeline import start_python

SERVE = """
from ludotheque.cli import main
from tests.lifeline import end_with_tests
end_with_tests()
main()
"""


def test_serve_prints_its_address_responds_there_and_stops_at_ctrl_c(tmp_path: Path) -> None:
    words = ("-c", SERVE, "serve", "--port", "0", "--data", str(tmp_path / "new"))
    with start_python(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stderr
        printed = server.stdout.readline()
        address = re.fullmatch(r"Ludotheque is running at (http://localhost:\d+/); press Ctrl-C to stop it.\n", printed)
        assert address
        assert httpx.get(f"{address[1]}health", timeout=60).json()["status"] == "ok"
        server.send_signal(signal.SIGINT)
        logged = server.stderr.read()
    assert "Traceback" not in logged
    assert '"stopped"' in logged


def test_serve_says_that_a_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        answer = shell("serve", "--port", str(other.getsockname()[1]), "--data", tmp_path)
    assert answer.returncode == 1
    assert "The server cannot listen: Address already in use" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        (("--data", "/dev/null/x"), "The database in '/dev/null/x' cannot be opened: Not a directory."),
        (("--database", "bla://me:secret@x"), "The database named by --database cannot be opened"),
    ],
)
def test_serve_names_a_database_error_without_the_password(named: list[str], sentence: str) -> None:
    answer = shell("serve", "--port", "0", *named)
    assert answer.returncode == 1
    assert sentence in answer.stderr
    assert "secret" not in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
