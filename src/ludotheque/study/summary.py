"""What a review comes to: the biggest swings in words, and luck and skill apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import median
from typing import Final

from msgspec import Struct

from ludotheque.core.game import CHANCE
from ludotheque.core.words import Phrase, say, seat_name
from ludotheque.study.review import Decision
from ludotheque.table import Match

MOST_SWINGS: Final = 3


class Swing(Struct, frozen=True):
    """A decision that gave much away."""

    ply: int
    seat: int
    loss: float
    """What share of the win it gave away, by what its player knew."""
    words: Phrase


class Balance(Struct, frozen=True, kw_only=True):
    """How a seat came from its first prospects to its result, in shares of the win.

    The start and the four parts add up to the end.
    """

    seat: int
    start: float
    """What all seats can expect before anything is drawn or decided."""
    luck: float
    """What draws brought or took."""
    own: float
    """What its own decisions gave away."""
    others: float
    """What the decisions of the others gave to it, or took."""
    unforeseen: float
    """What the bot saw only later: how far off its own estimates were."""
    end: float
    given_away: float
    """What its own decisions gave away by what it knew then, which is what it could have done better."""
    decisions: int
    """How many decisions it had."""
    doubt: float
    """By about how much each of these sums may be off: twice their standard error."""


class Summary(Struct, frozen=True):
    """What a review comes to."""

    swings: tuple[Swing, ...]
    """The biggest first."""
    balances: tuple[Balance, ...]
    """By seat; empty while the game hides something from whoever asks."""
    margin: float
    """By about how much a single estimate may be off: twice its standard error, in the middle of all."""


def summary(match: Match, decisions: Sequence[Decision]) -> Summary:
    """Sum up the decisions judged so far, in the order of plies."""
    is_told = bool(decisions) and (match.is_over or not match.game.has_hidden_information)
    margin = 2 * median([decision.known.error for decision in decisions]) if decisions else 0.0
    return Summary(tuple(_swings(decisions)), _balances(match, decisions) if is_told else (), round(margin, 4))


def _swings(decisions: Sequence[Decision]) -> Iterator[Swing]:
    by_loss = sorted(decisions, key=lambda decision: -decision.known.loss(decision.seat))
    for decision in by_loss[:MOST_SWINGS]:
        loss = decision.known.loss(decision.seat)
        if decision.known.better and loss > 0:
            yield Swing(decision.ply, decision.seat, loss, _told(decision, decision.known.better, loss))


def _told(decision: Decision, better: Phrase, loss: float) -> Phrase:
    """Where one other seat has most of what was given away, it is named."""
    percent = round(100 * loss)
    gains = {
        seat: decision.known.after[seat] - decision.known.before[seat] for seat in range(len(decision.known.after))
    }
    gainer = max(gains, key=lambda seat: gains[seat])
    if len(gains) > 2 and gains[gainer] > loss / 2:
        return say(
            "Move {ply}: {played} Better: {better} It cost {percent} % of the win, most of it to the good of {gainer}.",
            ply=decision.ply, played=decision.words, better=better, percent=percent, gainer=seat_name(gainer),
        )  # fmt: skip
    return say(
        "Move {ply}: {played} Better: {better} It cost {percent} % of the win.",
        ply=decision.ply, played=decision.words, better=better, percent=percent,
    )  # fmt: skip


class _Account:
    """The balance of a seat while it is drawn up."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.luck = self.own = self.others = self.unforeseen = self.given_away = 0.0
        self.decisions = 0
        self.variance = 0.0


def _balances(match: Match, decisions: Sequence[Decision]) -> tuple[Balance, ...]:
    """Follow everybody's prospects from estimate to estimate, and book each change under what came between."""
    seats = range(match.game.players)
    movers = [who for who, _ in match.actions()]
    accounts = [_Account(1 / match.game.players) for _ in seats]
    first, last = decisions[0], decisions[-1]
    fair = tuple(1 / match.game.players for _ in seats)
    _book_gap(accounts, CHANCE in movers[: first.ply - 1], fair, first.truth.before)
    for decision in decisions:
        _book_decision(accounts, decision)
    for one, next_one in pairwise(decisions):
        drawn = CHANCE in movers[one.ply : next_one.ply - 1]
        _book_gap(accounts, drawn, one.truth.after, next_one.truth.before)
    end = match.game.policy().judged(match.state_at(match.ply)) if match.is_over else last.truth.after
    _book_gap(accounts, CHANCE in movers[last.ply :], last.truth.after, end)
    return tuple(_balance(seat, account, end[seat]) for seat, account in enumerate(accounts))


def _book_decision(accounts: Sequence[_Account], decision: Decision) -> None:
    changes = zip(decision.truth.before, decision.truth.after, strict=True)
    for seat, (before, after) in enumerate(changes):
        accounts[seat].variance += 2 * decision.truth.error**2  # before and after
        if seat == decision.seat:
            accounts[seat].own += after - before
            accounts[seat].given_away += decision.known.loss(seat)
            accounts[seat].decisions += 1
        else:
            accounts[seat].others += after - before


def _book_gap(accounts: Sequence[_Account], drawn: bool, before: Sequence[float], after: Sequence[float]) -> None:
    """What changed between two estimates without a decision: by draws, or because the bot saw further."""
    for account, was, now in zip(accounts, before, after, strict=True):
        if drawn:
            account.luck += now - was
        else:
            account.unforeseen += now - was


def _balance(seat: int, account: _Account, end: float) -> Balance:
    return Balance(
        seat=seat,
        start=account.start,
        luck=account.luck,
        own=account.own,
        others=account.others,
        unforeseen=account.unforeseen,
        end=end,
        given_away=account.given_away,
        decisions=account.decisions,
        doubt=2 * sqrt(account.variance),
    )
