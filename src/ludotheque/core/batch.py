"""Many games at once, stepped together: what a learner reads are arrays that never move. Compiled.

A `Batch` holds `size` games. In each of them a seat is to act: `to_move`. `step` takes an action for every game, plays
the draws that follow, and starts a game anew when it is over. All arrays are packed, and `ludotheque.arrays` shows them
to NumPy without copying. Each game draws from a separate generator, so game 0 is the same in a batch of any size.

    to_move[i]                              the seat to act in game i
    mask[num_distinct_actions * i + a]      1 if that seat may do a
    legal[max_legal_actions * i + k]        the k-th of legal_counts[i] legal actions
    words[width * i + w]                    what that seat knows (`Planes`)
    movers[i]                               the seat that acted in the last step
    rewards[seats * i + s]                  what each seat got by the last step: its share of the win at the end, else 0
    done[i]                                 1 if the last step ended the game (or cut it off: truncated[i]), and another
                                            was begun
    final_words[(seats * i + s) * width + w]    what each seat saw last of the game that the last step ended
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, SupportsIndex, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.errors import BadOption, IllegalMove
from ludotheque.core.game import CHANCE, TERMINAL, Game, State, check_viewer
from ludotheque.core.numbers import as_int
from ludotheque.core.phrases import short_repr
from ludotheque.core.planes import Planes, planes_of
from ludotheque.core.randoms import check_seed, save_random
from ludotheque.core.saved_batch import LastStep, SavedBatch, read_saved_batch

MOST_GAMES: Final = 1 << 20
MOST_DECISIONS: Final = 1 << 40


@final
class Batch:
    """Games that are played side by side."""

    game: Game
    size: i64
    """Number of games."""
    seats: i64
    """Number of seats in each game."""
    num_distinct_actions: i64
    """Number of actions in the game, legal or not."""
    max_legal_actions: i64
    """Largest number of actions that can be legal at once."""
    width: i64
    """Words in an observation; 0 if none are written."""
    max_decisions: i64
    """Decisions after which a game is cut off; 0 for never."""

    to_move: vec[i64]
    """The seat to act, by game."""
    mask: vec[u8]
    """1 for each legal action, else 0: `num_distinct_actions` bytes for each game."""
    legal: vec[i64]
    """The legal actions: `max_legal_actions` places for each game, of which the first `legal_counts` are filled."""
    legal_counts: vec[i64]
    """Number of legal actions, by game."""
    words: vec[i64]
    """The knowledge of the seat to act, as `Planes` writes it: `width` words for each game."""
    movers: vec[i64]
    """The seat that acted in the last step, by game; -1 before the first."""
    rewards: vec[float]
    """The share of the win that the last step brought each seat, by game and seat."""
    done: vec[u8]
    """1 for each game that the last step ended or cut off; another has begun in its place."""
    truncated: vec[u8]
    """1 for each game that the last step cut off after `max_decisions`."""
    final_words: vec[i64]
    """The last observation of each seat in a game that the last step ended: `width` words by game and seat."""
    decisions: vec[i64]
    """Decisions made since the start, by game."""

    _states: list[State]
    _starts: list[State]
    """Game i begins at the start `i % len(starts)`."""
    _planes: Planes
    _rngs: list[Random]
    """Generators of the draws, by game."""
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
        starts: Sequence[State] | None = None,
    ) -> None:
        """Start `size` games. Without `planes` no observations are written; a game of more than `max_decisions`
        decisions is cut off (0: never). With `starts` the games begin at these positions, dealt round."""
        self.game = game
        self.size = _within(size, "The size of a batch", 1, MOST_GAMES)
        self.seats = game.players
        self.num_distinct_actions = game.num_distinct_actions()
        self.max_legal_actions = game.max_legal_actions()
        self.max_decisions = _within(max_decisions, "The number of decisions", 0, MOST_DECISIONS)
        self._planes = planes_of(game)
        self.width = self._planes.width if planes else 0
        self._allocate()
        self._starts = [game.new_initial_state()] if starts is None else [self._start(state) for state in starts]
        if not self._starts:
            raise BadOption("A batch needs a position to start from.")
        self._rngs = [Random(seed) for seed in _seeds(seed, self.size)]
        self._states = [self._begun(number) for number in range(self.size)]
        self._look_everywhere()

    def _allocate(self) -> None:
        size = int(self.size)
        self.to_move = vec[i64]([0] * size)
        self.mask = vec[u8]([u8(0)] * (size * int(self.num_distinct_actions)))
        self.legal = vec[i64]([0] * (size * int(self.max_legal_actions)))
        self.legal_counts = vec[i64]([0] * size)
        self.words = vec[i64]([0] * (size * int(self.width)))
        self.movers = vec[i64]([-1] * size)
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

    def seat_words(self, seat: SupportsIndex) -> vec[i64]:
        """Return what one seat knows in each game, whether it is to act or not: `width` words for each."""
        viewer = check_viewer(seat, self.game.players)
        words = vec[i64]([0] * (int(self.size) * int(self.width)))
        number: i64 = 0
        while number < self.size and self.width > 0:
            self._planes.observation_into(self._states[number], words, self.width * number, viewer)
            number += 1
        return words

    # Starting, copying and saving.

    def reset(self, number: SupportsIndex, start: State | None = None) -> None:
        """Begin one game anew: at its start, or at another position."""
        which = _within(number, "The number of a game", 0, int(self.size) - 1)
        state = self._begun(which) if start is None else self._drawn(which, self._start(start).clone())
        self._states[which] = state
        self.decisions[which] = 0
        self.movers[which] = -1
        self.done[which] = 0
        self.truncated[which] = 0
        self._clear_rewards(which)
        self._look(which)

    def reseed(self, seed: SupportsIndex) -> None:
        """Make all draws from here on follow from another seed: to go on later exactly as from here."""
        for rng, own in zip(self._rngs, _seeds(seed, self.size), strict=True):
            rng.seed(own)

    def clone(self) -> Batch:
        """An independent copy, whose draws are those of this batch from here on."""
        copy = Batch(self.game, int(self.size), 0, planes=self.width > 0, max_decisions=int(self.max_decisions))
        copy._starts = self._starts
        copy._states = [state.clone() for state in self._states]
        copy._rngs = [Random(save_random(rng)) for rng in self._rngs]
        copy._read_steps(self._steps())
        copy.final_words = self.final_words[:]
        copy._look_everywhere()
        return copy

    def save(self) -> bytes:
        """Everything that a batch of the same game and size needs to go on as this one does."""
        saved = SavedBatch(
            starts=[state.position() for state in self._starts],
            positions=[state.position() for state in self._states],
            generators=[save_random(rng) for rng in self._rngs],
            steps=self._steps(),
            final_words=[int(word) for word in self.final_words],
        )
        return saved.to_bytes()

    def restore(self, saved: bytes) -> None:
        """Go on from where `save` was called."""
        found = read_saved_batch(saved)
        if len(found.positions) != int(self.size) or len(found.final_words) != len(self.final_words):
            raise BadOption("The saved batch has another size, or other planes, than this one.")
        self._starts = [self.game.read_position(text) for text in found.starts]
        self._states = [self.game.read_position(text) for text in found.positions]
        self._rngs = [Random(seed) for seed in found.generators]
        self._read_steps(found.steps)
        for i, word in enumerate(found.final_words):
            self.final_words[i] = word
        self._look_everywhere()

    def __copy__(self) -> Batch:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[..., Batch], tuple[object, ...]]:
        return _batch_of, (self.game, int(self.size), self.width > 0, int(self.max_decisions), self.save())

    def _steps(self) -> list[LastStep]:
        """Return what the last step did to each game."""
        return [
            (
                int(self.decisions[number]),
                int(self.movers[number]),
                int(self.done[number]),
                int(self.truncated[number]),
                [float(self.rewards[self.seats * number + seat]) for seat in range(self.seats)],
            )
            for number in range(self.size)
        ]

    def _read_steps(self, steps: list[LastStep]) -> None:
        for number, (decisions, moved, done, truncated, rewards) in enumerate(steps):
            self.decisions[number] = decisions
            self.movers[number] = moved
            self.done[number] = u8(done)
            self.truncated[number] = u8(truncated)
            for seat, reward in enumerate(rewards):
                self.rewards[self.seats * number + seat] = reward

    def _start(self, state: State) -> State:
        """A position that a caller gave to start from, if a game can be played from there."""
        if state.game != self.game:
            raise BadOption(f"The position to start from is one of {state.game}, not of {self.game}.")
        if state.is_terminal():
            raise BadOption("The game is over in the position to start from.")
        return state.clone()

    # Stepping.

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
        actions = self.num_distinct_actions
        return 0 <= action < int(actions) and self.mask[actions * number + i64(action)] == 1

    def _step(self, number: i64, action: i64) -> None:
        state = self._states[number]
        self.movers[number] = self.to_move[number]
        state.apply(action)
        self._drawn(number, state)
        self.decisions[number] += 1
        over = state.current_player() == TERMINAL
        cut = not over and self.max_decisions > 0 and self.decisions[number] >= self.max_decisions
        if self.done[number] != 0:
            self._clear_rewards(number)
        self.truncated[number] = 1 if cut else 0
        if over or cut:
            self.done[number] = 1
            self._finish(number, state)
            self._states[number] = self._begun(number)
        else:
            self.done[number] = 0
        self._look(number)

    def _begun(self, number: i64) -> State:
        """A new game, with the draws before its first move made."""
        return self._drawn(number, self._starts[number % len(self._starts)].clone())

    def _drawn(self, number: i64, state: State) -> State:
        """The position itself, with the draws that follow made."""
        rng = self._rngs[number]
        while state.current_player() == CHANCE:
            state.apply(state.sample(rng))
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

    def _look_everywhere(self) -> None:
        number: i64 = 0
        while number < self.size:
            self._look(number)
            number += 1

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
        first = self.max_legal_actions * number
        row = self.num_distinct_actions * number
        i: i64 = 0
        count = self.legal_counts[number]
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
        self.legal_counts[number] = count


def _batch_of(game: Game, size: int, planes: bool, max_decisions: int, saved: bytes) -> Batch:
    """Unpickle a batch."""
    batch = Batch(game, size, 0, planes=planes, max_decisions=max_decisions)
    batch.restore(saved)
    return batch


def _seeds(seed: SupportsIndex, count: i64) -> list[int]:
    """A seed for each game, the first ones the same for any number of them."""
    rng = Random(check_seed(seed))
    return [save_random(rng) for _ in range(count)]


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
