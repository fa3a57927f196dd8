"""Charts of a match as SVG, and tables of the same numbers as HTML, for pages, files and readers of screens.

We draw them ourselves: they are lines and bars, and what matters here (a link and words for every ply, dashes and
names at the ends of lines so that colour is never the only mark, light and dark by the page's own colours) is what
plotting libraries leave out. Styles are in `web/static/styles/chart.css`: lines take the colour `--seat` of their seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

from msgspec import Struct

from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import NOTHING, Phrase, phrase
from ludotheque.core.scene import Renderer
from ludotheque.study.match_summary import NOBODY, MatchSummary, Moment
from ludotheque.study.review import Decision

ScoreText = Callable[[int], Phrase]
"""`Game.score_text`: how a score or a part of one reads."""

WIDTH: Final = 400
"""So narrow that a chart fits beside a board and on a phone, with letters that can be read there."""
HEIGHT: Final = 270
LEFT: Final = 40
RIGHT: Final = 112
TOP: Final = 12
BOTTOM: Final = 26
LABEL: Final = 17
"""Names at the ends of lines stand at least so far apart."""
NAME_LENGTH: Final = 11
BAR: Final = 20
BAR_LEFT: Final = 104
BAR_RIGHT: Final = 48
"""Room for the number at the end of a bar."""


class ChartLine(Struct, frozen=True):
    """The values of one seat, ply by ply."""

    seat: int
    name: str
    points: tuple[tuple[int, float], ...]
    """Plies and values, ascending."""
    colour: str = ""
    """The seat's colour, a name of the palette."""
    is_thin: bool = False
    """Whether it is drawn thin and without a name, beside the main line of its seat."""


# The charts of a match.


def worth_chart(summary: MatchSummary, render: Renderer, decisions: Sequence[Decision] = ()) -> str:
    """Everyone's score after each ply (in games that tell worth and score apart, their worth), and by a review as thin
    lines the final score to expect; empty if the viewer may know neither."""
    seats = list(enumerate(summary.names))
    hoped = [
        ChartLine(
            seat,
            name,
            tuple(_hoped(summary, decisions, seat)),
            is_thin=_is_known(summary),
            colour=summary.colours[seat],
        )
        for seat, name in seats
        if decisions
    ]
    had = [
        ChartLine(
            seat, name, tuple((moment.ply, moment.worth[seat]) for moment in summary.moments if moment.worth),
            colour=summary.colours[seat],
        )
        for seat, name in seats
        if _is_known(summary)
    ]  # fmt: skip
    lines = [*hoped, *had]
    title = render(_worth_title(summary, bool(decisions)))
    return line_chart(title, lines, hovers(summary, render, decisions)) if lines else ""


def _is_known(summary: MatchSummary) -> bool:
    """Whether the viewer may know any score."""
    return any(moment.worth for moment in summary.moments)


def _worth_title(summary: MatchSummary, is_reviewed: bool) -> Phrase:
    if not _is_known(summary):
        return phrase("{unit} expected at the end, after each move", unit=summary.unit)
    if summary.has_worth:
        if is_reviewed:
            return phrase("Worth after each move, and {unit} expected at the end", unit=summary.unit)
        return phrase("Worth after each move")
    if is_reviewed:
        return phrase("{unit} after each move, and expected at the end", unit=summary.unit)
    return phrase("{unit} after each move", unit=summary.unit)


def worth_legend(summary: MatchSummary, decisions: Sequence[Decision] = ()) -> Phrase:
    """Explain the lines of that chart."""
    if not _is_known(summary):
        return phrase("What each player could expect to have at the end.") if decisions else NOTHING
    if summary.has_worth:
        had = phrase("Thick: a quick estimate of what each player would have at the end.")
    else:
        had = phrase("Thick: each player's score, as if the game had ended there.")
    if not decisions:
        return had
    return phrase("{had} Thin: what they could expect at the end, by the review.", had=had)


def _hoped(summary: MatchSummary, decisions: Sequence[Decision], seat: int) -> Iterator[tuple[int, float]]:
    """The final score to expect, by the review."""
    for decision in decisions:
        yield decision.ply - 1, decision.best_informed.scores_before[seat]
        yield decision.ply, decision.best_informed.scores_after[seat]
    if summary.is_played_out:
        yield summary.moments[-1].ply, summary.moments[-1].scores[seat]


def prospects_chart(summary: MatchSummary, render: Renderer, decisions: Sequence[Decision] = ()) -> str:
    """Everyone's share of the win to expect, by the review; empty where there is none."""
    if not decisions:
        return ""
    title = phrase("Games of 100 that each player would win from there, by the review")
    lines = [
        ChartLine(seat, name, tuple(_judged(summary, decisions, seat)), colour=summary.colours[seat])
        for seat, name in enumerate(summary.names)
    ]
    return line_chart(render(title), lines, hovers(summary, render, decisions), low=0, high=100)


def prospects_legend() -> Phrase:
    """Explain the lines of that chart."""
    return phrase(
        "The review's estimate of how many of 100 games each player would win from there. A fifth of each estimate is "
        "how far ahead they are. The last point is the result."
    )


def _look(seat: int, colour: str) -> str:
    """The classes of a seat: its dashes, and the colour that it has everywhere."""
    return f"seat-{seat} tint-{colour}"


def _judged(summary: MatchSummary, decisions: Sequence[Decision], seat: int) -> Iterator[tuple[int, float]]:
    """Before a decision and after it; what is between two decisions is luck. The last one is the result."""
    for decision in decisions:
        yield decision.ply - 1, 100 * decision.best_informed.before[seat]
        yield decision.ply, 100 * decision.best_informed.after[seat]
    if summary.is_played_out:
        yield summary.moments[-1].ply, 100 * summary.returns[seat]


class Prospect(Struct, frozen=True):
    """The prospects of all seats at a ply."""

    shares: tuple[float, ...]
    scores: tuple[float, ...]


def prospects(summary: MatchSummary, decisions: Sequence[Decision]) -> list[Prospect]:
    """Return what the charts show at each ply. A review's verdict on a decision holds until its next one."""
    said: dict[int, Prospect] = {}
    for decision in decisions:
        said.setdefault(decision.ply - 1, Prospect(decision.best_informed.before, decision.best_informed.scores_before))
        said[decision.ply] = Prospect(decision.best_informed.after, decision.best_informed.scores_after)
    if summary.is_played_out:
        last = summary.moments[-1]
        said[last.ply] = Prospect(summary.returns, last.expected_scores)
    found: list[Prospect] = []
    latest = said[min(said)]
    for moment in summary.moments:
        latest = said.get(moment.ply, latest)
        found.append(latest)
    return found


def sources_chart(summary: MatchSummary, score_text: ScoreText, render: Renderer) -> str:
    """A bar for each seat and source of its score."""
    groups = [(render(source.name), source.amounts) for source in summary.sources]
    title = render(phrase("{unit} by source", unit=summary.unit))
    if not groups:
        return ""
    return bar_chart(title, groups, summary.names, summary.colours, lambda amount: render(score_text(amount)))


def hovers(summary: MatchSummary, render: Renderer, decisions: Sequence[Decision] = ()) -> list[str]:
    """Return a description of each ply."""
    expected = _prospects_if_reviewed(summary, decisions)
    return [
        hover(summary, moment, prospect, render) for moment, prospect in zip(summary.moments, expected, strict=True)
    ]


def _prospects_if_reviewed(summary: MatchSummary, decisions: Sequence[Decision]) -> Sequence[Prospect | None]:
    """Return the review's prospects by ply; None for each without a review, for nothing else is known."""
    return prospects(summary, decisions) if decisions else [None] * len(summary.moments)


def hover(summary: MatchSummary, moment: Moment, prospect: Prospect | None, render: Renderer) -> str:
    """`Move 12: Ann lays aacb on D4. Ann 12, about 31 at the end (62 of 100 games won)`."""
    words = " ".join(render(phrase) for phrase in moment.words)
    head = render(phrase("Move {ply}", ply=moment.ply))
    stand = "; ".join(render(_stand(summary, moment, prospect, seat)) for seat in range(len(summary.names)))
    return f"{head}: {words} {stand}" if words else f"{head}: {stand}"


def _stand(summary: MatchSummary, moment: Moment, prospect: Prospect | None, seat: int) -> Phrase:
    if prospect is None:
        return phrase("{name} {now}", name=summary.names[seat], now=moment.worth[seat] if moment.worth else "?")
    name, end, percent = summary.names[seat], round(prospect.scores[seat]), round(100 * prospect.shares[seat])
    if not moment.worth:
        return phrase(
            "{name}, about {end} at the end ({percent} of 100 games won)", name=name, end=end, percent=percent
        )
    return phrase("{name} {now}, about {end} at the end ({percent} of 100 games won)",
               name=name, now=moment.worth[seat], end=end, percent=percent)  # fmt: skip


# Lines.


def line_chart(
    title: str, lines: Sequence[ChartLine], hovers: Sequence[str], low: float | None = None, high: float | None = None
) -> str:
    """A line for each seat over the plies; each ply has its words, and a link to `#ply-<number>`."""
    values = [value for line in lines for _, value in line.points]
    frame = _Frame(
        max(1, len(hovers) - 1),
        min(0, *values) if low is None else low,
        max(1, *values) if high is None else high,
    )
    named = [line for line in lines if not line.is_thin]
    parts = [*_grid(frame), *(_path(line, frame) for line in lines), *_names(named, frame), *_bands(hovers, frame)]
    return _picture(title, HEIGHT, parts)


class _Frame:
    """The places of plies and values on the picture."""

    def __init__(self, plies: int, low: float, high: float) -> None:
        self.plies: Final = plies
        self.step: Final = _round_step((high - low) / 5)
        self.low: Final = floor(low / self.step) * self.step
        self.high: Final = ceil(high / self.step) * self.step

    def x(self, ply: float) -> float:
        return LEFT + ply / self.plies * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, ... that is no smaller."""
    power = 10.0 ** floor(log10(max(least, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _grid(frame: _Frame) -> Iterator[str]:
    steps = round((frame.high - frame.low) / frame.step)
    for number in range(steps + 1):
        value = frame.low + number * frame.step
        y = frame.y(value)
        kind = "axis" if value == 0 else "grid"
        yield f'<line class="{kind}" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    step = max(1, round(_round_step(frame.plies / 6)))
    for ply in range(0, frame.plies + 1, step):
        x, y = frame.x(ply), HEIGHT - BOTTOM + 16
        yield f'<text class="tick" x="{x:.1f}" y="{y}" text-anchor="middle">{ply}</text>'


def _path(line: ChartLine, frame: _Frame) -> str:
    places = " ".join(f"{frame.x(ply):.1f},{frame.y(value):.1f}" for ply, value in line.points)
    return f'<polyline class="{"thin" if line.is_thin else "line"} {_look(line.seat, line.colour)}" points="{places}"/>'


def _names(lines: Sequence[ChartLine], frame: _Frame) -> Iterator[str]:
    """The names of the seats where their lines end, moved apart where they would touch."""
    wanted = sorted((frame.y(line.points[-1][1]), line.seat, line.name, line.colour) for line in lines if line.points)
    lowest = 0.0
    placed: list[float] = []
    for y, *_ in wanted:
        lowest = max(y, lowest)
        placed.append(lowest)
        lowest += LABEL
    # Labels pushed out below move up again, with those above them.
    limit = HEIGHT - 8.0
    for index in reversed(range(len(placed))):
        placed[index] = limit = min(placed[index], limit)
        limit -= LABEL
    for (_, seat, name, colour), y in zip(wanted, placed, strict=True):
        x = WIDTH - RIGHT + 6
        yield f'<line class="line {_look(seat, colour)}" x1="{x}" y1="{y:.1f}" x2="{x + 22}" y2="{y:.1f}"/>'
        yield f'<text class="name" x="{x + 26}" y="{y + 4:.1f}">{escape(_short(name))}</text>'


def _short(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…"


def _bands(hovers: Sequence[str], frame: _Frame) -> Iterator[str]:
    """For each ply a strip to hover over and to click; the table of the same numbers is for keys and speech."""
    width = (WIDTH - LEFT - RIGHT) / frame.plies
    yield '<g class="bands">'
    for ply, words in enumerate(hovers):
        x = frame.x(ply) - width / 2
        yield (
            f'<a href="#ply-{ply}" data-ply="{ply}" tabindex="-1"><title>{escape(words)}</title>'
            f'<rect x="{x:.2f}" y="{TOP}" width="{width:.2f}" height="{HEIGHT - TOP - BOTTOM}"/></a>'
        )
    yield "</g>"


# Bars.


def bar_chart(
    title: str,
    groups: Sequence[tuple[str, Sequence[int]]],
    names: Sequence[str],
    colours: Sequence[str],
    text: Callable[[int], str] = str,
) -> str:
    """Below the name of each group a bar for each seat, with its name and number, written by `text`; what is negative
    goes to the left."""
    amounts = [amount for _, of_seats in groups for amount in of_seats]
    low, high = min(0, *amounts), max(0, *amounts)
    room = WIDTH - BAR_LEFT - BAR_RIGHT
    parts: list[str] = []
    y: float = TOP
    for name, of_seats in groups:
        parts.append(f'<text class="group" x="0" y="{y + 13}">{escape(name)}</text>')
        y += BAR
        for seat, amount in enumerate(of_seats):
            if not amount:
                continue  # the table has it
            scale = BAR_LEFT - low / (high - low) * room, room / (high - low)
            parts += _bar(_look(seat, colours[seat]), names[seat], amount, text(amount), y, scale)
            y += BAR
        y += BAR // 2
    return _picture(title, y, parts)


def _bar(look: str, name: str, amount: int, text: str, y: float, scale: tuple[float, float]) -> Iterator[str]:
    zero, unit = scale
    start, width = zero + min(0, amount) * unit, abs(amount) * unit
    yield f'<text class="tick" x="{BAR_LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(_short(name))}</text>'
    yield f'<rect class="bar {look}" x="{start:.1f}" y="{y + 2}" width="{width:.1f}" height="{BAR - 4}"/>'
    yield f'<text class="amount" x="{max(start + width, zero) + 6:.1f}" y="{y + 13}">{escape(text)}</text>'


def _picture(title: str, height: float, parts: Sequence[str]) -> str:
    """Return a figure with a name; its content is for the eye, and the tables have it for all readers."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {height:g}" role="figure"'
    return "\n".join([f'{head} aria-label="{escape(title)}"><g aria-hidden="true">', *parts, "</g></svg>\n"])


# Words and tables of the same numbers.


def result_lines(summary: MatchSummary, score_text: ScoreText, render: Renderer) -> list[str]:
    """Return each seat's score and its sources, the largest first; empty where scores are hidden."""
    scores = summary.moments[-1].scores
    seats = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    return [render(_made_of(summary, seat, score_text, render)) for seat in seats]


def _made_of(summary: MatchSummary, seat: int, score_text: ScoreText, render: Renderer) -> Phrase:
    name, score = summary.names[seat], score_text(summary.moments[-1].scores[seat])
    parts = sorted(((source.amounts[seat], render(source.name)) for source in summary.sources), reverse=True)
    listed = ", ".join(f"{source} {render(score_text(amount))}" for amount, source in parts if amount)
    if not listed:
        return phrase("{name}: {score}.", name=name, score=score)
    return phrase("{name}: {score}. {parts}.", name=name, score=score, parts=listed)


def sources_table(summary: MatchSummary, score_text: ScoreText, render: Renderer) -> str:
    """Points or money by source and seat, with the sums."""
    rows = [[render(source.name), *map(render, map(score_text, source.amounts))] for source in summary.sources]
    seats = range(len(summary.names))
    sums = [render(score_text(sum(source.amounts[seat] for source in summary.sources))) for seat in seats]
    head = [render(phrase("Source")), *summary.names]
    return html_table(
        render(phrase("{unit} by source", unit=summary.unit)), head, rows, [render(phrase("Total")), *sums]
    )


def moments_table(summary: MatchSummary, render: Renderer, decisions: Sequence[Decision] = ()) -> str:
    """Ply by ply what happened, the scores, and by a review the final score and the share of the win to expect; each
    row can be linked to."""
    has_scores = any(moment.scores for moment in summary.moments)
    head = [render(phrase("Move")), render(phrase("What happened"))]
    head += [f"{name}: {render(summary.unit)}" for name in summary.names if has_scores]
    if decisions:
        head += [render(phrase("{name}: at the end, about", name=name)) for name in summary.names]
        head += [render(phrase("{name}: wins in 100 games", name=name)) for name in summary.names]
    rows: list[list[str | int]] = []
    for moment, prospect in zip(summary.moments, _prospects_if_reviewed(summary, decisions), strict=True):
        row: list[str | int] = [
            moment.ply,
            " ".join(render(phrase) for phrase in moment.words) or render(_quiet(moment)),
        ]
        row += (moment.scores or ("?",) * len(summary.names)) if has_scores else ()
        if prospect:
            row += [round(score) for score in prospect.scores]
            row += [round(100 * share) for share in prospect.shares]
        rows.append(row)
    ids = [f"ply-{moment.ply}" for moment in summary.moments]
    return html_table(render(phrase("The match move by move")), head, rows, ids=ids)


def _quiet(moment: Moment) -> Phrase:
    """Describe a ply that has no line in the log."""
    if moment.who == NOBODY:
        return phrase("Before the first move")
    return phrase("Random draw") if moment.who == CHANCE else phrase("Part of a move")


def html_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str | int]],
    foot: Sequence[str | int] = (),
    ids: Sequence[str] = (),
) -> str:
    """A table whose first column heads its rows."""
    lines = [f"<table><caption>{escape(caption)}</caption>"]
    lines.append("<thead><tr>" + "".join(f'<th scope="col">{escape(word)}</th>' for word in head) + "</tr></thead>")
    lines.append("<tbody>")
    for number, row in enumerate(rows):
        lines.append(_row(row, f' id="{ids[number]}"' if ids else ""))
    lines.append("</tbody>")
    if foot:
        lines.append(f"<tfoot>{_row(foot)}</tfoot>")
    return "\n".join([*lines, "</table>\n"])


def _row(cells: Sequence[str | int], id: str = "") -> str:
    first, *others = (escape(str(cell)) for cell in cells)
    return f'<tr{id}><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"
