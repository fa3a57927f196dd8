"""Two servers on one PostgreSQL while any of the three is killed at random: nothing acknowledged is lost, no seat is
given twice, and every client is up to date soon after."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.harness import Browser, Server, first_action, wait_until
from tests.server.postgres import Database, running_database, why_not
from tests.server.test_postgres import Call, at_once, is_ready

KILLS = 100


class Player(threading.Thread):
    """Plays both seats of a table, now at one server, now at the other, and notes what was acknowledged."""

    def __init__(self, browsers: list[Browser], id: str) -> None:
        super().__init__(daemon=True)
        self.browsers, self.path = browsers, f"/api/tables/{id}"
        self.acknowledged, self.moves, self.stopped = 1, 0, threading.Event()
        self.failures: list[str] = []

    def run(self) -> None:
        rng = random.Random(self.path)
        while not self.stopped.is_set():
            try:
                self._move(rng.choice(self.browsers))
            except httpx.TransportError:
                self.stopped.wait(0.1)  # that server is down

    def _move(self, browser: Browser) -> None:
        view = browser.get(self.path)
        if view.status_code == 503:
            self.stopped.wait(0.1)
            return
        seat = view.json()["to_move"]
        if seat < 0:
            self.stopped.set()
            return
        found = browser.get(self.path, viewer=seat)
        if found.status_code != 200 or not found.json()["choices"]:
            return
        body = {"seat": seat, "version": found.json()["version"], "action": first_action(found.json()["choices"])}
        answer = browser.post(f"{self.path}/moves", body)
        if answer.status_code == 200:
            # A version that comes twice would mean that an acknowledged move was lost.
            if answer.json()["version"] <= self.acknowledged:
                self.failures.append(f"{answer.text} after version {self.acknowledged}")
            self.acknowledged = answer.json()["version"]
            self.moves += 1
        elif answer.status_code not in (409, 503):
            self.failures.append(answer.text)


class Cluster:
    """Two servers and their database."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.database = database
        self.servers = [Server(folder / name, "--no-limits", database.address) for name in ("first", "second")]

    def kill_and_restart(self, rng: random.Random) -> None:
        victim = rng.randrange(3)
        if victim == 2:
            self.database.stop()
        else:
            self.servers[victim].kill()
        threading.Event().wait(rng.random())
        if victim == 2:
            self.database.start()
        else:
            self.servers[victim].start()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        wait_until(lambda: all(is_ready(server) for server in self.servers))

    @contextmanager
    def browsers(self, cookies: dict[str, str]) -> Iterator[list[Browser]]:
        """The same person at both servers, as they are reached now."""
        with self.servers[0].browser() as here, self.servers[1].browser() as there:
            for browser in (here, there):
                browser.http.cookies.update(cookies)
            yield [here, there]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    if why_not():
        pytest.skip(why_not())
    with running_database() as database:
        found = Cluster(tmp_path, database)
        yield found
        for server in found.servers:
            server.stop()


@pytest.mark.full
def test_random_kills_lose_nothing_that_was_acknowledged(cluster: Cluster) -> None:
    play_through(cluster, KILLS)


def play_through(cluster: Cluster, kills: int) -> int:
    """Play while parts of the cluster are killed; return how many moves were acknowledged."""
    rng, moves = random.Random(13), 0
    for _ in range(kills):
        with cluster.servers[0].browser() as host:
            tables = [host.open("orchard", "me me", options={"rounds": 40}).id for _ in range(2)]
            bots = host.open("orchard", "bot bot", pace=0.2, options={"rounds": 40}).id
            cookies = dict(host.http.cookies)
        with cluster.browsers(cookies) as browsers:
            players = [Player(browsers, id) for id in tables]
            for player in players:
                player.start()
            wait_until(lambda players=players: all(player.moves > 2 for player in players))
            cluster.kill_and_restart(rng)
            for player in players:
                player.stopped.set()
                player.join()
                assert player.failures == []
                moves += player.moves
        check_tables(cluster, cookies, players)
        check_bots(cluster, cookies, bots)
        check_seats(cluster, cookies)
    return moves


def check_tables(cluster: Cluster, cookies: dict[str, str], players: list[Player]) -> None:
    """Both servers show what was acknowledged, and pass on the next move."""
    with cluster.browsers(cookies) as (here, there):
        for player in players:
            id = player.path.rpartition("/")[2]
            wait_until(lambda id=id: here.view(id)["version"] == there.view(id)["version"])
            view = here.view(id)
            assert view["version"] >= player.acknowledged
            if not view["over"]:
                with there.socket(id) as socket:
                    socket.hear_until("view")
                    assert here.play(id, view["to_move"]).status_code == 200
                    assert socket.hear_until("view", version=view["version"] + 1)


def check_bots(cluster: Cluster, cookies: dict[str, str], id: str) -> None:
    """The bots go on, though the process that played for them may be dead."""
    with cluster.browsers(cookies) as (here, there):
        version = there.view(id)["version"]
        wait_until(lambda: here.view(id)["over"] or here.view(id)["version"] > version + 1)


def check_seats(cluster: Cluster, cookies: dict[str, str]) -> None:
    """Of two people who sit down at once, one gets the seat."""
    with cluster.browsers(cookies) as (host, _), cluster.browsers({}) as people:
        path = f"/api/tables/{host.open('nim', 'me open').id}"
        for browser in people:
            wait_until(lambda browser=browser: browser.get(path).status_code == 200)
        calls = [Call(browser, f"{path}/sit", {"seat": 1, "name": "Someone"}) for browser in people]
        assert sorted(answer.status_code for answer in at_once(calls)) == [200, 409]
