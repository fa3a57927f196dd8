"""The story of a table, as far as the viewer may know: points or money by source, and how everybody stood when."""

from __future__ import annotations

import asyncio

from litestar import get
from msgspec import Struct

from ludotheque.server.routes.context import RequestContext, viewer_for
from ludotheque.server.routes.handlers import ERRORS, As, Context, TableId
from ludotheque.server.tables.live import LiveTable
from ludotheque.show.scenes import renderer
from ludotheque.study.match_summary import MatchSummary, summarize_match
from ludotheque.table import Match


class SourceView(Struct, frozen=True):
    """All that came from one source, by seat."""

    name: str
    amounts: tuple[int, ...]


class MomentView(Struct, frozen=True):
    """A ply, and how things stood after it."""

    ply: int
    who: int
    """A seat; -1 a draw; -2 at ply 0, where nobody had acted."""
    words: tuple[str, ...]
    scores: tuple[int, ...]
    """By seat; empty while the viewer may not know."""
    worth: tuple[int, ...]
    """By seat: what it would end with if all went on as it is; empty like the scores."""
    expected_shares: tuple[float, ...]
    """By seat: the share of the win to expect, by a rule of thumb."""
    expected_scores: tuple[float, ...]
    """By seat: the final score to expect, by a few quick games."""


class SummaryView(Struct, frozen=True):
    """A game from its first ply to the present, for one viewer."""

    unit: str
    """What scores are counted in."""
    has_worth: bool
    """Whether worth and score are told apart."""
    over: bool
    sources: tuple[SourceView, ...]
    moments: tuple[MomentView, ...]


@get("/tables/{table_id:str}/summary", responses=ERRORS)
async def table_summary(table_id: TableId, context: Context, as_: As = None) -> SummaryView:
    """Points or money by source, and how everybody stood after each ply, as far as the caller may know."""
    context.limit("act")
    table, told = await _tell(table_id, context, as_)
    render = renderer(context.reader, table.match.names)
    return SummaryView(
        render(told.unit),
        told.has_worth,
        told.is_over,
        tuple(SourceView(render(source.name), source.amounts) for source in told.sources),
        tuple(
            MomentView(
                moment.ply,
                moment.who,
                tuple(render(phrase) for phrase in moment.words),
                moment.scores,
                moment.worth,
                moment.expected_shares,
                moment.expected_scores,
            )
            for moment in told.moments
        ),
    )


async def _tell(table_id: str, context: RequestContext, as_: int | None) -> tuple[LiveTable, MatchSummary]:
    table, rights = await context.enter(table_id)
    viewer = viewer_for(table, rights, as_)
    return table, await asyncio.to_thread(summarize_match, copied(table), viewer)


def copied(table: LiveTable) -> Match:
    """The match of a table as it is now, for a thread to look at: the table may change, or be looked at, meanwhile."""
    match = table.match
    return Match(match.game, match.names, match.dice, [action for _, action in match.actions()])
