"""Two server processes on one PostgreSQL, where there is one to be had: what one of them does, the other shows."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.harness import Browser, Server, wait_until
from tests.server.test_after import play_out

BIN = Path(shutil.which("initdb") or "").resolve().parent
RUNUSER = shutil.which("runuser", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
ROOT = os.geteuid() == 0


def as_its_user(*command: str) -> None:
    """PostgreSQL refuses to run as root."""
    words = [str(RUNUSER), "-u", "postgres", "--", *command] if ROOT else [*command]
    subprocess.run(words, check=True, capture_output=True, cwd="/")


def why_not() -> str:
    if not shutil.which("initdb"):
        return "PostgreSQL is not installed here"
    if ROOT and not RUNUSER:
        return "there is no runuser to run it as another user"
    if ROOT and subprocess.run(["id", "postgres"], capture_output=True).returncode:
        return "there is no user postgres to run it as"
    return ""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A database of its own, gone afterwards."""
    if why_not():
        pytest.skip(why_not())
    # Not below pytest's own folder, which PostgreSQL's user may not enter.
    with tempfile.TemporaryDirectory() as folder:
        if ROOT:
            shutil.chown(folder, "postgres")
        yield from _running(Path(folder))


def _running(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cluster = str(folder / "cluster")
    as_its_user(str(BIN / "initdb"), "-D", cluster, "-U", "tester", "-A", "trust", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    as_its_user(str(BIN / "pg_ctl"), "-D", cluster, "-o", options, "-l", str(folder / "log"), "-w", "start")
    yield f"postgresql+asyncpg://tester@127.0.0.1:{port}/postgres"
    as_its_user(str(BIN / "pg_ctl"), "-D", cluster, "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def servers(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    both = [Server(tmp_path_factory.mktemp("server"), "--no-limits", database) for _ in range(2)]
    yield both
    for server in both:
        server.stop()


@pytest.fixture
def both(servers: list[Server]) -> Iterator[tuple[Browser, Browser]]:
    """The same person at both servers."""
    with servers[0].browser() as here, servers[1].browser() as there:
        here.open("nim", "me me")
        there.http.cookies.update(dict(here.http.cookies))
        yield here, there


def test_a_move_at_one_server_is_shown_by_the_other(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("orchard", "me me")
    with there.socket(table.id) as socket:
        version = socket.hear_until("view")["version"]
        assert here.play(table.id, 0).status_code == 200
        assert socket.hear_until("view", version=version + 1)["last_ply"] == here.view(table.id)["last_ply"]
        here.post(f"/api/tables/{table.id}/chat", {"text": "hello there"})
        assert socket.hear_until("chat")["messages"]


def test_of_two_moves_at_two_servers_one_wins(both: tuple[Browser, Browser]) -> None:
    table = both[0].open("nim", "me me")
    version = both[0].view(table.id)["version"]
    both[1].view(table.id)
    with ThreadPoolExecutor(2) as pool:
        body = {"seat": 0, "version": version, "action": 0}
        answers = list(pool.map(lambda browser: browser.post(f"/api/tables/{table.id}/moves", body), both))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_taking_back_reaches_the_other_server(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("orchard", "me me")
    with there.socket(table.id) as socket:
        socket.hear_until("view")
        here.play(table.id, 0)
        view = socket.hear_until("view", version=2)
        there.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": 2})
        assert socket.hear_until("view", version=3)["last_ply"] == view["last_ply"] - 1


def test_results_and_reviews_are_the_same_at_both_servers(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("nim", "me bot")
    play_out(here, table.id, 0)
    wait_until(lambda: there.view(table.id)["over"])
    assert here.get("/api/statistics").json() == there.get("/api/statistics").json() != {"played": 0, "games": []}
    assert here.post(f"/api/tables/{table.id}/review", {"simulations": 16}).status_code == 200
    wait_until(lambda: there.get(f"/api/tables/{table.id}/review/progress").json()["state"] == "done")
    told = [browser.get(f"/api/tables/{table.id}/review").json() for browser in both]
    assert told[0] == told[1]
    assert told[0]["decisions"]
    side = there.post(f"/api/tables/{table.id}/branch", {"ply": 0, "seat": 0, "level": "random"}).json()
    assert here.get(f"/api/tables/{side['id']}/branches").json()["branched_from"]["ply"] == 0
