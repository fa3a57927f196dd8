"""`serve`, run in a separate process."""

from __future__ import annotations

import logging
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import ludotheque
from ludotheque.cli import greeting
from ludotheque.core.errors import BadOption
from ludotheque.server.config import Settings
from ludotheque.server.logs import JsonLines, ReadableLines
from ludotheque.server.run import check_database
from tests.apart import in_a_thread
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
        (("--database", "postgres://me:secret@127.0.0.1:1/x"), "--database cannot be opened: Connect call failed"),
    ],
)
def test_serve_names_a_database_error_without_the_password(named: list[str], sentence: str) -> None:
    answer = shell("serve", "--port", "0", *named)
    assert answer.returncode == 1
    assert sentence in answer.stderr
    assert "secret" not in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


def test_serve_says_what_to_install_for_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    settings = Settings(data=Path(), database="postgresql://me@127.0.0.1:1/x")
    with pytest.raises(BadOption, match=r"pip install 'ludotheque\[postgres\]'"):
        in_a_thread(lambda: check_database(settings))


@pytest.mark.parametrize(
    ("host", "public_url", "invitation"),
    [
        ("127.0.0.1", "", "to let others on your network join, start again with --host 0.0.0.0"),
        ("0.0.0.0", "", "on the same network, they open http://192.168.1.20:8000/"),
        ("fe80::1", "", "on the same network, they open http://[fe80::1]:8000/"),
        ("127.0.0.1", "https://games.example.org", "they open https://games.example.org"),
    ],
)
def test_serve_greets_a_person_with_the_address_an_invitation_and_how_to_stop(
    host: str, public_url: str, invitation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(greeting, "network_address", lambda: "192.168.1.20")
    text = "\n".join(greeting.greeting(host, 8000, public_url))
    assert f"Play here        {greeting.address(host, 8000)}" in text
    assert f"Invite friends   {invitation}" in text
    assert "press Ctrl-C" in text


def test_serve_says_that_a_machine_is_on_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greeting, "network_address", lambda: "")
    assert "this machine is on no network" in "\n".join(greeting.greeting("0.0.0.0", 8000, ""))


@pytest.mark.parametrize(("asked_for", "cure"), [(True, "unset LUDOTHEQUE_PURE"), (False, "install a C compiler")])
def test_a_person_reads_how_slow_a_game_is_that_is_not_compiled(
    asked_for: bool, cure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ludotheque, "COMPILED", False)
    monkeypatch.setattr("ludotheque._pure.ASKED_FOR", asked_for)
    (line,) = greeting.slowness()
    assert re.search(rf"80 to 220 times slower here\. To mend that, {cure}", line)
    assert line in [*greeting.greeting("127.0.0.1", 8000, "")]
    limits = Path(__file__).parents[2] / "docs" / "known-limits.md"
    assert "80 to 220 times slower" in limits.read_text(encoding="utf-8")


def test_nobody_reads_of_compilers_where_the_game_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ludotheque, "COMPILED", True)
    assert [*greeting.slowness()] == []


@pytest.mark.parametrize("command", ["play", "learn"])
def test_the_terminal_says_first_how_slow_it_is(command: str) -> None:
    answer = shell(command, "passerelles", LUDOTHEQUE_PURE="1")
    assert answer.stdout.startswith("Not compiled: rules and bots are 80 to 220 times slower here.")


def test_logs_are_lines_for_people_and_json_for_programs() -> None:
    event = logging.makeLogRecord({"msg": "slow", "levelno": 30, "levelname": "WARNING", "created": 0, "ms": 7})
    event.name = "root"
    assert ReadableLines().format(event).endswith(" warning: slow ms=7")
    assert JsonLines().format(event) == (
        '{"time":"1970-01-01T00:00:00.000+00:00","level":"warning","logger":"root","event":"slow","ms":7}'
    )


LOG_A_SOCKET = """
import logging
from ludotheque.server.logs import configure_logs
configure_logs(as_lines=True)
log = logging.getLogger("uvicorn.error")
for end in ("[accepted]", "403", "%d"):
    log.info('%s - "WebSocket %s" ' + end, "192.0.2.7:5000", "/ws/tables/k3v9x2m4qa", *[404] * (end == "%d"))
log.info("Started server process [%d]", 7)
"""


def test_the_address_of_a_visitor_is_not_logged() -> None:
    logged = subprocess.run([sys.executable, "-c", LOG_A_SOCKET], capture_output=True, text=True, check=True).stderr
    assert [line.partition(" ")[2] for line in logged.splitlines()] == ["Started server process [7]"]


def test_serve_says_that_the_database_is_damaged(tmp_path: Path) -> None:
    in_a_thread(lambda: check_database(Settings(data=tmp_path)))
    path = tmp_path / "ludotheque.sqlite3"
    content = bytearray(path.read_bytes())
    content[4096 : 2 * 4096] = b"\x55" * 4096
    path.write_bytes(bytes(content))
    answer = shell("serve", "--port", "0", "--data", tmp_path)
    assert answer.returncode == 1
    assert "The database is damaged" in answer.stderr
    assert "restore it from a copy" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
