"""Bodies on the board: the order of painting, and the shadows on what is lower."""

from __future__ import annotations

import re

from hypothesis import given, strategies as st

from ludotheque.core.projection import Point, Solid, rectangle
from ludotheque.core.scene import Piece
from ludotheque.core.stacking import back_to_front, clipped, hull, stacked

THICKNESS = 10
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def box(id: str, x: float, y: float, width: float = 8, length: float = 8, height: float = 0) -> Piece:
    return Piece(id=id, symbol="box", x=x, y=y, elevation=height, body=Solid(rectangle(0, 0, width, length), THICKNESS))


def ids(pieces: list[Piece]) -> list[str]:
    return [piece.id for piece in pieces]


def test_what_is_lower_is_painted_first() -> None:
    drawn = [*stacked([box("bridge", 0, 0, 40, height=THICKNESS), box("left", 0, 0), box("right", 32, 0)])]
    assert ids(drawn) == ["shadow:0", "left", "right", f"shadow:{THICKNESS}", "bridge"]


def test_flat_pieces_are_painted_before_the_bodies_of_their_height() -> None:
    sign = Piece(id="sign", text="1", elevation=THICKNESS)
    drawn = [*stacked([box("upper", 0, 0, height=THICKNESS), sign, box("lower", 0, 0)])]
    assert ids(drawn)[-3:] == [f"shadow:{THICKNESS}", "sign", "upper"]


def test_a_long_piece_is_painted_before_what_is_in_front_of_either_end() -> None:
    beam = box("beam", 0, 0, 50)
    assert ids([*back_to_front([box("near", 0, 10), beam])]) == ["beam", "near"]
    assert ids([*back_to_front([beam, box("far", 40, -10)])]) == ["far", "beam"]


CELLS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), unique=True, min_size=1, max_size=20)


@given(CELLS)
def test_nothing_is_painted_over_what_hides_it(cells: list[tuple[int, int]]) -> None:
    boxes = [box(f"{x} {y}", 10 * x, 10 * y) for x, y in cells]
    order = ids([*back_to_front(boxes)])
    for x, y in cells:
        for behind in ((x - 1, y), (x, y - 1), (x - 1, y - 1)):
            if behind in cells:
                assert order.index(f"{behind[0]} {behind[1]}") < order.index(f"{x} {y}")


def test_a_shadow_on_a_piece_stays_on_it() -> None:
    drawn = [*stacked([box("ground", 0, 0, 20, 20), box("tower", 12, 2, height=THICKNESS)])]
    shadow = next(piece for piece in drawn if piece.id == f"shadow:{THICKNESS}")
    numbers = [float(number) for number in _NUMBER.findall(shadow.path)]
    assert max(numbers[::2]) == 20
    assert max(numbers[1::2]) <= 20
    assert shadow.elevation == THICKNESS


def test_a_higher_piece_casts_its_shadow_further() -> None:
    low, high = ([*stacked([box("box", 0, 0, height=height)])] for height in (0, 5 * THICKNESS))
    assert ids(low) == ["shadow:0", "box"]
    assert ids(high) == ["box"], "nothing is below it that could be darkened"


SQUARE: list[Point] = [(0, 0), (10, 0), (10, 10), (0, 10)]


def test_a_hull_is_clockwise_around_all_points() -> None:
    assert set(hull([*SQUARE, (5, 5)])) == set(SQUARE)
    assert _area(hull(SQUARE)) == _area(SQUARE) == 100


def test_a_figure_is_cut_to_a_window() -> None:
    moved = [(x + 6, y + 7) for x, y in SQUARE]
    assert _area(clipped(moved, SQUARE)) == 12
    assert clipped([(x + 20, y) for x, y in SQUARE], SQUARE) == []


def _area(figure: list[Point]) -> float:
    """Above 0 for a clockwise figure."""
    ends = zip(figure, [*figure[1:], *figure[:1]], strict=True)
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in ends) / 2
