"""Many games at once, stepped together: what a learner reads are arrays that never move. Compiled.

A `Batch` holds `size` games. In each of them a seat is to act: `to_move`. `step` takes an action for every game, plays
the draws that follow, and starts a game anew when it is over. All arrays are packed, and `ludotheque.arrays` shows them
to NumPy without copying.

    to_move[i]                 the seat to act in game i
    mask[actions * i + a]      1 if that seat may do a
    legal[most * i + k]        the k-th of counts[i] legal actions
    words[width * i + w]       what that seat knows (`Planes`)
    moved[i]                   the seat that acted in the last step
    rewards[seats * i + s]     what each seat got by the last step: its share of the win at the end, else 0
    done[i]                    1 if the last step ended the game (or cut it off: truncated[i]), and another was begun
    final_words[(seats * i + s) * width + w]    what each seat saw last of the game that the last step ended
"""

from __future__ import annotations

from typing import Final, SupportsIndex, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.errors import BadOption, IllegalMove
from ludotheque.core.game import CHANCE, TERMINAL, Game, State
from ludotheque.core.numbers import as_int
from ludotheque.core.phrases import short_repr
from ludotheque.core.planes import Planes, planes_of
from ludotheque.core.randoms import check_seed

MOST_GAMES: Final = 1 << 20
MOST_DECISIONS: Final = 1 << 40


@final
class Batch:
    """Games that are played side by side."""

    game: Game
    size: i64
    seats: i64
    actions: i64
    """How many actions the game has, legal or not."""
    most: i64
    """How many of them can be legal at once."""
    width: i64
    """How many words an observation has; 0 if none are written."""
    max_decisions: i64

    to_move: vec[i64]
    mask: vec[u8]
    legal: vec[i64]
    counts: vec[i64]
    words: vec[i64]
    moved: vec[i64]
    rewards: vec[float]
    done: vec[u8]
    truncated: vec[u8]
    final_words: vec[i64]
    decisions: vec[i64]
    """By game: how many decisions have been made since it began."""

    _states: list[State]
    _start: State
    _planes: Planes
    _rng: Random
    _buffer: vec[i64]
    _returns: vec[float]

    def __init__(
        self,
        game: Game,
        size: SupportsIndex,
        seed: SupportsIndex,
        *,
        planes: bool = True,
        max_decisions: SupportsIndex = 0,
    ) -> None:
        """Start `size` games. Without `planes` no observations are written; a game of more than `max_decisions`
        decisions is cut off (0: never)."""
        games = _within(size, "The size of a batch", 1, MOST_GAMES)
        self.game = game
        self.size = games
        self.seats = game.players
        self.actions = game.num_distinct_actions()
        self.most = game.max_legal_actions()
        self.max_decisions = _within(max_decisions, "The number of decisions", 0, MOST_DECISIONS)
        self._rng = Random(check_seed(seed))
        self._planes = planes_of(game)
        self.width = self._planes.layout.words if planes else 0
        self._allocate()
        self._start = game.new_initial_state()
        self._states = [self._begun() for _ in range(games)]
        game_number: i64 = 0
        while game_number < self.size:
            self._look(game_number)
            game_number += 1

    def _allocate(self) -> None:
        size = int(self.size)
        self.to_move = vec[i64]([0] * size)
        self.mask = vec[u8]([u8(0)] * (size * int(self.actions)))
        self.legal = vec[i64]([0] * (size * int(self.most)))
        self.counts = vec[i64]([0] * size)
        self.words = vec[i64]([0] * (size * int(self.width)))
        self.moved = vec[i64]([-1] * size)
        self.rewards = vec[float]([0.0] * (size * int(self.seats)))
        self.done = vec[u8]([u8(0)] * size)
        self.truncated = vec[u8]([u8(0)] * size)
        self.final_words = vec[i64]([0] * (size * int(self.seats) * int(self.width)))
        self.decisions = vec[i64]([0] * size)
        self._buffer = self.game.new_buffer()
        self._returns = vec[float]([0.0] * int(self.seats))

    def __len__(self) -> int:
        return int(self.size)

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.game}>"

    def state(self, number: SupportsIndex) -> State:
        """A copy of the position of one game."""
        return self._states[_within(number, "The number of a game", 0, int(self.size) - 1)].clone()

    def reseed(self, seed: SupportsIndex) -> None:
        """Make all draws from here on follow from another seed: to go on later exactly as from here."""
        self._rng.seed(check_seed(seed))

    def step(self, actions: object) -> None:
        """Carry out an action in each game: a list of integers, or anything with `tolist`, such as an array.

        All of them are checked first; if one is not legal, nothing is done.
        """
        chosen = _listed(actions)
        if len(chosen) != int(self.size):
            raise BadOption(f"A step of this batch takes {self.size} actions, not {len(chosen)}.")
        number: i64 = 0
        while number < self.size:
            if not self._may(number, chosen[number]):
                raise IllegalMove(f"Action {short_repr(chosen[number])} is not legal in game {number} of the batch.")
            number += 1
        number = 0
        while number < self.size:
            self._step(number, i64(chosen[number]))
            number += 1

    def _may(self, number: i64, action: int) -> bool:
        """Whether an action, a number of any size, is legal in one game."""
        return 0 <= action < int(self.actions) and self.mask[self.actions * number + i64(action)] == 1

    def _step(self, number: i64, action: i64) -> None:
        state = self._states[number]
        self.moved[number] = self.to_move[number]
        state.apply(action)
        self._draw(state)
        self.decisions[number] += 1
        over = state.current_player() == TERMINAL
        cut = not over and self.max_decisions > 0 and self.decisions[number] >= self.max_decisions
        if self.done[number] != 0:
            self._clear_rewards(number)
        self.truncated[number] = 1 if cut else 0
        if over or cut:
            self.done[number] = 1
            self._finish(number, state)
            self._states[number] = self._begun()
        else:
            self.done[number] = 0
        self._look(number)

    def _draw(self, state: State) -> None:
        while state.current_player() == CHANCE:
            state.apply(state.sample(self._rng))

    def _begun(self) -> State:
        """A new game, with the draws before its first move made."""
        state = self._start.clone()
        self._draw(state)
        return state

    def _clear_rewards(self, number: i64) -> None:
        seat: i64 = 0
        while seat < self.seats:
            self.rewards[self.seats * number + seat] = 0.0
            seat += 1

    def _finish(self, number: i64, state: State) -> None:
        """Write what each seat got and saw at the end."""
        self.decisions[number] = 0
        state.returns_into(self._returns)
        seat: i64 = 0
        while seat < self.seats:
            place = self.seats * number + seat
            self.rewards[place] = self._returns[seat]
            if self.width > 0:
                self._planes.observation_into(state, self.final_words, self.width * place, seat)
            seat += 1

    def _look(self, number: i64) -> None:
        """Write whose turn it is, what they can do and what they know."""
        state = self._states[number]
        player = state.current_player()
        self.to_move[number] = player
        self._list_actions(number, state)
        if self.width > 0:
            self._planes.observation_into(state, self.words, self.width * number, player)

    def _list_actions(self, number: i64, state: State) -> None:
        """Change the mask where it changes: the actions that were legal before are known."""
        mask = self.mask
        legal = self.legal
        buffer = self._buffer
        first = self.most * number
        row = self.actions * number
        i: i64 = 0
        count = self.counts[number]
        while i < count:
            mask[row + legal[first + i]] = 0
            i += 1
        count = state.legal_into(buffer)
        i = 0
        while i < count:
            action = buffer[i]
            legal[first + i] = action
            mask[row + action] = 1
            i += 1
        self.counts[number] = count


def _listed(actions: object) -> list[int]:
    """The actions as plain integers."""
    if isinstance(actions, list):
        return [as_int(action, "An action", IllegalMove) for action in actions]
    if hasattr(actions, "tolist"):
        return _listed(actions.tolist())
    raise BadOption("A step of a batch takes a list of actions, or an array of them.")


def _within(value: SupportsIndex, what: str, least: int, most: int) -> int:
    """A number that a caller gave, if it lies between two others."""
    number = as_int(value, what, BadOption)
    if not least <= number <= most:
        raise BadOption(f"{what} is from {least} to {most}, not {short_repr(number)}.")
    return number
