"""The registry of bots: the levels and plain bots of this package, and everybody's own.

random, myopic, greedy, policy, search:2000, bot:3
                                               ours; see `ludotheque.bots.names`
NAME                                           one of an installed package, or added by `register_bot`
python:package.module:Class                    a class with `choose(turn)`
engine:COMMAND                                 a program that speaks the engine protocol
NAME=python:..., NAME=engine:...               the same under a shorter name

Any installed package can bring a bot by an entry point of the group `ludotheque.bots`:

[project.entry-points."ludotheque.bots"]
my-bot = "my_package:MyBot"        # called with the game, the seat and a seed; has `choose(turn)`
"""

from __future__ import annotations

import importlib
import logging
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from operator import index
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import Any, Final, Protocol

from ludotheque.bots.engine import EngineBot, engine_words
from ludotheque.bots.levels import TITLES, level_title
from ludotheque.bots.names import bot_named
from ludotheque.bots.players import Bot
from ludotheque.core.errors import BadOption, BotFailed, NoSuchBot, NoSuchSeat
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase, phrase, short_repr
from ludotheque.core.randoms import check_seed
from ludotheque.core.turn import Event, Turn

GROUP: Final = "ludotheque.bots"
CLOCK: Final = 60.0
"""Seconds for a move of a user's own bot, by default."""


class OwnBot(Protocol):
    """A bot of a user's own. Its class is called with the game, the seat and a seed, once for each game.

    It may also have `end(returns, scores)`, called at the end of a game, and `close()`.
    """

    def choose(self, turn: Turn) -> int:
        """One of the legal actions of the turn."""
        ...


BotMaker = Callable[[Game, int, int], OwnBot]
"""Makes a bot for one seat of one game: from the game, the seat and a seed."""

_LOG: Final = logging.getLogger("ludotheque.bots.registry")
_ALIAS: Final = re.compile(r"(?P<alias>[A-Za-z0-9][A-Za-z0-9_.-]{0,29})=(?P<bot>.+)", re.ASCII | re.DOTALL)
_PYTHON: Final = re.compile(r"python:(?P<module>[\w.]+):(?P<name>\w+)")
_added: dict[str, BotMaker] = {}


class SeatedBot(Protocol):
    """A bot that plays one seat of one game; any of its methods may raise `BotFailed`."""

    def choose(self, turn: Turn) -> int:
        """A legal action."""
        ...

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        """Hear how the game ended."""
        ...

    def close(self) -> None:
        """End the bot, at the end of the game or before it."""
        ...


def register_bot(name: str, maker: BotMaker) -> None:
    """Add a bot for this process: its name, and its class or a function, called with the game, the seat and a seed."""
    if not str(name or "").strip():
        raise NoSuchBot(f"A bot needs a name, not {short_repr(name)}.")
    if not callable(maker):
        raise NoSuchBot(f"A bot is a class that is called with the game, the seat and a seed, not {short_repr(maker)}.")
    _added[name] = maker


def seat_bot(name: str, game: Game, seat: int, seed: int, clock: float = CLOCK) -> SeatedBot:
    """Make the bot of that name for one seat of one game; `NoSuchBot` if there is none."""
    if not 0 <= seat < game.players:
        raise NoSuchSeat(f"There is no seat {short_repr(seat)}: the seats are 0 to {game.players - 1}.")
    seed = check_seed(seed)
    bot = without_alias(name)
    if bot.startswith("engine:"):
        return Checked(name, EngineBot(bot_title(name), bot.partition(":")[2], game, seat, seed, clock))
    maker = _maker(bot)
    if maker is None:
        return _OurBot(lambda: bot_named(bot, game, seed))
    with _failures(name):
        return Checked(name, maker(game, seat, seed))


def check_bot(name: str, game: Game) -> None:
    """Raise `NoSuchBot` unless there is a bot of that name; start nothing."""
    bot = without_alias(name)
    if bot.startswith("engine:"):
        engine_words(bot.partition(":")[2])
    elif _maker(bot) is None:
        bot_named(bot, game, 1)


def is_own(name: str) -> bool:
    """Whether a name is of a user's own bot."""
    bot = without_alias(name)
    return bot.startswith(("engine:", "python:")) or bot in _added or bot in _installed()


def is_installed(bot: str) -> bool:
    """Whether an installed package has a bot of that name, and no other was registered in this process."""
    return bot not in _added and bot in _installed()


def is_program(name: str) -> bool:
    """Whether a name is of a bot that runs as a program."""
    return without_alias(name).startswith("engine:")


def without_alias(name: str) -> str:
    """The bot that an entry such as `mine=engine:./mine` declares."""
    found = None if name.startswith(("engine:", "python:")) else _ALIAS.fullmatch(name)
    return found["bot"] if found else name


def bot_title(name: str) -> str:
    """A short name of a bot, for people: the one it was given, the class, or the program."""
    bot = without_alias(name)
    if bot != name:
        return name.partition("=")[0]
    if bot.startswith("python:"):
        return bot.rpartition(":")[2][:30]
    if bot.startswith("engine:"):
        return Path(engine_words(bot.partition(":")[2])[0]).name[:30]
    return bot


# Where bots come from.


@cache
def _installed() -> dict[str, EntryPoint]:
    """The entry points of installed packages, by name of the bot."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _maker(bot: str) -> BotMaker | None:
    """What makes a user's own bot; None for our bots."""
    if bot in _added:
        return _added[bot]
    if bot.startswith("python:"):
        return _python_class(bot)
    entry = _installed().get(bot)
    return _loaded(entry) if entry else None


def _loaded(entry: EntryPoint) -> BotMaker:
    try:
        return _as_maker(entry.load(), entry.value)
    except NoSuchBot:
        raise
    except Exception as error:  # whatever another package does while it is imported
        raise NoSuchBot(f"The bot {entry.name!r} cannot be loaded from {entry.value}: {_reason(error)}.") from error


def _python_class(bot: str) -> BotMaker:
    found = _PYTHON.fullmatch(bot)
    if not found:
        raise NoSuchBot(f"A bot in Python is written python:package.module:Class, not {short_repr(bot)}.")
    if (here := str(Path.cwd())) not in sys.path and "" not in sys.path:
        sys.path.append(here)  # a command that was installed does not look in the working folder by itself
    try:
        return _as_maker(getattr(importlib.import_module(found["module"]), found["name"]), bot)
    except NoSuchBot:
        raise
    except Exception as error:  # whatever the module does while it is imported
        raise NoSuchBot(f"The bot {short_repr(bot)} cannot be loaded: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """What went wrong while a bot was imported, and where."""
    if isinstance(error, ImportError | AttributeError | SyntaxError):
        return str(error)
    place = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def _as_maker(found: Any, where: str) -> BotMaker:
    if not callable(found) or (isinstance(found, type) and not callable(getattr(found, "choose", None))):
        raise NoSuchBot(f"{where} is not a class with a method choose(turn).")
    maker: BotMaker = found
    return maker


# Bots at their seats.


class _OurBot:
    """One of our bots, which keep what they searched from move to move where nothing is hidden."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._bot = make()
        self._heard: list[Event] = []

    def choose(self, turn: Turn) -> int:
        if not turn.game.has_hidden_information:
            self._hear(turn.events)
        return self._bot.choose(turn.state, turn.seat)

    def _hear(self, events: Sequence[Event]) -> None:
        if self._heard != list(events[: len(self._heard)]):  # moves were taken back
            self._bot = self._make()
            self._heard = list(events)
        for who, action in events[len(self._heard) :]:
            assert action is not None
            self._bot.inform_action(action)
            self._heard.append((who, action))

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        """Nothing to do: our bots do not learn from results."""

    def close(self) -> None:
        """Nothing to do."""


class Checked:
    """A user's own bot: its exceptions, illegal moves and timeouts become `BotFailed`."""

    def __init__(self, name: str, bot: OwnBot) -> None:
        self._name = name
        self._bot = bot

    def choose(self, turn: Turn) -> int:
        with _failures(self._name):
            chosen = self._bot.choose(turn) if isinstance(self._bot, EngineBot) else self._choose_in_time(turn)
        return self._checked(chosen, turn)

    def _choose_in_time(self, turn: Turn) -> int:
        """The choice of a bot in this process; a program has a deadline of its own."""
        begin = monotonic()
        with _alarm(turn.clock):
            chosen = self._bot.choose(turn)
        if monotonic() - begin > turn.clock:
            raise _TooLong
        return chosen

    def _checked(self, chosen: object, turn: Turn) -> int:
        try:
            action = index(chosen)  # type: ignore[arg-type]  # it may be anything
        except TypeError:
            action = None
        if action is None or action not in turn.legal:
            self.close()
            name, move = bot_title(self._name), short_repr(chosen)
            raise BotFailed(phrase("{name} chose {move}, which is not a legal action here.", name=name, move=move))
        return action

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        with _failures(self._name):
            getattr(self._bot, "end", _ignore)(returns, scores)

    def close(self) -> None:
        with _failures(self._name):
            getattr(self._bot, "close", _ignore)()


def _ignore(*arguments: object) -> None:
    """What a bot without the method does."""


class _TooLong(BaseException):
    """Raised in a bot whose time is up; not an `Exception`, so that the bot does not catch it by accident."""


@contextmanager
def _failures(name: str) -> Iterator[None]:
    """Turn whatever a user's bot raises into `BotFailed`, and log where it happened."""
    try:
        yield
    except BotFailed:
        raise
    except _TooLong:
        raise BotFailed(phrase("{name} took too long for its move.", name=bot_title(name))) from None
    except Exception as error:
        _LOG.warning("the bot %s failed", name, exc_info=error)
        what = f"{type(error).__name__}: {error}"[:200]
        raise BotFailed(phrase("{name} failed: {error}.", name=bot_title(name), error=what)) from error


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt Python code that runs longer than this; only the main thread of a process can be interrupted."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Bots at the tables of a server.


class TableBots:
    """The bots that a server offers: the levels, and those that its operator adds."""

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        """`own`: the registered names of users' own bots, by the names that players read."""
        self.own: Final = dict(own or {})

    def titles(self) -> dict[str, Phrase]:
        """The titles of the bots, weakest first, then the operator's own."""
        return TITLES | {name: self.title(name) for name in self.own}

    def check(self, level: str) -> str:
        """Return the level, or name of an own bot; `BadOption` if no bot has it."""
        titles = self.titles()
        if level not in titles:
            raise BadOption(f"There is no bot {level[:40]!r}; the bots are: {', '.join(titles)}.")
        return level

    def registered(self, name: str) -> str:
        """Return the registered name of an own bot; `BadOption` if the server offers none of this name."""
        if name not in self.own:
            raise BadOption(phrase("{name} is not offered on this server any more.", name=name[:40]))
        return self.own[name]

    def title(self, level: str) -> Phrase:
        """The title of a bot; of one that is no longer offered, a general one."""
        return Phrase("{name}", {"name": level}) if level in self.own else level_title(level)

    @staticmethod
    def read(words: Sequence[str]) -> dict[str, str]:
        """Parse bots as an operator writes them: NAME=BOT, or the NAME of a registered one."""
        own: dict[str, str] = {}
        for word in words:
            name = bot_title(word)
            if not is_own(word):
                raise NoSuchBot(f"There is no own bot {short_repr(word)}; write NAME=python:... or NAME=engine:...")
            if name in TITLES or name in own:
                raise BadOption(f"There are two bots {name!r}; write NAME=BOT with another name.")
            own[name] = word
        return own
