"""Copy a SQLite database while a server uses it, and check that every table in a database can be played on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.core.errors import BadOption
from ludotheque.server.config import DATABASE, Settings
from ludotheque.server.errors import Unplayable
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.schema import TABLES


class CheckedDatabase(Struct, frozen=True):
    """The results of a check."""

    tables: int
    faults: tuple[str, ...]
    unplayable: tuple[str, ...] = ()
    """Sound tables of a game, or a version of it, that is not installed."""


def sqlite_file(settings: Settings) -> Path:
    """The SQLite file of a server; `BadOption` if there is none."""
    path = settings.data / DATABASE
    if not path.is_file():
        raise BadOption(f"There is no database {str(path)!r}; name its folder with --data.")
    return path


def back_up(settings: Settings, target: Path) -> None:
    """Copy the database to a new file, consistent as of one moment; a server may be running."""
    source = sqlite_file(settings)
    if target.exists():
        raise BadOption(f"{str(target)!r} exists already; name another file.")
    partial = target.with_name(target.name + ".partial")
    try:
        with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(partial)) as copy:
            database.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise BadOption(f"The database is damaged ({found}); nothing was copied.")
        partial.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise BadOption(f"The database cannot be copied: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)


async def check(settings: Settings, replay: Callable[..., object]) -> CheckedDatabase:
    """Check the pages of a SQLite file, and `replay` every table: its row, its history and its keys."""
    faults = _page_faults(sqlite_file(settings)) if settings.is_sqlite else []
    unplayable = []
    storage = Storage(settings)
    try:
        async with storage.reading() as connection:
            ids = [str(id) for id in (await connection.execute(sql.select(TABLES.c.id))).scalars()]
        for id in ids:
            try:
                faults += await _table_faults(storage, id, replay)
            except Unplayable as error:
                unplayable.append(f"table {id}: {error}")
    finally:
        await storage.close()
    return CheckedDatabase(len(ids), tuple(faults), tuple(unplayable))


def _page_faults(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        pages = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
        orphans = database.execute("PRAGMA foreign_key_check").fetchall()
    return [fault for fault in pages if fault != "ok"] + [f"a row of {row[0]} belongs to no table" for row in orphans]


async def _table_faults(storage: Storage, id: str, replay: Callable[..., object]) -> list[str]:
    try:
        found = await storage.load_table(id)
        if found is None:
            return []
        if len(found[1]) != found[0].ply:
            return [f"table {id}: {len(found[1])} of {found[0].ply} plies are stored"]
        replay(*found)
    except (SQLAlchemyError, OSError, Unplayable):  # no fault of the table
        raise
    except Exception as error:
        return [f"table {id}: {error}"]
    return []
