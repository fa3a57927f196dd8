"""A game from its first position on, with what happened: for algorithms that need histories and perfect recall.

A `State` is small and forgets how it came about, so that it can be copied millions of times. A `History` keeps both:
the position, and every action and draw that led to it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, SupportsIndex

import msgspec

from ludotheque.core.game import CHANCE, Game, State, check_viewer
from ludotheque.core.observation import HIDDEN
from ludotheque.core.randoms import Random

_DIGITS: Final = 16
"""Hexadecimal digits of a digest: enough that no two observations of any run share one."""


class History:
    """A position, and the actions and draws that led to it."""

    def __init__(self, game: Game, start: State | None = None) -> None:
        """Start with the game's first position, or with a copy of another."""
        self.game = game
        self._states: list[State] = [start.clone() if start else game.new_initial_state()]
        self._events: list[tuple[int, int]] = []
        self._recalled: dict[int, list[str]] = {}
        self._before: dict[int, list[str]] = {}

    @property
    def state(self) -> State:
        """The present position. Do not change it: play by `apply_action`."""
        return self._states[-1]

    def apply_action(self, action: SupportsIndex) -> None:
        """Carry out a legal action, or a chance outcome, and remember it."""
        after = self.state.child(action)
        self._events.append((int(self.state.current_player()), action.__index__()))
        self._states.append(after)

    def history(self) -> list[int]:
        """All actions and chance outcomes so far."""
        return [action for _, action in self._events]

    def full_history(self) -> list[tuple[int, int]]:
        """The same with the player who acted, `CHANCE` for a draw."""
        return list(self._events)

    def information_state_string(self, player: SupportsIndex) -> str:
        """All that `player` has seen since the start, with perfect recall: two histories have the same string exactly
        if this player cannot tell them apart.

        A word for each action or draw (who, what or `?`, and a digest of what was seen then), and what is seen now.
        """
        viewer = check_viewer(player, self.game.players)
        words = self._recalled.setdefault(viewer, [])
        for ply in range(len(words), len(self._events)):
            words.append(self._word(ply, viewer))
        return " ".join([*self._before.get(viewer, []), *words, self._seen(len(self._events), viewer).decode()])

    def resampled(self, player: SupportsIndex, rng: Random) -> History:
        """A position that `player` cannot tell from the present one, with what this player remembers and no more: who
        did what before is not known, so the other players remember nothing."""
        self.information_state_string(player)
        viewer = player.__index__()
        copy = History(self.game, self.state.resample_from_infostate(viewer, rng))
        copy._before = {viewer: [*self._before.get(viewer, []), *self._recalled[viewer]]}
        return copy

    def _word(self, ply: int, player: int) -> str:
        who, action = self._events[ply]
        what = str(action) if self.game.sees(self._states[ply], action, player) else HIDDEN
        actor = "draw" if who == CHANCE else str(who)
        return f"{actor}:{what}/{sha256(self._seen(ply + 1, player)).hexdigest()[:_DIGITS]}"

    def _seen(self, ply: int, player: int) -> bytes:
        return msgspec.json.encode(self._states[ply].observation(player))

    def __deepcopy__(self, memo: object) -> History:
        return self.clone()

    def clone(self) -> History:
        """An independent copy; the positions themselves are shared."""
        copy = History.__new__(History)
        copy.game = self.game
        copy._states = self._states[:]
        copy._events = self._events[:]
        copy._before = self._before
        copy._recalled = {player: words[:] for player, words in self._recalled.items()}
        return copy
