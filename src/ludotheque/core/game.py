"""A position of a game and the game it belongs to, in OpenSpiel's words. Compiled.

A `State` is a position with everything in it, hidden things included, and the rules to go on from there. It holds no
seed and no future: a draw is a chance node whose outcome comes from outside. A `Game` is a game as set up for a
table (players, options): it makes states and is the door to all that is said and shown of them.

The forms that people call check and build lists; the `_into` forms, `apply` and `sample` are for hot loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Final, SupportsIndex

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from ludotheque.core.earnings import Earning, differences
from ludotheque.core.errors import BadOption, IllegalMove, NoSuchSeat
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option, OptionValue, resolve_settings
from ludotheque.core.phrases import Phrase, Step, phrase, points, seat_name
from ludotheque.core.scene import Scene

if TYPE_CHECKING:
    from ludotheque.core.policy import Policy

CHANCE: Final = -1
"""The player whose moves are draws of tiles, cards and dice."""
TERMINAL: Final = -4
"""The player to move when the game is over."""
SPECTATOR: Final = -5
"""The viewer who sits at no seat and sees what is open to all."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: whose turn it is, what they can do, and what comes of it."""

    game: Game

    # Each game's rules give these.

    def current_player(self) -> i64:
        """The seat to act, from 0; `CHANCE` at a draw, `TERMINAL` after the end."""
        raise NotImplementedError

    def legal_into(self, actions: vec[i64]) -> i64:
        """Write the legal actions of the seat to act, ascending; return how many."""
        raise NotImplementedError

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        """At a chance node, write what can be drawn, ascending, and how often of their sum; return how many."""
        raise NotImplementedError

    def apply(self, action: i64) -> None:
        """Carry out an action, or a chance outcome, that is known to be legal."""
        raise NotImplementedError

    def scores_into(self, scores: vec[i64]) -> None:
        """Write each seat's points or money, as if the game ended now."""
        raise NotImplementedError

    def clone(self) -> State:
        """An independent copy."""
        raise NotImplementedError

    def resample_from_infostate(self, viewer: i64, rng: Random) -> State:
        """A position that `viewer` cannot tell from this one, drawn evenly from all of those."""
        raise NotImplementedError

    # The rest follows; a game may override it to be faster.

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def sample(self, rng: Random) -> i64:
        """One legal action, all alike; at a chance node, one outcome by its weight."""
        actions = self.game.new_buffer()
        if self.current_player() != CHANCE:
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

    def returns_into(self, returns: vec[float]) -> None:
        """Write each seat's share of the win: most points wins, ties share it; zeros before the end."""
        if self.current_player() != TERMINAL:
            seat: i64 = 0
            while seat < len(returns):
                returns[seat] = 0.0
                seat += 1
            return
        scores = self.game.new_scores()
        self.scores_into(scores)
        self.shares_into(scores, returns)

    def shares_into(self, scores: vec[i64], returns: vec[float]) -> None:
        """At the end, write each seat's share of the win, with the scores at hand: most points wins, ties share it."""
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
            returns[seat] = 1.0 / float(winners) if scores[seat] == best else 0.0
            seat += 1

    # The forms for people.

    def legal_actions(self) -> list[int]:
        """What the player to act can do, ascending: actions, or outcomes at a chance node; nothing after the end."""
        if self.is_terminal():
            return []
        if self.is_chance_node():
            return [outcome for outcome, _ in self.weighted_outcomes()]
        actions = self.game.new_buffer()
        count = self.legal_into(actions)
        return [int(actions[i]) for i in range(count)]

    def weighted_outcomes(self) -> list[tuple[int, int]]:
        """At a chance node, what can be drawn and how many times of the sum."""
        if not self.is_chance_node():
            raise IllegalMove("Nothing is drawn here: this is no chance node.")
        outcomes = self.game.new_buffer()
        weights = self.game.new_buffer()
        count = self.chance_into(outcomes, weights)
        return [(int(outcomes[i]), int(weights[i])) for i in range(count)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, what can be drawn, with probabilities."""
        weighted = self.weighted_outcomes()
        total = sum([weight for _, weight in weighted])
        return [(outcome, weight / total) for outcome, weight in weighted]

    def apply_action(self, action: SupportsIndex) -> None:
        """Carry out an action, or a chance outcome, after checking that it is legal. Any kind of integer will do."""
        number = index(action)
        if number not in self.legal_actions():
            if self.is_terminal():
                raise IllegalMove("The game is over.")
            raise IllegalMove(f"Action {number} is not legal here.")
        self.apply(number)

    def scores(self) -> list[int]:
        """Each seat's points or money, as if the game ended now."""
        scores = self.game.new_scores()
        self.scores_into(scores)
        return [int(scores[seat]) for seat in range(self.game.players)]

    def returns(self) -> list[float]:
        """Each seat's share of the win; zeros before the end."""
        returns = vec[float]([0.0] * self.game.players)
        self.returns_into(returns)
        return [float(returns[seat]) for seat in range(self.game.players)]

    def action_to_string(self, action: int) -> str:
        """The game's notation for a legal action or a chance outcome."""
        return self.game.action_to_string(self, action)

    def string_to_action(self, text: str) -> int:
        """The legal action or chance outcome that a person wrote."""
        return self.game.string_to_action(self, text)

    def string_to_actions(self, text: str) -> list[int]:
        """The legal actions, one after the other, that a person wrote on one line."""
        return self.game.string_to_actions(self, text)

    def observation(self, viewer: int) -> Observation:
        """What `viewer` may know: a seat from 0, or `SPECTATOR`."""
        if viewer != SPECTATOR and not 0 <= viewer < self.game.players:
            last = self.game.players - 1
            raise NoSuchSeat(f"Nobody looks from {viewer}: the seats are 0 to {last}, and SPECTATOR is {SPECTATOR}.")
        return self.game.observe(self, viewer)

    def position(self) -> str:
        """The whole position as one line of text, for `Game.read_position`."""
        return self.game.write_position(self)

    # Python's own ways to copy and to send: by `clone`, and by the position as text.

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
    """A state that has been sent."""
    return game.read_position(position)


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game set up for a table: how many play, and by which options.

    A game's class declares its facts, then opens its rooms: rules, observation, notation, scene. States and
    observations are `Any` here, so that each game can name its own. (It is no `Generic`: mypyc 2.4 for Python 3.11
    frees the weak references to instances of a compiled class that has an uncompiled base, and later all crashes.)
    """

    name: ClassVar[str]
    """How the command line and records call it: `cable-car`."""
    title: ClassVar[str]
    """How people call it: `Cable Car`."""
    sentence: ClassVar[str]
    """What it is, in one sentence."""
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    options: ClassVar[tuple[Option, ...]] = ()
    has_chance: ClassVar[bool]
    has_hidden_information: ClassVar[bool]

    players: int
    settings: dict[str, OptionValue]

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        players = players or self.min_players
        if isinstance(players, bool) or not self.min_players <= players <= self.max_players:
            some = f"{self.min_players} to {self.max_players} players"
            if self.min_players == self.max_players:
                some = f"{self.min_players} players"
            raise BadOption(f"{self.title} is for {some}, not {players}.")
        self.players = players
        self.settings = resolve_settings(self.options, settings or {})

    # Each game gives these.

    def new_initial_state(self) -> State:
        """The position before the first draw or move."""
        raise NotImplementedError

    def num_distinct_actions(self) -> int:
        """Actions are the numbers below this, whatever the position."""
        raise NotImplementedError

    def max_legal_actions(self) -> int:
        """No position has more legal actions than this."""
        return self.num_distinct_actions()

    def max_chance_outcomes(self) -> int:
        """Chance outcomes are the numbers below this; 0 in a game without chance."""
        raise NotImplementedError

    def max_game_length(self) -> int:
        """No game has more decisions than this, draws not counted."""
        raise NotImplementedError

    def observe(self, state: Any, viewer: int) -> Observation:
        """What `viewer` (a seat, or `SPECTATOR`) may know of the position. Secrecy is decided here alone."""
        raise NotImplementedError

    def sees(self, state: Any, action: int, viewer: int) -> bool:
        """Whether `viewer` learns which action, or which outcome, is carried out in `state`."""
        return True

    def seen_by_now(self, before: Any, action: int, present: Any, viewer: int) -> bool:
        """Whether `viewer`, who did not see an action or outcome when it was carried out in `before`, can tell from the
        `present` position which it was: it has come into the open since."""
        return False

    def reveals(self, state: Any, action: int) -> bool:
        """Whether a player's action shows somebody a hidden thing, so that it cannot simply be taken back."""
        return False

    def action_to_string(self, state: Any, action: int) -> str:
        raise NotImplementedError

    def string_to_action(self, state: Any, text: str) -> int:
        raise NotImplementedError

    def string_to_actions(self, state: Any, text: str) -> list[int]:
        """The actions on one line; a game whose turns are several small actions may read a whole turn."""
        return [self.string_to_action(state, text)]

    def steps(self, state: Any, action: int) -> Sequence[Step]:
        """The small named choices that make up an action, from the first to the last."""
        raise NotImplementedError

    def describe(self, before: Any, action: int, after: Any, viewer: int) -> Sequence[Phrase]:
        """What an action did, in words, as `viewer` may know it: the lines of the log."""
        raise NotImplementedError

    def decision_words(self, state: Any, action: int) -> Phrase:
        """What a player decides by an action, in one sentence: as that player knows it, and not what the action brings
        to light. A game that says nothing takes the first line of everybody's log, else the last choice."""
        after = state.clone()
        after.apply(action)
        lines = self.describe(state, action, after, SPECTATOR)
        if lines:
            return lines[0]
        label = self.steps(state, action)[-1].label
        return phrase("{seat}: {move}.", seat=seat_name(int(state.current_player())), move=label)

    def write_position(self, state: Any) -> str:
        """The whole position as one line of text."""
        raise NotImplementedError

    def read_position(self, text: str) -> State:
        """The position that such a line describes."""
        raise NotImplementedError

    def scene(self, observation: Any) -> Scene:
        """The picture of an observation of this game: pieces to put over the backdrop."""
        raise NotImplementedError

    def backdrop(self) -> str:
        """The part of the picture that never changes at this table: symbols, styles and ground, as SVG."""
        raise NotImplementedError

    def unit(self) -> Phrase:
        """What scores are counted in."""
        return phrase("Points")

    def amount(self, number: int) -> Phrase:
        """So much of that, for a sentence."""
        return points(number)

    def earnings(self, before: Any, action: int, after: Any) -> Sequence[Earning]:
        """Where the change of the scores comes from that an action, or a draw, has brought: by seat and source, and
        adding up to that change. All of it, whoever may know it; a game that says nothing has one source."""
        return differences(self.unit(), before.scores(), after.scores())

    def effects(self, before: Any, action: int, after: Any, seat: int) -> Sequence[Phrase]:
        """What an action of a seat changes beyond the scores, said to that seat, the weightiest first; each names a
        number. Reasons of a hint are made from these. `before` and `after` are positions as the seat may know them."""
        return ()

    def themes(self, before: Any, action: int, after: Any) -> Sequence[Phrase]:
        """What an action is about, in a word or two each: the themes of puzzles."""
        return ()

    def shows_scores(self, state: Any, viewer: int) -> bool:
        """Whether `viewer` may know every seat's score and earnings; after the end everybody may."""
        return not self.has_hidden_information or bool(state.is_terminal())

    def worth(self, state: Any) -> Sequence[int]:
        """What each seat would end with if all went on as it is; a game that says nothing takes the score."""
        scores: list[int] = state.scores()
        return scores

    def policy(self) -> Policy:
        """What a decent player knows of this game; a game that says nothing gets the policy to which all moves look
        alike."""
        from ludotheque.core.policy import Policy

        return Policy(self)

    # The rest follows.

    def svg(self, observation: Any) -> str:
        """The whole picture of an observation, as an SVG document."""
        return self.scene(observation).to_svg(self.backdrop())

    def num_players(self) -> int:
        return self.players

    def new_buffer(self) -> vec[i64]:
        """Room for the actions, outcomes or weights of any position of this game."""
        return vec[i64]([0] * max(self.max_legal_actions(), self.max_chance_outcomes()))

    def new_scores(self) -> vec[i64]:
        """Room for a number for each seat."""
        return vec[i64]([0] * self.players)

    def __reduce__(self) -> tuple[type[Game], tuple[int, dict[str, OptionValue]]]:
        return type(self), (self.players, self.settings)

    def __repr__(self) -> str:
        changed = [(o.name, self.settings[o.name]) for o in self.options if self.settings[o.name] != o.default]
        words = "".join([f", {name}={value!r}" for name, value in changed])
        return f"load_game({self.name!r}, players={self.players}{words})"
