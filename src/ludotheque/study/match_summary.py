"""The summary of a match: what every ply did, what it earned, and what each seat could then expect.

While a game runs, the summary holds what its viewer may know; after the end, everything. It is plain data for charts,
tables and pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from librt.random import Random
from msgspec import Struct

from ludotheque.bots.tuning import speed
from ludotheque.core.earnings import AT_ONCE, Counts, Earning, Source, differences, sources, totals
from ludotheque.core.game import SPECTATOR, State
from ludotheque.core.phrases import Phrase, in_full, phrase
from ludotheque.core.policy import Policy, policy_of
from ludotheque.table import Match

DEALS: Final = 16
"""Possible deals of the hidden cards that are averaged to estimate a position."""
MOMENTS_PER_SECOND: Final = 2000
"""About how many positions are evaluated per second, each by as many quick games as that leaves time for."""
FEWEST_GAMES: Final = 2
MOST_MOMENTS: Final = 3
"""Moments of a match that are worth a picture."""
IN_THE_OPEN: Final[tuple[Counts, ...]] = ("now", "end")
LEAST_RISE: Final = 0.05
"""A smaller rise of the chances is within the error of the estimate."""
NOBODY: Final = -2
"""The actor at ply 0, before anything happened."""


class Moment(Struct, frozen=True, kw_only=True):
    """A ply, and the scores and expectations after it."""

    ply: int
    who: int
    """A seat, `CHANCE`, or `NOBODY` at ply 0."""
    words: tuple[Phrase, ...]
    """The lines of the viewer's log; several actions of a turn may be described at the last of them."""
    scores: tuple[int, ...]
    """Scores by seat, as if the game ended here; empty while the viewer may not know."""
    worth: tuple[int, ...]
    """Quick estimates of the final score by seat (`Game.worth`); empty like the scores."""
    expected_shares: tuple[float, ...]
    """Expected shares of the win by seat, by the bots' heuristic (`Policy`), without search."""
    expected_scores: tuple[float, ...]
    """Expected final scores by seat, from a few quick games played by that heuristic."""
    earned: tuple[Earning, ...]
    """Earnings and costs of the ply, by seat and source; empty like the scores."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A match from its first ply to the present, for one viewer."""

    game: str
    viewer: int
    names: tuple[str, ...]
    colours: tuple[str, ...]
    """Colours by seat: names of the palette, as on the board."""
    unit: Phrase
    """Unit of scores, worth and earnings."""
    has_worth: bool
    """Whether worth and score differ in this game."""
    is_over: bool
    is_played_out: bool
    """Whether it came to its last move: nobody resigned before, and it was not abandoned."""
    moments: tuple[Moment, ...]
    """From ply 0 on, so `moments[ply]` is the moment of a ply."""
    sources: tuple[Source, ...]
    """Sources of the scores; they add up to the scores of the last moment, if those are shown."""
    returns: tuple[float, ...]
    """Each seat's share of the win; empty before the end."""


def summarize_match(match: Match, viewer: int = SPECTATOR) -> MatchSummary:
    """Summarize a match so far, for one viewer."""
    moments = tuple(_Summarizer(match, viewer).moments())
    view = match.view(viewer)
    return MatchSummary(
        game=match.game.name,
        viewer=viewer,
        names=match.names,
        colours=tuple(match.game.seat_colours()),
        unit=match.game.unit(),
        has_worth=any(moment.worth != moment.scores for moment in moments),
        is_over=match.is_over,
        is_played_out=match.is_played_out,
        moments=moments,
        sources=sources((earning for moment in moments for earning in moment.earned), match.game.players),
        returns=view.returns,
    )


class Highlight(Struct, frozen=True):
    """A ply that decided much: a seat gained points, or only better chances."""

    ply: int
    seat: int
    gain: int = 0
    """Points; at the last ply, all that the final count brought."""
    rise: float = 0.0
    """The rise of the seat's expected share of the win, where points do not tell."""


def highlights(summary: MatchSummary) -> list[Highlight]:
    """Return the plies with the biggest gains of a seat, in the order of the match; where too few gave points, the
    decisions that improved the chances of a seat most."""
    gains = [_biggest_gain(summary, moment) for moment in summary.moments[1:] if moment.scores]
    found = sorted((gain for gain in gains if gain.gain > 0), key=lambda gain: (-gain.gain, gain.ply))[:MOST_MOMENTS]
    plies = {gain.ply for gain in found}
    rises = [_biggest_rise(before, after) for before, after in pairwise(summary.moments) if after.who >= 0]
    others = [rise for rise in rises if rise.rise >= LEAST_RISE and rise.ply not in plies]
    found += sorted(others, key=lambda rise: (-rise.rise, rise.ply))[: MOST_MOMENTS - len(found)]
    return sorted(found, key=lambda highlight: highlight.ply)


def _biggest_gain(summary: MatchSummary, moment: Moment) -> Highlight:
    """The biggest gain of a seat at a ply. What only the final count pays counts there, and amounts that no one could
    know before, such as the worth of hidden shares, count nowhere else."""
    is_last = summary.is_played_out and moment.ply == summary.moments[-1].ply
    gains = totals(moment.earned, len(summary.names), AT_ONCE if is_last else IN_THE_OPEN)
    seat = max(range(len(gains)), key=gains.__getitem__)
    return Highlight(moment.ply, seat, gain=gains[seat])


def _biggest_rise(before: Moment, after: Moment) -> Highlight:
    rises = [now - was for was, now in zip(before.expected_shares, after.expected_shares, strict=True)]
    seat = max(range(len(rises)), key=rises.__getitem__)
    return Highlight(after.ply, seat, rise=rises[seat])


class _Summarizer:
    """Replays a match and collects what the viewer may know of each position."""

    def __init__(self, match: Match, viewer: int) -> None:
        self.game: Final = match.game
        self.viewer: Final = viewer
        self.is_over: Final = match.is_over
        self.policy: Final[Policy] = policy_of(match.game)
        self.actions: Final = match.actions()
        self.words: Final[dict[int, list[Phrase]]] = {}
        for line in match.view(viewer).log:
            self.words.setdefault(line.ply, []).append(in_full(line.phrase))

    def moments(self) -> Iterator[Moment]:
        before = self.game.new_initial_state()
        nothing = [0] * self.game.players
        yield self.moment(0, NOBODY, before, differences(phrase("At the start"), nothing, before.scores()))
        for ply, (who, action) in enumerate(self.actions, 1):
            after = before.clone()
            after.apply(action)
            yield self.moment(ply, who, after, self.game.earnings(before, action, after))
            before = after

    def moment(self, ply: int, who: int, state: State, earned: Sequence[Earning]) -> Moment:
        shown = self.is_over or self.game.shows_scores(state, self.viewer)
        return Moment(
            ply=ply,
            who=who,
            words=tuple(self.words.get(ply, ())),
            scores=tuple(state.scores()) if shown else (),
            worth=tuple(self.game.worth(state)) if shown else (),
            expected_shares=self.expected_shares(ply, state),
            expected_scores=self.expected_scores(ply, state),
            earned=tuple(earned) if shown else (),
        )

    def expected_shares(self, ply: int, state: State) -> tuple[float, ...]:
        """Estimate the shares of the win: from the true position after the end, before that from possible deals."""
        if self.is_over or not self.game.has_hidden_information:
            return _rounded(self.policy.expected_shares(state))
        rng = Random(ply)
        deals = [self.policy.expected_shares(state.resample_from_infostate(self.viewer, rng)) for _ in range(DEALS)]
        return _rounded([sum(shares) / DEALS for shares in zip(*deals, strict=True)])

    def expected_scores(self, ply: int, state: State) -> tuple[float, ...]:
        """Estimate the final scores from the same positions."""
        rng = Random(ply)
        games = max(FEWEST_GAMES, speed(self.game).simulations // MOMENTS_PER_SECOND)
        if self.is_over or not self.game.has_hidden_information:
            return _rounded(self.policy.expected_scores(state, games, rng), 1)
        deals = [state.resample_from_infostate(self.viewer, rng) for _ in range(games)]
        ends = [self.policy.expected_scores(deal, 1, rng) for deal in deals]
        return _rounded([sum(scores) / games for scores in zip(*ends, strict=True)], 1)


def _rounded(numbers: Sequence[float], digits: int = 4) -> tuple[float, ...]:
    return tuple(round(number, digits) for number in numbers)
