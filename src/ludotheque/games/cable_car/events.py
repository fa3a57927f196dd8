"""The events of Cable Car: tiles drawn and laid, lines, shares that change hands, and what all of it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ludotheque.core.colours import colour_name
from ludotheque.core.earnings import Earning, differences
from ludotheque.core.events import NO_SEAT, Event, GameEnded
from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.notation import placement_of, swapped_percent
from ludotheque.games.cable_car.observation import Line, cell_name, line_of, tile_name
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DEAL,
    DEAL_SHARE,
    DRAW,
    KNOWN,
    OPEN,
    REFILL,
    SWAP,
    TURN_UP,
    CableCarState,
)


class TileDrawn(Event, frozen=True, kw_only=True):
    """Chance drew a tile for a seat."""

    tile: str
    """Its code, or `HIDDEN`."""
    why: Literal["dealt", "refill", "to place"]


class DrawChosen(Event, frozen=True, kw_only=True):
    """A seat decided to draw a tile and place that one."""


class TileLaid(Event, frozen=True, kw_only=True):
    """A seat laid a tile."""

    tile: str
    """Its code, as it lies before it is turned."""
    turn: int
    """Clockwise quarter turns."""
    cell: str


class LineChanged(Event, frozen=True, kw_only=True):
    """The tile made a line longer. The seat is the owner's, none in The Companies."""

    line: Line
    company: str
    """The owner's colour in The Companies; else empty."""


class LineLengthened(LineChanged, frozen=True, kw_only=True):
    """A line is longer and still open."""

    leads_to: str
    """The free cell that it leads to."""


class LineFinished(LineChanged, frozen=True, kw_only=True):
    """A line has reached a station or the power station."""


class SwapsClosed(Event, frozen=True, kw_only=True):
    """A company has so many points that no shares are swapped any more."""


class ShareSwapped(Event, frozen=True, kw_only=True):
    """A seat gave back a share for another one of the same size."""

    percent: int
    company: str
    """The company of the open share that it took; empty if it takes the top one of the pile."""


class ShareTaken(Event, frozen=True, kw_only=True):
    """A seat got a share from the pile."""

    percent: int
    company: str
    """Its company, or `HIDDEN`."""
    knowers: int
    """The seats that know where the share is, as bits, as the rules keep them."""
    dealt: bool = False
    """Whether it was dealt before the first turn."""


class ShareTurnedUp(Event, frozen=True, kw_only=True):
    """A share lies open beside its pile."""

    percent: int
    company: str


class ShareValuesChanged(Event, frozen=True, kw_only=True):
    """The shares of some seats have changed in value."""


class CompanyValued(Event, frozen=True, kw_only=True):
    """The final value of a company's shares."""

    company: str
    points: int
    value: int
    """The points for each 10%."""


class SharesCounted(Event, frozen=True, kw_only=True):
    """The final count of a seat's shares."""

    shares: int
    majorities: int


def events(before: CableCarState, action: int, after: CableCarState) -> list[Event]:
    """Find out what an action or a draw made happen."""
    found = events_without_values(before, action, after)
    changes = tuple(_share_changes(before, after)) if after.companies else ()
    return [*found, ShareValuesChanged(earnings=changes)] if changes else found


def events_without_values(before: CableCarState, action: int, after: CableCarState) -> list[Event]:
    """Return all events but those about the worth of shares, which no one knows before the end."""
    if before.current_player() == CHANCE:
        return [_drawn(before, action, after)]
    return [decision(before, action), *_followed(before, action, after)]


def decision(before: CableCarState, action: int) -> Event:
    """The action of a player by itself."""
    seat = int(before.seat)
    if action == DRAW:
        return DrawChosen(seat=seat, places=("pile",))
    if action < DRAW:
        tile, turn, cell = placement_of(action)
        name = cell_name(cell)
        return TileLaid(seat=seat, places=(f"tile:{name}",), tile=tile_name(tile), turn=turn, cell=name)
    percent, pile = swapped_percent(action), (action - SWAP) // 2
    if (action - SWAP) % 2:
        return ShareSwapped(seat=seat, places=(f"hidden:{percent}",), percent=percent, company="")
    company = board.COLOURS[before.shares[BLOCK * pile + OPEN]]
    return ShareSwapped(seat=seat, places=(f"open:{percent}",), percent=percent, company=company)


def _drawn(before: CableCarState, outcome: int, after: CableCarState) -> Event:
    if not before.draws_tile():
        return _share_moved(before, int(before.pile_drawn_from()), after)
    why: Literal["dealt", "refill", "to place"] = "to place"
    if before.awaited in (DEAL, REFILL):
        why = "dealt" if before.awaited == DEAL else "refill"
    return TileDrawn(seat=int(before.seat), tile=tile_name(outcome), why=why)


def _followed(before: CableCarState, action: int, after: CableCarState) -> Iterator[Event]:
    if action >= SWAP:
        if not after.is_chance_node():  # the pile holds only shares that were given back: nothing is drawn
            yield _share_moved(before, (action - SWAP) // 2, after)
    elif action < DRAW:
        yield from _lines_changed(before, after)
        if before.swaps_open and not after.swaps_open:
            yield SwapsClosed()
    if after.is_terminal():
        if after.companies:
            yield from _final_count(after)
        yield GameEnded(scores=tuple(after.scores()), returns=tuple(after.returns()))


# Shares.


def _share_moved(before: CableCarState, pile: int, after: CableCarState) -> Event:
    """The top share of a pile goes to a seat, or is turned up."""
    percent = 10 * (pile + 1)
    dealt = before.awaited == DEAL_SHARE and before.is_chance_node()
    if dealt:
        place = OPEN if before.seat_dealt_to() == before.players else int(before.seat_dealt_to())
    else:
        place = OPEN if after.awaited == TURN_UP else int(before.seat)
    company = int(after.shares[BLOCK * pile + place])
    if place == OPEN:
        return ShareTurnedUp(percent=percent, company=board.COLOURS[company])
    knowers = int(after.shares[BLOCK * pile + KNOWN + company])
    return ShareTaken(seat=place, percent=percent, company=board.COLOURS[company], knowers=knowers, dealt=bool(dealt))


def _share_changes(before: CableCarState, after: CableCarState) -> Iterator[Earning]:
    """The changes in the value of the shares of each seat."""
    if list(before.points) == list(after.points) and bytes(before.shares) == bytes(after.shares):
        return
    was = _share_values(before)
    for source, values in _share_values(after).items():
        yield from differences(_source(source), was[source], values, "secret")


def _final_count(after: CableCarState) -> Iterator[Event]:
    """The companies by their points, then each seat's shares, whose value is secret no more."""
    for company in sorted(range(board.COMPANIES), key=lambda company: -after.points[company]):
        colour = board.COLOURS[company]
        yield CompanyValued(company=colour, points=int(after.points[company]), value=int(after.value(company)))
    values, nothing = _share_values(after), [0] * int(after.players)
    counted = [one for source, value in values.items() for one in differences(_source(source), nothing, value)]
    known = [one for source, value in values.items() for one in differences(_source(source), value, nothing, "secret")]
    for seat in range(after.players):
        yield SharesCounted(
            seat=seat,
            shares=int(after.share_points(seat)),
            majorities=int(after.majority_points(seat)),
            earnings=tuple(earning for earning in [*counted, *known] if earning.seat == seat),
        )


def _share_values(state: CableCarState) -> dict[str, list[int]]:
    """Return the worth of shares to each seat, by company, and of the majorities under an empty name."""
    seats = range(state.players)
    values = {
        colour: [int(state.holding(seat, company) * state.value(company)) for seat in seats]
        for company, colour in enumerate(board.COLOURS)
    }
    return values | {"": [int(state.majority_points(seat)) for seat in seats]}


def _source(company: str) -> Phrase:
    return phrase("Shares of {company}", company=colour_name(company)) if company else phrase("Majorities")


# Lines.


def _lines_changed(before: CableCarState, after: CableCarState) -> Iterator[Event]:
    """The lines that the tile has made longer, in the order of their stations."""
    first, last = board.DEPARTURES, board.DEPARTURES + board.STATIONS
    stretches = zip(after.owners, before.stretches[first:last], after.stretches[first:last], strict=True)
    for station, (owner, was, now) in enumerate(stretches):
        if owner != board.NOBODY and was != now:
            yield _line_changed(line_of(station, int(owner), int(now)), int(now) & 511, after.companies)


def _line_changed(line: Line, end: int, companies: bool) -> LineChanged:
    seat, company = (NO_SEAT, board.COLOURS[line.owner]) if companies else (line.owner, "")
    places = f"line:{line.station}", f"car:{line.station}"
    if not line.is_finished:
        return LineLengthened(seat=seat, places=places, line=line, company=company, leads_to=cell_name(end // 4))
    earnings = () if companies else tuple(_line_points(line))
    return LineFinished(seat=seat, places=places, line=line, company=company, earnings=earnings)


def _line_points(line: Line) -> Iterator[Earning]:
    """A point for each tile; the power station doubles them."""
    yield Earning(line.owner, phrase("Lines"), line.run)
    if line.points > line.run:
        yield Earning(line.owner, phrase("Power station"), line.points - line.run)
