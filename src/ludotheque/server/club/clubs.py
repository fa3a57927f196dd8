"""Clubs: found one, join it by link, lead it and leave it; and the results of its members among each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.core.phrases import phrase
from ludotheque.server.club.results import Tally
from ludotheque.server.errors import Refused, forbidden, no_profile
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.clubs import (
    Club,
    SeatResult,
    count_clubs,
    delete_member,
    insert_club,
    insert_member,
    names_beside,
    read_club,
    set_link,
)
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.locks import lock_profiles
from ludotheque.table.names import is_unlike

MOST_MEMBERS: Final = 200


class MemberResult(Struct, frozen=True):
    """The results of a member in one game against other members."""

    profile: str
    tally: Tally


class ClubResults(Struct, frozen=True):
    """The results of members in one game among each other, the best share of wins first."""

    game: str
    games: int
    members: tuple[MemberResult, ...]


async def found_club(storage: Storage, profile: str, name: str, at: datetime, most: int) -> tuple[str, str]:
    """Found a club, whose founder is its first member; return its id and the secret of its link. `most`: clubs of which
    one person may be a member."""
    id, secret = new_table_id(), new_secret()
    async with storage.writing() as connection:
        await _check_room(connection, profile, most)
        await insert_club(connection, id, name, digest(secret), at)
        await insert_member(connection, id, profile, at)
    return id, secret


async def join_club(storage: Storage, id: str, profile: str, name: str, at: datetime, most: int) -> None:
    """Let someone join; a member stays as they are."""
    async with storage.writing() as connection:
        club = await _locked(connection, id)
        if club.has(profile):
            return
        await _check_room(connection, profile, most)
        if len(club.members) >= MOST_MEMBERS:
            raise Refused(409, "full", phrase("This club is full."))
        if not is_unlike(name, [member.name for member in club.members]):
            sentence = phrase("Someone whose name looks like yours has joined: change yours on My page.")
            raise Refused(409, "name-taken", sentence)
        await insert_member(connection, id, profile, at)


async def leave_club(storage: Storage, id: str, profile: str) -> None:
    """Leave a club; the next one leads it if the leader leaves, and the last one deletes it."""
    async with storage.writing() as connection:
        await delete_member(connection, await _locked(connection, id), profile)


async def remove_member(storage: Storage, id: str, leader: str, profile: str) -> None:
    """Let someone be a member no more, for the leader."""
    async with storage.writing() as connection:
        club = await _locked(connection, id)
        check_leader(club, leader)
        if profile == leader or not club.has(profile):
            raise Refused(409, "not-now", phrase("Only another member can be removed."))
        await delete_member(connection, club, profile)


async def replace_club_link(storage: Storage, id: str, leader: str) -> str:
    """Replace the link of a club, for the leader; return the secret of the new one."""
    secret = new_secret()
    async with storage.writing() as connection:
        check_leader(await _locked(connection, id), leader)
        await set_link(connection, id, digest(secret))
    return secret


async def check_name_among_members(storage: Storage, key: bytes, name: str) -> None:
    """Raise if the person with a key would look like another member of one of their clubs under this name."""
    if not is_unlike(name, await names_beside(storage, key)):
        sentence = phrase("Someone in one of your clubs has a name that looks like this one: choose another.")
        raise Refused(409, "name-taken", sentence)


def check_leader(club: Club, profile: str) -> None:
    if not profile or club.leader != profile:
        raise forbidden(phrase("Only the leader of the club can do that."))


def no_club() -> Refused:
    return Refused(404, "not-found", phrase("There is no such club, or you have no link to it."))


async def _locked(connection: AsyncConnection, id: str) -> Club:
    club = await read_club(connection, id, lock=True)
    if club is None:
        raise no_club()
    return club


async def _check_room(connection: AsyncConnection, profile: str, most: int) -> None:
    """Raise if someone is a member of too many clubs; until the transaction ends, they can join no other."""
    if not await lock_profiles(connection, [profile]):
        raise no_profile()
    if await count_clubs(connection, profile) >= most:
        raise Refused(409, "too-many", phrase("You are a member of too many clubs."))


# Results.


def club_results(results: Iterable[SeatResult]) -> tuple[ClubResults, ...]:
    """Summarise the results of members among each other, the most played game first."""
    by_game: dict[str, list[SeatResult]] = {}
    for result in results:
        by_game.setdefault(result.game, []).append(result)
    found = [_results_of(game, seats) for game, seats in by_game.items()]
    return tuple(sorted(found, key=lambda each: (-each.games, each.game)))


def _results_of(game: str, seats: Sequence[SeatResult]) -> ClubResults:
    by_member: dict[str, list[SeatResult]] = {}
    for seat in seats:
        by_member.setdefault(seat.profile, []).append(seat)
    members = [MemberResult(profile, _tally(played)) for profile, played in by_member.items()]
    members.sort(key=lambda each: (-each.tally.wins / each.tally.played, -each.tally.played, each.profile))
    return ClubResults(game, len({seat.table for seat in seats}), tuple(members))


def _tally(seats: Sequence[SeatResult]) -> Tally:
    return Tally(len(seats), sum(seat.share for seat in seats), sum(1 / seat.players for seat in seats))
