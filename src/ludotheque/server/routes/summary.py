"""The summary of a match, as far as the viewer may know: points or money by source, and the standing at each ply."""

from __future__ import annotations

from litestar import get
from msgspec import Struct

from ludotheque.core.scene import Renderer
from ludotheque.server.after.studies import MatchCopy
from ludotheque.server.routes.context import ERRORS, Context, TableId, ViewerQuery
from ludotheque.show.language import Reader
from ludotheque.show.scenes import renderer
from ludotheque.study.match_summary import MatchSummary, Moment, summarize_match


class SourceView(Struct, frozen=True):
    """Amounts from one source, by seat."""

    name: str
    amounts: tuple[int, ...]


class MomentView(Struct, frozen=True):
    """A ply, and the standing after it."""

    ply: int
    who: int
    """A seat; -1 a draw; -2 at ply 0, where no one had acted."""
    words: tuple[str, ...]
    scores: tuple[int, ...]
    """Scores by seat; empty while the viewer may not know."""
    worth: tuple[int, ...]
    """Quick estimates of the final score by seat; empty like the scores."""
    expected_shares: tuple[float, ...]
    """Expected shares of the win by seat, by a rule of thumb."""
    expected_scores: tuple[float, ...]
    """Expected final scores by seat, by a few quick rollouts."""


class MatchSummaryView(Struct, frozen=True):
    """A match from its first ply to the present, for one viewer."""

    unit: str
    """The unit of scores."""
    has_worth: bool
    """Whether worth and score differ."""
    over: bool
    sources: tuple[SourceView, ...]
    moments: tuple[MomentView, ...]


@get("/tables/{table_id:str}/summary", responses=ERRORS)
async def match_summary(table_id: TableId, context: Context, viewer: ViewerQuery = None) -> MatchSummaryView:
    """Points or money by source, and the standing after each ply, as far as the caller may know."""
    context.limit("act")
    table, viewer = await context.enter_as(table_id, viewer)
    return await context.study(table, summarize, viewer, context.reader.language)


def summarize(copy: MatchCopy, viewer: int, language: str) -> MatchSummaryView:
    """Summarise a match; runs in the worker."""
    match = copy.match()
    return _summary_view(summarize_match(match, viewer), renderer(match.game.name, Reader(language), match.names))


def _summary_view(found: MatchSummary, render: Renderer) -> MatchSummaryView:
    return MatchSummaryView(
        render(found.unit),
        found.has_worth,
        found.is_over,
        tuple(SourceView(render(source.name), source.amounts) for source in found.sources),
        tuple(_moment_view(moment, render) for moment in found.moments),
    )


def _moment_view(moment: Moment, render: Renderer) -> MomentView:
    words = tuple(render(phrase) for phrase in moment.words)
    return MomentView(
        moment.ply, moment.who, words, moment.scores, moment.worth, moment.expected_shares, moment.expected_scores
    )
