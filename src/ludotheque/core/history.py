"""A game from its first position on, with what happened: for algorithms that need histories and perfect recall.

A `State` is small and forgets how it came about, so that it can be copied millions of times. A `History` keeps both:
the position, and every action and draw that led to it. It has the methods of a state, except those for hot loops.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, SupportsIndex

import msgspec

from ludotheque.core.game import CHANCE, Game, State, check_viewer
from ludotheque.core.observation import HIDDEN, Observation
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

    def child(self, action: SupportsIndex) -> History:
        """A copy after a legal action, or a chance outcome; this one does not change."""
        after = self.clone()
        after.apply_action(action)
        return after

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

    # The present position, as a `State` has it.

    def current_player(self) -> int:
        """The seat to act, from 0; `CHANCE` at a draw, `TERMINAL` after the end."""
        return int(self.state.current_player())

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def is_chance_node(self) -> bool:
        return self.state.is_chance_node()

    def sample(self, rng: Random) -> int:
        """Draw a legal action, each equally likely; at a chance node, an outcome by its weight."""
        return int(self.state.sample(rng))

    def is_legal(self, action: SupportsIndex) -> bool:
        """Whether the player to act can do this, or chance can draw it."""
        return self.state.is_legal(action)

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """The actions of the player to act, or of a given one, ascending; the outcomes at a chance node."""
        return self.state.legal_actions(player)

    def legal_actions_mask(self, player: SupportsIndex | None = None) -> bytearray:
        """A byte for each action, at a chance node for each outcome: 1 where it is legal."""
        return self.state.legal_actions_mask(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, the outcomes and their probabilities."""
        return self.state.chance_outcomes()

    def weighted_outcomes(self) -> list[tuple[int, int]]:
        """At a chance node, the outcomes and their weights."""
        return self.state.weighted_outcomes()

    def scores(self) -> list[int]:
        """Each seat's points or money, as if the game ended now."""
        return self.state.scores()

    def returns(self) -> list[float]:
        """Each seat's share of the win; zeros before the end."""
        return self.state.returns()

    def action_to_string(self, action: SupportsIndex) -> str:
        """The game's notation for a legal action or a chance outcome."""
        return self.state.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """Parse a legal action or chance outcome."""
        return self.state.string_to_action(text)

    def string_to_actions(self, text: str) -> list[int]:
        """Parse a line of legal actions, to be carried out one after the other."""
        return self.state.string_to_actions(text)

    def observation(self, viewer: SupportsIndex) -> Observation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return self.state.observation(viewer)

    def position(self) -> str:
        """The whole position as one line of text."""
        return self.state.position()

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> History:
        """The same as `resampled`, under the name that a state has for it."""
        return self.resampled(viewer, rng)

    # Comparing, by what happened and the position; copying.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return self._events == other._events and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.state, len(self._events)))

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"<History of {len(self._events)} actions and draws of {self.game}>"

    def _repr_svg_(self) -> str:
        return self.state._repr_svg_()

    def __copy__(self) -> History:
        return self.clone()

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
