"""A game as one HTML file: the animated replay and, where there is one, the review. It works offline."""

from __future__ import annotations

import msgspec
from litestar import Response, get
from msgspec import Struct

from ludotheque.server.routes.context import viewer_for
from ludotheque.server.routes.handlers import ERRORS, As, Context, TableId
from ludotheque.show.offline import replay_file, review_file
from ludotheque.study.review import Decision
from ludotheque.table import Record


class _Order(Struct, frozen=True, kw_only=True):
    """A file that somebody wants."""

    record: Record
    viewer: int
    language: str
    decisions: list[Decision]


@get("/tables/{table_id:str}/replay.html", media_type="text/html", responses=ERRORS)
async def replay(table_id: TableId, context: Context, as_: As = None) -> Response[bytes]:
    """The game as one HTML file that works offline: the replay, as the caller may see it, and the review if any."""
    context.limit("think")
    table, rights = await context.enter(table_id)
    viewer = viewer_for(table, rights, as_)
    reviewer = context.services.reviewer
    decisions: list[Decision] = []
    if table.match.is_over and (await reviewer.progress(table)).state == "done":
        decisions = await reviewer.reviews.decisions(table.id)
    order = _Order(
        record=Record.full(table.match), viewer=viewer, language=context.reader.language, decisions=decisions
    )
    name = f"{table.game.name}-{table.id}.html"
    return Response(
        await reviewer.worker.run(written, msgspec.msgpack.encode(order)),
        media_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def written(asked: bytes) -> bytes:
    """The file; in the worker."""
    order = msgspec.msgpack.decode(asked, type=_Order)
    match = order.record.to_match()
    if order.decisions:
        return review_file(match, order.decisions, order.viewer, order.language).encode()
    return replay_file(match, order.viewer, order.language).encode()
