"""What a bot would do at some point of a match, with its reasons."""

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
    """One move, and what to expect of it."""

    move: str
    visits: int
    returns: tuple[float, ...]
    """By seat: the expected share of the win, with a little of how far ahead it is."""
    scores: tuple[float, ...]
    """By seat: the expected final score."""
    exact: bool
    """Whether that is no estimate, but what comes of best play by all."""
    follows: tuple[str, ...]
    """The decisions expected after it; the last ones were hardly looked at. Draws are not foreseen."""


def hints(match: Match, ply: int, *, seconds: float, workers: int = 1, most: int = 3, seed: int = 1) -> list[Hint]:
    """The best few moves for whoever is to act after so many plies, as far as they can know."""
    past = Match(match.game, match.names, history=[action for _, action in match.actions()][: max(0, ply)])
    seat = past.to_move
    if ply != past.ply or seat < 0:
        raise NoSuchPly(f"Nobody decides anything at ply {ply}; choose a ply after which somebody is to move.")
    position = past.resampled(seat, Random(seed))
    with Pool(workers) as pool:
        found = pool.think(position, seat, seed=seed, seconds=seconds)
    return [_hint(position, seat, move) for move in found[:most]]


def _hint(position: State, seat: int, move: Candidate) -> Hint:
    words = line_words(position, seat, [move.action, *move.line])
    return Hint(words[0], move.visits, move.returns, move.scores, move.is_exact, tuple(words[1:]))


def line_words(position: State, seat: int, actions: Sequence[int], deals: int = DEALS) -> list[str]:
    """A line of decisions in the game's notation, told by the deal, of several that the seat might be facing, in which
    most of it can happen."""
    rng = Random(1)
    faced = [position.resample_from_infostate(seat, rng) for _ in range(deals)]
    return max((_words(deal, actions, rng) for deal in faced), key=len)


def _words(state: State, actions: Sequence[int], rng: Random) -> list[str]:
    """The decisions in the game's notation, as long as they can be carried out; draws between them fall anyhow."""
    words: list[str] = []
    for action in actions:
        while state.is_chance_node():
            state.apply(state.sample(rng))
        if action not in state.legal_actions():
            break
        words.append(state.action_to_string(action))
        state.apply(action)
    return words
