"""The review of a match by a bot: what each decision was worth, what would have been better, and what was luck.

Every decision is judged twice. What the player *knew*: the bot searches from positions that the player could not tell
from the true one, dealt anew for every simulation, so nothing hidden enters. And, after the end of a game that hides
something, what was really *there*: the bot searches from the true position; only draws to come stay open.

Half of the simulations look for the best move. The rest finds out what that one and the one played are worth, alike and
with the same deals and draws, so that they can be compared: each deal is searched with everything in it open. A move is
called better than the one played only beyond doubt: if both halves say so, the second by a difference that deals and
draws hardly ever make by chance. What is compared are the returns of the search: a seat's share of the win, a fifth of
it by how far ahead it is. Beside them stand the final scores that the same searches expect.

The same budget in simulations gives the same numbers. Decisions are judged one by one and kept in a `Store`, so that a
review which was stopped goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Annotated, Final, Protocol

from librt.random import Random
from msgspec import Meta, Struct
from mypy_extensions import i64

from ludotheque.bots.players import SearchBot
from ludotheque.bots.search import Candidate
from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR, Game, State
from ludotheque.core.options import OptionValue
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.policy import policy_of
from ludotheque.core.registry import load_game
from ludotheque.core.seeds import seed_number
from ludotheque.study.hints import line_words
from ludotheque.table import Match

VERSION: Final = 2
"""Of a decision as it is kept: another one is of no use to us, and is judged again."""
FOLLOWING: Final = 5
"""So many decisions are told of how it goes on."""
TELLINGS: Final = 24
"""So many deals are tried to tell them."""
MOST_DEALS: Final = 8
"""Over so many deals and draws a value is averaged, at most."""
MOST_SEARCHES: Final = 4
"""Over so many searches, where nothing is dealt or drawn."""
FEWEST: Final = 3
FEWEST_SIMULATIONS: Final = 16
SURE: Final = {3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}
"""By the number of deals or searches: a difference of so many standard errors is no chance, in 39 of 40 cases. (By
Student's t: of a few deals one cannot even say well how much they scatter.)"""
WORTH_A_DEAL: Final = 64
"""So many simulations are worth another deal."""


class Budget(Struct, frozen=True):
    """How much the bot thinks about each decision: so many simulations, or so long."""

    simulations: Annotated[int, Meta(ge=0)] = 0
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    seed: int = 1

    def check(self) -> None:
        if bool(self.simulations) == bool(self.seconds):
            raise BadReview(phrase("A review needs a number of simulations for each decision or a time, and not both."))
        if self.simulations and self.simulations < FEWEST_SIMULATIONS:
            raise BadReview(
                phrase("A review needs at least {number} simulations for each decision.", number=FEWEST_SIMULATIONS)
            )


class Judgement(Struct, frozen=True, kw_only=True):
    """What a bot thinks of a decision."""

    before: tuple[float, ...]
    """By seat: what could be expected, with the best move."""
    after: tuple[float, ...]
    """By seat: what could be expected once the decision was made."""
    scores_before: tuple[float, ...]
    """By seat: the final score that could be expected, with the best move."""
    scores_after: tuple[float, ...]
    """By seat: the final score that could be expected once the decision was made."""
    score_margins: tuple[float, ...]
    """By seat: a difference of those that is no bigger than this may be chance."""
    best: str
    """The best move in the game's notation."""
    better: Phrase | None
    """The best move in words; None if it was played."""
    follows: tuple[str, ...]
    """How it may go on after the best move, in the game's notation."""
    error: float
    """By about how much these numbers may be off for the seat that decides: the standard error."""
    visits: int
    """How many simulations tell what the decision was worth; none where it ends the game."""

    def loss(self, seat: int) -> float:
        """What the decision gave away."""
        return self.before[seat] - self.after[seat]

    def gain(self, seat: int) -> int:
        """How many points or dollars more the decision gave a seat in the end, or fewer: what is beyond doubt of it."""
        change = self.scores_after[seat] - self.scores_before[seat]
        return round(change) if abs(change) > self.score_margins[seat] else 0


class Decision(Struct, frozen=True, kw_only=True):
    """A decision of a match, judged."""

    ply: int
    """The ply at which it was carried out."""
    seat: int
    move: str
    """What was played, in the game's notation."""
    words: Phrase
    known: Judgement
    """By what the player knew."""
    there: Judgement | None = None
    """By what was really there, after the end of a game that hides something."""

    @property
    def truth(self) -> Judgement:
        """By all that can be told now."""
        return self.there or self.known


# Which decisions, and asking about one.


class Question(Struct, frozen=True, kw_only=True):
    """A decision to be judged: all that a process which knows nothing else needs."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    history: tuple[int, ...]
    """The plies before it."""
    action: int
    with_truth: bool
    budget: Budget

    @property
    def ply(self) -> int:
        return len(self.history) + 1


def questions(match: Match, budget: Budget, viewer: int = SPECTATOR) -> list[Question]:
    """The decisions of a match where there was a choice. While a game that hides something is running, only those of
    the viewer: what the others decided tells of what they know."""
    budget.check()
    game = match.game
    history = tuple(action for _, action in match.actions())
    state = game.new_initial_state()
    found: list[Question] = []
    for number, (who, action) in enumerate(match.actions()):
        is_open = match.is_over or not game.has_hidden_information or who == viewer
        if who >= 0 and is_open and len(state.legal_actions()) > 1:
            found.append(
                Question(
                    game=game.name,
                    players=game.players,
                    settings=game.settings,
                    history=history[:number],
                    action=action,
                    with_truth=match.is_over and game.has_hidden_information,
                    budget=budget,
                )
            )
        state.apply(action)
    return found


def judge(question: Question) -> Decision:
    """Judge one decision. It depends on the question alone, so it may run in any process."""
    game = load_game(question.game, question.players, **question.settings)
    state = game.new_initial_state()
    for action in question.history:
        state.apply(action)
    seat = int(state.current_player())
    columns = 2 if question.with_truth else 1
    known = _Judge(game, state, seat, question, columns, is_true=False).judgement()
    there = _Judge(game, state, seat, question, columns, is_true=True).judgement() if question.with_truth else None
    return Decision(
        ply=question.ply,
        seat=seat,
        move=state.action_to_string(question.action),
        words=game.describe_decision(state, question.action),
        known=known,
        there=there,
    )


class Estimate(Struct, frozen=True):
    """What each seat can expect of one deal."""

    shares: tuple[float, ...]
    scores: tuple[float, ...]
    visits: int
    """By how many simulations; none where the game is over."""


class _Judge:
    """One column of one decision."""

    def __init__(self, game: Game, state: State, seat: int, question: Question, columns: int, *, is_true: bool) -> None:
        self.game: Final = game
        self.state: Final = state
        self.seat: Final = seat
        self.question: Final = question
        self.share: Final = 1 / columns
        self.is_true: Final = is_true
        self.policy: Final = policy_of(game)

    def judgement(self) -> Judgement:
        played = self.question.action
        searched = self.search(self.root(), self.seat, 0.5, "best")
        found = searched[0]
        part = 0.5 if found.action == played else 0.25
        after = self.values(played, part)
        best, before = played, after
        if found.action != played:
            found_better = self.values(found.action, part)
            if self.promises_more(searched) and self.is_clearly_more(found_better, after):
                best, before = found.action, found_better
        line = [best, *found.line] if best == found.action else [best]
        told = line_words(self.root(), self.seat, line[: 1 + FOLLOWING], TELLINGS)
        return Judgement(
            before=_mean([one.shares for one in before], 4),
            after=_mean([one.shares for one in after], 4),
            scores_before=_mean([one.scores for one in before], 1),
            scores_after=_mean([one.scores for one in after], 1),
            score_margins=_score_margins(before, after),
            best=told[0],
            better=None if best == played else self.words(best),
            follows=tuple(told[1:]),
            error=round(_standard_error([one.shares[self.seat] for one in after]), 4),
            visits=sum(one.visits for one in after),
        )

    def words(self, action: int) -> Phrase:
        """A move that was not played, told from a position that the player could not tell from the true one."""
        return self.game.describe_decision(self.root().resample_from_infostate(self.seat, Random(1)), action)

    def root(self) -> State:
        """The position as a search may know it."""
        return Revealed(self.state) if self.is_true else self.state

    def values(self, action: int, part: float) -> list[Estimate]:
        """What each seat can expect after an action: in several deals and draws, the same for every action."""
        deals = self.deals(part)
        return [self.value(action, part / deals, number) for number in range(deals)]

    def deals(self, part: float) -> int:
        """How many deals and draws to look at, and where there are none how many searches: what they differ by tells
        how far to trust them."""
        budget = self.question.budget
        simulations = budget.simulations or budget.seconds * self.policy.simulations_per_second
        most = MOST_DEALS if self.game.has_chance or self.game.has_hidden_information else MOST_SEARCHES
        return max(FEWEST, min(most, round(simulations * self.share * part / WORTH_A_DEAL)))

    def promises_more(self, searched: Sequence[Candidate]) -> bool:
        """Whether the search that found the best move saw more in it than in the one played, if it tried that at all:
        a second witness, who knows nothing of the deals by which the two are compared."""
        tried = [move.returns[self.seat] for move in searched if move.action == self.question.action]
        return not tried or searched[0].returns[self.seat] > tried[0]

    def is_clearly_more(self, one: Sequence[Estimate], other: Sequence[Estimate]) -> bool:
        """Whether the seat can expect more by one action than by another, deal by deal, beyond doubt. Otherwise every
        bit of noise would count as a mistake."""
        gains = [better.shares[self.seat] - worse.shares[self.seat] for better, worse in zip(one, other, strict=True)]
        return fmean(gains) > _margin(gains)

    def value(self, action: int, part: float, number: int) -> Estimate:
        rng = Random(self.luck(f"deal {number}"))
        state = self.state.clone() if self.is_true else self.state.resample_from_infostate(self.seat, rng)
        state.apply(action)
        while state.is_chance_node():
            state.apply(state.sample(rng))
        if state.is_terminal():
            return Estimate(tuple(self.policy.judged(state)), tuple(map(float, state.scores())), 0)
        root = Revealed(state) if self.game.has_hidden_information else state
        return self.estimate(self.search(root, int(state.current_player()), part, f"value {number}"))

    def estimate(self, found: Sequence[Candidate]) -> Estimate:
        """The mean of what was simulated, the moves weighed by the square of their visits: whoever is to move will not
        play what was tried only to learn that it is bad. Or what best play brings, where that is known."""
        visits = sum(move.visits for move in found)
        if found[0].is_exact:
            return Estimate(found[0].returns, found[0].scores, visits)
        total = sum(move.visits**2 for move in found)
        seats = range(self.game.players)
        shares = tuple(sum(move.visits**2 * move.returns[seat] for move in found) / total for seat in seats)
        scores = tuple(sum(move.visits**2 * move.scores[seat] for move in found) / total for seat in seats)
        return Estimate(shares, scores, visits)

    def search(self, root: State, seat: int, part: float, purpose: str) -> list[Candidate]:
        """Search with a part of the budget."""
        budget = self.question.budget
        simulations = max(4, round(budget.simulations * part * self.share)) if budget.simulations else 0
        seconds = budget.seconds * part * self.share
        return SearchBot(self.game, self.luck(purpose), simulations=simulations, seconds=seconds).think(root, seat)

    def luck(self, purpose: str) -> int:
        """A seed for one purpose of this column."""
        return seed_number(self.question.budget.seed, self.question.ply, self.is_true, purpose)


def _mean(found: Sequence[Sequence[float]], digits: int) -> tuple[float, ...]:
    """By seat."""
    return tuple(round(fmean(of_seat), digits) for of_seat in zip(*found, strict=True))


def _score_margins(before: Sequence[Estimate], after: Sequence[Estimate]) -> tuple[float, ...]:
    """By seat: how much of the difference of their scores, deal by deal, may be chance."""
    changes = (
        [now - was for was, now in zip(one.scores, other.scores, strict=True)]
        for one, other in zip(before, after, strict=True)
    )
    return tuple(round(_margin(of_seat), 1) for of_seat in zip(*changes, strict=True))


def _margin(differences: Sequence[float]) -> float:
    """A mean difference no bigger than this may be chance."""
    return SURE[len(differences)] * _standard_error(differences)


def _standard_error(found: Sequence[float]) -> float:
    """By about how much their mean may be off."""
    return stdev(found) / sqrt(len(found))


class Revealed(State):
    """A position of which nothing is hidden from anybody, for a search: dealt anew, it is what it was."""

    def __init__(self, state: State) -> None:
        self.game = state.game
        self.state: Final = state

    def resample_from_infostate(self, viewer: i64, rng: Random) -> State:
        return self.state.clone()

    def clone(self) -> State:
        return self

    def current_player(self) -> i64:
        return self.state.current_player()


# The whole match.


class Store(Protocol):
    """Where judged decisions are kept."""

    def kept(self) -> list[Decision]:
        """What is there, in the order of plies."""
        ...

    def keep(self, decision: Decision) -> None: ...


Runner = Callable[[Sequence[Question]], Iterable[Decision]]
"""Answers questions in their order."""


def judge_here(asked: Sequence[Question]) -> Iterator[Decision]:
    """In this process, one by one."""
    return map(judge, asked)


def review(
    match: Match, budget: Budget, *, viewer: int = SPECTATOR, store: Store | None = None, run: Runner = judge_here
) -> Iterator[Decision]:
    """Judge all decisions of a match, each as soon as it is wanted; what a store has is not judged again."""
    kept = {decision.ply: decision for decision in store.kept()} if store else {}
    asked = questions(match, budget, viewer)
    fresh = iter(run([question for question in asked if question.ply not in kept]))
    for question in asked:
        if question.ply in kept:
            yield kept[question.ply]
            continue
        decision = next(fresh)
        if store:
            store.keep(decision)
        yield decision
