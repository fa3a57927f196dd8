"""How fast the rules run: random games, steps and copies a second on one core."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from librt.random import Random
from msgspec import Struct

import ludotheque
from ludotheque.bots.search import Search
from ludotheque.core.game import Game, State
from ludotheque.core.playout import clones, playouts


class Measurement(Struct, frozen=True):
    """What one game reached in one run. Steps are moves and draws."""

    game: str
    seats: int
    playouts_per_s: float
    steps_per_s: float
    clones_per_s: float
    bytes_per_state: int
    simulations_per_s: float
    """Of a search from the middle of a game."""
    search_speed: float
    """That, as a part of the policy's own playouts a second from the same position without any tree."""
    compiled: bool


def measure(game: Game, seconds: float = 2.0, seed: int = 1) -> Measurement:
    """Play random games from the start to the end for about so many seconds; copy states for a quarter of that."""
    start = game.new_initial_state()
    rng = Random(seed)
    steps = 0

    def play(times: int) -> None:
        nonlocal steps
        steps += playouts(start, times, rng)

    games, spent = _repeat(play, seconds)
    middle = _middle_of_a_game(game, rng)
    copies, spent_copying = _repeat(lambda times: clones(middle, times), seconds / 4)
    simulations, search_speed = _search_speed(middle, seconds / 2, seed)
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


def _search_speed(state: State, seconds: float, seed: int) -> tuple[float, float]:
    """Simulations a second, and as a part of the playouts that they are made of."""
    policy = state.game.policy()
    rng = Random(seed)
    while state.is_chance_node():
        state.apply(state.sample(rng))
    search = Search(state.game, policy, state, int(state.current_player()))
    done, spent = _repeat(lambda times: search.run(times, rng), seconds)
    bare, spent_bare = _repeat(lambda times: policy.play_out(state, times, rng), seconds)
    return done / spent, done / spent * spent_bare / bare


def _repeat(work: Callable[[int], object], seconds: float) -> tuple[int, float]:
    """Do the work in growing portions until the time is up; how often it was done, and in which time."""
    done, portion = 0, 1
    begin = time.perf_counter()
    while True:
        work(portion)
        done += portion
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return done, spent
        portion = max(1, min(2 * portion, int(done / spent * (seconds - spent))))


def _middle_of_a_game(game: Game, rng: Random) -> State:
    states: list[State] = [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].clone())
        states[-1].apply(states[-1].sample(rng))
    return states[len(states) // 2]


def _bytes_per_state(state: State, copies: int = 1000) -> int:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = [state.clone() for _ in range(copies)]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) // len(kept)
