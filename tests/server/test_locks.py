"""Locks of PostgreSQL: transactions at two processes that change the same rows wait, but never for each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sql

from ludotheque.core.errors import StaleVersion
from ludotheque.server.club.clubs import found_club, join_club
from ludotheque.server.config import Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.clubs import delete_club, leave_all_clubs
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.keys import Key
from ludotheque.server.storage.processes import claim_bots
from ludotheque.server.storage.recoveries import move_keys
from ludotheque.server.storage.rows import Change
from ludotheque.server.storage.schema import PROFILES
from ludotheque.server.storage.tournaments import forget_in_tournaments
from ludotheque.server.tables.facts import TableTerms
from ludotheque.server.tables.opening import SeatedPerson
from ludotheque.show.language import Reader
from tests.server.club_process import running
from tests.server.harness import run_apart
from tests.server.postgres import Database
from tests.server.test_tournaments import SWISS, Process
from tests.toy import Nim

ROUNDS = 10


@asynccontextmanager
async def two_processes(folder: Path, database: Database) -> AsyncIterator[tuple[Process, Process]]:
    settings = Settings(data=folder, database=database.address)
    async with running(Process(settings)) as first, running(Process(settings)) as second:
        yield first, second


def at_two(folder: Path, database: Database, work: Any) -> None:
    async def play() -> None:
        async with two_processes(folder, database) as (first, second):
            await work(first, second)

    run_apart(play())


async def at_once(*work: Coroutine[Any, Any, Any]) -> None:
    """Do all of it at the same time. A change may come too late; whatever else fails raises, a deadlock too."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, StaleVersion):
            raise outcome


def test_someone_joins_a_tournament_while_another_one_begins(tmp_path: Path, database: Database) -> None:
    """Both keep the profiles of the same people from being deleted, whatever the order in which these joined."""

    async def play(first: Process, second: Process) -> None:
        organiser, newcomer = await first.person("Organiser"), await first.person("Newcomer")
        people = [await first.person(f"Joiner {number}") for number in range(3)]
        people.sort(key=attrgetter("id"))
        cups = [(await first.director.create(organiser, "Cup", SWISS, plays=False))[0].id for _ in range(2)]
        for cup in cups:
            for person in reversed(people):
                await first.director.join(cup, person)
        async with first.storage.writing() as connection:
            held = sql.select(PROFILES).where(PROFILES.c.id == people[1].id).with_for_update()
            await connection.execute(held)
            both = [first.director.join(cups[0], newcomer), second.director.start(cups[1], organiser)]
            under_way = asyncio.gather(*both)
            while await waiting(first) < 2:
                await asyncio.sleep(0)
        await under_way

    at_two(tmp_path, database, play)


async def waiting(process: Process) -> int:
    """The number of transactions that wait for a lock."""
    query = sql.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    async with process.storage.reading() as connection:
        return int((await connection.execute(query)).scalar_one())


def test_a_club_is_deleted_while_its_members_delete_their_profiles(tmp_path: Path, database: Database) -> None:
    async def play(first: Process, second: Process) -> None:
        people = [await first.person(f"Member {number}") for number in range(6)]
        for _ in range(ROUNDS):
            club, _ = await found_club(first.storage, people[0].id, "Club", first.now(), 20)
            for person in people[1:]:
                await join_club(first.storage, club, person.id, person.name, first.now(), 20)
            for person in people[:3]:
                await first.director.create(person, "Cup", SWISS, plays=True, club=club)
            await at_once(delete_club(second.storage, club), *(forget(first.storage, each.id) for each in people))

    at_two(tmp_path, database, play)


async def forget(storage: Storage, profile: str) -> None:
    await leave_all_clubs(storage, profile)
    async with storage.writing() as connection:
        await forget_in_tournaments(connection, profile)


async def opened(process: Process, number: int, key: bytes) -> list[str]:
    """The ids of new tables, at which someone with a key sits."""
    ids: list[str] = []
    async with process.storage.writing() as connection:
        for _ in range(number):
            people = [SeatedPerson(key, "Ann"), SeatedPerson(digest("Bob"), "Bob")]
            table = process.opener.prepare(Nim(2), people, TableTerms(), Reader("en"))
            await process.opener.insert(connection, table)
            ids.append(table.id)
    return ids


def move(table: str, version: int) -> Change:
    return Change(table=table, version=version, keep=version - 1, plies=[(0, 0)], to_move=1)


def test_tables_are_played_and_left_while_their_keys_move(tmp_path: Path, database: Database) -> None:
    """The key of someone moves at all their tables, while these change at another process."""

    async def play(first: Process, second: Process) -> None:
        key = digest("old")
        ids = await opened(first, 40, key)
        for turn in range(ROUNDS):
            known = await first.storage.versions(ids)
            left, played = ids[4 * turn : 4 * turn + 4], Random(turn).sample(ids, len(ids))
            held = [held_by(first.storage, id, key) for id in left]
            seats = dict(zip(left, await asyncio.gather(*held), strict=True))
            await at_once(
                move_all(second.storage, key, digest(f"key {turn}")),
                *(first.storage.set_facts(id, known[id][1], {"language": "en"}, drop=seats[id]) for id in left),
                *(first.storage.change(move(id, known[id][0])) for id in played),
            )
            key = digest(f"key {turn}")

    at_two(tmp_path, database, play)


async def held_by(storage: Storage, id: str, key: bytes) -> list[Key]:
    found = await storage.load_table(id)
    assert found
    return [each for each in found[2] if each.digest == key]


async def move_all(storage: Storage, old: bytes, new: bytes) -> None:
    async with storage.writing() as connection:
        await move_keys(connection, old, new)


def test_a_process_takes_over_tables_that_are_played(tmp_path: Path, database: Database) -> None:
    async def play(first: Process, second: Process) -> None:
        ids = await opened(first, 40, digest("ann"))
        for turn in range(ROUNDS):
            await at_once(
                claim_bots(second.storage),
                *(first.storage.change(move(id, turn + 1)) for id in Random(turn).sample(ids, len(ids))),
            )

    at_two(tmp_path, database, play)
