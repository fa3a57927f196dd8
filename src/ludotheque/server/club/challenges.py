"""Challenges: open a table and invite people with whom one has played, or is in a club, by their profiles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sql
from msgspec import structs

from ludotheque.core.phrases import phrase
from ludotheque.server.club.results import have_met
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.challenges import add_challenges, count_waiting
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import Profile, profile_by_id
from ludotheque.server.storage.schema import CLUB_MEMBERS
from ludotheque.server.tables.opening import Opened

MOST_WAITING: Final = 12
"""Challenges of one person that may wait for an answer."""
MOST_TO_ONE: Final = 3
"""Those of them to the same person."""


async def know_each_other(storage: Storage, key: bytes, mine: str, other: str) -> bool:
    """Whether the owner of a profile and its key has sat at a table with someone, or is in a club with them."""
    return await have_met(storage, key, other) or await _share_a_club(storage, mine, other)


async def _share_a_club(storage: Storage, one: str, other: str) -> bool:
    mine, theirs = CLUB_MEMBERS.alias(), CLUB_MEMBERS.alias()
    query = (
        sql.select(mine.c.club)
        .join(theirs, theirs.c.club == mine.c.club)
        .where(mine.c.profile == one, theirs.c.profile == other)
        .limit(1)
    )
    async with storage.reading() as connection:
        return (await connection.execute(query)).first() is not None


async def check_challenges(storage: Storage, wanted: NewTable, mine: Profile, key: bytes, at: datetime) -> NewTable:
    """Return the table with the names of those who are challenged to it; raise if one of them cannot be."""
    challenged = [seat.profile for seat in wanted.seats if seat.profile]
    if len({*challenged}) < len(challenged):
        raise Refused(400, "malformed", phrase("You can challenge someone to one seat of a table."))
    waiting = await count_waiting(storage, mine.id, at)
    if sum(waiting.values()) + len(challenged) > MOST_WAITING or any(
        waiting.get(profile, 0) >= MOST_TO_ONE for profile in challenged
    ):
        sentence = phrase("Too many of your challenges are waiting for an answer; wait until someone answers.")
        raise Refused(429, "too-many", sentence, retry_after=60)
    return structs.replace(wanted, seats=[await _named(storage, seat, mine, key) for seat in wanted.seats])


async def _named(storage: Storage, seat: NewSeat, mine: Profile, key: bytes) -> NewSeat:
    """A seat with the name of the person who is challenged to it."""
    if not seat.profile:
        return seat
    found = await profile_by_id(storage, seat.profile)
    may_be_seen = found and found.id != mine.id and found.visible_to != "me"
    if not found or not may_be_seen or not await know_each_other(storage, key, mine.id, found.id):
        raise Refused(
            404, "not-found", phrase("You can challenge people with whom you have played, and members of your clubs.")
        )
    return structs.replace(seat, name=found.name)


async def challenge(storage: Storage, opened: Opened, seats: Sequence[NewSeat], mine: Profile, at: datetime) -> None:
    """Invite those for whom seats of a new table are, each by the link to their seat."""
    secrets = {link.seat: link.url.partition("#")[2] for link in opened.links}
    links = {seat.profile: digest(secrets[number]) for number, seat in enumerate(seats) if seat.profile}
    await add_challenges(storage, opened.id, mine.id, links, at)
