"""Moderation: the host frees seats, mutes, closes the table and sets a password; the operator sees and closes all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque.cli import app
from ludotheque.server.config import DATABASE
from ludotheque.server.passwords import hash_password, matches
from tests.server.harness import Browser, Opened, Server

TOKEN = "a token of the operator"


def send(browser: Browser, table: Opened, what: str, **body: Any) -> int:
    return browser.post(f"/api/tables/{table.id}/{what}", body).status_code


def shared(ann: Browser, bob: Browser) -> Opened:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    return table


# The host.


def test_only_the_host_moderates(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shared(ann, bob)
    eve.join(table.watch)
    acts: list[tuple[str, dict[str, Any]]] = [
        ("free", {"seat": 0}),
        ("mute", {"seat": 0}),
        ("password", {"password": "x"}),
        ("close", {}),
    ]
    for browser in (bob, eve):
        assert [send(browser, table, what, **body) for what, body in acts] == [403] * 4
    assert [send(ann, table, "free", seat=0), send(ann, table, "mute", seat=0)] == [403, 403]
    assert send(ann, table, "free", seat=9) == 404


def test_the_host_frees_a_seat(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shared(ann, bob)
    assert send(ann, table, "free", seat=1) == 200
    assert bob.get(f"/api/tables/{table.id}").status_code == 404
    seat = ann.view(table.id)["seats"][1]
    assert (seat["taken"], seat["open"], seat["browsers"]) == (False, False, 0)
    assert send(bob, table, "join", secret=table.links[1].partition("#")[2]) == 404, "the old link has ended"
    new = ann.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"]
    assert eve.join(new) == 1


def test_the_socket_of_who_lost_the_seat_is_closed(ann: Browser, bob: Browser) -> None:
    table = shared(ann, bob)
    with bob.socket(table.id) as socket:
        socket.hear_until("view")
        assert send(ann, table, "free", seat=1) == 200
        assert socket.hear_to_the_end() == 4404


def test_a_muted_person_cannot_chat_until_the_host_lets_them(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shared(ann, bob)
    eve.join(table.watch)
    for seat, browser in ((1, bob), (-5, eve)):
        assert send(ann, table, "mute", seat=seat) == 200
        assert send(browser, table, "chat", text="spam") == 403
    assert ann.view(table.id)["muted"] == [-5, 1]
    with bob.socket(table.id) as socket:
        socket.send(type="chat", id=7, text="spam")
        assert socket.hear_until("error", reply_to=7)["error"] == "forbidden"
    assert send(ann, table, "mute", seat=1, muted=False) == 200
    assert send(bob, table, "chat", text="sorry") == 200


def test_a_muted_person_cannot_chat_as_a_spectator(ann: Browser, bob: Browser) -> None:
    table = shared(ann, bob)
    assert send(ann, table, "mute", seat=1) == 200
    with bob.socket(table.id, "?viewer=-5") as socket:
        socket.send(type="chat", id=7, text="spam")
        assert socket.hear_until("error", reply_to=7)["error"] == "forbidden"
    with bob.socket(table.id) as socket:
        socket.send(type="look", seat=-5)
        socket.send(type="chat", id=8, text="spam")
        assert socket.hear_until("error", reply_to=8)["error"] == "forbidden"


def test_who_looks_on_chats_under_their_seat(ann: Browser, bob: Browser) -> None:
    table = shared(ann, bob)
    with bob.socket(table.id, "?viewer=-5") as socket:
        socket.hear_until("chat")
        socket.send(type="chat", text="hello")
        assert socket.hear_until("chat")["messages"][0]["seat"] == 1


def test_a_closed_table_can_only_be_looked_at(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me open")
    assert table.id in {listed["id"] for listed in eve.get("/api/tables").json()}
    assert send(ann, table, "close") == 200
    assert table.id not in {listed["id"] for listed in eve.get("/api/tables").json()}
    view = ann.view(table.id)
    assert view["closed"]
    refused = ann.play(table.id, 0)
    assert (refused.status_code, refused.json()["error"]) == (409, "table-closed")
    assert send(ann, table, "chat", text="hello") == 409
    assert send(ann, table, "name", seat=0, name="Ann") == 409
    assert eve.get(f"/api/tables/{table.id}").status_code == 404
    assert send(bob, table, "join", secret=table.watch.partition("#")[2]) == 409
    assert ann.get(f"/api/tables/{table.id}/record").status_code == 200
    assert send(ann, table, "leave") == 200


def test_the_bots_of_a_closed_table_stop(ann: Browser) -> None:
    table = ann.open("orchard", "me bot", options={"rounds": 40})
    assert send(ann, table, "close") == 200
    before = ann.view(table.id)["ply"]
    assert ann.play(table.id, 0).status_code == 409
    assert ann.view(table.id)["ply"] == before
    assert not ann.view(table.id)["seats"][1]["thinking"]


# The password.


def test_a_password_is_asked_of_newcomers_only(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link open")
    bob.join(table.links[1])
    assert send(ann, table, "password", password="sesame") == 200
    assert bob.view(table.id)["locked"]
    refused = eve.get(f"/api/tables/{table.id}")
    assert (refused.status_code, refused.json()["error"]) == (403, "password-needed")
    assert send(eve, table, "sit", seat=2) == 403
    assert send(eve, table, "enter", password="open") == 403
    assert send(eve, table, "enter", password="sesame") == 200
    assert eve.view(table.id)["mine"] == []
    assert send(eve, table, "sit", seat=2) == 200


def test_a_link_needs_the_password_too(ann: Browser, eve: Browser, server: Server) -> None:
    table = ann.open("orchard", "me link")
    assert send(ann, table, "password", password="sesame") == 200
    secret = table.links[1].partition("#")[2]
    with server.browser(bearer=secret) as program:
        assert program.get(f"/api/tables/{table.id}").status_code == 404
    assert send(eve, table, "join", secret=secret) == 403
    assert send(eve, table, "join", secret=secret, password="open") == 403
    assert send(eve, table, "join", secret=secret, password="sesame") == 200
    assert eve.view(table.id)["mine"] == [1]


def test_a_table_that_is_not_public_does_not_show_that_it_has_a_password(ann: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me bot")
    send(ann, table, "password", password="sesame")
    assert send(eve, table, "enter", password="sesame") == 404
    assert eve.get(f"/api/tables/{table.id}").status_code == 404
    assert "data-locked" not in eve.get(f"/t/{table.id}").text


def test_without_a_password_nobody_enters_for_longer_than_a_seat_is_open(
    ann: Browser, bob: Browser, eve: Browser
) -> None:
    table = ann.open("orchard", "me open")
    assert send(eve, table, "enter", password="sesame") == 200
    assert eve.view(table.id)["mine"] == []
    assert send(bob, table, "sit", seat=1) == 200
    assert eve.get(f"/api/tables/{table.id}").status_code == 404


def test_an_empty_password_removes_it(ann: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me open")
    send(ann, table, "password", password="sesame")
    send(ann, table, "password", password="")
    assert eve.view(table.id)["locked"] is False


def test_passwords_are_stored_as_hashes(ann: Browser, server: Server) -> None:
    table = ann.open("orchard", "me open")
    send(ann, table, "password", password="sesame")
    with sqlite3.connect(server.folder / DATABASE) as database:
        (stored,) = database.execute("SELECT password FROM tables WHERE id = ?", (table.id,)).fetchone()
    assert stored.startswith("scrypt:")
    assert "sesame" not in stored
    assert matches("sesame", stored)
    assert not matches("Sesame", stored)
    assert hash_password("sesame") != stored, "each has a salt of its own"


# The operator.


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("operated"), f"--operator={TOKEN}")
    yield server
    server.stop()


def test_without_the_token_nobody_sees_the_tables(operated: Server, ann: Browser) -> None:
    for token in ("", "a token of the operators", TOKEN.upper()):
        with operated.browser(bearer=token) as browser:
            assert browser.get("/api/operator/tables").status_code == 403
            assert browser.post("/api/operator/settings", {"public_list": False}).status_code == 403
            assert browser.post("/api/operator/tables/abcdefghjk/close").status_code == 403
    for path in ("/api/operator/tables", "/operator"):
        assert ann.get(path).status_code == 404, "a server without a token has no operator"


def test_the_operator_sees_all_tables_and_closes_one(operated: Server) -> None:
    with operated.browser() as bob, operated.browser(bearer=TOKEN) as operator:
        table = bob.open("orchard", "me bot", watch=False)
        (seen,) = [one for one in operator.get("/api/operator/tables").json()["tables"] if one["id"] == table.id]
        assert seen["title"] == "Orchard"
        assert operator.get(f"/api/tables/{table.id}").status_code == 404, "the token is no key to a game"
        assert operator.post(f"/api/operator/tables/{table.id}/close").status_code == 200
        assert bob.view(table.id)["closed"]
        assert operator.get("/operator").status_code == 200


def test_the_operator_closes_a_table_of_a_game_that_is_not_installed(tmp_path: Path) -> None:
    server = Server(tmp_path, f"--operator={TOKEN}")
    with server.browser() as bob:
        table = bob.open("nim", "me open")
    server.stop()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.execute("UPDATE tables SET game = 'chess'")
        database.commit()
    server.start()
    with server.browser(bearer=TOKEN) as operator:
        assert operator.post(f"/api/operator/tables/{table.id}/close").status_code == 200
        (seen,) = operator.get("/api/operator/tables").json()["tables"]
        assert (seen["title"], seen["problem"], seen["closed"]) == ("chess", "not-installed", True)
        assert "open" not in seen
        assert operator.post("/api/operator/tables/zzzzzzzzzz/close").status_code == 404
    server.stop()


def test_the_operator_switches_the_public_list_off(operated: Server) -> None:
    with operated.browser() as bob, operated.browser(bearer=TOKEN) as operator:
        table = bob.open("orchard", "me open")
        operator.post("/api/operator/settings", {"public_list": False})
        assert bob.get("/api/tables").json() == []
        assert operator.get("/api/operator/tables").json()["public_list"] is False
        operator.post("/api/operator/settings", {"public_list": True})
        assert table.id in {listed["id"] for listed in bob.get("/api/tables").json()}


def test_guesses_are_limited(operated: Server) -> None:
    with operated.browser() as bob, operated.browser() as eve:
        table = bob.open("orchard", "me open")
        assert send(bob, table, "password", password="sesame") == 200
        answers = [send(eve, table, "enter", password=f"guess {number}") for number in range(12)]
        assert answers[0] == 403
        assert answers[-1] == 429


def test_a_token_must_be_long_and_readable(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("short\n")
    for options in (["--operator-token", "short"], ["--operator-token-file", str(tmp_path / "token")]):
        assert "at least 16 characters" in CliRunner().invoke(app, ["serve", *options]).output
    missing = CliRunner().invoke(app, ["serve", "--operator-token-file", str(tmp_path / "none")])
    assert "cannot be read" in missing.output
