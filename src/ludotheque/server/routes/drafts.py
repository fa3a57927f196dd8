"""The route of drafts: a turn of several decisions as it would stand, before any of it is played."""

from __future__ import annotations

from typing import Annotated, Final

from librt.random import Random
from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct

from ludotheque.core.choices import choices
from ludotheque.core.game import State
from ludotheque.core.scene import Scene
from ludotheque.server.routes.context import ERRORS, Context, QueryNumber, QuerySeat, TableId, check_to_move
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.view_cache import CachedView
from ludotheque.show.scenes import (
    RenderedChoice,
    RenderedScene,
    difference,
    render_choices,
    render_gauges,
    render_piece,
    render_sheet,
    render_tables,
)
from ludotheque.table.match import decided

MOST_PARTS: Final = 64
QueryParts = Annotated[list[int], QueryParameter(min_items=1, max_items=MOST_PARTS)]


class Draft(Struct, frozen=True):
    """A turn after its first decisions: what the seat would see, as changes to the present scene, and decide next.

    Without a scene the turn is complete.
    """

    scene: RenderedScene | None = None
    choices: tuple[RenderedChoice, ...] = ()


@get("/tables/{table_id:str}/draft", responses=ERRORS)
async def draft(
    table_id: TableId, context: Context, seat: QuerySeat, version: QueryNumber, actions: QueryParts
) -> Draft:
    """A turn after some decisions, none of which is played.

    They are tried in a position that the seat cannot tell from the true one, so this reveals nothing.
    """
    table, _ = await context.enter_seat(table_id, seat)
    check_to_move(table, seat, version)
    state = _drafted(table, seat, actions)
    if state.current_player() != seat:
        return Draft()
    cached = context.services.views.get(table, seat, context.reader)
    scene = table.game.scene(table.game.observe(state, seat))
    return Draft(_changes(cached, scene), render_choices(choices(state, ahead=True), cached.render))


def _drafted(table: LiveTable, seat: int, actions: list[int]) -> State:
    """The position after these decisions of a seat."""
    return decided(table.match.resampled(seat, Random(table.version)), seat, actions)[-1]


def _changes(cached: CachedView, scene: Scene) -> RenderedScene:
    """The changes from the present scene to another one."""
    found = difference(cached.pieces, scene.pieces)
    return RenderedScene(
        title=cached.render(scene.title),
        width=scene.width,
        height=scene.height,
        tray_width=scene.tray_width,
        tray_height=scene.tray_height,
        legible=scene.legible,
        thickness=scene.thickness,
        base=cached.version,
        pieces=tuple(render_piece(piece, cached.render) for piece in found.changed),
        gone=found.gone,
        follows=found.follows,
        tables=render_tables(scene.tables, cached.render),
        gauges=render_gauges(scene.gauges, cached.render),
        sheet=render_sheet(scene.sheet, cached.render),
        asks=cached.render(scene.prompt),
        continues=scene.continues,
    )
