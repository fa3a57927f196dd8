"""The view of one viewer of a game of Passerelles: all of it, for nothing is hidden."""

from __future__ import annotations

from functools import cache

from ludotheque.core.game import TERMINAL
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.observation import Area, LaidPiece, PasserellesObservation, placement_name
from ludotheque.games.passerelles.rules import (
    NO_PIECE,
    PasserellesState,
    height_of,
    owner_of,
    placement_of,
)


def observe(state: PasserellesState, viewer: int) -> PasserellesObservation:
    """Return what `viewer` may know of the position."""
    player = state.current_player()
    over = player == TERMINAL
    return PasserellesObservation(
        viewer=viewer,
        to_move=player,
        players=2,
        returns=tuple(state.returns()) if over else (),
        round=state.round + 1,
        rounds=state.rounds,
        laying=state.laying,
        passed=state.passes > 0,
        must_pass=not over and not state.laying and not state.can_place(player),
        pieces=tuple(map(_laid_piece, state.laid_pieces())),
        last=state.laid - 1 if state.laid > len(state.landscape) else -1,
        tops=_tops(bytes(state.tops)),
        supply=tuple(tuple(state.held(owner, length) for length in range(1, 6)) for owner in range(board.OWNERS)),
        areas=tuple(areas(state)),
        points=(state.first_points, state.second_points),
        now=state.score_now(),
    )


_TOP = [*range(NO_PIECE), -1]


def _tops(tops: bytes) -> tuple[int, ...]:
    return tuple(map(_TOP.__getitem__, tops))


@cache
def _laid_piece(piece: int) -> LaidPiece:
    placement = placement_of(piece)
    squares = tuple(board.squares_of(placement))
    return LaidPiece(owner_of(piece), placement_name(placement), height_of(piece), squares)


def areas(state: PasserellesState) -> list[Area]:
    """The areas that score, with their squares."""
    halves = state.areas()
    found = []
    for seat in (0, 1):
        left = board.squares_in(halves[2 * seat], halves[2 * seat + 1])
        while left:
            region = {*board.squares_in(*state.region(seat, board.NORTH[left[0]], board.SOUTH[left[0]]))}
            found.append(Area(seat, tuple(square for square in left if square in region)))
            left = [square for square in left if square not in region]
    return found
