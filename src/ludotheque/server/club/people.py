"""The people whom someone knows, with what they do not want from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from ludotheque.server.club.results import GamePlayed, Opponent, games_of, opponents
from ludotheque.server.storage.clubs import fellow_members
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import picture_url, profile_by_id
from ludotheque.server.storage.restrictions import NO_RESTRICTION, Restriction, restrictions_of


class PersonMet(Struct, frozen=True):
    """Someone with a profile, and the games that one played with them."""

    profile: str
    name: str
    """Empty for someone restricted who shows their profile to no one now."""
    picture: str
    played: int
    wins: float
    """The games that one won; a win that several share is shared."""
    better: int
    """The games in which one scored more than they did."""
    last: datetime | None
    """The end of the last game; null if none is known."""
    muted: bool
    blocked: bool


async def people_known(storage: Storage, profile: str, key: bytes) -> list[PersonMet]:
    """Return the people whom the owner of a profile has met, those met most often first, then the other members of
    their clubs who show their profile."""
    met = await with_restrictions(storage, profile, await games_of(storage, key))
    known = {person.profile for person in met}
    fellows = [each for each in await fellow_members(storage, profile) if each.visible_to != "me"]
    return met + [_not_met_yet(each.id, each.name, NO_RESTRICTION) for each in fellows if each.id not in known]


async def with_restrictions(storage: Storage, profile: str, games: Sequence[GamePlayed]) -> list[PersonMet]:
    """Return the people of these games, then those who are restricted and were not met there."""
    restrictions = await restrictions_of(storage, profile)
    met = [_met(each, restrictions) for each in opponents(games) if each.profile]
    others = restrictions.keys() - {person.profile for person in met}
    return met + [await _not_met(storage, other, restrictions[other]) for other in sorted(others)]


def _met(opponent: Opponent, restrictions: Mapping[str, Restriction]) -> PersonMet:
    found = restrictions.get(opponent.profile, NO_RESTRICTION)
    tally = opponent.tally
    return PersonMet(
        opponent.profile, opponent.name, picture_url(opponent.profile), tally.played, tally.wins, opponent.better,
        opponent.last, found.muted, found.blocked,
    )  # fmt: skip


async def _not_met(storage: Storage, other: str, restriction: Restriction) -> PersonMet:
    found = await profile_by_id(storage, other)
    name = found.name if found and found.visible_to != "me" else ""
    return _not_met_yet(other, name, restriction)


def _not_met_yet(profile: str, name: str, restriction: Restriction) -> PersonMet:
    return PersonMet(profile, name, picture_url(profile), 0, 0.0, 0, None, restriction.muted, restriction.blocked)
