"""The view of one viewer of a game of Cable Car. The only place that decides secrecy.

Hidden are the hands of the others, the pile, a tile drawn to be placed until it lies, the shares of the others and the
face-down shares. A seat knows where a share is once it has held it or it has been face up: everyone can follow the
places. At the end the players' shares are shown, not the piles.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import structs

from ludotheque.core.bits import BIT, places
from ludotheque.core.events import Event
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL
from ludotheque.core.observation import HIDDEN
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.companies import SharePile
from ludotheque.games.cable_car.events import ShareTaken, ShareTurnedUp, TileDrawn, events_without_values
from ludotheque.games.cable_car.observation import (
    CableCarObservation,
    Line,
    cell_name,
    line_of,
    tile_name,
)
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DEAL_SHARE,
    DRAWING,
    GIVEN,
    KNOWN,
    NO_CELL,
    NO_SHARE,
    NO_TILE,
    OPEN,
    PILES,
    SWAP,
    TURN_UP,
    UNDRAWN,
    CableCarState,
)


def observe(state: CableCarState, viewer: int) -> CableCarObservation:
    """Return what `viewer` may know of the position."""
    over = state.is_terminal()
    tiles, lines = _board(state)
    return CableCarObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if over else (),
        turn=TERMINAL if over else state.seat,
        companies=state.companies,
        tiles=tiles,
        last_cell="" if state.last_cell == NO_CELL else cell_name(state.last_cell),
        lines=lines,
        points=tuple(state.points),
        scores=tuple(state.scores()) if over or not state.companies else (),
        pile=state.left,
        hands=tuple([_hand(state, seat, viewer) for seat in range(state.players)]),
        drawn=_drawn(state, viewer),
        swaps_open=state.swaps_open,
        swap_runs=tuple(state.swap_runs) if state.companies else (),
        shares=tuple(share_pile(state, pile, viewer) for pile in range(PILES)) if state.companies else (),
    )


def sees(state: CableCarState, action: int, viewer: int) -> bool:
    """Whether `viewer` sees what is drawn at this chance node. The actions of players are public."""
    if state.current_player() != CHANCE or state.awaited == TURN_UP:
        return True
    if state.awaited == DEAL_SHARE:
        seat = state.seat_dealt_to()
        return seat == state.players or seat == viewer
    return viewer == state.seat


def seen_by_now(before: CableCarState, action: int, present: CableCarState, viewer: int) -> bool:
    """Whether a tile that was drawn face down has been placed since."""
    return before.is_chance_node() and before.awaited == DRAWING and present.free != before.free


def reveals(state: CableCarState, action: int) -> bool:
    """Whether an action shows a share without a draw: a swap with a pile that holds only shares given back before."""
    return action >= SWAP and state.shares[BLOCK * ((action - SWAP) >> 1) + UNDRAWN] == 0


def seen_events(before: CableCarState, action: int, after: CableCarState, viewer: int) -> list[Event]:
    """The events as far as `viewer` may know them: what shares are worth is known at the end only."""
    return [_seen_event(event, viewer) for event in events_without_values(before, action, after)]


def _seen_event(event: Event, viewer: int) -> Event:
    if isinstance(event, TileDrawn) and event.seat != viewer:
        return structs.replace(event, tile=HIDDEN)
    if isinstance(event, ShareTaken):
        known = event.knowers & _viewer_bit(viewer)
        return structs.replace(event, company=event.company if known else HIDDEN, knowers=0)
    return event


def is_foreseen(event: Event, before: CableCarState, viewer: int) -> bool:
    """Whether `viewer` can know of an event beforehand: a share that moves is one they gave back, or saw given back."""
    if not isinstance(event, ShareTaken | ShareTurnedUp):
        return True
    [given] = [pile.given for pile in observe(before, viewer).shares if pile.percent == event.percent]
    return event.company in given


def _viewer_bit(viewer: int) -> int:
    """The bit of a viewer among those who know where a share is."""
    return BIT[OPEN] if viewer == SPECTATOR else BIT[viewer]


# The board looks the same to all who look at it one after the other.


_TILE_NAMES = [tile_name(tile // 4, tile % 4) for tile in range(4 * board.TYPES)]
_TILE_NAMES += [""] * (NO_TILE + 1 - len(_TILE_NAMES))
"""Names of tiles by the content of a cell; empty for `NO_TILE`."""


_Board = tuple[tuple[str, ...], tuple[Line, ...]]
_BOARDS: Final[dict[tuple[bytes, bytes], _Board]] = {}
"""Tiles and lines, which follow from the content of the cells and the owners of the lines, by both."""
_MOST_BOARDS: Final = 128


def _board(state: CableCarState) -> _Board:
    """The tiles and the lines of the latest boards, read once for all viewers."""
    key = bytes(state.laid), bytes(state.owners)
    known = _BOARDS.get(key)
    if known is None:
        if len(_BOARDS) >= _MOST_BOARDS:
            _BOARDS.clear()
        known = _BOARDS[key] = tuple(map(_TILE_NAMES.__getitem__, key[0])), _lines(state)
    return known


def _lines(state: CableCarState) -> tuple[Line, ...]:
    stretches = state.stretches[board.DEPARTURES : board.DEPARTURES + board.STATIONS]
    cars = enumerate(zip(state.owners, stretches, strict=True))
    return tuple([line_of(station, owner, stretch) for station, (owner, stretch) in cars if owner != board.NOBODY])


def line(state: CableCarState, station: int) -> Line:
    """The line of the car at a station (from 0)."""
    return line_of(station, state.owners[station], state.stretches[board.DEPARTURES + station])


def _hand(state: CableCarState, seat: int, viewer: int) -> tuple[str, ...]:
    tiles = places(state.hands[seat])
    if seat != viewer:
        return (HIDDEN,) * len(tiles)
    return tuple(tile_name(board.TYPE_OF_TILE[tile]) for tile in tiles)


def _drawn(state: CableCarState, viewer: int) -> str:
    if state.drawn == 0:
        return ""
    if state.seat != viewer:
        return HIDDEN
    return tile_name(board.TYPE_OF_TILE[places(state.drawn)[0]])


def share_pile(state: CableCarState, pile: int, viewer: int) -> SharePile:
    """The shares of one percentage as `viewer` knows them."""
    return _share_pile(bytes(state.shares[BLOCK * pile : BLOCK * (pile + 1)]), pile, int(state.players), viewer)


@lru_cache(maxsize=8192)
def _share_pile(block: bytes, pile: int, players: int, viewer: int) -> SharePile:
    viewer_bit = _viewer_bit(viewer)

    def company_at(place: int) -> str:
        company = block[place]
        if company == NO_SHARE:
            return ""
        return board.COLOURS[company] if block[KNOWN + company] & viewer_bit else HIDDEN

    return SharePile(
        percent=10 * (pile + 1),
        hands=tuple(company_at(seat) for seat in range(players)),
        open=company_at(OPEN),
        undrawn=len(places(block[UNDRAWN])),
        given=tuple(company_at(GIVEN + 1 + i) for i in range(block[GIVEN])),
    )
