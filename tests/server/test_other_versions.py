"""Tables that were opened with another version of their game: nobody sees a wrong position, and nothing else breaks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.config import Settings
from ludotheque.server.storage.maintenance import check
from ludotheque.server.tables.live import load
from tests.apart import invoke
from tests.server.harness import Browser, Opened, Server, run_apart, wait_until
from tests.toy import Nim

CANNOT_BE_SHOWN = f"This table was opened with version 7 of {Nim.title}. This server has version 1"
FORGET = ">Forget this table<"


class Place:
    """A server, and direct access to its database."""

    def __init__(self, folder: Path, flags: tuple[str, ...], execute: Any) -> None:
        self.folder, self.execute = folder, execute
        self.server = Server(folder, "--no-limits", "--operator=token-of-the-operator", *flags)
        self.cookies: dict[str, str] = {}

    def change_version(self, *tables: Opened) -> None:
        """Stop the server, note that these tables were opened with another version, and start it again."""
        self.server.stop()
        for table in tables:
            self.execute(f"UPDATE tables SET game_version = 7 WHERE id = '{table.id}'")
        self.server.start()

    def returning(self, browser: Browser) -> Browser:
        browser.http.cookies.update(self.cookies)
        return browser


def execute_in(path: Path) -> Any:
    def execute(statement: str) -> list[Any]:
        with sqlite3.connect(path) as database:
            rows = database.execute(statement).fetchall()
        database.close()
        return rows

    return execute


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        place = Place(tmp_path, (), execute_in(tmp_path / "ludotheque.sqlite3"))
    else:
        database = request.getfixturevalue("database")
        place = Place(tmp_path, (database.address,), database.execute)
    yield place
    place.server.stop()


def test_a_table_of_another_version_says_so_and_breaks_nothing(place: Place) -> None:
    with place.server.browser() as ann:
        table = ann.open("nim", "me open")
        against_bot = ann.open("nim", "me bot")
        other = ann.open("nim", "me me")
        finished = ann.open("nim", "bot bot")
        wait_until(lambda: ann.view(finished.id)["over"])
        wait_until(lambda: ann.get("/api/statistics").json()["played"] == 1)
        scores = ann.view(finished.id)["result"]["scores"]
        ann.post(f"/api/tables/{table.id}/chat", {"text": "see you on Monday"})
        place.cookies = dict(ann.http.cookies)
    stored = place.execute(f"SELECT game_version FROM tables WHERE id = '{table.id}'")
    assert [tuple(row) for row in stored] == [(1,)]
    place.change_version(table, against_bot, finished)
    with place.server.browser() as ann, place.server.browser() as eve:
        place.returning(ann)
        refused = ann.get(f"/api/tables/{table.id}")
        assert (refused.status_code, refused.json()["error"]) == (409, "unplayable")
        assert refused.json()["sentence"].startswith(CANNOT_BE_SHOWN)
        assert ann.get(f"/api/tables/{table.id}/record").status_code == 409
        assert ann.get(f"/t/{table.id}/review").status_code == 409
        assert ann.post(f"/api/tables/{table.id}/moves", {"seat": 0, "version": 1, "action": 0}).status_code == 409
        with ann.socket(table.id) as socket:
            assert socket.hear_to_the_end() == 4409

        page = ann.get(f"/t/{table.id}")
        assert page.status_code == 409
        assert CANNOT_BE_SHOWN in page.text
        assert "see you on Monday" in page.text
        assert "not over" in page.text
        result = ann.get(f"/t/{finished.id}").text
        assert all(f"<td>{score}</td>" in result for score in scores)
        strange = eve.get(f"/t/{table.id}")
        assert CANNOT_BE_SHOWN in strange.text
        assert "see you on Monday" not in strange.text, "only those who came to the table read its chat"

        mine = {summary["id"]: summary for summary in ann.get("/api/mine").json()}
        assert (mine[table.id]["problem"], mine[table.id]["my_turn"]) == ("other-version", False)
        assert "problem" not in mine[other.id]
        assert "other version of the rules" in ann.get("/").text
        assert eve.get("/api/tables").json() == [], "nobody can join it"
        assert ann.get("/api/statistics").json() == {"played": 0, "games": []}, "other rules, other scores"
        assert ann.play(other.id, ann.view(other.id)["to_move"]).status_code == 200
    with place.server.browser(bearer="token-of-the-operator") as operator:
        assert operator.post(f"/api/operator/tables/{table.id}/close").status_code == 200
        listed = {summary["id"]: summary for summary in operator.get("/api/operator/tables").json()["tables"]}
        assert listed[table.id]["closed"]
    assert "Traceback" not in place.server.log.read_text()


def test_a_table_of_another_version_can_be_forgotten_from_its_page(place: Place) -> None:
    with place.server.browser() as ann, place.server.browser() as bob:
        table = ann.open("nim", "me open")
        bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"})
        place.cookies = dict(ann.http.cookies)
        of_bob = dict(bob.http.cookies)
    place.change_version(table)
    with place.server.browser() as ann, place.server.browser() as bob, place.server.browser() as eve:
        place.returning(ann)
        bob.http.cookies.update(of_bob)
        assert FORGET in ann.get(f"/t/{table.id}").text
        assert FORGET not in eve.get(f"/t/{table.id}").text
        assert eve.post(f"/api/tables/{table.id}/leave").status_code == 404
        assert ann.post(f"/api/tables/{table.id}/leave").status_code == 200
        assert ann.get("/api/mine").json() == []
        assert FORGET not in ann.get(f"/t/{table.id}").text
        assert [summary["id"] for summary in bob.get("/api/mine").json()] == [table.id], "others keep it"
    place.server.stop()
    place.execute(f"UPDATE tables SET game_version = 1 WHERE id = '{table.id}'")
    place.server.start()
    with place.server.browser() as bob:
        bob.http.cookies.update(of_bob)
        assert [seat["taken"] for seat in bob.view(table.id)["seats"]] == [False, True]
    assert "Traceback" not in place.server.log.read_text()


def test_a_check_of_the_database_names_tables_of_another_version(tmp_path: Path) -> None:
    place = Place(tmp_path, (), execute_in(tmp_path / "ludotheque.sqlite3"))
    with place.server.browser() as ann:
        table, _ = ann.open("nim", "me me"), ann.open("nim", "me me")
    place.change_version(table)
    place.server.stop()
    checked = run_apart(check(Settings(data=tmp_path), load))
    assert checked.tables == 2
    assert [line.startswith(f"table {table.id}: {CANNOT_BE_SHOWN}") for line in checked.unplayable] == [True]
    answer = invoke("check-database", "--data", str(tmp_path))
    assert answer.exit_code == 0, "an earlier version is no fault, and a backup would not mend it"
    sentence = "No faults; tables checked: 2. Tables that cannot be played on: 1."
    assert " ".join(answer.output.split()).endswith(sentence)


def test_a_table_of_a_game_that_is_not_installed_breaks_no_list(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as ann:
        table, other = ann.open("nim", "me me"), ann.open("orchard", "me me")
        cookies = dict(ann.http.cookies)
    server.stop()
    with sqlite3.connect(tmp_path / "ludotheque.sqlite3") as database:
        database.execute("UPDATE tables SET game = 'chess', has_open_seat = 1 WHERE id = ?", [table.id])
    database.close()
    server.start()
    with server.browser() as ann:
        ann.http.cookies.update(cookies)
        mine = {summary["id"]: summary for summary in ann.get("/api/mine").json()}
        assert (mine[table.id]["title"], mine[table.id]["problem"]) == ("chess", "not-installed")
        assert "problem" not in mine[other.id]
        assert ann.get("/api/tables").json() == [], "nobody can join it"
        assert "game not installed" in ann.get("/").text
        answer = ann.get(f"/api/tables/{table.id}")
        assert (answer.status_code, answer.json()["error"]) == (409, "unplayable")
        with ann.socket(table.id) as socket:
            assert socket.hear_to_the_end() == 4409
        assert ann.view(other.id)["game"] == "orchard"
    server.stop()
