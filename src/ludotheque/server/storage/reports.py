"""Reports to the operator: words of a member about a club, a line of chat, a name at a table or of a profile.

A line or a name is reported once, however many people report it, and without who did.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.locks import keep_club, keep_profiles, keep_table
from ludotheque.server.storage.schema import CHAT, PROFILES, REPORTS, TABLES

REPORTS_KEPT: Final = 20
"""Reports of one member about one club; older ones are dropped."""


class StoredReport(Struct, frozen=True, kw_only=True):
    """A report to the operator. It holds nothing of a game but its name."""

    id: int
    club: str | None
    table: str | None
    game: str | None
    """The name of the game of the table."""
    seat: int | None
    line: int | None
    """The line of chat."""
    person: str | None
    """The profile whose name is reported."""
    name: str
    """The name of the club, of the writer of the line, or the name that is reported."""
    text: str
    """The line, or the words about the club; empty for a name."""
    reporter: str | None
    """The name of the member who reports a club."""
    time: datetime


# Make a report.


async def report_club(storage: Storage, club: str, name: str, profile: str, text: str, at: datetime) -> None:
    """Keep the words of a member about a club, and drop their oldest ones beyond a number."""
    mine = sql.and_(REPORTS.c.club == club, REPORTS.c.profile == profile)
    async with storage.writing() as connection:
        if not await keep_club(connection, club) or not await keep_profiles(connection, [profile]):
            return
        about = {"club": club, "profile": profile, "name": name, "text": text, "time": at}
        await _insert(connection, f"club {club} {profile} {text}", about)
        kept = sql.select(REPORTS.c.id).where(mine).order_by(REPORTS.c.id.desc()).limit(REPORTS_KEPT)
        await connection.execute(sql.delete(REPORTS).where(mine, REPORTS.c.id.not_in(kept)))


async def report_line(storage: Storage, table: str, line: int, at: datetime) -> bool:
    """Report a line of chat; return whether the table has it."""
    async with storage.writing() as connection:
        await keep_table(connection, table)
        said = sql.select(CHAT).where(CHAT.c.id == line, CHAT.c.table_id == table, CHAT.c.text != "")
        kept = said.with_for_update(read=True, key_share=True)
        row = (await connection.execute(kept)).mappings().one_or_none()
        if row is None:
            return False
        about = {"table_id": table, "seat": row["seat"], "line": line, "name": row["name"], "text": row["text"]}
        await _insert(connection, f"line {line}", about | {"time": at})
    return True


async def report_name(storage: Storage, table: str, seat: int, name: str, at: datetime) -> None:
    """Report the name of a seat."""
    async with storage.writing() as connection:
        if await keep_table(connection, table):
            about = {"table_id": table, "seat": seat, "name": name, "text": "", "time": at}
            await _insert(connection, f"name {table} {seat} {name}", about)


async def report_person(storage: Storage, profile: str, name: str, at: datetime) -> None:
    """Report the name of a profile."""
    async with storage.writing() as connection:
        if await keep_profiles(connection, [profile]):
            about = {"person": profile, "name": name, "text": "", "time": at}
            await _insert(connection, f"person {profile} {name}", about)


async def _insert(connection: AsyncConnection, what: str, about: dict[str, Any]) -> None:
    """Insert a report unless the same has been reported already."""
    adding = insert_into(connection, REPORTS).values(about | {"digest": digest(what)})
    await connection.execute(adding.on_conflict_do_nothing(index_elements=[REPORTS.c.digest]))


# Read and delete reports.


async def all_reports(storage: Storage, offset: int, limit: int) -> list[StoredReport]:
    """The latest reports."""
    return await _read(storage, sql.true(), offset, limit)


async def reports_of(storage: Storage, profile: str) -> list[StoredReport]:
    """Return the reports about clubs that someone has made, the latest first."""
    return await _read(storage, REPORTS.c.profile == profile)


async def find_report(storage: Storage, id: int) -> StoredReport | None:
    return next(iter(await _read(storage, REPORTS.c.id == id)), None)


async def _read(
    storage: Storage, condition: sql.ColumnElement[bool], offset: int = 0, limit: int | None = None
) -> list[StoredReport]:
    query = (
        sql.select(REPORTS, TABLES.c.game, PROFILES.c.name.label("reporter"))
        .outerjoin(TABLES, TABLES.c.id == REPORTS.c.table_id)
        .outerjoin(PROFILES, PROFILES.c.id == REPORTS.c.profile)
        .where(condition)
        .order_by(REPORTS.c.id.desc())
        .offset(offset)
        .limit(limit)
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return [_report(row) for row in rows]


def _report(row: sql.RowMapping) -> StoredReport:
    return StoredReport(
        id=row["id"],
        club=row["club"],
        table=row["table_id"],
        game=row["game"],
        seat=row["seat"],
        line=row["line"],
        person=row["person"],
        name=row["name"],
        text=row["text"],
        reporter=row["reporter"],
        time=row["time"].replace(tzinfo=UTC),
    )


async def delete_report(storage: Storage, id: int) -> None:
    async with storage.writing() as connection:
        await connection.execute(sql.delete(REPORTS).where(REPORTS.c.id == id))
