"""The events of Passerelles: pieces laid, areas that change, rounds that end."""

from __future__ import annotations

from collections.abc import Iterator

from mypy_extensions import i64

from ludotheque.core.earnings import differences
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.passerelles.board import (
    FULL_SUPPLY,
    NEUTRAL,
    PASS,
    SQUARES,
    length_of,
    squares_of,
    supply_place,
)
from ludotheque.games.passerelles.observation import OWNER_LETTERS, Area, area_name, square_name
from ludotheque.games.passerelles.observe import areas
from ludotheque.games.passerelles.rules import NO_PIECE, PasserellesState, owner_of


class NeutralLaid(Event, frozen=True, kw_only=True):
    """A seat laid a neutral piece."""

    placement: int


class Laid(Event, frozen=True, kw_only=True):
    """A seat laid one of its pieces."""

    placement: int
    height: int
    """0 if it lies flat."""
    covered: int
    """The number of squares that the other player's pieces were on top of."""


class Passed(Event, frozen=True, kw_only=True):
    """A seat passed."""

    by_choice: bool
    """False if it could not place."""


class LandscapeLaid(Event, frozen=True, kw_only=True):
    """The neutral pieces lie; the seat opens the round."""


class AreasChanged(Event, frozen=True, kw_only=True):
    """The areas of a seat grew or shrank."""

    squares: int
    """Number of squares that the seat encloses now."""


class RoundOver(Event, frozen=True, kw_only=True):
    """Neither player can place: the areas are scored."""

    round: int
    """From 1."""
    points: tuple[int, int]
    areas: tuple[Area, ...]
    """The areas that scored; their board is cleared if another round follows."""


def events(before: PasserellesState, action: int, after: PasserellesState) -> list[Event]:
    """Find out what an action made happen."""
    return [_moved(before, action), *_followed(before, action, after)]


def before_clearing(before: PasserellesState, action: int, after: PasserellesState) -> PasserellesState:
    """Return the position with the last piece of a round, whose board `after` has been cleared."""
    return after if after.round == before.round else _with_piece(before, action)


def _with_piece(before: PasserellesState, action: int) -> PasserellesState:
    """The position with a piece more; the same after a pass."""
    last = before.clone()
    if action != PASS:
        last.lay(before.player, action)
    return last


def _moved(before: PasserellesState, action: int) -> Event:
    seat = int(before.player)
    if action == PASS:
        return Passed(seat=seat, by_choice=before.laying)
    if before.laying:
        return NeutralLaid(seat=seat, places=_piece_ids(before, NEUTRAL, action, 0), placement=action)
    height = before.height(action % SQUARES) + 1
    return Laid(
        seat=seat,
        places=_piece_ids(before, seat, action, height),
        placement=action,
        height=height,
        covered=sum(_top_owner(before, square) == 1 - seat for square in squares_of(action)) if height else 0,
    )


def _piece_ids(before: PasserellesState, owner: int, placement: int, height: int) -> tuple[str, ...]:
    """The ids of a new piece and, on a bridge, of its height, by how many alike lie already."""
    length = length_of(placement // SQUARES)
    all_alike = (FULL_SUPPLY >> supply_place(owner, length)) & 15
    name = f"{OWNER_LETTERS[owner]}{length}.{all_alike - before.held(owner, length) + 1}"
    return (f"piece:{name}", f"height:{name}") if height else (f"piece:{name}",)


def _top_owner(state: PasserellesState, square: int) -> int:
    """The owner of the piece on top of a square; -1 where it is bare."""
    top = int(state.tops[square])
    return -1 if top == NO_PIECE else owner_of(i64(state.pieces[top]))


def _followed(before: PasserellesState, action: int, after: PasserellesState) -> Iterator[Event]:
    if before.laying:
        if not after.laying:
            yield LandscapeLaid(seat=int(after.player))
        return
    pending = before.score_now()
    if after.round == before.round:
        pending = after.score_now()
        yield from _areas_changed(before, after)
    if after.is_terminal() or after.round > before.round:
        yield _round_over(before, action, pending)
    if after.is_terminal():
        yield GameEnded(scores=tuple(after.scores()), returns=tuple(after.returns()))


def _areas_changed(before: PasserellesState, after: PasserellesState) -> Iterator[Event]:
    was, now = before.score_now(), after.score_now()
    for earning in differences(_areas_of_round(before), was, now, "end"):
        seat = earning.seat
        ids = tuple(f"area:{area_name(area)}" for area in areas(after) if area.owner == seat)
        yield AreasChanged(seat=seat, squares=now[seat], places=ids, earnings=(earning,))


def _round_over(before: PasserellesState, action: int, pending: tuple[int, int]) -> RoundOver:
    """The points of a round that is over, instead of those that were pending."""
    last = _with_piece(before, action)
    points, source, scored = last.score_now(), _areas_of_round(before), areas(last)
    return RoundOver(
        round=before.round + 1,
        points=points,
        areas=tuple(scored),
        places=tuple(f"cell:{square_name(square)}" for area in scored for square in area.squares),
        earnings=(*differences(source, (0, 0), points), *differences(source, pending, (0, 0), "end")),
    )


def _areas_of_round(state: PasserellesState) -> Phrase:
    return phrase("Areas of round {round}", round=state.round + 1)
