"""The functions that run in the worker processes of bots: a question comes in, a move goes out.

Nothing of the server is loaded here. A worker keeps the bots that it asked last, because a search in a deterministic
game goes on with the tree of the decision before (`SearchBot`).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.bots.bot import Bot
from ludotheque.bots.pool import ThisProcess
from ludotheque.bots.tuning import speed
from ludotheque.bots.workers import ignore_interrupt, let_others_go_first
from ludotheque.core.registry import cached_game, game_classes
from ludotheque.core.turn import SeenPly, Turn
from ludotheque.server.table_bots import table_bot
from ludotheque.study.hints import Hint, position_hints

HINT_SECONDS: Final = 0.3
"""The time of the searches for a first hint on one core: it appears within a second."""
THOROUGH_SECONDS: Final = 2.0
"""The same for the hint that replaces it while the player reads."""
_NICENESS: Final = 5
"""The priority of bots, as `nice` counts it: after the server, before reviews."""
MOST_KEPT: Final = 4
"""The most bots that a worker keeps: a tree takes up to 44 MB."""
_kept: Final[OrderedDict[tuple[str, int, str], Bot]] = OrderedDict()
"""The bots by table, seat and level; those asked most recently last."""


class Question(Struct, frozen=True, kw_only=True):
    """A position to think about, as it is sent to a worker."""

    table: str
    game: str
    players: int
    settings: dict[str, Any]
    position: str
    events: list[SeenPly]
    """The plies before, if nothing is hidden."""
    seat: int
    level: str
    seed: int


def begin() -> None:
    """Let the server go first, and load the games, which takes a worker longer than most moves."""
    let_others_go_first(_NICENESS)
    ignore_interrupt()
    game_classes()


def hint_answer(encoded: bytes, seconds: float) -> list[Hint]:
    """The best few moves in a position, with reasons. The level of the question does not count."""
    question = msgspec.msgpack.decode(encoded, type=Question)
    game = cached_game(question.game, question.players, question.settings)
    simulations = round(seconds * speed(game).simulations)
    return position_hints(game.read_position(question.position), question.seat, ThisProcess(), simulations=simulations)


def answer(encoded: bytes) -> int:
    """Choose an action as a bot of the requested level does."""
    question = msgspec.msgpack.decode(encoded, type=Question)
    game = cached_game(question.game, question.players, question.settings)
    turn = Turn(game.read_position(question.position), question.seat, question.events)
    if game.has_chance or game.has_hidden_information:
        return table_bot(question.level, game, question.seed).choose(turn)
    key = question.table, question.seat, question.level
    bot = _kept.pop(key, None) or table_bot(question.level, game, question.seed)
    action = bot.choose(turn)
    _kept[key] = bot
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return action
