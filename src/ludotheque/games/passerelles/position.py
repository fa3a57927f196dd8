"""A whole position of Passerelles as one line of text, and back.

Four fields with a blank between:

    round     1 or 2
    turn      whose turn it is: `B` blue (the first seat), `Y` yellow; `B:lay` to lay a neutral piece, `B:lay:passed`
              after a pass of the other player; `end` when the match is over
    points    of blue and of yellow from the rounds before, such as `12-7`
    pieces    in the order laid, `,` between, `-` for none: owner (`B`, `Y`, `N`), move and height, such as `Y4vD3^1`
"""

from __future__ import annotations

import re
from typing import Final

from ludotheque.core.errors import BadPosition
from ludotheque.core.game import TERMINAL
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.board import NEUTRAL
from ludotheque.games.passerelles.notation import read_placement, why_no_placement
from ludotheque.games.passerelles.observation import OWNER_LETTERS, placement_name
from ludotheque.games.passerelles.rules import PasserellesState, height_of, owner_of, placement_of

_TURN: Final = re.compile(r"(?P<seat>[BY])(?P<lay>:lay(?P<passed>:passed)?)?|end")
_POINTS: Final = re.compile(r"(0|[1-9][0-9]?|10[0-9]|110)-(0|[1-9][0-9]?|10[0-9]|110)")
_PIECE: Final = re.compile(r"(?P<owner>[BYN])(?P<move>1h|[2-5][hv])(?P<square>[A-K](?:10|[1-9]))\^(?P<height>[0-9]+)")


def write_position(state: PasserellesState) -> str:
    """The whole position as one line of text."""
    pieces = ",".join(map(_written_piece, state.laid_pieces())) or "-"
    return f"{state.round + 1} {_written_turn(state)} {state.first_points}-{state.second_points} {pieces}"


def _written_turn(state: PasserellesState) -> str:
    if state.is_terminal():
        return "end"
    laying = (":lay:passed" if state.passes else ":lay") if state.laying else ""
    return OWNER_LETTERS[state.player] + laying


def _written_piece(piece: int) -> str:
    move = placement_name(placement_of(piece)).replace(" ", "")
    return f"{OWNER_LETTERS[owner_of(piece)]}{move}^{height_of(piece)}"


def read_position(state: PasserellesState, text: str) -> PasserellesState:
    """Read a position into a new state of the same table."""
    fields = text.split()
    if len(fields) != 4:
        raise BadPosition(f"A position has four fields (round, turn, points, pieces), not {len(fields)}.")
    _read_round(state, fields[0])
    _read_points(state, fields[2])
    _read_pieces(state, fields[3])
    _read_turn(state, fields[1])
    return state


def _read_round(state: PasserellesState, text: str) -> None:
    numbers = [str(number + 1) for number in range(state.rounds)]
    if text not in numbers:
        raise BadPosition(f"The round is {' or '.join(numbers)}, not {text[:20]!r}.")
    state.round = int(text) - 1


def _read_points(state: PasserellesState, text: str) -> None:
    points = _POINTS.fullmatch(text)
    if not points:
        raise BadPosition(f"The points are written like 12-7, not {text[:20]!r}.")
    first, second = int(points[1]), int(points[2])
    if first + second > state.round * board.SQUARES:
        raise BadPosition(f"Before round {state.round + 1} the points cannot be {text}.")
    state.first_points, state.second_points = first, second


def _read_pieces(state: PasserellesState, text: str) -> None:
    state.clear_board()
    for word in [] if text == "-" else text.split(","):
        piece = _PIECE.fullmatch(word)
        placement = read_placement(f"{piece['move']} {piece['square']}") if piece else None
        if piece is None or placement is None:
            raise BadPosition(f"A piece is written like B5hC4^0, not {word[:20]!r}.")
        owner = OWNER_LETTERS.index(piece["owner"])
        if owner == NEUTRAL and _player_has_laid(state):
            raise BadPosition(f"The neutral pieces come before the players', so {word} cannot be here.")
        reason = why_no_placement(state, owner, placement)
        if reason:
            raise BadPosition(f"{word} cannot be laid: {reason}")
        state.lay(owner, placement)
        height = height_of(state.laid_pieces()[-1])
        if height != int(piece["height"]):
            raise BadPosition(f"{word} would lie at height {height}.")
    _check_landscape(state)


def _player_has_laid(state: PasserellesState) -> bool:
    return any(owner_of(piece) != NEUTRAL for piece in state.laid_pieces())


def _check_landscape(state: PasserellesState) -> None:
    neutral = [placement_of(piece) for piece in state.laid_pieces() if owner_of(piece) == NEUTRAL]
    if not state.free and sorted(neutral) != sorted(state.landscape):
        laid = ", ".join(f"N{placement_name(piece).replace(' ', '')}^0" for piece in state.landscape) or "none"
        raise BadPosition(f"The neutral pieces at this table are: {laid}.")


def _read_turn(state: PasserellesState, text: str) -> None:
    turn = _TURN.fullmatch(text)
    if not turn:
        raise BadPosition(f"Whose turn it is cannot be read: {text[:20]!r}.")
    if turn["lay"]:
        _check_laying(state)
        state.resume(OWNER_LETTERS.index(turn["seat"]), True, 1 if turn["passed"] else 0)
        return
    over = not (state.can_place(0) or state.can_place(1))
    if text == "end":
        if not over or state.round + 1 < state.rounds:
            raise BadPosition("The match is over when, in its last round, neither player can place.")
        state.player, state.laying, state.passes = TERMINAL, False, 0
        return
    if over:
        raise BadPosition("Neither player can place: the round is over.")
    state.resume(OWNER_LETTERS.index(turn["seat"]), False, 0)


def _check_laying(state: PasserellesState) -> None:
    if not state.free:
        raise BadPosition("Nobody lays neutral pieces at this table.")
    if state.laid >= board.NEUTRAL_PIECES or _player_has_laid(state):
        raise BadPosition("Neutral pieces are laid before the players', and there are six.")
