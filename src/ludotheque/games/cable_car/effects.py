"""What a move of Cable Car changes: which lines it lengthens, and which it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.colours import colour_name
from ludotheque.core.phrases import Phrase, counted, phrase, seat_name
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.log import describe
from ludotheque.games.cable_car.notation import placement_of, swapped_percent
from ludotheque.games.cable_car.observation import Line, cell_name
from ludotheque.games.cable_car.observe import observe
from ludotheque.games.cable_car.rules import DRAW, SWAP, CableCarState

SHORT: Final = 4
"""A line that ends after so few tiles was blocked."""
_BESIDE_POWER_STATION: Final = frozenset(cell for cell, _ in board.POWER_ENTRIES)
MEANINGS: Final = {
    "Draw and place": phrase("Draw a tile instead of placing your own."),
    "Shares": phrase("Swap a share."),
    "Power station": phrase("Lead a line of yours to the power station, where it counts double."),
    "Block": phrase("End a line of another player while it is short."),
    "Long line": phrase("Make the most of a line of yours."),
}
"""What the themes of puzzles mean."""


def effects(before: CableCarState, action: int, after: CableCarState, seat: int) -> list[Phrase]:
    """The lines that a tile ends, then those of the seat that it lengthens, longest first."""
    if action >= DRAW:
        return []
    changed = sorted(_changed(before, after), key=lambda line: -line.run)
    ended = [line for line in changed if line.is_finished]
    longer = [line for line in changed if not line.is_finished and (line.owner == seat or after.companies)]
    return [
        *(_ended(line, seat, after.companies) for line in ended),
        *(_longer(line, after.companies) for line in longer),
    ]


def forecast(before: CableCarState, action: int, after: CableCarState, seat: int) -> list[Phrase]:
    """How every line that a tile touches would run: the finished ones with their points, then those still open, the
    seat's own first. For other actions, what the log would say."""
    if action >= DRAW:
        return describe(before, action, after, seat)
    told = describe(before, action, after, seat)[1:]
    changed = sorted(_changed(before, after), key=lambda line: (line.owner != seat, -line.run))
    still_open = [_runs_on(line, seat, after.companies) for line in changed if not line.is_finished]
    return [*told, *still_open] or [phrase("No car can reach this tile yet.")]


def _runs_on(line: Line, seat: int, companies: bool) -> Phrase:
    if not companies and line.owner == seat:
        return phrase("Your line {station} would run over {tiles} and stay open.",
                   station=line.station, tiles=_tiles(line))  # fmt: skip
    owner = colour_name(board.COLOURS[line.owner]) if companies else seat_name(line.owner)
    return phrase("Line {station} of {owner} would run over {tiles} and stay open.",
               station=line.station, owner=owner, tiles=_tiles(line))  # fmt: skip


def moved_pieces(before: CableCarState, action: int, after: CableCarState, viewer: int) -> list[str]:
    """The tile that is laid; the pile that is drawn from; the shares that are swapped."""
    if before.is_chance_node():
        return []
    if action == DRAW:
        return ["pile"]
    if action >= SWAP:
        percent, other = swapped_percent(action), "hidden" if (action - SWAP) % 2 else "open"
        return [f"{other}:{percent}"]
    return [f"tile:{cell_name(placement_of(action)[2])}"]


def themes(before: CableCarState, actions: Sequence[int]) -> list[Phrase]:
    """Drawing, swapping, the power station, a block; else a long line."""
    action = actions[0]
    if action == DRAW:
        return [phrase("Draw and place")]
    if action >= SWAP:
        return [phrase("Shares")]
    after = before.clone()
    after.apply(action)
    changed = list(_changed(before, after))
    mine = [line for line in changed if after.companies or line.owner == before.seat]
    found = [phrase("Power station")] if any(_is_near_power_station(after, line) for line in mine) else []
    if any(line.is_finished and line.run <= SHORT for line in changed if line not in mine):
        found.append(phrase("Block"))
    return found or [phrase("Long line")]


def _is_near_power_station(state: CableCarState, line: Line) -> bool:
    """Whether a line has reached the power station, or leads to a cell beside it."""
    cell = state.stretches[board.DEPARTURES + line.station - 1] & 511
    return line.end == 0 or (not line.is_finished and cell // 4 in _BESIDE_POWER_STATION)


def _changed(before: CableCarState, after: CableCarState) -> Iterator[Line]:
    """The lines that a tile has changed."""
    was = {line.station: line for line in observe(before, before.seat).lines}
    for line in observe(after, before.seat).lines:
        if line != was.get(line.station):
            yield line


def _ended(line: Line, seat: int, companies: bool) -> Phrase:
    tiles = _tiles(line)
    if companies:
        colour = colour_name(board.COLOURS[line.owner])
        return phrase(
            "ends line {station} of {company} after {tiles}", station=line.station, company=colour, tiles=tiles
        )
    if line.owner == seat:
        return phrase("ends your line {station} after {tiles}", station=line.station, tiles=tiles)
    return phrase(
        "ends line {station} of {seat} after {tiles}", station=line.station, seat=seat_name(line.owner), tiles=tiles
    )


def _longer(line: Line, companies: bool) -> Phrase:
    if companies:
        colour = colour_name(board.COLOURS[line.owner])
        return phrase(
            "lengthens line {station} of {company} to {tiles} and keeps it open",
            station=line.station, company=colour, tiles=_tiles(line),
        )  # fmt: skip
    return phrase(
        "lengthens your line {station} to {tiles} and keeps it open", station=line.station, tiles=_tiles(line)
    )


def _tiles(line: Line) -> Phrase:
    return counted(line.run, phrase("1 tile"), phrase("{count} tiles", count=line.run))
