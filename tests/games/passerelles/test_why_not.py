"""Reasons why a piece may not be placed, checked in the slow model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest

from ludotheque.core.choices import refusal
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.notation import why_no_placement
from ludotheque.games.passerelles.observation import square_name
from ludotheque.games.passerelles.rules import PasserellesState, owner_of, placement_of
from tests.games.passerelles.reference import BOARD, NEUTRAL, Square, Table
from tests.games.passerelles.tables import square, table
from tests.games.why_not import positions
from tests.speeds import few, several

SQUARES: Final = {square_name(number): square(number) for number in range(board.SQUARES)}
Ends = tuple[Square, ...]


def model(state: PasserellesState) -> Table:
    """The same pieces in the slow model."""
    slow = Table()
    for piece in state.laid_pieces():
        slow.lay(owner_of(piece), tuple(map(square, board.squares_of(placement_of(piece)))))
    return slow


def squares_of(placement: int) -> tuple[Square, ...]:
    """The squares of a placement, some perhaps beyond the board."""
    kind, first = divmod(placement, board.SQUARES)
    column, row = square(first)
    is_down = board.step_of(kind) == board.DOWN
    return tuple((column, row + i) if is_down else (column + i, row) for i in range(board.length_of(kind)))


def one_end_bare(slow: Table, owner: int, squares: Ends, bare: str, covered: str) -> bool:
    ends = {SQUARES[bare], SQUARES[covered]}
    return ends == {squares[0], squares[-1]} and not slow.top(SQUARES[bare]) and slow.top(SQUARES[covered]) is not None


def ends_unequal(slow: Table, owner: int, squares: Ends, low: str, first: str, high: str, last: str) -> bool:
    heights = int(low), int(high)
    return (
        heights == (slow.height(squares[0]), slow.height(squares[-1]))
        and heights[0] != heights[1]
        and (SQUARES[first], SQUARES[last]) == (squares[0], squares[-1])
    )


def covered_between(slow: Table, owner: int, squares: Ends, name: str) -> bool:
    return SQUARES[name] in squares[1:-1] and slow.top(SQUARES[name]) is not None and slow.top(squares[0]) is None


def higher_between(slow: Table, owner: int, squares: Ends, name: str) -> bool:
    return SQUARES[name] in squares[1:-1] and slow.height(SQUARES[name]) > slow.height(squares[0])


def rests_twice(slow: Table, owner: int, squares: Ends, count: str, first: str, last: str) -> bool:
    tops = [slow.top(place) for place in squares if slow.height(place) == slow.height(squares[0])]
    ends = {SQUARES[first], SQUARES[last]}
    below = [top for top in tops if top and {top.squares[0], top.squares[-1]} == ends]
    return int(count) > 1 and any(tops.count(top) == int(count) for top in below)


def rests_on_other(slow: Table, owner: int, squares: Ends) -> bool:
    tops = [slow.top(place) for place in squares if slow.height(place) == slow.height(squares[0])]
    owners = {top.owner for top in tops if top}
    return owner not in owners and 1 - owner in owners


def neutral_covered(slow: Table, owner: int, squares: Ends, name: str) -> bool:
    return owner == NEUTRAL and SQUARES[name] in squares and slow.top(SQUARES[name]) is not None


def beyond_board(slow: Table, owner: int, squares: Ends) -> bool:
    return not BOARD.issuperset(squares)


CHECKS: Final[dict[str, Callable[..., bool]]] = {
    r"It would reach beyond the edge of the board\.": beyond_board,
    r"One end would lie on the bare board at (\w+), the other on a piece at (\w+)\.": one_end_bare,
    r"The ends would rest at different heights: (\d) at (\w+), (\d) at (\w+)\.": ends_unequal,
    r"(\w+) between the ends is covered: a flat piece needs empty squares\.": covered_between,
    r"A higher piece is in the way at (\w+)\.": higher_between,
    r"It would rest on (\d) squares of the piece from (\w+) to (\w+); one is allowed\.": rests_twice,
    r"It would rest on the other player's piece and on none of yours\.": rests_on_other,
    r"Neutral pieces are laid flat, and (\w+) is covered\.": neutral_covered,
}


def check(slow: Table, owner: int, placement: int, reason: str) -> str:
    """Check a reason; return its kind."""
    for pattern, is_true in CHECKS.items():
        if found := re.fullmatch(pattern, reason):
            assert is_true(slow, owner, squares_of(placement), *found.groups()), reason
            return pattern
    raise AssertionError(f"no check of: {reason}")


def test_reasons_are_true() -> None:
    kinds = set()
    for seed in range(several(2, 20)):
        for landscape in ("none", "free"):
            for state in few(positions("passerelles", seed, 2, {"landscape": landscape}), 25):
                assert isinstance(state, PasserellesState)
                kinds |= checked_kinds(state)
    assert kinds == set(CHECKS)


def checked_kinds(state: PasserellesState) -> set[str]:
    """Check the reasons for all placements of the pieces that are left; return their kinds."""
    slow, owner = model(state), NEUTRAL if state.laying else int(state.player)
    lengths = [length for length in range(1, board.LONGEST + 1) if state.held(owner, length)]
    kinds = set()
    for placement in range(board.PASS):
        reason = why_no_placement(state, owner, placement)
        if board.length_of(placement // board.SQUARES) in lengths and reason:
            kinds.add(check(slow, owner, placement, str(reason)))
    return kinds


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["pass"], "You can place a piece, so you must."),
        (["piece:5", "turn:h", "cell:K1"], "It would reach beyond the edge of the board."),
        (["piece:5", "turn:h", "cell:C4"], "It would rest on 5 squares of the piece from C4 to G4; one is allowed."),
        (
            ["piece:3", "cell:C4"],
            "Across: It would rest on 3 squares of the piece from C4 to G4; one is allowed. "
            "Down: One end would lie on the bare board at C6, the other on a piece at C4.",
        ),
        (
            ["cell:C4", "turn:v"],
            "Not even the shortest piece fits. One end would lie on the bare board at C5, the other on a piece at C4.",
        ),
        (["piece:1"], "No piece of yours of length 1 is left."),
    ],
)
def test_a_place_gets_the_first_rule_that_forbids_it(steps: list[str], reason: str) -> None:
    assert str(refusal(table("B5hC4"), steps)) == reason
