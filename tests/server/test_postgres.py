"""Two server processes on one PostgreSQL, where there is one to be had: what one of them does, the other shows."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.harness import Browser, Server, wait_until
from tests.server.postgres import running_database, why_not
from tests.server.test_after import play_out


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    if why_not():
        pytest.skip(why_not())
    with running_database() as address:
        yield address


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
