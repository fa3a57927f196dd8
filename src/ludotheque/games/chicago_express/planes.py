"""Observations of Chicago Express for learners. Compiled."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import BIT
from ludotheque.core.game import Game, State
from ludotheque.core.layout import OFF_BOARD, ActionPlanes, Layout, LayoutBuilder, action_planes
from ludotheque.core.planes import Planes, clear, copy_words, rotated, seat_bit
from ludotheque.games.chicago_express.board import COMPANIES, INDUSTRIES, WORD_BITS, WORDS, Board, words_of
from ludotheque.games.chicago_express.rules import BIDDING, BUILDING, DIALS, HEX, OPENINGS, ChicagoExpressState

TERRAINS: Final = ("plain", "forest", "mountain", "city", "industrial", "start")
INCOME_THRESHOLDS: Final = (1, 2, 4)
"""Printed incomes from which a hex is on a plane: 1 or more, 2 or more, 4 or more."""
STAGE_NAMES: Final = ("bid", "choose", "offer", "name", "build", "develop")
SEATS: Final = 6


@final
class ChicagoExpressPlanes(Planes):
    """The map as sets of hexes, then money, shares, dials and the auction."""

    board: Board
    ground: vec[i64]
    """The planes that never change."""
    height: int
    breadth: int

    def __init__(self, game: Game) -> None:
        state = game.new_initial_state()
        assert isinstance(state, ChicagoExpressState)
        self.board = state.board
        hexes = self.board.facts.hexes
        self.height = max([hex.place[1] for hex in hexes]) + 1
        self.breadth = max([hex.place[0] for hex in hexes]) + 1
        ground: list[int] = []
        for terrain in TERRAINS:
            ground += words_of([number for number, hex in enumerate(hexes) if hex.terrain == terrain])
        for income in INCOME_THRESHOLDS:
            ground += words_of([number for number, hex in enumerate(hexes) if hex.income >= income])
        self.ground = vec[i64]([i64(word) for word in ground])
        super().__init__(game)

    def squares(self) -> list[int]:
        """Row by row: the hex of each square, or `OFF_BOARD`."""
        number_at = {hex.place: number for number, hex in enumerate(self.board.facts.hexes)}
        columns, rows = range(self.breadth), range(self.height)
        return [number_at.get((column, row), OFF_BOARD) for row in rows for column in columns]

    def make_layout(self) -> Layout:
        builder = LayoutBuilder(self.height, self.breadth)
        squares = self.squares()
        names = [f"terrain: {terrain}" for terrain in TERRAINS]
        names += [f"printed income of {income} or more" for income in INCOME_THRESHOLDS]
        names += [f"locomotives of {company.id}" for company in self.board.facts.companies]
        names += [f"{company.id} can build" for company in self.board.facts.companies]
        names += ["house", "can be developed", "last hex"]
        for name in names:
            builder.plane(name, squares, WORDS, WORD_BITS)
        builder.numbers("cash, by seat", SEATS, 60.0)
        builder.numbers("shares, by seat and company", SEATS * COMPANIES, 3.0)
        builder.numbers("shares sold, by company", COMPANIES, 6.0)
        builder.numbers("treasury, by company", COMPANIES, 40.0)
        builder.numbers("income, by company", COMPANIES, 20.0)
        builder.numbers("dividend of a share, by company", COMPANIES, 10.0)
        builder.numbers("locomotives left, by company", COMPANIES, 20.0)
        builder.numbers("times chosen, by action", DIALS, 4.0)
        builder.numbers("steps, by industrial city", INDUSTRIES, 8.0)
        builder.numbers("houses left, hexes built in this expansion", 2, 10.0)
        builder.numbers("highest bid, lowest bid now", 2, 30.0)
        builder.bits("what is decided", len(STAGE_NAMES))
        builder.bits("company for sale or building", COMPANIES)
        builder.bits("whose turn", SEATS)
        builder.bits("still bidding", SEATS)
        builder.bits("highest bidder", SEATS)
        builder.bits("ends of the game that hold", 4)
        builder.bits("opening auction, the Wabash is open, it opens now", OPENINGS + 3)
        return builder.build()

    def action_planes(self) -> ActionPlanes:
        places = [OFF_BOARD] * self.game.num_distinct_actions()
        for place, hex in enumerate(self.squares()):
            if hex != OFF_BOARD:
                places[HEX + hex] = place
        return action_planes(self.height, self.breadth, ("build or develop",), places)

    def observation_into(self, state: State, words: vec[i64], at: i64, viewer: i64) -> None:
        assert isinstance(state, ChicagoExpressState)
        clear(words, at, self.width)
        copy_words(self.ground, 0, len(self.ground), words, at)
        at += len(self.ground)
        copy_words(state.networks, 0, WORDS * COMPANIES, words, at)
        at = _write_hexes(state, words, at + WORDS * COMPANIES)
        at = _write_seats(state, words, at, viewer)
        at = _write_companies(state, words, at)
        copy_words(state.dials, 0, DIALS, words, at)
        copy_words(state.steps, 0, INDUSTRIES, words, at + DIALS)
        _write_turn(state, words, at + DIALS + INDUSTRIES, viewer)


def _write_hexes(state: ChicagoExpressState, words: vec[i64], at: i64) -> i64:
    company: i64 = 0
    while company < COMPANIES:
        word: i64 = 0
        while word < WORDS:
            words[at] = state.buildable(company, word)
            at += 1
            word += 1
        company += 1
    copy_words(state.developed, 0, WORDS, words, at)
    copy_words(state.can_be_developed, 0, WORDS, words, at + WORDS)
    at += 2 * WORDS
    if state.last_hex >= 0:
        words[at + state.last_hex // WORD_BITS] = BIT[state.last_hex % WORD_BITS]
    return at + WORDS


def _write_seats(state: ChicagoExpressState, words: vec[i64], at: i64, viewer: i64) -> i64:
    seat: i64 = 0
    while seat < state.players:
        place = rotated(seat, viewer, state.players)
        words[at + place] = state.cash[seat]
        copy_words(state.held, COMPANIES * seat, COMPANIES, words, at + SEATS + COMPANIES * place)
        seat += 1
    return at + SEATS + SEATS * COMPANIES


def _write_companies(state: ChicagoExpressState, words: vec[i64], at: i64) -> i64:
    company: i64 = 0
    while company < COMPANIES:
        words[at + company] = state.sold[company]
        words[at + COMPANIES + company] = state.treasury[company]
        words[at + 2 * COMPANIES + company] = state.income[company]
        words[at + 3 * COMPANIES + company] = state.dividend(company)
        words[at + 4 * COMPANIES + company] = state.locomotives[company]
        company += 1
    return at + 5 * COMPANIES


def _write_turn(state: ChicagoExpressState, words: vec[i64], at: i64, viewer: i64) -> None:
    players = state.players
    words[at] = state.houses
    words[at + 5] = BIT[state.company] if state.stage in (BIDDING, BUILDING) else 0
    words[at + 6] = seat_bit(state.seat, viewer, players)
    if state.player >= 0:
        words[at + 4] = BIT[state.stage]
        if state.stage == BUILDING:
            words[at + 1] = state.built
        if state.stage == BIDDING:
            words[at + 2] = state.bid
            words[at + 3] = state.lowest_bid()
            words[at + 8] = seat_bit(state.bidder, viewer, players)
            seat: i64 = 0
            while seat < players:
                if state.is_bidding(seat):
                    words[at + 7] |= seat_bit(seat, viewer, players)
                seat += 1
    words[at + 9] = state.ends()
    opening: i64 = BIT[state.openings]
    if state.wabash_open:
        opening |= BIT[OPENINGS + 1]
    if state.stage == BUILDING and state.wabash_due:
        opening |= BIT[OPENINGS + 2]
    words[at + 10] = opening
