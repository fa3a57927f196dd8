"""Measure speed on one core: random games, steps and copies per second, and the bots' search.

All times are processor times, so other programs on the machine have little effect.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import Final

from librt.random import Random
from msgspec import Struct

import ludotheque
from ludotheque.bots.search import new_search
from ludotheque.core.game import Game, State
from ludotheque.core.playout import clones, playouts
from ludotheque.core.policy import policy_of

SIMULATIONS: Final = 2000
"""Simulations of each measured search: about as many as a middle-level bot uses for a move."""
POSITIONS: Final = 5
"""Positions searched in turn: the cost of a simulation depends on how near the next dividend is."""


class Measurement(Struct, frozen=True):
    """The speed of one game in one run. Steps are moves and draws."""

    game: str
    seats: int
    playouts_per_s: float
    steps_per_s: float
    clones_per_s: float
    bytes_per_state: int
    simulations_per_s: float
    """In searches from the middle of a game, each from an empty tree."""
    search_speed: float
    """The same as a fraction of the policy's rollouts per second without a tree: copy the position, play it by the
    policy to the end of a rollout, repeat."""
    compiled: bool


def measure(game: Game, seconds: float = 2.0, seed: int = 1) -> Measurement:
    """Play random games for about this many seconds, then measure copying and search more briefly."""
    start = game.new_initial_state()
    rng = Random(seed)
    steps = 0

    def play(times: int) -> None:
        nonlocal steps
        steps += playouts(start, times, rng)

    games, spent = _repeat(play, seconds)
    positions = middle_positions(game, seed)
    middle = positions[0]
    copies, spent_copying = _repeat(lambda times: clones(middle, times), seconds / 4)
    simulations, search_speed = _search_speed(positions, seconds / 2, seed)
    return Measurement(
        game=game.name,
        seats=game.players,
        playouts_per_s=games / spent,
        steps_per_s=steps / spent,
        clones_per_s=copies / spent_copying,
        bytes_per_state=_bytes_per_state(middle),
        simulations_per_s=simulations,
        search_speed=search_speed,
        compiled=ludotheque.COMPILED,
    )


def _search_speed(positions: Sequence[State], seconds: float, seed: int) -> tuple[float, float]:
    """Return simulations per second, and the same as a fraction of bare rollouts; both are measured alternately, so
    that other load slows them down equally. The positions take turns until the time is up."""
    policy = policy_of(positions[0].game)
    rng = Random(seed)
    spent_searching = spent_playing = 0.0
    done = 0
    for state in cycle(positions):
        search = new_search(state.game, policy, state, int(state.current_player()))
        spent_searching += _spent(partial(search.run, SIMULATIONS, rng))
        spent_playing += _spent(partial(policy.play_out, state, SIMULATIONS, rng))
        done += SIMULATIONS
        if spent_searching + spent_playing >= seconds:
            break
    return done / spent_searching, spent_playing / spent_searching


def _spent(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _repeat(work: Callable[[int], object], seconds: float) -> tuple[int, float]:
    """Repeat the work in growing portions until the time is up; return how often it was done, and the time spent."""
    done, portion = 0, 1
    begin = time.process_time()
    while True:
        work(portion)
        done += portion
        spent = time.process_time() - begin
        if spent >= seconds:
            return done, spent
        portion = max(1, min(2 * portion, int(done / spent * (seconds - spent)))) if spent else 2 * portion


def middle_positions(game: Game, seed: int) -> list[State]:
    """Return positions from the middle of random games where a seat has to decide; the same for the same seed."""
    return [_middle_of_a_game(game, Random(seed + number)) for number in range(POSITIONS)]


def _middle_of_a_game(game: Game, rng: Random) -> State:
    states: list[State] = [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].clone())
        states[-1].apply(states[-1].sample(rng))
    middle = states[len(states) // 2]
    while middle.is_chance_node():
        middle.apply(middle.sample(rng))
    return middle


def _bytes_per_state(state: State, copies: int = 1000) -> int:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = [state.clone() for _ in range(copies)]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) // len(kept)
