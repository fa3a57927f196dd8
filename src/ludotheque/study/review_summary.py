"""What a review comes to: the biggest swings in words, and luck and skill apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from math import sqrt
from statistics import median
from typing import Final

from msgspec import Struct

from ludotheque.core.game import CHANCE, Game
from ludotheque.core.phrases import Phrase, phrase, seat_name
from ludotheque.core.policy import policy_of
from ludotheque.study.review import Decision, Judgement
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
    return Summary(
        tuple(_swings(match.game, decisions)), _balances(match, decisions) if is_told else (), round(margin, 4)
    )


def _swings(game: Game, decisions: Sequence[Decision]) -> Iterator[Swing]:
    by_loss = sorted(decisions, key=lambda decision: -decision.known.loss(decision.seat))
    for decision in by_loss[:MOST_SWINGS]:
        loss = decision.known.loss(decision.seat)
        if decision.known.better and loss > 0:
            yield Swing(decision.ply, decision.seat, loss, _told(game, decision, decision.known.better))


def _told(game: Game, decision: Decision, better: Phrase) -> Phrase:
    effect = effect_words(game, decision.known, decision.seat)
    return phrase(
        "Move {ply}: {played} {effect} Better: {better}",
        ply=decision.ply, played=decision.words, effect=effect, better=better,
    )  # fmt: skip


# What a decision brought, in words.


def effect_words(game: Game, judged: Judgement, seat: int) -> Phrase:
    """`It cost Ann $4 and 12 % of the win; it gave Bob $9 more.` What is not beyond doubt is left out; where nothing
    is left for the others, one of them is named who has most of the win that was given away."""
    name, share = seat_name(seat), share_words(judged.loss(seat))
    gains = [judged.gain(one) for one in range(game.players)]
    if gains[seat] < 0:
        cost = phrase("It cost {seat} {amount} and {share}", seat=name, amount=game.amount(-gains[seat]), share=share)
    else:
        cost = phrase("It cost {seat} {share}", seat=name, share=share)
    told = [_gain_words(game, one, gains[one]) for one in _by_gain(gains) if gains[one] > 0 or one != seat]
    if told:
        others = reduce(lambda some, last: phrase("{some}, {last}", some=some, last=last), told)
        return phrase("{cost}; {others}.", cost=cost, others=others)
    if gainer := _main_gainer(judged, seat):
        return phrase("{cost}, most of it to the good of {gainer}.", cost=cost, gainer=gainer)
    return phrase("{cost}.", cost=cost)


def share_words(share: float) -> Phrase:
    """A share of the win, in percent."""
    percent = round(100 * share)
    return phrase("{percent} % of the win", percent=percent) if percent else phrase("less than 1 % of the win")


def doubt_words(margin: float) -> Phrase:
    """By how much an estimate may be off."""
    if round(100 * margin):
        return phrase("An estimate may be off by about {share}.", share=share_words(margin))
    return phrase("An estimate may be off by {share}.", share=share_words(margin))


def _by_gain(gains: Sequence[int]) -> list[int]:
    """The seats that gain or lose, whoever gains most first."""
    return sorted((seat for seat, gain in enumerate(gains) if gain), key=lambda seat: -gains[seat])


def _gain_words(game: Game, seat: int, gain: int) -> Phrase:
    name, amount = seat_name(seat), game.amount(abs(gain))
    if gain > 0:
        return phrase("it gave {seat} {amount} more", seat=name, amount=amount)
    return phrase("it took {amount} from {seat}", seat=name, amount=amount)


def _main_gainer(judged: Judgement, seat: int) -> Phrase | None:
    """Among several others, the one who has most of what was given away."""
    gains = [after - before for before, after in zip(judged.before, judged.after, strict=True)]
    gainer = max(range(len(gains)), key=lambda one: gains[one])
    return seat_name(gainer) if len(gains) > 2 and gains[gainer] > judged.loss(seat) / 2 else None


# Luck and skill.


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
    end = policy_of(match.game).judged(match.state_at(match.ply)) if match.is_over else last.truth.after
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
