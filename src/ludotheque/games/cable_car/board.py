"""The board of Cable Car and its tiles, from `board.toml`, with the geometry computed once. Compiled.

Cells are numbered 0-59, row by row, without the power station. A *way in* is a cell and one of its four even ports:
`4 * cell + port // 2`, 0-239. Tracks lead from a way in to the next way in or to an end, so one number says where a
line is, and the same range of numbers goes on with the things a track can begin or end at:

      0-239  way in to a cell
    240-271  departure of station 1-32
    280-311  arrival at station 1-32
    312-319  into the power station
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

FACTS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))

ROWS: Final = 8
COLUMNS: Final = 8
CELLS: Final = 60
WAYS_IN: Final = 240
STATIONS: Final = 32
DEPARTURES: Final = 240
ARRIVALS: Final = 280
POWER_STATION: Final = 312
ENDS: Final = 320

TILES: Final = 60
TYPES: Final = 24
COLOURS: Final[list[str]] = FACTS["colours"]
COMPANIES: Final = 8
NOBODY: Final = 255

_POWER_CELLS: Final = [tuple(cell) for cell in FACTS["power_station"]]
_ROW_STEP: Final = (-1, 0, 1, 0)
_COLUMN_STEP: Final = (0, 1, 0, -1)
_ACROSS: Final = (5, 4, 7, 6, 1, 0, 3, 2)
"""The neighbour's port behind a port."""

PLACE_OF_CELL: Final = [
    (row, column) for row in range(ROWS) for column in range(COLUMNS) if (row, column) not in _POWER_CELLS
]
"""Row and column of each cell."""
CELL_AT: Final = {place: cell for cell, place in enumerate(PLACE_OF_CELL)}

# The tiles. A type is a one-to-one map of the four even ports to the odd ones, written as a code of four letters.

CODES: Final[list[str]] = list(FACTS["tiles"])
TYPE_OF_CODE: Final = {code: tile for tile, code in enumerate(CODES)}


def exit_port(code: str, port: int) -> int:
    """The odd port that a tile leads to from an even one."""
    way: int = FACTS["way"][code[port // 2]]
    return (port + way) % 8


TYPE_OF_TILE: Final = vec[u8]([u8(tile) for tile, code in enumerate(CODES) for _ in range(FACTS["tiles"][code])])
"""The 60 tiles are numbered with the copies of a type side by side. By tile: its type."""


def _copies() -> vec[i64]:
    types = [int(tile) for tile in TYPE_OF_TILE]
    return vec[i64]([i64(sum([2**i for i, of_type in enumerate(types) if of_type == tile])) for tile in range(TYPES)])


COPIES: Final = _copies()
"""Tiles of each type, as bits."""
ALL_TILES: Final = i64(2**TILES - 1)


def turned_code(code: str, turn: int) -> str:
    """The code of a tile after that many clockwise quarter turns."""
    return code[-turn:] + code[:-turn] if turn else code


def _different_turns() -> vec[u8]:
    return vec[u8]([u8(len({turned_code(code, turn) for turn in range(4)})) for code in CODES])


TURNS: Final = _different_turns()
"""Number of turns that give different tracks, by type; larger turns are the same as one of these."""

# The ground.


def _beyond(row: int, column: int, port: int) -> tuple[int, int]:
    """The place behind a port of a cell."""
    return row + _ROW_STEP[port // 2], column + _COLUMN_STEP[port // 2]


def _on_board(place: tuple[int, int]) -> bool:
    return 0 <= place[0] < ROWS and 0 <= place[1] < COLUMNS


def station_at(cell: int, side: int) -> int:
    """The station (from 0) behind a side of an edge cell: 0 top, 1 right, 2 bottom, 3 left."""
    row, column = PLACE_OF_CELL[cell]
    return (column, 8 + row, 16 + COLUMNS - 1 - column, 24 + ROWS - 1 - row)[side]


def _neighbours() -> vec[i64]:
    masks: list[int] = []
    for row, column in PLACE_OF_CELL:
        near = [_beyond(row, column, port) for port in range(0, 8, 2)]
        masks.append(sum([2 ** CELL_AT[place] for place in near if place in CELL_AT]))
    return vec[i64]([i64(mask) for mask in masks])


NEIGHBOURS: Final = _neighbours()
"""Cells that share a side with a cell, by cell."""


def _is_edge(row: int, column: int) -> bool:
    return row in (0, ROWS - 1) or column in (0, COLUMNS - 1)


EDGE: Final = i64(sum([2**cell for cell, place in enumerate(PLACE_OF_CELL) if _is_edge(place[0], place[1])]))
ALL_CELLS: Final = i64(2**CELLS - 1)


def _power_entries() -> dict[tuple[int, int], int]:
    """The eight tracks into the power station, by cell and port, in the order of cells and ports."""
    entries: dict[tuple[int, int], int] = {}
    for cell, (row, column) in enumerate(PLACE_OF_CELL):
        for port in range(1, 8, 2):
            if _beyond(row, column, port) in _POWER_CELLS:
                entries[cell, port] = len(entries)
    return entries


POWER_ENTRIES: Final = _power_entries()


def leads_to(cell: int, port: int) -> int:
    """Return where a track that leaves a cell at an odd port leads to."""
    row, column = PLACE_OF_CELL[cell]
    place = _beyond(row, column, port)
    if not _on_board(place):
        return ARRIVALS + station_at(cell, port // 2)
    if place in _POWER_CELLS:
        return POWER_STATION + POWER_ENTRIES[cell, port]
    return 4 * CELL_AT[place] + _ACROSS[port] // 2


TURNED_CODES: Final = [turned_code(code, turn) for code in CODES for turn in range(4)]
"""Codes of the tracks of a tile as it lies, by type and quarter turns (`4 * type + turn`)."""


def _tracks() -> vec[i64]:
    table = [0] * (64 * len(TURNED_CODES))
    for lies, code in enumerate(TURNED_CODES):
        for cell in range(CELLS):
            ways = [leads_to(cell, exit_port(code, port)) for port in range(0, 8, 2)]
            table[64 * lies + cell] = sum([where * 512**entry for entry, where in enumerate(ways)])
    return vec[i64]([i64(packed) for packed in table])


TRACKS: Final = _tracks()
"""Ends of the four tracks of a tile, by tile as it lies and cell (`256 * type + 64 * turn + cell`), from the way in at
port 0 on, nine bits each."""


def _is_proper(code: str, cell: int) -> bool:
    """Whether the tile makes no track from a station to a station over this one cell."""
    row, column = PLACE_OF_CELL[cell]
    for port in range(0, 8, 2):
        way_out = _beyond(row, column, exit_port(code, port))
        if not _on_board(_beyond(row, column, port)) and not _on_board(way_out):
            return False
    return True


def _proper() -> vec[i64]:
    return vec[i64]([i64(sum([2**cell for cell in range(CELLS) if _is_proper(code, cell)])) for code in TURNED_CODES])


PROPER: Final = _proper()
"""Cells where a tile makes no one-tile line, by tile as it lies (`4 * type + turn`). It depends on these alone."""


def way_in_of_station(station: int) -> int:
    """The way in of a station's departure track, stations from 0."""
    for cell in range(CELLS):
        row, column = PLACE_OF_CELL[cell]
        for side in range(4):
            if not _on_board(_beyond(row, column, 2 * side)) and station_at(cell, side) == station:
                return 4 * cell + side
    raise AssertionError(f"station {station} is nowhere")


WAY_IN_OF_STATION: Final = [way_in_of_station(station) for station in range(STATIONS)]


def cars(players: int, companies: bool) -> list[int]:
    """Return the owners of the stations' cars, from station 1 on: seats or with companies colours; `NOBODY` if none."""
    table: dict[str, list[int]] = FACTS["companies"] if companies else FACTS["cars"][str(players)]
    owners = [NOBODY] * STATIONS
    for owner, stations in enumerate(table.values()):
        for station in stations:
            owners[station - 1] = owner
    return owners


def empty_board(owners: list[int]) -> vec[i32]:
    """The stretches of track before the first tile: nothing anywhere, but each car's line waits at its first cell."""
    other_end = list(range(ENDS))
    for station, way_in in enumerate(WAY_IN_OF_STATION):
        if owners[station] != NOBODY:
            other_end[way_in] = DEPARTURES + station
            other_end[DEPARTURES + station] = way_in
    return vec[i32]([i32(where) for where in other_end])
