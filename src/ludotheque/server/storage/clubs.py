"""Clubs: private spaces by link, with members, their tables, results and tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_tournaments
from ludotheque.server.storage.mapping import LISTED_COLUMNS, listed_table
from ludotheque.server.storage.profiles import Profile, VisibleTo, profile_of
from ludotheque.server.storage.rows import ListedTable
from ludotheque.server.storage.schema import CLUB_MEMBERS, CLUBS, KEYS, PROFILES, RESULTS, TABLES, TOURNAMENTS

MOST_GAMES: Final = 1000
"""Latest games of a club that its page counts."""


class Member(Struct, frozen=True):
    """A member of a club."""

    profile: str
    name: str
    joined: datetime
    visible_to: VisibleTo


class Club(Struct, frozen=True):
    """A club, and its members in the order in which they came."""

    id: str
    name: str
    link: bytes
    """The digest of the link by which people join."""
    members: tuple[Member, ...]

    @property
    def leader(self) -> str:
        """The member who has been there for longest; empty for none."""
        return self.members[0].profile if self.members else ""

    def has(self, profile: str) -> bool:
        return any(member.profile == profile for member in self.members)


class ListedClub(Struct, frozen=True):
    """A club in a list."""

    id: str
    name: str
    members: int


class SeatResult(Struct, frozen=True):
    """The result of a seat at a finished table of members."""

    table: str
    game: str
    players: int
    profile: str
    share: float


async def read_club(connection: AsyncConnection, id: str, lock: bool = False) -> Club | None:
    """Read a club; `lock` lets no other transaction change it until this one ends."""
    query = sql.select(CLUBS).where(CLUBS.c.id == id)
    row = (await connection.execute(query.with_for_update() if lock else query)).mappings().one_or_none()
    if row is None:
        return None
    members = (
        sql.select(CLUB_MEMBERS.c.profile, CLUB_MEMBERS.c.joined, PROFILES.c.name, PROFILES.c.visible_to)
        .join(PROFILES, PROFILES.c.id == CLUB_MEMBERS.c.profile)
        .where(CLUB_MEMBERS.c.club == id)
        .order_by(CLUB_MEMBERS.c.joined, CLUB_MEMBERS.c.profile)
    )
    found = [
        Member(each.profile, each.name, _utc(each.joined), each.visible_to)
        for each in await connection.execute(members)
    ]
    return Club(id, row["name"], row["link"], tuple(found))


def _utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC)


async def insert_club(connection: AsyncConnection, id: str, name: str, link: bytes, at: datetime) -> None:
    await connection.execute(sql.insert(CLUBS), {"id": id, "name": name, "link": link, "created": at})


async def insert_member(connection: AsyncConnection, club: str, profile: str, at: datetime) -> None:
    await connection.execute(sql.insert(CLUB_MEMBERS), {"club": club, "profile": profile, "joined": at})


async def delete_member(connection: AsyncConnection, club: Club, profile: str) -> None:
    """Let someone be a member no more; a club without members is deleted."""
    gone = sql.and_(CLUB_MEMBERS.c.club == club.id, CLUB_MEMBERS.c.profile == profile)
    await connection.execute(sql.delete(CLUB_MEMBERS).where(gone))
    if {member.profile for member in club.members} <= {profile}:
        await _delete(connection, club.id)


async def _delete(connection: AsyncConnection, id: str) -> None:
    """Delete a club that is locked; its tournaments stay."""
    await lock_tournaments(connection, TOURNAMENTS.c.club == id)
    await connection.execute(sql.delete(CLUBS).where(CLUBS.c.id == id))


async def set_link(connection: AsyncConnection, club: str, link: bytes) -> None:
    await connection.execute(sql.update(CLUBS).where(CLUBS.c.id == club).values(link=link))


async def fellow_members(storage: Storage, profile: str) -> list[Profile]:
    """Return the other members of someone's clubs, by name."""
    mine = sql.select(CLUB_MEMBERS.c.club).where(CLUB_MEMBERS.c.profile == profile)
    members = sql.select(CLUB_MEMBERS.c.profile).where(CLUB_MEMBERS.c.club.in_(mine), CLUB_MEMBERS.c.profile != profile)
    query = sql.select(PROFILES).where(PROFILES.c.id.in_(members)).order_by(PROFILES.c.name, PROFILES.c.id)
    async with storage.reading() as connection:
        return [profile_of(row) for row in (await connection.execute(query)).mappings()]


async def delete_club(storage: Storage, id: str) -> bool:
    """Delete a club; return whether there was one."""
    async with storage.writing() as connection:
        club = await read_club(connection, id, lock=True)
        if club:
            await _delete(connection, id)
    return club is not None


async def leave_all_clubs(storage: Storage, profile: str) -> None:
    """Let someone be a member of no club any more."""
    for each in await clubs_of(storage, profile):
        async with storage.writing() as connection:
            club = await read_club(connection, each.id, lock=True)
            if club:
                await delete_member(connection, club, profile)


async def is_member(storage: Storage, club: str, profile: str) -> bool:
    query = sql.select(CLUB_MEMBERS.c.club).where(CLUB_MEMBERS.c.club == club, CLUB_MEMBERS.c.profile == profile)
    async with storage.reading() as connection:
        return (await connection.execute(query)).first() is not None


# Lists.


def _listed(condition: sql.ColumnElement[bool]) -> sql.Select[Any]:
    members = sql.select(sql.func.count()).where(CLUB_MEMBERS.c.club == CLUBS.c.id).correlate(CLUBS).scalar_subquery()
    return sql.select(CLUBS.c.id, CLUBS.c.name, members.label("members")).where(condition).order_by(CLUBS.c.name)


async def clubs_of(storage: Storage, profile: str) -> list[ListedClub]:
    """The clubs of which someone is a member."""
    mine = sql.select(CLUB_MEMBERS.c.club).where(CLUB_MEMBERS.c.profile == profile)
    async with storage.reading() as connection:
        rows = await connection.execute(_listed(CLUBS.c.id.in_(mine)))
        return [ListedClub(row.id, row.name, row.members) for row in rows]


async def all_clubs(storage: Storage, offset: int, limit: int) -> list[ListedClub]:
    async with storage.reading() as connection:
        rows = await connection.execute(_listed(sql.true()).offset(offset).limit(limit))
        return [ListedClub(row.id, row.name, row.members) for row in rows]


async def names_beside(storage: Storage, key: bytes) -> list[str]:
    """The names of the other members of all clubs of the person with a key."""
    mine = sql.select(PROFILES.c.id).where(PROFILES.c.key == key).scalar_subquery()
    clubs = sql.select(CLUB_MEMBERS.c.club).where(CLUB_MEMBERS.c.profile == mine)
    query = (
        sql.select(PROFILES.c.name)
        .join(CLUB_MEMBERS, CLUB_MEMBERS.c.profile == PROFILES.c.id)
        .where(CLUB_MEMBERS.c.club.in_(clubs), PROFILES.c.key != key)
        .distinct()
    )
    async with storage.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def count_clubs(connection: AsyncConnection, profile: str) -> int:
    """Return of how many clubs someone is a member."""
    query = sql.select(sql.func.count()).where(CLUB_MEMBERS.c.profile == profile)
    return int((await connection.execute(query)).scalar_one())


# Tables of members.


def _members_at(club: str) -> sql.Select[Any]:
    """The tables at which members of a club hold seats, and who holds which."""
    return (
        sql.select(KEYS.c.table_id, KEYS.c.seat, CLUB_MEMBERS.c.profile)
        .join(PROFILES, PROFILES.c.key == KEYS.c.digest)
        .join(CLUB_MEMBERS, CLUB_MEMBERS.c.profile == PROFILES.c.id)
        .where(CLUB_MEMBERS.c.club == club, KEYS.c.kind == "browser", KEYS.c.seat >= 0)
    )


async def tables_of_members(storage: Storage, club: str, limit: int) -> list[ListedTable]:
    """The running tables at which at least two members sit, and no one else but bots, the latest first."""
    at = _members_at(club).subquery()
    held = sql.select(at.c.table_id).group_by(at.c.table_id).having(sql.func.count(sql.distinct(at.c.profile)) > 1)
    seats = sql.select(at.c.table_id, sql.func.count(sql.distinct(at.c.seat)).label("held")).group_by(at.c.table_id)
    counted = seats.subquery()
    query = (
        sql.select(*LISTED_COLUMNS, counted.c.held)
        .join(counted, counted.c.table_id == TABLES.c.id)
        .where(TABLES.c.id.in_(held), ~TABLES.c.over, ~TABLES.c.closed, TABLES.c.kind == "played")
        .order_by(TABLES.c.updated.desc())
        .limit(limit)
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return [listed_table(row) for row in rows if row["held"] == sum(seat["who"] == "person" for seat in row["seats"])]


async def results_of_members(storage: Storage, club: str) -> list[SeatResult]:
    """The results of the latest games at which at least two members sat, and no one else but bots."""
    at = _members_at(club).subquery()
    held = sql.select(at.c.table_id).group_by(at.c.table_id).having(sql.func.count(sql.distinct(at.c.profile)) > 1)
    latest = (
        sql.select(TABLES.c.id).where(TABLES.c.id.in_(held), TABLES.c.over).order_by(TABLES.c.updated.desc())
    ).limit(MOST_GAMES)
    query = (
        sql.select(RESULTS, at.c.profile)
        .outerjoin(at, sql.and_(at.c.table_id == RESULTS.c.table_id, at.c.seat == RESULTS.c.seat))
        .where(RESULTS.c.table_id.in_(latest), RESULTS.c.who == "person")
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    strangers = {row["table_id"] for row in rows if row["profile"] is None}
    return [
        SeatResult(row["table_id"], row["game"], row["players"], row["profile"], row["share"])
        for row in rows
        if row["table_id"] not in strangers
    ]
