"""`review`: a bot's review of a match, in the terminal and as a page that works offline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import UNSET
from rich.box import SIMPLE
from rich.table import Table

from ludotheque.bots.registry import check_bot
from ludotheque.bots.workers import WorkerPool
from ludotheque.cli.terminal import (
    Jobs,
    Language,
    RecordFile,
    console,
    fail,
    print_json,
    progress,
    read_viewer,
    write_file,
)
from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR
from ludotheque.study.match_summary import MatchSummary, summarize_match
from ludotheque.study.review import (
    Budget,
    Decision,
    PendingDecision,
    Runner,
    judge,
    judge_in_process,
    pending_decisions,
    review,
)
from ludotheque.study.review_file import ReviewFile, Terms, terms
from ludotheque.study.review_summary import Breakdown, ReviewSummary, margin_words, summarize_review
from ludotheque.table import Match, Record, read_record

SECONDS = 0.5
_CAPTION = (
    "The columns before End add up to it. Avoidable loss: judged by what the player could see. "
    "±: the margin of error; more time makes it smaller."
)


class ReviewedMatch(msgspec.Struct, frozen=True):
    """The object that `review --json` prints."""

    match_summary: MatchSummary
    review_summary: ReviewSummary
    decisions: tuple[Decision, ...]


def register(app: typer.Typer) -> None:
    app.command(name="review")(review_record)


def review_record(
    record: RecordFile,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds-per-move", min=0, max=600, show_default="0.5", help="Seconds to think about each decision."
        ),
    ] = 0,
    simulations: Annotated[
        int,
        typer.Option(
            "--simulations",
            min=0,
            show_default="use --seconds-per-move",
            help="Simulations per decision; with these, the review is the same every time.",
        ),
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the review as a page that works offline.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="FILE", show_default="beside RECORD", help="Where to save progress."),
    ] = None,
    viewer: Annotated[
        str,
        typer.Option(
            "--as", metavar="SEAT", show_default="that of the record", help="Whose view, while the game is not over."
        ),
    ] = "",
    language: Language = "en",
    seed: Annotated[int, typer.Option("--seed", help="The random seed of the bot.")] = 1,
    bot: Annotated[
        str,
        typer.Option(
            "--bot",
            metavar="BOT",
            show_default="the search",
            help="The bot that proposes better moves; search judges them.",
        ),
    ] = "",
    jobs: Jobs = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Review a match: where points came from, what each decision cost, what was better, and what was luck.

    An interrupted review can be resumed with the same command.

    Examples: `ludotheque review games/cable-car-1-1.json --seconds-per-move 0.5 --out review.html` ·
    `ludotheque review games/cable-car-1-1.json --simulations 2000 --jobs 2`
    """
    recorded = read_record(record)
    match = recorded.to_match()
    seat = _viewer(recorded, viewer)
    if bot:
        check_bot(bot, match.game)
    budget = Budget(simulations, seconds if seconds or simulations else SECONDS, seed, bot or UNSET)
    of = terms(match, budget, seat)
    decisions = _judged(match, budget, seat, ReviewFile(state or _progress_file(record, of), of), jobs)
    if out is not None:
        from ludotheque.show.offline import review_file

        write_file(out, review_file(match, decisions, seat, language), silent=as_json)
    played, judged = summarize_match(match, seat), summarize_review(match, decisions)
    if as_json:
        print_json(ReviewedMatch(played, judged, tuple(decisions)))
    else:
        _print(match, played, judged)


def _viewer(record: Record, viewer: str) -> int:
    """Return the viewer named on the command line, else the one that the record was made for."""
    if viewer:
        return read_viewer(viewer, record.players)
    return record.viewer if isinstance(record.viewer, int) else SPECTATOR


def _progress_file(record: Path, of: Terms) -> Path:
    """Return the path of the progress file: beside the record, a different one for different terms."""
    digest = sha256(msgspec.json.encode(of)).hexdigest()[:8]
    return record.with_name(f"{record.stem}.review-{digest}.jsonl")


def _judged(match: Match, budget: Budget, viewer: int, store: ReviewFile, jobs: int) -> list[Decision]:
    """Judge all decisions, with a progress bar."""
    pending = len(pending_decisions(match, budget, viewer))
    if not pending:
        raise BadReview(
            "There is no decision to review. While a game with hidden information runs, choose a seat with --as."
        )
    found: list[Decision] = []
    try:
        with progress("Thinking", pending) as advance:
            for decision in review(match, budget, viewer=viewer, store=store, run=_runner(jobs)):
                found.append(decision)
                advance()
    except KeyboardInterrupt:
        fail(f"Interrupted after {len(found)} of {pending} decisions; the same command resumes from there.")
    return found


def _runner(jobs: int) -> Runner:
    if jobs == 1:
        return judge_in_process

    def on_cores(pending: Sequence[PendingDecision]) -> Iterator[Decision]:
        with WorkerPool(jobs) as pool:
            yield from pool.map(judge, pending)

    return on_cores


def _print(match: Match, played: MatchSummary, judged: ReviewSummary) -> None:
    if played.sources:
        console.print(_sources(played))
    if judged.breakdowns:
        console.print(_breakdowns(match, judged.breakdowns))
    if judged.turning_points:
        console.print("Biggest mistakes, judged by what the player could see", style="bold")
    for number, mistake in enumerate(judged.turning_points, 1):
        console.print(f"{number}. {mistake.words.render(names=match.names)}", highlight=False, markup=False)
    console.print(str(margin_words(judged.margin)), style="dim")


def _sources(played: MatchSummary) -> Table:
    table = Table("Source", *played.names, box=SIMPLE, title=f"{played.unit} by source")
    for source in played.sources:
        table.add_row(str(source.name), *map(str, source.amounts))
    scores = played.moments[-1].scores
    table.add_row("Total", *map(str, scores), style="bold")
    return table


def _breakdowns(match: Match, breakdowns: Sequence[Breakdown]) -> Table:
    parts: dict[str, Callable[[Breakdown], float]] = {
        "Start": lambda seat: seat.start,
        "Luck": lambda seat: seat.luck,
        "Own\nmoves": lambda seat: seat.own_moves,
        "Others'\nmoves": lambda seat: seat.others_moves,
        "Unfore-\nseen": lambda seat: seat.unforeseen,
        "End": lambda seat: seat.end,
        "Avoidable\nloss": lambda seat: seat.avoidable_loss,
        "±": lambda seat: seat.margin,
    }
    if not match.game.has_chance:
        del parts["Luck"]
    table = Table("Player", *parts, box=SIMPLE, title="Games won of 100", caption=_CAPTION)
    for seat in breakdowns:
        table.add_row(match.names[seat.seat], *(str(round(100 * part(seat))) for part in parts.values()))
    return table
