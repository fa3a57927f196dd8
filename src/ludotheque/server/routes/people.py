"""Routes of the people one has met: who they are, challenges, and what one does not want from someone."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server import commands
from ludotheque.server.club.challenges import know_each_other
from ludotheque.server.club.people import PersonMet, people_known
from ludotheque.server.errors import Refused
from ludotheque.server.keys import is_table_id
from ludotheque.server.routes.context import ERRORS, Context, Ok, RequestContext, TableId
from ludotheque.server.storage.challenges import Challenge, end_challenge, find_challenge
from ludotheque.server.storage.profiles import picture_url, profile_by_id
from ludotheque.server.storage.restrictions import MOST_RESTRICTED, Restriction, muted_by, restrict, restrictions_of
from ludotheque.server.storage.rows import now
from ludotheque.server.tables.joining import Newcomer, SeatTaken
from ludotheque.server.tables.summaries import Summary, challenged_to

ProfileId = Annotated[str, PathParameter(max_length=32)]


class ChallengeView(Struct, frozen=True):
    """A challenge that waits for the reader."""

    table: Summary
    name: str
    """The name of the person who invites."""
    picture: str


def challenge_view(challenge: Challenge) -> ChallengeView:
    return ChallengeView(challenged_to(challenge), challenge.name, picture_url(challenge.challenger))


@get("/people", responses=ERRORS)
async def my_people(context: Context) -> list[PersonMet]:
    """Return the people with a profile whom one has met at finished games, then the other members of one's clubs; none
    without a profile of one's own."""
    profile = await context.profile() if "profiles" in context.services.features else None
    return await people_known(context.storage, profile.id, context.key) if profile else []


@post("/people/{profile:str}/restriction", status_code=200, responses=ERRORS)
async def restrict_person(profile: ProfileId, data: JSONBody[commands.Restrict], context: Context) -> Ok:
    """Mute or block someone, or do so no more. They do not learn of it."""
    context.limit("join")
    mine = await context.my_profile()
    known = await restrictions_of(context.storage, mine.id)
    if profile not in known:
        await _check_known(context, mine.id, profile)
        if len(known) >= MOST_RESTRICTED:
            raise Refused(413, "too-large", phrase("That is too large."))
    await restrict(context.storage, mine.id, profile, Restriction(data.muted, data.blocked))
    muted = await context.storage.read(partial(muted_by, keys=[context.key]))
    context.services.presences.set_unheard(context.key, muted)
    return Ok()


async def _check_known(context: RequestContext, mine: str, other: str) -> None:
    """Raise unless someone else has that profile, and one has met them."""
    found = await profile_by_id(context.storage, other) if is_table_id(other) else None
    if found is None or other == mine or not await know_each_other(context.storage, context.key, mine, other):
        raise Refused(404, "not-found", phrase("There is no such person, or you have not met them."))


@get("/challenges", responses=ERRORS)
async def my_challenges(context: Context) -> list[ChallengeView]:
    """Return the challenges that wait for one's answer, the latest first."""
    return [challenge_view(each) for each in await context.challenges()]


@post("/challenges/{table_id:str}/accept", status_code=200, responses=ERRORS)
async def accept_challenge(
    table_id: TableId, data: JSONBody[commands.AcceptChallenge], context: Context
) -> Response[SeatTaken]:
    """Sit down where one is invited to."""
    context.limit("join")
    challenge = await _challenge(context, table_id)
    table = await context.live_tables.table(table_id)
    newcomer = Newcomer(context.reader, commitment=data.commitment)
    seat = await context.seating.join_invited(table, challenge.link, context.key, newcomer)
    await end_challenge(context.storage, (await context.my_profile()).id, table_id)
    return Response(SeatTaken(seat))


@post("/challenges/{table_id:str}/decline", status_code=200, responses=ERRORS)
async def decline_challenge(table_id: TableId, data: JSONBody[commands.ProfileCommand], context: Context) -> Ok:
    """Refuse a challenge; the table is told, and its link still opens the seat."""
    context.limit("join")
    challenge = await _challenge(context, table_id)
    table = await context.live_tables.table(table_id)
    await context.seating.decline_invited(table, challenge.link)
    await end_challenge(context.storage, (await context.my_profile()).id, table_id)
    return Ok()


async def _challenge(context: RequestContext, table: str) -> Challenge:
    found = await find_challenge(context.storage, (await context.my_profile()).id, table, now())
    if found is None:
        raise Refused(404, "not-found", phrase("This challenge has been withdrawn, or someone else sits there now."))
    return found


API: Final = (my_people, restrict_person, my_challenges, accept_challenge, decline_challenge)
