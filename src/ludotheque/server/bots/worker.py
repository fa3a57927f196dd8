"""What runs in a worker process: a question comes in, a move goes out. Nothing of the server is loaded here."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.bots.pool import ThisProcess
from ludotheque.bots.tuning import speed
from ludotheque.core.registry import cached_game, game_classes
from ludotheque.core.turn import Turn
from ludotheque.server.table_bots import table_bot
from ludotheque.study.hints import Hint, position_hints

HINT_SECONDS: Final = 1.0
"""What the searches for a hint take on one core, typically."""


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
    game_classes()


def hint_answer(encoded: bytes) -> list[Hint]:
    """The best few moves in a position, with reasons. The level of the question does not count."""
    question = msgspec.msgpack.decode(encoded, type=Question)
    game = cached_game(question.game, question.players, question.settings)
    simulations = round(HINT_SECONDS * speed(game).simulations)
    return position_hints(game.read_position(question.position), question.seat, ThisProcess(), simulations=simulations)


def answer(encoded: bytes) -> int:
    """Choose an action as a bot of the requested level does."""
    question = msgspec.msgpack.decode(encoded, type=Question)
    game = cached_game(question.game, question.players, question.settings)
    bot = table_bot(question.level, game, question.seed)
    return bot.choose(Turn(game.read_position(question.position), question.seat))
