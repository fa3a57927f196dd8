"""Count move sequences: if two programs or versions differ in a count, they play by different rules. Compiled."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import CHANCE, TERMINAL, State


def perft(state: State, depth: i64) -> i64:
    """Count the sequences of exactly `depth` legal moves from here, in a game without chance."""
    if depth < 0:
        raise LudothequeError(f"The depth must be at least 0, not {depth}.")
    if depth == 0:
        return 1
    return _sequences(state, depth, state.game.new_buffer())


def _sequences(state: State, depth: i64, last: vec[i64]) -> i64:
    """Count recursively; the last moves are counted in the buffer `last` and not played."""
    player = state.current_player()
    if player == TERMINAL:
        return 0
    if player == CHANCE:
        raise LudothequeError(f"Move sequences are counted in games without chance; {state.game.title} has draws.")
    if depth == 1:
        return state.legal_into(last)
    actions = state.game.new_buffer()
    moves = state.legal_into(actions)
    count: i64 = 0
    i: i64 = 0
    while i < moves:
        after = state.clone()
        after.apply(actions[i])
        count += _sequences(after, depth - 1, last)
        i += 1
    return count
