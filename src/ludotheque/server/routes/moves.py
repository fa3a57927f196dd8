"""Routes of single moves: what one would do, what a bot advises, and what was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from ludotheque.core.choices import refusal
from ludotheque.core.game import State
from ludotheque.core.ghosts import Ghost, expected_ghost
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.server import commands
from ludotheque.server.errors import forbidden
from ludotheque.server.routes.context import (
    ERRORS,
    At,
    Context,
    QueryNumber,
    QuerySeat,
    Refusal,
    TableId,
    ViewerQuery,
    check_to_move,
)
from ludotheque.show.hints import HintMove, render_hint
from ludotheque.show.played import PlayedMove, played_moves
from ludotheque.show.scenes import RenderedGhost, render_ghost, renderer
from ludotheque.table.match import decided

Until = Annotated[int | None, QueryParameter(ge=0, le=2**31 - 1)]
QueryParts = Annotated[list[int] | None, QueryParameter(max_items=64)]
QuerySteps = Annotated[list[Annotated[str, Meta(max_length=64)]], QueryParameter(min_items=1, max_items=16)]


class Hints(Struct, frozen=True):
    """The moves that a bot would consider, the best first."""

    moves: tuple[HintMove, ...]


class Preview(Struct, frozen=True, omit_defaults=True):
    """Something drawn over the board, and the same in words: the effect of an action, or what is shown on demand."""

    ghost: RenderedGhost
    lines: tuple[str, ...]
    gains: tuple[int, ...] = ()
    """The points that each seat gets at once; empty where the lines say it."""


@post("/tables/{table_id:str}/hint", status_code=200, responses=ERRORS)
async def hint(table_id: TableId, data: JSONBody[commands.HintRequest], context: Context) -> Hints:
    """Ask a bot for the best few moves, with reasons: a first hint comes at once, a thorough one after two seconds. The
    same position gives the same hint, and both count as one."""
    context.limit("think")
    table, _ = await context.enter_seat(table_id, data.seat)
    check_to_move(table, data.seat, data.version)
    if not table.allows_hints:
        raise forbidden(phrase("The people at this table play without hints."))
    choices = table.match.choices(data.seat)
    tries = table.match.possible_positions(data.seat, table.version)
    advisor = context.services.advisor
    counts = not (data.thorough and advisor.has_hinted(table, data.seat))
    found = await advisor.hints(table, data.seat, context.client, thorough=data.thorough)
    if counts:
        await context.actions.count_hint(table, data.seat)
    render = renderer(table.game.name, context.reader, table.match.names)
    return Hints(tuple(render_hint(move, data.seat, choices, tries, render) for move in found))


@get("/tables/{table_id:str}/preview", responses=ERRORS)
async def preview(
    table_id: TableId,
    context: Context,
    seat: QuerySeat,
    version: QueryNumber,
    action: QueryNumber,
    after: QueryParts = None,
) -> Preview:
    """The effect of an action, before anything is drawn; `after`: decisions of the same turn that come before it.

    It is tried in positions that the seat cannot tell from the true one, so it reveals nothing; what differs between
    them depends on what is hidden, and is left out.
    """
    table, _ = await context.enter_seat(table_id, seat)
    check_to_move(table, seat, version)
    tries = table.match.possible_positions(seat, table.version)
    scene = None if after else table.match.viewing.scene(seat)
    if after:
        tries = [decided(position, seat, after)[-1] for position in tries]
    render = renderer(table.game.name, context.reader, table.match.names)
    lines = tuple(render(line) for line in _expected_lines(tries, action, seat))
    ghost = render_ghost(expected_ghost(tries, action, seat, scene), render)
    return Preview(ghost, lines, _expected_gains(tries, action, seat))


@get("/tables/{table_id:str}/overlay", responses=ERRORS)
async def overlay(table_id: TableId, context: Context, at: At = None, viewer: ViewerQuery = None) -> Preview:
    """Return what the game draws over the board of ply `at` on demand."""
    context.limit("act")
    table, viewer = await context.enter_as(table_id, viewer)
    drawn = table.match.viewing.overlay(viewer, at)
    render = renderer(table.game.name, context.reader, table.match.names)
    return Preview(render_ghost(Ghost(pieces=drawn.pieces), render), tuple(map(render, drawn.lines)))


@get("/tables/{table_id:str}/why-not", responses=ERRORS)
async def why_not(
    table_id: TableId,
    context: Context,
    seat: QuerySeat,
    version: QueryNumber,
    steps: QuerySteps,
    after: QueryParts = None,
) -> Refusal:
    """The rule that forbids the seat to act to pick these steps together; `after` as for a preview.

    It is looked for in a position that the seat cannot tell from the true one, so it reveals nothing.
    """
    context.limit("act")
    table, _ = await context.enter_seat(table_id, seat)
    check_to_move(table, seat, version)
    position = table.match.possible_positions(seat, table.version)[0]
    if after:
        position = decided(position, seat, after)[-1]
    reason = refusal(position, steps)
    return Refusal(renderer(table.game.name, context.reader, table.match.names)(reason) if reason else "")


def _expected_lines(tries: Sequence[State], action: int, seat: int) -> list[Phrase]:
    """Describe what an action would do, as far as that does not depend on what is hidden."""
    found = [before.game.forecast(before, action, before.child(action), seat) for before in tries]
    return [line for line in found[0] if all(line in other for other in found)]


def _expected_gains(tries: Sequence[State], action: int, seat: int) -> tuple[int, ...]:
    """The points that an action gives each seat at once; empty where they depend on what is hidden."""
    found = {tuple(before.game.expected_gains(before, action, before.child(action), seat)) for before in tries}
    return found.pop() if len(found) == 1 else ()


@get("/tables/{table_id:str}/played", responses=ERRORS)
async def played(
    table_id: TableId,
    context: Context,
    since: QueryNumber,
    until: Until = None,
    at: At = None,
    viewer: ViewerQuery = None,
) -> list[PlayedMove]:
    """The moves after ply `since` up to ply `until`, as the viewer saw them, for the board of ply `at`."""
    context.limit("act")
    table, viewer = await context.enter_as(table_id, viewer)
    match = table.match
    end = match.ply if at is None else min(at, match.ply)
    last = end if until is None else min(until, end)
    render = renderer(match.game.name, context.reader, match.names)
    return played_moves(match, viewer, since, last, end, render)
