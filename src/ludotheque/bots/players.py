"""Computer players: at random, one move ahead, one turn ahead, by the policy alone, and by search.

A bot gets a `Turn`. Its state is not the true one, and still each bot first deals anew what its seat cannot see. Bots
draw their luck from a seed, so a bot with the same seed that gets the same turns makes the same choices; only those
with a time limit cannot promise it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from time import perf_counter
from typing import Final

from librt.random import Random

from ludotheque.bots.bot import Bot
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.search import BATCH, SearchTree, new_search
from ludotheque.bots.styles import lean
from ludotheque.bots.tuning import Style, speed
from ludotheque.core.errors import BadPosition
from ludotheque.core.game import Game, State
from ludotheque.core.policy import pick, policy_of
from ludotheque.core.turn import SeenPly, Turn

EFFORT: Final = 8
"""Positions that a bot may look at for each of its simulations, to work out how the game ends."""
SHORT_LIST: Final = 12
"""The most visited moves among which a weak level may slip."""
PLAIN_SCALE: Final = 0.1
"""The error scale up to which no slip loses more than the policy's `worst_slip`."""
LEAST_OPEN: Final = 0.05
"""However clear a game is, slips are at least this part of those in an open one."""


class BuiltinBot(Bot):
    """A bot of this package, for any game."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game: Final = game
        self.rng: Final = Random(seed)

    def choose(self, turn: Turn) -> int:
        self.check(turn)
        return self._choose(turn.state.resample_from_infostate(turn.seat, self.rng), turn.seat)

    def check(self, turn: Turn) -> None:
        """Raise `BadPosition` if the turn is one of another game."""
        if turn.game != self.game:
            raise BadPosition(f"This bot plays {self.game}, not {turn.game}.")

    def _choose(self, seen: State, seat: int) -> int:
        """Choose in a position that the seat cannot tell from the true one."""
        raise NotImplementedError

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        """Do nothing: built-in bots do not learn from results."""

    def close(self) -> None:
        """Do nothing: built-in bots hold nothing but memory."""

    def best_of(self, values: Mapping[int, float]) -> int:
        """The action of the greatest value; ties by chance."""
        most = max(values.values())
        best = [action for action, value in values.items() if value == most]
        return best[self.rng.randrange(len(best))]


class RandomBot(BuiltinBot):
    """Any legal move, all equally likely."""

    def _choose(self, seen: State, seat: int) -> int:
        return int(seen.sample(self.rng))


class MyopicBot(BuiltinBot):
    """The move after which its score is furthest ahead of the best other one; ties by chance."""

    def _choose(self, seen: State, seat: int) -> int:
        return self.best_of({action: self._lead_after(seen, action, seat) for action in seen.legal_actions()})

    def _lead_after(self, state: State, action: int, seat: int) -> int:
        after = state.clone()
        after.apply(action)
        scores = after.scores()
        return scores[seat] - max((score for other, score in enumerate(scores) if other != seat), default=0)


class _PolicyUser(BuiltinBot):
    """A bot that asks the game's policy."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self.policy: Final = policy_of(game)


class GreedyBot(_PolicyUser):
    """The move that leads to the best position at the end of its turn, by the policy's evaluation; ties by chance."""

    def _choose(self, seen: State, seat: int) -> int:
        return self.best_of(self.policy.turn_values(seen))


class PolicyBot(_PolicyUser):
    """The move that the game's policy likes best, without search; ties by chance."""

    def _choose(self, seen: State, seat: int) -> int:
        return self.best_of(self.policy.weigh(seen))


class SearchBot(_PolicyUser):
    """Search for a number of simulations or seconds; with an `error_scale`, slip among moves that look nearly as good.

    The `error_scale` is the loss, as a part of the win, that makes a move half as likely as the best. No slip loses
    more points than `worst_slip` by the lookahead, and all are plausible to the policy. With `slips_unseen` it may also
    slip to moves that the search never tried, judged by the lookahead; if that is not given, the policy says it. A
    `style` makes some slips likelier.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        simulations: int = 0,
        seconds: float = 0.0,
        error_scale: float = 0.0,
        slips_unseen: bool | None = None,
        style: Style | None = None,
    ) -> None:
        assert simulations > 0 or seconds > 0, "a search needs simulations, or time"
        super().__init__(game, seed)
        self.simulations: Final = simulations
        self.seconds: Final = seconds
        self.error_scale: Final = error_scale
        self.worst_slip: Final = worst_slip(self.policy.worst_slip, error_scale)
        self.slips_unseen: Final = self.policy.slips_unseen if slips_unseen is None else slips_unseen
        self.style: Final = style
        self._search: SearchTree | None = None
        self._events: list[SeenPly] = []
        """The plies before the root of the tree."""

    def choose(self, turn: Turn) -> int:
        self.check(turn)
        if len(turn.legal) == 1:
            return turn.legal[0]
        deadline = perf_counter() + self.seconds
        search = self._begin(turn)
        if self.error_scale:
            self._simulate(search, deadline, stop_early=True)
            return self._slip(search.candidates(), turn.state, turn.seat)
        if not search.solve(self._effort()):
            self._simulate(search, deadline, stop_early=True)
        return search.candidates()[0].action

    def think(self, turn: Turn) -> list[Candidate]:
        """Search, even where the end can be worked out; return the moves that were tried, the best first."""
        self.check(turn)
        deadline = perf_counter() + self.seconds
        search = self._begin(turn)
        search.solve(self._effort())
        self._simulate(search, deadline, stop_early=False)
        return search.candidates()

    def _effort(self) -> int:
        """The positions that the solver may look at: about as long as the search takes, or for half of a given time."""
        simulations = self.simulations or round(self.seconds / 2 * speed(self.game).simulations)
        return EFFORT * max(1, simulations)

    def _simulate(self, search: SearchTree, deadline: float, *, stop_early: bool) -> None:
        """Use up the simulations or the time; on request, stop once the rest cannot change the choice."""
        if self.seconds:
            self._simulate_until(search, deadline, stop_early)
            return
        missing = max(1, self.simulations - search.simulations())
        if stop_early:
            search.run_until_decided(missing, self.rng)
        else:
            search.run(missing, self.rng)

    def _simulate_until(self, search: SearchTree, deadline: float, stop_early: bool) -> None:
        """Run at least one batch, then others until the deadline."""
        begin = perf_counter()
        done = 0
        while True:
            search.run(BATCH, self.rng)
            done += BATCH
            now = perf_counter()
            left = int(done / (now - begin) * (deadline - now))
            if left <= 0 or (stop_early and search.is_decided(left)):
                return

    def _begin(self, turn: Turn) -> SearchTree:
        """A tree for this position, with what an earlier one knows of it."""
        state = turn.state.clone()
        if self._search is None:
            self._search = new_search(self.game, self.policy, state, turn.seat)
        else:
            self._search.advance(state, turn.seat, self._actions_since(turn.events))
        self._events = list(turn.events)
        return self._search

    def _actions_since(self, events: Sequence[SeenPly]) -> list[int]:
        """The actions that lead from the root of the tree to this decision; empty if moves were taken back, or if not
        all of them were seen."""
        known = len(self._events)
        later = [action for _, action in events[known:] if action is not None]
        follows = list(events[:known]) == self._events and len(later) == len(events) - known
        return later if follows else []

    def _slip(self, found: Sequence[Candidate], state: State, seat: int) -> int:
        """A move that a person might take for the best."""
        seen = state.resample_from_infostate(seat, self.rng)
        values = self.policy.turn_values(seen)
        plausible = self._without_absurd(found[:SHORT_LIST], values)
        penalty = self.policy.visit_penalty
        returns = {move.action: move.returns[seat] - penalty / sqrt(move.visits) for move in plausible}
        best = max(returns.values())
        if self.slips_unseen:
            returns = self._unseen(values, best, self.policy.lead_scale_at(seen)) | returns
        scale = self.error_scale * openness(best, self.game.players)
        doublings = {action: (value - best) / scale for action, value in returns.items()}
        if self.style:
            doublings = lean(self.style, self.policy, seen, doublings)
        return list(doublings)[pick([2.0**each for each in doublings.values()], self.rng)]

    def _without_absurd(self, found: Sequence[Candidate], values: dict[int, float]) -> Sequence[Candidate]:
        """The plausible moves that lose little by a lookahead over the turn, and the most visited one in any case."""
        kept = self._plausible(values)
        return [move for move in found if move is found[0] or move.action in kept]

    def _plausible(self, values: dict[int, float]) -> dict[int, float]:
        """The actions that a person might take by a slip, by what they are worth at the end of the turn."""
        least = max(values.values()) - self.worst_slip
        return {
            action: value for action, value in values.items() if value >= least and self.policy.is_plausible(action)
        }

    def _unseen(self, values: dict[int, float], best: float, lead: float) -> dict[int, float]:
        """Return the expected result of each plausible move, if the best gives `best`."""
        top = max(values.values())
        slope = max(0.0, best * (1 - best)) / lead
        return {action: best - slope * (top - value) for action, value in self._plausible(values).items()}


def worst_slip(plain: float, error_scale: float) -> float:
    """Return the points that a slip may lose at most: `plain` of them, and more for a player who slips a lot. Among
    moves that differ by little, no choice makes a player weak."""
    return plain * max(1.0, sqrt(error_scale / PLAIN_SCALE))


def openness(share: float, seats: int) -> float:
    """Return how much of the win the same points are worth to a seat that expects this share of it: 1 in an open game,
    little in one that is won or lost. A slip costs points, so in a clear game it must not pass for a small one."""
    even = 1 / seats
    return min(1.0, max(LEAST_OPEN, share * (1 - share) / (even * (1 - even)))) if seats > 1 else 1.0
