"""`backup` and `check-database`: look after the database of a server."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.terminal import Data, console, fail


def register(app: typer.Typer) -> None:
    app.command()(backup)
    app.command("check-database")(check_database)


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The copy to write.")],
    data: Data = None,
) -> None:
    """Copy the SQLite database of a server, which may be running; for PostgreSQL use pg_dump.

    Example: `ludotheque backup tables-monday.sqlite3`
    """
    from ludotheque.server.config import Settings, default_data
    from ludotheque.server.storage.maintenance import back_up

    back_up(Settings(data=data or default_data()), target)
    console.print(f"The tables are in {target}.")


def check_database(
    data: Data = None,
    database: Annotated[
        str, typer.Option("--database", metavar="URL", help="A PostgreSQL database instead of a SQLite file.")
    ] = "",
) -> None:
    """Check the database of a server: every page, and every game from its first move to its last.

    Example: `ludotheque check-database --data /srv/ludotheque`
    """
    from sqlalchemy.exc import SQLAlchemyError

    from ludotheque.server.config import Settings, default_data
    from ludotheque.server.storage.failures import why_failed
    from ludotheque.server.storage.maintenance import check
    from ludotheque.server.tables.live import load

    try:
        found = asyncio.run(check(Settings(data=data or default_data(), database=database), load))
    except (OSError, SQLAlchemyError, sqlite3.Error, ImportError) as error:
        fail(f"The database cannot be read: {why_failed(error)}.")
    for line in (*found.faults, *found.unplayable):
        console.print(line)
    if found.faults:
        fail(f"Faults: {len(found.faults)}; tables checked: {found.tables}; restore the database from a backup.")
    unplayable = f" Tables that cannot be played on: {len(found.unplayable)}." if found.unplayable else ""
    console.print(f"No faults; tables checked: {found.tables}.{unplayable}")
