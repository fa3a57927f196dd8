"""The log keeps the secrets of the people at the tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.server.harness import Server


def test_logs_of_a_failing_database_hold_no_names_and_no_chat(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as ann:
        table = ann.open("orchard", "me me")
        with sqlite3.connect(tmp_path / "ludotheque.sqlite3", isolation_level=None) as database:
            for name in ("chat", "tables"):
                database.execute(f"ALTER TABLE {name} RENAME TO lost_{name}")
            chat = ann.post(f"/api/tables/{table.id}/chat", {"text": "a secret plan"})
            rename = ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Philippa"})
        database.close()
    server.stop()
    assert (chat.status_code, rename.status_code) == (503, 503)
    log = server.log.read_text()
    assert "the database failed" in log
    assert "secret plan" not in log
    assert "Philippa" not in log


def test_the_log_says_nothing_of_those_who_open_a_socket(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as ann:
        table = ann.open("orchard", "me me")
        with ann.socket(table.id) as socket:
            socket.hear_until("view")
    server.stop()
    log = server.log.read_text()
    assert "Started server process" in log
    assert "WebSocket" not in log
