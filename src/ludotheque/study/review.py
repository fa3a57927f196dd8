"""The review of a match by a bot: what each decision was worth, what would have been better, and what was luck.

Every decision is judged twice. What the player *knew*: the bot searches from positions that the player could not tell
from the true one, dealt anew for every simulation, so nothing hidden enters. And, after the end of a game that hides
something, what was really *there*: the bot searches from the true position; only draws to come stay open.

A decision is judged in three searches with a half and two quarters of its simulations: which move is best, what the
best one is worth, and what the one played is worth, the last two alike so that they can be compared. All numbers are
the returns of the search: a seat's share of the win, a fifth of it by how far ahead it is.

The same budget in simulations gives the same numbers. Decisions are judged one by one and kept in a `Store`, so that a
review which was stopped goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Final, Protocol

from librt.random import Random
from librt.vecs import vec
from msgspec import Meta, Struct
from mypy_extensions import i64

from ludotheque.bots.players import SearchBot
from ludotheque.bots.search import SCORE_PART, Candidate
from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR, Game, State
from ludotheque.core.options import OptionValue
from ludotheque.core.policy import Policy
from ludotheque.core.registry import load_game
from ludotheque.core.words import Phrase, say, seat_name
from ludotheque.study.hints import line_words
from ludotheque.table import Match

FOLLOWING: Final = 5
"""So many decisions are told of how it goes on."""
DEALS: Final = 24
"""So many deals are tried to tell them."""
ENDINGS: Final = 256
"""So many are averaged where nobody decides anything any more."""


class Budget(Struct, frozen=True):
    """How much the bot thinks about each decision: so many simulations, or so long."""

    simulations: Annotated[int, Meta(ge=0)] = 0
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    seed: int = 1

    def check(self) -> None:
        if bool(self.simulations) == bool(self.seconds):
            raise BadReview("A review needs a number of simulations for each decision or a time, and not both.")
        if self.simulations and self.simulations < 16:
            raise BadReview("A review needs at least 16 simulations for each decision.")


class Judgement(Struct, frozen=True, kw_only=True):
    """What a bot thinks of a decision."""

    before: tuple[float, ...]
    """By seat: what could be expected, with the best move."""
    after: tuple[float, ...]
    """By seat: what could be expected once the decision was made."""
    best: str
    """The best move in the game's notation."""
    better: Phrase | None
    """The best move in words; None if it was played."""
    follows: tuple[str, ...]
    """How it may go on after the best move, in the game's notation."""
    visits: int
    """How many simulations each of the numbers rests on, at least."""

    def loss(self, seat: int) -> float:
        """What the decision gave away."""
        return self.before[seat] - self.after[seat]


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
        words=move_words(state, question.action, seat),
        known=known,
        there=there,
    )


class _Judge:
    """One column of one decision."""

    def __init__(self, game: Game, state: State, seat: int, question: Question, columns: int, *, is_true: bool) -> None:
        self.game: Final = game
        self.state: Final = state
        self.seat: Final = seat
        self.question: Final = question
        self.share: Final = 1 / columns
        self.is_true: Final = is_true
        self.policy: Final = game.policy()

    def judgement(self) -> Judgement:
        played = self.question.action
        found = self.think(None, 0.5)[0]
        part = 0.5 if found.action == played else 0.25
        after, visits = self.value(played, part)
        best, before = played, after
        if found.action != played:
            best = found.action
            before, least = self.value(best, part)
            visits = min(visits, least)
            if before[self.seat] <= after[self.seat]:  # what was played proves no worse
                best, before = played, after
        line = [best, *found.line] if best == found.action else [best]
        told = line_words(self.root(None), self.seat, line[: 1 + FOLLOWING], DEALS)
        return Judgement(
            before=before,
            after=after,
            best=told[0],
            better=None if best == played else move_words(self.state, best, self.seat),
            follows=tuple(told[1:]),
            visits=visits,
        )

    def root(self, action: int | None) -> Imagined:
        return Imagined(self.state, self.seat, self.is_true, action)

    def think(self, action: int | None, part: float) -> list[Candidate]:
        """Search with a part of the budget, from the position or from what an action makes of it."""
        budget = self.question.budget
        simulations = max(4, round(budget.simulations * part * self.share)) if budget.simulations else 0
        # The best move and the one played get the same luck.
        purpose = f"{budget.seed}/{self.question.ply}/{action is None}/{self.is_true}"
        seed = int.from_bytes(sha256(purpose.encode()).digest()[:7], "big")
        bot = SearchBot(self.game, seed, simulations=simulations, seconds=budget.seconds * part * self.share)
        return bot.think(self.root(action), self.seat)

    def value(self, action: int, part: float) -> tuple[tuple[float, ...], int]:
        """What each seat can expect after an action, by a part of the budget, and by how many simulations."""
        found = self.think(action, part)
        if not found:
            return self.final(action), ENDINGS
        visits = sum(move.visits for move in found)
        seats = range(self.game.players)
        means = (sum(move.visits * move.returns[seat] for move in found) / visits for seat in seats)
        return tuple(round(mean, 4) for mean in means), visits

    def final(self, action: int) -> tuple[float, ...]:
        """The result of a game in which nobody decides anything after an action, as far as the seat can tell."""
        rng = Random(1)
        root = self.root(action)
        endings = [_ending(root.resample_from_infostate(self.seat, rng), rng) for _ in range(ENDINGS)]
        results = [result(ending, self.policy) for ending in endings]
        return tuple(round(sum(shares) / ENDINGS, 4) for shares in zip(*results, strict=True))


def _ending(state: State, rng: Random) -> State:
    """The end of a game after the draws that are left."""
    while state.is_chance_node():
        state.apply(state.sample(rng))
    return state


def result(state: State, policy: Policy) -> tuple[float, ...]:
    """How a game ended, in the numbers of the search: each seat's share of the win, a fifth of it by its lead."""
    shares = zip(state.returns(), policy.leads(state), strict=True)
    return tuple((1 - SCORE_PART) * win + SCORE_PART * lead for win, lead in shares)


class Imagined(State):
    """A position to search from: as far as a seat could know it, or as it truly was; perhaps after an action.

    The search deals every simulation anew from its root, by `resample_from_infostate`. Here the deal is made of the
    position before the action, so that what the action brings to light is not known either.
    """

    def __init__(self, state: State, seat: int, is_true: bool, action: int | None = None) -> None:
        self.game = state.game
        self.state: Final = state
        self.seat: Final = seat
        self.is_true: Final = is_true
        self.action: Final = action

    def resample_from_infostate(self, viewer: i64, rng: Random) -> State:
        deal = self.state.clone() if self.is_true else self.state.resample_from_infostate(self.seat, rng)
        if self.action is not None:
            deal.apply(self.action)
        return deal

    def clone(self) -> State:
        return self

    def _shown(self) -> State:
        return self.resample_from_infostate(self.seat, Random(1))

    def current_player(self) -> i64:
        return self._shown().current_player()

    def legal_into(self, actions: vec[i64]) -> i64:
        return self._shown().legal_into(actions)

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        return self._shown().chance_into(outcomes, weights)

    def scores_into(self, scores: vec[i64]) -> None:
        self._shown().scores_into(scores)


def move_words(state: State, action: int, viewer: int) -> Phrase:
    """A move in a few words: the first line that the log would have, else the last choice made for it."""
    after = state.clone()
    after.apply(action)
    lines = state.game.describe(state, action, after, viewer)
    if lines:
        return lines[0]
    label = state.game.steps(state, action)[-1].label
    return say("{seat}: {move}.", seat=seat_name(int(state.current_player())), move=label)


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
