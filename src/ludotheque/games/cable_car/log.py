"""The log of Cable Car: what each action and draw did, as far as a viewer may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ludotheque.core.colours import colour_name
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import NOTHING, Phrase, detailed, phrase, pictured, plural, points, seat_name, winners
from ludotheque.games.cable_car.events import (
    CompanyValued,
    DrawChosen,
    LineChanged,
    LineFinished,
    SharesCounted,
    ShareSwapped,
    ShareTaken,
    ShareTurnedUp,
    SwapsClosed,
    TileDrawn,
    TileLaid,
    decision,
)
from ludotheque.games.cable_car.notation import placement_of
from ludotheque.games.cable_car.observation import Line, describe_tile, describe_tile_by_sides, tile_name
from ludotheque.games.cable_car.observe import seen_events
from ludotheque.games.cable_car.rules import DRAW, CableCarState


def describe(before: CableCarState, action: int, after: CableCarState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action or a draw, as far as `viewer` may know what happened."""
    return all_lines(seen_events(before, action, after, viewer))


def all_lines(events: Iterable[Event]) -> list[Phrase]:
    """The lines of the log for some events."""
    return [line for event in events for line in describe_event(event)]


def describe_event(event: Event) -> Iterator[Phrase]:
    """The lines of the log for an event."""
    seat = seat_name(event.seat)
    match event:
        case TileLaid():
            yield _laid(event.seat, event.cell, event.turn, event.tile)
        case LineFinished():
            gain = phrase("+{points} for {owner}.", points=event.line.points, owner=owner_name(event))
            yield detailed(_finished(event), gain if event.company else NOTHING)
        case TileDrawn():
            yield detailed(_drawn(event, seat))
        case DrawChosen():
            yield detailed(phrase("{seat} draws a tile to place.", seat=seat))
        case ShareSwapped():
            yield _swapped(event, seat)
        case ShareTaken():
            line = _taken(event, seat)
            # The swap has named a hidden one, and what was dealt lies in the tray.
            yield detailed(line) if event.dealt or event.company == HIDDEN else line
        case ShareTurnedUp():
            company = colour_name(event.company)
            yield detailed(phrase("{percent}% of {company} is turned up.", percent=event.percent, company=company))
        case SwapsClosed():
            yield phrase("A company has 25 points: swapping is closed.")
        case CompanyValued():
            yield detailed(_valued(event))
        case SharesCounted():
            yield detailed(_counted(event, seat))
        case GameEnded():
            yield from winners(event.scores, event.returns)


def describe_decision(state: CableCarState, action: int) -> Phrase:
    """Describe the decision of an action in a sentence unlike the others: two tiles with as many tracks of each kind
    are told apart by their sides. The log is not as exact, because it would tell the others of the second tile."""
    event = decision(state, action)
    if isinstance(event, TileLaid):
        others = {tile_name(placement_of(other)[0]) for other in state.legal_actions() if other < DRAW} - {event.tile}
        tracks = describe_tile(event.tile)
        if any(describe_tile(other) == tracks for other in others):
            return _laid_by_tracks(event.seat, event.cell, event.turn, event.tile, describe_tile_by_sides(event.tile))
    return next(describe_event(event))


@lru_cache(maxsize=256)  # the viewers of a table read it one after the other
def _laid(seat: int, cell: str, turn: int, tile: str) -> Phrase:
    return _laid_by_tracks(seat, cell, turn, tile, describe_tile(tile))


def _laid_by_tracks(seat: int, cell: str, turn: int, tile: str, tracks: Phrase) -> Phrase:
    name, degrees = seat_name(seat), 90 * turn
    short = phrase("{seat} lays a tile on {cell}.", seat=name, cell=cell)
    if turn:
        tracks = phrase("{tracks}, turned by {degrees}°", tracks=tracks, degrees=degrees)
    picture = _picture(tile, tracks, degrees)
    return detailed(phrase("{seat} lays a tile on {cell}: {tracks}.", seat=name, cell=cell, tracks=picture), short)


def _picture(tile: str, words: Phrase, degrees: int = 0) -> Phrase:
    return pictured(words, f"tile-{tile}", degrees)


def _drawn(event: TileDrawn, seat: Phrase) -> Phrase:
    if event.tile == HIDDEN:
        return {
            "dealt": phrase("{seat} is dealt a tile.", seat=seat),
            "refill": phrase("{seat} draws a tile.", seat=seat),
            "to place": phrase("Only {seat} sees it.", seat=seat),
        }[event.why]
    tile = _picture(event.tile, describe_tile(event.tile))
    return {
        "dealt": phrase("{seat} is dealt a tile: {tile}.", seat=seat, tile=tile),
        "refill": phrase("{seat} draws a tile: {tile}.", seat=seat, tile=tile),
        "to place": phrase("It is {tile}.", tile=tile),
    }[event.why]


def _taken(event: ShareTaken, seat: Phrase) -> Phrase:
    if event.company == HIDDEN:
        return phrase("{seat} gets a hidden share of {percent}%.", seat=seat, percent=event.percent)
    company = colour_name(event.company)
    return phrase("{seat} gets {percent}% of {company}.", seat=seat, percent=event.percent, company=company)


def _swapped(event: ShareSwapped, seat: Phrase) -> Phrase:
    percent = event.percent
    if not event.company:
        return phrase("{seat} swaps the {percent}% share for the top hidden one.", seat=seat, percent=percent)
    company = colour_name(event.company)
    return phrase(
        "{seat} swaps the {percent}% share for the open one, {company}.", seat=seat, percent=percent, company=company
    )


def _valued(event: CompanyValued) -> Phrase:
    return phrase(
        "Company {company}: {points} points. Each 10% is worth {value}.",
        company=colour_name(event.company), points=event.points, value=event.value,
    )  # fmt: skip


def _counted(event: SharesCounted, seat: Phrase) -> Phrase:
    return phrase(
        "{seat}: {shares} points for shares, {majorities} for majorities.",
        seat=seat, shares=event.shares, majorities=event.majorities,
    )  # fmt: skip


def owner_name(event: LineChanged) -> Phrase:
    """The company or the seat that a line belongs to."""
    return colour_name(event.company) if event.company else seat_name(event.seat)


def line_length(line: Line) -> Phrase:
    """The length of a line: "3 tiles"."""
    return plural(line.run, "{count} tile", "{count} tiles")


def _finished(event: LineFinished) -> Phrase:
    line, owner = event.line, owner_name(event)
    if line.end == 0:
        return phrase(
            "Line {station} runs {tiles} into the power station: {points} for {owner}.",
            station=line.station, tiles=line_length(line), points=points(line.points), owner=owner,
        )  # fmt: skip
    return phrase(
        "Line {station} runs {tiles} to station {end}: {points} for {owner}.",
        station=line.station, tiles=line_length(line), end=line.end, points=points(line.points), owner=owner,
    )  # fmt: skip
