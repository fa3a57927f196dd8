"""Walls to come, drawn on demand: the pieces that would enclose more squares at once, and these squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase, plural, seat_name
from ludotheque.core.scene import Overlay
from ludotheque.games.passerelles.board import PASS, squares_in, squares_of
from ludotheque.games.passerelles.observation import Area, LaidPiece, placement_name
from ludotheque.games.passerelles.rules import PasserellesState
from ludotheque.games.passerelles.scene import prospects

MOST_WALLS: Final = 2
"""The most walls of each seat that are drawn: more would hide the board."""
_NOTHING: Final = phrase("No piece would enclose more squares now.")


class Wall(Struct, frozen=True):
    """A piece that a seat could lay, and the squares that it would enclose beyond those of now."""

    seat: int
    placement: int
    height: int
    squares: frozenset[int]

    @property
    def gain(self) -> int:
        return len(self.squares)

    @property
    def reach(self) -> frozenset[int]:
        """The squares that it would cover and enclose."""
        return self.squares.union(squares_of(self.placement))


def overlay_name() -> Phrase:
    """The name of the button."""
    return phrase("Possible areas")


def overlay(state: PasserellesState, viewer: int) -> Overlay:
    """Draw the best walls of both seats; what one encloses, the other does not have."""
    found = [] if state.is_terminal() or state.laying else [*best_walls(state, 0), *best_walls(state, 1)]
    drawn = prospects([(_laid(wall), Area(wall.seat, tuple(sorted(wall.squares)))) for wall in found])
    return Overlay(tuple(drawn), tuple(_lines(found)))


def _laid(wall: Wall) -> LaidPiece:
    squares = tuple(squares_of(wall.placement))
    return LaidPiece(wall.seat, placement_name(wall.placement), wall.height, squares)


def _lines(found: list[Wall]) -> Iterator[Phrase]:
    for seat in (0, 1):
        most = max((wall.gain for wall in found if wall.seat == seat), default=0)
        if most:
            squares = plural(most, "{count} square", "{count} squares")
            yield phrase("{seat} could enclose {squares} more with one piece.", seat=seat_name(seat), squares=squares)
    if not found:
        yield _NOTHING


def best_walls(state: PasserellesState, seat: int) -> list[Wall]:
    """The walls that would enclose most, the best first, the shorter ones of equal ones; none that would lie on a
    better one or enclose a square of it."""
    chosen: list[Wall] = []
    for wall in sorted(walls(state, seat), key=lambda wall: (-wall.gain, len(squares_of(wall.placement)))):
        if len(chosen) < MOST_WALLS and all(wall.reach.isdisjoint(other.reach) for other in chosen):
            chosen.append(wall)
    return chosen


def walls(state: PasserellesState, seat: int) -> Iterator[Wall]:
    """All pieces by which a seat would enclose more squares than now, if it were its turn."""
    before = state.clone()
    before.resume(seat, False, 0)
    now = _enclosed(before, seat)
    for placement in before.legal_actions():
        if placement == PASS:
            continue
        after = before.clone()
        after.lay(seat, placement)
        then = _enclosed(after, seat)
        if _size(then) > _size(now):
            more = squares_in(then[0] & ~now[0], then[1] & ~now[1])
            yield Wall(seat, placement, int(after.height(squares_of(placement)[0])), frozenset(more))


def _enclosed(state: PasserellesState, seat: int) -> tuple[int, int]:
    """The squares that score for a seat, as the halves of a set."""
    first_north, first_south, second_north, second_south = state.areas()
    return (second_north, second_south) if seat else (first_north, first_south)


def _size(halves: tuple[int, int]) -> int:
    return sum(half.bit_count() for half in halves)
