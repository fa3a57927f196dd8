"""Effects of a move of Cable Car, for hints, previews and puzzles: the lines that it lengthens or ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludotheque.core.phrases import Phrase, phrase, points
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.companies import companies
from ludotheque.games.cable_car.events import (
    DrawChosen,
    LineChanged,
    LineFinished,
    LineLengthened,
    ShareSwapped,
    SwapsClosed,
    TileLaid,
    events_without_values,
)
from ludotheque.games.cable_car.log import all_lines, line_length, owner_name
from ludotheque.games.cable_car.observation import Line, cell_name
from ludotheque.games.cable_car.observe import is_foreseen, observe, seen_events
from ludotheque.games.cable_car.rules import CableCarState

SHORT: Final = 4
"""A line that ends after so few tiles was blocked."""
_BESIDE_POWER_STATION: Final = frozenset(cell_name(cell) for cell, _ in board.POWER_ENTRIES)
MEANINGS: Final = {
    "Draw and place": phrase("Draw a tile instead of placing your own."),
    "Shares": phrase("Swap a share."),
    "Power station": phrase("Lead a line of yours to the power station, where it counts double."),
    "Block": phrase("End a line of another player before it grows longer."),
    "Long line": phrase("Make the most of a line of yours."),
    "Junction": phrase("Decide where a line of another player goes on."),
    "Wait": phrase("Place a tile that changes no line."),
}
"""Meanings of the themes of puzzles."""
COMPANIES_MEANINGS: Final = MEANINGS | {
    "End of swaps": phrase("Give a company 25 points: then no shares are swapped any more."),
    "Power station": phrase("Lead a company's line to the power station, where it counts double."),
    "Block": phrase("End a company's line before it grows longer."),
    "Long line": phrase("Make the most of a company's line."),
}
"""The same in The Companies, where no line belongs to a player."""


def effects(before: CableCarState, action: int, after: CableCarState, seat: int) -> list[Phrase]:
    """The lines that a tile ends, then those of the seat that it lengthens, longest first."""
    found = events_without_values(before, action, after)
    changed = sorted((event for event in found if isinstance(event, LineChanged)), key=lambda event: -event.line.run)
    return [
        *(_ending(event, seat) for event in changed if isinstance(event, LineFinished)),
        *(_lengthens(event) for event in changed if isinstance(event, LineLengthened) and _is_of(event, seat)),
    ]


def _is_of(event: LineChanged, seat: int) -> bool:
    """Whether a line concerns a seat: its own lines do, and in The Companies all."""
    return bool(event.company) or event.seat == seat


def _ending(event: LineFinished, seat: int) -> Phrase:
    station, end, amount = event.line.station, _end(event.line), points(event.line.points)
    if event.company:
        return phrase(
            "ends line {station} of {company} {end}, for {points}",
            station=station, company=owner_name(event), end=end, points=amount,
        )  # fmt: skip
    if event.seat == seat:
        return phrase("ends your line {station} {end}, for {points}", station=station, end=end, points=amount)
    return phrase(
        "ends line {station} of {seat} {end}, for {points}",
        station=station, seat=owner_name(event), end=end, points=amount,
    )  # fmt: skip


def _end(line: Line) -> Phrase:
    """The end of a line, and the number of its tiles."""
    tiles = line_length(line)
    if line.end == 0:
        return phrase("in the power station after {tiles}, doubled", tiles=tiles)
    if line.end == line.station:
        return phrase("at its own station after {tiles}", tiles=tiles)
    return phrase("at station {end} after {tiles}", end=line.end, tiles=tiles)


def _lengthens(event: LineLengthened) -> Phrase:
    station, length = event.line.station, line_length(event.line)
    if event.company:
        return phrase(
            "lengthens line {station} of {company} to {tiles} and keeps it open",
            station=station, company=owner_name(event), tiles=length,
        )  # fmt: skip
    return phrase("lengthens your line {station} to {tiles} and keeps it open", station=station, tiles=length)


def forecast(before: CableCarState, action: int, after: CableCarState, seat: int) -> list[Phrase]:
    """Say how every line that a tile touches would run: the finished ones with their points, then those still open, the
    seat's own first. For an open share, say what the seat's shares would bring with it; for other actions, what the log
    would say, but for hidden shares that the seat does not know."""
    found = seen_events(before, action, after, seat)
    decided = found[0]
    if isinstance(decided, ShareSwapped) and decided.company and any(before.points):
        return [_worth(_shares_worth(before, seat), _shares_worth(after, seat))]
    if not isinstance(decided, TileLaid):
        return all_lines([event for event in found if is_foreseen(event, before, seat)])
    still_open = [event for event in found if isinstance(event, LineLengthened)]
    still_open.sort(key=lambda event: (event.line.owner != seat, -event.line.run))
    told = [*all_lines(found[1:]), *(_runs_on(event, seat) for event in still_open)]
    return told or [phrase("No car can reach this tile yet.")]


def _shares_worth(state: CableCarState, seat: int) -> int:
    """The points of a seat for its shares and majorities if the game ended now, as far as it knows."""
    seen = observe(state, seat)
    return sum(company.gain(seat) for company in companies(seen.points, seen.shares))


def _worth(before: int, after: int) -> Phrase:
    if after == before:
        return phrase("Your shares would then bring {points}, as now.", points=points(after))
    return phrase("Your shares would then bring {points} instead of {before}.", points=points(after), before=before)


def _runs_on(event: LineLengthened, seat: int) -> Phrase:
    station, length = event.line.station, line_length(event.line)
    if event.seat == seat:
        return phrase("Your line {station} would run over {tiles} and stay open.", station=station, tiles=length)
    return phrase(
        "Line {station} of {owner} would run over {tiles} and stay open.",
        station=station, owner=owner_name(event), tiles=length,
    )  # fmt: skip


def themes(before: CableCarState, actions: Sequence[int]) -> list[Phrase]:
    """Drawing, swapping, the power station, blocks, lines of the seat and of others; else waiting."""
    after = before.clone()
    after.apply(actions[0])
    decided, *followed = events_without_values(before, actions[0], after)
    if isinstance(decided, DrawChosen):
        return [phrase("Draw and place")]
    if isinstance(decided, ShareSwapped):
        return [phrase("Shares")]
    changed = [event for event in followed if isinstance(event, LineChanged)]
    if before.companies:
        closes = any(isinstance(event, SwapsClosed) for event in followed)
        return [*([phrase("End of swaps")] if closes else []), *_themes_of_companies(changed)]
    mine = [event for event in changed if event.seat == decided.seat]
    others = [event for event in changed if event not in mine]
    found = [phrase("Power station")] if any(map(_is_near_power_station, mine)) else []
    if _ends_short(others) or (not mine and _ends(others)):
        found.append(phrase("Block"))
    return found or [_plain_theme(mine, others)]


def _themes_of_companies(changed: Sequence[LineChanged]) -> list[Phrase]:
    """The power station; short lines that end where no long one changes; else a long line."""
    if any(map(_is_near_power_station, changed)):
        return [phrase("Power station")]
    if _ends_short(changed) and all(event.line.run <= SHORT for event in changed):
        return [phrase("Block")]
    return [_plain_theme(changed, ())]


def _plain_theme(mine: Sequence[LineChanged], others: Sequence[LineChanged]) -> Phrase:
    """Lines to be made the most of, lines of others that go on, or none."""
    if mine:
        return phrase("Long line")
    return phrase("Junction") if others else phrase("Wait")


def _ends(changed: Sequence[LineChanged]) -> bool:
    return any(isinstance(event, LineFinished) for event in changed)


def _ends_short(changed: Sequence[LineChanged]) -> bool:
    return _ends([event for event in changed if event.line.run <= SHORT])


def _is_near_power_station(event: LineChanged) -> bool:
    """Whether a line has reached the power station, or leads to a cell beside it."""
    return event.line.end == 0 or (isinstance(event, LineLengthened) and event.leads_to in _BESIDE_POWER_STATION)
