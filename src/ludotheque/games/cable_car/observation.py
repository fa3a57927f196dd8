"""An observation of Cable Car: what one viewer knows, and how it is drawn in text."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from msgspec import Struct

from ludotheque.core.game import TERMINAL
from ludotheque.core.observation import Observation
from ludotheque.core.phrases import Phrase, listed, phrase, plural
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.companies import Company, SharePile, companies

BACK, LEFT, STRAIGHT, RIGHT = range(4)
"""Directions of a track: the number of sides clockwise from its entry to its end."""
LETTERS = {
    "yellow": "Y",
    "blue": "B",
    "orange": "O",
    "green": "G",
    "purple": "P",
    "black": "K",
    "red": "R",
    "brown": "N",
}
"""The letter of each colour, so that colour is never the only mark."""


@cache
def cell_name(cell: int) -> str:
    """`A1` is the cell at the top left, `H8` the one at the bottom right."""
    row, column = board.PLACE_OF_CELL[cell]
    return f"{'ABCDEFGH'[column]}{row + 1}"


def tile_name(tile: int, turn: int = 0) -> str:
    """The code of a tile, with its clockwise quarter turns if any: `aacb`, `aacb+1`."""
    return board.CODES[tile] + (f"+{turn}" if turn else "")


@cache
def describe_tile(name: str) -> Phrase:
    """A tile by its tracks, as people call it: `2 straight, 1 bend left, 1 bend right`."""
    code = name.partition("+")[0]
    ways = Counter(_ways(code))
    return listed([_tracks(way, ways[way]) for way in (STRAIGHT, LEFT, RIGHT, BACK) if ways[way]])


def _ways(code: str) -> list[int]:
    """Return the direction of the track from each side, clockwise from the north."""
    return [(board.exit_port(code, port) // 2 - port // 2) % 4 for port in range(0, 8, 2)]


def _tracks(way: int, count: int) -> Phrase:
    if way == STRAIGHT:
        return plural(count, "{count} straight", "{count} straight")
    if way == LEFT:
        return plural(count, "{count} bend left", "{count} bends left")
    if way == RIGHT:
        return plural(count, "{count} bend right", "{count} bends right")
    return plural(count, "{count} loop back", "{count} loops back")


@cache
def describe_tile_by_sides(name: str) -> Phrase:
    """A tile by where the track from each side leads; no other tile has these words."""
    return listed([_track_from(side, way) for side, way in enumerate(_ways(name))])


def _track_from(side: int, way: int) -> Phrase:
    to = (phrase("back"), phrase("to the left"), phrase("straight on"), phrase("to the right"))[way]
    return (
        phrase("from the north {to}", to=to),
        phrase("from the east {to}", to=to),
        phrase("from the south {to}", to=to),
        phrase("from the west {to}", to=to),
    )[side]


class Line(Struct, frozen=True, gc=False):
    """The line of one car."""

    station: int
    """The station where it starts, 1-32."""
    owner: int
    """A seat, or with The Companies a company."""
    run: int
    """Over how many tiles it runs so far, each crossing counted."""
    end: int
    """The station it ends at, 1-32; 0 for the power station; -1 while it is open."""

    @property
    def is_finished(self) -> bool:
        return self.end >= 0

    @property
    def points(self) -> int:
        """The points of a finished line."""
        return self.run * (2 if self.end == 0 else 1)


@lru_cache(maxsize=4096)
def line_of(station: int, owner: int, stretch: int) -> Line:
    """The line of the car at a station (from 0), from the stretch of track that begins there."""
    run, where = stretch >> 9, stretch & 511
    end = -1
    if where >= board.POWER_STATION:
        end = 0
    elif where >= board.ARRIVALS:
        end = where - board.ARRIVALS + 1
    return Line(station + 1, owner, run, end)


class CableCarObservation(Observation, frozen=True, kw_only=True):
    """A position of Cable Car as one viewer knows it."""

    turn: int
    """The seat whose turn it is, also while chance draws for it; `TERMINAL` after the end."""
    companies: bool
    tiles: tuple[str, ...]
    """Tiles by cell; empty for a cell without one."""
    last_cell: str
    lines: tuple[Line, ...]
    points: tuple[int, ...]
    """Points by owner of cars: a seat, or with The Companies a company."""
    scores: tuple[int, ...]
    """Scores by seat; with The Companies only at the end."""
    pile: int
    hands: tuple[tuple[str, ...], ...]
    drawn: str
    """The tile drawn to be placed, if any."""
    swaps_open: bool = False
    swap_runs: tuple[int, ...] = ()
    """Number of its latest turns, up to three, that were swaps in a row, by seat."""
    shares: tuple[SharePile, ...] = ()

    def __str__(self) -> str:
        return "\n".join([*_drawn_board(self), "", *_drawn_facts(self)])


# The position drawn in text.


def _drawn_board(seen: CableCarObservation) -> list[str]:
    cars = {line.station: board.COLOURS[line.owner] for line in seen.lines}

    def station(number: int) -> str:
        colour = cars.get(number)
        return f"{number}{LETTERS[colour] if colour else ''}"

    def cell(row: int, column: int) -> str:
        number = board.CELL_AT.get((row, column))
        if number is None:
            return "######"
        mark = "*" if seen.last_cell == cell_name(number) else ""
        return (seen.tiles[number] or ".") + mark

    columns = range(board.COLUMNS)
    lines = ["        " + "".join(f"{letter:^8}" for letter in "ABCDEFGH")]
    lines.append("        " + "".join(f"{station(column + 1):^8}" for column in columns))
    for row in range(board.ROWS):
        cells = "".join(f"{cell(row, column):^8}" for column in columns)
        lines.append(f"{row + 1:>2} {station(32 - row):>4} {cells} {station(9 + row):<4}")
    lines.append("        " + "".join(f"{station(24 - column):^8}" for column in columns))
    return lines


def _drawn_facts(seen: CableCarObservation) -> list[str]:
    lines = [f"Pile: {seen.pile}"]
    if seen.companies:
        lines += [_drawn_company(company, seen.viewer) for company in companies(seen.points, seen.shares)]
        lines.append("Swaps: " + ("open" if seen.swaps_open else "closed"))
        for pile in seen.shares:
            given = f", then {', '.join(pile.given)}" if pile.given else ""
            lines.append(f"{pile.percent}%: {pile.open or 'none'} face up; {pile.undrawn} never drawn{given}")
    for seat, hand in enumerate(seen.hands):
        words = [f"Seat {seat + 1}"]
        if not seen.companies:
            words.append(board.COLOURS[seat])
        if seen.scores:
            words.append(f"{seen.scores[seat]} points")
        words.append("tiles " + (" ".join(hand) or "none"))
        if seen.drawn and seat == seen.turn:
            words.append(f"must place {seen.drawn}")
        if seen.companies:
            words.append("shares " + " ".join(f"{pile.percent}:{pile.hands[seat] or 'none'}" for pile in seen.shares))
        lines.append(("> " if seat == seen.to_move else "  ") + ", ".join(words))
    if seen.to_move == TERMINAL:
        lines.append(seen.won_by)
    return lines


def _drawn_company(company: Company, viewer: int) -> str:
    words = [f"{company.colour}: {company.points} points", f"10% give {company.value}"]
    if company.leaders:
        doubt = "" if company.is_majority_certain else " perhaps"
        words.append(f"majority{doubt} seat " + " and ".join(str(seat + 1) for seat in company.leaders))
    if viewer >= 0 and company.holdings[viewer]:
        words.append(f"yours {company.holdings[viewer]}% for {company.gain(viewer)}")
    return ", ".join(words)
