"""Routes of clubs: found and join one, see its members, tables, tournaments and results, lead it and leave it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Struct

from ludotheque.core.registry import find_game
from ludotheque.server import commands
from ludotheque.server.club.clubs import (
    ClubResults,
    check_leader,
    club_results,
    found_club,
    join_club,
    leave_club,
    no_club,
    remove_member,
    replace_club_link,
)
from ludotheque.server.http.templates import page
from ludotheque.server.keys import is_table_id
from ludotheque.server.routes.context import ERRORS, Context, Offset, Ok, RequestContext
from ludotheque.server.storage.clubs import (
    Club,
    ListedClub,
    Member,
    all_clubs,
    clubs_of,
    delete_club,
    read_club,
    results_of_members,
    tables_of_members,
)
from ludotheque.server.storage.database import LISTED
from ludotheque.server.storage.profiles import picture_url
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.tournaments import ListedTournament, tournaments_of_club
from ludotheque.server.tables.summaries import Summary, summary
from ludotheque.table.names import check_new_name

ClubId = Annotated[str, PathParameter(max_length=32)]


class NewClubView(Struct, frozen=True):
    """A new club."""

    id: str
    url: str
    """With the link by which people join, which is not stored and cannot be shown again."""


class ClubLink(Struct, frozen=True):
    url: str


class MemberView(Struct, frozen=True):
    """A member of a club."""

    profile: str
    name: str
    picture: str
    leader: bool
    me: bool
    can_be_challenged: bool
    """Whether the reader can challenge them: another member, who shows their profile to people they know."""


class ClubView(Struct, frozen=True, kw_only=True):
    """A club as one of its members sees it, or one who has its link: then with its members alone."""

    id: str
    url: str
    name: str
    member: bool
    """Whether the reader is a member."""
    leader: bool
    """Whether the reader leads it."""
    members: tuple[MemberView, ...]
    tables: tuple[Summary, ...]
    """The running tables at which only members sit."""
    tournaments: tuple[ListedTournament, ...]
    results: tuple[ClubResults, ...]
    """The results of members among each other, by game."""


class OperatorClubs(Struct, frozen=True):
    clubs: tuple[ListedClub, ...]


async def visible_club(context: RequestContext, id: str) -> tuple[Club, str]:
    """A club that the caller may see, and their profile, if any: they are a member, or have its link."""
    context.require("clubs")
    profile = await context.profile()
    mine = profile.id if profile else ""
    club = None
    if is_table_id(id):
        async with context.storage.reading() as connection:
            club = await read_club(connection, id)
    if club is None or not (club.has(mine) or club.link in context.caller.digests):
        raise no_club()
    return club, mine


async def _view(context: RequestContext, club: Club, mine: str) -> ClubView:
    is_member, storage = club.has(mine), context.storage
    held = {table.id: table for table in await context.my_tables()} if is_member else {}
    tables = await tables_of_members(storage, club.id, LISTED) if is_member else []
    tournaments = await tournaments_of_club(storage, club.id, LISTED) if is_member else []
    results = await results_of_members(storage, club.id) if is_member else []
    return ClubView(
        id=club.id,
        url=f"/clubs/{club.id}",
        name=club.name,
        member=is_member,
        leader=is_member and club.leader == mine,
        members=tuple(_member(club, each, mine) for each in club.members),
        tables=tuple(held.get(table.id) or summary(table, (), ()) for table in tables),
        tournaments=tuple(tournaments),
        results=club_results(result for result in results if find_game(result.game)),
    )


def _member(club: Club, member: Member, mine: str) -> MemberView:
    leads, is_me = member.profile == club.leader, member.profile == mine
    can_be_challenged = club.has(mine) and not is_me and member.visible_to != "me"
    return MemberView(member.profile, member.name, picture_url(member.profile), leads, is_me, can_be_challenged)


# Members.


@post("/clubs", responses=ERRORS)
async def new_club(data: JSONBody[commands.NewClub], context: Context) -> NewClubView:
    """Found a club; its link is sent this once."""
    context.require("clubs")
    context.limit("create")
    context.limit_stored(data)
    profile = await context.my_profile()
    name, most = check_new_name(data.name), context.services.most.clubs
    id, secret = await found_club(context.storage, profile.id, name, now(), most)
    return NewClubView(id, f"/clubs/{id}#{secret}")


@get("/clubs/{club:str}", responses=ERRORS)
async def club_state(club: ClubId, context: Context) -> ClubView:
    """Return a club with its members, tables, tournaments and results."""
    return await _view(context, *await visible_club(context, club))


@post("/clubs/{club:str}/join", status_code=200, responses=ERRORS)
async def join(club: ClubId, data: JSONBody[commands.ClubCommand], context: Context) -> Ok:
    """Join a club by its link, sent as the bearer token."""
    context.limit("join")
    found, _ = await visible_club(context, club)
    profile = await context.my_profile()
    await join_club(context.storage, found.id, profile.id, profile.name, now(), context.services.most.clubs)
    return Ok()


@post("/clubs/{club:str}/leave", status_code=200, responses=ERRORS)
async def leave(club: ClubId, data: JSONBody[commands.ClubCommand], context: Context) -> Ok:
    """Leave a club; the last member deletes it."""
    context.limit("join")
    found, mine = await visible_club(context, club)
    await leave_club(context.storage, found.id, mine)
    return Ok()


@post("/clubs/{club:str}/remove", status_code=200, responses=ERRORS)
async def remove(club: ClubId, data: JSONBody[commands.RemoveMember], context: Context) -> Ok:
    """Remove another member, for the leader."""
    context.limit("join")
    found, mine = await visible_club(context, club)
    await remove_member(context.storage, found.id, mine, data.profile)
    return Ok()


@post("/clubs/{club:str}/link", status_code=201, responses=ERRORS)
async def new_club_link(club: ClubId, data: JSONBody[commands.ClubCommand], context: Context) -> ClubLink:
    """Replace the link of a club, for the leader."""
    context.limit("join")
    found, mine = await visible_club(context, club)
    return ClubLink(f"/clubs/{found.id}#{await replace_club_link(context.storage, found.id, mine)}")


@post("/clubs/{club:str}/delete", status_code=200, responses=ERRORS)
async def delete(club: ClubId, data: JSONBody[commands.ClubCommand], context: Context) -> Ok:
    """Delete a club, for the leader; tables and tournaments stay."""
    context.limit("join")
    found, mine = await visible_club(context, club)
    check_leader(found, mine)
    await delete_club(context.storage, found.id)
    return Ok()


# The operator.


@get("/operator/clubs", responses=ERRORS)
async def operator_clubs(context: Context, offset: Offset = 0) -> OperatorClubs:
    """All clubs, for the operator."""
    context.check_operator()
    return OperatorClubs(tuple(await all_clubs(context.storage, offset, LISTED)))


@post("/operator/clubs/{club:str}/delete", status_code=200, responses=ERRORS)
async def operator_delete_club(club: ClubId, data: JSONBody[commands.ClubCommand], context: Context) -> Ok:
    """Delete any club, for the operator; tables and tournaments stay."""
    context.check_operator()
    if not await delete_club(context.storage, club):
        raise no_club()
    return Ok()


# Pages.


@get("/clubs", include_in_schema=False)
async def clubs_page(context: Context) -> Response[str]:
    """One's clubs, and the form that founds one."""
    context.require("clubs")
    profile = await context.profile()
    return page(
        "clubs.html",
        context.reader,
        features=context.services.features,
        has_profile=profile is not None,
        clubs=await clubs_of(context.storage, profile.id) if profile else [],
    )


@get("/clubs/{club:str}", include_in_schema=False)
async def club_page(club: ClubId, context: Context) -> Response[str]:
    """A club; one who comes by link sees it once the script has sent the link, which the address hides."""
    context.require("clubs")
    if not is_table_id(club):
        raise no_club()
    profile = await context.profile()
    async with context.storage.reading() as connection:
        found = await read_club(connection, club)
    is_known = found is not None and profile is not None and found.has(profile.id)
    shown = await _shown(context, club) if is_known else {"id": club, "club": None}
    return page("club.html", context.reader, features=context.services.features, **shown)


@get("/clubs/{club:str}/live", include_in_schema=False)
async def club_live(club: ClubId, context: Context) -> Response[str]:
    """The part of a club's page that changes."""
    features = context.services.features
    return page("club_live.html", context.reader, features=features, **await _shown(context, club))


async def _shown(context: RequestContext, id: str) -> dict[str, Any]:
    found, mine = await visible_club(context, id)
    view = await _view(context, found, mine)
    titles = {result.game: kind.title for result in view.results if (kind := find_game(result.game))}
    return {"id": id, "club": view, "has_profile": bool(mine), "titles": titles}


API: Final = (
    new_club,
    club_state,
    join,
    leave,
    remove,
    new_club_link,
    delete,
    operator_clubs,
    operator_delete_club,
)
PAGES: Final = (clubs_page, club_page, club_live)
