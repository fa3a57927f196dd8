"""Four modern board games by exact rules: one engine for players, bots, reviews and researchers.

>>> import ludotheque
>>> game = ludotheque.load_game("cable-car", players=4)
>>> state = game.new_initial_state()
"""

from ludotheque import _pure

if _pure.ASKED_FOR:
    _pure.install()

from ludotheque.core import game as _game
from ludotheque.core.choices import Choice, choices
from ludotheque.core.earnings import Earning
from ludotheque.core.errors import (
    AmbiguousMove,
    BadArena,
    BadLesson,
    BadName,
    BadOption,
    BadPosition,
    BadPuzzle,
    BadRecord,
    BadReview,
    CannotUndo,
    IllegalMove,
    LudothequeError,
    MoveError,
    NoSuchBot,
    NoSuchPly,
    NoSuchSeat,
    NotYourTurn,
    StaleVersion,
    StillHidden,
    UnfairDice,
    UnknownGame,
    UnreadableMove,
)
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL, Game, State
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option
from ludotheque.core.phrases import Phrase, Step, phrase
from ludotheque.core.playout import playout
from ludotheque.core.registry import game_class, game_names, load_game, register_game
from ludotheque.core.scene import Piece, Scene, ScoreTable

__version__ = "0.1.0"

COMPILED = not (_game.__file__ or "").endswith(".py")
"""Whether the rules run compiled; LUDOTHEQUE_PURE=1 in the environment forces plain Python."""

__all__ = [
    "CHANCE",
    "COMPILED",
    "SPECTATOR",
    "TERMINAL",
    "AmbiguousMove",
    "BadArena",
    "BadLesson",
    "BadName",
    "BadOption",
    "BadPosition",
    "BadPuzzle",
    "BadRecord",
    "BadReview",
    "CannotUndo",
    "Choice",
    "Earning",
    "Game",
    "IllegalMove",
    "LudothequeError",
    "MoveError",
    "NoSuchBot",
    "NoSuchPly",
    "NoSuchSeat",
    "NotYourTurn",
    "Observation",
    "Option",
    "Phrase",
    "Piece",
    "Scene",
    "ScoreTable",
    "StaleVersion",
    "State",
    "Step",
    "StillHidden",
    "UnfairDice",
    "UnknownGame",
    "UnreadableMove",
    "__version__",
    "choices",
    "game_class",
    "game_names",
    "load_game",
    "phrase",
    "playout",
    "register_game",
]
