"""Work of an operator: figures, backups, checks, deletion of old tables, upgrades; and the memory that tables take."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql

import tests.toy  # noqa: F401  (registers the toy games)
from ludotheque import Match, load_game
from ludotheque.errors import BadOption, CannotServe
from ludotheque.games.pays_noir.document import built_in_document
from ludotheque.server.after.cleaning import TableCleaner
from ludotheque.server.config import DATABASE, Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.maintenance import back_up, check
from ludotheque.server.storage.schema import TABLES
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import UNUSED_IN_MEMORY, LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.live import load
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.apart import invoke
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.test_events import open_another_table, open_table

COOKIE = "XcXLVIkGxtGkutaF4IOxLkgXwqDtmkcj"
"""Of the browser that played at the old server."""
OLD = Path(__file__).with_name("data") / "version_0_1_0.sql"


def test_metrics_count_moves_sockets_and_errors(server: Server, ann: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        before = figures(server)
        assert ann.play(table.id, 0).status_code == 200
        assert ann.get("/api/tables/aaaaaaaaaa").status_code == 404
        after = figures(server)
    assert after["ludotheque_moves_total"] == before["ludotheque_moves_total"] + 1
    assert after["ludotheque_move_seconds_count"] == after["ludotheque_moves_total"]
    assert after["ludotheque_sockets"] >= 1
    assert after["ludotheque_tables"] >= 1
    assert after['ludotheque_requests_total{status="404"}'] >= 1
    assert {"ludotheque_searches_waiting", "ludotheque_searches_running"} <= set(after)


def figures(server: Server) -> dict[str, float]:
    answer = server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = [line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_a_server_without_other_processes_is_ready(server: Server) -> None:
    assert server.get("/ready").json() == {"ready": True, "database": True, "listener": True}


def test_a_backup_made_while_people_play_is_complete(server: Server, ann: Browser, tmp_path: Path) -> None:
    table = ann.open("nim", "me me")
    ann.play(table.id, 0)
    version = ann.view(table.id)["version"]
    folder = tmp_path / "restored"
    folder.mkdir()
    back_up(Settings(data=server.folder), folder / DATABASE)
    with pytest.raises(BadOption, match="exists already"):
        back_up(Settings(data=server.folder), folder / DATABASE)
    restored = Server(folder)
    with restored.browser() as browser:
        browser.http.cookies.update(dict(ann.http.cookies))
        assert browser.view(table.id)["version"] == version
        assert browser.play(table.id, browser.view(table.id)["to_move"]).status_code == 200
    restored.stop()


def test_a_database_of_version_0_1_0_is_upgraded_backed_up_restored_and_played_on(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with closing(sqlite3.connect(tmp_path / "old" / DATABASE)) as database:
        database.executescript(OLD.read_text(encoding="utf-8"))
        running = database.execute("SELECT id, version, ply FROM tables WHERE NOT over").fetchone()
        finished = database.execute("SELECT id FROM tables WHERE over").fetchone()[0]
    Server(tmp_path / "old").stop()
    restored = tmp_path / "restored"
    restored.mkdir()
    back_up(Settings(data=tmp_path / "old"), restored / DATABASE)
    assert run_apart(check(Settings(data=restored), load)).faults == ()
    server = Server(restored)
    with server.browser() as browser:
        browser.http.cookies.set("ludotheque", COOKIE)
        view = browser.view(running[0])
        assert (view["version"], view["last_ply"], view["mine"]) == (running[1], running[2], [0])
        assert view["seats"][0]["name"] == "Ann"
        assert browser.play(running[0], 0).status_code == 200
        wait_until(lambda: browser.view(running[0])["version"] >= running[1] + 2)
        assert browser.view(finished)["result"]["scores"]
        with browser.socket(running[0]) as socket:
            assert socket.hear_until("chat")["messages"][0]["text"] == "hello from version 0.1.0"
    server.stop()


def test_a_link_used_before_the_update_stays_with_its_browser(tmp_path: Path) -> None:
    """In version 0.1.0 a browser that joined by a link got a key of its own, and the link still worked for others."""
    link, bob = "l" * 32, "b" * 32
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.executescript(OLD.read_text(encoding="utf-8"))
        table, names = database.execute("SELECT id, names FROM tables WHERE NOT over").fetchone()
        seats = [{"who": "person", "level": "", "open": False, "taken": True} for _ in json.loads(names)]
        database.execute("UPDATE tables SET seats = ? WHERE id = ?", [json.dumps(seats), table])
        keys = [(digest(link), table, 1, "link"), (digest(bob), table, 1, "browser")]
        database.executemany("INSERT INTO keys (digest, table_id, seat, kind) VALUES (?, ?, ?, ?)", keys)
        database.commit()
    server = Server(tmp_path)
    with server.browser() as holder, server.browser() as other, server.browser(bearer=link) as program:
        holder.http.cookies.set("ludotheque", bob)
        assert holder.view(table)["mine"] == [1]
        assert holder.join(f"/t/{table}#{link}") == 1
        assert other.post(f"/api/tables/{table}/join", {"secret": link}).status_code == 403
        assert program.get(f"/api/tables/{table}").status_code == 404
        assert holder.view(table)["seats"][1]["browsers"] == 1
    server.stop()


def test_check_database_finds_a_lost_ply(tmp_path: Path) -> None:
    async def make() -> None:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        await open_table(live_tables, TableEvents(), "passerelles")
        await live_tables.storage.close()

    run_apart(make())
    words = ("check-database", "--data", str(tmp_path))
    assert "No faults; tables checked: 1." in invoke(*words).output
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.execute("UPDATE tables SET ply = ply + 1")
        database.commit()
    assert invoke(*words).exit_code == 1
    assert "plies are stored" in run_apart(check(Settings(data=tmp_path), load)).faults[0]


def test_check_database_says_so_if_the_file_is_damaged(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(bytes(range(256)) * 32)
    result = invoke("check-database", "--data", str(tmp_path))
    assert result.exit_code == 1
    assert "The database cannot be read: file is not a database." in result.output


def test_old_tables_are_forgotten_with_all_that_belongs_to_them(tmp_path: Path) -> None:
    async def forget() -> tuple[list[str], str, int]:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        events = TableEvents()
        old, young = await open_table(live_tables, events), await open_another_table(live_tables, events)
        await TableActions(TableWriter(live_tables, events)).chat(old, Rights((0,), is_host=True), "secret")
        async with live_tables.storage.writing() as connection:
            long_ago = datetime.now(UTC) - timedelta(days=31)
            await connection.execute(sql.update(TABLES).where(TABLES.c.id == old.id).values(updated=long_ago))
        assert await TableCleaner(live_tables, 32).delete_old() == []
        live_tables.pin(old.id)
        assert await TableCleaner(live_tables, 30).delete_old() == [], "someone has it open"
        live_tables.unpin(old.id)
        gone = await TableCleaner(live_tables, 30).delete_old()
        assert live_tables.in_memory(young.id)
        assert live_tables.in_memory(old.id) is None
        async with live_tables.storage.reading() as connection:
            chat = (await connection.execute(sql.text("SELECT count(*) FROM chat"))).scalar_one()
        await live_tables.storage.close()
        return gone, old.id, chat

    gone, id, chat = run_apart(forget())
    assert (gone, chat) == ([id], 0)


def test_finished_games_that_nobody_has_open_leave_the_memory(tmp_path: Path) -> None:
    async def play() -> int:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 1000)
        events = TableEvents()
        actions = TableActions(TableWriter(live_tables, events))
        await live_tables.storage.open()
        for _ in range(UNUSED_IN_MEMORY + 5):
            table = await open_another_table(live_tables, events, "nim")
            live_tables.pin(table.id)
            while not table.match.is_over:
                seat = table.match.to_move
                await actions.move(table, seat, table.version, int(table.match.choices(seat)[0].action or 0))
            live_tables.unpin(table.id)
        await live_tables.storage.close()
        return len(live_tables)

    assert run_apart(play()) == UNUSED_IN_MEMORY


def test_games_with_a_board_of_their_own_that_nobody_has_open_leave_the_memory(tmp_path: Path) -> None:
    """Each takes half a megabyte, and one visitor may open thousands."""

    async def open_many() -> int:
        live_tables, events = LiveTables(Storage(Settings(data=tmp_path)), 1000), TableEvents()
        await live_tables.storage.open()
        opener = TableOpener(live_tables, events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
        match = Match.start(load_game("pays-noir", cards=built_in_document()))
        for _ in range(UNUSED_IN_MEMORY + 5):
            await opener.open_match(match, 0, "1", bytes(32), "puzzle", Reader("en"))
        await live_tables.storage.close()
        return len(live_tables)

    assert run_apart(open_many()) == UNUSED_IN_MEMORY


def test_a_damaged_page_is_reported_at_the_start(tmp_path: Path) -> None:
    async def open_storage() -> None:
        storage = Storage(Settings(data=tmp_path))
        try:
            await storage.open()
        finally:
            await storage.close()

    run_apart(open_storage())
    path = tmp_path / "ludotheque.sqlite3"
    content = bytearray(path.read_bytes())
    content[4096 : 2 * 4096] = b"\x55" * 4096
    path.write_bytes(bytes(content))
    with pytest.raises(CannotServe, match="database is damaged"):
        run_apart(open_storage())
