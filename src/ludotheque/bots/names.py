"""The names of the built-in bots, on the command line, in arenas and at tables.

random          any legal move
myopic          the best score after this one move
greedy          the best position at the end of this turn, by the policy's evaluation
policy          what the game's policy likes best, without search
search:2000     search with 2000 simulations a move
search:1.5s     search for 1.5 seconds a move
bot:3           one of the six levels; `level:3` means the same
bot:2.5         halfway between two levels
bot:3-patient   a level in one of the game's styles
bot:5/10        a level with a tenth of its simulations, for measuring
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ludotheque.bots.levels import level_bot
from ludotheque.bots.players import BuiltinBot, GreedyBot, MyopicBot, PolicyBot, RandomBot, SearchBot
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game

_PLAIN: Final[dict[str, Callable[[Game, int], BuiltinBot]]] = {
    "random": RandomBot,
    "myopic": MyopicBot,
    "greedy": GreedyBot,
    "policy": PolicyBot,
}
_WITH_NUMBER: Final = re.compile(
    r"(?P<kind>search|level|bot):(?P<number>[0-9]{1,9}(?:\.[0-9]{1,6})?)(?P<seconds>s?)(?:-(?P<style>[a-z]{1,20}))?"
    r"(?:/(?P<divisor>[1-9][0-9]{0,3}))?",
    re.ASCII,
)


def is_builtin(name: str) -> bool:
    """Whether a name is that of a built-in bot, or looks like one."""
    return name in _PLAIN or _WITH_NUMBER.fullmatch(name) is not None


def bot_named(name: str, game: Game, seed: int) -> BuiltinBot:
    """The built-in bot of that name, for one game from its beginning, its luck drawn from the seed."""
    if name in _PLAIN:
        return _PLAIN[name](game, seed)
    found = _WITH_NUMBER.fullmatch(name)
    if not found:
        raise _unknown(name)
    number = float(found["number"])
    if found["kind"] != "search":
        if found["seconds"]:
            raise _unknown(name)
        return level_bot(number, game, seed, int(found["divisor"] or 1), found["style"] or "")
    if found["divisor"] or found["style"] or ("." in found["number"] and not found["seconds"]):
        raise _unknown(name)
    if number <= 0:
        raise NoSuchBot("A search needs at least one simulation, or some time.")
    if found["seconds"]:
        return SearchBot(game, seed, seconds=number)
    return SearchBot(game, seed, simulations=int(number))


def _unknown(name: str) -> NoSuchBot:
    names = ", ".join(_PLAIN)
    return NoSuchBot(
        f"There is no bot {name[:40]!r}; the bots are: {names}, bot:1 to bot:6, bot:3-patient (a style of the game), "
        "search:2000 (simulations), search:1.5s (time), those of installed packages, and custom ones: "
        "python:package.module:Class or engine:COMMAND."
    )
