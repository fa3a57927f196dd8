"""Routes of reports: tell the operator about a club, a line of chat or a name; and the operator, who acts on them."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get, post
from litestar.params import JSONBody, PathParameter
from msgspec import structs

from ludotheque.core.phrases import phrase
from ludotheque.core.registry import find_game
from ludotheque.server import commands
from ludotheque.server.errors import Refused, Unplayable, forbidden, not_found
from ludotheque.server.keys import is_table_id
from ludotheque.server.routes.clubs import ClubId, visible_club
from ludotheque.server.routes.context import ERRORS, Context, Offset, Ok, RequestContext, TableId
from ludotheque.server.routes.profile import ProfileId, may_see
from ludotheque.server.storage.clubs import delete_club
from ludotheque.server.storage.database import LISTED
from ludotheque.server.storage.operating import has_public_list
from ludotheque.server.storage.profiles import profile_by_id, replace_name
from ludotheque.server.storage.reports import (
    StoredReport,
    all_reports,
    delete_report,
    find_report,
    report_club,
    report_line,
    report_name,
    report_person,
)
from ludotheque.server.storage.rows import now
from ludotheque.server.tables.joining import colour_as_name
from ludotheque.server.tables.live import LiveTable
from ludotheque.table.names import visible_text

ReportId = Annotated[int, PathParameter(ge=1, le=2**31 - 1)]
REPORT_BYTES: Final = 1000
"""About as many as a report takes in the database, with the line that it copies."""


def _limit(context: RequestContext, text: str = "") -> None:
    """Count a report against the limits of its client."""
    context.require("reports")
    context.limit("report")
    context.services.limits.count_stored(context.caller.address, REPORT_BYTES + len(text.encode()))


# Anyone.


@post("/clubs/{club:str}/report", status_code=200, responses=ERRORS)
async def club_report(club: ClubId, data: JSONBody[commands.Report], context: Context) -> Ok:
    """Tell the operator about a club, for its members."""
    _limit(context, data.text)
    found, mine = await visible_club(context, club)
    if not found.has(mine):
        raise forbidden(phrase("Only members can do that."))
    await report_club(context.storage, found.id, found.name, mine, visible_text(data.text), now())
    return Ok()


@post("/tables/{table_id:str}/chat/report", status_code=200, responses=ERRORS)
async def line_report(table_id: TableId, data: JSONBody[commands.ReportLine], context: Context) -> Ok:
    """Tell the operator about a line of chat. Nobody learns who reports it."""
    _limit(context)
    await context.enter(table_id)
    if not await report_line(context.storage, table_id, data.line, now()):
        raise Refused(404, "not-found", phrase("There is no such message at this table."))
    return Ok()


@post("/tables/{table_id:str}/names/report", status_code=200, responses=ERRORS)
async def name_report(table_id: TableId, data: JSONBody[commands.ReportName], context: Context) -> Ok:
    """Tell the operator about the name of someone who sits at a table. Nobody learns who reports it."""
    _limit(context, data.name)
    table = await _listed_table(context, table_id)
    seats = zip(table.facts.names, table.facts.seats, strict=True)
    for number, (name, seat) in enumerate(seats):
        if name == data.name and seat.taken and (seat.who == "person" or seat.substitutes):
            await report_name(context.storage, table.id, number, name, now())
            return Ok()
    raise _renamed()


async def _listed_table(context: RequestContext, table_id: str) -> LiveTable:
    """A table whose names the caller may read: the lobby lists them, or the caller may look at the table."""
    table = await context.live_tables.table(table_id)
    if not (table.facts.is_open_to_all and await has_public_list(context.storage)):
        table.facts.rights(context.caller.digests)
    return table


@post("/people/{profile:str}/names/report", status_code=200, responses=ERRORS)
async def person_report(profile: ProfileId, data: JSONBody[commands.ReportName], context: Context) -> Ok:
    """Tell the operator about the name of a profile that one may see. Nobody learns who reports it."""
    _limit(context, data.name)
    found = await profile_by_id(context.storage, profile) if is_table_id(profile) else None
    if found is None or not await may_see(context, found):
        raise not_found()
    if found.name != data.name:
        raise _renamed()
    await report_person(context.storage, found.id, found.name, now())
    return Ok()


def _renamed() -> Refused:
    return Refused(409, "not-now", phrase("Nobody has that name here any more."))


# The operator.


@get("/operator/reports", responses=ERRORS)
async def operator_reports(context: Context, offset: Offset = 0) -> list[StoredReport]:
    """People's reports, the latest first, for the operator."""
    context.check_operator()
    reports = await all_reports(context.storage, offset, LISTED)
    return [structs.replace(each, game=_title(each.game)) for each in reports]


def _title(game: str | None) -> str | None:
    kind = find_game(game) if game else None
    return kind.title if kind else game


@post("/operator/reports/{report_id:int}/delete", status_code=200, responses=ERRORS)
async def operator_delete_report(report_id: ReportId, data: JSONBody[commands.ReportCommand], context: Context) -> Ok:
    """Dismiss a report, for the operator."""
    context.check_operator()
    await delete_report(context.storage, report_id)
    return Ok()


@post("/operator/reports/{report_id:int}/remove", status_code=200, responses=ERRORS)
async def operator_remove_reported(report_id: ReportId, data: JSONBody[commands.ReportCommand], context: Context) -> Ok:
    """Remove what is reported, for the operator: delete a club; remove a line of chat and mute its writer at the table;
    replace a name."""
    context.check_operator()
    report = await find_report(context.storage, report_id)
    if report is None:
        raise Refused(404, "not-found", phrase("There is no such report any more."))
    await _remove(context, report)
    await delete_report(context.storage, report.id)
    return Ok()


async def _remove(context: RequestContext, report: StoredReport) -> None:
    if report.club:
        await delete_club(context.storage, report.club)
    elif report.person:
        await replace_name(context.storage, report.person, report.name, f"Player {report.person[:4]}")
    elif report.table and report.line:
        await _remove_line(context, report.table, report.line)
    elif report.table and report.seat is not None:
        table = await context.live_tables.table(report.table)
        colour = colour_as_name(table.game, report.seat, context.reader)
        await context.services.moderation.replace_name(table, report.seat, report.name, colour)


async def _remove_line(context: RequestContext, table_id: str, line: int) -> None:
    """Remove a line of chat, and mute the seat that wrote it; at a table that cannot be played nobody can chat."""
    seat = await context.services.moderation.remove_line(table_id, line)
    try:
        table = await context.live_tables.table(table_id)
    except Unplayable:
        return
    if seat is not None and seat >= 0:
        await context.services.moderation.silence(table, seat)


API: Final = (
    club_report,
    line_report,
    name_report,
    person_report,
    operator_reports,
    operator_delete_report,
    operator_remove_reported,
)
