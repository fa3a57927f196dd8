"""Random rounds of Passerelles with every option, against the slow model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

import ludotheque
from ludotheque.games.passerelles import FREE, Passerelles, board, document
from ludotheque.games.passerelles.board import NEUTRAL, NORTH, PASS, SOUTH
from ludotheque.games.passerelles.notation import why_no_placement
from ludotheque.games.passerelles.rules import (
    BARE,
    LEVELS,
    NO_PIECE,
    OPEN,
    SETS,
    TOPS,
    PasserellesState,
    height_of,
    owner_of,
)
from ludotheque.testing import check_both_modes, check_game
from tests.games.passerelles.reference import COLUMNS, ROWS, Owners, Square, Table, scoring_squares
from tests.games.passerelles.tables import square, table
from tests.speeds import pairs, several

OWN_LANDSCAPE = {"name": "two islands", "pieces": ["3h A1", "1h K10"]}
LANDSCAPES: list[dict[str, object]] = [
    *({"landscape": name} for name in (document.NONE, *document.NAMES, FREE)),
    {"landscape_file": OWN_LANDSCAPE},
]
DIAGONALS = ("closed", "open")
TABLES = pairs(LANDSCAPES, DIAGONALS)
ROUNDS = [Passerelles(2, {**chosen, "diagonal": diagonal, "rounds": 1}) for chosen, diagonal in TABLES]
MATCHES = [Passerelles(2, {**chosen, "diagonal": diagonal}) for chosen, diagonal in TABLES]
ROUNDS_EACH = several(12, 556) if ludotheque.COMPILED else 2
"""With `--all` over 18 kinds of table: 10,008 rounds."""


def squares_of(placement: int) -> tuple[Square, ...]:
    return tuple(map(square, board.squares_of(placement)))


def halves_of(number: int) -> tuple[int, int]:
    return NORTH[number], SOUTH[number]


def is_owned(owner: int | None) -> Callable[[Table, Square], bool]:
    return lambda slow, at: slow.seen_from_above().get(at) == owner


def is_joined(across: int, down: int) -> Callable[[Table, Square], bool]:
    return lambda slow, at: slow.top(at) is not None and slow.top(at) is slow.top((at[0] + across, at[1] + down))


def is_high(height: int) -> Callable[[Table, Square], bool]:
    return lambda slow, at: slow.height(at) == height


SHOWS = [*map(is_owned, (0, 1, NEUTRAL, None)), is_joined(1, 0), is_joined(0, 1), *map(is_high, range(15))]
"""What each of the kept sets means, in their order."""


def mover(state: PasserellesState) -> int:
    return NEUTRAL if state.laying else state.player


class Round:
    """A random round, and the same pieces in the slow model."""

    def __init__(self, game: Passerelles) -> None:
        self.state = game.new_initial_state()
        self.slow = Table()
        self.placements = 0
        for placement in game.landscape:
            self.slow.lay(NEUTRAL, squares_of(placement))

    def step(self, rng: Random) -> None:
        """A random move, whose height must be as the slow model rules it."""
        action, owner = self.state.sample(rng), mover(self.state)
        if action != PASS:
            height = self.slow.height_for(owner, squares_of(action))
            self.slow.lay(owner, squares_of(action))
            self.placements += owner != NEUTRAL
        self.state.apply(action)
        if action != PASS:
            assert height == height_of(self.state.laid_pieces()[-1])

    def check_scores(self) -> None:
        """Scores are those of the slow flood fill, and no square scores for both."""
        first_north, first_south, second_north, second_south = self.state.areas()
        assert first_north & second_north == first_south & second_south == 0
        assert self.state.score_now() == self.slow.scores(self.state.diagonal), self.state.position()

    def check_sets(self) -> None:
        """The sets that are kept move by move are what the slow model shows."""
        halves = [sum(halves_of(number)[side] for number in range(board.SQUARES) if shows(self.slow, square(number)))
                  for shows in SHOWS for side in (0, 1)]  # fmt: skip
        assert [*self.state.sets[TOPS:OPEN], *self.state.sets[LEVELS:SETS]] == halves
        tops = [self.slow.top(square(number)) for number in range(board.SQUARES)]
        kept = [None if top == NO_PIECE else self.state.laid_pieces()[top] for top in self.state.tops]
        assert [top and top.owner for top in tops] == [piece and owner_of(piece) for piece in kept]

    def check_placements(self) -> None:
        """The placements found by bits are those of the slow model, and of the sentences why not."""
        owner = mover(self.state)
        legal = [
            placement
            for placement in range(PASS)
            if board.squares_of(placement)
            and self.state.held(owner, len(board.squares_of(placement)))
            and self.slow.height_for(owner, squares_of(placement)) is not None
        ]
        assert legal == [placement for placement in range(PASS) if not why_no_placement(self.state, owner, placement)]
        may_pass = [PASS] if self.state.laying or not legal else []
        assert self.state.legal_actions() == legal + may_pass


@pytest.mark.parametrize("game", ROUNDS, ids=repr)
def test_rounds_are_scored_as_by_the_slow_flood_fill(game: Passerelles) -> None:
    rng = Random(7)
    for number in range(ROUNDS_EACH):
        played = Round(game)
        while not played.state.is_terminal():
            played.step(rng)
            if played.state.laid == 8 + number % 16:
                played.check_scores()
        played.check_scores()
        assert played.placements <= 24


@pytest.mark.parametrize("game", ROUNDS, ids=repr)
def test_placements_and_kept_sets_are_as_in_the_slow_model(game: Passerelles) -> None:
    rng = Random(8)
    played = Round(game)
    while not played.state.is_terminal():
        played.check_placements()
        played.check_sets()
        played.step(rng)


# Areas of any shape: walls anywhere, as no round would build them.


def walls(owners: Owners, diagonal: bool) -> PasserellesState:
    """A position that shows these owners from above; only its areas make sense."""
    state = table(diagonal="open" if diagonal else "closed")
    sets = list(state.sets)
    for half in range(TOPS, BARE + 2):
        sets[half] = 0
    for number in range(board.SQUARES):
        at = BARE if square(number) not in owners else TOPS + 2 * owners[square(number)]
        sets[at] |= NORTH[number]
        sets[at + 1] |= SOUTH[number]
    state.sets = vec[i64](sets)
    return state


def check_areas(owners: Owners, diagonal: bool) -> None:
    first_north, first_south, second_north, second_south = walls(owners, diagonal).areas()
    first, second = scoring_squares(owners, diagonal)
    assert {square(number) for number in board.squares_in(first_north, first_south)} == first
    assert {square(number) for number in board.squares_in(second_north, second_south)} == second


@settings(max_examples=several(60, 300))
@given(st.lists(st.sampled_from((-1, -1, -1, 0, 0, 1, 1, 2)), min_size=110, max_size=110), st.booleans())
def test_areas_between_scattered_walls(tops: list[int], diagonal: bool) -> None:
    check_areas({square(number): owner for number, owner in enumerate(tops) if owner >= 0}, diagonal)


def outline(left: int, right: int, top: int, bottom: int) -> Iterator[Square]:
    """The squares of a rectangle's outline that are on the board."""
    for column, row in product(range(COLUMNS), range(ROWS)):
        on_columns = column in (left, right) and top <= row <= bottom
        on_rows = row in (top, bottom) and left <= column <= right
        if on_columns or on_rows:
            yield column, row


rectangles = st.tuples(
    st.integers(0, 1), st.integers(-1, COLUMNS), st.integers(-1, COLUMNS), st.integers(-1, ROWS), st.integers(-1, ROWS)
)


@settings(max_examples=several(100, 500))
@given(st.lists(rectangles, max_size=8), st.booleans())
def test_areas_between_nested_and_crossing_rectangles(outlines: list[tuple[int, ...]], diagonal: bool) -> None:
    owners: Owners = {}
    for owner, *sides in outlines:
        owners |= dict.fromkeys(outline(*sorted(sides[:2]), *sorted(sides[2:])), owner)
    check_areas(owners, diagonal)


def shrunk(sides: list[int], by: list[int]) -> list[int]:
    left, right, top, bottom = sides
    return [left + by[0], right - by[1], top + by[2], bottom - by[3]]


margins = st.lists(st.integers(1, 2), min_size=4, max_size=4)
corners = st.tuples(st.sampled_from((-9, 0, 1)), st.sampled_from((10, 11, 19)), st.sampled_from((-9, 0)), st.just(9))


@settings(max_examples=several(100, 500))
@given(corners, st.lists(st.tuples(st.integers(0, 1), margins), min_size=2, max_size=4), st.booleans())
def test_areas_nested_in_each_other(
    outermost: tuple[int, ...], inwards: list[tuple[int, list[int]]], diagonal: bool
) -> None:
    owners: Owners = {}
    sides = list(outermost)
    for owner, by in inwards:
        owners |= dict.fromkeys(outline(*sides), owner)
        sides = shrunk(sides, by)
    check_areas(owners, diagonal)


# What every game promises.


@pytest.mark.parametrize("game", [*ROUNDS, *MATCHES], ids=repr)
def test_conformance(game: Passerelles) -> None:
    check_game(game, games=1, every=7, both_modes=False)


def test_pure_and_compiled_play_the_same_matches() -> None:
    check_both_modes(*MATCHES, games=several(3, 30) if ludotheque.COMPILED else 1)


def test_random_play_chooses_all_moves_with_equal_probability() -> None:
    state = table("B4vD1 B4vH1 Y4vD6 Y4vH6 B5hD2", to_move="B")
    rng, times = Random(5), 200 * len(state.legal_actions())
    drawn = [state.sample(rng) for _ in range(times)]
    counts = [drawn.count(action) for action in state.legal_actions()]
    assert sum(counts) == times
    assert all(100 < count < 320 for count in counts)
