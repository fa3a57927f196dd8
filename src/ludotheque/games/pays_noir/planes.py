"""Observations of Pays noir for learners. Compiled.

The table has no edge; the planes have: they show the places up to 15 steps from the start card. Random games span 18
steps at most. What lies further out is not shown on planes, but can be chosen as an action all the same.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from ludotheque.core.bits import BIT
from ludotheque.core.game import Game, State
from ludotheque.core.layout import OFF_BOARD, ActionPlanes, Layout, LayoutBuilder, action_planes
from ludotheque.core.planes import Planes, clear, rotated, seat_bit
from ludotheque.games.pays_noir.board import CARD_MEMBER, Board
from ludotheque.games.pays_noir.deck import (
    COUNTRY_EDGE,
    FACE,
    GAPS,
    OPEN_ENDS,
    QUARTER,
    SHOWN,
    STATIONS_FROM,
    TRACK,
    Deck,
)
from ludotheque.games.pays_noir.rules import NOTHING, OVER, SLOTS, PaysNoirState

REACH: Final = 15
SPAN: Final = 31
"""Squares of a row or column of the planes."""
BITS: Final = 60
"""Bits of a word."""
WORDS: Final = 17
"""Words of a plane."""
SEATS: Final = 5

# The planes, in their order.

CARD_PLANE: Final = 0
LAST: Final = 1
FIRST_EDGE: Final = 2
"""Planes by side, then country, rail, town."""
FIRST_PART: Final = 14
"""Whether the card has a quarter, track, mine, factory, port or patch."""
FIRST_MEMBER: Final = 20
"""Planes by seat."""
FIRST_SPOT: Final = 25
"""Planes by what the member stands on: a quarter, track, mine, factory, port or patch."""
STATION: Final = 31
URBANISM: Final = 32
OPEN_TRACK: Final = 33
"""A track of the card belongs to a line with open ends."""
OPEN_TOWN: Final = 34
GAP: Final = 35
FITS: Final = 36
"""Places where the viewer's chosen card fits, in some turn."""
PLACE_PLANE: Final = 37
"""The place chosen."""
PLANES: Final = 38

SIDE_NAMES: Final = ("north", "east", "south", "west")
EDGES: Final = ("country", "rail", "town")
PARTS: Final = ("quarter", "track", "mine", "factory", "port", "country")


@final
class PaysNoirPlanes(Planes):
    """The table around the start card, then hands, unseen cards, points and what is decided."""

    deck: Deck
    printed: vec[i16]
    """First word of each plane that shows what is printed on a card, by turned card, from `first_printed` on."""
    first_printed: vec[i16]

    def __init__(self, game: Game) -> None:
        state = game.new_initial_state()
        assert isinstance(state, PaysNoirState)
        self.deck = state.deck
        printed: list[int] = []
        first_printed = [0]
        for turned in range(4 * self.deck.types):
            printed += [WORDS * plane for plane in _printed_planes(self.deck, turned)]
            first_printed.append(len(printed))
        self.printed = vec[i16]([i16(word) for word in printed])
        self.first_printed = vec[i16]([i16(mark) for mark in first_printed])
        super().__init__(game)

    def make_layout(self) -> Layout:
        builder = LayoutBuilder(SPAN, SPAN)
        names = ["card", "last card"]
        names += [f"{edge} edge in the {side}" for side in SIDE_NAMES for edge in EDGES]
        names += [f"has {part}" for part in PARTS]
        names += [f"member of seat {seat}" for seat in range(SEATS)]
        names += [f"member on {part}" for part in PARTS]
        names += ["has a station", "has an urbanism symbol", "has a line with open ends", "has a town with open ends"]
        names += ["empty, next to a card", "the chosen card fits", "the place chosen"]
        for name in names:
            builder.plane(name, list(range(SPAN * SPAN)), WORDS, BITS)
        types = int(self.deck.types)
        builder.numbers("own hand, by card", types, 2.0)
        builder.numbers("cards not seen, by card", types, 3.0)
        builder.numbers("cards of the others that all have seen, by card", types, 2.0)
        builder.numbers("chosen card, by card, if known", types, 1.0)
        builder.numbers("points, by seat", SEATS, 50.0)
        builder.numbers("members left, by seat", SEATS, 7.0)
        builder.numbers("cards in hand, by seat", SEATS, 4.0)
        builder.numbers("cards in the pile, last space of the score track", 2, 70.0)
        builder.bits("whose turn", SEATS)
        builder.bits("what is decided", OVER + 1)
        builder.bits("turns in which the chosen card fits", 4)
        return builder.build()

    def action_planes(self) -> ActionPlanes:
        places = [OFF_BOARD] * self.game.num_distinct_actions()
        for y in range(-REACH, REACH + 1):
            for x in range(-REACH, REACH + 1):
                places[int(self.deck.first_place) + self.deck.place_at(x, y)] = int(_square(x, y))
        return action_planes(SPAN, SPAN, ("place",), places)

    def observation_into(self, state: State, words: vec[i64], at: i64, viewer: i64) -> None:
        assert isinstance(state, PaysNoirState)
        clear(words, at, self.width)
        where = state.board.coordinates()
        self._write_cards(state, where, words, at, viewer)
        _write_gaps(state, where, words, at, viewer)
        at += PLANES * WORDS
        _write_hands(state, words, at, viewer)
        at += 4 * self.deck.types
        seat: i64 = 0
        while seat < state.players:
            place = at + rotated(seat, viewer, state.players)
            words[place] = state.points[seat]
            words[place + SEATS] = state.supply(seat)
            words[place + 2 * SEATS] = state.held(seat)
            seat += 1
        at += 3 * SEATS
        words[at] = state.left
        words[at + 1] = state.last_space
        words[at + 2] = seat_bit(state.seat, viewer, state.players)
        words[at + 3] = BIT[state.phase]
        if state.place != NOTHING and state.seat == viewer:
            words[at + 4] = state.board.turns_at(state.chosen, state.place)

    def _write_cards(self, state: PaysNoirState, where: vec[i32], words: vec[i64], at: i64, viewer: i64) -> None:
        board = state.board
        printed = self.printed
        card: i64 = 0
        while card < board.laid:
            square = _square(i64(where[2 * card]), i64(where[2 * card + 1]))
            if square >= 0:
                first = at + square // BITS
                bit = BIT[square % BITS]
                turned = board.turned(card)
                mark = i64(self.first_printed[turned])
                end = i64(self.first_printed[turned + 1])
                while mark < end:
                    words[first + i64(printed[mark])] |= bit
                    mark += 1
                _write_open_ends(board, card, words, first, bit)
                member = i64(board.cards[4 * card + CARD_MEMBER])
                if member != 0:
                    seat = rotated((member & 7) - 1, viewer, state.players)
                    words[first + WORDS * (FIRST_MEMBER + seat)] |= bit
                    words[first + WORDS * (FIRST_SPOT + board.kind(board.base(card) + (member >> 3)))] |= bit
                if card > 0 and card == board.laid - 1:
                    words[first + WORDS * LAST] |= bit
            card += 1


def _printed_planes(deck: Deck, turned: int) -> list[int]:
    """The planes that show a turned card wherever it lies."""
    planes = {CARD_PLANE}
    for side in range(4):
        shown = int(deck.faces[FACE * (4 * turned + side) + SHOWN]) - COUNTRY_EDGE
        planes.add(FIRST_EDGE + 3 * side + shown)
    first = int(deck.first_part[turned // 4])
    for part in range(first, first + int(deck.spots[turned // 4])):
        kind = int(deck.kinds[part])
        planes.add(FIRST_PART + kind)
        if kind == QUARTER and (int(deck.records[part]) >> STATIONS_FROM) & 1:
            planes.add(STATION)
        if kind == QUARTER and int(deck.symbols[part]):
            planes.add(URBANISM)
    return sorted(planes)


def _square(x: i64, y: i64) -> i64:
    """The square of a place, row by row from the north west; -1 beyond the planes."""
    if x < -REACH or x > REACH or y < -REACH or y > REACH:
        return -1
    return SPAN * (REACH - y) + x + REACH


def _write_open_ends(board: Board, card: i64, words: vec[i64], first: i64, bit: i64) -> None:
    """Mark a card whose towns or lines can still grow."""
    node = board.base(card)
    end = node + board.spots(card)
    while node < end:
        kind = board.kind(node)
        if kind <= TRACK and board.record(node) & OPEN_ENDS != 0:
            words[first + WORDS * (OPEN_TOWN if kind == QUARTER else OPEN_TRACK)] |= bit
        node += 1


def _write_gaps(state: PaysNoirState, where: vec[i32], words: vec[i64], at: i64, viewer: i64) -> None:
    board = state.board
    knows = state.chosen != NOTHING and state.seat == viewer
    first_fit = GAPS * state.chosen
    i: i64 = 0
    while i < board.gap_count:
        gap = i64(board.gaps[i])
        x, y = board.gap_at(gap >> 8, where)
        square = _square(x, y)
        if square >= 0:
            first = at + square // BITS
            bit = BIT[square % BITS]
            words[first + WORDS * GAP] |= bit
            if knows and board.deck.fits[first_fit + (gap & 255)] != 0:
                words[first + WORDS * FITS] |= bit
            if gap >> 8 == state.place:
                words[first + WORDS * PLACE_PLANE] |= bit
        i += 1


def _write_hands(state: PaysNoirState, words: vec[i64], at: i64, viewer: i64) -> None:
    """Write the viewer's cards, those that no one has shown, those that others have shown, and the one being placed."""
    types = state.deck.types
    card: i64 = 0
    while card < types:
        words[at + types + card] = i64(state.pile[card])
        card += 1
    seat: i64 = 0
    while seat < state.players:
        slot = seat * state.seat_size + SLOTS
        end = slot + state.held(seat)
        while slot < end:
            entry = i64(state.seats[slot])
            if seat == viewer:
                words[at + (entry >> 1)] += 1
            elif entry & 1 != 0:
                words[at + 2 * types + (entry >> 1)] += 1
            else:
                words[at + types + (entry >> 1)] += 1
            slot += 1
        seat += 1
    if state.chosen != NOTHING and state.seat == viewer:
        words[at + 3 * types + state.chosen] = 1
