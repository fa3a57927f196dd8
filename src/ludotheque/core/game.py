"""A `Game` and its `State`, with OpenSpiel's names. Compiled.

A `State` is a whole position, hidden things included, and the rules for what comes next. It holds no seed and no
future draws: a draw is a chance node whose outcome comes from outside. A `Game` is a game set up for a table (players,
options): it makes states, and turns them into text and pictures. Its parts are layers:

    game_setup      facts, players, settings
    game_words      notation, log, scores, consequences of a move
    game_picture    scene, backdrop, key, colours
    game_advice     policy, planes, estimates, premoves
    game            rules: states, actions, secrets, positions as text

Each part says what an author must provide (`GAME_MUST` and `STATE_MUST` list it), and what has a default and may be
overridden.
`apply_action`, `is_legal` and the methods that return lists check what they are given; the `_into` methods, `apply`,
`allows` and `sample` do not: they are for hot loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, SupportsIndex

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from ludotheque.core.bits import as_float
from ludotheque.core.buffers import Buffers
from ludotheque.core.errors import IllegalMove, NoSuchSeat
from ludotheque.core.game_advice import GameAdvice
from ludotheque.core.game_picture import PICTURE_MUST
from ludotheque.core.game_setup import missing
from ludotheque.core.game_words import WORDS_MUST
from ludotheque.core.numbers import as_int
from ludotheque.core.observation import Observation
from ludotheque.core.phrases import short_repr
from ludotheque.core.seats import CHANCE as CHANCE, SPECTATOR as SPECTATOR, TERMINAL as TERMINAL

_NO_ACTION: Final = 1 << 40
"""Actions are smaller, so that they fit a native integer."""


STATE_MUST: Final = (
    "current_player",
    "legal_into",
    "apply",
    "scores_into",
    "clone",
    "resample_from_infostate",
)
"""The methods that every game's `State` must provide; `chance_into` too if the game has chance."""
RULES_MUST: Final = (
    "new_initial_state",
    "num_distinct_actions",
    "max_game_length",
    "observe",
    "write_position",
    "read_position",
)
GAME_MUST: Final = (*RULES_MUST, *WORDS_MUST, *PICTURE_MUST)
"""The methods that every `Game` must provide; `max_chance_outcomes` too if the game has chance."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: who is to act, what is legal, and what each action leads to."""

    game: Game

    # Methods that a game must provide (chance_into only if it has chance).

    def current_player(self) -> i64:
        """The seat to act, from 0; `CHANCE` at a draw, `TERMINAL` after the end."""
        raise missing(self, "current_player")

    def legal_into(self, actions: vec[i64]) -> i64:
        """Write the legal actions of the seat to act, ascending; return how many."""
        raise missing(self, "legal_into")

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        """At a chance node, write the outcomes, ascending, and the weight of each; return how many."""
        raise missing(self, "chance_into")

    def apply(self, action: i64) -> None:
        """Carry out an action, or a chance outcome, that is known to be legal."""
        raise missing(self, "apply")

    def scores_into(self, scores: vec[i64]) -> None:
        """Write each seat's points or money, as if the game ended now."""
        raise missing(self, "scores_into")

    def clone(self) -> State:
        """An independent copy."""
        raise missing(self, "clone")

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> State:
        """Draw a position that `viewer` cannot tell from this one; all such positions are equally likely. `viewer` is
        what a caller gives: `check_viewer` makes a seat of it."""
        raise missing(self, "resample_from_infostate")

    # Methods that a game may provide, to be faster.

    def allows(self, action: i64) -> bool:
        """Whether an action, or a chance outcome, is legal; false for any number that is none. For hot loops."""
        buffers = buffers_of(self.game)
        actions = buffers.take_actions()
        count = self._actions_into(actions)
        i: i64 = 0
        while i < count and actions[i] < action:
            i += 1
        found = i < count and actions[i] == action
        buffers.actions = actions
        return found

    def transposition_key(self) -> i64:
        """A number that equal positions share, however they came about, and others hardly ever: a search may merge them
        (`Policy.merges_transpositions`). 0, if the game has none."""
        return 0

    def _actions_into(self, actions: vec[i64]) -> i64:
        """Write what the player to act can do, or what chance can draw; return how many. None after the end."""
        player = self.current_player()
        if player == TERMINAL:
            return 0
        if player != CHANCE:
            return self.legal_into(actions)
        buffers = buffers_of(self.game)
        weights = buffers.take_weights()
        count = self.chance_into(actions, weights)
        buffers.weights = weights
        return count

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def sample(self, rng: Random) -> i64:
        """Draw a legal action, each equally likely; at a chance node, an outcome by its weight."""
        actions = self.game.new_buffer()
        player = self.current_player()
        if player == TERMINAL:
            raise game_over()
        if player != CHANCE:
            return actions[rng.randrange(self.legal_into(actions))]
        weights = self.game.new_buffer()
        count = self.chance_into(actions, weights)
        total: i64 = 0
        i: i64 = 0
        while i < count:
            total += weights[i]
            i += 1
        left = rng.randrange(total)
        i = 0
        while left >= weights[i]:
            left -= weights[i]
            i += 1
        return actions[i]

    def finish(self, rng: Random) -> i64:
        """Play on to the end by random legal actions; return how many steps, draws included."""
        steps: i64 = 0
        while self.current_player() != TERMINAL:
            self.apply(self.sample(rng))
            steps += 1
        return steps

    def returns_into(self, returns: vec[float]) -> None:
        """Write each seat's share of the win: most points wins, ties share it; zeros before the end."""
        if self.current_player() != TERMINAL:
            seat: i64 = 0
            while seat < len(returns):
                returns[seat] = 0.0
                seat += 1
            return
        buffers = buffers_of(self.game)
        scores = buffers.take_scores()
        self.scores_into(scores)
        self.shares_into(scores, returns)
        buffers.scores = scores

    def shares_into(self, scores: vec[i64], returns: vec[float]) -> None:
        """At the end, write each seat's share of the win for these scores: most points wins, ties share it."""
        players = i64(len(scores))
        best = scores[0]
        winners: i64 = 0
        seat: i64 = 0
        while seat < players:
            if scores[seat] > best:
                best = scores[seat]
                winners = 0
            if scores[seat] == best:
                winners += 1
            seat += 1
        seat = 0
        while seat < players:
            returns[seat] = 1.0 / as_float(winners) if scores[seat] == best else 0.0
            seat += 1

    # Lists and checks, for callers in Python.

    def is_legal(self, action: SupportsIndex) -> bool:
        """Whether the player to act can do this, or chance can draw it; false for any number that is no action."""
        number = action if isinstance(action, int) else as_int(action, "An action", IllegalMove)
        return 0 <= number < _NO_ACTION and self.allows(number)

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """Return the actions of the player to act, ascending, or the outcomes at a chance node; none after the end.

        With a player: the actions of that player, so none unless it is to act.
        """
        if player is not None and not self._is_to_act(player):
            return []
        buffers = buffers_of(self.game)
        actions = buffers.take_actions()
        found = [int(action) for action in actions[: self._actions_into(actions)]]
        buffers.actions = actions
        return found

    def legal_actions_mask(self, player: SupportsIndex | None = None) -> bytearray:
        """A byte for each action, at a chance node for each outcome: 1 where it is legal. NumPy reads it as it is."""
        drawing = self.current_player() == CHANCE
        mask = bytearray(self.game.max_chance_outcomes() if drawing else self.game.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def _is_to_act(self, player: SupportsIndex) -> bool:
        seat = as_int(player, "A player", NoSuchSeat)
        if seat != CHANCE and not 0 <= seat < self.game.players:
            seats = f"the seats are 0 to {self.game.players - 1}, and CHANCE is {CHANCE}"
            raise NoSuchSeat(f"There is no player {short_repr(seat)}: {seats}.")
        return seat == self.current_player()

    def weighted_outcomes(self) -> list[tuple[int, int]]:
        """At a chance node, the outcomes and their weights."""
        if not self.is_chance_node():
            raise IllegalMove("Nothing is drawn here: this is no chance node.")
        outcomes = self.game.new_buffer()
        weights = self.game.new_buffer()
        count = self.chance_into(outcomes, weights)
        return [(int(outcomes[i]), int(weights[i])) for i in range(count)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, the outcomes and their probabilities."""
        weighted = self.weighted_outcomes()
        total = sum([weight for _, weight in weighted])
        return [(outcome, weight / total) for outcome, weight in weighted]

    def apply_action(self, action: SupportsIndex) -> None:
        """Carry out an action, or a chance outcome, after checking that it is legal. Takes any kind of integer."""
        number = action if isinstance(action, int) else as_int(action, "An action", IllegalMove)
        if not 0 <= number < _NO_ACTION or not self.allows(number):
            raise self._illegal(number)
        self.apply(number)

    def child(self, action: SupportsIndex) -> State:
        """The position after an action, or a chance outcome, that is checked to be legal; this one does not change."""
        after = self.clone()
        after.apply_action(action)
        return after

    def _illegal(self, action: int) -> IllegalMove:
        return game_over() if self.is_terminal() else IllegalMove(f"Action {short_repr(action)} is not legal here.")

    def scores(self) -> list[int]:
        """Each seat's points or money, as if the game ended now."""
        buffers = buffers_of(self.game)
        scores = buffers.take_scores()
        self.scores_into(scores)
        found = [int(scores[seat]) for seat in range(self.game.players)]
        buffers.scores = scores
        return found

    def returns(self) -> list[float]:
        """Each seat's share of the win; zeros before the end."""
        buffers = buffers_of(self.game)
        returns = buffers.take_shares()
        self.returns_into(returns)
        found = [float(returns[seat]) for seat in range(self.game.players)]
        buffers.shares.append(returns)
        return found

    def action_to_string(self, action: SupportsIndex) -> str:
        """The game's notation for a legal action or a chance outcome."""
        number = as_int(action, "An action", IllegalMove)
        drawing = self.is_chance_node()
        end = self.game.max_chance_outcomes() if drawing else self.game.num_distinct_actions()
        if not 0 <= number < end:
            kind = "a chance outcome" if drawing else "an action"
            raise IllegalMove(f"{short_repr(number)} is not {kind} of {self.game.title}: these are 0 to {end - 1}.")
        return self.game.action_to_string(self, number)

    def string_to_action(self, text: str) -> int:
        """Parse a legal action or chance outcome."""
        return self.game.string_to_action(self, text)

    def string_to_actions(self, text: str) -> list[int]:
        """Parse a line of legal actions, to be carried out one after the other."""
        return self.game.string_to_actions(self, text)

    def observation(self, viewer: SupportsIndex) -> Observation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return self.game.observe(self, check_viewer(viewer, self.game.players))

    def position(self) -> str:
        """The whole position as one line of text, for `Game.read_position`."""
        return self.game.write_position(self)

    # Comparing, by the position as text; copying, by `clone`; pickling, by the position as text.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (self.game == other.game and self.position() == other.position())

    def __hash__(self) -> int:
        return hash(self.position())

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[[Game, str], State], tuple[Game, str]]:
        return _state_of, (self.game, self.position())

    def __str__(self) -> str:
        return str(self.game.observe(self, SPECTATOR))

    def __repr__(self) -> str:
        return f"{self.game!r}.read_position({self.position()!r})"

    def _repr_svg_(self) -> str:
        return self.game.svg(self.game.observe(self, SPECTATOR))


def _state_of(game: Game, position: str) -> State:
    """Unpickle a state."""
    return game.read_position(position)


def check_viewer(viewer: SupportsIndex, players: int) -> int:
    """The viewer as a number: a seat or `SPECTATOR`; NoSuchSeat for all else."""
    seat = viewer if isinstance(viewer, int) else as_int(viewer, "A viewer", NoSuchSeat)
    if (seat < 0 and seat != SPECTATOR) or seat >= players:
        seats = f"the seats are 0 to {players - 1}, and SPECTATOR is {SPECTATOR}"
        raise NoSuchSeat(f"There is no viewer {short_repr(seat)}; {seats}.")
    return seat


def game_over() -> IllegalMove:
    """The error for anything that is done after the end."""
    return IllegalMove("The game is over.")


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(GameAdvice):
    """A game set up for a table: the number of players and the settings of its options. Here are its rules.

    A subclass declares the facts of `GameSetup`, provides the methods of `GAME_MUST`, and may override the others.
    States and observations are `Any`, so that each game can name its own classes.
    """

    # The parts are a chain of classes and not traits: mypyc 2.4 does not call what plain Python overrides in a trait.
    # None is `Generic`: for Python 3.11 it frees the weak references to instances of a compiled class with an
    # uncompiled base, and then crashes.

    _buffers: Buffers | None
    """Made when they are first needed (`buffers_of`): their size depends on what a subclass sets up."""

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self._buffers = None

    # Must.

    def new_initial_state(self) -> State:
        """The position before the first draw or move."""
        raise missing(self, "new_initial_state")

    def num_distinct_actions(self) -> int:
        """Actions are the numbers from 0 to this minus 1, in every position."""
        raise missing(self, "num_distinct_actions")

    def max_game_length(self) -> int:
        """An upper bound on the number of decisions in a game; draws do not count."""
        raise missing(self, "max_game_length")

    def observe(self, state: Any, viewer: int) -> Observation:
        """Return what `viewer` (a seat, or `SPECTATOR`) may know of the position. This method alone decides on it."""
        raise missing(self, "observe")

    def write_position(self, state: Any) -> str:
        """The whole position as one line of text."""
        raise missing(self, "write_position")

    def read_position(self, text: str) -> State:
        """Parse a line that `write_position` wrote; `BadPosition` says what is wrong with it."""
        raise missing(self, "read_position")

    # May, with the default: sizes.

    def max_legal_actions(self) -> int:
        """An upper bound on the number of legal actions in a position. Default: all actions."""
        return self.num_distinct_actions()

    def max_chance_outcomes(self) -> int:
        """Chance outcomes are the numbers from 0 to this minus 1. Default: 0; a game with chance must provide it."""
        if self.has_chance:
            raise missing(self, "max_chance_outcomes")
        return 0

    # May, with the default: secrets.

    def sees(self, state: Any, action: int, viewer: int) -> bool:
        """Whether `viewer` learns which action or outcome is carried out in `state`. Default: every viewer does."""
        return True

    def seen_by_now(self, before: Any, action: int, present: Any, viewer: int) -> bool:
        """Whether an action or outcome that `viewer` did not see when it was carried out in `before` has become known
        to `viewer` by the `present` position. Default: no."""
        return False

    def reveals(self, state: Any, action: int) -> bool:
        """Whether a player's action shows anyone something hidden, so that it cannot be undone. Default: no."""
        return False

    def shows_scores(self, state: Any, viewer: int) -> bool:
        """Whether `viewer` may know every seat's score and earnings; after the end anyone may. Default: before the
        end, only in games without hidden information."""
        return not self.has_hidden_information or bool(state.is_terminal())

    # The rest follows.

    def min_utility(self) -> float:
        """The least that a seat can get of the win."""
        return 0.0

    def max_utility(self) -> float:
        """The most that a seat can get: the whole win."""
        return 1.0

    def utility_sum(self) -> float:
        """Return the sum over all seats: returns are shares of one win."""
        return 1.0

    def new_buffer(self) -> vec[i64]:
        """A buffer that holds the actions, outcomes or weights of any position of this game."""
        return vec[i64]([0] * buffers_of(self).capacity)

    def new_scores(self) -> vec[i64]:
        """A buffer that holds one number for each seat."""
        return vec[i64]([0] * self.players)


def buffers_of(game: Game) -> Buffers:
    """The spare vectors of a game. (A function, because methods of a class that plain Python may extend are slower.)"""
    buffers = game._buffers
    if buffers is None:
        capacity = max(game.max_legal_actions(), game.max_chance_outcomes())
        buffers = game._buffers = Buffers(game.players, capacity)
    return buffers
