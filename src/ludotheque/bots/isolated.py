"""Custom bots in Python, isolated in processes, so that a crash or an endless loop ends only their game.

The process speaks the engine protocol. It is kept for the next game of the same bot, because an interpreter takes long
to start. A bot or a game that was registered in this process alone is unknown to others, and plays here.
"""

from __future__ import annotations

import atexit
import os
import shlex
import sys
from typing import Final

from ludotheque.bots.bot import Bot
from ludotheque.bots.engine import EngineBot, EngineProcess
from ludotheque.bots.guarded import GuardedBot
from ludotheque.bots.registry import bot_title, is_installed, seat_bot, without_alias
from ludotheque.core.game import Game
from ludotheque.core.registry import is_installed_game
from ludotheque.core.turn import CLOCK

_idle: Final[dict[str, list[EngineProcess]]] = {}
"""Processes that wait for their next game, by command."""


def runs_isolated(name: str, game: Game) -> bool:
    """Whether a bot gets a separate process: programs, and Python that another process can import."""
    bot = without_alias(name)
    in_python = bot.startswith("python:") or is_installed(bot)
    return bot.startswith("engine:") or (in_python and is_installed_game(game.name) and sys.platform != "win32")


def seat_isolated_bot(name: str, game: Game, seat: int, seed: int, clock: float = CLOCK) -> Bot:
    """Make the bot of that name for one seat of one game, in a separate process if it can have one."""
    if not runs_isolated(name, game) or without_alias(name).startswith("engine:"):
        return seat_bot(name, game, seat, seed, clock)
    command = python_command(name, game)
    title = bot_title(name)
    return GuardedBot(title, EngineBot(title, command, game, seat, seed, clock, python_path(), _idle))


def python_command(name: str, game: Game) -> str:
    """The command that plays a bot in Python as a program."""
    return shlex.join([sys.executable, "-m", "ludotheque.cli", "engine", game.name, "--bot", without_alias(name)])


def python_path() -> dict[str, str]:
    """The environment in which a new interpreter finds the modules that this one finds."""
    return {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


@atexit.register
def close_idle() -> None:
    """End the processes that wait for a game."""
    while _idle:
        _, processes = _idle.popitem()
        for process in processes:
            process.close()
