"""The review of a match by a bot: what each decision cost, what would have been better, and what was luck.

Every decision is judged up to twice. *As seen*: the bot searches from positions that the player could not tell from the
true one, resampled for every simulation, so nothing hidden is used. *With hindsight*, after the end of a game with
hidden information: the bot searches from the true position; only future draws are unknown.

Half of the simulations look for the best move. The other half evaluates that move and the one played, with equal effort
and in the same deals and draws, so that they can be compared; each deal is searched with everything revealed. A move
counts as better than the one played only if both halves agree, the second by a statistically significant difference.
What is compared is the returns of the search: a seat's share of the win, of which a fifth depends on the lead. The same
searches also give the expected final scores.

The same budget in simulations gives the same numbers. Decisions are judged one by one and saved in a `Store`, so that
an interrupted review can be resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Annotated, Final, Protocol, SupportsIndex

import msgspec
from librt.random import Random
from librt.vecs import vec
from msgspec import UNSET, Meta, Struct, UnsetType
from mypy_extensions import i64

from ludotheque.bots.candidate import Candidate
from ludotheque.bots.players import SearchBot
from ludotheque.bots.tuning import speed
from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR, Game, State
from ludotheque.core.options import OptionValue
from ludotheque.core.phrases import Phrase, in_full, phrase
from ludotheque.core.policy import policy_of
from ludotheque.core.registry import load_game
from ludotheque.core.seeds import seed_number
from ludotheque.core.turn import CLOCK, Turn
from ludotheque.study.hints import chosen_by, line_notation
from ludotheque.table import Match

VERSION: Final = 2
"""The version of the judging: decisions judged by another version are judged again."""
CONTINUATION_LENGTH: Final = 5
"""Decisions to show after the best move."""
CONTINUATION_DEALS: Final = 24
"""Deals tried to find one in which those decisions are legal."""
MOST_DEALS: Final = 8
"""The most deals and draws over which a value is averaged."""
MOST_SEARCHES: Final = 4
"""The most searches over which it is averaged where nothing is dealt or drawn."""
FEWEST_SAMPLES: Final = 3
FEWEST_SIMULATIONS: Final = 16
T_97_5: Final = {3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}
"""97.5% quantiles of Student's t by the number of deals or searches. A difference of more standard errors than
this is chance in at most 1 of 40 cases."""
SIMULATIONS_PER_DEAL: Final = 64
"""One more deal is evaluated for each of these portions of the budget."""


class Budget(Struct, frozen=True):
    """The bot's effort for each decision: a number of simulations, or a time."""

    simulations: Annotated[int, Meta(ge=0)] = 0
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    seed: int = 1
    bot: str | UnsetType = UNSET
    """The bot that proposes better moves, such as a custom bot; search compares them with those played. Without one,
    search proposes them too."""
    clock: float | UnsetType = UNSET
    """Seconds that such a bot has for a move; without: the usual time."""

    def check(self) -> None:
        if bool(self.simulations) == bool(self.seconds):
            raise BadReview(
                phrase("A review needs either a number of simulations or a time for each decision, not both.")
            )
        if self.simulations and self.simulations < FEWEST_SIMULATIONS:
            raise BadReview(
                phrase("A review needs at least {number} simulations for each decision.", number=FEWEST_SIMULATIONS)
            )


class Judgement(Struct, frozen=True, kw_only=True):
    """A bot's evaluation of a decision."""

    before: tuple[float, ...]
    """Expected shares of the win by seat, with the best move."""
    after: tuple[float, ...]
    """Expected shares of the win by seat, with the move played."""
    scores_before: tuple[float, ...]
    """Expected final scores by seat, with the best move."""
    scores_after: tuple[float, ...]
    """Expected final scores by seat, with the move played."""
    score_margins: tuple[float, ...]
    """Differences of scores by seat that may be chance."""
    best: str
    """The best move in the game's notation."""
    better: Phrase | None
    """A sentence about the best move; None if it was played."""
    follows: tuple[str, ...]
    """The likely moves after the best move, in the game's notation."""
    error: float
    """The standard error of the shares of the deciding seat."""
    visits: int
    """Simulations that evaluated the move played; 0 if it ended the game."""

    def loss(self, seat: int) -> float:
        """Return the share of the win that the decision cost a seat."""
        return self.before[seat] - self.after[seat]

    def gain(self, seat: int) -> int:
        """Return by how many points or dollars the decision changed a seat's final score; 0 if that may be chance."""
        change = self.scores_after[seat] - self.scores_before[seat]
        return round(change) if abs(change) > self.score_margins[seat] else 0


class Decision(Struct, frozen=True, kw_only=True):
    """A judged decision of a match."""

    ply: int
    """The ply of the move."""
    seat: int
    move: str
    """The move played, in the game's notation."""
    words: Phrase
    as_seen: Judgement
    """Judged by what the player could see."""
    with_hindsight: Judgement | None = None
    """Judged by the true position, after the end of a game with hidden information."""

    @property
    def best_informed(self) -> Judgement:
        """The judgement with hindsight if there is one, else the one as seen."""
        return self.with_hindsight or self.as_seen


_FORMER_NAMES: Final = {"known": "as_seen", "there": "with_hindsight"}
"""New names of fields by their names in decisions that were stored earlier."""


def read_decision(stored: Mapping[str, object]) -> Decision:
    """Convert a stored decision, also one with the former field names; raises `msgspec.ValidationError`."""
    return msgspec.convert({_FORMER_NAMES.get(name, name): value for name, value in stored.items()}, Decision)


# Judging a decision.


class PendingDecision(Struct, frozen=True, kw_only=True):
    """A decision that is still to be judged, complete enough to be sent to another process."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    history: tuple[int, ...]
    """The actions before it."""
    action: int
    with_hindsight: bool
    budget: Budget

    @property
    def ply(self) -> int:
        return len(self.history) + 1


def pending_decisions(match: Match, budget: Budget, viewer: int = SPECTATOR) -> list[PendingDecision]:
    """Return the decisions of a match where there was a choice. While a game with hidden information runs, only the
    viewer's: the others' decisions would reveal what they know."""
    budget.check()
    game = match.game
    history = tuple(action for _, action in match.actions())
    state = game.new_initial_state()
    found: list[PendingDecision] = []
    for number, (who, action) in enumerate(match.actions()):
        is_open = match.is_over or not game.has_hidden_information or who == viewer
        if who >= 0 and is_open and len(state.legal_actions()) > 1:
            found.append(
                PendingDecision(
                    game=game.name,
                    players=game.players,
                    settings=game.settings,
                    history=history[:number],
                    action=action,
                    with_hindsight=match.is_over and game.has_hidden_information and not budget.bot,
                    budget=budget,
                )
            )
        state.apply(action)
    return found


def judge(pending: PendingDecision) -> Decision:
    """Judge one decision. The result depends only on the argument, so this may run in any process."""
    game = load_game(pending.game, pending.players, **pending.settings)
    state = game.new_initial_state()
    for action in pending.history:
        state.apply(action)
    seat = int(state.current_player())
    judgements = 2 if pending.with_hindsight else 1
    as_seen = _Judge(game, state, seat, pending, judgements, hindsight=False).judgement()
    with_hindsight = None
    if pending.with_hindsight:
        with_hindsight = _Judge(game, state, seat, pending, judgements, hindsight=True).judgement()
    return Decision(
        ply=pending.ply,
        seat=seat,
        move=state.action_to_string(pending.action),
        words=in_full(game.describe_decision(state, pending.action)),
        as_seen=as_seen,
        with_hindsight=with_hindsight,
    )


class Estimate(Struct, frozen=True):
    """The expected shares and scores of the seats in one deal."""

    shares: tuple[float, ...]
    scores: tuple[float, ...]
    visits: int
    """Simulations behind it; 0 if the game is over."""


class _Judge:
    """Judges one decision, either as seen or with hindsight."""

    def __init__(
        self, game: Game, state: State, seat: int, pending: PendingDecision, judgements: int, *, hindsight: bool
    ) -> None:
        self.game: Final = game
        self.state: Final = state
        self.seat: Final = seat
        self.pending: Final = pending
        self.share: Final = 1 / judgements
        self.hindsight: Final = hindsight
        self.policy: Final = policy_of(game)

    def judgement(self) -> Judgement:
        played = self.pending.action
        searched = [self.proposal()] if self.pending.budget.bot else self.search(self.root(), self.seat, 0.5, "best")
        found = searched[0]
        part = 0.5 if found.action == played else 0.25
        after = self.values(played, part)
        best, before = played, after
        if found.action != played:
            alternative = self.values(found.action, part)
            if self.was_rated_higher(searched) and self.is_significantly_better(alternative, after):
                best, before = found.action, alternative
        line = [best, *found.line] if best == found.action else [best]
        notation = line_notation(self.root(), self.seat, line[: 1 + CONTINUATION_LENGTH], CONTINUATION_DEALS)
        return Judgement(
            before=_mean([one.shares for one in before], 4),
            after=_mean([one.shares for one in after], 4),
            scores_before=_mean([one.scores for one in before], 1),
            scores_after=_mean([one.scores for one in after], 1),
            score_margins=_score_margins(before, after),
            best=notation[0],
            better=None if best == played else self.words(best),
            follows=tuple(notation[1:]),
            error=round(_standard_error([one.shares[self.seat] for one in after]), 4),
            visits=sum(one.visits for one in after),
        )

    def proposal(self) -> Candidate:
        """The move of the bot that reviews the match; it knows what the player knew, and gives no numbers."""
        pending = self.pending
        names = [str(seat) for seat in range(self.game.players)]
        past = Match(self.game, names, history=list(pending.history))
        turn = past.turn(self.seat, Random(self.seed("turn")), pending.budget.clock or CLOCK)
        return Candidate(chosen_by(str(pending.budget.bot), turn, self.seed("bot")), 0, (), ())

    def words(self, action: int) -> Phrase:
        """Describe a move that was not played, in a position that the player could not tell from the true one."""
        dealt = self.root().resample_from_infostate(self.seat, Random(1))
        return in_full(self.game.describe_decision(dealt, action))

    def root(self) -> State:
        """Return the position for a search: with everything revealed for hindsight."""
        return RevealedState(self.state) if self.hindsight else self.state

    def values(self, action: int, part: float) -> list[Estimate]:
        """Evaluate an action in several deals and draws, which are the same for every action."""
        deals = self.deals(part)
        return [self.value(action, part / deals, number) for number in range(deals)]

    def deals(self, part: float) -> int:
        """Return how many deals, or searches where nothing is dealt or drawn, to average: their scatter gives the
        standard error."""
        budget = self.pending.budget
        simulations = budget.simulations or budget.seconds * speed(self.game).simulations
        most = MOST_DEALS if self.game.has_chance or self.game.has_hidden_information else MOST_SEARCHES
        return max(FEWEST_SAMPLES, min(most, round(simulations * self.share * part / SIMULATIONS_PER_DEAL)))

    def was_rated_higher(self, searched: Sequence[Candidate]) -> bool:
        """Return whether the search for the best move rated it above the one played, if it tried that at all: a check
        that is independent of the deals in which the two are compared."""
        if self.pending.budget.bot:
            return True
        tried = [move.returns[self.seat] for move in searched if move.action == self.pending.action]
        return not tried or searched[0].returns[self.seat] > tried[0]

    def is_significantly_better(self, one: Sequence[Estimate], other: Sequence[Estimate]) -> bool:
        """Return whether one action is significantly better for the seat than another, compared deal by deal.
        Otherwise noise would count as a mistake."""
        gains = [better.shares[self.seat] - worse.shares[self.seat] for better, worse in zip(one, other, strict=True)]
        return fmean(gains) > _margin(gains)

    def value(self, action: int, part: float, number: int) -> Estimate:
        rng = Random(self.seed(f"deal {number}"))
        state = self.state.clone() if self.hindsight else self.state.resample_from_infostate(self.seat, rng)
        state.apply(action)
        while state.is_chance_node():
            state.apply(state.sample(rng))
        if state.is_terminal():
            return Estimate(tuple(self.policy.evaluate(state)), tuple(map(float, state.scores())), 0)
        root = RevealedState(state) if self.game.has_hidden_information else state
        return self.estimate(self.search(root, int(state.current_player()), part, f"value {number}"))

    def estimate(self, found: Sequence[Candidate]) -> Estimate:
        """Return the mean over the moves, weighted by the square of their visits: the seat to move will not play what
        the search tried only to find it bad. If the result of best play is known, return that."""
        visits = sum(move.visits for move in found)
        if found[0].is_exact:
            return Estimate(found[0].returns, found[0].scores, visits)
        total = sum(move.visits**2 for move in found)
        seats = range(self.game.players)
        shares = tuple(sum(move.visits**2 * move.returns[seat] for move in found) / total for seat in seats)
        scores = tuple(sum(move.visits**2 * move.scores[seat] for move in found) / total for seat in seats)
        return Estimate(shares, scores, visits)

    def search(self, root: State, seat: int, part: float, purpose: str) -> list[Candidate]:
        """Search with a part of the budget, from 0 to 1."""
        budget = self.pending.budget
        simulations = max(4, round(budget.simulations * part * self.share)) if budget.simulations else 0
        seconds = budget.seconds * part * self.share
        bot = SearchBot(self.game, self.seed(purpose), simulations=simulations, seconds=seconds)
        return bot.think(Turn(root, seat))

    def seed(self, purpose: str) -> int:
        """Return the seed for one purpose of this judgement."""
        return seed_number(self.pending.budget.seed, self.pending.ply, self.hindsight, purpose)


def _mean(found: Sequence[Sequence[float]], digits: int) -> tuple[float, ...]:
    """Return the means by seat."""
    return tuple(round(fmean(of_seat), digits) for of_seat in zip(*found, strict=True))


def _score_margins(before: Sequence[Estimate], after: Sequence[Estimate]) -> tuple[float, ...]:
    """Return by seat how much of the difference of the scores, deal by deal, may be chance."""
    changes = (
        [now - was for was, now in zip(one.scores, other.scores, strict=True)]
        for one, other in zip(before, after, strict=True)
    )
    return tuple(round(_margin(of_seat), 1) for of_seat in zip(*changes, strict=True))


def _margin(differences: Sequence[float]) -> float:
    """Return the mean difference up to which these differences may be chance."""
    return T_97_5[len(differences)] * _standard_error(differences)


def _standard_error(found: Sequence[float]) -> float:
    """Return the standard error of the mean."""
    return stdev(found) / sqrt(len(found))


class RevealedState(State):
    """A position for a search with nothing hidden: resampling it returns a copy."""

    def __init__(self, state: State) -> None:
        self.game = state.game
        self.state: Final = state

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> State:
        return self.state.clone()

    def clone(self) -> State:
        return self

    def current_player(self) -> i64:
        return self.state.current_player()

    def legal_into(self, actions: vec[i64]) -> i64:
        return self.state.legal_into(actions)


# The whole match.


class Store(Protocol):
    """A place to save judged decisions."""

    def decisions(self) -> list[Decision]:
        """Return the saved decisions, in the order of plies."""
        ...

    def add(self, decision: Decision) -> None: ...


Runner = Callable[[Sequence[PendingDecision]], Iterable[Decision]]
"""Judges pending decisions, in their order."""


def judge_in_process(waiting: Sequence[PendingDecision]) -> Iterator[Decision]:
    """Judge the decisions in this process, one by one."""
    return map(judge, waiting)


def review(
    match: Match, budget: Budget, *, viewer: int = SPECTATOR, store: Store | None = None, run: Runner = judge_in_process
) -> Iterator[Decision]:
    """Yield all decisions of a match, judged on demand; those in the store are not judged again."""
    saved = {decision.ply: decision for decision in store.decisions()} if store else {}
    waiting = pending_decisions(match, budget, viewer)
    fresh = iter(run([pending for pending in waiting if pending.ply not in saved]))
    for pending in waiting:
        if pending.ply in saved:
            yield saved[pending.ply]
            continue
        decision = next(fresh)
        if store:
            store.add(decision)
        yield decision
