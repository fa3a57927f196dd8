"""Four modern board games by exact rules: one engine for players, bots, reviews and researchers.

>>> import ludotheque
>>> game = ludotheque.load_game("cable-car", players=4)
>>> state = game.new_initial_state()

Here are the names that users and authors of games need. Errors are in `ludotheque.errors`, the conformance suite for
authors in `ludotheque.testing`, and reading and writing records in `ludotheque.table`.
"""

from librt.random import Random

from ludotheque import _pure

if _pure.ASKED_FOR:
    _pure.install()

from ludotheque.bots.names import bot_named
from ludotheque.bots.players import Bot
from ludotheque.core import game as _game
from ludotheque.core.choices import Choice, choices
from ludotheque.core.earnings import Earning
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL, Game, State
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option
from ludotheque.core.phrases import Phrase, Step, phrase, seat_name
from ludotheque.core.playout import playout
from ludotheque.core.policy import Policy, policy_of
from ludotheque.core.registry import game_class, game_names, load_game, register_game
from ludotheque.core.scene import Piece, Scene, ScoreTable
from ludotheque.table import Match, Record, read_record

__version__ = "0.1.0"

COMPILED = not (_game.__file__ or "").endswith(".py")
"""Whether the rules run compiled; LUDOTHEQUE_PURE=1 in the environment forces plain Python."""

__all__ = [
    "CHANCE",
    "COMPILED",
    "SPECTATOR",
    "TERMINAL",
    "Bot",
    "Choice",
    "Earning",
    "Game",
    "Match",
    "Observation",
    "Option",
    "Phrase",
    "Piece",
    "Policy",
    "Random",
    "Record",
    "Scene",
    "ScoreTable",
    "State",
    "Step",
    "__version__",
    "bot_named",
    "choices",
    "game_class",
    "game_names",
    "load_game",
    "phrase",
    "playout",
    "policy_of",
    "read_record",
    "register_game",
    "seat_name",
]
