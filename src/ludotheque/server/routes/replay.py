"""A match as one HTML file that works offline: the animated replay and, where there is one, the review."""

from __future__ import annotations

import msgspec
from litestar import Response, get
from msgspec import Struct

from ludotheque.server.routes.context import ERRORS, Context, TableId, ViewerQuery
from ludotheque.show.offline import replay_file, review_file
from ludotheque.study.review import Decision
from ludotheque.table import Record


class _FileRequest(Struct, frozen=True, kw_only=True):
    """What the worker needs to write the file."""

    record: Record
    viewer: int
    language: str
    decisions: list[Decision]


@get("/tables/{table_id:str}/replay.html", media_type="text/html", responses=ERRORS)
async def replay(table_id: TableId, context: Context, viewer: ViewerQuery = None) -> Response[bytes]:
    """The match as one HTML file: the replay as the caller may see it, and the review if there is one."""
    context.limit("think")
    table, viewer = await context.enter_as(table_id, viewer)
    decisions = await context.finished_review(table)
    request = _FileRequest(
        record=Record.full(table.match), viewer=viewer, language=context.reader.language, decisions=decisions
    )
    name = f"{table.game.name}-{table.id}.html"
    return Response(
        await context.services.reviewer.worker.run(write_file, msgspec.msgpack.encode(request)),
        media_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def write_file(encoded: bytes) -> bytes:
    """Write the file; runs in the worker."""
    request = msgspec.msgpack.decode(encoded, type=_FileRequest)
    match = request.record.to_match()
    if request.decisions:
        return review_file(match, request.decisions, request.viewer, request.language).encode()
    return replay_file(match, request.viewer, request.language).encode()
