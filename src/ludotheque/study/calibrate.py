"""Measure how fast bots search in every game, with every option that matters and every number of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from time import process_time
from typing import Final

import msgspec
from librt.random import Random
from msgspec import Struct

from ludotheque.bots.search import BATCH, new_search
from ludotheque.bots.tuning import Speed, Tuning, settings_key, tuning
from ludotheque.bots.workers import WorkerPool
from ludotheque.core.game import Game, State
from ludotheque.core.options import Option, OptionValue
from ludotheque.core.policy import policy_of
from ludotheque.core.registry import game_class, load_game

GAMES: Final = 3
"""Games that the positions to search are taken from."""
POSITIONS: Final = 8
"""Positions of each game to search."""


class Setup(Struct, frozen=True):
    """A table to measure."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    seconds: float


def setups(names: Sequence[str], seconds: float) -> Iterator[Setup]:
    """Every combination of options and seats of these games that has a separate speed, with its measuring time."""
    for name in names:
        kind = game_class(name)
        options = [option for option in kind.options if option.name in tuning(kind).speed_options]
        for values in product(*(_choices(option) for option in options)):
            settings = {option.name: value for option, value in zip(options, values, strict=True)}
            for players in range(kind.min_players, kind.max_players + 1):
                yield Setup(name, players, settings, seconds)


def _choices(option: Option) -> tuple[OptionValue, ...]:
    return (False, True) if option.kind == "flag" else option.choices


def calibrate(names: Sequence[str], seconds: float, jobs: int = 1) -> dict[str, Tuning]:
    """Measure the speeds of these games, a number of seconds for each combination, in parallel on request; return the
    tuning of each game with its new speeds."""
    tables = list(setups(names, seconds))
    if jobs == 1:
        speeds = [measure_speed(table) for table in tables]
    else:
        with WorkerPool(jobs) as workers:
            speeds = list(workers.map(measure_speed, tables))
    found = {name: msgspec.structs.replace(tuning(game_class(name)), speeds={}) for name in names}
    for table, speed in zip(tables, speeds, strict=True):
        tuned = found[table.game]
        tuned.speeds.setdefault(settings_key(_load(table), tuned.speed_options), {})[table.players] = speed
    return found


def _load(table: Setup) -> Game:
    return load_game(table.game, table.players, **table.settings)


def measure_speed(table: Setup) -> Speed:
    """Search positions from whole games for about `seconds` of processor time. Every position counts alike, since
    a level gives each decision the same number of simulations."""
    game = _load(table)
    rng = Random(1)
    decisions = 0
    turns = 0
    positions: list[State] = []
    for _ in range(GAMES):
        states = _game_by_the_policy(game, rng)
        seats = [int(state.current_player()) for state in states]
        turns += 1 + sum(seat != before for seat, before in zip(seats[1:], seats[:-1], strict=True))
        real = [state for state in states if len(state.legal_actions()) > 1]
        decisions += len(real)
        positions += real[:: max(1, len(real) // POSITIONS)]
    each = [_seconds_per_simulation(state, table.seconds / len(positions), rng) for state in positions]
    return Speed(_rounded(len(each) / sum(each)), round(decisions / turns, 2))


def _game_by_the_policy(game: Game, rng: Random) -> list[State]:
    """Return the positions of a game by quick sensible moves in which a seat has to decide."""
    policy = policy_of(game)
    state = game.new_initial_state()
    states: list[State] = []
    while not state.is_terminal():
        if not state.is_chance_node():
            states.append(state.clone())
        state.apply(policy.move(state, rng))
    return states


def _seconds_per_simulation(state: State, seconds: float, rng: Random) -> float:
    """Search a position for about `seconds`."""
    begin = process_time()
    search = new_search(state.game, policy_of(state.game), state, int(state.current_player()))
    spent = 0.0
    while spent < seconds:
        search.run(BATCH, rng)
        spent = process_time() - begin
    return spent / search.simulations()


def _rounded(number: float) -> int:
    """To two digits: more would pretend to know."""
    unit = int(10 ** max(0, len(str(int(number))) - 2))
    return max(1, round(number / unit)) * unit
