"""The rules of Passerelles. Compiled.

All that the rules ask about a position are sets of squares, kept up to date with each piece laid: whose piece is on
top, at what height, and where two neighbouring squares show the same piece. Legal placements of all lengths and both
directions, and the enclosed areas, then follow from shifts and ANDs over whole halves of the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, SupportsIndex, cast, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from ludotheque.core.bits import BIT, kth_place, place_of, popcount, write_numbers
from ludotheque.core.game import TERMINAL, Game, State, check_viewer, game_over
from ludotheque.games.passerelles.board import (
    ACROSS,
    ALL,
    BIT_ACROSS,
    BIT_DOWN,
    BITS_OF_HALF,
    FIRST_COLUMN,
    FIRST_PLACEMENT,
    FIRST_ROW,
    FIRST_SQUARE,
    FULL_SUPPLY,
    HALF,
    KINDS,
    LAST_COLUMN,
    LAST_ROW,
    LAST_SQUARE,
    LONGEST,
    NEUTRAL,
    NEUTRAL_PIECES,
    NORTH,
    PASS,
    PIECES,
    PLACEMENTS,
    SOUTH,
    SQUARE_AT,
    SQUARES,
    length_of,
    reflected,
    step_of,
    supply_place,
)

if TYPE_CHECKING:
    from ludotheque.games.passerelles.observation import PasserellesObservation

# The sets of squares of a position, each as its north and its south half.
#
#      0-5    whose top piece is of the first seat, of the second, neutral
#      6-7    bare: nothing lies on them, nothing passes over them
#      8-9    where the square to the right shows the same piece
#     10-11   where the square below shows the same piece
#     12-29   by kind: the first squares of what the seat to act may place
#     30-59   by height: whose top piece lies so high; flat pieces are at height 0, and as each piece needs two below
#             it, thirty pieces get no higher than 14

TOPS: Final = 0
BARE: Final = 6
JOINED_ACROSS: Final = 8
JOINED_DOWN: Final = 10
OPEN: Final = 12
LEVELS: Final = 30
SETS: Final = 60

# A laid piece is one number: `16384 * owner + 1024 * height + placement`.

NO_PIECE: Final = 255
NO_MOVE: Final = -1
"""Neither seat can place."""
DRAWS: Final = 16
"""Placements to try at random before all are found: about what finding them costs."""
_PLACEMENTS: Final[list[Any]] = [
    HALF * half + int(SQUARE_AT[place]) for half in range(2 * KINDS) for place in range(BITS_OF_HALF)
]
"""The placements as Python knows numbers, so that a list of them need not make them: by half of a set, and place."""


def owner_of(piece: i64) -> i64:
    return piece >> 14


def height_of(piece: i64) -> i64:
    return (piece >> 10) & 15


def placement_of(piece: i64) -> i64:
    """The placement (length, direction and square) in a piece's number."""
    return piece & 1023


@final
class PasserellesState(State):
    """A position of Passerelles."""

    rounds: i64
    landscape: vec[i64]
    """The neutral pieces before each round."""
    free: bool
    """Whether the players lay the neutral pieces themselves before each round."""
    diagonal: bool
    """Whether regions are connected diagonally as well."""

    player: i64
    """The player to act: a seat or `TERMINAL`."""
    round: i64
    """From 0; the seat of that number starts it."""
    laying: bool
    """Whether neutral pieces are being laid."""
    passes: i64
    """While neutral pieces are laid: how many passes in a row came just before."""
    first_points: i64
    second_points: i64
    """The seats' points from the rounds before this one."""

    supply: i64
    """Pieces left of each owner and length."""
    sets: vec[i64]
    listed: bool
    """Whether the sets of what the seat to act may place are up to date: always, but in the middle of a rollout."""
    levels_in_use: i64
    """Number of heights in use."""
    tops: vec[u8]
    """Numbers of the top pieces, in the order laid, or `NO_PIECE`, by square."""
    pieces: vec[i32]
    """The pieces, in the order laid."""
    laid: i64
    """Number of pieces laid."""

    def observation(self, viewer: SupportsIndex) -> PasserellesObservation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return cast("PasserellesObservation", State.observation(self, viewer))

    def clone(self) -> PasserellesState:
        copy = PasserellesState()
        copy.game = self.game
        copy.rounds = self.rounds
        copy.landscape = self.landscape  # never changes
        copy.free = self.free
        copy.diagonal = self.diagonal
        copy.player = self.player
        copy.round = self.round
        copy.laying = self.laying
        copy.passes = self.passes
        copy.first_points = self.first_points
        copy.second_points = self.second_points
        copy.supply = self.supply
        copy.sets = self.sets[:]
        copy.listed = self.listed
        copy.levels_in_use = self.levels_in_use
        copy.tops = self.tops[:]
        copy.pieces = self.pieces[:]
        copy.laid = self.laid
        return copy

    # A match and its rounds.

    def clear_board(self) -> None:
        """Remove all pieces from the board."""
        self.supply = FULL_SUPPLY
        self.sets = vec[i64]([0] * SETS)
        self.sets[BARE] = ALL
        self.sets[BARE + 1] = ALL
        self.listed = False
        self.levels_in_use = 0
        self.tops = vec[u8]([NO_PIECE] * SQUARES)
        self.pieces = vec[i32]([0] * PIECES)
        self.laid = 0

    def _start_round(self) -> None:
        """Lay the landscape, or let the players lay it, beginning with the seat that does not start."""
        self.clear_board()
        i: i64 = 0
        while i < len(self.landscape):
            self.lay(NEUTRAL, self.landscape[i])
            i += 1
        if self.free:
            self.resume(1 - self.round, True, 0)
        else:
            self.resume(self.round, False, 0)

    def resume(self, seat: i64, laying: bool, passes: i64) -> None:
        """Continue from the pieces on the board, with this seat to act."""
        self.player = seat
        self.laying = laying
        self.passes = passes
        self._find_placements(NEUTRAL if laying else seat)
        self.listed = True

    def end_round(self) -> None:
        """Count the round, and begin the next one or end the game."""
        if self.round + 1 == self.rounds:
            self.player = TERMINAL
            return
        first, second = self.score_now()
        self.first_points += first
        self.second_points += second
        self.round += 1
        self._start_round()

    # Turns.

    def current_player(self) -> i64:
        return self.player

    def _next_turn(self) -> None:
        """The other player's turn, even if only to pass; the round is over when neither can place."""
        mover = self.player
        self.player = 1 - mover
        if self._find_placements(self.player):
            return
        if self._find_placements(mover):
            self._find_placements(self.player)  # none: all it can do is pass
        else:
            self.end_round()

    def _next_to_lay(self) -> None:
        """Laying ends after six pieces or two passes in a row; then the first player opens, no matter who laid last."""
        if self.laid == NEUTRAL_PIECES or self.passes == 2:
            self.resume(self.round, False, 0)
        else:
            self.resume(1 - self.player, True, self.passes)

    # Actions of a player.

    def legal_into(self, actions: vec[i64]) -> i64:
        sets = self.sets
        squares = SQUARE_AT
        count: i64 = 0
        kind: i64 = 0
        while kind < KINDS:
            north = sets[OPEN + 2 * kind]
            south = sets[OPEN + 2 * kind + 1]
            first = SQUARES * kind
            while north != 0:
                low = north & -north
                actions[count] = first + i64(squares[place_of(low)])
                count += 1
                north ^= low
            first += HALF
            while south != 0:
                low = south & -south
                actions[count] = first + i64(squares[place_of(low)])
                count += 1
                south ^= low
            kind += 1
        if self.laying or count == 0:
            actions[count] = PASS
            count += 1
        return count

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        if player is not None or self.player < 0:
            return State.legal_actions(self, player)
        total = self._count_open()
        found: list[Any] = [PASS] * (total + 1 if self.laying or total == 0 else total)
        at: i64 = 0
        half: i64 = OPEN
        while half < LEVELS:
            at = write_numbers(found, at, _PLACEMENTS, BITS_OF_HALF * (half - OPEN), self.sets[half])
            half += 1
        return found

    def _count_open(self) -> i64:
        """Return the number of placements that are open."""
        sets = self.sets
        total: i64 = 0
        half: i64 = OPEN
        while half < LEVELS:
            total += popcount(sets[half])
            half += 1
        return total

    def allows(self, action: i64) -> bool:
        if self.player < 0 or action < 0 or action > PASS:
            return False
        if action == PASS:
            return self.laying or self._must_pass()
        half = OPEN + 2 * (action // SQUARES)
        square = action % SQUARES
        return self.sets[half] & NORTH[square] != 0 or self.sets[half + 1] & SOUTH[square] != 0

    def _must_pass(self) -> bool:
        half: i64 = OPEN
        while half < LEVELS:
            if self.sets[half] != 0:
                return False
            half += 1
        return True

    def finish(self, rng: Random) -> i64:
        """As every game does, but without looking up methods."""
        steps: i64 = 0
        while self.player != TERMINAL:
            self.apply(self.sample(rng))
            steps += 1
        return steps

    def sample(self, rng: Random) -> i64:
        if self.player < 0:
            raise game_over()
        sets = self.sets
        total = self._count_open()
        choices = total + 1 if self.laying or total == 0 else total
        k = rng.randrange(choices)
        if k == total:
            return PASS
        half: i64 = OPEN
        count = popcount(sets[half])
        while k >= count:
            k -= count
            half += 1
            count = popcount(sets[half])
        return self.kth_placement(half, k)

    def kth_placement(self, half: i64, k: i64) -> i64:
        """The k-th placement of one half of the board, by the set of those that are open."""
        return HALF * (half - OPEN) + i64(SQUARE_AT[kth_place(self.sets[half], k)])

    # Rollouts: drawing a placement without finding all of them.

    def draw(self, rng: Random) -> i64:
        """Draw what the seat to act does once all neutral pieces are laid, as `sample` does, after moves by `go_on`:
        `PASS` if only the other can place, `NO_MOVE` if neither can. Placements on the board are drawn until one is
        allowed, so that all that are allowed are equally likely; if that takes long, they are found after all."""
        if not self.listed:
            held = self._lengths_held(self.player) >> 1
            first = FIRST_PLACEMENT[held]
            count = FIRST_PLACEMENT[held + 1] - first
            tries: i64 = DRAWS if count > 0 else 0
            while tries > 0:
                placement = i64(PLACEMENTS[first + rng.randrange(count)])
                if self.fits(self.player, placement):
                    return placement
                tries -= 1
            if not self._find_placements(self.player):
                return PASS if self._find_placements(1 - self.player) else NO_MOVE
            self.listed = True
        return self.sample(rng)

    def go_on(self, action: i64) -> None:
        """Carry out what was drawn. What the other seat may place stays unknown."""
        if action != PASS:
            self.lay(self.player, action)
        self.listed = False
        self.player = 1 - self.player

    def fits(self, seat: i64, placement: i64) -> bool:
        """Whether the seat may lay a piece there if it has one: what `_find_placements` finds for all at once."""
        first = i64(self.tops[i64(FIRST_SQUARE[placement])])
        last = i64(self.tops[i64(LAST_SQUARE[placement])])
        if first == NO_PIECE or last == NO_PIECE:
            bare_north, bare_south = self.sets[BARE], self.sets[BARE + 1]
            return first == last and (NORTH[placement] & ~bare_north) | (SOUTH[placement] & ~bare_south) == 0
        height = height_of(i64(self.pieces[first]))
        if first == last or height != height_of(i64(self.pieces[last])):
            return False
        return self._can_cross(seat, placement, LEVELS + 2 * height)

    def _can_cross(self, seat: i64, placement: i64, level: i64) -> bool:
        """Whether a bridge whose ends rest on two pieces of one height, with its sets from `level` on, may lie so."""
        sets = self.sets
        north = NORTH[placement]
        south = SOUTH[placement]
        end = LEVELS + 2 * self.levels_in_use
        higher = level + 2
        while higher < end:
            if (north & sets[higher]) | (south & sets[higher + 1]) != 0:
                return False
            higher += 2
        north &= sets[level]
        south &= sets[level + 1]
        last = i64(LAST_SQUARE[placement])
        joined: i64 = JOINED_ACROSS if step_of(placement // SQUARES) == ACROSS else JOINED_DOWN
        if (north & sets[joined] & ~NORTH[last]) | (south & sets[joined + 1] & ~SOUTH[last]) != 0:
            return False
        other = TOPS + 2 - 2 * seat
        own = TOPS + 2 * seat
        if (north & sets[other]) | (south & sets[other + 1]) == 0:
            return True
        return (north & sets[own]) | (south & sets[own + 1]) != 0

    def held(self, owner: i64, length: i64) -> i64:
        """Return the number of pieces of that length that the owner has left."""
        return (self.supply >> supply_place(owner, length)) & 15

    def can_place(self, owner: i64) -> bool:
        """Whether the owner could place any piece now, on turn or not."""
        return self.clone()._find_placements(owner)

    def _find_placements(self, owner: i64) -> bool:
        """Find all placements of the owner's pieces; whether there are any. Neutral pieces lie flat."""
        sets = self.sets
        held = self._lengths_held(owner)
        self._find_flat(held)
        if owner != NEUTRAL:
            low_north = sets[BARE]
            low_south = sets[BARE + 1]
            height: i64 = 0
            while height < self.levels_in_use:
                low_north |= sets[LEVELS + 2 * height]
                low_south |= sets[LEVELS + 2 * height + 1]
                if self._has_two_supports(height):
                    self._find_bridges(owner, held, height, BIT_ACROSS, low_north, low_south)
                    self._find_bridges(owner, held, height, BIT_DOWN, low_north, low_south)
                height += 1
        any_placement: i64 = 0
        half: i64 = OPEN
        while half < LEVELS:
            any_placement |= sets[half]
            half += 1
        return any_placement != 0

    def _has_two_supports(self, height: i64) -> bool:
        """Whether more than one piece is seen at a height: a bridge rests on two. A piece goes on in the squares joined
        to the next one, so that each has one square that is not."""
        sets = self.sets
        north = sets[LEVELS + 2 * height] & ~(sets[JOINED_ACROSS] | sets[JOINED_DOWN])
        south = sets[LEVELS + 2 * height + 1] & ~(sets[JOINED_ACROSS + 1] | sets[JOINED_DOWN + 1])
        return north & (north - 1) != 0 or south & (south - 1) != 0 or (north != 0 and south != 0)

    def _lengths_held(self, owner: i64) -> i64:
        """The lengths of which the owner has pieces left, as bits."""
        supply = self.supply >> supply_place(owner, 1)
        held: i64 = 0
        length: i64 = 1
        while length <= LONGEST:
            if supply & 15 != 0:
                held |= BIT[length]
            supply >>= 4
            length += 1
        return held

    def _find_flat(self, held: i64) -> None:
        """Flat: all its squares are bare."""
        sets = self.sets
        bare_north = sets[BARE]
        bare_south = sets[BARE + 1]
        kept = -((held >> 1) & 1)
        sets[OPEN] = bare_north & kept
        sets[OPEN + 1] = bare_south & kept
        # The runs of bare squares to the right and down from each square; what lies ahead moves on square by square.
        right_north = bare_north
        right_south = bare_south
        run_right_north = bare_north
        run_right_south = bare_south
        below_north = bare_north
        below_south = bare_south
        run_below_north = bare_north
        run_below_south = bare_south
        length: i64 = 2
        while length <= LONGEST:
            right_north >>= 1
            right_south >>= 1
            run_right_north &= right_north
            run_right_south &= right_south
            below_north = (below_north >> 12) | ((below_south & 0xFFF) << 48)
            below_south >>= 12
            run_below_north &= below_north
            run_below_south &= below_south
            kept = -((held >> length) & 1)
            half = OPEN + 4 * length - 6
            sets[half] = run_right_north & kept
            sets[half + 1] = run_right_south & kept
            sets[half + 2] = run_below_north & kept
            sets[half + 3] = run_below_south & kept
            length += 1

    def _find_bridges(self, seat: i64, held: i64, height: i64, step: i64, low_north: i64, low_south: i64) -> None:
        """Bridges whose ends rest on pieces of one height, nothing between them higher, each support on one square
        only, and at least one support of the seat or none of the other's."""
        sets = self.sets
        half = LEVELS + 2 * height
        level_north = sets[half]
        level_south = sets[half + 1]
        half = JOINED_ACROSS if step == BIT_ACROSS else JOINED_DOWN
        joined_north = sets[half] & level_north
        joined_south = sets[half + 1] & level_south
        own_north = sets[TOPS + 2 * seat] & level_north
        own_south = sets[TOPS + 2 * seat + 1] & level_south
        other_north = sets[TOPS + 2 - 2 * seat] & level_north
        other_south = sets[TOPS + 3 - 2 * seat] & level_south
        carried = BIT[step] - 1
        up = BITS_OF_HALF - step
        # For each first square: what holds for the squares from there as far as the bridge has got ...
        spanned_north: i64 = ALL
        spanned_south: i64 = ALL
        twice_north: i64 = 0
        twice_south: i64 = 0
        any_own_north = own_north
        any_own_south = own_south
        any_other_north = other_north
        any_other_south = other_south
        # ... and for its end, one square further on each time.
        end_north = level_north
        end_south = level_south
        length: i64 = 2
        half = OPEN + 2 if step == BIT_ACROSS else OPEN + 4
        while held >> length != 0:
            twice_north |= joined_north
            twice_south |= joined_south
            joined_north = (joined_north >> step) | ((joined_south & carried) << up)
            joined_south >>= step
            end_north = (end_north >> step) | ((end_south & carried) << up)
            end_south >>= step
            own_north = (own_north >> step) | ((own_south & carried) << up)
            own_south >>= step
            other_north = (other_north >> step) | ((other_south & carried) << up)
            other_south >>= step
            any_own_north |= own_north
            any_own_south |= own_south
            any_other_north |= other_north
            any_other_south |= other_south
            if (held >> length) & 1 != 0:
                allowed_north = ~twice_north & (any_own_north | ~any_other_north)
                allowed_south = ~twice_south & (any_own_south | ~any_other_south)
                sets[half] |= level_north & spanned_north & end_north & allowed_north
                sets[half + 1] |= level_south & spanned_south & end_south & allowed_south
            low_north = (low_north >> step) | ((low_south & carried) << up)
            low_south >>= step
            spanned_north &= low_north
            spanned_south &= low_south
            length += 1
            half += 4

    # Consequences of an action.

    def apply(self, action: i64) -> None:
        if self.laying:
            self.passes += 1
            if action != PASS:
                self.lay(NEUTRAL, action)
                self.passes = 0
            self._next_to_lay()
        else:
            if action != PASS:
                self.lay(self.player, action)
            self._next_turn()

    def lay(self, owner: i64, placement: i64) -> None:
        """Put a piece on the board, as high as what it rests on makes it."""
        kind = placement // SQUARES
        square = placement - SQUARES * kind
        length = length_of(kind)
        step = step_of(kind)
        height = self.height(square) + 1
        self.supply -= BIT[supply_place(owner, length)]
        self.pieces[self.laid] = i32(16384 * owner + 1024 * height + placement)
        self._cover(NORTH[placement], SOUTH[placement], owner, height, step)
        while length > 0:
            self.tops[square] = u8(self.laid)
            square += step
            length -= 1
        self.laid += 1

    def _cover(self, north: i64, south: i64, owner: i64, height: i64, step: i64) -> None:
        """Make a new piece the top of its squares."""
        sets = self.sets
        half: i64 = TOPS
        while half < JOINED_ACROSS:
            sets[half] &= ~north
            sets[half + 1] &= ~south
            half += 2
        half = LEVELS
        while half < LEVELS + 2 * height:
            sets[half] &= ~north
            sets[half + 1] &= ~south
            half += 2
        sets[TOPS + 2 * owner] |= north
        sets[TOPS + 2 * owner + 1] |= south
        sets[LEVELS + 2 * height] |= north
        sets[LEVELS + 2 * height + 1] |= south
        if height == self.levels_in_use:
            self.levels_in_use += 1
        # The squares of the piece that have its next square to the right, or below; and those that lose a neighbour.
        left_north = north >> 1
        left_south = south >> 1
        above_north = (north >> 12) | ((south & 0xFFF) << 48)
        above_south = south >> 12
        sets[JOINED_ACROSS] &= ~(north | left_north)
        sets[JOINED_ACROSS + 1] &= ~(south | left_south)
        sets[JOINED_DOWN] &= ~(north | above_north)
        sets[JOINED_DOWN + 1] &= ~(south | above_south)
        if step == ACROSS:
            sets[JOINED_ACROSS] |= north & left_north
            sets[JOINED_ACROSS + 1] |= south & left_south
        else:
            sets[JOINED_DOWN] |= north & above_north
            sets[JOINED_DOWN + 1] |= south & above_south

    def height(self, square: i64) -> i64:
        """The height of the top piece over a square; -1 where it is bare."""
        top = i64(self.tops[square])
        if top == NO_PIECE:
            return -1
        return height_of(i64(self.pieces[top]))

    def laid_pieces(self) -> list[int]:
        """The pieces in the order laid; for readers, not for hot loops."""
        return [int(self.pieces[number]) for number in range(self.laid)]

    # Scoring a round.

    def score_now(self) -> tuple[i64, i64]:
        """Return what each seat would score in this round if it ended now: a point for each square of its areas."""
        first_north, first_south, second_north, second_south = self.areas()
        return popcount(first_north) + popcount(first_south), popcount(second_north) + popcount(second_south)

    def areas(self) -> tuple[i64, i64, i64, i64]:
        """The bare squares that score for the first seat and for the second one."""
        first_north, first_south = self.enclosed(0)
        second_north, second_south = self.enclosed(1)
        both_north = first_north & second_north
        both_south = first_south & second_south
        while both_north | both_south != 0:
            north, south = lowest(both_north, both_south)
            one_north, one_south = self.region(0, north, south)
            two_north, two_south = self.region(1, north, south)
            north = both_north & one_north & two_north
            south = both_south & one_south & two_south
            one = extent(one_north, one_south)
            two = extent(two_north, two_south)
            # The inner area takes what both enclose; of equal ones neither does.
            if one >= two:
                first_north &= ~north
                first_south &= ~south
            if two >= one:
                second_north &= ~north
                second_south &= ~south
            both_north ^= north
            both_south ^= south
        return first_north, first_south, second_north, second_south

    def enclosed(self, seat: i64) -> tuple[i64, i64]:
        """The bare squares in regions that the seat encloses."""
        left_north = self.sets[BARE]
        left_south = self.sets[BARE + 1]
        found_north: i64 = 0
        found_south: i64 = 0
        while left_north | left_south != 0:
            north, south = lowest(left_north, left_south)
            north, south = self.region(seat, north, south)
            if is_enclosed(north, south):
                found_north |= left_north & north
                found_south |= left_south & south
            left_north &= ~north
            left_south &= ~south
        return found_north, found_south

    def region(self, seat: i64, north: i64, south: i64) -> tuple[i64, i64]:
        """The region of a square between the seat's walls, the squares whose top piece it owns."""
        sets = self.sets
        return flood(north, south, ALL & ~sets[TOPS + 2 * seat], ALL & ~sets[TOPS + 2 * seat + 1], self.diagonal)

    def scores_into(self, scores: vec[i64]) -> None:
        first, second = self.score_now()
        scores[0] = self.first_points + first
        scores[1] = self.second_points + second

    # Positions that a viewer cannot tell apart: nothing is hidden.

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> PasserellesState:
        check_viewer(viewer, 2)
        return self.clone()

    # The board's symmetries.

    def reflected(self, symmetry: i64) -> PasserellesState:
        """The same position on the reflected board, the landscape of a round to come included."""
        copy = self.clone()
        copy.landscape = self.landscape[:]
        i: i64 = 0
        while i < len(copy.landscape):
            copy.landscape[i] = reflected(copy.landscape[i], symmetry)
            i += 1
        copy.clear_board()
        i = 0
        while i < self.laid:
            piece = i64(self.pieces[i])
            copy.lay(owner_of(piece), reflected(placement_of(piece), symmetry))
            i += 1
        if self.player != TERMINAL:
            copy.resume(self.player, self.laying, self.passes)
        return copy


# Regions.


def lowest(north: i64, south: i64) -> tuple[i64, i64]:
    """The first square of a set that is not empty."""
    if north != 0:
        return north & -north, 0
    return 0, south & -south


def flood(north: i64, south: i64, free_north: i64, free_south: i64, diagonal: bool) -> tuple[i64, i64]:
    """All that can be reached from some free squares over free squares, orthogonally or diagonally as well."""
    while True:
        before_north = north
        before_south = south
        north = along_rows(north, free_north)
        south = along_rows(south, free_south)
        if diagonal:
            north, south = across_corners(north, south, free_north, free_south)
        north, south = along_columns(north, south, free_north, free_south)
        if north == before_north and south == before_south:
            return north, south


def along_rows(half: i64, free: i64) -> i64:
    """Fill the runs of free squares in rows that have a square of the set."""
    # To the right the carry of an addition runs through them; to the left in steps of 1, 2, 4 and 8.
    half = free & ((free ^ (free + half)) | half)
    half |= free & (half >> 1)
    free &= free >> 1
    half |= free & (half >> 2)
    free &= free >> 2
    half |= free & (half >> 4)
    free &= free >> 4
    return half | (free & (half >> 8))


def along_columns(north: i64, south: i64, free_north: i64, free_south: i64) -> tuple[i64, i64]:
    """Fill the runs of free squares in columns likewise, as far as seven squares up and down."""
    # Downwards in steps of 1, 2 and 4 rows.
    south |= free_south & (((south & 0xFFFFFFFFFFFF) << 12) | (north >> 48))
    north |= free_north & ((north & 0xFFFFFFFFFFFF) << 12)
    run_south = free_south & (((free_south & 0xFFFFFFFFFFFF) << 12) | (free_north >> 48))
    run_north = free_north & ((free_north & 0xFFFFFFFFFFFF) << 12)
    south |= run_south & (((south & 0xFFFFFFFFF) << 24) | (north >> 36))
    north |= run_north & ((north & 0xFFFFFFFFF) << 24)
    run_south &= ((run_south & 0xFFFFFFFFF) << 24) | (run_north >> 36)
    run_north &= (run_north & 0xFFFFFFFFF) << 24
    south |= run_south & (((south & 0xFFF) << 48) | (north >> 12))
    north |= run_north & ((north & 0xFFF) << 48)
    # Upwards.
    north |= free_north & ((north >> 12) | ((south & 0xFFF) << 48))
    south |= free_south & (south >> 12)
    run_north = free_north & ((free_north >> 12) | ((free_south & 0xFFF) << 48))
    run_south = free_south & (free_south >> 12)
    north |= run_north & ((north >> 24) | ((south & 0xFFFFFF) << 36))
    south |= run_south & (south >> 24)
    run_north &= (run_north >> 24) | ((run_south & 0xFFFFFF) << 36)
    run_south &= run_south >> 24
    north |= run_north & ((north >> 48) | ((south & 0xFFFFFFFFFFFF) << 12))
    south |= run_south & (south >> 48)
    return north, south


def across_corners(north: i64, south: i64, free_north: i64, free_south: i64) -> tuple[i64, i64]:
    """Add the free squares that touch the set at a corner."""
    beside_north = (north << 1) | (north >> 1)
    beside_south = (south << 1) | (south >> 1)
    above = ((beside_north & 0xFFFFFFFFFFFF) << 12) | (beside_north >> 12) | ((beside_south & 0xFFF) << 48)
    below = ((beside_south & 0xFFFFFFFFFFFF) << 12) | (beside_south >> 12) | (beside_north >> 48)
    return north | (free_north & above), south | (free_south & below)


def is_enclosed(north: i64, south: i64) -> bool:
    """Whether a region touches none, one, or two adjacent sides of the board: no two opposite ones."""
    if north & FIRST_ROW != 0 and south & LAST_ROW != 0:
        return False
    return (north | south) & FIRST_COLUMN == 0 or (north | south) & LAST_COLUMN == 0


def extent(north: i64, south: i64) -> i64:
    """Return the number of squares of an area with its islands filled in: all but those that can reach, by orthogonal
    steps around the area, a side of the board that it does not touch."""
    outside_north: i64 = 0
    outside_south: i64 = 0
    if north & FIRST_ROW == 0:
        outside_north |= FIRST_ROW
    if south & LAST_ROW == 0:
        outside_south |= LAST_ROW
    if (north | south) & FIRST_COLUMN == 0:
        outside_north |= FIRST_COLUMN
        outside_south |= FIRST_COLUMN
    if (north | south) & LAST_COLUMN == 0:
        outside_north |= LAST_COLUMN
        outside_south |= LAST_COLUMN
    outside_north, outside_south = flood(outside_north, outside_south, ALL & ~north, ALL & ~south, False)
    return SQUARES - popcount(outside_north) - popcount(outside_south)


def new_state(game: Game, rounds: int, landscape: list[int], free: bool, diagonal: bool) -> PasserellesState:
    """The position before the first move."""
    state = PasserellesState()
    state.game = game
    state.rounds = rounds
    state.landscape = vec[i64]([i64(placement) for placement in landscape])
    state.free = free
    state.diagonal = diagonal
    state.round = 0
    state.first_points = 0
    state.second_points = 0
    state._start_round()
    return state
