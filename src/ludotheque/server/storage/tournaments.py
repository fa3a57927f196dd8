"""Tournaments on disk: read and stored as one value, within a transaction that no other one runs beside."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_tournaments
from ludotheque.server.storage.schema import CLUB_MEMBERS, TABLES, TOURNAMENT_PLAYERS, TOURNAMENT_TABLES, TOURNAMENTS
from ludotheque.table.clock import ClockRule
from ludotheque.tournament.values import Meeting, System

_FORGOTTEN: Final = {"name": "", "gone": True}
TournamentState = Literal["open", "running", "over"]
"""People may join; rounds are played; the last one is decided."""


class TournamentTerms(Struct, frozen=True):
    """The terms of a tournament, fixed when it is created."""

    game: str
    system: System
    seats: int
    """Seats of a table; in groups, at most."""
    rounds: int
    """The rounds that are wanted; Swiss tournaments and groups only."""
    clock: ClockRule
    hours: float
    """The hours after which the games of a round are decided."""
    rated: bool = False
    options: dict[str, Any] = {}
    """Options of the game that differ from their defaults."""

    @property
    def is_live(self) -> bool:
        """Whether people play at the same time, and not by days."""
        return self.clock.kind != "days"


class Entrant(Struct, frozen=True):
    """Someone who has joined."""

    number: int
    """From 1; drawn by lot at the start."""
    profile: str
    """Their profile; empty once it is deleted."""
    name: str
    gone: bool = False
    """Whether they have withdrawn, or deleted their profile."""


class RoundTable(Struct, frozen=True):
    """A table of a round, or a bye."""

    number: int
    """From 1 in each round."""
    meeting: Meeting
    table: str = ""
    """Its id; empty until it is opened, and for what no one has to play."""

    @property
    def is_to_open(self) -> bool:
        return not self.table and not self.meeting.is_decided


class Tournament(Struct, frozen=True, kw_only=True):
    """A tournament with all that has happened in it."""

    id: str
    title: str
    organiser: str
    """The profile of the person who created it; empty once it is deleted."""
    club: str = ""
    """The club whose members may see and join it; empty for none."""
    link: bytes
    """The digest of the link by which people join."""
    terms: TournamentTerms
    created: datetime
    state: TournamentState = "open"
    round: int = 0
    deadline: datetime | None = None
    entrants: tuple[Entrant, ...] = ()
    tables: tuple[RoundTable, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(entrant.number for entrant in self.entrants)

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        return tuple(table.meeting for table in self.tables)

    def entrant(self, profile: str) -> Entrant | None:
        """The entrant with a profile."""
        return next((each for each in self.entrants if profile and each.profile == profile), None)


class ListedTournament(Struct, frozen=True):
    """A tournament in a list."""

    id: str
    title: str
    game: str
    state: TournamentState
    round: int
    players: int
    updated: datetime


class TableUnderWay(Struct, frozen=True):
    """The facts that decide whether the game of a tournament's table goes on."""

    tournament: str
    table: str
    exists: bool
    over: bool = False
    to_move: int = -1
    seats: tuple[dict[str, Any], ...] = ()
    clock: dict[str, Any] | None = None
    seated_at: float | None = None
    awaited: tuple[int, ...] = ()
    created: datetime | None = None


async def read_tournament(connection: AsyncConnection, id: str, lock: bool = False) -> Tournament | None:
    """Read a tournament; `lock` lets no other transaction change it until this one ends."""
    query = sql.select(TOURNAMENTS).where(TOURNAMENTS.c.id == id)
    found = await connection.execute(query.with_for_update() if lock else query)
    row = found.mappings().one_or_none()
    if row is None:
        return None
    players = sql.select(TOURNAMENT_PLAYERS).where(TOURNAMENT_PLAYERS.c.tournament == id)
    tables = sql.select(TOURNAMENT_TABLES).where(TOURNAMENT_TABLES.c.tournament == id)
    in_order = tables.order_by(TOURNAMENT_TABLES.c.round, TOURNAMENT_TABLES.c.number)
    entrants = (await connection.execute(players.order_by(TOURNAMENT_PLAYERS.c.number))).mappings().all()
    return Tournament(
        id=id,
        title=row["title"],
        organiser=row["organiser"] or "",
        club=row["club"] or "",
        link=row["link"],
        terms=msgspec.convert(row["terms"], TournamentTerms),
        created=_utc(row["created"]),
        state=row["state"],
        round=row["round"],
        deadline=_utc(row["deadline"]) if row["deadline"] else None,
        entrants=tuple(_entrant(each) for each in entrants),
        tables=tuple(_table(each) for each in (await connection.execute(in_order)).mappings()),
    )


def _entrant(row: sql.RowMapping) -> Entrant:
    profile = row["profile"] or ""
    return Entrant(row["number"], profile, row["name"], row["gone"] or not profile)


def _table(row: sql.RowMapping) -> RoundTable:
    meeting = Meeting(row["round"], tuple(row["players"]), tuple(row["points"]), row["decided"])
    return RoundTable(row["number"], meeting, row["table_id"])


def _utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC)


async def insert_tournament(connection: AsyncConnection, tournament: Tournament) -> None:
    """Add a tournament that no one has joined yet."""
    row = _row(tournament, tournament.created) | {"id": tournament.id, "created": tournament.created}
    await connection.execute(sql.insert(TOURNAMENTS), row)


async def store_tournament(connection: AsyncConnection, before: Tournament, after: Tournament, at: datetime) -> None:
    """Store what has changed."""
    if before == after:
        return
    await connection.execute(sql.update(TOURNAMENTS).where(TOURNAMENTS.c.id == after.id).values(_row(after, at)))
    if after.entrants != before.entrants:
        await _store_entrants(connection, after)
    known = {(table.meeting.round, table.number): table for table in before.tables}
    for table in after.tables:
        stored = known.get((table.meeting.round, table.number))
        if stored is None:
            await connection.execute(sql.insert(TOURNAMENT_TABLES), _table_row(after.id, table))
        elif stored != table:
            await _update_table(connection, after.id, table)


async def _store_entrants(connection: AsyncConnection, tournament: Tournament) -> None:
    of_tournament = TOURNAMENT_PLAYERS.c.tournament == tournament.id
    await connection.execute(sql.delete(TOURNAMENT_PLAYERS).where(of_tournament))
    rows = [_entrant_row(tournament.id, each) for each in tournament.entrants]
    if rows:
        await connection.execute(sql.insert(TOURNAMENT_PLAYERS), rows)


async def _update_table(connection: AsyncConnection, tournament: str, table: RoundTable) -> None:
    columns = TOURNAMENT_TABLES.c
    same = columns.tournament == tournament, columns.round == table.meeting.round, columns.number == table.number
    await connection.execute(sql.update(TOURNAMENT_TABLES).where(*same).values(_table_row(tournament, table)))


def _row(tournament: Tournament, at: datetime) -> dict[str, Any]:
    return {
        "title": tournament.title,
        "organiser": tournament.organiser or None,
        "club": tournament.club or None,
        "link": tournament.link,
        "terms": msgspec.to_builtins(tournament.terms),
        "state": tournament.state,
        "round": tournament.round,
        "deadline": tournament.deadline,
        "updated": at,
    }


def _entrant_row(tournament: str, entrant: Entrant) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "number": entrant.number,
        "profile": entrant.profile or None,
        "name": entrant.name,
        "gone": entrant.gone,
    }


def _table_row(tournament: str, table: RoundTable) -> dict[str, Any]:
    meeting = table.meeting
    return {
        "tournament": tournament,
        "round": meeting.round,
        "number": table.number,
        "table_id": table.table,
        "players": [*meeting.players],
        "points": [*meeting.points],
        "decided": meeting.decided,
    }


async def delete_tournament(storage: Storage, id: str) -> bool:
    """Delete a tournament; its tables stay. Return whether there was one."""
    async with storage.writing() as connection:
        return (await connection.execute(sql.delete(TOURNAMENTS).where(TOURNAMENTS.c.id == id))).rowcount == 1


async def delete_old_tournaments(storage: Storage, before: datetime) -> int:
    """Delete the tournaments that nothing has changed since; return how many. Those whose rounds last so long stay."""
    is_old = TOURNAMENTS.c.updated < before
    is_lasting = sql.and_(TOURNAMENTS.c.deadline.is_not(None), TOURNAMENTS.c.deadline >= before)
    async with storage.writing() as connection:
        old = await lock_tournaments(connection, sql.and_(is_old, ~is_lasting))
        await connection.execute(sql.delete(TOURNAMENTS).where(TOURNAMENTS.c.id.in_(old)))
    return len(old)


async def forget_in_tournaments(connection: AsyncConnection, profile: str) -> None:
    """Withdraw someone from all tournaments, without their name, and delete those that they have not started yet."""
    await lock_tournaments(connection, _involves(profile))  # so that no one who has read the name stores it again
    mine = TOURNAMENT_PLAYERS.c.profile == profile
    await connection.execute(sql.update(TOURNAMENT_PLAYERS).where(mine).values(profile=None, **_FORGOTTEN))
    unstarted = sql.and_(TOURNAMENTS.c.organiser == profile, TOURNAMENTS.c.state == "open")
    await connection.execute(sql.delete(TOURNAMENTS).where(unstarted))


async def forget_deleted(connection: AsyncConnection) -> None:
    """Delete the names of those who joined while their profile was deleted; part of the transaction that deletes it."""
    is_left = sql.and_(TOURNAMENT_PLAYERS.c.profile.is_(None), TOURNAMENT_PLAYERS.c.name != "")
    await connection.execute(sql.update(TOURNAMENT_PLAYERS).where(is_left).values(_FORGOTTEN))


# Lists.


def _listed(condition: sql.ColumnElement[bool]) -> sql.Select[Any]:
    entrants = (
        sql.select(sql.func.count())
        .where(TOURNAMENT_PLAYERS.c.tournament == TOURNAMENTS.c.id)
        .correlate(TOURNAMENTS)
        .scalar_subquery()
    )
    return sql.select(TOURNAMENTS, entrants.label("players")).where(condition).order_by(TOURNAMENTS.c.updated.desc())


def _involves(profile: str) -> sql.ColumnElement[bool]:
    joined = sql.select(TOURNAMENT_PLAYERS.c.tournament).where(TOURNAMENT_PLAYERS.c.profile == profile)
    return sql.or_(TOURNAMENTS.c.organiser == profile, TOURNAMENTS.c.id.in_(joined))


async def _read_list(storage: Storage, query: sql.Select[Any]) -> list[ListedTournament]:
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
    return [
        ListedTournament(
            row["id"], row["title"], row["terms"]["game"], row["state"], row["round"], row["players"],
            _utc(row["updated"]),
        )
        for row in rows
    ]  # fmt: skip


async def tournaments_of(storage: Storage, profile: str, limit: int | None = None) -> list[ListedTournament]:
    """The tournaments that someone organises or plays in, the latest first."""
    return await _read_list(storage, _listed(_involves(profile)).limit(limit))


async def tournaments_to_follow(storage: Storage, profile: str, limit: int) -> list[ListedTournament]:
    """Someone's unfinished tournaments, and those of their clubs that have not begun, the latest first."""
    clubs = sql.select(CLUB_MEMBERS.c.club).where(CLUB_MEMBERS.c.profile == profile)
    joinable = sql.and_(TOURNAMENTS.c.state == "open", TOURNAMENTS.c.club.in_(clubs))
    own = sql.and_(TOURNAMENTS.c.state != "over", _involves(profile))
    return await _read_list(storage, _listed(sql.or_(own, joinable)).limit(limit))


async def tournaments_of_club(storage: Storage, club: str, limit: int) -> list[ListedTournament]:
    return await _read_list(storage, _listed(TOURNAMENTS.c.club == club).limit(limit))


async def all_tournaments(storage: Storage, offset: int, limit: int) -> list[ListedTournament]:
    return await _read_list(storage, _listed(sql.true()).offset(offset).limit(limit))


async def unfinished(connection: AsyncConnection, profile: str) -> tuple[int, int]:
    """Return how many unfinished tournaments someone organises, and how many they have joined."""
    running = TOURNAMENTS.c.state != "over"
    organised = sql.select(sql.func.count()).where(running, TOURNAMENTS.c.organiser == profile)
    joined = (
        sql.select(sql.func.count())
        .select_from(TOURNAMENT_PLAYERS.join(TOURNAMENTS, TOURNAMENTS.c.id == TOURNAMENT_PLAYERS.c.tournament))
        .where(running, TOURNAMENT_PLAYERS.c.profile == profile, ~TOURNAMENT_PLAYERS.c.gone)
    )
    return (await connection.execute(organised)).scalar_one(), (await connection.execute(joined)).scalar_one()


async def tables_under_way(storage: Storage) -> list[TableUnderWay]:
    """The tables of running tournaments that are not decided."""
    columns = [TABLES.c[name] for name in ("over", "to_move", "seats", "clock", "seated_at", "awaited", "created")]
    tables = TOURNAMENT_TABLES.join(TOURNAMENTS, TOURNAMENTS.c.id == TOURNAMENT_TABLES.c.tournament)
    query = (
        sql.select(TOURNAMENT_TABLES.c.tournament, TOURNAMENT_TABLES.c.table_id, TABLES.c.id, *columns)
        .select_from(tables.outerjoin(TABLES, TABLES.c.id == TOURNAMENT_TABLES.c.table_id))
        .where(TOURNAMENT_TABLES.c.decided == "", TOURNAMENTS.c.state == "running")
    )
    async with storage.reading() as connection:
        return [_under_way(row) for row in (await connection.execute(query)).mappings()]


async def left_open(storage: Storage) -> list[str]:
    """The tables that were decided without a game and not closed: the process that decided them was killed."""
    forfeited = sql.and_(TOURNAMENT_TABLES.c.decided == "forfeit", TOURNAMENT_TABLES.c.table_id != "")
    query = (
        sql.select(TABLES.c.id)
        .join(TOURNAMENT_TABLES, TOURNAMENT_TABLES.c.table_id == TABLES.c.id)
        .where(forfeited, ~TABLES.c.over, ~TABLES.c.closed)
    )
    async with storage.reading() as connection:
        return list((await connection.execute(query)).scalars())


def _under_way(row: sql.RowMapping) -> TableUnderWay:
    if row["id"] is None:
        return TableUnderWay(row["tournament"], row["table_id"], exists=False)
    return TableUnderWay(
        row["tournament"],
        row["table_id"],
        exists=True,
        over=row["over"],
        to_move=row["to_move"],
        seats=tuple(row["seats"]),
        clock=row["clock"],
        seated_at=row["seated_at"],
        awaited=tuple(row["awaited"]),
        created=_utc(row["created"]),
    )


async def past_deadline(storage: Storage, at: datetime) -> list[str]:
    """The running tournaments whose round should be over."""
    is_late = sql.and_(TOURNAMENTS.c.state == "running", TOURNAMENTS.c.deadline <= at)
    async with storage.reading() as connection:
        return [str(id) for id in (await connection.execute(sql.select(TOURNAMENTS.c.id).where(is_late))).scalars()]
