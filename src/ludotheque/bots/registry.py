"""The registry of bots: the built-in bots of this package, and custom ones.

random, myopic, greedy, policy, search:2000, bot:3
                                               built in; see `ludotheque.bots.names`
NAME                                           one of an installed package, or added by `register_bot`
python:package.module:Class                    a class with `choose(turn)`
engine:COMMAND                                 a program that speaks the engine protocol
NAME=python:..., NAME=engine:...               the same under a shorter name

Any installed package can provide a bot by an entry point of the group `ludotheque.bots`:

[project.entry-points."ludotheque.bots"]
my-bot = "my_package:MyBot"        # called with the game, the seat and a seed; has `choose(turn)`

The names of built-in bots are reserved, so that a result against them means the same everywhere.
"""

from __future__ import annotations

import importlib
import logging
import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

from ludotheque.bots.bot import Bot, BotMaker
from ludotheque.bots.engine import EngineBot, engine_words
from ludotheque.bots.guarded import GuardedBot, failures
from ludotheque.bots.names import bot_named, is_builtin
from ludotheque.core.errors import NoSuchBot, NoSuchSeat
from ludotheque.core.game import Game
from ludotheque.core.phrases import short_repr
from ludotheque.core.randoms import check_seed
from ludotheque.core.turn import CLOCK

GROUP: Final = "ludotheque.bots"
_LOG: Final = logging.getLogger("ludotheque.bots.registry")
_ALIAS: Final = re.compile(r"(?P<alias>[A-Za-z0-9][A-Za-z0-9_.-]{0,29})=(?P<bot>.+)", re.ASCII | re.DOTALL)
_PYTHON: Final = re.compile(r"python:(?P<module>[\w.]+):(?P<name>\w+)")
_added: dict[str, BotMaker] = {}


def register_bot(name: str, maker: BotMaker) -> None:
    """Add a bot for this process: its name, and its class or a function, called with the game, the seat and a seed."""
    if not str(name or "").strip():
        raise NoSuchBot(f"A bot needs a name, not {short_repr(name)}.")
    if is_builtin(name):
        raise NoSuchBot(f"{name!r} is the name of a built-in bot; choose another.")
    if not callable(maker):
        raise NoSuchBot(f"A bot is a class that is called with the game, the seat and a seed, not {short_repr(maker)}.")
    _added[name] = maker


def seat_bot(name: str, game: Game, seat: int, seed: int, clock: float = CLOCK) -> Bot:
    """Make the bot of that name for one seat of one game; `NoSuchBot` if there is none."""
    if not 0 <= seat < game.players:
        raise NoSuchSeat(f"There is no seat {short_repr(seat)}: the seats are 0 to {game.players - 1}.")
    seed = check_seed(seed)
    bot = without_alias(name)
    if bot.startswith("engine:"):
        title = bot_title(name)
        return GuardedBot(title, EngineBot(title, bot.partition(":")[2], game, seat, seed, clock))
    maker = _maker(bot)
    if maker is None:
        return bot_named(bot, game, seed)
    with failures(bot_title(name)):
        return GuardedBot(bot_title(name), maker(game, seat, seed))


def check_bot(name: str, game: Game) -> None:
    """Raise `NoSuchBot` unless there is a bot of that name; start nothing."""
    bot = without_alias(name)
    if bot.startswith("engine:"):
        engine_words(bot.partition(":")[2])
    elif _maker(bot) is None:
        bot_named(bot, game, 1)


def is_custom(name: str) -> bool:
    """Whether a name is that of a custom bot."""
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
    if found and is_builtin(found["alias"]):
        raise NoSuchBot(f"{found['alias']!r} is the name of a built-in bot; choose another.")
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


# Sources of bots.


@cache
def _installed() -> dict[str, EntryPoint]:
    """The entry points of installed packages, by name of the bot. One with the name of a built-in bot is ignored."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    for name in filter(is_builtin, found):
        _LOG.warning("the bot %s of %s has the name of a built-in bot and is ignored", name, found[name].value)
    return {name: entry for name, entry in found.items() if not is_builtin(name)}


def _maker(bot: str) -> BotMaker | None:
    """The class or function that makes a custom bot; None for built-in bots."""
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
    """Return the reason why a bot could not be imported, and the place."""
    if isinstance(error, ImportError | AttributeError | SyntaxError):
        return str(error)
    place = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def _as_maker(found: Any, where: str) -> BotMaker:
    if not callable(found) or (isinstance(found, type) and not callable(getattr(found, "choose", None))):
        raise NoSuchBot(f"{where} is not a class with a method choose(turn).")
    maker: BotMaker = found
    return maker
