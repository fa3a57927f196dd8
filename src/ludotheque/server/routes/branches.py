"""Branches: tables that play on from a position of another one, against bots."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.errors import NoSuchPly
from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.commands import Branch
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import ERRORS, Context, RequestContext, TableId, check_seat
from ludotheque.server.storage.rows import ListedTable
from ludotheque.server.tables.facts import as_plain
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import Opened


class Position(Struct, frozen=True):
    """A table at a ply."""

    url: str
    ply: int


class BranchTable(Struct, frozen=True):
    """A table that branched from this one."""

    url: str
    from_ply: int
    ply: int
    over: bool


class Branches(Struct, frozen=True):
    """The table that this one branched from, and its branches, as far as the caller has a key to them."""

    open: bool
    """Whether one may branch here: the game is over, or nothing is hidden and its result does not count."""
    branched_from: Position | None
    branches: tuple[BranchTable, ...]


@post("/tables/{table_id:str}/branch", responses=ERRORS)
async def branch(table_id: TableId, data: JSONBody[Branch], context: Context) -> Response[Opened]:
    """Play on from a position, against bots, at a new table."""
    context.limit("create")
    table, _ = await context.enter(table_id)
    if _counts(table):
        raise forbidden(phrase("The people at this table play without hints."))
    context.limit_stored(as_plain(table.game.settings))
    if data.seat != SPECTATOR:
        check_seat(table, data.seat)
    caller = await context.known_caller()
    ply, line = await _way_to(data, table, context)
    opened = await context.services.opener.open_branch(table, data, digest(caller.browser), ply, line)
    return Response(opened, cookies=[caller.cookie()])


def _counts(table: LiveTable) -> bool:
    """Whether a game runs whose result counts beyond the table: a branch of it would give hints."""
    return table.facts.terms.is_binding and not table.match.is_over


async def _way_to(wanted: Branch, table: LiveTable, context: RequestContext) -> tuple[int, Sequence[int]]:
    """The ply of the game from which a position follows, and the actions of a line that lead to it."""
    if not wanted.line:
        return wanted.ply, ()
    start = wanted.line - 1
    line = await context.better_line(table, wanted.line)
    if not start < wanted.ply <= start + len(line):
        raise NoSuchPly(
            phrase("There is no ply {ply}; the last is ply {last}.", ply=wanted.ply, last=start + len(line))
        )
    return start, line[: wanted.ply - start]


@get("/tables/{table_id:str}/branches", responses=ERRORS)
async def branches(table_id: TableId, context: Context) -> Branches:
    """Return the table that this one branched from, and the caller's branches of it."""
    table, _ = await context.enter(table_id)
    found = await context.storage.branches_of(table.id, context.caller.digests)
    may_branch = table.match.is_over or not (table.game.has_hidden_information or _counts(table))
    return Branches(may_branch, await _branched_from(table, context), tuple(_branch_table(stored) for stored in found))


async def _branched_from(table: LiveTable, context: RequestContext) -> Position | None:
    """The position that a table branched from; none if the caller may not know of it."""
    if not table.facts.branched_from:
        return None
    try:
        await context.enter(table.facts.branched_from)
    except Refused:
        return None
    return Position(f"/t/{table.facts.branched_from}?at={table.facts.branch_ply}", table.facts.branch_ply)


def _branch_table(stored: ListedTable) -> BranchTable:
    return BranchTable(f"/t/{stored.id}", stored.branch_ply, stored.ply, stored.over)
