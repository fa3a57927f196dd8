"""A server that is killed at any moment loses nothing that it acknowledged, and takes up where it was."""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest

from tests.server.harness import Browser, Opened, Server, first_action, wait_until
from tests.speeds import several

ROUNDS = several(1, 3)


class Player(threading.Thread):
    """Plays as fast as it can at one table, and notes what was acknowledged."""

    def __init__(self, browser: Browser, table: Opened) -> None:
        super().__init__(daemon=True)
        self.browser, self.table = browser, table
        self.acknowledged = [(0, 0)]
        self.failure: object = None

    def run(self) -> None:
        path = f"/api/tables/{self.table.id}"
        try:
            while True:
                view = self.browser.get(path).json()
                seat = view["to_move"]
                view = self.browser.get(path, viewer=seat).json()
                body = {"seat": seat, "version": view["version"], "action": first_action(view["choices"])}
                answer = self.browser.post(f"{path}/moves", body)
                if answer.status_code != 200:
                    self.failure = answer.text
                    return
                done = answer.json()
                self.acknowledged.append((done["version"], done["ply"]))
        except httpx.TransportError:
            return  # the server is gone, as it should be


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits")
    rng = random.Random(5)
    with server.browser() as browser:
        tables = [browser.open("orchard", "me me", options={"rounds": 40}) for _ in range(2)]
        cookies = dict(browser.http.cookies)
    for _ in range(ROUNDS):
        with server.browser() as browser:
            browser.http.cookies.update(cookies)
            players = [Player(browser, table) for table in tables]
            for player in players:
                player.start()
            wait_until(lambda players=players: all(len(player.acknowledged) > 2 for player in players))
            threading.Event().wait(rng.random() * 0.3)
            server.kill()
            for player in players:
                player.join()
                assert player.failure is None
        server.start()
        with server.browser() as browser:
            browser.http.cookies.update(cookies)
            for player in players:
                view = browser.view(player.table.id)
                version, ply = player.acknowledged[-1]
                assert view["version"] in (version, version + 1), "at most the move under way is there as well"
                assert view["last_ply"] >= ply
    server.stop()


def test_a_move_that_cannot_be_written_is_not_played(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("orchard", "me me")
        path, move = f"/api/tables/{table.id}", {"seat": 0, "version": 1, "action": 0}
        with sqlite3.connect(tmp_path / "ludotheque.sqlite3", isolation_level=None) as database:
            database.execute("ALTER TABLE plies RENAME TO lost")
            answer = browser.post(f"{path}/moves", move)
            assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
            with browser.socket(table.id) as socket:
                socket.send(type="move", id=1, **move)
                assert socket.hear_until("error", reply_to=1)["error"] == "unavailable"
            assert browser.view(table.id)["version"] == 1
            database.execute("ALTER TABLE lost RENAME TO plies")
        database.close()
        assert browser.post(f"{path}/moves", move).json()["version"] == 2
    server.stop()


@pytest.mark.full
def test_bots_go_on_after_a_crash(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("orchard", "bot bot", pace=0.05, options={"rounds": 3})
        cookies = dict(browser.http.cookies)
        wait_until(lambda: browser.view(table.id)["last_ply"] > 4)
    server.kill()
    server.start()
    with server.browser() as browser:
        browser.http.cookies.update(cookies)
        wait_until(lambda: browser.view(table.id)["over"])
    server.stop()


def test_a_server_that_is_asked_to_stop_says_good_bye(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("orchard", "me me")
        with browser.socket(table.id) as socket:
            socket.hear_until("chat")
            server.stop()
            assert socket.hear_to_the_end() == 1012
    assert server.process.returncode in (0, -signal.SIGTERM)
    assert "Traceback" not in server.log.read_text()
