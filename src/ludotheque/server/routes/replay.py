"""A match as one HTML file that works offline: the animated replay and, where there is one, the review."""

from __future__ import annotations

from litestar import Response, get

from ludotheque.server.after.studies import MatchCopy
from ludotheque.server.routes.context import ERRORS, Context, TableId, ViewerQuery
from ludotheque.show.offline import replay_file, review_file
from ludotheque.study.review import Decision


@get("/tables/{table_id:str}/replay.html", media_type="text/html", responses=ERRORS)
async def replay(table_id: TableId, context: Context, viewer: ViewerQuery = None) -> Response[bytes]:
    """The match as one HTML file: the replay as the caller may see it, and the review if there is one."""
    context.limit("act")
    table, viewer = await context.enter_as(table_id, viewer)
    decisions = await context.finished_review(table)
    name = f"{table.game.name}-{table.id}.html"
    return Response(
        await context.study(table, write_file, decisions, viewer, context.reader.language),
        media_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def write_file(copy: MatchCopy, decisions: list[Decision], viewer: int, language: str) -> bytes:
    """Write the file; runs in the worker."""
    if decisions:
        return review_file(copy.match(), decisions, viewer, language).encode()
    return replay_file(copy.match(), viewer, language).encode()
