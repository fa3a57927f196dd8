"""A database of an older server is brought to the newest shape, and nothing in it is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sql
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.ext.asyncio import create_async_engine

from ludotheque.errors import CannotServe
from ludotheque.server.config import Settings
from ludotheque.server.storage import migrations
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.schema import METADATA, TABLES
from tests.server.harness import Server, run_apart, wait_until
from tests.server.postgres import Database
from tests.server.test_maintenance import OLD
from tests.toy import Nim


def migrate(database: Path, to: str) -> None:
    """Bring a SQLite file to a revision, as the server does at its start."""
    engine = sql.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        migrate_by(connection, to)
    engine.dispose()


def migrate_by(connection: sql.Connection, to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["connection"] = connection
    (command.upgrade if to == "head" else command.downgrade)(config, to)


@pytest.mark.full
def test_the_first_shape_becomes_the_newest_one_with_its_tables(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("nim", "bot bot")
        wait_until(lambda: browser.view(table.id)["over"])
        result = browser.view(table.id)["result"]
        cookies = dict(browser.http.cookies)
    server.stop()
    database = tmp_path / "ludotheque.sqlite3"
    migrate(database, "a001")
    with sqlite3.connect(database) as old:
        assert not [row for row in old.execute("PRAGMA table_info(tables)") if row[1] == "kind"]
    old.close()
    server.start()
    with server.browser() as browser:
        browser.http.cookies.update(cookies)
        assert browser.view(table.id)["result"] == result
        wait_until(lambda: browser.get("/api/statistics").json()["played"] == 1)
    server.stop()


_OLD_TABLE = """
    INSERT INTO tables (
        id, game, settings, names, seats, host, version, ply, to_move, over, pace, has_open_seat, kind, origin,
        origin_ply, commitment, dice_since, created, updated
    ) VALUES (
        '{id}', '{game}', '{{}}', '[]', '[]', '', 1, 7, 0, false, '{{}}', false, 'played', '', 0, '', 0, '2026-01-01',
        '2026-01-01'
    )
"""


def check_versions_of_old_tables(connection: sql.Connection) -> None:
    """Tables from before versions were stored count as of the version of their game that is installed then."""
    migrate_by(connection, "a003")
    for id, game in enumerate(("nim", "orchard", "cable-car", "uninstalled")):
        connection.exec_driver_sql(_OLD_TABLE.format(id=id, game=game))
    migrate_by(connection, "head")
    found = connection.execute(sql.select(TABLES.c.game, TABLES.c.game_version).order_by(TABLES.c.id)).all()
    assert [tuple(row) for row in found] == [("nim", 3), ("orchard", 1), ("cable-car", 1), ("uninstalled", 1)]


def test_tables_of_an_old_file_count_as_of_the_version_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Nim, "version", 3)
    migrate(tmp_path / "ludotheque.sqlite3", "head")
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'ludotheque.sqlite3'}")
    with engine.begin() as connection:
        check_versions_of_old_tables(connection)
    engine.dispose()


def test_old_tables_in_postgresql_count_as_of_the_version_that_is_installed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def migrate() -> None:
        engine = create_async_engine(database.address)
        async with engine.begin() as connection:
            await connection.run_sync(migrate_by, "head")
            await connection.run_sync(check_versions_of_old_tables)
        await engine.dispose()

    monkeypatch.setattr(Nim, "version", 3)
    run_apart(migrate())


def test_a_table_that_was_called_a_side_table_is_a_branch(tmp_path: Path) -> None:
    database = tmp_path / "ludotheque.sqlite3"
    migrate(database, "head")
    migrate(database, "a003")
    row = {
        "id": "abcdefghjk", "game": "nim", "settings": "{}", "names": "[]", "seats": "[]", "host": b"", "version": 1,
        "ply": 7, "to_move": 0, "over": 0, "pace": "{}", "has_open_seat": 0, "kind": "side", "origin": "bbbbbbbbbb",
        "origin_ply": 4, "commitment": "", "dice_since": 0, "created": "2026-01-01", "updated": "2026-01-01",
    }  # fmt: skip
    with sqlite3.connect(database) as old:
        old.execute(f"INSERT INTO tables ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()])
    old.close()
    migrate(database, "head")
    with sqlite3.connect(database) as new:
        found = new.execute("SELECT kind, branched_from, branch_ply FROM tables").fetchall()
    new.close()
    assert found == [("branch", "bbbbbbbbbb", 4)]


def test_tables_of_another_server_or_of_a_newer_one_are_not_opened(tmp_path: Path) -> None:
    async def opened(data: Path, *, beside: bool = False) -> str:
        first, second = Storage(Settings(data=data)), Storage(Settings(data=data))
        try:
            if beside:
                await first.open()
            await second.open()
        except CannotServe as error:
            return str(error)
        finally:
            await first.close()
            await second.close()
        return ""

    assert run_apart(opened(tmp_path)) == ""
    assert "Another server has the tables" in run_apart(opened(tmp_path, beside=True))
    assert run_apart(opened(tmp_path)) == "", "the one that stops gives way"
    with sqlite3.connect(tmp_path / "ludotheque.sqlite3") as newer:
        newer.execute("UPDATE alembic_version SET version_num = 'z999'")
    newer.close()
    assert "newer version of Ludotheque" in run_apart(opened(tmp_path))


def shapes(database: Path) -> dict[str, dict[str, ReflectedColumn]]:
    """By table of the database: its columns by name."""
    engine = sql.create_engine(f"sqlite:///{database}")
    found = sql.inspect(engine)
    columns = {name: {each["name"]: each for each in found.get_columns(name)} for name in found.get_table_names()}
    engine.dispose()
    return columns


def test_a_process_of_an_older_version_can_go_on_beside_the_new_schema(tmp_path: Path) -> None:
    """Later migrations only add: an older process neither misses what it reads nor lacks what it must write."""
    database = tmp_path / "ludotheque.sqlite3"
    migrate(database, "head")
    new = shapes(database)
    migrate(database, "a004")
    for table, columns in shapes(database).items():
        for name, column in columns.items():
            assert str(new[table][name]["type"]) == str(column["type"]), (table, name)
            assert new[table][name]["nullable"] or not column["nullable"], (table, name)
        for name in new[table].keys() - columns.keys():
            assert new[table][name]["nullable"] or new[table][name]["default"] is not None, (table, name)


def check_shape(connection: sql.Connection) -> None:
    """Tables, columns with their types, keys and indexes are those that the server expects."""
    assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@pytest.mark.parametrize("start", ["", OLD.read_text(encoding="utf-8")], ids=["empty", "version 0.1.0"])
def test_the_migrations_make_the_shape_that_the_server_expects(tmp_path: Path, start: str) -> None:
    database = tmp_path / "ludotheque.sqlite3"
    with closing(sqlite3.connect(database)) as old:
        old.executescript(start)
    migrate(database, "head")
    engine = sql.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        check_shape(connection)
    engine.dispose()


def test_the_migrations_make_the_same_shape_in_postgresql(database: Database) -> None:
    async def migrate() -> None:
        engine = create_async_engine(database.address)
        async with engine.begin() as connection:
            await connection.run_sync(migrate_by, "head")
            await connection.run_sync(check_shape)
        await engine.dispose()

    run_apart(migrate())
