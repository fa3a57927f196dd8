"""The review of a finished game, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from ludotheque.core.errors import StillHidden
from ludotheque.core.ghosts import expected_ghost
from ludotheque.core.phrases import phrase
from ludotheque.core.scene import Renderer
from ludotheque.server.after.review_store import Progress
from ludotheque.server.after.studies import MatchCopy
from ludotheque.server.commands import ReviewRequest
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import ERRORS, Context, RequestContext, TableId, ViewerQuery
from ludotheque.server.tables.live import LiveTable
from ludotheque.show.judgements import RenderedDecision, render_decision
from ludotheque.show.language import Reader
from ludotheque.show.offline import RenderedReview, render_review
from ludotheque.show.played import RenderedGameLine, render_game_line
from ludotheque.show.scenes import RenderedGhost, render_ghost, renderer
from ludotheque.study.review import Decision
from ludotheque.study.review_summary import Breakdown, summarize_review
from ludotheque.table import Match


class MistakeView(Struct, frozen=True):
    """A decision that gave much away."""

    ply: int
    seat: int
    loss: float
    words: str


class ReviewedMove(Struct, frozen=True):
    """A move that was played, and the better one if the review found one, to be drawn on the board."""

    played: RenderedGhost
    better: RenderedGhost | None


class ReviewView(Struct, frozen=True):
    """As much of a review as there is."""

    progress: Progress
    decisions: tuple[RenderedDecision, ...]
    mistakes: tuple[MistakeView, ...]
    breakdowns: tuple[Breakdown, ...]
    margin: float
    """Margin of error of a single estimate."""


@post("/tables/{table_id:str}/review", status_code=200, responses=ERRORS)
async def start_review(table_id: TableId, data: JSONBody[ReviewRequest], context: Context) -> Progress:
    """Have a bot review a finished game, in the background."""
    context.limit("think")
    table, rights = await context.enter(table_id)
    rights.check_seated()
    reviewer, translate = context.services.reviewer, context.reader.translate
    address = context.client
    await reviewer.start(table, reviewer.budget(data.simulations, data.seconds, data.bot), data.bot, address)
    return await reviewer.progress(table, translate)


@get("/tables/{table_id:str}/review/progress", responses=ERRORS)
async def review_progress(table_id: TableId, context: Context) -> Progress:
    """Return the progress of the review."""
    return await context.services.reviewer.progress(await _finished(table_id, context), context.reader.translate)


@get("/tables/{table_id:str}/review", responses=ERRORS)
async def review(table_id: TableId, context: Context) -> ReviewView:
    """The review, as far as it has come."""
    table = await _finished(table_id, context)
    reviewer = context.services.reviewer
    progress = await reviewer.progress(table, context.reader.translate)
    decisions = await reviewer.reviews.decisions(table.id)
    return await context.study(table, view_review, progress, decisions, context.reader.language)


@get("/tables/{table_id:str}/review/{ply:int}", responses=ERRORS)
async def reviewed_move(
    table_id: TableId, ply: FromPath[int], context: Context, viewer: ViewerQuery = None
) -> ReviewedMove:
    """The move of a ply and the better one that the review found, to be drawn on the board before it."""
    table = await _finished(table_id, context)
    _, viewer = await context.enter_as(table_id, viewer)
    decision = await context.decision_at(table, ply)
    match = table.match
    render = renderer(match.game.name, context.reader, match.names)
    before = match.state_at(ply - 1)
    best = before.string_to_action(decision.as_seen.best)
    better = expected_ghost([before], best, viewer) if decision.as_seen.better else None
    return ReviewedMove(
        played=render_ghost(match.viewing.ghost(viewer, ply, ply - 1), render),
        better=render_ghost(better, render) if better else None,
    )


@get("/tables/{table_id:str}/review/{ply:int}/line", responses=ERRORS)
async def reviewed_line(
    table_id: TableId, ply: FromPath[int], context: Context, viewer: ViewerQuery = None
) -> RenderedGameLine:
    """Return how the game might have gone on with the better move at a ply, as a bot plays it for all seats."""
    table = await _finished(table_id, context)
    _, viewer = await context.enter_as(table_id, viewer)
    line = await context.better_line(table, ply)
    return await context.study(table, show_line, ply - 1, line, viewer, context.reader.language)


@get("/t/{table_id:str}/review", include_in_schema=False)
async def review_page(table_id: TableId, context: Context, viewer: ViewerQuery = None) -> Response[str]:
    """The game summary as a part of the table's page: charts and tables, and the review once it is complete.

    While the game runs, it holds only what the viewer may know.
    """
    context.limit("act")
    table, viewer = await context.enter_as(table_id, viewer)
    decisions = await context.finished_review(table)
    review = await context.study(table, render_study, decisions, viewer, context.reader.language)
    return page("review.html", context.reader, review=review, table=table_id, viewer=viewer, is_live=True, filmed=())


def render_study(copy: MatchCopy, decisions: list[Decision], viewer: int, language: str) -> RenderedReview:
    """Render the summary and the review of a match; runs in the worker."""
    return render_review(copy.match(), decisions, viewer, Reader(language))


def view_review(copy: MatchCopy, progress: Progress, decisions: list[Decision], language: str) -> ReviewView:
    """Summarise a review; runs in the worker."""
    match = copy.match()
    return review_view(match, progress, decisions, renderer(match.game.name, Reader(language), match.names))


def show_line(copy: MatchCopy, start: int, line: Sequence[int], viewer: int, language: str) -> RenderedGameLine:
    """Render the positions of a line; runs in the worker."""
    return render_game_line(copy.match(), start, line, viewer, Reader(language))


async def _finished(table_id: str, context: RequestContext) -> LiveTable:
    """Return a table whose game is over: before that a review would tell what is hidden, or help someone to play."""
    table, _ = await context.enter(table_id)
    if not table.match.is_over:
        raise StillHidden(phrase("A game is reviewed once it is over."))
    return table


def review_view(match: Match, progress: Progress, decisions: Sequence[Decision], render: Renderer) -> ReviewView:
    review_summary = summarize_review(match, decisions)
    return ReviewView(
        progress,
        tuple(render_decision(match.game, decision, render) for decision in decisions),
        tuple(
            MistakeView(mistake.ply, mistake.seat, mistake.loss, render(mistake.words))
            for mistake in review_summary.mistakes
        ),
        review_summary.breakdowns if progress.state == "done" else (),
        review_summary.margin,
    )
