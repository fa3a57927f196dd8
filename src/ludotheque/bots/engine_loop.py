"""A registered bot as a program that speaks the engine protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from ludotheque.bots.bot import Bot
from ludotheque.bots.protocol import TO_BOT, Did, End, ErrorReply, FromBot, Go, MoveReply, New, Quit, ReadyReply, encode
from ludotheque.bots.registry import bot_title, seat_bot
from ludotheque.core.errors import BotFailed, LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.phrases import short_repr
from ludotheque.core.registry import load_game
from ludotheque.core.turn import SeenPly, Turn


class Output(Protocol):
    """The destination of replies: standard output, as bytes."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


def run_engine(bot: str, only_game: str, lines: Iterable[bytes], output: Output) -> bool:
    """Play as the bot of that name, until `quit` or the end of the lines; return False after an error.

    `only_game`: the game that the bot plays; any if empty.
    """
    loop = EngineLoop(bot, only_game)
    try:
        for line in lines:
            message = TO_BOT.decode(line)
            if isinstance(message, Quit):
                break
            reply = loop.hear(message)
            if reply is not None:
                output.write(encode(reply))
                output.flush()
    except (LudothequeError, msgspec.DecodeError, UnicodeDecodeError) as error:
        output.write(encode(ErrorReply(str(error))))
        output.flush()
        return False
    finally:
        loop.close()
    return True


class EngineLoop:
    """The game that a bot plays, followed by messages."""

    def __init__(self, bot: str, only_game: str = "") -> None:
        self.name: Final = bot
        self.only_game: Final = only_game
        self._game: Game | None = None
        self._seat = 0
        self._bot: Bot | None = None
        self._events: list[SeenPly] = []

    def hear(self, message: New | Did | Go | End) -> FromBot | None:
        """React to a message; return the reply, if it needs one."""
        if isinstance(message, New):
            return self._begin(message)
        if self._bot is None or self._game is None:
            raise BotFailed("The first message must be new.")
        if isinstance(message, Did):
            self._events.append((message.who, message.action))
        elif isinstance(message, Go):
            return MoveReply(self._bot.choose(self._turn(message, self._game)))
        else:
            self._bot.end(message.returns, message.scores)
        return None

    def _begin(self, message: New) -> ReadyReply:
        if self.only_game not in ("", message.game):
            raise BotFailed(f"This bot plays {self.only_game}, not {short_repr(message.game)}.")
        self.close()
        self._game = load_game(message.game, message.players, **message.settings)
        self._seat = message.seat
        self._bot = seat_bot(self.name, self._game, message.seat, message.seed, message.clock)
        self._events = []
        return ReadyReply(bot_title(self.name), ("position",))

    def _turn(self, message: Go, game: Game) -> Turn:
        if not isinstance(message.position, str):
            raise BotFailed("This bot wants a position with every go, and there is none.")
        return Turn(game.read_position(message.position), self._seat, self._events, message.clock)

    def close(self) -> None:
        """End the bot, if there is one."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None
