"""What happens in a worker process: a question comes in, a move goes out. Nothing of the server is loaded here."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.bots.levels import level_bot
from ludotheque.bots.players import Bot, RandomBot
from ludotheque.core.game import Game
from ludotheque.core.registry import cached_game, game_class, game_names

RANDOM: Final = "random"


class Question(Struct, frozen=True, kw_only=True):
    """A position to think about, as it is sent to a worker."""

    game: str
    players: int
    settings: dict[str, Any]
    position: str
    seat: int
    level: str
    seed: int


def warm_up() -> None:
    """Load the games, which takes a worker longer than most moves."""
    for name in game_names():
        game_class(name)


def answer(asked: bytes) -> int:
    """The action that a bot of the level asked for chooses."""
    question = msgspec.msgpack.decode(asked, type=Question)
    game = cached_game(question.game, question.players, question.settings)
    return _bot(question, game).choose(game.read_position(question.position), question.seat)


def _bot(question: Question, game: Game) -> Bot:
    if question.level == RANDOM:
        return RandomBot(game, question.seed)
    return level_bot(int(question.level), game, question.seed)
