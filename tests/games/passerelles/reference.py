"""A slow, independent implementation of Passerelles, square by square, to check the rules against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

COLUMNS, ROWS = 11, 10
Square = tuple[int, int]
"""Column and row, from 0 at the top left."""
BOARD = frozenset((column, row) for column in range(COLUMNS) for row in range(ROWS))
SIDES = {
    "top": frozenset(square for square in BOARD if square[1] == 0),
    "right": frozenset(square for square in BOARD if square[0] == COLUMNS - 1),
    "bottom": frozenset(square for square in BOARD if square[1] == ROWS - 1),
    "left": frozenset(square for square in BOARD if square[0] == 0),
}
OPPOSITE = [{"top", "bottom"}, {"left", "right"}]
NEUTRAL = 2
Region = frozenset[Square]
Owners = dict[Square, int]


@dataclass(frozen=True)
class Piece:
    owner: int
    squares: tuple[Square, ...]
    height: int


@dataclass
class Table:
    """The pieces on the board, as those that one sees from above."""

    tops: dict[Square, Piece] = field(default_factory=dict)

    def top(self, square: Square) -> Piece | None:
        """The highest piece over a square."""
        return self.tops.get(square)

    def height(self, square: Square) -> int:
        """The height of the top; -1 where the square is bare."""
        top = self.top(square)
        return -1 if top is None else top.height

    def height_for(self, owner: int, squares: tuple[Square, ...]) -> int | None:
        """How high the piece would lie; None where it may not lie."""
        if not BOARD.issuperset(squares):
            return None
        if all(self.top(square) is None for square in squares):
            return 0
        return None if owner == NEUTRAL else self._height_of_bridge(owner, squares)

    def _height_of_bridge(self, owner: int, squares: tuple[Square, ...]) -> int | None:
        height = self.height(squares[0]) + 1
        if height == 0 or self.height(squares[-1]) + 1 != height:
            return None
        if any(self.height(square) >= height for square in squares):
            return None
        supports = [self.top(square) for square in squares if self.height(square) == height - 1]
        if any(supports.count(support) > 1 for support in supports):
            return None
        owners = {support.owner for support in supports if support is not None}
        return height if owner in owners or owners == {NEUTRAL} else None

    def lay(self, owner: int, squares: tuple[Square, ...]) -> None:
        height = self.height_for(owner, squares)
        assert height is not None
        self.tops |= dict.fromkeys(squares, Piece(owner, squares, height))

    def seen_from_above(self) -> Owners:
        """Whose the top piece is, for the squares that are not bare."""
        return {square: top.owner for square, top in self.tops.items()}

    def scores(self, diagonal: bool = False) -> tuple[int, int]:
        first, second = scoring_squares(self.seen_from_above(), diagonal)
        return len(first), len(second)


# Scoring.


def areas_of(player: int, owners: Owners, diagonal: bool) -> list[Region]:
    """The regions that a player encloses."""
    free = [square for square in BOARD if owners.get(square) != player]
    return [region for region in regions(free, diagonal) if is_enclosed(region)]


def scoring_squares(owners: Owners, diagonal: bool = False) -> tuple[Region, Region]:
    """The squares that each player gets a point for."""
    areas = [[(area, len(extent(area))) for area in areas_of(player, owners, diagonal)] for player in (0, 1)]
    scoring: tuple[set[Square], set[Square]] = (set(), set())
    for square in BOARD.difference(owners):
        sizes = [next((size for area, size in areas[player] if square in area), 1000) for player in (0, 1)]
        for player in (0, 1):
            if sizes[player] < sizes[1 - player]:
                scoring[player].add(square)
    return frozenset(scoring[0]), frozenset(scoring[1])


def neighbours(square: Square, diagonal: bool) -> Iterable[Square]:
    column, row = square
    for across in (-1, 0, 1):
        for down in (-1, 0, 1):
            steps = abs(across) + abs(down)
            if steps == 1 or (diagonal and steps == 2):
                yield column + across, row + down


def reach(start: Iterable[Square], free: Iterable[Square], diagonal: bool) -> Region:
    """All squares that can be reached from some free squares over free ones."""
    free = set(free)
    found = set(start)
    waiting = list(found)
    while waiting:
        for square in neighbours(waiting.pop(), diagonal):
            if square in free and square not in found:
                found.add(square)
                waiting.append(square)
    return frozenset(found)


def regions(free: Iterable[Square], diagonal: bool) -> list[Region]:
    left = set(free)
    found = []
    while left:
        found.append(reach([next(iter(left))], left, diagonal))
        left -= found[-1]
    return found


def sides_touched(region: Region) -> set[str]:
    return {name for name, side in SIDES.items() if side & region}


def is_enclosed(region: Region) -> bool:
    touched = sides_touched(region)
    return len(touched) <= 1 or (len(touched) == 2 and touched not in OPPOSITE)


def extent(area: Region) -> Region:
    """The area with its islands filled in: without what can go around it to a side that it does not touch."""
    sides = [side for name, side in SIDES.items() if name not in sides_touched(area)]
    return BOARD - reach(frozenset().union(*sides), BOARD - area, diagonal=False)
