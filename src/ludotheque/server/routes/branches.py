"""Playing on from a moment of a table, against bots: a table of one's own beside it, linked both ways."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.game import SPECTATOR
from ludotheque.server.errors import Refused
from ludotheque.server.http.bodies import Branch
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import RequestContext, check_seat
from ludotheque.server.routes.handlers import ERRORS, Context, TableId
from ludotheque.server.storage.database import StoredTable
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import Opened, open_side


class Moment(Struct, frozen=True):
    """A table at a ply."""

    url: str
    ply: int


class SideTable(Struct, frozen=True):
    """A table that was taken up from a moment of this one."""

    url: str
    from_ply: int
    ply: int
    over: bool


class Branches(Struct, frozen=True):
    """Where a table comes from, and what came of it, as far as the caller has a key to it."""

    open: bool
    """Whether one may play on from here: nothing is hidden, or the game is over."""
    origin: Moment | None
    sides: tuple[SideTable, ...]


@post("/tables/{table_id:str}/branch", responses=ERRORS)
async def branch(table_id: TableId, data: JSONBody[Branch], context: Context) -> Response[Opened]:
    """Play on from a moment, against bots, at a table of one's own."""
    context.limit("create")
    table, _ = await context.enter(table_id)
    if data.seat != SPECTATOR:
        check_seat(table, data.seat)
    caller = context.caller.known()
    side, opened = await open_side(context.live_tables, table, data, digest(caller.browser))
    context.services.runner.wake(side)
    return Response(opened, cookies=[caller.cookie()])


@get("/tables/{table_id:str}/branches", responses=ERRORS)
async def branches(table_id: TableId, context: Context) -> Branches:
    """Where this table comes from, and one's own tables that went on from it."""
    table, _ = await context.enter(table_id)
    sides = await context.storage.sides_of(table.id, context.caller.digests)
    may_branch = table.match.is_over or not table.game.has_hidden_information
    return Branches(may_branch, await _origin(table, context), tuple(_side(stored) for stored in sides))


async def _origin(table: LiveTable, context: RequestContext) -> Moment | None:
    """The moment that a side table was taken up from, for one who may look at it."""
    if not table.origin:
        return None
    try:
        await context.enter(table.origin)
    except Refused:
        return None
    return Moment(f"/t/{table.origin}?at={table.origin_ply}", table.origin_ply)


def _side(stored: StoredTable) -> SideTable:
    return SideTable(f"/t/{stored.id}", stored.origin_ply, stored.ply, stored.over)
