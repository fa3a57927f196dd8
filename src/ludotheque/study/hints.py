"""Hints: the moves that a bot would choose at some ply of a match, and what it expects of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.random import Random
from msgspec import Struct

from ludotheque.bots.pool import Pool
from ludotheque.bots.search import Candidate
from ludotheque.core.errors import NoSuchPly
from ludotheque.core.game import State
from ludotheque.table import Match

DEALS: Final = 100


class Hint(Struct, frozen=True):
    """A move, and what a bot expects of it."""

    move: str
    visits: int
    returns: tuple[float, ...]
    """By seat: the expected share of the win, adjusted a little for the lead in points."""
    scores: tuple[float, ...]
    """By seat: the expected final score."""
    exact: bool
    """Whether the numbers are the exact result of best play, not estimates."""
    follows: tuple[str, ...]
    """The decisions expected after it, the later ones less reliable; draws are left out."""


def hints(match: Match, ply: int, *, seconds: float, workers: int = 1, most: int = 3, seed: int = 1) -> list[Hint]:
    """Return the best few moves of the seat to move at a ply, based on what that seat may know."""
    past = Match(match.game, match.names, history=[action for _, action in match.actions()][: max(0, ply)])
    seat = past.to_move
    if ply != past.ply or seat < 0:
        raise NoSuchPly(f"No player is to move at ply {ply}; choose a ply after which somebody is to move.")
    position = past.resampled(seat, Random(seed))
    with Pool(workers) as pool:
        found = pool.think(position, seat, seed=seed, seconds=seconds)
    return [_hint(position, seat, move) for move in found[:most]]


def _hint(position: State, seat: int, move: Candidate) -> Hint:
    moves = line_notation(position, seat, [move.action, *move.line])
    return Hint(moves[0], move.visits, move.returns, move.scores, move.is_exact, tuple(moves[1:]))


def line_notation(position: State, seat: int, actions: Sequence[int], deals: int = DEALS) -> list[str]:
    """Return a line of decisions in the game's notation. Of several deals that are possible for the seat, the one that
    allows most of the line is used."""
    rng = Random(1)
    possible = [position.resample_from_infostate(seat, rng) for _ in range(deals)]
    return max((_notation(deal, actions, rng) for deal in possible), key=len)


def _notation(state: State, actions: Sequence[int], rng: Random) -> list[str]:
    """Return the decisions in the game's notation as far as they are legal, with random draws between them."""
    moves: list[str] = []
    for action in actions:
        while state.is_chance_node():
            state.apply(state.sample(rng))
        if action not in state.legal_actions():
            break
        moves.append(state.action_to_string(action))
        state.apply(action)
    return moves
