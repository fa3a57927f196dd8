"""Two server processes on one PostgreSQL, where there is one to be had: what one of them does, the other shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

import httpx
import pytest

from ludotheque.core.errors import StaleVersion
from ludotheque.server.cluster.remote import NAME
from ludotheque.server.config import Settings
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import Change
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from tests.server.harness import Browser, Server, Socket, run_apart, wait_until
from tests.server.postgres import Database
from tests.server.test_dice import LINK, NONCES, join, me, open_shared, reveal
from tests.server.test_events import open_another_table, open_table
from tests.server.test_finished_games import play_out
from tests.speeds import several


@pytest.fixture(scope="module")
def servers(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    both = [Server(tmp_path_factory.mktemp("server"), "--no-limits", database.address) for _ in range(2)]
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


def test_of_two_resignations_at_two_servers_the_first_counts(both: tuple[Browser, Browser]) -> None:
    table = both[0].open("orchard", "me me")
    with both[0].socket(table.id) as here, both[1].socket(table.id) as there:
        here.hear_until("view"), there.hear_until("view")
        with ThreadPoolExecutor(2) as pool:
            path = f"/api/tables/{table.id}/resign"
            answers = list(pool.map(lambda seat: both[seat].post(path, {"seat": seat}), range(2)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        results = [socket.hear_until("view", over=True)["result"]["returns"] for socket in (here, there)]
    assert results[0] == results[1] == [float(answer.status_code == 409) for answer in answers]


def test_an_offer_to_end_reaches_the_other_server(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("nim", "me link")
    with there.server.browser() as bob:
        bob.join(table.links[1])
        with bob.socket(table.id) as at_bob, here.socket(table.id) as at_ann:
            here.post(f"/api/tables/{table.id}/end")
            at_bob.hear_until("view", end_offer={"agreed": [0], "refused": [], "ply": 0})
            at_bob.send(type="answer_end_offer", agree=True)
            assert at_ann.hear_until("view", over=True)["abandoned"]


def test_spectators_at_another_server_are_counted(both: tuple[Browser, Browser], servers: list[Server]) -> None:
    here, there = both
    table = here.open("nim", "me me", watchable=True)
    with servers[1].browser() as eve, servers[0].browser() as bob, eve.socket(table.id) as at_eve:
        at_eve.hear_until("view")

        def watchers() -> list[int]:
            return [each.get("watchers", 0) for each in bob.get("/api/watch").json() if each["id"] == table.id]

        wait_until(lambda: watchers() == [1])
        there.post(f"/api/tables/{table.id}/watchable", {"watchable": False})
        assert watchers() == []
        assert at_eve.hear_to_the_end() in (4403, 4404)


def test_of_changes_that_share_a_commit_only_the_stale_ones_are_refused(database: Database, tmp_path: Path) -> None:
    """Two processes change the same tables at once, in opposite order, so that one of them would wait for the other."""

    async def change() -> list[list[str]]:
        storages = [Storage(Settings(data=tmp_path, database=database.address)) for _ in range(2)]
        live_tables, events = LiveTables(storages[0], 100), TableEvents()
        ids = [(await open_table(live_tables, events, "nim")).id]
        ids += [(await open_another_table(live_tables, events, "nim")).id for _ in range(9)]
        done = [await winners(storages, ids, version) for version in range(1, 6)]
        for storage in storages:
            await storage.close()
        return done

    async def winners(storages: list[Storage], ids: list[str], version: int) -> list[str]:
        """Both processes change all tables; return the tables that each of them has changed."""
        asked = [(storages[0], id) for id in ids] + [(storages[1], id) for id in reversed(ids)]
        changes = [storage.change(Change(table=id, version=version, keep=0, to_move=0)) for storage, id in asked]
        results = await asyncio.gather(*changes, return_exceptions=True)
        assert {type(result) for result in results} == {type(None), StaleVersion}
        return [id for (_, id), result in zip(asked, results, strict=True) if result is None]

    for changed in run_apart(change()):
        assert len(changed) == len(set(changed)) == 10


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


END_LISTENERS = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{NAME}'"


def is_ready(server: Server) -> bool:
    return server.get("/ready").status_code == 200


def test_after_a_lost_listener_events_arrive_again(
    both: tuple[Browser, Browser], database: Database, servers: list[Server]
) -> None:
    here, there = both
    table = here.open("orchard", "me me")
    with there.socket(table.id) as socket:
        version = socket.hear_until("view")["version"]
        assert len(database.execute(END_LISTENERS)) == 2
        here.play(table.id, 0)
        assert socket.hear_until("view", version=version + 1)
        wait_until(lambda: all(is_ready(server) for server in servers))
        here.post(f"/api/tables/{table.id}/chat", {"text": "still there?"})
        assert socket.hear_until("chat", messages=socket_chat(here, table.id))


def socket_chat(browser: Browser, id: str) -> Any:
    with browser.socket(id) as socket:
        return socket.hear_until("chat")["messages"]


def test_after_a_restart_of_the_database_every_process_catches_up(
    both: tuple[Browser, Browser], database: Database, servers: list[Server]
) -> None:
    here, there = both
    table = here.open("orchard", "me me")
    with there.socket(table.id) as socket:
        version = socket.hear_until("view")["version"]
        database.stop()
        try:
            for server in servers:
                wait_until(lambda server=server: not is_ready(server))
                assert server.get("/health").json()["status"] == "ok", "the process is alive"
                nothing = {"ready": False, "database": False, "listener": False}  # asked for once a second at most
                wait_until(lambda server=server, nothing=nothing: server.get("/ready").json() == nothing)
            assert here.play(table.id, 0).status_code == 503
        finally:
            database.start()
        # Nobody sends an event of this change: another process wrote it and died.
        database.execute(f"UPDATE tables SET version = version + 1 WHERE id = '{table.id}'")
        for server in servers:
            wait_until(lambda server=server: is_ready(server))
        assert socket.hear_until("view", version=version + 1)
        wait_until(lambda: here.get(f"/api/tables/{table.id}").json()["version"] == version + 1)
        assert here.play(table.id, 0).status_code == 200
        assert socket.hear_until("view", version=version + 2)


TRIES = several(5, 25)


def test_of_two_people_who_sit_down_at_two_servers_one_gets_the_seat(servers: list[Server]) -> None:
    for _ in range(TRIES):
        with servers[0].browser() as host, servers[0].browser() as ann, servers[1].browser() as bob:
            table = host.open("nim", "me open")
            both = [ann, bob]
            for browser in both:
                browser.view(table.id)
            body = {"seat": 1, "name": "Someone"}
            answers = at_once(Call(browser, f"/api/tables/{table.id}/sit", body) for browser in both)
            seated, refused = sorted(answer.status_code for answer in answers)
            assert seated == 200
            assert refused in (404, 409), "404 if the table was full, and so no longer open, when the second one came"
            winner, loser = sorted(both, key=lambda browser: answers[both.index(browser)].status_code)
            assert winner.view(table.id)["mine"] == [1]
            wait_until(lambda loser=loser, id=table.id: loser.get(f"/api/tables/{id}").status_code == 404)


def test_friends_who_follow_one_link_at_two_servers_get_a_seat_each(servers: list[Server]) -> None:
    for _ in range(TRIES):
        with servers[0].browser() as host, servers[0].browser() as ann, servers[1].browser() as bob:
            seats = [{"who": who} for who in ("me", "link", "link")]
            table = host.post("/api/tables", {"game": "orchard", "seats": seats, "pace": 0}).json()
            body = {"secret": table["link"].partition("#")[2]}
            answers = at_once(Call(browser, f"/api/tables/{table['id']}/join", body) for browser in (ann, bob))
            assert sorted(answer.json()["seat"] for answer in answers) == [1, 2]
            for browser, answer in zip((ann, bob), answers, strict=True):
                assert browser.view(table["id"])["mine"] == [answer.json()["seat"]]


def test_of_two_renames_at_two_servers_none_is_lost(both: tuple[Browser, Browser]) -> None:
    for _ in range(TRIES):
        table = both[0].open("nim", "me me")
        both[1].view(table.id)
        bodies = [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bob"}]
        calls = zip(both, bodies, strict=True)
        answers = at_once(Call(browser, f"/api/tables/{table.id}/name", body) for browser, body in calls)
        assert [answer.status_code for answer in answers] == [200, 200]
        for browser in both:
            wait_until(
                lambda browser=browser, id=table.id: (
                    [seat["name"] for seat in browser.view(id)["seats"]] == ["Ann", "Bob"]
                )
            )


def test_a_link_made_at_one_server_opens_its_seat_at_the_other(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("nim", "me link")
    there.view(table.id)
    url = here.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"]
    with there.server.browser() as bob:
        wait_until(lambda: bob.post(f"/api/tables/{table.id}/join", {"secret": url.partition("#")[2]}).is_success)
        assert bob.view(table.id)["mine"] == [1]


def test_people_at_two_servers_commit_and_reveal(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = open_shared(here, me(), LINK)
    with there.server.browser() as bob:
        join(bob, table, 1)
        wait_until(lambda: here.view(table.id)["dice"]["state"] == "reveal")
        assert reveal(here, table, 0) == 200
        wait_until(lambda: reveal(bob, table, 1) == 200)
        for browser in (here, bob):
            wait_until(lambda browser=browser: browser.view(table.id)["ply"] > 0)
        views = [browser.view(table.id) for browser in (here, bob)]
        assert [added["nonce"] for added in views[0]["dice"]["nonces"]] == NONCES[:2]
        assert views[0]["dice"] == views[1]["dice"]
        assert views[0]["ply"] == views[1]["ply"]


def test_people_at_another_server_are_present(both: tuple[Browser, Browser]) -> None:
    here, there = both
    table = here.open("nim", "me link")
    with there.server.browser() as bob, here.socket(table.id) as socket:
        bob.join(table.links[1])
        assert [seat["present"] for seat in socket.hear_until("view")["seats"]] == [True, False]
        with bob.socket(table.id) as other:
            hear_presence(socket, [True, True])
            hear_presence(other, [True, True])
        hear_presence(socket, [True, False])


def hear_presence(socket: Socket, present: list[bool]) -> None:
    """Wait until the seats with these people present are shown."""
    while [seat["present"] for seat in socket.hear().get("seats", ())] != present:
        continue


def test_the_bots_of_a_dead_server_are_taken_over(
    servers: list[Server], database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    doomed = Server(tmp_path_factory.mktemp("server"), "--no-limits", database.address)
    with doomed.browser() as browser:
        table = browser.open("orchard", "bot bot", pace=0.3, options={"rounds": 40})
        cookies = dict(browser.http.cookies)
        with browser.socket(table.id) as socket:
            socket.hear_until("view", version=2)
            doomed.kill()
    with servers[0].browser() as browser:
        browser.http.cookies.update(cookies)
        version = browser.view(table.id)["version"]
        wait_until(lambda: browser.view(table.id)["version"] > version + 2)


def test_the_reviews_of_a_dead_server_are_taken_over(
    servers: list[Server], database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    doomed = Server(tmp_path_factory.mktemp("server"), "--no-limits", database.address)
    with doomed.browser() as browser:
        table = browser.open("nim", "me bot")
        play_out(browser, table.id, 0)
        cookies = dict(browser.http.cookies)
        assert browser.post(f"/api/tables/{table.id}/review", {"seconds": 1.0}).status_code == 200
        doomed.kill()
    with servers[0].browser() as browser:
        browser.http.cookies.update(cookies)
        wait_until(lambda: browser.get(f"/api/tables/{table.id}/review/progress").json()["state"] == "done")


class Call(NamedTuple):
    """A request of a browser."""

    browser: Browser
    path: str
    body: dict[str, Any]


def at_once(calls: Iterable[Call]) -> list[httpx.Response]:
    """Send all requests at the same moment."""
    waiting = list(calls)
    start = Barrier(len(waiting))

    def wait_and_post(call: Call) -> httpx.Response:
        start.wait()
        return call.browser.post(call.path, call.body)

    with ThreadPoolExecutor(len(waiting)) as pool:
        return list(pool.map(wait_and_post, waiting))
