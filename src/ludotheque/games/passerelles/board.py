"""The board of Passerelles and its pieces, from `board.toml`, with the geometry computed once. Compiled.

Squares are numbered 0-109, row by row from the top left. Sets of squares are two numbers, the halves `north` (rows 1-5)
and `south` (rows 6-10), with a bit for each square and at the end of each row one that is never set, so that a step
to the side cannot wrap around:

         A  B  C        K
    1    0  1  2  ...  10  (11)
    2   12 13 14  ...  22  (23)
    5   48 49 50  ...  58  (59)       and the same for rows 6-10 in the other half

A *placement* is a length, a direction and the first square: the leftmost or the topmost one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from ludotheque.core.bits import BIT, BITS, place_of

FACTS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))

COLUMNS: Final = 11
ROWS: Final = 10
SQUARES: Final = 110
HALF: Final = 55
"""Squares in each half."""

# The two directions, as the distance to the next square of a piece: in squares, and in bits of a half.

ACROSS: Final = 1
DOWN: Final = 11
BIT_ACROSS: Final = 1
BIT_DOWN: Final = 12
BITS_OF_HALF: Final = 60

# Sets of squares within a half.

ALL: Final = 0x7FF7FF7FF7FF7FF
FIRST_ROW: Final = 0x7FF
LAST_ROW: Final = 0x7FF000000000000
FIRST_COLUMN: Final = 0x1001001001001
LAST_COLUMN: Final = 0x400400400400400

# Actions.
#
#     110 * kind + first square      place a piece; the kinds are 1, 2h, 2v, 3h, 3v, 4h, 4v, 5h, 5v
#     990                            pass

KINDS: Final = 9
PASS: Final = 990
ACTIONS: Final = 991

LONGEST: Final = 5


def kind_of(length: i64, down: bool) -> i64:
    """The kind of a piece of that length laid across or down; a single square lies only across."""
    return 0 if length == 1 else 2 * length - 2 if down else 2 * length - 3


def length_of(kind: i64) -> i64:
    return (kind + 3) >> 1


def step_of(kind: i64) -> i64:
    """`ACROSS` or `DOWN`."""
    return DOWN if kind != 0 and kind & 1 == 0 else ACROSS


def squares_of(action: i64) -> list[int]:
    """The squares of a placement from the first to the last; none if it does not fit on the board."""
    kind, first = action // SQUARES, action % SQUARES
    length, step = length_of(kind), step_of(kind)
    if step == ACROSS and first % COLUMNS + length > COLUMNS:
        return []
    if step == DOWN and first // COLUMNS + length > ROWS:
        return []
    return [int(first + i * step) for i in range(length)]


def _bit(square: int) -> int:
    """The bit of a square within its half."""
    row, column = divmod(square % HALF, COLUMNS)
    return int(BIT[BIT_DOWN * row + column])


def _halves(south: bool) -> vec[i64]:
    """Return the squares of each placement in one half."""
    sets = [[_bit(square) for square in squares_of(action) if (square >= HALF) == south] for action in range(PASS)]
    return vec[i64]([i64(sum(bits)) for bits in sets])


NORTH: Final = _halves(south=False)
SOUTH: Final = _halves(south=True)
"""Squares of each placement in each half. The first 110 placements are the single squares."""


def _by_lengths() -> list[list[int]]:
    """Return the placements on the board, by the set of lengths that they may have: bit 0 stands for length 1."""
    lengths = {action: int(length_of(action // SQUARES)) for action in range(PASS) if squares_of(action)}
    return [[action for action in lengths if allowed >> (lengths[action] - 1) & 1] for allowed in range(2**LONGEST)]


_BY_LENGTHS: Final = _by_lengths()
PLACEMENTS: Final = vec[i16]([i16(action) for actions in _BY_LENGTHS for action in actions])
"""Placements on the board of pieces of length 1; then of length 2; of either; and so on."""
FIRST_PLACEMENT: Final = vec[i64](
    [i64(sum([len(actions) for actions in _BY_LENGTHS[:n]])) for n in range(2**LONGEST + 1)]
)
"""Where those of a set of lengths begin in `PLACEMENTS`; one more at the end."""


def _end_squares(last: bool) -> vec[u8]:
    """Return the first or the last square of each placement; 0 for those that are not on the board."""
    squares = [squares_of(action) or [0] for action in range(PASS)]
    return vec[u8]([u8(of_action[-1 if last else 0]) for of_action in squares])


FIRST_SQUARE: Final = _end_squares(last=False)
LAST_SQUARE: Final = _end_squares(last=True)


def _squares_by_place() -> vec[u8]:
    squares = [0] * BITS
    for square in range(HALF):
        squares[int(place_of(_bit(square)))] = square
    return vec[u8]([u8(square) for square in squares])


SQUARE_AT: Final = _squares_by_place()
"""The square of each place in the north half; in the south half it is `HALF` more."""


def squares_in(north: i64, south: i64) -> list[int]:
    """The squares of a set, ascending; for readers, not for hot loops."""
    return [square for square in range(SQUARES) if NORTH[square] & north or SOUTH[square] & south]


# The pieces.

OWNERS: Final = 3
NEUTRAL: Final = 2
"""The owner, after the two seats, of the neutral pieces."""
NEUTRAL_PIECES: Final = 6
PIECES: Final = 30
BITS_OF_COUNT: Final = 4


def supply_place(owner: i64, length: i64) -> i64:
    """Return where a supply counts the pieces of that owner and length: four bits from this one on."""
    return BITS_OF_COUNT * (LONGEST * owner + length - 1)


def _full_supply() -> int:
    supply = 0
    for owner in range(OWNERS):
        kinds: dict[str, int] = FACTS["pieces"]["neutral" if owner == NEUTRAL else "player"]
        for length, copies in kinds.items():
            supply += copies * int(BIT[supply_place(owner, int(length))])
    return supply


FULL_SUPPLY: Final = i64(_full_supply())
"""All pieces, before any is laid."""


# The board's four symmetries: as it is, left and right exchanged, top and bottom exchanged, both (a half turn).

SYMMETRIES: Final = 4


def _reflected_square(square: int, symmetry: int) -> int:
    row, column = divmod(square, COLUMNS)
    if symmetry & 1:
        column = COLUMNS - 1 - column
    if symmetry & 2:
        row = ROWS - 1 - row
    return COLUMNS * row + column


def _reflected_action(action: int, symmetry: int) -> int:
    squares = squares_of(action)
    if action == PASS or not squares:
        return action
    return action - squares[0] + min([_reflected_square(square, symmetry) for square in squares])


def _reflected() -> vec[i16]:
    table = [_reflected_action(action, symmetry) for symmetry in range(SYMMETRIES) for action in range(ACTIONS)]
    return vec[i16]([i16(action) for action in table])


_REFLECTED: Final = _reflected()


def reflected(action: i64, symmetry: i64) -> i64:
    """The same action on the reflected board; each symmetry undoes itself."""
    return i64(_REFLECTED[ACTIONS * symmetry + action])
