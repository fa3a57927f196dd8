"""Reports: people tell the operator about clubs, messages and names. No one else learns of it; the operator acts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.config import Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.clubs import insert_club
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import delete_profile, find_profile, set_profile
from ludotheque.server.storage.reports import (
    REPORTS_KEPT,
    all_reports,
    report_club,
    report_line,
    report_name,
    report_person,
)
from ludotheque.server.storage.rows import now
from tests.server.harness import Browser, Opened, Server, run_apart
from tests.server.postgres import Database
from tests.server.test_clubs import founded
from tests.server.test_profiles import named

TOKEN = "an operator's token"
SHAPE = {"id", "club", "table", "game", "seat", "line", "person", "name", "text", "reporter", "time"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an operator."""
    server = Server(tmp_path_factory.mktemp("reports"), f"--operator={TOKEN}", "--no-limits")
    yield server
    server.stop()


@pytest.fixture
def operator(server: Server) -> Iterator[Browser]:
    with server.browser(TOKEN) as browser:
        for report in reports(browser):
            assert act(browser, report, "delete") == 200
        yield browser


def reports(operator: Browser) -> list[Any]:
    answer = operator.get("/api/operator/reports")
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def act(operator: Browser, report: Any, what: str) -> int:
    return operator.post(f"/api/operator/reports/{report['id']}/{what}").status_code


def shared(ann: Browser, bob: Browser, **more: Any) -> Opened:
    """A table at which Ann and Bob sit."""
    table = ann.open("orchard", "me link", **more)
    bob.join(table.links[1])
    for browser, seat, name in ((ann, 0, "Ann"), (bob, 1, "Bob")):
        assert browser.post(f"/api/tables/{table.id}/name", {"seat": seat, "name": name}).status_code == 200
    return table


def chat(browser: Browser, table: str) -> list[Any]:
    """The lines that someone who opens the table gets."""
    with browser.socket(table) as socket:
        return list(socket.hear_until("chat")["messages"])


def say(browser: Browser, table: str, text: str) -> int:
    """Say something; return the number of the line."""
    assert browser.post(f"/api/tables/{table}/chat", {"text": text}).status_code == 200
    return int(chat(browser, table)[-1]["id"])


def report_message(browser: Browser, table: str, line: Any) -> int:
    return browser.post(f"/api/tables/{table}/chat/report", {"line": line}).status_code


def report_at(browser: Browser, table: str, name: Any) -> int:
    return browser.post(f"/api/tables/{table}/names/report", {"name": name}).status_code


# What is reported.


def test_the_operator_reads_what_was_said_by_whom_where_and_when_but_nothing_of_the_game(
    ann: Browser, bob: Browser, operator: Browser
) -> None:
    table = shared(ann, bob)
    line = say(bob, table.id, "You are a fool")
    assert report_message(ann, table.id, line) == 200
    (report,) = reports(operator)
    assert set(report) == SHAPE
    wanted = {"name": "Bob", "text": "You are a fool", "table": table.id, "game": "Orchard", "seat": 1, "line": line}
    assert report.items() >= wanted.items()
    assert (report["reporter"], report["club"], report["person"]) == (None, None, None)
    assert operator.get(f"/api/tables/{table.id}").status_code == 404, "a report opens no table"


def test_a_spectator_reports_and_is_reported(ann: Browser, bob: Browser, eve: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    eve.join(table.watch)
    assert report_message(eve, table.id, say(ann, table.id, "hm")) == 200
    assert report_message(ann, table.id, say(eve, table.id, "spam")) == 200
    assert [(each["text"], each["seat"]) for each in reports(operator)] == [("spam", -5), ("hm", 0)]


def test_names_are_reported_at_the_table_in_the_lobby_and_on_a_profile(
    ann: Browser, bob: Browser, eve: Browser, operator: Browser
) -> None:
    table = shared(ann, bob)
    assert report_at(ann, table.id, "Bob") == 200
    lobby = bob.open("orchard", "me open")
    bob.post(f"/api/tables/{lobby.id}/name", {"seat": 0, "name": "Rude"})
    bob.post(f"/api/tables/{lobby.id}/password", {"password": "sesame"})
    assert eve.get(f"/api/tables/{lobby.id}").status_code == 403
    assert report_at(eve, lobby.id, "Rude") == 200, "the lobby lists the names of a table with a password"
    bob_id = named(bob, "Bob the Rude", "all")["id"]
    assert eve.post(f"/api/people/{bob_id}/names/report", {"name": "Bob the Rude"}).status_code == 200
    found = [(each["name"], each["table"], each["seat"], each["person"], each["text"]) for each in reports(operator)]
    assert found == [
        ("Bob the Rude", None, None, bob_id, ""),
        ("Rude", lobby.id, 0, None, ""),
        ("Bob", table.id, 1, None, ""),
    ]


def test_only_names_of_people_that_are_there_can_be_reported(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = ann.open("orchard", "me bot link")
    view = ann.view(table.id)
    for seat in (1, 2):
        assert report_at(ann, table.id, view["seats"][seat]["name"]) == 409, "a bot, and a free seat"
    assert report_at(ann, table.id, "Nobody") == 409
    ann_id = named(ann, "Ann", "all")["id"]
    assert bob.post(f"/api/people/{ann_id}/names/report", {"name": "Anna"}).status_code == 409, "renamed meanwhile"
    assert reports(operator) == []


# Secrecy.


def test_strangers_can_neither_report_nor_learn_what_exists(
    ann: Browser, bob: Browser, eve: Browser, operator: Browser
) -> None:
    table, foreign = shared(ann, bob), shared(ann, bob)
    line = say(bob, table.id, "words")
    assert report_message(eve, table.id, line) == 404
    assert report_message(ann, foreign.id, line) == 404, "the line is of another table"
    assert report_message(ann, table.id, line + 1000) == 404
    assert report_message(ann, "zzzzzzzzzz", line) == 404
    assert report_at(eve, table.id, "Bob") == 404
    hidden = named(bob, "Bob", "me")["id"]
    for profile in (hidden, "zzzzzzzzzz", "no id"):
        assert eve.post(f"/api/people/{profile}/names/report", {"name": "Bob"}).status_code == 404
    club, _ = founded(bob)
    assert eve.post(f"/api/clubs/{club}/report", {"text": "x"}).status_code == 404
    assert reports(operator) == []
    for browser in (ann, bob, eve):
        assert browser.get("/api/operator/reports").status_code == 403
        assert act(browser, {"id": 1}, "delete") == act(browser, {"id": 1}, "remove") == 403


def test_the_reported_do_not_learn_of_it(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    bob_id = named(bob, "Bob", "all")["id"]
    line = say(bob, table.id, "words")
    with bob.socket(table.id) as socket:
        socket.hear_until("chat")
        socket.send(type="ping", id=1)
        socket.hear_until("pong", reply_to=1)
        heard = len(socket.traffic)
        assert report_message(ann, table.id, line) == report_at(ann, table.id, "Bob") == 200
        assert ann.post(f"/api/people/{bob_id}/names/report", {"name": "Bob"}).status_code == 200
        socket.send(type="ping", id=2)
        socket.hear_until("pong", reply_to=2)
        assert len(socket.traffic) == heard + 1, "nothing but the pong"
    assert len(reports(operator)) == 3
    assert bob.get("/api/profile/export").json()["reports"] == []


def test_a_report_is_made_once_however_many_make_it(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    line = say(bob, table.id, "words")
    with ThreadPoolExecutor(4) as threads:
        made = [*threads.map(lambda _: report_message(ann, table.id, line), range(8))]
        made += threads.map(lambda _: report_at(ann, table.id, "Bob"), range(8))
    assert set(made) == {200}
    assert sorted(each["text"] for each in reports(operator)) == ["", "words"]


def test_malformed_reports_are_refused(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    bob_id = named(bob, "Bob", "all")["id"]
    values: list[Any] = [None, True, -1, 0, 2**31, 2**63, 1.5, "1", "", "\u0000", "x" * 65, [], {}, [1], {"line": 1}]
    bodies: list[Any] = [[], 7, "line", {}, {"line": 1, "name": "Bob"}, {"name": "Bob", "more": 1}, {"seat": 1}]
    bodies += [{name: value} for name, value in product(["line", "name", "text"], values)]
    for path in (f"tables/{table.id}/chat/report", f"tables/{table.id}/names/report", f"people/{bob_id}/names/report"):
        for body in bodies:
            assert ann.http.post(f"/api/{path}", json=body).status_code in (400, 404, 409, 422), (path, body)
    for id in ("0", "-1", "x", str(2**31), "1'--"):
        assert operator.post(f"/api/operator/reports/{id}/remove").status_code in (400, 404)
    assert reports(operator) == []


def test_an_address_makes_few_reports_in_an_hour(tmp_path: Path) -> None:
    server = Server(tmp_path, f"--operator={TOKEN}")
    with server.browser() as ann, server.browser() as bob, server.browser(TOKEN) as operator:
        table = shared(ann, bob)
        lines = [say(bob, table.id, f"line {number}") for number in range(6)]
        assert [report_message(ann, table.id, line) for line in lines] == [200] * 5 + [429]
        assert report_at(bob, table.id, "Ann") == 429, "another browser of the address"
        assert len(reports(operator)) == 5
    server.stop()


def test_where_nobody_reads_reports_none_are_made(tmp_path: Path) -> None:
    for folder, flags in (("none", []), ("off", [f"--operator={TOKEN}", "--without=reports"])):
        server = Server(tmp_path / folder, *flags)
        with server.browser() as ann, server.browser() as bob:
            table = shared(ann, bob)
            assert report_message(ann, table.id, say(bob, table.id, "words")) == 404
            assert report_at(ann, table.id, "Bob") == 404
            assert "data-reports" not in ann.get(f"/t/{table.id}").text
            bob.open("orchard", "me open")
            assert "data-report=" not in ann.get("/").text
        server.stop()


def test_pages_offer_reports_of_others(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = bob.open("orchard", "me open")
    bob.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": 'Rude "<b>'})
    bob_id = named(bob, "Bob", "all")["id"]
    for path in ("/", "/lobby/tables"):
        assert f'data-report="{table.id}"' in ann.get(path).text
        assert f'data-report="{table.id}"' not in bob.get(path).text
    assert "<b>" not in ann.get("/lobby/tables").text
    assert "data-reports" in ann.get(f"/t/{table.id}").text
    assert f'data-report="{bob_id}"' in ann.get(f"/people/{bob_id}").text
    assert f'data-report="{bob_id}"' not in bob.get(f"/people/{bob_id}").text


# The operator.


def test_the_operator_removes_a_line_and_mutes_who_wrote_it(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    before, line = say(ann, table.id, "hello"), say(bob, table.id, "spam")
    report_message(ann, table.id, line)
    (report,) = reports(operator)
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        assert act(operator, report, "remove") == 200
        (removed,) = socket.hear_until("chat")["messages"]
        assert (removed["id"], removed["text"], removed["name"]) == (line, "", "")
    assert [each["id"] for each in chat(ann, table.id)] == [before]
    assert bob.post(f"/api/tables/{table.id}/chat", {"text": "again"}).status_code == 403
    assert ann.post(f"/api/tables/{table.id}/mute", {"seat": 1, "muted": False}).status_code == 200
    assert say(bob, table.id, "sorry") > line
    assert reports(operator) == []
    assert act(operator, report, "remove") == 404
    assert report_message(ann, table.id, line) == 404, "there is nothing left to report"


def test_a_line_of_a_spectator_is_removed_and_the_others_may_chat(
    ann: Browser, bob: Browser, eve: Browser, operator: Browser
) -> None:
    table = shared(ann, bob)
    eve.join(table.watch)
    report_message(ann, table.id, say(eve, table.id, "spam"))
    assert act(operator, reports(operator)[0], "remove") == 200
    assert chat(ann, table.id) == []
    assert ann.view(table.id)["muted"] == []


def test_the_operator_replaces_a_name_at_the_table_and_in_its_chat(
    ann: Browser, bob: Browser, operator: Browser
) -> None:
    table = shared(ann, bob)
    say(bob, table.id, "hello")
    report_at(ann, table.id, "Bob")
    (report,) = reports(operator)
    assert act(operator, report, "remove") == 200
    name = ann.view(table.id)["seats"][1]["name"]
    assert name != "Bob"
    assert [each["name"] for each in chat(ann, table.id)] == [name]
    assert reports(operator) == []


def test_a_name_that_has_changed_meanwhile_stays(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    bob_id = named(bob, "Bob", "all")["id"]
    report_at(ann, table.id, "Bob")
    ann.post(f"/api/people/{bob_id}/names/report", {"name": "Bob"})
    bob.post(f"/api/tables/{table.id}/name", {"seat": 1, "name": "Robert"})
    named(bob, "Robert", "all")
    for report in reports(operator):
        assert act(operator, report, "remove") == 200
    assert ann.view(table.id)["seats"][1]["name"] == "Robert"
    assert bob.get("/api/profile").json()["name"] == "Robert"


def test_the_operator_replaces_the_name_of_a_profile(ann: Browser, bob: Browser, operator: Browser) -> None:
    bob_id = named(bob, "Bob the Rude", "all")["id"]
    ann.post(f"/api/people/{bob_id}/names/report", {"name": "Bob the Rude"})
    assert act(operator, reports(operator)[0], "remove") == 200
    assert bob.get("/api/profile").json()["name"] == f"Player {bob_id[:4]}"


def test_the_operator_dismisses_a_report_or_deletes_the_club(ann: Browser, operator: Browser) -> None:
    named(ann, "Ann")
    id, _ = founded(ann)
    for number in range(REPORTS_KEPT + 5):
        assert ann.post(f"/api/clubs/{id}/report", {"text": f"Look {number}"}).status_code == 200
    found = reports(operator)
    assert len(found) == REPORTS_KEPT
    first = found[0]
    assert (first["text"], first["reporter"], first["name"]) == (f"Look {REPORTS_KEPT + 4}", "Ann", "Chess and cake")
    assert act(operator, first, "delete") == 200
    assert len(reports(operator)) == REPORTS_KEPT - 1
    assert ann.get("/api/profile/export").json()["reports"][0]["text"] == f"Look {REPORTS_KEPT + 3}"
    assert act(operator, found[1], "remove") == 200
    assert ann.get(f"/api/clubs/{id}").status_code == 404
    assert reports(operator) == []


# What is deleted goes with its reports.


def test_reports_are_deleted_with_the_person_whom_they_are_about(ann: Browser, bob: Browser, operator: Browser) -> None:
    table = shared(ann, bob)
    bob_id = named(bob, "Bob", "all")["id"]
    report_message(ann, table.id, say(bob, table.id, "words"))
    report_message(bob, table.id, say(ann, table.id, "my words"))
    report_at(ann, table.id, "Bob")
    ann.post(f"/api/people/{bob_id}/names/report", {"name": "Bob"})
    assert len(reports(operator)) == 4
    assert bob.post("/api/profile/delete").status_code == 200
    assert [each["text"] for each in reports(operator)] == ["my words"]


def test_reports_are_deleted_with_the_table(ann: Browser, bob: Browser, operator: Browser) -> None:
    named(ann, "Ann")
    table = ann.open("orchard", "me open", watchable=True)
    ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Ann"})
    assert report_message(bob, table.id, say(ann, table.id, "words")) == report_at(bob, table.id, "Ann") == 200
    assert len(reports(operator)) == 2
    assert ann.post("/api/profile/delete").status_code == 200, "nobody else sits there: the table is deleted"
    assert ann.get(f"/api/tables/{table.id}").status_code == 404
    assert reports(operator) == []


# Both databases.


async def race(first: Storage, second: Storage) -> None:
    """Everything is reported at two processes at once while it is deleted: no request fails, and nothing stays."""
    ann = await _ann(first)
    async with first.writing() as connection:
        await insert_club(connection, "c" * 10, "Club", digest("link"), now())
    await report_club(first, "c" * 10, "Club", ann, "words", now())
    await asyncio.gather(*(report_person((first, second)[n % 2], ann, "Ann", now()) for n in range(10)))
    found = await all_reports(second, 0, 100)
    assert [(each.person, each.club, each.reporter) for each in found] == [(ann, None, None), (None, "c" * 10, "Ann")]
    assert not await report_line(first, "t" * 10, 7, now())
    await report_name(first, "t" * 10, 0, "Ann", now())
    await asyncio.gather(
        *(report_person((first, second)[n % 2], ann, f"Ann {n}", now()) for n in range(10)),
        _delete_profile(second, digest("Ann")),
        *(report_club((first, second)[n % 2], "c" * 10, "Club", ann, f"words {n}", now()) for n in range(10)),
    )
    assert await all_reports(first, 0, 100) == []


async def _ann(storage: Storage) -> str:
    await set_profile(storage, digest("Ann"), "Ann", "all")
    found = await find_profile(storage, digest("Ann"))
    assert found
    return found.id


async def _delete_profile(storage: Storage, key: bytes) -> None:
    async with storage.writing() as connection:
        await delete_profile(connection, key)


def test_reports_race_with_deletions(tmp_path: Path, database: Database) -> None:
    async def at(settings: Settings) -> None:
        first, second = Storage(settings), Storage(settings)
        await first.open()
        if not settings.is_sqlite:
            await second.open()
        await race(first, first if settings.is_sqlite else second)
        await first.close()
        if not settings.is_sqlite:
            await second.close()

    run_apart(at(Settings(data=tmp_path)))
    run_apart(at(Settings(data=tmp_path, database=database.address)))
