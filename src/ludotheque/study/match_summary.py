"""The story of a match: what every ply did, what it earned whom, and what each seat could then hope for.

While a game runs, the story holds what its viewer may know; after the end, everything. It is plain data for charts,
tables and pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from librt.random import Random
from msgspec import Struct

from ludotheque.core.earnings import Earning, Source, differences, sources
from ludotheque.core.game import SPECTATOR, State
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.policy import Policy, policy_of
from ludotheque.table import Match

DEALS: Final = 16
"""So many deals of what the viewer does not see are averaged to estimate a position."""
MOMENTS_A_SECOND: Final = 2000
"""So many positions are foreseen in a second, about: each by as many quick games as there is time for."""
NOBODY: Final = -2
"""Who acted at ply 0, where nothing had happened yet."""


class Moment(Struct, frozen=True, kw_only=True):
    """A ply, and how things stood after it."""

    ply: int
    who: int
    """A seat, `CHANCE`, or `NOBODY` at ply 0."""
    words: tuple[Phrase, ...]
    """The lines of the viewer's log; several small actions of a turn may be told at the last of them."""
    scores: tuple[int, ...]
    """By seat, as if the game ended here; empty while the viewer may not know."""
    worth: tuple[int, ...]
    """By seat: what it would end with if all went on as it is (`Game.worth`); empty like the scores."""
    expected: tuple[float, ...]
    """By seat: the share of the win to expect, by the rule of thumb of the bots (`Policy`), without any search."""
    foreseen: tuple[float, ...]
    """By seat: the final score to expect, by a few quick games from there on, played by that rule of thumb."""
    earned: tuple[Earning, ...]
    """What the ply earned or cost, by seat and source; empty like the scores."""


class Story(Struct, frozen=True, kw_only=True):
    """A match from its first ply to the present, for one viewer."""

    game: str
    viewer: int
    names: tuple[str, ...]
    unit: Phrase
    """What scores, worth and earnings are counted in."""
    has_worth: bool
    """Whether the game tells worth and score apart."""
    is_over: bool
    moments: tuple[Moment, ...]
    """From ply 0 on, so that the moment of a ply is at its number."""
    sources: tuple[Source, ...]
    """Where the scores come from; they add up to the scores of the last moment, wherever those are shown."""
    returns: tuple[float, ...]
    """Each seat's share of the win; empty before the end."""


def story(match: Match, viewer: int = SPECTATOR) -> Story:
    """The story of a match so far."""
    moments = tuple(_Teller(match, viewer).moments())
    view = match.view(viewer)
    return Story(
        game=match.game.name,
        viewer=viewer,
        names=match.names,
        unit=match.game.unit(),
        has_worth=any(moment.worth != moment.scores for moment in moments),
        is_over=match.is_over,
        moments=moments,
        sources=sources((earning for moment in moments for earning in moment.earned), match.game.players),
        returns=view.returns,
    )


class _Teller:
    """Folds the history of a match, and tells of each position what the viewer may know."""

    def __init__(self, match: Match, viewer: int) -> None:
        self.game: Final = match.game
        self.viewer: Final = viewer
        self.is_over: Final = match.is_over
        self.policy: Final[Policy] = policy_of(match.game)
        self.actions: Final = match.actions()
        self.words: Final[dict[int, list[Phrase]]] = {}
        for line in match.view(viewer).log:
            self.words.setdefault(line.ply, []).append(line.phrase)

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
            expected=self.expected(ply, state),
            foreseen=self.foreseen(ply, state),
            earned=tuple(earned) if shown else (),
        )

    def expected(self, ply: int, state: State) -> tuple[float, ...]:
        """From the true position after the end; before, from what it might be for all that the viewer knows."""
        if self.is_over or not self.game.has_hidden_information:
            return _rounded(self.policy.expected(state))
        rng = Random(ply)
        deals = [self.policy.expected(state.resample_from_infostate(self.viewer, rng)) for _ in range(DEALS)]
        return _rounded([sum(shares) / DEALS for shares in zip(*deals, strict=True)])

    def foreseen(self, ply: int, state: State) -> tuple[float, ...]:
        """From the same positions."""
        rng = Random(ply)
        games = max(1, self.policy.simulations_per_second // MOMENTS_A_SECOND)
        if self.is_over or not self.game.has_hidden_information:
            return _rounded(self.policy.foreseen(state, games, rng), 1)
        deals = [state.resample_from_infostate(self.viewer, rng) for _ in range(games)]
        ends = [self.policy.foreseen(deal, 1, rng) for deal in deals]
        return _rounded([sum(scores) / games for scores in zip(*ends, strict=True)], 1)


def _rounded(numbers: Sequence[float], digits: int = 4) -> tuple[float, ...]:
    return tuple(round(number, digits) for number in numbers)
