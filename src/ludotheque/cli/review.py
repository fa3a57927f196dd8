"""`review`: what a bot thinks of a match, in the terminal and as a page that works offline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.box import SIMPLE
from rich.table import Table

from ludotheque.bots.workers import new_workers
from ludotheque.cli.records import Language, RecordFile
from ludotheque.cli.terminal import console, fail, progress, read_viewer, write_file
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
_HOW_IT_ADDS_UP = (
    "The columns before End add up to it. Could have kept: by what the player knew. "
    "Give or take: how far off these sums may be; more time makes it less."
)


def register(app: typer.Typer) -> None:
    app.command(name="review")(review_record)


def review_record(
    record: RecordFile,
    seconds: Annotated[
        float, typer.Option("--seconds-per-move", min=0, max=600, help="How long to think about each decision.")
    ] = 0,
    simulations: Annotated[
        int, typer.Option("--simulations", min=0, help="So many simulations instead: the same review every time.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write a page there that works offline.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="FILE", help="Where the review is kept while it is made; else beside RECORD."),
    ] = None,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="As this seat may know it, while the game is not over.")
    ] = "",
    language: Language = "en",
    seed: Annotated[int, typer.Option("--seed", help="The luck of the bot.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=1024, help="How many processes.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object.")] = False,
) -> None:
    """Review a match: where points came from, what each decision was worth, what was better, and what was luck.

    It may be stopped: the same command goes on where it stopped.

    Examples: `ludotheque review games/cable-car-1-1.json --seconds-per-move 0.5 --out review.html` ·
    `ludotheque review games/cable-car-1-1.json --simulations 2000 --jobs 2`
    """
    written = read_record(record)
    match = written.to_match()
    eyes = _eyes(written, viewer)
    budget = Budget(simulations, seconds if seconds or simulations else SECONDS, seed)
    of = terms(match, budget, eyes)
    decisions = _judged(match, budget, eyes, ReviewFile(state or _beside(record, of), of), jobs)
    if out is not None:
        from ludotheque.show.offline import review_file

        write_file(out, review_file(match, decisions, eyes, language), silent=as_json)
    told, summed = summarize_match(match, eyes), summarize_review(match, decisions)
    if as_json:
        print(msgspec.json.encode({"match_summary": told, "review_summary": summed, "decisions": decisions}).decode())
    else:
        _print(match, told, summed)


def _eyes(record: Record, viewer: str) -> int:
    """Through whose eyes: those asked for, else those that the record was made for."""
    if viewer:
        return read_viewer(viewer, record.players)
    return record.viewer if isinstance(record.viewer, int) else SPECTATOR


def _beside(record: Path, of: Terms) -> Path:
    """A file beside the record, another one for other terms."""
    digest = sha256(msgspec.json.encode(of)).hexdigest()[:8]
    return record.with_name(f"{record.stem}.review-{digest}.jsonl")


def _judged(match: Match, budget: Budget, viewer: int, store: ReviewFile, jobs: int) -> list[Decision]:
    """All decisions, with a bar for whoever waits."""
    asked = len(pending_decisions(match, budget, viewer))
    if not asked:
        raise BadReview(
            "There is no decision to review. While a game hides something only a seat's own can be: name it by --as."
        )
    found: list[Decision] = []
    try:
        with progress("Thinking", asked) as advance:
            for decision in review(match, budget, viewer=viewer, store=store, run=_runner(jobs)):
                found.append(decision)
                advance()
    except KeyboardInterrupt:
        fail(f"Stopped after {len(found)} of {asked} decisions; the same command goes on from there.")
    return found


def _runner(jobs: int) -> Runner:
    if jobs == 1:
        return judge_in_process

    def on_cores(asked: Sequence[PendingDecision]) -> Iterator[Decision]:
        with new_workers(jobs) as pool:
            try:
                yield from pool.map(judge, asked)
            finally:
                pool.shutdown(cancel_futures=True)

    return on_cores


def _print(match: Match, told: MatchSummary, summed: ReviewSummary) -> None:
    if told.sources:
        console.print(_sources(told))
    if summed.breakdowns:
        console.print(_breakdowns(match, summed.breakdowns))
    if summed.mistakes:
        console.print("Where it turned, by what the player knew then", style="bold")
    for number, mistake in enumerate(summed.mistakes, 1):
        console.print(f"{number}. {mistake.words.render(names=match.names)}", highlight=False, markup=False)
    console.print(str(margin_words(summed.margin)), style="dim")


def _sources(told: MatchSummary) -> Table:
    table = Table("Source", *told.names, box=SIMPLE, title=f"{told.unit} by source")
    for source in told.sources:
        table.add_row(str(source.name), *map(str, source.amounts))
    scores = told.moments[-1].scores
    table.add_row("In all", *map(str, scores), style="bold")
    return table


def _breakdowns(match: Match, breakdowns: Sequence[Breakdown]) -> Table:
    parts: dict[str, Callable[[Breakdown], float]] = {
        "Start": lambda seat: seat.start,
        "Luck": lambda seat: seat.luck,
        "Own\nmoves": lambda seat: seat.own_moves,
        "Others'\nmoves": lambda seat: seat.others_moves,
        "Not\nforeseen": lambda seat: seat.unforeseen,
        "End": lambda seat: seat.end,
        "Could\nhave kept": lambda seat: seat.avoidable_loss,
        "Give\nor take": lambda seat: seat.doubt,
    }
    if not match.game.has_chance:
        del parts["Luck"]
    table = Table("Player", *parts, box=SIMPLE, title="In percent of the win", caption=_HOW_IT_ADDS_UP)
    for seat in breakdowns:
        table.add_row(match.names[seat.seat], *(str(round(100 * part(seat))) for part in parts.values()))
    return table
