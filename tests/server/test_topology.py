"""The topology of `compose.yaml` without containers: PostgreSQL, two server processes, and nginx in front of them with
`deploy/nginx.conf`. Programs and people come in through the proxy."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.lifeline import start_program, stop_program
from tests.server.harness import NO_TLS, PATIENCE, Server, Socket, first_action, wait_until
from tests.server.postgres import free_port, running_database, why_not
from tests.server.test_postgres import is_ready

NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"

pytestmark = pytest.mark.full


class Topology:
    """Two servers on one database, and the proxy."""

    def __init__(self, folder: Path, database: str, home: str = "$remote_addr") -> None:
        """`home`: how the proxy chooses a process; by address, so that the people of a table are scattered."""
        flags = ("--proxy", "--no-limits", database)
        names = ("first", "second")
        self.servers = [Server(folder / name, *flags, f"--port={free_port()}") for name in names]
        self.port = free_port()
        self._start_proxy(folder, home)

    def _start_proxy(self, folder: Path, home: str) -> None:
        """Run nginx with the configuration of `deploy/`, at other addresses."""
        site = CONFIGURATION.read_text(encoding="utf-8")
        for word, other in (("listen 8080;", f"listen 127.0.0.1:{self.port};"), ("hash $home ", f"hash {home} ")):
            assert word in site
            site = site.replace(word, other)
        for name, server in zip(("first", "second"), self.servers, strict=True):
            assert f"server {name}:8000 " in site
            site = site.replace(f"server {name}:8000 ", f"server 127.0.0.1:{server.port} ")
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = " ".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        main = f"{user} daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}"
        (folder / "nginx.conf").write_text(f"{main} http {{ access_log off; {temporary}\n{site}\n}}\n")
        assert NGINX
        self._proxy = start_program([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health", verify=NO_TLS).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        stop_program(self._proxy)
        for server in self.servers:
            if server.process.poll() is None:
                server.stop()

    @contextmanager
    def visitor(self, address: str = "127.0.0.1", **headers: str) -> Iterator[Visitor]:
        visitor = Visitor(self.port, address, headers)
        with visitor.http:
            yield visitor

    def process_of(self, visitor: Visitor, id: str) -> int:
        """The process that serves a visitor: the one with the socket."""
        before = [self._sockets(server) for server in self.servers]
        with visitor.socket(id) as socket:
            socket.hear_until("view")
            after = [self._sockets(server) for server in self.servers]
        return next(number for number, (old, new) in enumerate(zip(before, after, strict=True)) if new > old)

    def _sockets(self, server: Server) -> int:
        return int(server.get("/health").json()["sockets"])


class Visitor:
    """Someone with an address of their own, who reaches the proxy only."""

    def __init__(self, port: int, address: str, headers: dict[str, str]) -> None:
        self._port, self._address, self._headers = port, address, headers
        transport = httpx.HTTPTransport(local_address=address, verify=NO_TLS)
        self.http = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=PATIENCE, headers=headers
        )

    def open(self, who: str, **more: Any) -> Any:
        seats = [{"who": word} for word in who.split()]
        answer = self.http.post("/api/tables", json={"game": "orchard", "seats": seats, "pace": 0} | more)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def join(self, url: str) -> None:
        path, _, secret = url.partition("#")
        answer = self.http.post(f"/api/tables/{path.removeprefix('/t/')}/join", json={"secret": secret})
        assert answer.status_code == 200, answer.text

    def play(self, id: str, seat: int) -> httpx.Response:
        view = self.http.get(f"/api/tables/{id}", params={"viewer": seat}).json()
        body = {"seat": seat, "version": view["version"], "action": first_action(view["choices"])}
        return self.http.post(f"/api/tables/{id}/moves", json=body)

    @contextmanager
    def socket(self, id: str) -> Iterator[Socket]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        with connect(
            f"ws://127.0.0.1:{self._port}/ws/tables/{id}",
            additional_headers=self._headers | {"Cookie": cookies},
            source_address=(self._address, 0),
        ) as connection:
            yield Socket(connection)


@pytest.fixture
def topology(tmp_path: Path) -> Iterator[Topology]:
    if why_not() or not NGINX:
        pytest.skip(why_not() or "nginx is not installed here")
    with running_database() as database:
        found = Topology(tmp_path, database.address)
        yield found
        found.stop()


@contextmanager
def people_at_both_processes(topology: Topology) -> Iterator[tuple[Visitor, Visitor, str, int]]:
    """Two people at a table who are served by different processes, the table, and the process of the first one."""
    with topology.visitor() as ann:
        table = ann.open("me link")
        here = topology.process_of(ann, table["id"])
        for number in range(2, 250):
            with topology.visitor(f"127.0.0.{number}") as bob:
                bob.http.cookies.update(ann.http.cookies)
                if topology.process_of(bob, table["id"]) == here:
                    continue
                bob.http.cookies.clear()
                bob.join(table["links"][0]["url"])
                yield ann, bob, table["id"], here
                return
        raise AssertionError("all addresses are served by one process")


def test_two_people_play_through_the_proxy_at_different_processes(topology: Topology) -> None:
    with (
        people_at_both_processes(topology) as (ann, bob, id, _),
        ann.socket(id) as to_ann,
        bob.socket(id) as to_bob,
    ):
        view = to_ann.hear_until("view")
        for _ in range(6):
            seat, version = view["to_move"], view["version"] + 1
            assert (ann, bob)[seat].play(id, seat).status_code == 200
            view = to_ann.hear_until("view", version=version)
            assert to_bob.hear_until("view", version=version)["to_move"] == view["to_move"]


def test_everything_about_a_table_goes_to_one_process_and_on_to_the_next_if_that_is_lost(tmp_path: Path) -> None:
    """The people of a table meet at its process, wherever they come from."""
    if why_not() or not NGINX:
        pytest.skip(why_not() or "nginx is not installed here")
    with running_database() as database:
        topology = Topology(tmp_path, database.address, home="$home")
        with topology.visitor() as ann:
            homes = {}
            for _ in range(12):
                id = ann.open("me me")["id"]
                homes[id] = home = topology.process_of(ann, id)
                with topology.visitor("127.0.0.77") as bob:
                    bob.http.cookies.update(ann.http.cookies)
                    assert topology.process_of(bob, id) == home
            assert {*homes.values()} == {0, 1}, "tables are spread over the processes"
            topology.servers[0].kill()
            for id in homes:
                view = ann.http.get(f"/api/tables/{id}").json()
                assert ann.play(id, view["to_move"]).status_code == 200
        topology.stop()


def test_figures_are_hidden_by_the_proxy(topology: Topology) -> None:
    with topology.visitor() as ann:
        assert ann.http.get("/metrics").status_code == 404
        assert topology.servers[0].get("/metrics").status_code == 200


def test_when_a_process_is_killed_its_people_go_on_at_the_other_one(topology: Topology) -> None:
    with people_at_both_processes(topology) as (ann, bob, id, here):
        with ann.socket(id) as to_ann, bob.socket(id) as to_bob:
            view = to_bob.hear_until("view")
            to_ann.hear_until("view", version=view["version"])  # her process has heard that he sat down
            assert (ann, bob)[view["to_move"]].play(id, view["to_move"]).status_code == 200
            view = to_bob.hear_until("view", version=view["version"] + 1)
            topology.servers[here].kill()
            with pytest.raises(ConnectionClosed):
                to_ann.hear_until("view", version=view["version"] + 1)
            assert (ann, bob)[view["to_move"]].play(id, view["to_move"]).status_code == 200
            view = to_bob.hear_until("view", version=view["version"] + 1)
        with ann.socket(id) as again:
            assert again.hear_until("view")["version"] == view["version"]
            assert (ann, bob)[view["to_move"]].play(id, view["to_move"]).status_code == 200
            again.hear_until("view", version=view["version"] + 1)


class Player(threading.Thread):
    """Plays both seats of a table through the proxy, and notes what was acknowledged."""

    def __init__(self, topology: Topology) -> None:
        super().__init__(daemon=True)
        self._topology, self.stopped = topology, threading.Event()
        self.versions: list[int] = []
        self.failures: list[str] = []

    def run(self) -> None:
        with self._topology.visitor() as visitor:
            while not self.stopped.is_set():
                id, over = visitor.open("me me", options={"rounds": 40})["id"], False
                self.versions = [1]
                while not over and not self.stopped.is_set():
                    over = self._move(visitor, id)

    def _move(self, visitor: Visitor, id: str) -> bool:
        """Try one move; return whether the game is over."""
        view = visitor.http.get(f"/api/tables/{id}")
        if view.status_code in (502, 503, 504):
            self.stopped.wait(0.05)
            return False
        seat = view.json()["to_move"]
        if seat < 0:
            return True
        seen = visitor.http.get(f"/api/tables/{id}", params={"viewer": seat}).json()
        body = {"seat": seat, "version": seen["version"], "action": first_action(seen["choices"])}
        self._note(visitor.http.post(f"/api/tables/{id}/moves", json=body))
        return False

    def _note(self, answer: httpx.Response) -> None:
        if answer.status_code == 200:
            version = int(answer.json()["version"])
            if version <= self.versions[-1]:
                self.failures.append(f"version {version} came again")
            self.versions.append(version)
        elif answer.status_code not in (409, 502, 503, 504):
            self.failures.append(answer.text)


def test_two_processes_are_replaced_one_after_the_other_while_people_play(topology: Topology) -> None:
    player = Player(topology)
    player.start()
    for server in topology.servers:
        wait_for_moves(player)
        server.stop()
        wait_for_moves(player)
        server.start()
        wait_until(lambda: all(is_ready(each) for each in topology.servers))
    wait_for_moves(player)
    player.stopped.set()
    player.join()
    assert player.failures == []


def wait_for_moves(player: Player) -> None:
    """Wait until three more moves are acknowledged, or another table has begun."""
    before = player.versions
    count = len(before)
    wait_until(lambda: not player.is_alive() or player.versions is not before or len(player.versions) > count + 3)
    assert player.is_alive()


def test_addresses_behind_the_proxy_are_told_apart_and_cannot_be_forged(tmp_path: Path) -> None:
    if why_not() or not NGINX:
        pytest.skip(why_not() or "nginx is not installed here")
    with running_database() as database:
        topology = Topology(tmp_path, database.address)
        for server in topology.servers:
            server.stop()
            server.flags = tuple(flag for flag in server.flags if flag != "--no-limits")
            server.start()
        with topology.visitor() as eve, topology.visitor(**{"X-Forwarded-For": "203.0.113.9"}) as forger:
            wait_until(lambda: guess_link(eve) == 429)
            assert guess_link(forger) == 429
        with topology.visitor("127.0.0.77") as ann:
            assert guess_link(ann) == 404
        topology.stop()


def guess_link(visitor: Visitor) -> int:
    return visitor.http.post("/api/tables/aaaaaaaaaa/join", json={"secret": "a" * 32}).status_code
