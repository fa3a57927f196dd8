"""A recovery link moves all seats, progress and settings of a browser to another one, once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from ludotheque.server.config import Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.recoveries import VALID_FOR, Moved, add_recovery, use_recovery
from tests.server.harness import Browser, Server, run_apart

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def recovery_link(browser: Browser, **stored: str) -> str:
    answer = browser.post("/api/recovery", {"stored": stored})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["url"]).partition("#")[2]


def test_all_seats_tables_and_settings_move_to_the_other_browser(ann: Browser, bob: Browser, server: Server) -> None:
    hers = ann.open("nim", "me link")
    his = bob.open("nim", "me link")
    ann.join(his.links[1])
    with server.browser() as phone:
        phone.join(hers.watch)
        answer = phone.post("/api/recovery/use", {"secret": recovery_link(ann, theme="dark")})
        assert answer.json() == {"tables": 2, "stored": {"theme": "dark"}}
        assert (phone.view(hers.id)["mine"], phone.view(hers.id)["host"]) == ([0], True)
        assert phone.view(his.id)["mine"] == [1]
        assert phone.play(hers.id, 0).status_code == 200
        assert {table["id"] for table in phone.get("/api/mine").json()} == {hers.id, his.id}
    assert ann.get("/api/mine").json() == []
    assert ann.get(f"/api/tables/{hers.id}").status_code == 404


def test_a_link_works_once_and_a_newer_one_ends_it(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("nim", "me me")
    old, new = recovery_link(ann), recovery_link(ann)
    assert bob.post("/api/recovery/use", {"secret": old}).status_code == 403
    assert bob.post("/api/recovery/use", {"secret": new}).status_code == 200
    assert eve.post("/api/recovery/use", {"secret": new}).status_code == 403
    assert eve.get(f"/api/tables/{table.id}").status_code == 404


def test_the_old_browsers_open_socket_is_closed(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        bob.post("/api/recovery/use", {"secret": recovery_link(ann)})
        assert socket.hear_to_the_end() == 4404


def test_too_much_stored_is_refused(ann: Browser) -> None:
    many = {f"key{number}": "x" * 9000 for number in range(3)}
    assert ann.post("/api/recovery", {"stored": many}).json()["error"] == "too-large"


def test_a_link_expires(tmp_path: Path) -> None:
    link, old, new = (digest(word) for word in ("link", "old", "new"))

    async def try_later(after: timedelta) -> Moved | None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        try:
            await add_recovery(storage, link, [old], {}, NOON)
            return await use_recovery(storage, link, new, NOON + after)
        finally:
            await storage.close()

    assert run_apart(try_later(VALID_FOR)) == Moved((), {})
    assert run_apart(try_later(VALID_FOR + timedelta(seconds=1))) is None


def test_my_tables_begin_with_those_where_it_is_my_turn(ann: Browser) -> None:
    mine = ann.open("nim", "me link")
    theirs = ann.open("nim", "link me")
    over = ann.open("nim", "me me")
    while not (view := ann.view(over.id))["over"]:
        ann.play(over.id, view["to_move"])
    assert [table["id"] for table in ann.get("/api/mine").json()] == [mine.id, theirs.id, over.id]
