"""The summary of a review: the biggest mistakes, and how much of the result was luck and how much skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import median
from typing import Final

from msgspec import Struct

from ludotheque.core.game import CHANCE, Game
from ludotheque.core.phrases import Phrase, listed, phrase, plural, seat_name
from ludotheque.study.review import Decision, Judgement
from ludotheque.table import Match

FEW_WINS: Final = phrase("less than one win in 100 games")
MOST_MISTAKES: Final = 3
"""Mistakes of a seat, and turning points of a match, that are named at most."""


class Mistake(Struct, frozen=True):
    """A costly decision."""

    ply: int
    seat: int
    loss: float
    """The share of the win that it cost, judged by what the player could see."""
    words: Phrase


class Breakdown(Struct, frozen=True, kw_only=True):
    """The parts of a seat's result, in shares of the win.

    The start and the four parts add up to the end.
    """

    seat: int
    start: float
    """The equal share that every seat starts with."""
    luck: float
    """Gained or lost by draws."""
    own_moves: float
    """Lost by its own decisions."""
    others_moves: float
    """Gained or lost by the other seats' decisions."""
    unforeseen: float
    """Changes that neither draws nor decisions explain: the bot's earlier estimates were off."""
    end: float
    avoidable_loss: float
    """Lost by its own decisions, judged by what it could see: what it could have avoided."""
    decisions: int
    """Number of its decisions."""
    margin: float
    """The margin of error of these sums: twice their standard error."""


class ReviewSummary(Struct, frozen=True):
    """The biggest mistakes, and the breakdown of the result."""

    mistakes: tuple[Mistake, ...]
    """The biggest ones of every seat, biggest first."""
    breakdowns: tuple[Breakdown, ...]
    """Breakdowns by seat; empty while the game hides something."""
    margin: float
    """The margin of error of a single estimate: twice the median standard error."""

    @property
    def turning_points(self) -> tuple[Mistake, ...]:
        """The biggest mistakes of the match."""
        return self.mistakes[:MOST_MISTAKES]


def summarize_review(match: Match, decisions: Sequence[Decision]) -> ReviewSummary:
    """Summarize the decisions judged so far, given in the order of plies."""
    is_open = bool(decisions) and (match.is_over or not match.game.has_hidden_information)
    margin = 2 * median([decision.as_seen.error for decision in decisions]) if decisions else 0.0
    return ReviewSummary(
        tuple(_mistakes(match.game, decisions)), _breakdowns(match, decisions) if is_open else (), round(margin, 4)
    )


def _mistakes(game: Game, decisions: Sequence[Decision]) -> Iterator[Mistake]:
    named: Counter[int] = Counter()
    for decision in sorted(decisions, key=lambda decision: -decision.as_seen.loss(decision.seat)):
        loss = decision.as_seen.loss(decision.seat)
        if decision.as_seen.better and loss > 0 and named[decision.seat] < MOST_MISTAKES:
            named[decision.seat] += 1
            yield Mistake(decision.ply, decision.seat, loss, _mistake_words(game, decision, decision.as_seen.better))


def _mistake_words(game: Game, decision: Decision, better: Phrase) -> Phrase:
    effect = effect_words(game, decision.as_seen, decision.seat)
    return phrase(
        "Move {ply}: {played} {effect} Better: {better}",
        ply=decision.ply, played=decision.words, effect=effect, better=better,
    )  # fmt: skip


# Text about a decision.


def effect_words(game: Game, judged: Judgement, seat: int) -> Phrase:
    """Describe what a decision changed: `It cost Ann $4 and 12 wins in 100 games; it gave Bob $9 more.` Differences
    that may be chance are left out; if none is left for the others, the one who gained most of the win is named."""
    name, share = seat_name(seat), share_words(judged.loss(seat))
    gains = [judged.gain(one) for one in range(game.players)]
    if gains[seat] < 0:
        cost = phrase("It cost {seat} {amount} and {share}", seat=name, amount=game.amount(-gains[seat]), share=share)
    else:
        cost = phrase("It cost {seat} {share}", seat=name, share=share)
    changes = [_gain_words(game, one, gains[one]) for one in _by_gain(gains) if gains[one] > 0 or one != seat]
    if changes:
        return phrase("{cost}; {others}.", cost=cost, others=listed(changes))
    if gainer := _main_gainer(judged, seat):
        return phrase("{cost}, mostly to the benefit of {gainer}.", cost=cost, gainer=gainer)
    return phrase("{cost}.", cost=cost)


def share_words(share: float) -> Phrase:
    """Describe a share of the win as games won of 100 that are played on from there."""
    wins = round(100 * share)
    return plural(wins, "{count} win in 100 games", "{count} wins in 100 games") if wins else FEW_WINS


def margin_words(margin: float) -> Phrase:
    """Describe the margin of error of an estimate."""
    if round(100 * margin):
        return phrase("An estimate may be off by about {share}.", share=share_words(margin))
    return phrase("An estimate may be off by {share}.", share=share_words(margin))


def _by_gain(gains: Sequence[int]) -> list[int]:
    """Return the seats that gain or lose, the biggest gain first."""
    return sorted((seat for seat, gain in enumerate(gains) if gain), key=lambda seat: -gains[seat])


def _gain_words(game: Game, seat: int, gain: int) -> Phrase:
    name, amount = seat_name(seat), game.amount(abs(gain))
    if gain > 0:
        return phrase("it gave {seat} {amount} more", seat=name, amount=amount)
    return phrase("it took {amount} from {seat}", seat=name, amount=amount)


def _main_gainer(judged: Judgement, seat: int) -> Phrase | None:
    """Return which of several opponents gained more than half of the loss, if any."""
    gains = [after - before for before, after in zip(judged.before, judged.after, strict=True)]
    gainer = max(range(len(gains)), key=lambda one: gains[one])
    return seat_name(gainer) if len(gains) > 2 and gains[gainer] > judged.loss(seat) / 2 else None


# Luck and skill.


class _Sums:
    """The sums for the breakdown of one seat."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.luck = self.own_moves = self.others_moves = self.unforeseen = self.avoidable_loss = 0.0
        self.decisions = 0
        self.variance = 0.0


def _breakdowns(match: Match, decisions: Sequence[Decision]) -> tuple[Breakdown, ...]:
    """Follow the expected shares from estimate to estimate, and attribute each change to what happened in between."""
    seats = range(match.game.players)
    movers = [who for who, _ in match.actions()]
    sums = [_Sums(1 / match.game.players) for _ in seats]
    first, last = decisions[0], decisions[-1]
    fair = tuple(1 / match.game.players for _ in seats)
    _add_gap(sums, CHANCE in movers[: first.ply - 1], fair, first.best_informed.before)
    for decision in decisions:
        _add_decision(sums, decision)
    for one, next_one in pairwise(decisions):
        drawn = CHANCE in movers[one.ply : next_one.ply - 1]
        _add_gap(sums, drawn, one.best_informed.after, next_one.best_informed.before)
    end = match.state_at(match.ply).returns() if match.is_played_out else last.best_informed.after
    _add_gap(sums, CHANCE in movers[last.ply :], last.best_informed.after, end)
    return tuple(_breakdown(seat, seat_sums, end[seat]) for seat, seat_sums in enumerate(sums))


def _add_decision(sums: Sequence[_Sums], decision: Decision) -> None:
    changes = zip(decision.best_informed.before, decision.best_informed.after, strict=True)
    for seat, (before, after) in enumerate(changes):
        sums[seat].variance += 2 * decision.best_informed.error**2  # before and after
        if seat == decision.seat:
            sums[seat].own_moves += after - before
            sums[seat].avoidable_loss += decision.as_seen.loss(seat)
            sums[seat].decisions += 1
        else:
            sums[seat].others_moves += after - before


def _add_gap(sums: Sequence[_Sums], drawn: bool, before: Sequence[float], after: Sequence[float]) -> None:
    """Add the change between two estimates without a decision: luck if something was drawn, else unforeseen."""
    for seat_sums, was, now in zip(sums, before, after, strict=True):
        if drawn:
            seat_sums.luck += now - was
        else:
            seat_sums.unforeseen += now - was


def _breakdown(seat: int, seat_sums: _Sums, end: float) -> Breakdown:
    return Breakdown(
        seat=seat,
        start=seat_sums.start,
        luck=seat_sums.luck,
        own_moves=seat_sums.own_moves,
        others_moves=seat_sums.others_moves,
        unforeseen=seat_sums.unforeseen,
        end=end,
        avoidable_loss=seat_sums.avoidable_loss,
        decisions=seat_sums.decisions,
        margin=2 * sqrt(seat_sums.variance),
    )
