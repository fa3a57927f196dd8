"""How fast bots search, by game, options and seats, as `ludotheque calibrate --write` has measured it.

The file `speeds.json` beside this module holds the numbers: for each game the options that change the speed, and for
each choice of them and each number of seats the simulations a second on one core and the decisions a move takes. Other
options (a board or cards of one's own) count as the default. A game that is not in the file has its policy's estimate.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.policy import policy_of

FILE: Final = Path(__file__).with_name("speeds.json")


class Speed(Struct, frozen=True, array_like=True):
    """How much a bot can do at one kind of table."""

    simulations: int
    """A second, on one core."""
    decisions: float
    """For each move at the table: to choose a card, its place, its turn."""


class GameSpeeds(Struct, frozen=True):
    """The speeds of one game."""

    options: tuple[str, ...]
    """The options that change the speed."""
    speeds: dict[str, dict[int, Speed]]
    """By the values of those options, and by seats."""


def settings_key(game: Game, options: tuple[str, ...]) -> str:
    """The values of these options at a table, as the file names them."""
    known = {option.name: option for option in game.options}
    return " ".join(f"{name}={known[name].write(game.settings[name])}" for name in options)


@cache
def measured_speeds() -> dict[str, GameSpeeds]:
    """The content of the file, by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, GameSpeeds])


def speed(game: Game) -> Speed:
    """The speed at this table: measured, or the policy's own estimate for a game that was never measured."""
    found = measured_speeds().get(game.name)
    if found is None:
        policy = policy_of(game)
        return Speed(policy.simulations_per_second, policy.decisions)
    return found.speeds[settings_key(game, found.options)][game.players]
