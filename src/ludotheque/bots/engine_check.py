"""Check that a program speaks the engine protocol: play with it, and do to it what a table may do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import msgspec
from librt.random import Random

from ludotheque.bots.engine import START_SECONDS, EngineBot, EngineProcess, engine_words
from ludotheque.bots.protocol import VERSION, New, Quit, ReadyReply, encode
from ludotheque.core.errors import BotFailed
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase, short_repr
from ludotheque.core.turn import SeenPly, Turn

NAME: Final = "The program"
QUIT_SECONDS: Final = 15.0
"""Seconds until a program must end."""
_NOT_READY: Final = phrase("{name} was not ready within {seconds} s.", name=NAME, seconds=f"{START_SECONDS:g}")
CheckResult = tuple[str, str]
"""The subject of a check, and the problem; empty if there is none."""


def check_engine(command: str, game: Game, clock: float, games: int = 1) -> Iterator[CheckResult]:
    """Check a program; yield each finding as soon as it is known."""
    words = engine_words(command)
    new = New(VERSION, game.name, game.players, game.settings, 0, 1, clock)
    yield _result("starts, and replies ready to new", partial(_start, words, encode(new)))
    for seat in range(game.players):
        what = f"plays {game.title} to the end at seat {seat + 1} of {game.players}"
        yield _result(what, partial(_play_games, command, game, seat, clock, games))
    yield _result("starts anew when moves are taken back", partial(_check_rewind, command, game, clock))
    yield _result("ignores fields that it does not know", partial(_start, words, _with_unknown_field(new)))
    yield _result("ends after quit", partial(_quit, words, new, encode(Quit())))
    yield _result("ends at the end of its input", partial(_quit, words, new, b""))


def _result(what: str, check: Callable[[], object]) -> CheckResult:
    try:
        check()
    except BotFailed as error:
        return what, str(error)
    return what, ""


def _start(words: list[str], new: bytes) -> None:
    process = EngineProcess(NAME, words)
    try:
        _expect_ready(process, new)
    finally:
        process.close()


def _expect_ready(process: EngineProcess, new: bytes) -> None:
    reply = process.ask(new, START_SECONDS, _NOT_READY)
    if not isinstance(reply, ReadyReply):
        raise BotFailed(f"It replied {short_repr(reply)} to new.")


def _with_unknown_field(new: New) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(new) | {"later": {"versions": ["may", "add", "fields"]}}) + b"\n"


def _quit(words: list[str], new: New, last: bytes) -> None:
    process = EngineProcess(NAME, words)
    try:
        _expect_ready(process, encode(new))
        if not process.ends_after(last, QUIT_SECONDS):
            raise BotFailed(f"It was still running {QUIT_SECONDS:g} s later.")
    finally:
        process.close()


class _CheckedGame:
    """A game of the program against random moves, as its seat sees it."""

    def __init__(self, game: Game, seat: int, clock: float, seed: int) -> None:
        self.seat = seat
        self.clock = clock
        self.rng = Random(seed)
        self.state = game.new_initial_state()
        self.events: list[SeenPly] = []

    def play(self, bot: EngineBot, most: int = 10**9) -> None:
        """Play to the end, or this many moves of the bot."""
        while most > 0 and not self.state.is_terminal():
            if self.state.current_player() == self.seat:
                self._apply(self._choice(bot))
                most -= 1
            else:
                self._apply(int(self.state.sample(self.rng)))

    def _choice(self, bot: EngineBot) -> int:
        turn = Turn(self.state.resample_from_infostate(self.seat, self.rng), self.seat, [*self.events], self.clock)
        action = bot.choose(turn)
        if action not in turn.legal:
            raise BotFailed(f"Its move {len(self.events) + 1} was {action}, which is not among the legal actions.")
        return action

    def _apply(self, action: int) -> None:
        sees = self.state.game.sees(self.state, action, self.seat)
        self.events.append((int(self.state.current_player()), action if sees else None))
        self.state.apply(action)


def _play_games(command: str, game: Game, seat: int, clock: float, games: int) -> None:
    for number in range(games):
        bot = EngineBot(NAME, command, game, seat, number + 1, clock)
        played = _CheckedGame(game, seat, clock, number + 1)
        try:
            played.play(bot)
        except BotFailed:
            bot.close()
            raise
        bot.end(played.state.returns(), played.state.scores())


def _check_rewind(command: str, game: Game, clock: float) -> None:
    """Play two moves, take both back, and play others in a game that went another way."""
    bot = EngineBot(NAME, command, game, 0, 1, clock)
    try:
        for seed in (1, 2):
            _CheckedGame(game, 0, clock, seed).play(bot, most=2)
    finally:
        bot.close()
