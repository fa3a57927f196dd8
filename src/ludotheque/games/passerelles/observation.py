"""An observation of Passerelles: what one viewer knows, and how it is drawn in text."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.game import TERMINAL
from ludotheque.core.observation import Observation
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.board import NEUTRAL, SQUARES

# The owners: the first seat, the second one, no seat. The letters, so that colour is never the only mark.

COLOURS = ("blue", "yellow", "neutral")
COLOUR_NAMES = (phrase("blue"), phrase("yellow"), phrase("neutral"))
OWNER_LETTERS = ("B", "Y", "N")
COLUMN_LETTERS = "ABCDEFGHIJK"


def square_name(square: int) -> str:
    """`A1` is the square at the top left, `K10` the one at the bottom right."""
    row, column = divmod(square, board.COLUMNS)
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def placement_name(placement: int) -> str:
    """Length, direction and first square: `5h C4`."""
    kind, first = divmod(placement, SQUARES)
    direction = "v" if board.step_of(kind) == board.DOWN else "h"
    return f"{board.length_of(kind)}{direction} {square_name(first)}"


def describe_placement(placement: int) -> Phrase:
    """A placement as people say it: `length 5, from C4 to G4`."""
    squares = board.squares_of(placement)
    length, first, last = len(squares), square_name(squares[0]), square_name(squares[-1])
    if length == 1:
        return phrase("length 1, on {square}", square=first)
    return phrase("length {length}, from {first} to {last}", length=length, first=first, last=last)


class LaidPiece(Struct, frozen=True):
    """A piece on the board."""

    owner: int
    """A seat, or 2 for a neutral piece."""
    placement: str
    height: int
    """0 lies flat."""
    squares: tuple[int, ...]


class Area(Struct, frozen=True):
    """Bare squares of one region that score for a seat."""

    owner: int
    squares: tuple[int, ...]


def area_name(area: Area) -> str:
    """The owner and the first square: `B:A1`."""
    return f"{OWNER_LETTERS[area.owner]}:{square_name(area.squares[0])}"


class PasserellesObservation(Observation, frozen=True, kw_only=True):
    """A position of Passerelles. Squares are numbered 0-109, row by row from the top left."""

    round: int
    """From 1."""
    rounds: int
    laying: bool
    """Whether neutral pieces are being laid."""
    passed: bool
    """While they are: whether the other player just passed."""
    must_pass: bool
    """Whether the seat to act cannot place while the other can."""
    pieces: tuple[LaidPiece, ...]
    """In the order laid."""
    last: int
    """The number of the last piece that a player laid, or -1."""
    tops: tuple[int, ...]
    """Numbers of the top pieces among the pieces, from 0, or -1, by square."""
    supply: tuple[tuple[int, ...], ...]
    """Pieces of length 1, 2, 3, 4 and 5 that are left, by owner."""
    areas: tuple[Area, ...]
    points: tuple[int, ...]
    """Points from the rounds before this one, by seat."""
    now: tuple[int, ...]
    """Points that this round would score if it ended now, by seat."""

    def __str__(self) -> str:
        return "\n".join([*_drawn_board(self), "", *_drawn_facts(self)])


# The position drawn in text.


def _drawn_board(seen: PasserellesObservation) -> list[str]:
    """`B0` a blue piece at height 0, `*` the last one laid; `.` a bare square, `b` one that scores for blue."""
    scoring = {square: OWNER_LETTERS[area.owner].lower() for area in seen.areas for square in area.squares}

    def drawn(square: int) -> str:
        top = seen.tops[square]
        if top < 0:
            return scoring.get(square, ".")
        piece = seen.pieces[top]
        mark = "*" if top == seen.last else ""
        return f"{OWNER_LETTERS[piece.owner]}{piece.height}{mark}"

    lines = ["   " + "".join(f" {letter:<4}" for letter in COLUMN_LETTERS).rstrip()]
    for row in range(board.ROWS):
        squares = range(board.COLUMNS * row, board.COLUMNS * (row + 1))
        lines.append(f"{row + 1:>2} " + "".join(f" {drawn(square):<4}" for square in squares).rstrip())
    return lines


def _drawn_facts(seen: PasserellesObservation) -> list[str]:
    lines = [f"Round {seen.round} of {seen.rounds}"]
    if seen.laying:
        lines.append(f"Neutral pieces to lay: {_drawn_supply(seen.supply[NEUTRAL])}")
    for seat in range(seen.players):
        words = [f"Seat {seat + 1}, {COLOURS[seat]} ({OWNER_LETTERS[seat]})", f"{seen.now[seat]} points now"]
        if seen.round > 1:
            words.append(f"{seen.points[seat]} before")
        words.append(f"pieces {_drawn_supply(seen.supply[seat])}")
        if seat == seen.to_move and seen.must_pass:
            words.append("must pass")
        lines.append(("> " if seat == seen.to_move else "  ") + ", ".join(words))
    if seen.to_move == TERMINAL:
        lines.append(seen.won_by if 1 in seen.returns else "A draw.")
    return lines


def _drawn_supply(counts: tuple[int, ...]) -> str:
    return " ".join(str(length) for length in range(5, 0, -1) for _ in range(counts[length - 1])) or "none"
