"""About how long a game takes, for people who are invited to one.

The number of turns comes from a few random playouts, which take milliseconds and are cached: in our games it hardly
depends on how well they are played.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from librt.random import Random

from ludotheque.core.game import State
from ludotheque.core.registry import cached_game
from ludotheque.table.clock import ClockRule

SECONDS_PER_TURN: Final = 20.0
"""Seconds that a person takes for a turn, by and large."""
SECONDS_OF_BOTS: Final = 2.0
_PLAYOUTS: Final = 3
_STEP: Final = 5
"""Minutes are rounded to multiples of this."""


@lru_cache(maxsize=256)
def turns_of(name: str, players: int) -> float:
    """The number of turns of a game with its usual options: its mean over a few random playouts."""
    game = cached_game(name, players, {})
    return sum(_turns(game.new_initial_state(), Random(seed)) for seed in range(_PLAYOUTS)) / _PLAYOUTS


def _turns(state: State, rng: Random) -> int:
    """Play a game at random, and count how often another seat had its turn."""
    turns, latest = 0, -1
    while not state.is_terminal():
        seat = int(state.current_player())
        if seat >= 0 and seat != latest:
            turns, latest = turns + 1, seat
        state.apply(state.sample(rng))
    return turns


def about_minutes(name: str, players: int, people: int, clock: ClockRule | None) -> int:
    """About how many minutes a game takes, of which `people` seats are not bots'; 0 if a move may take days."""
    if clock and clock.kind == "days":
        return 0
    turns = turns_of(name, players)
    by_people = turns * people / players
    seconds = by_people * SECONDS_PER_TURN
    if clock and clock.kind == "move":
        seconds = by_people * min(SECONDS_PER_TURN, clock.seconds)
    elif clock:
        seconds = min(seconds, people * clock.seconds + by_people * clock.increment)
    seconds += (turns - by_people) * SECONDS_OF_BOTS
    return max(_STEP, _STEP * round(seconds / 60 / _STEP))
