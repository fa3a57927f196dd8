"""Routes of tables: everything that the page can do, for programs too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from litestar import Response, get, post
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import FromQuery, JSONBody
from msgspec import Struct, structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.projection import FLAT, TILTED
from ludotheque.server import commands
from ludotheque.server.club.challenges import challenge, check_challenges
from ludotheque.server.errors import Unplayable, not_found
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import (
    ERRORS,
    At,
    BoardQuery,
    Context,
    Ok,
    RequestContext,
    TableId,
    TiltedQuery,
    ViewerQuery,
    WithMoveQuery,
    backdrop_css,
    backdrop_svg,
    check_seat,
    svg,
    viewer_for,
)
from ludotheque.server.storage.profiles import Profile
from ludotheque.server.storage.restrictions import has_blocked
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.unplayable import leave_unplayable
from ludotheque.server.tables.joining import Invitation, Newcomer, SeatTaken, invitation as described, seats_to_choose
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import Opened
from ludotheque.server.tables.seats import check_may_leave, seat_of_link, seat_taken
from ludotheque.server.tables.summaries import Summary, challenged_to
from ludotheque.server.tables.table_links import free_by_link, is_settled
from ludotheque.server.tables.view_shapes import TableView
from ludotheque.server.tables.views import past_view, plain_observation
from ludotheque.show.art import board_alone
from ludotheque.show.language import game_translator
from ludotheque.table import Record, write_json, write_text
from ludotheque.table.record_file import RECORD_LENGTH

Form = FromQuery[Literal["json", "text"]]


class Link(Struct, frozen=True):
    url: str


# Finding and opening tables.


@post("/tables", responses=ERRORS)
async def new_table(data: JSONBody[commands.NewTable], context: Context) -> Response[Opened]:
    """Open a table; its links are sent this once."""
    context.limit("create")
    context.limit_stored(data.options)
    if all(seat.who == "bot" for seat in data.seats):
        context.services.runner.check_room(context.caller.address)
    caller = await context.known_caller()
    challenger = await _challenger(context, data)
    profile = await _my_rated_profile(context) if data.rated else None
    wanted = _with_name(data, profile.name) if profile else data
    if challenger:
        wanted = await check_challenges(context.storage, wanted, challenger, context.key, now())
    opened = await context.services.opener.open_new(
        wanted, digest(caller.browser), context.reader, caller.address, profile.id if profile else ""
    )
    if challenger:
        await challenge(context.storage, opened, wanted.seats, challenger, now())
    return Response(opened, cookies=[caller.cookie()])


async def _my_rated_profile(context: RequestContext) -> Profile:
    """The profile of a caller who sets up a rated table; raise if they have none."""
    context.require("ratings")
    return await context.my_profile()


def _with_name(wanted: commands.NewTable, name: str) -> commands.NewTable:
    """A rated table, with the name of the caller's profile."""
    seats = [structs.replace(seat, name=name) if seat.who == "me" else seat for seat in wanted.seats]
    return structs.replace(wanted, seats=seats)


async def _challenger(context: RequestContext, wanted: commands.NewTable) -> Profile | None:
    """The profile of a caller who challenges someone to the table; None where they challenge no one."""
    if not any(seat.profile for seat in wanted.seats):
        return None
    context.limit("challenge")
    return await context.my_profile()


@post("/records", responses=ERRORS, request_max_body_size=2 * RECORD_LENGTH)
async def new_record(data: JSONBody[commands.NewRecord], context: Context) -> Response[Opened]:
    """Open a record as a table."""
    context.limit("create")
    context.limit_stored(data.record)
    caller = await context.known_caller()
    opened = await context.services.opener.open_record(data.record, digest(caller.browser), caller.address)
    return Response(opened, cookies=[caller.cookie()])


@get("/tables", responses=ERRORS)
async def open_tables(context: Context) -> list[Summary]:
    """The tables that anyone may join."""
    return await context.open_tables()


@get("/watch", responses=ERRORS)
async def games_to_watch(context: Context) -> list[Summary]:
    """The running games that anyone may watch, with the number of their spectators."""
    return await context.games_to_watch()


@get("/mine", responses=ERRORS)
async def my_tables(context: Context) -> list[Summary]:
    """The tables to which this client is challenged, and those that it has a key to: first those where it is their
    turn, then the running ones."""
    return [*map(challenged_to, await context.challenges()), *await context.my_tables()]


@post("/tables/{table_id:str}/join", status_code=200, responses=ERRORS)
async def join(table_id: TableId, data: JSONBody[commands.Join], context: Context) -> Response[SeatTaken]:
    """Give this browser the seat that a link opens, or let it watch."""
    context.limit("join")
    table = await context.live_tables.table(table_id)
    if data.seat is not None:
        check_seat(table, data.seat)
    caller = await context.known_caller()
    if data.password:
        context.limit("password")
    if data.watch:
        await context.seating.watch(table, data.secret, digest(caller.browser), data.password)
        return Response(SeatTaken(SPECTATOR), cookies=[caller.cookie()])
    newcomer = Newcomer(context.reader, await _name_at(context, table, data.name), data.seat, data.commitment)
    seat = await context.seating.join(table, data.secret, digest(caller.browser), newcomer, data.password)
    return Response(SeatTaken(seat), cookies=[caller.cookie()])


async def _name_at(context: RequestContext, table: LiveTable, name: str) -> str:
    """The name of a newcomer: at a rated table that of their profile, which they need."""
    return (await context.my_profile()).name if table.facts.terms.rated else name


@post("/tables/{table_id:str}/invitation", status_code=200, responses=ERRORS)
async def invitation(table_id: TableId, data: JSONBody[commands.LookAtInvitation], context: Context) -> Invitation:
    """Return what a link opens: the seats to choose from, each with its colour. Nothing changes."""
    context.limit("join")
    table = await context.live_tables.table(table_id)
    facts, match, link = table.facts, table.match, digest(data.secret)
    if facts.has_link(link):
        settled = is_settled(facts, match, context.browser)
        return described(facts, match, free_by_link(facts, match), settled, context.reader)
    seat = seat_of_link(facts, link, context.browser)
    settled = seat < 0 or facts.seats[seat].taken or not facts.keys.leads_to(link)
    return described(facts, match, seats_to_choose(facts, match, seat), settled, context.reader)


@post("/tables/{table_id:str}/decline", status_code=200, responses=ERRORS)
async def decline(table_id: TableId, data: JSONBody[commands.Decline], context: Context) -> Ok:
    """Refuse an invitation; the table is told, and the link still opens the seat."""
    context.limit("join")
    table = await context.live_tables.table(table_id)
    await context.seating.decline(table, data.secret, context.browser)
    return Ok()


@post("/tables/{table_id:str}/sit", status_code=200, responses=ERRORS)
async def sit(table_id: TableId, data: JSONBody[commands.Sit], context: Context) -> Response[SeatTaken]:
    """Take an open seat."""
    context.limit("join")
    table, _ = await context.enter(table_id)
    check_seat(table, data.seat)
    caller = await context.known_caller()
    if await has_blocked(context.storage, table.facts.host, digest(caller.browser)):
        raise seat_taken()  # they are not told why
    newcomer = Newcomer(context.reader, await _name_at(context, table, data.name), commitment=data.commitment)
    await context.seating.sit(table, data.seat, digest(caller.browser), newcomer)
    return Response(SeatTaken(data.seat), cookies=[caller.cookie()])


@post("/tables/{table_id:str}/links", status_code=200, responses=ERRORS)
async def new_link(table_id: TableId, data: JSONBody[commands.NewLink], context: Context) -> Link:
    """Make a link: to a free seat or to all of them (for the host), for another browser of a seat's holder, or to
    watch."""
    context.limit("join")
    table, rights = await context.enter(table_id)
    if data.seat is None:
        return Link(f"/t/{table.id}#{await context.seating.new_table_link(table, rights)}")
    if data.seat != SPECTATOR or data.replace:
        check_seat(table, data.seat)
    make = context.seating.replace_link if data.replace else context.seating.new_link
    return Link(f"/t/{table.id}#{await make(table, data.seat, rights)}")


@post("/tables/{table_id:str}/rematch", status_code=200, responses=ERRORS)
async def rematch(table_id: TableId, data: JSONBody[commands.Rematch], context: Context) -> Link:
    """Ask the others to play again with the same options, each one seat further. The table is opened once all have
    agreed, and is the same for all; until then the address is empty."""
    context.limit("create")
    table, rights = await context.enter(table_id)
    rights.check_seated()
    if not await context.services.rematches.ask(table, rights, data.now):
        return Link("")
    return Link(f"/t/{await context.services.opener.open_rematch(table, context.reader, data.shared_dice)}")


@post("/tables/{table_id:str}/leave", status_code=200, responses=ERRORS)
async def leave(table_id: TableId, data: JSONBody[commands.Leave], context: Context) -> Ok:
    """Forget a table, also one that cannot be played here; a seat that no one else holds becomes open."""
    digests = context.caller.digests
    try:
        table, _ = await context.enter(table_id)
    except Unplayable:
        if not await leave_unplayable(context.storage, table_id, digests):
            raise not_found() from None
    else:
        check_may_leave(table.facts, digests, table.match.is_over)
        await context.seating.leave(table, digests)
    return Ok()


# Views.


@get("/tables/{table_id:str}", responses=ERRORS)
async def table_view(table_id: TableId, context: Context, at: At = None, viewer: ViewerQuery = None) -> TableView:
    """A table as the caller may know it, now or at an earlier ply."""
    table, rights = await context.enter(table_id)
    context.services.presences.look(table, context.caller.address)
    hand_over = table.choose_viewer(rights, viewer)[1]
    viewer = viewer_for(table, rights, viewer)
    if at is not None:
        return past_view(table, viewer, at, context.reader, rights)
    cached = context.services.views.get(table, viewer, context.reader)
    view = cached.whole(table, viewer, rights, context.services.presences.of(table), hand_over)
    return structs.replace(view, observation=plain_observation(table.match.view(viewer)))


@get("/tables/{table_id:str}/backdrop.svg", media_type="image/svg+xml", responses=ERRORS)
async def backdrop(table_id: TableId, context: Context) -> Response[str]:
    """The static backdrop of the picture (SVG)."""
    table, _ = await context.enter(table_id)
    return backdrop_svg(table.game, context.reader.language)


@get("/tables/{table_id:str}/backdrop.css", media_type="text/css", responses=ERRORS)
async def backdrop_styles(table_id: TableId, context: Context) -> Response[str]:
    """The stylesheet of the backdrop (CSS)."""
    table, _ = await context.enter(table_id)
    return backdrop_css(table.game)


@get("/tables/{table_id:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS)
async def table_picture(
    table_id: TableId,
    context: Context,
    at: At = None,
    viewer: ViewerQuery = None,
    tilted: TiltedQuery = False,
    board: BoardQuery = False,
    with_move: WithMoveQuery = False,
) -> Response[str]:
    """The whole picture, or the board without tray and tables; tilted if the board has a tilted view."""
    table, viewer = await context.enter_as(table_id, viewer)
    view = table.match.view(viewer, at)
    shows_move = with_move and view.ply > 0
    viewing = table.match.viewing
    scene = viewing.scene_with_move(viewer, view.ply) if shows_move else viewing.scene(viewer, view.ply)
    translate = game_translator(table.game.name, context.reader.language)
    projection = TILTED if tilted and scene.thickness else FLAT
    shown = board_alone(scene) if board else scene
    return svg(shown.to_svg(table.game.backdrop(), translate, view.names, projection), "no-store")


@dataclass
class RecordOperation(Operation):
    """Adds the two forms of a record to the schema."""

    def __post_init__(self) -> None:
        found = (self.responses or {}).get("200")
        if isinstance(found, OpenAPIResponse):
            form = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
            found.content = {
                "application/json": OpenAPIMediaType(schema=Schema(type=OpenAPIType.OBJECT)),
                "text/plain; charset=utf-8": form,
            }


@get("/tables/{table_id:str}/record", responses=ERRORS, operation_class=RecordOperation)
async def record(
    table_id: TableId, context: Context, form: Form = "json", viewer: ViewerQuery = None
) -> Response[bytes]:
    """The record as a file, without what the caller did not see until the game is over."""
    table, viewer = await context.enter_as(table_id, viewer)
    seen = Record.seen_by(table.match, viewer)
    as_text = form == "text"
    name = f"{table.game.name}-{table.id}.{'txt' if as_text else 'json'}"
    return Response(
        (write_text(seen) if as_text else write_json(seen)).encode(),
        media_type="text/plain; charset=utf-8" if as_text else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
