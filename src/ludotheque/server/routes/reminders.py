"""Routes of reminders by e-mail: give an address, confirm it, end the reminders."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server import commands
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.http.templates import page
from ludotheque.server.reminders.scheduler import Reminders
from ludotheque.server.routes.context import ERRORS, Context, Ok, RequestContext, TableId
from ludotheque.server.tables.live import LiveTable

AllTables = Annotated[bool, QueryParameter(name="all", description="Whether to end the reminders of all tables.")]
Token = Annotated[str, QueryParameter(max_length=100, description="From a message of the server.")]


class ReminderView(Struct, frozen=True):
    """The address that this browser has given at a table; only this browser is told."""

    address: str
    """Empty: none."""
    confirmed: bool
    """Whether its owner has confirmed it."""


class Confirmed(Struct, frozen=True):
    """The table for which an address is confirmed."""

    url: str


def _reminders(context: RequestContext) -> Reminders:
    """The reminders of a server that sends e-mail."""
    found = context.services.reminders
    if not found.sends_mail:
        raise Refused(404, "not-found", phrase("This server sends no e-mail."))
    return found


def _seated_browser(context: RequestContext, table: LiveTable) -> bytes:
    """The key of the browser that asks, which must hold a seat."""
    for key in context.caller.digests:
        if table.facts.keys.holds_seat(key) and table.facts.keys.kind(key) == "browser":
            return key
    raise forbidden(phrase("Only those who sit at the table can do that."))


async def _view(reminders: Reminders, table: LiveTable, browser: bytes) -> ReminderView:
    found = await reminders.given(table.id, browser)
    return ReminderView(found.address, found.confirmed) if found else ReminderView("", False)


@get("/tables/{table_id:str}/reminder", responses=ERRORS)
async def reminder(table_id: TableId, context: Context) -> ReminderView:
    """The address at which this browser's person is reminded of their turns."""
    reminders = _reminders(context)
    table, _ = await context.enter(table_id)
    return await _view(reminders, table, _seated_browser(context, table))


@post("/tables/{table_id:str}/reminder", status_code=200, responses=ERRORS)
async def set_reminder(table_id: TableId, data: JSONBody[commands.GiveAddress], context: Context) -> ReminderView:
    """Give an address for reminders, which its owner confirms first; an empty one deletes the last."""
    reminders = _reminders(context)
    table, _ = await context.enter(table_id)
    browser = _seated_browser(context, table)
    if data.address:
        context.limit("mail")
    if not await reminders.give(table.id, browser, data.address, context.reader.language):
        raise Refused(429, "too-many", phrase("This address gets no further messages for now."), retry_after=3600)
    return await _view(reminders, table, browser)


@get("/reminders", include_in_schema=False)
async def confirm_page(context: Context) -> Response[str]:
    """Show the page of the link in a first message; it asks first, as some mail programs open links by themselves."""
    _reminders(context)
    return page("reminders.html", context.reader, stop="", all_tables=False)


@post("/reminders/confirm", status_code=200, responses=ERRORS)
async def confirm_reminder(data: JSONBody[commands.ConfirmReminder], context: Context) -> Confirmed:
    """Confirm an address."""
    context.limit("join")
    table = await _reminders(context).confirm(data.token)
    if not table:
        raise forbidden(phrase("This link has expired, or the reminders have been ended."))
    return Confirmed(f"/t/{table}")


@get("/reminders/stop", include_in_schema=False)
async def stop_page(context: Context, token: Token, all_tables: AllTables = False) -> Response[str]:
    """Show the page of the link that ends reminders."""
    _reminders(context)
    return page("reminders.html", context.reader, stop=token, all_tables=all_tables)


@post("/reminders/stop", status_code=200, include_in_schema=False)
async def stop_reminders(context: Context, token: Token, all_tables: AllTables = False) -> Ok:
    """End the reminders of a table, or of all: in one click, as RFC 8058 has it. The same answer whether there were
    any."""
    context.limit("join")
    await _reminders(context).unsubscribe(token, all_tables)
    return Ok()


PAGES = (confirm_page, stop_page, stop_reminders)
