"""The set-up of a game: its facts, the number of players, and the settings of its options. Compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from mypy_extensions import mypyc_attr

from ludotheque.core.errors import BadOption
from ludotheque.core.options import Option, OptionValue, Variant, resolve_settings
from ludotheque.core.phrases import short_repr


def missing(owner: object, method: str) -> NotImplementedError:
    """The error for a method that a game must provide and does not."""
    return NotImplementedError(f"{type(owner).__name__} does not provide the method {method}, which every game needs.")


@mypyc_attr(allow_interpreted_subclasses=True)
class GameSetup:
    """The facts of a game, and its set-up for one table. Games that are set up alike are equal."""

    # The facts that a game must declare.
    name: ClassVar[str]
    """The name in commands and records: `cable-car`."""
    title: ClassVar[str]
    """The name that people read: `Cable Car`."""
    sentence: ClassVar[str]
    """The subject of the game, in one sentence."""
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    has_chance: ClassVar[bool]
    has_hidden_information: ClassVar[bool]

    # The facts that a game may declare.
    options: ClassVar[tuple[Option, ...]] = ()
    """Settings to choose before the game starts."""
    variants: ClassVar[tuple[Variant, ...]] = ()
    """The game with some options set, as titles to choose besides it."""
    version: ClassVar[int] = 1
    """Raised when the rules or the numbers of actions change, so that published results stay comparable."""

    players: Final[int]
    """Number of players at this table."""
    settings: Final[dict[str, OptionValue]]
    """The value of each option, by name."""

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        players = players or self.min_players
        if isinstance(players, bool) or not self.min_players <= players <= self.max_players:
            some = f"{self.min_players} to {self.max_players} players"
            if self.min_players == self.max_players:
                some = f"{self.min_players} players"
            raise BadOption(f"{self.title} is for {some}, not {short_repr(players)}.")
        self.players = players
        self.settings = resolve_settings(self.options, settings or {})

    def changed_options(self) -> list[Option]:
        """The options that are not at their default."""
        return [option for option in self.options if self.settings[option.name] != option.default]

    def shown_title(self) -> str:
        """The title that people read at the table: of the variant that is played, else of the game."""
        played = [variant.title for variant in self.variants if variant.describes(self.settings)]
        return played[0] if played else self.title

    def num_players(self) -> int:
        return self.players

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameSetup):
            return NotImplemented
        return type(self) is type(other) and self.players == other.players and self.settings == other.settings

    def __hash__(self) -> int:
        return hash((self.name, self.players))

    def __reduce__(self) -> tuple[Callable[[type[GameSetup], int, dict[str, OptionValue]], GameSetup], tuple[Any, ...]]:
        return _game_of, (type(self), self.players, self.settings)

    def __repr__(self) -> str:
        words = "".join([f", {option.name}={self.settings[option.name]!r}" for option in self.changed_options()])
        return f"load_game({self.name!r}, players={self.players}{words})"

    def __str__(self) -> str:
        """The game as OpenSpiel writes it, for `load_game`: `cable_car(players=3,hand=2,version=1)`."""
        options = "".join(
            [f",{option.name}={option.write(self.settings[option.name])}" for option in self.changed_options()]
        )
        return f"{self.name.replace('-', '_')}(players={self.players}{options},version={self.version})"


_received: Final[dict[tuple[type[GameSetup], int, str], GameSetup]] = {}
_MOST_RECEIVED: Final = 32


def _game_of(kind: type[GameSetup], players: int, settings: dict[str, OptionValue]) -> GameSetup:
    """A game that has been sent: the one that was set up for the same table before, if it is still remembered."""
    key = (kind, players, repr(settings))
    game = _received.pop(key, None)
    if game is None:
        game = kind(players, settings)
    _received[key] = game
    if len(_received) > _MOST_RECEIVED:
        del _received[next(iter(_received))]
    return game
