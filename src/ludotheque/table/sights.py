"""The latest positions and moves of a match as one viewer saw them, described and drawn once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeVar, final

from msgspec import Struct, structs

from ludotheque.core.earnings import AT_ONCE, totals
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game import State
from ludotheque.core.ghosts import NO_GHOST, Ghost, ghost_between, scene_of
from ludotheque.core.observation import Observation
from ludotheque.core.scene import Scene
from ludotheque.table.timeline import Timeline

T = TypeVar("T")

_MOST_SIGHTS: Final = 3
"""The present, and the two between which its last move is drawn."""
_MOST_MOVES: Final = 64


@final
class Sight:
    """A position as one viewer sees it."""

    def __init__(self, position: State, viewer: int) -> None:
        self.position: Final = position
        self._viewer: Final = viewer

    @cached_property
    def observation(self) -> Observation:
        """The viewer's knowledge of the position."""
        seen: Observation = self.position.game.observe(self.position, self._viewer)
        return seen

    @cached_property
    def scene(self) -> Scene:
        """The picture of what the viewer knows."""
        drawn: Scene = self.position.game.scene(self.observation)
        return drawn


class SeenMove(Struct, frozen=True):
    """The action of a ply, as one viewer saw it."""

    ghost: Ghost
    """Its drawing on the board."""
    gains: tuple[int, ...]
    """The gain or loss of each seat by it, as far as that counts at once and the viewer may know it."""


@final
class Sights:
    """The sights of one viewer; the latest that was asked for is kept."""

    def __init__(self, timeline: Timeline, viewer: int) -> None:
        self._timeline: Final = timeline
        self._viewer: Final = viewer
        self._positions: OrderedDict[int, Sight] = OrderedDict()
        self._events: OrderedDict[int, Sequence[Event]] = OrderedDict()
        self._moves: OrderedDict[int, SeenMove] = OrderedDict()

    def position(self, ply: int) -> Sight:
        """The position at a ply."""
        return _kept(self._positions, ply, _MOST_SIGHTS, lambda: Sight(self._timeline.state_at(ply), self._viewer))

    def events(self, ply: int) -> Sequence[Event]:
        """The events of a ply."""
        return _kept(self._events, ply, _MOST_SIGHTS, lambda: self._seen_events(ply))

    def _seen_events(self, ply: int) -> Sequence[Event]:
        before, after = self.position(ply - 1).position, self.position(ply).position
        return self._timeline.game.seen_events(before, self._timeline.actions[ply - 1], after, self._viewer)

    def move(self, ply: int, at: int) -> SeenMove:
        """The action of a ply, to be drawn on the board of ply `at`."""
        move = _kept(self._moves, ply, _MOST_MOVES, lambda: self._seen_move(ply))
        return structs.replace(move, ghost=move.ghost.placed_on(self.position(at).scene))

    def _seen_move(self, ply: int) -> SeenMove:
        gains = tuple(totals(all_earnings(self.events(ply)), self._timeline.game.players, AT_ONCE))
        return SeenMove(self._ghost(ply), gains)

    def _ghost(self, ply: int) -> Ghost:
        game, action = self._timeline.game, self._timeline.actions[ply - 1]
        before, after = self.position(ply - 1), self.position(ply)
        if not game.sees(before.position, action, self._viewer):
            return NO_GHOST
        shown = game.before_clearing(before.position, action, after.position)
        new = after.scene if shown is after.position else scene_of(shown, self._viewer)
        return ghost_between(before.position, action, after.position, self._viewer, before.scene, new)

    def truncate(self, to_ply: int) -> None:
        """Forget the plies after this one."""
        for known in (self._positions, self._events, self._moves):
            for ply in [ply for ply in known if ply > to_ply]:
                del known[ply]


def _kept(known: OrderedDict[int, T], ply: int, most: int, find: Callable[[], T]) -> T:
    """Return what is known of a ply, or find it and forget what was not asked for the longest."""
    if ply not in known:
        known[ply] = find()
        if len(known) > most:
            known.popitem(last=False)
    known.move_to_end(ply)
    return known[ply]
