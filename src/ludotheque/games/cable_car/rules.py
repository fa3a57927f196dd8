"""The rules of Cable Car and The Companies. Compiled.

Tiles are bits: the 60 tiles, copies of a type side by side, so the pile and each hand are one number. Cells are bits
too, and the one-tile rule is a fixed set of cells for each type, so that legality is one AND.

Lines are never retraced. Every stretch of laid track is known at its two open ends alone (`stretches`): a tile joins,
for each of its four tracks, the stretch that waits at its way in with the stretch that begins where it leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, SupportsIndex, cast, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from ludotheque.core.bits import BIT, kth_bit, kth_place, place_of, popcount
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL, Game, State, check_viewer, game_over
from ludotheque.games.cable_car.board import (
    ALL_CELLS,
    ALL_TILES,
    ARRIVALS,
    CELLS,
    COMPANIES,
    COPIES,
    DEPARTURES,
    EDGE,
    NEIGHBOURS,
    POWER_STATION,
    PROPER,
    STATIONS,
    TILES,
    TRACKS,
    TURNS,
    TYPE_OF_TILE,
    TYPES,
    cars,
    empty_board,
)

if TYPE_CHECKING:
    from ludotheque.games.cable_car.observation import CableCarObservation

# Actions. A placement names the tile's type, its clockwise quarter turns and the cell: the type and not a place in the
# hand, so that the number of a move says nothing about the rest of the hand.
#
#     256 * type + 64 * turn + cell      place
#     6144                               draw a tile, to be placed
#     6145 + 2 * pile + hidden           swap a share of 10, 20, 30, 40 % for the open (0) or the hidden one (1)

DRAW: Final = 6144
SWAP: Final = 6145
ACTIONS: Final = 6153


def place_action(tile: i64, turn: i64, cell: i64) -> i64:
    return 256 * tile + 64 * turn + cell


def swap_action(pile: i64, hidden: i64) -> i64:
    return SWAP + 2 * pile + hidden


# Draws of a chance node; the tiles before the shares.

DEAL: Final = 0
"""A tile to the next hand of the set-up."""
REFILL: Final = 1
"""A tile to the hand of the player who placed one."""
DRAWING: Final = 2
"""A tile that the player must place."""
DEAL_SHARE: Final = 3
"""A share to the next hand of the set-up, or face up beside its pile."""
TAKE_SHARE: Final = 4
"""The top share of a pile, to the player who swaps."""
TURN_UP: Final = 5
"""The top share of a pile, face up."""

# The shares of one percentage: a block of 24 bytes in `shares`.
#
#     0-5    the share in each seat's hand
#     6      the open share
#     7      how many shares have been given back under the pile and not taken again
#     8-14   those, the topmost first
#     15     the shares never yet drawn, above them in unknown order: a set of companies, as bits
#     16-23  by company: who knows where its share is, a set of seats; EVERYBODY once it has been face up

BLOCK: Final = 24
OPEN: Final = 6
GIVEN: Final = 7
UNDRAWN: Final = 15
KNOWN: Final = 16
NO_SHARE: Final = 255
EVERYBODY: Final = 127
PILES: Final = 4

SWAPS_CLOSE_AT: Final = 25
SWAPS_IN_A_ROW: Final = 3
MOST_TURNED_TILES: Final = 12
"""Tiles of a hand, at most, times turns."""
NO_TILE: Final = 255
NO_CELL: Final = -1


def _plain_placements(adjoining: i64, tile: i64) -> i64:
    """`CableCarState.placements` of a tile that is not turned."""
    proper = adjoining & PROPER[4 * tile]
    return proper if proper != 0 else adjoining


def _drawn_from(pile: i64, left: i64, rng: Random) -> i64:
    """A random tile of the pile, as `sample` draws it and `_tile_drawn` takes it: the first copy of its type."""
    of_type = pile & COPIES[i64(TYPE_OF_TILE[kth_place(pile, rng.randrange(left))])]
    return of_type & -of_type


class Chooser:
    """Finishes a game without variants, instead of chance alone."""

    def choose(self, state: CableCarState, seat: i64, tile: i64, cells: i64, draws: i64, rng: Random) -> i64:
        """Return which of the cells a tile is placed on, from 0; or their number to draw a tile, if `draws` is 1."""
        raise NotImplementedError


@final
class CableCarState(State):
    """A position of Cable Car."""

    players: i64
    hand_size: i64
    rotation: bool
    companies: bool
    owners: vec[u8]
    """Owners of the cars by station."""

    player: i64
    """The player to act: a seat, `CHANCE` or `TERMINAL`."""
    seat: i64
    """The seat whose turn it is, also while chance draws for it."""
    awaited: i64
    """The draw of a chance node."""
    dealt: i64
    """Draws made during the set-up."""

    free: i64
    """The cells without a tile."""
    reach: i64
    """The cells at the edge or next to a tile."""
    stretches: vec[i32]
    """Stretches of track by open end (way in, departure, arrival, power station): `512 * run + other end`, where the
    run counts each crossing of a tile. An end that no track has reached is a stretch of length 0, its own other end."""
    laid: vec[u8]
    """Tiles laid by cell: `4 * type + turn`."""
    finished: i64
    """The stations whose lines have been scored."""
    points: vec[i64]
    """Points by owner of cars: a seat, or with The Companies a company."""
    last_cell: i64

    pile: i64
    left: i64
    """Number of tiles in the pile."""
    hands: vec[i64]
    drawn: i64
    """The tile drawn to be placed, as a bit; else 0."""

    swaps_open: bool
    swap_runs: vec[u8]
    """Number of its latest turns, up to three, that were swaps in a row, by seat."""
    shares: vec[u8]
    swapped: i64
    """The pile of the swap under way."""

    def observation(self, viewer: SupportsIndex) -> CableCarObservation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return cast("CableCarObservation", State.observation(self, viewer))

    def clone(self) -> CableCarState:
        copy = CableCarState()
        copy.game = self.game
        copy.players = self.players
        copy.hand_size = self.hand_size
        copy.rotation = self.rotation
        copy.companies = self.companies
        copy.owners = self.owners  # never changes
        copy.player = self.player
        copy.seat = self.seat
        copy.awaited = self.awaited
        copy.dealt = self.dealt
        copy.free = self.free
        copy.reach = self.reach
        copy.stretches = self.stretches[:]
        copy.laid = self.laid[:]
        copy.finished = self.finished
        copy.points = self.points[:]
        copy.last_cell = self.last_cell
        copy.pile = self.pile
        copy.left = self.left
        copy.hands = self.hands[:]
        copy.drawn = self.drawn
        copy.swaps_open = self.swaps_open
        if self.companies:
            copy.swap_runs = self.swap_runs[:]
            copy.shares = self.shares[:]
        else:
            copy.swap_runs = self.swap_runs
            copy.shares = self.shares
        copy.swapped = self.swapped
        return copy

    # Turns.

    def current_player(self) -> i64:
        return self.player

    def _next_turn(self) -> None:
        """The next player clockwise who can place or swap."""
        seat = self.seat + 1
        if seat == self.players:
            seat = 0
        # In the base game no seat ever runs dry early: 2 to 6 all divide the 60 tiles.
        while self.companies and self.hands[seat] == 0 and not self.swaps_open:
            seat += 1
            if seat == self.players:
                seat = 0
        self.seat = seat
        self.player = seat

    def _await(self, draw: i64) -> None:
        self.player = CHANCE
        self.awaited = draw

    # Actions of a player.

    def legal_into(self, actions: vec[i64]) -> i64:
        firsts = vec[i64]([0] * MOST_TURNED_TILES)
        cells_of = vec[i64]([0] * MOST_TURNED_TILES)
        ways = self.placements_into(firsts, cells_of)
        count: i64 = 0
        way: i64 = 0
        while way < ways:
            cells = cells_of[way]
            while cells != 0:
                low = cells & -cells
                actions[count] = firsts[way] + place_of(low)
                count += 1
                cells ^= low
            way += 1
        if self.may_draw():
            actions[count] = DRAW
            count += 1
        if self.may_swap():
            swap: i64 = SWAP
            while swap < ACTIONS:
                actions[count] = swap
                count += 1
                swap += 1
        return count

    def allows(self, action: i64) -> bool:
        if self.player < 0 or action < 0:
            return self.player == CHANCE and self._may_be_drawn(action)
        if action >= DRAW:
            return self.may_draw() if action == DRAW else action < ACTIONS and self.may_swap()
        tile = action >> 8
        turn = (action >> 6) & 3
        cell = action & 63
        turns = i64(TURNS[tile]) if self.rotation else 1
        if cell >= CELLS or turn >= turns or self.tiles_to_place() & COPIES[tile] == 0:
            return False
        return self.placements(tile, turn) & BIT[cell] != 0

    def _may_be_drawn(self, outcome: i64) -> bool:
        if outcome < 0:
            return False
        if self.draws_tile():
            return outcome < TYPES and self.pile & COPIES[outcome] != 0
        undrawn = i64(self.shares[BLOCK * self.pile_drawn_from() + UNDRAWN])
        return outcome < COMPANIES and undrawn & BIT[outcome] != 0

    def placements_into(self, firsts: vec[i64], cells_of: vec[i64]) -> i64:
        """For each tile to place and each turn of it: the action of its first cell, and the cells where it may lie."""
        ways: i64 = 0
        tiles = self.tiles_to_place()
        while tiles != 0:
            tile = i64(TYPE_OF_TILE[place_of(tiles & -tiles)])
            tiles &= ~COPIES[tile]
            turns = i64(TURNS[tile]) if self.rotation else 1
            turn: i64 = 0
            while turn < turns:
                firsts[ways] = place_action(tile, turn, 0)
                cells_of[ways] = self.placements(tile, turn)
                ways += 1
                turn += 1
        return ways

    def tiles_to_place(self) -> i64:
        """The tile that was drawn to be placed; else the hand."""
        return self.drawn if self.drawn != 0 else self.hands[self.seat]

    def placements(self, tile: i64, turn: i64) -> i64:
        """The cells where a tile may lie, turned so: free, at the edge or next to a tile, without a one-tile line
        unless this tile has no other placement anywhere."""
        adjoining = self.free & self.reach
        proper = adjoining & PROPER[4 * tile + turn]
        if proper != 0 or (self.rotation and self._proper_in_some_turn(tile, adjoining)):
            return proper
        return adjoining

    def _proper_in_some_turn(self, tile: i64, adjoining: i64) -> bool:
        turn: i64 = 0
        while turn < 4:
            if adjoining & PROPER[4 * tile + turn] != 0:
                return True
            turn += 1
        return False

    def may_draw(self) -> bool:
        """While the pile lasts, a player may draw a tile and place that one."""
        return self.drawn == 0 and self.left > 0

    def may_swap(self) -> bool:
        """Swapping is open; but when all have only swapped for three turns, a player who holds a tile must place."""
        if not self.swaps_open or self.drawn != 0:
            return False
        return self.hands[self.seat] == 0 or not self._all_keep_swapping()

    def _all_keep_swapping(self) -> bool:
        seat: i64 = 0
        while seat < self.players:
            if i64(self.swap_runs[seat]) < SWAPS_IN_A_ROW:
                return False
            seat += 1
        return True

    def sample(self, rng: Random) -> i64:
        if self.player < 0:
            return self._sample_draw(rng)
        if not self.has_one_way():
            return self._sample_any(rng)
        tile = self.only_tile()
        cells = self.placements(tile, 0)
        count = popcount(cells)
        k = rng.randrange(count + 1 if self.may_draw() else count)
        if k == count:
            return DRAW
        return place_action(tile, 0, kth_place(cells, k))

    def has_one_way(self) -> bool:
        """Whether a turn is to place the one tile of the hand as it lies, or to draw."""
        return not self.rotation and not self.swaps_open and self.hand_size == 1

    def only_tile(self) -> i64:
        """The type of the tile to place, where there is one."""
        return i64(TYPE_OF_TILE[place_of(self.tiles_to_place())])

    def _sample_draw(self, rng: Random) -> i64:
        if self.player == TERMINAL:
            raise game_over()
        if self.draws_tile():
            return i64(TYPE_OF_TILE[kth_place(self.pile, rng.randrange(self.left))])
        undrawn = i64(self.shares[BLOCK * self.pile_drawn_from() + UNDRAWN])
        return kth_place(undrawn, rng.randrange(popcount(undrawn)))

    def _sample_any(self, rng: Random) -> i64:
        firsts = vec[i64]([0] * MOST_TURNED_TILES)
        cells_of = vec[i64]([0] * MOST_TURNED_TILES)
        ways = self.placements_into(firsts, cells_of)
        count: i64 = 1 if self.may_draw() else 0
        if self.may_swap():
            count += ACTIONS - SWAP
        way: i64 = 0
        while way < ways:
            count += popcount(cells_of[way])
            way += 1
        k = rng.randrange(count)
        way = 0
        while way < ways:
            here = popcount(cells_of[way])
            if k < here:
                return firsts[way] + kth_place(cells_of[way], k)
            k -= here
            way += 1
        if self.may_draw():
            return DRAW + k
        return SWAP + k

    def finish(self, rng: Random) -> i64:
        steps: i64 = 0
        while self.player != TERMINAL:
            if self.begins_plain_turn():
                return steps + self.finish_plain_game(None, rng)
            self.apply(self.sample(rng))
            steps += 1
        return steps

    def begins_plain_turn(self) -> bool:
        """Whether a seat is to act at the beginning of a turn of a game without variants."""
        return self.player >= 0 and self.drawn == 0 and self.has_one_way() and not self.companies

    def finish_plain_game(self, chooser: Chooser | None, rng: Random) -> i64:
        """Play on from the beginning of a turn without variants, by the same draws of the generator as `sample` and
        `apply` make, in local names; lines are scored at the end. A test plays both. Without `chooser`: by chance."""
        free, reach, pile, left, seat = self.free, self.reach, self.pile, self.left, self.seat
        players, hands, laid, stretches = self.players, self.hands, self.laid, self.stretches
        cell: i64 = NO_CELL
        steps: i64 = 0
        while free != 0:
            tile = i64(TYPE_OF_TILE[place_of(hands[seat])])
            cells = _plain_placements(free & reach, tile)
            count = popcount(cells)
            draws: i64 = 0
            if left > 0:
                draws = 1
            if chooser is None:
                k = rng.randrange(count + draws)
            else:
                k = chooser.choose(self, seat, tile, cells, draws, rng)
            if k == count:  # draw a tile and place that one; the hand stays
                drawn = _drawn_from(pile, left, rng)
                pile ^= drawn
                left -= 1
                tile = i64(TYPE_OF_TILE[place_of(drawn)])
                cells = _plain_placements(free & reach, tile)
                if chooser is None:
                    k = rng.randrange(popcount(cells))
                else:
                    k = chooser.choose(self, seat, tile, cells, 0, rng)
                steps += 3
                cell = kth_place(cells, k)
            else:
                cell = kth_place(cells, k)
                drawn = 0
                if left > 0 and free != BIT[cell]:
                    drawn = _drawn_from(pile, left, rng)
                    pile ^= drawn
                    left -= 1
                    steps += 1
                hands[seat] = drawn
                steps += 1
            laid[cell] = u8(4 * tile)
            free ^= BIT[cell]
            reach |= NEIGHBOURS[cell]
            tracks = TRACKS[256 * tile + cell]
            way_in = 4 * cell
            after = way_in + 4
            while way_in < after:
                waiting = i64(stretches[way_in])
                beyond = i64(stretches[tracks & 511])
                start = waiting & 511
                end = beyond & 511
                run = (waiting - start) + 512 + (beyond - end)
                stretches[start] = i32(run + end)
                stretches[end] = i32(run + start)
                tracks >>= 9
                way_in += 1
            seat += 1
            if seat == players:
                seat = 0
        self.seat = seat - 1 if seat > 0 else players - 1
        self.free, self.reach, self.pile, self.left = free, reach, pile, left
        self.last_cell = cell
        self._score_finished_lines()
        self.end()
        return steps

    def _score_finished_lines(self) -> None:
        """Score the lines that have been finished and not been scored."""
        station: i64 = 0
        while station < STATIONS:
            line = i64(self.stretches[DEPARTURES + station])
            if line & 511 >= ARRIVALS and self.finished & BIT[station] == 0:
                self._score(station, line >> 9, line & 511)
            station += 1

    # Consequences of an action.

    def apply(self, action: i64) -> None:
        if self.player == CHANCE:
            if self.draws_tile():
                self._tile_drawn(action)
            else:
                self._share_drawn(action)
        elif action < DRAW:
            self._place(action)
        elif action == DRAW:
            self._await(DRAWING)
        else:
            self._swap((action - SWAP) >> 1, (action - SWAP) & 1)

    def _place(self, action: i64) -> None:
        """Place a tile of the hand, or the one just drawn; draw one after placing from the hand."""
        refill = self.may_draw()
        if self.drawn != 0:
            self.drawn = 0
        else:
            tile = self.hands[self.seat]
            if tile & (tile - 1) != 0:
                tile &= COPIES[action >> 8]
                tile &= -tile
            self.hands[self.seat] ^= tile
        self.lay(action)
        if self.companies:
            self.swap_runs[self.seat] = 0
            self.close_swaps()
        if self.free == 0:
            self.end()
        elif refill:
            self._await(REFILL)
        else:
            self._next_turn()

    def lay(self, action: i64) -> None:
        """Put a tile on the board, join its tracks and score the lines it finishes."""
        cell = action & 63
        self.laid[cell] = u8(action >> 6)
        self.free ^= BIT[cell]
        self.reach |= NEIGHBOURS[cell]
        self.last_cell = cell
        stretches = self.stretches
        tracks = TRACKS[action]
        way_in = 4 * cell
        after = way_in + 4
        while way_in < after:
            # The line that waits at this way in runs over the tile, then along the stretch that begins behind it.
            waiting = i64(stretches[way_in])
            beyond = i64(stretches[tracks & 511])
            start = waiting & 511
            end = beyond & 511
            run = (waiting >> 9) + 1 + (beyond >> 9)
            stretches[start] = i32(512 * run + end)
            stretches[end] = i32(512 * run + start)
            if end >= ARRIVALS and start >= DEPARTURES:
                self._score(start - DEPARTURES, run, end)
            tracks >>= 9
            way_in += 1

    def _score(self, station: i64, run: i64, end: i64) -> None:
        """A point for each crossing of a tile, twice that for a line into the power station."""
        self.finished |= BIT[station]
        owner = i64(self.owners[station])
        if end >= POWER_STATION:
            run *= 2
        self.points[owner] += run

    # Tiles.

    def draws_tile(self) -> bool:
        return self.awaited <= DRAWING

    def _tile_drawn(self, tile: i64) -> None:
        of_type = self.pile & COPIES[tile]
        bit = of_type & -of_type
        self.pile ^= bit
        self.left -= 1
        if self.awaited == DRAWING:
            self.drawn = bit
            self.player = self.seat
            return
        self.hands[self.seat] |= bit
        if self.awaited == REFILL:
            self._next_turn()
        else:
            self._dealt_one()

    def _dealt_one(self) -> None:
        """Set-up: tiles seat by seat, then of each pile of shares one to each seat and one face up."""
        self.dealt += 1
        tiles = self.players * self.hand_size
        if self.dealt < tiles:
            self.seat = self.dealt // self.hand_size
        elif self.companies and self.dealt < tiles + PILES * (self.players + 1):
            self.awaited = DEAL_SHARE
            self.seat = 0
        else:
            self.seat = 0
            self.player = 0

    # Shares.

    def _swap(self, pile: i64, hidden: i64) -> None:
        """Put the share under its pile, then take the open one and turn up the next, or take the top hidden one."""
        block = BLOCK * pile
        given = block + GIVEN
        self.shares[given] += 1
        self.shares[given + i64(self.shares[given])] = self.shares[block + self.seat]
        if i64(self.swap_runs[self.seat]) < SWAPS_IN_A_ROW:
            self.swap_runs[self.seat] += 1
        self.swapped = pile
        if hidden == 0:
            self._hold(pile, self.seat, i64(self.shares[block + OPEN]))
            self.shares[block + OPEN] = NO_SHARE
            self.awaited = TURN_UP
        else:
            self.shares[block + self.seat] = NO_SHARE
            self.awaited = TAKE_SHARE
        if self.shares[block + UNDRAWN] != 0:
            self.player = CHANCE
        else:
            self._top_share_moves(pile, self._take_given_share(pile))

    def _take_given_share(self, pile: i64) -> i64:
        """The topmost of the shares that were given back; the others move up."""
        given = BLOCK * pile + GIVEN
        share = i64(self.shares[given + 1])
        count = i64(self.shares[given]) - 1
        self.shares[given] = u8(count)
        i: i64 = 1
        while i <= count:
            self.shares[given + i] = self.shares[given + i + 1]
            i += 1
        self.shares[given + count + 1] = NO_SHARE
        return share

    def _share_drawn(self, company: i64) -> None:
        pile = self.pile_drawn_from()
        self.shares[BLOCK * pile + UNDRAWN] ^= u8(BIT[company])
        if self.awaited != DEAL_SHARE:
            self._top_share_moves(pile, company)
            return
        seat = self.seat_dealt_to()
        if seat < self.players:
            self._hold(pile, seat, company)
        else:
            self._turn_up(pile, company)
        self._dealt_one()

    def _top_share_moves(self, pile: i64, company: i64) -> None:
        if self.awaited == TURN_UP:
            self._turn_up(pile, company)
        else:
            self._hold(pile, self.seat, company)
        self._next_turn()

    def _hold(self, pile: i64, seat: i64, company: i64) -> None:
        self.shares[BLOCK * pile + seat] = u8(company)
        self.shares[BLOCK * pile + KNOWN + company] |= u8(BIT[seat])

    def _turn_up(self, pile: i64, company: i64) -> None:
        self.shares[BLOCK * pile + OPEN] = u8(company)
        self.shares[BLOCK * pile + KNOWN + company] = EVERYBODY

    def pile_drawn_from(self) -> i64:
        if self.awaited != DEAL_SHARE:
            return self.swapped
        return (self.dealt - self.players * self.hand_size) // (self.players + 1)

    def seat_dealt_to(self) -> i64:
        """The seat that gets the next share of the set-up; past the last one, it is turned face up."""
        return (self.dealt - self.players * self.hand_size) % (self.players + 1)

    def close_swaps(self) -> None:
        """Swapping closes for good as soon as any company has 25 points."""
        company: i64 = 0
        while company < COMPANIES:
            if self.points[company] >= SWAPS_CLOSE_AT:
                self.swaps_open = False
            company += 1

    # Chance.

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        count: i64 = 0
        if self.draws_tile():
            tile: i64 = 0
            while tile < TYPES:
                copies = popcount(self.pile & COPIES[tile])
                if copies > 0:
                    outcomes[count] = tile
                    weights[count] = copies
                    count += 1
                tile += 1
            return count
        undrawn = i64(self.shares[BLOCK * self.pile_drawn_from() + UNDRAWN])
        while undrawn != 0:
            low = undrawn & -undrawn
            outcomes[count] = place_of(low)
            weights[count] = 1
            count += 1
            undrawn ^= low
        return count

    # The result.

    def end(self) -> None:
        """All tiles are placed. The players' shares are shown, not the piles."""
        self.player = TERMINAL
        place: i64 = 0
        while self.companies and place < PILES * BLOCK:
            seat: i64 = 0
            while seat < self.players:
                self.shares[place + KNOWN + i64(self.shares[place + seat])] = EVERYBODY
                seat += 1
            place += BLOCK

    def scores_into(self, scores: vec[i64]) -> None:
        seat: i64 = 0
        while seat < self.players:
            if self.companies:
                scores[seat] = self.share_points(seat) + self.majority_points(seat)
            else:
                scores[seat] = self.points[seat]
            seat += 1

    def value(self, company: i64) -> i64:
        """Return the worth of 10 % of a company: 8 for the most points, one less for each better number of points."""
        value: i64 = COMPANIES
        other: i64 = 0
        while other < COMPANIES:
            if self.points[other] > self.points[company] and self._first_with_its_points(other):
                value -= 1
            other += 1
        return value

    def _first_with_its_points(self, company: i64) -> bool:
        other: i64 = 0
        while other < company:
            if self.points[other] == self.points[company]:
                return False
            other += 1
        return True

    def share_points(self, seat: i64) -> i64:
        """Percentage / 10 times the value, for each share."""
        total: i64 = 0
        pile: i64 = 0
        while pile < PILES:
            company = i64(self.shares[BLOCK * pile + seat])
            if company != NO_SHARE:
                total += (pile + 1) * self.value(company)
            pile += 1
        return total

    def holding(self, seat: i64, company: i64) -> i64:
        """Return the number of times 10 % of a company that a seat holds."""
        total: i64 = 0
        pile: i64 = 0
        while pile < PILES:
            if i64(self.shares[BLOCK * pile + seat]) == company:
                total += pile + 1
            pile += 1
        return total

    def majority_points(self, seat: i64) -> i64:
        """A tenth of a company's points, rounded down, for the most of its shares; in full to each who has as many."""
        total: i64 = 0
        company: i64 = 0
        while company < COMPANIES:
            mine = self.holding(seat, company)
            other: i64 = 0
            while mine > 0 and other < self.players:
                if self.holding(other, company) > mine:
                    mine = 0
                other += 1
            if mine > 0:
                total += self.points[company] // 10
            company += 1
        return total

    # Positions that a viewer cannot tell apart.

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> CableCarState:
        seat: i64 = check_viewer(viewer, self.players)
        copy = self.clone()
        copy._redeal_tiles(seat, rng)
        if self.companies:
            pile: i64 = 0
            while pile < PILES:
                copy._redeal_shares(pile, seat, rng)
                pile += 1
        return copy

    def _redeal_tiles(self, viewer: i64, rng: Random) -> None:
        """Deal the other hands anew from all the tiles that the viewer has not seen."""
        unseen = self.pile
        seat: i64 = 0
        while seat < self.players:
            if seat != viewer:
                unseen |= self.hands[seat]
            seat += 1
        hides_drawn = self.drawn != 0 and self.seat != viewer
        if hides_drawn:
            unseen |= self.drawn
        seat = 0
        while seat < self.players:
            if seat != viewer:
                size = popcount(self.hands[seat])
                hand: i64 = 0
                while size > 0:
                    bit = kth_bit(unseen, rng.randrange(popcount(unseen)))
                    unseen ^= bit
                    hand |= bit
                    size -= 1
                self.hands[seat] = hand
            seat += 1
        if hides_drawn:
            self.drawn = kth_bit(unseen, rng.randrange(popcount(unseen)))
            unseen ^= self.drawn
        self.pile = unseen

    def _redeal_shares(self, pile: i64, viewer: i64, rng: Random) -> None:
        """Deal the companies whose shares the viewer cannot place anew over all the places where they may be."""
        block = BLOCK * pile
        viewer_bit = BIT[OPEN] if viewer == SPECTATOR else BIT[viewer]
        knowers = self.shares[block + KNOWN : block + BLOCK]
        unplaced: i64 = 0
        company: i64 = 0
        while company < COMPANIES:
            if i64(knowers[company]) & viewer_bit == 0:
                unplaced |= BIT[company]
                self.shares[block + KNOWN + company] = 0
            company += 1
        left = unplaced
        place: i64 = 0
        while place < UNDRAWN:
            share = i64(self.shares[block + place])
            if place != GIVEN and share != NO_SHARE and unplaced & BIT[share] != 0:
                dealt = kth_bit(left, rng.randrange(popcount(left)))
                left ^= dealt
                self.shares[block + place] = u8(place_of(dealt))
                self.shares[block + KNOWN + place_of(dealt)] = knowers[share]
            place += 1
        self.shares[block + UNDRAWN] = u8(left)


def new_state(game: Game, hand_size: int, rotation: bool, companies: bool) -> CableCarState:
    """The position before the first tile is dealt."""
    state = CableCarState()
    owners = cars(game.players, companies)
    state.game = game
    state.players = game.players
    state.hand_size = hand_size
    state.rotation = rotation
    state.companies = companies
    state.owners = vec[u8]([u8(owner) for owner in owners])
    state.player = CHANCE
    state.seat = 0
    state.awaited = DEAL
    state.dealt = 0
    state.free = ALL_CELLS
    state.reach = EDGE
    state.stretches = empty_board(owners)
    state.laid = vec[u8]([u8(NO_TILE)] * CELLS)
    state.finished = 0
    state.points = vec[i64]([0] * (COMPANIES if companies else game.players))
    state.last_cell = NO_CELL
    state.pile = ALL_TILES
    state.left = TILES
    state.hands = vec[i64]([0] * game.players)
    state.drawn = 0
    state.swaps_open = companies
    state.swap_runs = vec[u8]([u8(0)] * game.players)
    state.shares = _undealt_shares() if companies else vec[u8]()
    state.swapped = 0
    return state


def _undealt_shares() -> vec[u8]:
    one_pile = [NO_SHARE] * BLOCK
    one_pile[GIVEN] = 0
    one_pile[UNDRAWN] = 255
    one_pile[KNOWN:] = [0] * COMPANIES
    return vec[u8]([u8(byte) for byte in one_pile * PILES])
