"""Observations of Cable Car for learners. Compiled."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from ludotheque.core.bits import BIT, popcount
from ludotheque.core.game import SPECTATOR, State
from ludotheque.core.layout import OFF_BOARD, ActionPlanes, Layout, LayoutBuilder, action_planes
from ludotheque.core.planes import Planes, clear, rotated, seat_bit
from ludotheque.games.cable_car.board import (
    CELL_AT,
    CELLS,
    CODES,
    COLUMNS,
    COMPANIES,
    COPIES,
    DEPARTURES,
    NOBODY,
    ROWS,
    STATIONS,
    TURNED_CODES,
    TYPE_OF_TILE,
    TYPES,
    exit_port,
)
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DRAW,
    GIVEN,
    KNOWN,
    NO_SHARE,
    NO_TILE,
    OPEN,
    PILES,
    UNDRAWN,
    CableCarState,
)

SIDE_NAMES: Final = ("north", "east", "south", "west")
HAND: Final = 3
"""A hand holds up to three tiles, perhaps all of one type."""
OWNERS: Final = 8
"""Room for the owners of cars: six seats, or eight companies."""


def _exits() -> vec[u8]:
    """Return the side where the track leaves, by tile as it lies and way in."""
    return vec[u8]([u8(exit_port(code, 2 * side) // 2) for code in TURNED_CODES for side in range(4)])


EXITS: Final = _exits()


@final
class CableCarPlanes(Planes):
    """Tracks, waiting lines, hands, piles and shares."""

    def make_layout(self) -> Layout:
        builder = LayoutBuilder(ROWS, COLUMNS)
        squares = [CELL_AT.get((row, column), OFF_BOARD) for row in range(ROWS) for column in range(COLUMNS)]
        for way_in in SIDE_NAMES:
            for way_out in SIDE_NAMES:
                builder.plane(f"track from {way_in} to {way_out}", squares)
        builder.plane("empty", squares)
        builder.plane("empty, at the edge or next to a tile", squares)
        builder.plane("last tile", squares)
        for owner in range(OWNERS):
            for side in SIDE_NAMES:
                builder.plane(f"line of owner {owner} waits, coming from {side}", squares)
        for owner in range(OWNERS):
            builder.bits(f"stations of owner {owner}", STATIONS)
        builder.bits("lines that have ended, by station", STATIONS)
        builder.numbers("run of the line, by station", STATIONS, 20.0)
        builder.numbers("points, by owner", OWNERS, 60.0)
        for copies in range(1, HAND + 1):
            builder.bits(f"own tiles to place, at least {copies} of a type", TYPES)
        builder.numbers("tiles not seen, by type", TYPES, 4.0)
        builder.numbers("tiles in the pile", 1, 60.0)
        builder.bits("whose turn", 6)
        builder.bits("a tile is drawn, swapping is open", 2)
        for pile in range(PILES):
            percent = 10 * (pile + 1)
            builder.bits(f"shares of {percent} % by seat and company, if known", 6 * COMPANIES)
            builder.bits(f"open share of {percent} %", COMPANIES)
            builder.bits(f"shares of {percent} % given back, if known", 7 * COMPANIES)
            builder.numbers(f"shares of {percent} % never drawn", 1, 8.0)
        builder.numbers("swaps in a row, by seat", 6, 3.0)
        return builder.build()

    def action_planes(self) -> ActionPlanes:
        names = [f"{code} turned by {90 * turn}" for code in CODES for turn in range(4)]
        squares = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
        # The four numbers behind the last cell, which are never legal, get the squares of the power station.
        unused = [square for square in squares if square not in CELL_AT]
        cells = {**CELL_AT, **{square: CELLS + i for i, square in enumerate(unused)}}
        square_of_cell = {cells[square]: number for number, square in enumerate(squares)}
        places = [OFF_BOARD] * self.game.num_distinct_actions()
        for action in range(DRAW):
            places[action] = ROWS * COLUMNS * (action // 64) + square_of_cell[action % 64]
        return action_planes(ROWS, COLUMNS, names, places)

    def observation_into(self, state: State, words: vec[i64], at: i64, viewer: i64) -> None:
        assert isinstance(state, CableCarState)
        clear(words, at, self.width)
        _write_tracks(state, words, at)
        words[at + 16] = state.free
        words[at + 17] = state.free & state.reach
        if state.last_cell >= 0:
            words[at + 18] = BIT[state.last_cell]
        at += 19
        _write_lines(state, words, at, viewer)
        at += 4 * OWNERS + OWNERS + 1 + STATIONS
        _write_points(state, words, at, viewer)
        at += OWNERS
        _write_tiles(state, words, at, viewer)
        at += HAND + TYPES
        words[at] = state.left
        words[at + 1] = seat_bit(state.seat, viewer, state.players)
        words[at + 2] = (1 if state.drawn != 0 else 0) + (2 if state.swaps_open else 0)
        if state.companies:
            _write_shares(state, words, at + 3, viewer)


def _write_tracks(state: CableCarState, words: vec[i64], at: i64) -> None:
    """From each way in of each tile to its way out: 16 planes."""
    laid = state.laid
    cell: i64 = 0
    while cell < CELLS:
        lies = i64(laid[cell])
        if lies != NO_TILE:
            bit = BIT[cell]
            lies *= 4
            words[at + i64(EXITS[lies])] |= bit
            words[at + 4 + i64(EXITS[lies + 1])] |= bit
            words[at + 8 + i64(EXITS[lies + 2])] |= bit
            words[at + 12 + i64(EXITS[lies + 3])] |= bit
        cell += 1


def _owner(state: CableCarState, owner: i64, viewer: i64) -> i64:
    """Companies are the same for all; seats are rotated."""
    return owner if state.companies else rotated(owner, viewer, state.players)


def _write_lines(state: CableCarState, words: vec[i64], at: i64, viewer: i64) -> None:
    """Write where each line waits, the owner of each station, and the length of each line."""
    stations = at + 4 * OWNERS
    runs = stations + OWNERS + 1
    words[stations + OWNERS] = state.finished
    station: i64 = 0
    while station < STATIONS:
        of_station = i64(state.owners[station])
        if of_station != NOBODY:
            owner = _owner(state, of_station, viewer)
            words[stations + owner] |= BIT[station]
            stretch = i64(state.stretches[DEPARTURES + station])
            words[runs + station] = stretch >> 9
            way_in = stretch & 511
            if way_in < 4 * CELLS:
                words[at + 4 * owner + (way_in & 3)] |= BIT[way_in >> 2]
        station += 1


def _write_points(state: CableCarState, words: vec[i64], at: i64, viewer: i64) -> None:
    owner: i64 = 0
    while owner < len(state.points):
        words[at + _owner(state, owner, viewer)] = state.points[owner]
        owner += 1


def _write_tiles(state: CableCarState, words: vec[i64], at: i64, viewer: i64) -> None:
    """The viewer's tiles, and how many of each type the viewer has not seen: they are in the pile or in other hands."""
    unseen = state.pile
    seat: i64 = 0
    while seat < state.players:
        if seat != viewer:
            unseen |= state.hands[seat]
        seat += 1
    if state.drawn != 0 and state.seat != viewer:
        unseen |= state.drawn
    if viewer >= 0:
        own = state.hands[viewer]
        if state.drawn != 0 and state.seat == viewer:
            own = state.drawn
        while own != 0:
            low = own & -own
            own ^= low
            _add_tile(words, at, i64(TYPE_OF_TILE[_place(low)]))
    tile: i64 = 0
    while tile < TYPES:
        words[at + HAND + tile] = popcount(unseen & COPIES[tile])
        tile += 1


def _place(bit: i64) -> i64:
    return popcount(bit - 1)


def _add_tile(words: vec[i64], at: i64, tile: i64) -> None:
    """One more tile of a type: the next word that has not got its bit."""
    while words[at] & BIT[tile] != 0:
        at += 1
    words[at] |= BIT[tile]


def _write_shares(state: CableCarState, words: vec[i64], at: i64, viewer: i64) -> None:
    viewer_bit = BIT[OPEN] if viewer == SPECTATOR else BIT[viewer]
    shares = state.shares
    pile: i64 = 0
    while pile < PILES:
        block = BLOCK * pile
        seat: i64 = 0
        while seat < state.players:
            words[at] |= _known_share(shares, block, seat, viewer_bit, rotated(seat, viewer, state.players))
            seat += 1
        words[at + 1] = _known_share(shares, block, OPEN, viewer_bit, 0)
        given: i64 = 0
        while given < i64(shares[block + GIVEN]):
            words[at + 2] |= _known_share(shares, block, GIVEN + 1 + given, viewer_bit, given)
            given += 1
        words[at + 3] = popcount(i64(shares[block + UNDRAWN]))
        at += 4
        pile += 1
    seat = 0
    while seat < state.players:
        words[at + rotated(seat, viewer, state.players)] = i64(state.swap_runs[seat])
        seat += 1


def _known_share(shares: vec[u8], block: i64, place: i64, viewer_bit: i64, at: i64) -> i64:
    """The bit of the company whose share lies at a place, in a group of eight; 0 if the viewer does not know."""
    company = i64(shares[block + place])
    if company == NO_SHARE or i64(shares[block + KNOWN + company]) & viewer_bit == 0:
        return 0
    return BIT[COMPANIES * at + company]
