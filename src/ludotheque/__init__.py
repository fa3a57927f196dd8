"""Four modern board games with exact rules: one engine for players, bots, reviews and researchers.

    >>> import ludotheque
    >>> game = ludotheque.load_game("cable-car", players=4)
    >>> state = game.new_initial_state()

Here are the names that users and authors of games need. Draws take a `Random`, a seeded generator of random numbers
with `random()`, `randint(a, b)` and `randrange(start, stop)`. Other modules: `ludotheque.search` (visits and values of
moves), `ludotheque.arena` (matches between bots, ratings), `ludotheque.arrays` (tensors), `ludotheque.adapters`
(OpenSpiel, PettingZoo, Gymnasium), `ludotheque.prompts` (games as text), `ludotheque.selfplay` (data sets),
`ludotheque.table` (records), `ludotheque.errors`, and `ludotheque.testing` (the conformance suite).
"""

from typing import TYPE_CHECKING

from ludotheque import _pure

if _pure.ASKED_FOR:
    _pure.install()

__version__ = "1.0.0"

if TYPE_CHECKING:
    from typing import Literal, overload

    from ludotheque import errors as errors
    from ludotheque._mode import COMPILED as COMPILED
    from ludotheque.bots.bot import Bot as Bot, CustomBot as CustomBot
    from ludotheque.bots.names import bot_named as bot_named
    from ludotheque.bots.registry import register_bot as register_bot, seat_bot as seat_bot
    from ludotheque.core.batch import Batch as Batch
    from ludotheque.core.choices import Choice as Choice, choices as choices
    from ludotheque.core.earnings import Earning as Earning
    from ludotheque.core.event_notices import EventNotice as EventNotice, NoticeRow as NoticeRow
    from ludotheque.core.events import Event as Event
    from ludotheque.core.game import (
        CHANCE as CHANCE,
        SPECTATOR as SPECTATOR,
        TERMINAL as TERMINAL,
        Game as Game,
        State as State,
        check_viewer as check_viewer,
    )
    from ludotheque.core.history import History as History
    from ludotheque.core.observation import Observation as Observation
    from ludotheque.core.options import Option as Option, Variant as Variant
    from ludotheque.core.phrases import (
        Phrase as Phrase,
        Step as Step,
        detailed as detailed,
        phrase as phrase,
        seat_name as seat_name,
    )
    from ludotheque.core.plain import PlainGame as PlainGame, PlainState as PlainState
    from ludotheque.core.planes import Planes as Planes, planes_of as planes_of
    from ludotheque.core.playout import playout as playout
    from ludotheque.core.policy import Policy as Policy, policy_of as policy_of
    from ludotheque.core.projection import Solid as Solid
    from ludotheque.core.randoms import Random as Random, save_random as save_random
    from ludotheque.core.registry import (
        game_class as game_class,
        game_names as game_names,
        register_game as register_game,
    )
    from ludotheque.core.scene import Bar as Bar, Piece as Piece, Scene as Scene, ScoreTable as ScoreTable
    from ludotheque.core.stacking import stacked as stacked
    from ludotheque.core.turn import Turn as Turn

    # The names of our own games give games of their own types, down to the fields of an observation.
    from ludotheque.games.cable_car import CableCar
    from ludotheque.games.chicago_express import ChicagoExpress
    from ludotheque.games.passerelles import Passerelles
    from ludotheque.games.pays_noir import PaysNoir
    from ludotheque.table import Match as Match, Record as Record, read_record as read_record

    @overload
    def load_game(name: Literal["cable-car", "cable_car"], players: int = 0, **options: object) -> CableCar: ...
    @overload
    def load_game(
        name: Literal["chicago-express", "chicago_express"], players: int = 0, **options: object
    ) -> ChicagoExpress: ...
    @overload
    def load_game(name: Literal["passerelles"], players: int = 0, **options: object) -> Passerelles: ...
    @overload
    def load_game(name: Literal["pays-noir", "pays_noir"], players: int = 0, **options: object) -> PaysNoir: ...
    @overload
    def load_game(name: str, players: int = 0, **options: object) -> Game: ...
    def load_game(name: str, players: int = 0, **options: object) -> Game:
        """Set up a game for a number of players (default: the minimum) with these options.

        A name may hold both, as OpenSpiel writes them: `cable_car(players=3,hand=2)`.
        """
        raise NotImplementedError
else:
    # Importing the package costs next to nothing; a name loads its module when it is first used.
    _NAMES = {
        "_mode": "COMPILED",
        "bots.bot": "Bot CustomBot",
        "bots.names": "bot_named",
        "bots.registry": "register_bot seat_bot",
        "core.batch": "Batch",
        "core.choices": "Choice choices",
        "core.earnings": "Earning",
        "core.event_notices": "EventNotice NoticeRow",
        "core.events": "Event",
        "core.game": "CHANCE Game SPECTATOR State TERMINAL check_viewer",
        "core.history": "History",
        "core.observation": "Observation",
        "core.options": "Option Variant",
        "core.phrases": "Phrase Step detailed phrase seat_name",
        "core.plain": "PlainGame PlainState",
        "core.planes": "Planes planes_of",
        "core.playout": "playout",
        "core.policy": "Policy policy_of",
        "core.projection": "Solid",
        "core.randoms": "Random save_random",
        "core.registry": "game_class game_names load_game register_game",
        "core.scene": "Bar Piece Scene ScoreTable",
        "core.stacking": "stacked",
        "core.turn": "Turn",
        "table": "Match Record read_record",
    }
    _HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
    __all__ = sorted(["__version__", *_HOMES])
    _PARTS = ("bots", "core", "errors", "table")

    def __getattr__(name):
        from importlib import import_module

        if name in _PARTS:
            return import_module(f"ludotheque.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'ludotheque' has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"ludotheque.{_HOMES[name]}"), name)
        return found

    def __dir__():
        return sorted({*globals(), *_HOMES})
