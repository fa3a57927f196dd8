"""Four modern board games by exact rules: one engine for players, bots, reviews and researchers.

>>> import ludotheque
>>> game = ludotheque.load_game("cable-car", players=4)
>>> state = game.new_initial_state()

Here are the names that users and authors of games need. Errors are in `ludotheque.errors`, the conformance suite for
authors in `ludotheque.testing`, and reading and writing records in `ludotheque.table`.
"""

from typing import TYPE_CHECKING, Literal, overload

from ludotheque import _pure

if _pure.ASKED_FOR:
    _pure.install()

from ludotheque.bots.names import bot_named
from ludotheque.bots.players import Bot
from ludotheque.bots.registry import register_bot, seat_bot
from ludotheque.bots.turn import OwnBot, Turn
from ludotheque.core import game as _game
from ludotheque.core.batch import Batch
from ludotheque.core.choices import Choice, choices
from ludotheque.core.earnings import Earning
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL, Game, State, check_viewer
from ludotheque.core.history import History
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option
from ludotheque.core.phrases import Phrase, Step, phrase, seat_name
from ludotheque.core.plain import PlainGame, PlainState
from ludotheque.core.planes import Planes, planes_of
from ludotheque.core.playout import playout
from ludotheque.core.policy import Policy, policy_of
from ludotheque.core.randoms import Random, save_random
from ludotheque.core.registry import game_class, game_names, register_game
from ludotheque.core.scene import Piece, Scene, ScoreTable
from ludotheque.table import Match, Record, read_record

if TYPE_CHECKING:
    # The names of our own games give games of their own types, down to the fields of an observation.
    from ludotheque.games.cable_car import CableCar
    from ludotheque.games.chicago_express import ChicagoExpress
    from ludotheque.games.passerelles import Passerelles
    from ludotheque.games.pays_noir import PaysNoir

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
        raise NotImplementedError
else:
    from ludotheque.core.registry import load_game

__version__ = "0.2.0"

COMPILED = not (_game.__file__ or "").endswith(".py")
"""Whether the rules run compiled; LUDOTHEQUE_PURE=1 in the environment forces plain Python."""

__all__ = [
    "CHANCE",
    "COMPILED",
    "SPECTATOR",
    "TERMINAL",
    "Batch",
    "Bot",
    "Choice",
    "Earning",
    "Game",
    "History",
    "Match",
    "Observation",
    "Option",
    "OwnBot",
    "Phrase",
    "Piece",
    "PlainGame",
    "PlainState",
    "Planes",
    "Policy",
    "Random",
    "Record",
    "Scene",
    "ScoreTable",
    "State",
    "Step",
    "Turn",
    "__version__",
    "bot_named",
    "check_viewer",
    "choices",
    "game_class",
    "game_names",
    "load_game",
    "phrase",
    "planes_of",
    "playout",
    "policy_of",
    "read_record",
    "register_bot",
    "register_game",
    "save_random",
    "seat_bot",
    "seat_name",
]
