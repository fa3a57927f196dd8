"""Views of the board: places, side faces, and the same numbers in the browser."""

from __future__ import annotations

from math import isclose
from pathlib import Path

import msgspec
import pytest

from ludotheque import phrase
from ludotheque.core.projection import FLAT, TILTED, Point, Projection, Solid, disc, rectangle
from ludotheque.core.scene import Piece, Scene

SHARED = Path(__file__).parents[1] / "web" / "scripts" / "projection.json"
"""Read by projection.test.js too."""
VIEWS = {"flat": FLAT, "tilted": TILTED}
BAR = Solid(rectangle(-18, -18, 132, 36, cut=3), 14)


class Case(msgspec.Struct, frozen=True):
    """A body, where it is, and how it is seen."""

    view: str
    x: float
    y: float
    height: float
    turn: int
    place: Point
    faces: list[tuple[list[Point], float]]


def seen(view: str, x: float, y: float, height: float, turn: int) -> Case:
    projection = VIEWS[view]
    faces = [([_rounded(corner) for corner in face.corners], face.shade) for face in projection.faces(BAR, turn)]
    return Case(view, x, y, height, turn, _rounded(projection.place(x, y, height + BAR.thickness)), faces)


def _rounded(point: Point) -> Point:
    return round(point[0], 3), round(point[1], 3)


def test_the_browser_is_tested_with_the_same_numbers() -> None:
    cases = [seen(view, x, y, height, turn)
             for view in VIEWS for x, y, height in ((0, 0, 0), (120, 40, 28)) for turn in (0, 90)]  # fmt: skip
    assert msgspec.json.decode(SHARED.read_bytes(), type=list[Case]) == cases


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_what_is_higher_is_seen_further_up(view: Projection) -> None:
    assert view.place(50, 50, 14)[1] < view.place(50, 50)[1]


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_lower_and_the_right_side_of_a_box_are_in_view(view: Projection, turn: int) -> None:
    faces = [*view.faces(Solid(rectangle(-20, -10, 40, 20), 5), turn)]
    assert len(faces) == 2
    lower, right = sorted(face.shade for face in faces)
    assert isclose(lower, 0, abs_tol=1e-6)
    assert right > 0.2


def test_half_of_a_disc_is_in_view() -> None:
    faces = [*TILTED.faces(Solid(disc(15), 6))]
    assert 11 <= len(faces) <= 13


def test_a_tilted_picture_holds_all_of_the_board_and_of_its_stacks() -> None:
    tower = Piece(id="tower", symbol="bar", x=20, y=20, elevation=200, body=BAR)
    scene = Scene(title=phrase("Tower"), width=300, height=300, thickness=28, pieces=(tower,))
    left, top, width, height = scene.bounds(TILTED)
    for x, y, z in ((0, 0, 0), (300, 300, -28), (2, 2, tower.top)):
        across, down = TILTED.place(x, y, z)
        assert left <= across <= left + width
        assert top <= down <= top + height
    assert scene.bounds() == (0, 0, 300, 300)


def test_text_stays_upright_on_a_tilted_board() -> None:
    assert Piece(id="name", text="B3", x=1, y=2).to_svg(view=TILTED).startswith('<g id="name" transform="translate(')
    assert 'transform="matrix(' in Piece(id="line", path="M0,0h9").to_svg(view=TILTED)


def test_a_tilted_picture_is_drawn_on_the_edges_of_its_board() -> None:
    scene = Scene(title=phrase("Board"), width=100, height=100, thickness=20, pieces=())
    assert 'class="edge"' in scene.to_svg("<g/>", view=TILTED)
    assert 'class="edge"' not in scene.to_svg("<g/>")
