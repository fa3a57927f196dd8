"""Routes of the host who moderates a table, and of the operator who moderates the server."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server import commands
from ludotheque.server.errors import Refused, Unplayable
from ludotheque.server.http.templates import page
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import ERRORS, Context, Offset, Ok, TableId
from ludotheque.server.storage.database import LISTED
from ludotheque.server.storage.operating import all_tables, has_public_list, set_public_list
from ludotheque.server.storage.unplayable import close_unplayable
from ludotheque.server.tables.summaries import Summary, summary


@post("/tables/{table_id:str}/enter", status_code=200, responses=ERRORS)
async def enter(table_id: TableId, data: JSONBody[commands.Enter], context: Context) -> Response[Ok]:
    """Look at a table with an open seat by its password."""
    context.limit("password")
    table = await context.live_tables.table(table_id)
    caller = await context.known_caller()
    await context.seating.enter(table, data.password, digest(caller.browser))
    return Response(Ok(), cookies=[caller.cookie()])


# The operator.


class OperatorView(Struct, frozen=True):
    """The page of the operator."""

    public_list: bool
    """Whether tables with an open seat are listed for all visitors."""
    tables: tuple[Summary, ...]
    """The latest first."""


@get("/operator", include_in_schema=False)
async def operator_page(context: Context) -> Response[str]:
    """The page of the operator; it asks for the token and holds nothing itself."""
    if not context.services.operator_token:
        raise Refused(404, "not-found", phrase("Page not found."))
    return page("operator.html", context.reader)


@get("/operator/tables", responses=ERRORS)
async def operator_tables(context: Context, offset: Offset = 0) -> OperatorView:
    """All tables, for the operator."""
    context.check_operator()
    found = await all_tables(context.storage, offset, LISTED)
    is_listed = await has_public_list(context.storage)
    return OperatorView(is_listed, tuple(summary(stored, (), ()) for stored in found))


@post("/operator/tables/{table_id:str}/close", status_code=200, responses=ERRORS)
async def operator_close(table_id: TableId, data: JSONBody[commands.Close], context: Context) -> Ok:
    """Close any table, for the operator."""
    context.check_operator()
    try:
        table = await context.live_tables.table(table_id)
    except Unplayable:
        await close_unplayable(context.storage, table_id)
    else:
        await context.services.moderation.close(table)
    return Ok()


@post("/operator/settings", status_code=200, responses=ERRORS)
async def operator_settings(data: JSONBody[commands.OperatorSettings], context: Context) -> Ok:
    """Switch the public list off or on, for the operator."""
    context.check_operator()
    await set_public_list(context.storage, data.public_list)
    return Ok()
