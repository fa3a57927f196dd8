"""A match as one HTML file that needs nothing else: the replay on the board of the table, and the review.

Everything is inside: styles, scripts and art as `data:` addresses, the scenes as changes from ply to ply. The file
forbids itself any request, so that it works offline and tells no one that it was opened.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from ludotheque.core.colours import seat_letter
from ludotheque.core.game import SPECTATOR
from ludotheque.core.ghosts import expected_ghost
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.scene import Renderer, Scene
from ludotheque.show import charts
from ludotheque.show.art import art_of, board_alone
from ludotheque.show.judgements import RenderedDecision, render_decision
from ludotheque.show.language import Reader, game_translator
from ludotheque.show.played import RenderedGameLine, render_game_line
from ludotheque.show.scenes import RenderedGhost, SceneChange, render_ghost, renderer, scene_change
from ludotheque.show.static import STATIC, bundle, script_words
from ludotheque.study.better_line import better_line
from ludotheque.study.match_summary import Highlight, MatchSummary, highlights, summarize_match
from ludotheque.study.review import Decision
from ludotheque.study.review_summary import Breakdown, Mistake, ReviewSummary, margin_words, summarize_review
from ludotheque.table import Match, Record, write_text
from ludotheque.web import WEB

STYLES: Final = (
    "tokens.css", "base.css", "layout.css", "turn.css", "scores.css", "panels.css", "time.css", "chart.css", "after.css"
)  # fmt: skip


# The scenes of a match.


class Frame(Struct, frozen=True):
    """A ply of the replay."""

    lines: tuple[str, ...]
    scene: SceneChange


class FilmedLine(Struct, frozen=True):
    """A turning point: the move that was played and the better one on the board before them, and its line."""

    ply: int
    played: RenderedGhost
    better: RenderedGhost
    line: RenderedGameLine


class Film(Struct, frozen=True):
    """A whole match to be shown again."""

    frames: tuple[Frame, ...]
    lines: tuple[FilmedLine, ...] = ()
    """Lines from the turning points that a review found."""


def film(match: Match, viewer: int, reader: Reader, decisions: Sequence[Decision] = ()) -> Film:
    """The scenes of a match from its first ply to its last, as a viewer sees them; of a reviewed one the better lines
    of its turning points too, once the game is over and nothing is hidden."""
    reviewed = decisions if match.is_over else ()
    plies = {mistake.ply for mistake in summarize_review(match, reviewed).turning_points} if reviewed else set()
    turning = [decision for decision in decisions if decision.ply in plies]
    return Film(
        tuple(_frames(match, viewer, reader)), tuple(_line(match, decision, viewer, reader) for decision in turning)
    )


def _line(match: Match, decision: Decision, viewer: int, reader: Reader) -> FilmedLine:
    render = renderer(match.game.name, reader, match.names)
    ply, before = decision.ply, match.state_at(decision.ply - 1)
    better = expected_ghost([before], before.string_to_action(decision.as_seen.best), viewer)
    line = render_game_line(match, ply - 1, better_line(match, decision), viewer, reader)
    played = match.viewing.ghost(viewer, ply, ply - 1)
    return FilmedLine(ply, render_ghost(played, render), render_ghost(better, render), line)


def _frames(match: Match, viewer: int, reader: Reader) -> Iterator[Frame]:
    render = renderer(match.game.name, reader, match.names)
    lines: dict[int, list[str]] = {}
    for line in match.view(viewer).log:
        lines.setdefault(line.ply, []).append(render(line.phrase))
    before: Scene | None = None
    for ply in range(match.ply + 1):
        scene = match.viewing.scene(viewer, ply)
        yield Frame(tuple(lines.get(ply, ())), scene_change(before, scene, render))
        before = scene


# The file.


def replay_file(match: Match, viewer: int = SPECTATOR, language: str = "en", at: int | None = None) -> str:
    """A match to be played again, as a file; it opens at the last ply, or at another one."""
    return _file(match, viewer, Reader(language), None, at)


def review_file(match: Match, decisions: Sequence[Decision], viewer: int = SPECTATOR, language: str = "en") -> str:
    """A match to be played again, its result by source, its charts, what a bot thinks of it, and the better lines of
    its turning points, as a file."""
    return _file(match, viewer, Reader(language), decisions, None)


def _file(match: Match, viewer: int, reader: Reader, decisions: Sequence[Decision] | None, at: int | None) -> str:
    art = art_of(match.game, reader.language)
    scenes = film(match, viewer, reader, decisions or ())
    view = match.view(viewer, at)
    return _templates().get_template("offline.html").render(
        _=reader.translate,
        language=reader.language,
        script_words=_json(script_words(reader.translate)),
        title=game_translator(match.game.name, reader.language)(match.game.shown_title()),
        names=match.names,
        standings=_standings(match, reader),
        viewer=None if viewer == SPECTATOR else match.names[viewer],
        seed=view.seed,
        icon=_data("image/svg+xml", (STATIC / "icon.svg").read_text(encoding="utf-8")),
        styles=[_style(name) for name in STYLES],
        board_style=_style("board.css"),
        backdrop=_data("image/svg+xml", art.svg),
        backdrop_styles=_data("text/css", art.css),
        script=Markup(bundle("replay.js")),
        match=_json(scenes),
        filmed={line.ply for line in scenes.lines},
        record=_data("text/plain", write_text(Record.seen_by(match, viewer))),
        review=None if decisions is None else render_review(match, decisions, viewer, reader),
        at=view.ply,
    )  # fmt: skip


def _templates() -> Environment:
    folder = FileSystemLoader(WEB / "templates")
    return Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _style(name: str) -> str:
    return _data("text/css", (STATIC / "styles" / name).read_text(encoding="utf-8"))


def _data(kind: str, text: str) -> str:
    """A `data:` address."""
    return f"data:{kind};charset=utf-8;base64,{b64encode(text.encode()).decode()}"


def _json(value: object) -> Markup:
    """A document for a script element, which must not hold a tag that could end it."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))


def _standings(match: Match, reader: Reader) -> list[dict[str, Any]]:
    """Return the results, the winners first; empty before the end."""
    view = match.view()
    render = renderer(match.game.name, reader, match.names)
    scores = [render(match.game.score_text(score)) for score in view.scores]
    seats = sorted(range(len(view.scores)), key=lambda seat: (-view.returns[seat], -view.scores[seat]))
    return [{"name": view.names[seat], "score": scores[seat], "won": view.returns[seat]} for seat in seats]


# The review, in the reader's words.


class RenderedBreakdown(Struct, frozen=True):
    """Luck and skill of a seat, in games won of 100."""

    name: str
    seat: int
    start: int
    luck: int
    own_moves: int
    others_moves: int
    unforeseen: int
    end: int
    avoidable_loss: int
    margin: int


class RenderedMistake(Struct, frozen=True):
    """One of the biggest mistakes of a match."""

    ply: int
    words: str


NEAR: Final = 2.5
"""Sides of a card around the last one in the picture of a moment."""


class RenderedHighlight(Struct, frozen=True):
    """A ply at which a player gained much, in points or in chances."""

    ply: int
    name: str
    colour: str
    letter: str
    gain: str
    words: str
    view_box: str
    """The part of the board that its picture shows, as SVG writes it; empty for all of it."""


class RenderedPart(Struct, frozen=True):
    """Points or money from one source."""

    source: str
    amount: str
    start: float
    """The beginning of its bar, in percent of the highest score."""
    percent: float
    """The length of its bar; 0 of what was lost."""


class RenderedStanding(Struct, frozen=True):
    """The parts of a player's score."""

    name: str
    colour: str
    letter: str
    score: str
    is_own: bool
    parts: tuple[RenderedPart, ...]
    """The largest first."""


class RenderedReview(Struct, frozen=True, kw_only=True):
    """All that a page shows after a game, in the reader's words; charts and tables are markup."""

    names: tuple[str, ...]
    result: tuple[str, ...]
    """The sources of each seat's score."""
    sources_chart: Markup
    sources_table: Markup
    worth_chart: Markup
    worth_legend: str
    prospects_chart: Markup
    prospects_legend: str
    moments_table: Markup
    mistakes: tuple[RenderedMistake, ...]
    """The turning points of the match."""
    own_mistakes: tuple[RenderedMistake, ...]
    """The mistakes of the viewer, in the order of the match; the turning points for those who had no seat."""
    breakdowns: tuple[RenderedBreakdown, ...]
    has_luck: bool
    has_hindsight: bool
    unit: str
    """The unit of the scores."""
    margin_note: str
    """The margin of error of an estimate, in words."""
    margin: int
    """The same in games won of 100."""
    decisions: tuple[RenderedDecision, ...]
    highlights: tuple[RenderedHighlight, ...]
    """The moments that decided most, once the match is over."""
    standings: tuple[RenderedStanding, ...]
    """The result by source, the first seat first; empty before the end."""


def render_review(match: Match, decisions: Sequence[Decision], viewer: int, reader: Reader) -> RenderedReview:
    render = renderer(match.game.name, reader, match.names)
    whole: MatchSummary = summarize_match(match, viewer)
    summed = summarize_review(match, decisions)
    return RenderedReview(
        names=tuple(match.names),
        result=tuple(charts.result_lines(whole, match.game.score_text, render)),
        sources_chart=Markup(charts.sources_chart(whole, match.game.score_text, render)),
        sources_table=Markup(charts.sources_table(whole, match.game.score_text, render) if whole.sources else ""),
        worth_chart=Markup(charts.worth_chart(whole, render, decisions)),
        worth_legend=render(charts.worth_legend(whole, decisions)),
        prospects_chart=Markup(charts.prospects_chart(whole, render, decisions)),
        prospects_legend=render(charts.prospects_legend()),
        moments_table=Markup(charts.moments_table(whole, render, decisions)),
        mistakes=_rendered_mistakes(summed.turning_points, render),
        own_mistakes=_rendered_mistakes(_own_mistakes(summed, viewer), render),
        breakdowns=tuple(render_breakdown(breakdown, match.names) for breakdown in summed.breakdowns),
        has_luck=match.game.has_chance,
        has_hindsight=any(decision.with_hindsight for decision in decisions),
        unit=render(whole.unit),
        margin_note=render(margin_words(summed.margin)),
        margin=round(100 * summed.margin),
        decisions=tuple(render_decision(match.game, decision, render) for decision in decisions),
        highlights=tuple(_highlight(match, whole, found, render) for found in highlights(whole) if match.is_over),
        standings=_accounts(whole, match.game.score_text, render) if whole.is_over and whole.sources else (),
    )


def _accounts(whole: MatchSummary, score_text: charts.ScoreText, render: Renderer) -> tuple[RenderedStanding, ...]:
    seats, scores = range(len(whole.names)), whole.moments[-1].scores
    best = max([1, *(sum(max(0, amount) for amount, _ in _amounts(whole, seat)) for seat in seats)])
    order = sorted(seats, key=lambda seat: (-whole.returns[seat], -scores[seat]))
    return tuple(_account(whole, seat, best, score_text, render) for seat in order)


def _amounts(whole: MatchSummary, seat: int) -> list[tuple[int, Phrase]]:
    """A seat's gains by source, the largest amount first."""
    amounts = [(source.amounts[seat], source.name) for source in whole.sources if source.amounts[seat]]
    return sorted(amounts, key=lambda each: -each[0])


def _account(
    whole: MatchSummary, seat: int, best: int, score_text: charts.ScoreText, render: Renderer
) -> RenderedStanding:
    colour, score, amounts = whole.colours[seat], whole.moments[-1].scores[seat], _amounts(whole, seat)
    lengths = [100 * max(0, amount) / best for amount, _ in amounts]
    starts = accumulate(lengths, initial=0.0)
    parts = tuple(
        RenderedPart(render(source), render(score_text(amount)), round(start, 1), round(length, 1))
        for (amount, source), start, length in zip(amounts, starts, lengths, strict=False)
    )
    letter = render(seat_letter(colour, seat))
    return RenderedStanding(whole.names[seat], colour, letter, render(score_text(score)), seat == whole.viewer, parts)


def _own_mistakes(summed: ReviewSummary, viewer: int) -> list[Mistake]:
    own = [mistake for mistake in summed.mistakes if mistake.seat == viewer]
    return sorted(own if viewer >= 0 else summed.turning_points, key=lambda mistake: mistake.ply)


def _rendered_mistakes(mistakes: Sequence[Mistake], render: Renderer) -> tuple[RenderedMistake, ...]:
    return tuple(RenderedMistake(mistake.ply, render(mistake.words)) for mistake in mistakes)


def _highlight(match: Match, summary: MatchSummary, found: Highlight, render: Renderer) -> RenderedHighlight:
    words = " ".join(render(line) for line in summary.moments[found.ply].words)
    colour = summary.colours[found.seat]
    points, chances = match.game.score_text(found.gain), phrase("+{wins} wins in 100", wins=round(100 * found.rise))
    gain = f"+{render(points)}" if found.gain else render(chances)
    letter = render(seat_letter(colour, found.seat))
    return RenderedHighlight(
        found.ply, match.names[found.seat], colour, letter, gain, words, _close_up(match, summary, found.ply)
    )


def _close_up(match: Match, summary: MatchSummary, ply: int) -> str:
    """The part around the piece laid last of a board that grows; the end counts all of it."""
    scene = board_alone(match.viewing.scene(summary.viewer, ply))
    last = next((piece.id for piece in scene.pieces if "last" in piece.classes.split()), "")
    if not scene.legible or not last or ply == match.ply:
        return ""
    left, top, width = scene.part(last, NEAR * scene.legible)
    return f"{left:g},{top:g},{width:g},{width:g}"


def render_breakdown(breakdown: Breakdown, names: Sequence[str]) -> RenderedBreakdown:
    """A breakdown in games won of 100."""
    parts = (
        breakdown.start,
        breakdown.luck,
        breakdown.own_moves,
        breakdown.others_moves,
        breakdown.unforeseen,
        breakdown.end,
    )
    avoidable_loss, margin = breakdown.avoidable_loss, breakdown.margin
    wins = [round(100 * part) for part in (*parts, avoidable_loss, margin)]
    return RenderedBreakdown(names[breakdown.seat], breakdown.seat, *wins)
