"""The rules of Pays noir. Compiled.

Nothing on the table is ever searched. Each part of a laid card is a node of a disjoint set: quarters make towns, tracks
make lines, patches make countries, nets make networks. A set's record adds up its open ends, its members by family and
what it holds, so that laying a card is a few additions and what it finished is read off. The nodes of a set also form
a ring, for the few things that must be told one by one once a set is finished.
"""

from __future__ import annotations

from typing import Final, NamedTuple, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from ludotheque.core.bits import BIT, kth_bit, place_of, popcount
from ludotheque.core.game import CHANCE, TERMINAL, AnyGame, State
from ludotheque.games.pays_noir.board import Deck

# Small literals, since constants from another module are slow in compiled code; a test compares them with `board`.

QUARTER: Final = 0
TRACK: Final = 1
MINE: Final = 2
FACTORY: Final = 3
PORT: Final = 4
PATCH: Final = 5
NET: Final = 6

FACE: Final = 8
SHOWN: Final = 0
FEATURE: Final = 1
RAIL_NET: Final = 2
FIRST_PATCH: Final = 3
SECOND_PATCH: Final = 4
RAIL_EDGE: Final = 2

HOLDS_TOWN: Final = 1
HOLDS_MINE: Final = 2
HOLDS_FACTORY: Final = 4
GAPS: Final = 256

# Fields of a set's record; `board` draws its layout.

MEMBERS: Final = 0xFFFFF
LINKS: Final = 1023
CLAIM: Final = 1024
OPEN_ENDS: Final = 0xFFF00000
JOINT: Final = 0x200000
"""Two open ends."""
FAMILY: Final = vec[i64]([1, 16, 256, 4096, 65536])
"""By seat: one member of its family."""

# The decisions of a turn, in their order.

DEAL: Final = 0
"""Set-up: a card to the next hand."""
DRAW: Final = 1
CARD: Final = 2
"""Which card of the hand to place, or to discard if none fits."""
PLACE: Final = 3
TURN: Final = 4
"""Which way round it lies, if it fits in several."""
MEMBER: Final = 5
"""Where on the card to place a member, if anywhere."""
OVER: Final = 6

NOTHING: Final = -1
"""No card chosen, no place chosen."""

# A laid card: four numbers at `4 * card`.

LIES_AT: Final = 0
TURNED: Final = 1
BASE: Final = 2
"""Its first node."""
BEARS: Final = 3
"""`8 * spot + seat + 1` of its member, or 0. One card never bears two: a member is placed only as the card is laid."""

# A node: four numbers at `4 * node`.

PARENT: Final = 0
RING: Final = 1
"""The next node of the same set."""
PART: Final = 2
ON_CARD: Final = 3

# A seat: `seat_size` numbers.

SUPPLY: Final = 0
HELD: Final = 1
SLOTS: Final = 2
"""The hand, ascending: `2 * type`, one more for a card that all have seen."""

# What points are given for.

FOR_LINE: Final = 0
FOR_PORT: Final = 1
FOR_MINE: Final = 2
FOR_FACTORY: Final = 3
FOR_QUARTER: Final = 4
FOR_URBANISM: Final = 5
FOR_COUNTRY: Final = 6

MINE_POINTS: Final = 4
FACTORY_POINTS: Final = 3


class Award(NamedTuple):
    """Points given to each family with most members on something."""

    reason: int
    node: int
    points: int
    families: int
    """The seats that took them, as bits."""


@final
class Journal:
    """Writes down what every point is given for, while somebody wants to know."""

    def __init__(self) -> None:
        self.awards: list[Award] = []


@final
class PaysNoirState(State):
    """A position of Pays noir."""

    deck: Deck
    players: i64
    last_space: i64
    """The number of the last space of the score track."""
    values: vec[u8]
    """By part: what a quarter gives when it is laid."""
    seat_size: i64

    player: i64
    """Who is to act: a seat, `CHANCE` or `TERMINAL`."""
    seat: i64
    """Whose turn it is, also while chance draws for them."""
    phase: i64
    dealt: i64
    """Cards dealt during the set-up."""
    chosen: i64
    """The type of the card being placed."""
    place: i64
    """The place chosen for it."""

    pile: vec[u8]
    """By type: the cards never drawn."""
    left: i64
    """How many cards the pile has."""
    points: vec[i64]
    seats: vec[i16]

    card_at: vec[u8]
    """By place: the card that lies there, from 1 in the order of laying; 0 for none."""
    cards: vec[i16]
    laid: i64
    gaps: vec[i32]
    """The empty places next to cards, ascending: `256 * place + gap`."""
    gap_count: i64

    nodes: vec[i16]
    records: vec[i64]
    """By node; true at the root of a set."""
    used: i64
    """How many nodes there are."""

    journal: Journal | None

    def clone(self) -> PaysNoirState:
        copy = PaysNoirState()
        copy.game = self.game
        copy.deck = self.deck
        copy.players = self.players
        copy.last_space = self.last_space
        copy.values = self.values
        copy.seat_size = self.seat_size
        copy.player = self.player
        copy.seat = self.seat
        copy.phase = self.phase
        copy.dealt = self.dealt
        copy.chosen = self.chosen
        copy.place = self.place
        copy.pile = self.pile[:]
        copy.left = self.left
        copy.points = self.points[:]
        copy.seats = self.seats[:]
        copy.card_at = self.card_at[:]
        copy.cards = self.cards[:]
        copy.laid = self.laid
        copy.gaps = self.gaps[:]
        copy.gap_count = self.gap_count
        copy.nodes = self.nodes[:]
        copy.records = self.records[:]
        copy.used = self.used
        copy.journal = None
        return copy

    # Whose turn it is.

    def current_player(self) -> i64:
        return self.player

    def _begin_turn(self) -> None:
        """Draw a card while the pile lasts; then the card is chosen. A seat without cards is passed over."""
        tries: i64 = 0
        while self.left == 0 and tries < self.players and self.held(self.seat) == 0:
            self.seat = self._after(self.seat)
            tries += 1
        if self.left > 0:
            self.phase = DRAW
            self.player = CHANCE
        elif tries < self.players:
            self._await(CARD)
        else:
            self._final_count_into(self.points)
            self._end_game()

    def _after(self, seat: i64) -> i64:
        return seat + 1 if seat + 1 < self.players else 0

    def _await(self, phase: i64) -> None:
        self.phase = phase
        self.player = self.seat

    def _end_turn(self) -> None:
        """The game ends at once when a marker is on the last space of the score track or beyond."""
        if self._track_is_full():
            self._end_game()
        else:
            self.seat = self._after(self.seat)
            self._begin_turn()

    def _track_is_full(self) -> bool:
        seat: i64 = 0
        while seat < self.players:
            if self.points[seat] >= self.last_space:
                return True
            seat += 1
        return False

    def _end_game(self) -> None:
        self.phase = OVER
        self.player = TERMINAL

    # What a player may do.

    def legal_into(self, actions: vec[i64]) -> i64:
        if self.phase == CARD:
            return self._cards_into(actions)
        if self.phase == PLACE:
            return self._places_into(actions)
        if self.phase == TURN:
            return self._turns_into(actions)
        return self._spots_into(actions)

    def _cards_into(self, actions: vec[i64]) -> i64:
        """The cards of the hand that fit somewhere; if none does, one of them is discarded."""
        count: i64 = 0
        slot = self.seat * self.seat_size + SLOTS
        end = slot + self.held(self.seat)
        before: i64 = NOTHING
        while slot < end:
            card = i64(self.seats[slot]) >> 1
            if card != before and self.fits_somewhere(card):
                actions[count] = card
                count += 1
            before = card
            slot += 1
        return count if count > 0 else self._discards_into(actions)

    def _discards_into(self, actions: vec[i64]) -> i64:
        count: i64 = 0
        slot = self.seat * self.seat_size + SLOTS
        end = slot + self.held(self.seat)
        before: i64 = NOTHING
        while slot < end:
            card = i64(self.seats[slot]) >> 1
            if card != before:
                actions[count] = self.deck.first_discard + card
                count += 1
            before = card
            slot += 1
        return count

    def _places_into(self, actions: vec[i64]) -> i64:
        fits = self.deck.fits
        gaps = self.gaps
        first_place = self.deck.first_place
        first_fit = GAPS * self.chosen
        count: i64 = 0
        i: i64 = 0
        while i < self.gap_count:
            gap = i64(gaps[i])
            if fits[first_fit + (gap & 255)] != 0:
                actions[count] = first_place + (gap >> 8)
                count += 1
            i += 1
        return count

    def _turns_into(self, actions: vec[i64]) -> i64:
        turns = self.turns_at(self.chosen, self.place)
        count: i64 = 0
        while turns != 0:
            low = turns & -turns
            actions[count] = self.deck.first_turn + place_of(low)
            count += 1
            turns ^= low
        return count

    def _spots_into(self, actions: vec[i64]) -> i64:
        """No member, or one on any spot of the card that is free for this family."""
        none = self.deck.first_member
        actions[0] = none
        count: i64 = 1
        spot: i64 = 0
        spots = i64(self.deck.spots[self.card_type(self.laid - 1)])
        while spot < spots:
            if self.may_stand(spot):
                actions[count] = none + 1 + spot
                count += 1
            spot += 1
        return count

    def fits_somewhere(self, card: i64) -> bool:
        """Whether a card can be placed anywhere, in any turn."""
        fits = self.deck.fits
        gaps = self.gaps
        first_fit = GAPS * card
        i: i64 = 0
        while i < self.gap_count:
            if fits[first_fit + (i64(gaps[i]) & 255)] != 0:
                return True
            i += 1
        return False

    def turns_at(self, card: i64, place: i64) -> i64:
        """The turns in which a card fits an empty place next to a card, as bits: every touching edge matches."""
        i = self._gap_index(place)
        if i == self.gap_count or i64(self.gaps[i]) >> 8 != place:
            return 0
        return i64(self.deck.fits[GAPS * card + (i64(self.gaps[i]) & 255)])

    def may_stand(self, spot: i64) -> bool:
        """Whether the seat may place a member there on the card just laid: nobody is on the whole line or site, nobody
        of another family in the whole town or country."""
        card = self.laid - 1
        node = i64(self.cards[4 * card + BASE]) + spot
        members = self.records[self.root(node)] & MEMBERS
        kind = self.kind(node)
        if kind == QUARTER or kind == PATCH:
            return members & ~(15 * FAMILY[self.seat]) == 0
        return members == 0

    def _may_place_member(self) -> bool:
        """Whether there is a member in the supply and a spot for it."""
        if self.supply(self.seat) == 0:
            return False
        spot: i64 = 0
        spots = i64(self.deck.spots[self.card_type(self.laid - 1)])
        while spot < spots:
            if self.may_stand(spot):
                return True
            spot += 1
        return False

    def sample(self, rng: Random) -> i64:
        if self.player == CHANCE:
            return self._sample_draw(rng)
        if self.phase == PLACE:
            return self._sample_place(rng)
        if self.phase == TURN:
            turns = self.turns_at(self.chosen, self.place)
            return self.deck.first_turn + place_of(kth_bit(turns, rng.randrange(popcount(turns))))
        if self.phase == CARD:
            return self._sample_card(rng)
        return self._sample_spot(rng)

    def _sample_draw(self, rng: Random) -> i64:
        pile = self.pile
        card: i64 = 0
        before = rng.randrange(self.left) - i64(pile[0])
        while before >= 0:
            card += 1
            before -= i64(pile[card])
        return card

    def _sample_card(self, rng: Random) -> i64:
        first = self.seat * self.seat_size + SLOTS
        end = first + self.held(self.seat)
        slot = first
        fitting: i64 = 0
        before: i64 = NOTHING
        while slot < end:
            card = i64(self.seats[slot]) >> 1
            if card != before and self.fits_somewhere(card):
                fitting |= BIT[slot - first]
            before = card
            slot += 1
        if fitting == 0:
            discards = vec[i64]([0] * (self.deck.hand + 1))
            return discards[rng.randrange(self._discards_into(discards))]
        which = place_of(kth_bit(fitting, rng.randrange(popcount(fitting))))
        return i64(self.seats[first + which]) >> 1

    def _sample_place(self, rng: Random) -> i64:
        fits = self.deck.fits
        gaps = self.gaps
        first_fit = GAPS * self.chosen
        count: i64 = 0
        i: i64 = 0
        while i < self.gap_count:
            if fits[first_fit + (i64(gaps[i]) & 255)] != 0:
                count += 1
            i += 1
        before = rng.randrange(count)
        i = -1
        while before >= 0:
            i += 1
            if fits[first_fit + (i64(gaps[i]) & 255)] != 0:
                before -= 1
        return self.deck.first_place + (i64(gaps[i]) >> 8)

    def _sample_spot(self, rng: Random) -> i64:
        free: i64 = 1
        spot: i64 = 0
        spots = i64(self.deck.spots[self.card_type(self.laid - 1)])
        while spot < spots:
            if self.may_stand(spot):
                free |= BIT[spot + 1]
            spot += 1
        return self.deck.first_member + place_of(kth_bit(free, rng.randrange(popcount(free))))

    # What comes of it.

    def apply(self, action: i64) -> None:
        if self.player == CHANCE:
            self._draw(action)
        elif self.phase == PLACE:
            self._choose_place(action - self.deck.first_place)
        elif self.phase == TURN:
            self._lay_chosen(action - self.deck.first_turn)
        elif self.phase == MEMBER:
            self._place_member(action - self.deck.first_member - 1)
        elif action < self.deck.first_discard:
            self.chosen = action
            self._await(PLACE)
        else:
            self._discard(action - self.deck.first_discard)

    def _draw(self, card: i64) -> None:
        self._deal(self.seat, card)
        if self.phase == DRAW:
            self._await(CARD)
            return
        self.dealt += 1
        if self.dealt < self.players * self.deck.hand:
            self.seat = self.dealt // self.deck.hand
        else:
            self.seat = 0
            self._begin_turn()

    def _deal(self, seat: i64, card: i64) -> None:
        self.pile[card] -= 1
        self.left -= 1
        self.hold(seat, 2 * card)

    def _discard(self, card: i64) -> None:
        """Show the hand, in which no card fits, and discard one card of it."""
        self._give_up(card)
        slot = self.seat * self.seat_size + SLOTS
        end = slot + self.held(self.seat)
        while slot < end:
            self.seats[slot] = i16(i64(self.seats[slot]) | 1)
            slot += 1
        self._end_turn()

    def _choose_place(self, place: i64) -> None:
        """A card that fits in one turn only is laid at once."""
        self.place = place
        turns = self.turns_at(self.chosen, place)
        if turns & (turns - 1) == 0:
            self._lay_chosen(place_of(turns))
        else:
            self._await(TURN)

    def _lay_chosen(self, turn: i64) -> None:
        self._give_up(self.chosen)
        self.lay(4 * self.chosen + turn, self.place)
        self.chosen = NOTHING
        self.place = NOTHING
        if self._may_place_member():
            self._await(MEMBER)
        else:
            self._score()
            self._end_turn()

    def _place_member(self, spot: i64) -> None:
        if spot >= 0:
            self.seats[self.seat * self.seat_size + SUPPLY] -= 1
            self.stand(self.laid - 1, spot, self.seat)
        self._score()
        self._end_turn()

    # Hands.

    def held(self, seat: i64) -> i64:
        """How many cards a seat holds."""
        return i64(self.seats[seat * self.seat_size + HELD])

    def supply(self, seat: i64) -> i64:
        """How many members a seat can still place."""
        return i64(self.seats[seat * self.seat_size + SUPPLY])

    def hold(self, seat: i64, entry: i64) -> None:
        """Put a card (`2 * type`, one more if all have seen it) into a hand, in order."""
        block = seat * self.seat_size
        slot = block + SLOTS + i64(self.seats[block + HELD])
        while slot > block + SLOTS and i64(self.seats[slot - 1]) > entry:
            self.seats[slot] = self.seats[slot - 1]
            slot -= 1
        self.seats[slot] = i16(entry)
        self.seats[block + HELD] += 1

    def _give_up(self, card: i64) -> None:
        """Take a card out of the hand; of two alike first the one that all have seen, for nobody can tell."""
        block = self.seat * self.seat_size
        last = block + SLOTS + i64(self.seats[block + HELD]) - 1
        slot = last
        while i64(self.seats[slot]) >> 1 != card:
            slot -= 1
        while slot < last:
            self.seats[slot] = self.seats[slot + 1]
            slot += 1
        self.seats[block + HELD] -= 1

    # Laying a card.

    def lay(self, turned: i64, place: i64) -> None:
        """Put a turned card on the table and join its parts with those of its neighbours."""
        card = self.laid
        base = self.used
        self.cards[4 * card + LIES_AT] = i16(place)
        self.cards[4 * card + TURNED] = i16(turned)
        self.cards[4 * card + BASE] = i16(base)
        self.cards[4 * card + BEARS] = 0
        self.card_at[place] = u8(card + 1)
        self._add_nodes(card, turned >> 2)
        if card > 0:
            self._close_gap(place)
        deck = self.deck
        side: i64 = 0
        while side < 4:
            beyond = place + deck.steps[side]
            if beyond >= deck.places:
                beyond -= deck.places
            face = FACE * (4 * turned + side)
            neighbour = i64(self.card_at[beyond])
            if neighbour == 0:
                self._open_gap(beyond, (side + 2) & 3, i64(deck.faces[face + SHOWN]))
            else:
                self._join_faces(face, base, side, neighbour - 1)
            side += 1
        self.laid = card + 1

    def _add_nodes(self, card: i64, of_type: i64) -> None:
        """Each part of the card begins as a set of its own."""
        nodes = self.nodes
        deck = self.deck
        part = i64(deck.first_part[of_type])
        end = i64(deck.first_part[of_type + 1])
        node = self.used
        while part < end:
            nodes[4 * node + PARENT] = i16(node)
            nodes[4 * node + RING] = i16(node)
            nodes[4 * node + PART] = i16(part)
            nodes[4 * node + ON_CARD] = i16(card)
            self.records[node] = deck.records[part]
            node += 1
            part += 1
        self.used = node

    def _join_faces(self, face: i64, base: i64, side: i64, neighbour: i64) -> None:
        """Join what meets at the edge of two cards."""
        faces = self.deck.faces
        turned = i64(self.cards[4 * neighbour + TURNED])
        other_base = i64(self.cards[4 * neighbour + BASE])
        other = FACE * (4 * turned + ((side + 2) & 3))
        self._join(base + i64(faces[face + FEATURE]), other_base + i64(faces[other + FEATURE]))
        if i64(faces[face + SHOWN]) == RAIL_EDGE:
            self._join(base + i64(faces[face + RAIL_NET]), other_base + i64(faces[other + RAIL_NET]))
            self._join(base + i64(faces[face + FIRST_PATCH]), other_base + i64(faces[other + SECOND_PATCH]))
            self._join(base + i64(faces[face + SECOND_PATCH]), other_base + i64(faces[other + FIRST_PATCH]))

    def _join(self, node: i64, other: i64) -> None:
        """Two open ends meet: their sets become one, or close upon themselves."""
        first = self.root(node)
        second = self.root(other)
        if first == second:
            self.records[first] -= JOINT
            return
        if second < first:  # The root of a set is its oldest node, so that its name stays.
            first, second = second, first
        nodes = self.nodes
        self.records[first] += self.records[second] - JOINT
        nodes[4 * second + PARENT] = i16(first)
        following = nodes[4 * first + RING]
        nodes[4 * first + RING] = nodes[4 * second + RING]
        nodes[4 * second + RING] = following

    def root(self, node: i64) -> i64:
        """The node that stands for a node's whole set: its oldest."""
        nodes = self.nodes
        parent = i64(nodes[4 * node])
        while parent != node:
            above = nodes[4 * parent]
            nodes[4 * node] = above
            node = i64(above)
            parent = i64(nodes[4 * node])
        return node

    def _gap_index(self, place: i64) -> i64:
        """Where a place is, or would be, among the gaps."""
        gaps = self.gaps
        wanted = GAPS * place
        low: i64 = 0
        high = self.gap_count
        while low < high:
            middle = (low + high) >> 1
            if i64(gaps[middle]) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _close_gap(self, place: i64) -> None:
        gaps = self.gaps
        i = self._gap_index(place)
        self.gap_count -= 1
        while i < self.gap_count:
            gaps[i] = gaps[i + 1]
            i += 1

    def _open_gap(self, place: i64, side: i64, shown: i64) -> None:
        """An empty place sees an edge of the card just laid at one of its sides."""
        gaps = self.gaps
        seen = shown * BIT[2 * side]
        i = self._gap_index(place)
        if i < self.gap_count and i64(gaps[i]) >> 8 == place:
            gaps[i] += i32(seen)
            return
        last = self.gap_count
        while last > i:
            gaps[last] = gaps[last - 1]
            last -= 1
        gaps[i] = i32(GAPS * place + seen)
        self.gap_count += 1

    # Things on the table.

    def card_type(self, card: i64) -> i64:
        return i64(self.cards[4 * card + TURNED]) >> 2

    def kind(self, node: i64) -> i64:
        return i64(self.deck.kinds[i64(self.nodes[4 * node + PART])])

    def network(self, node: i64) -> i64:
        """The root of the rail network that a track or site belongs to."""
        base = i64(self.cards[4 * i64(self.nodes[4 * node + ON_CARD]) + BASE])
        return self.root(base + i64(self.deck.net_of[i64(self.nodes[4 * node + PART])]))

    def stand(self, card: i64, spot: i64, seat: i64) -> None:
        """Put a member on a spot of a card."""
        node = i64(self.cards[4 * card + BASE]) + spot
        self.cards[4 * card + BEARS] = i16(8 * spot + seat + 1)
        self.records[self.root(node)] += FAMILY[seat]
        if self._is_site(node):
            self.records[self.network(node)] += CLAIM

    def _is_site(self, node: i64) -> bool:
        kind = self.kind(node)
        return kind == MINE or kind == FACTORY or kind == PORT

    def is_complete(self, node: i64) -> bool:
        """Whether the line, town, mine, factory or port is finished."""
        kind = self.kind(node)
        if kind == TRACK or kind == QUARTER:
            return self.records[self.root(node)] & OPEN_ENDS == 0
        if kind == MINE:
            return self._is_linked(self.records[self.network(node)])
        if kind == FACTORY:
            return self._touches_town_and_mine(node)
        if kind == PORT:
            return self.records[self.network(node)] & OPEN_ENDS == 0
        return False

    def _is_linked(self, network: i64) -> bool:
        """A mine is finished when a town, a factory or a port is in its network."""
        return network & LINKS != 0 or network >> 42 != 0

    def _touches_town_and_mine(self, factory: i64) -> bool:
        """A factory is finished when town and mine are each on its card, on a card beside it, or in its network."""
        network = self.records[self.network(factory)]
        card = i64(self.nodes[4 * factory + ON_CARD])
        around = i64(self.deck.holds[self.card_type(card)]) | self._held_beside(card)
        town = network & LINKS != 0 or around & HOLDS_TOWN != 0
        mine = (network >> 32) & 1023 != 0 or around & HOLDS_MINE != 0
        return town and mine

    def _held_beside(self, card: i64) -> i64:
        """What the cards beside a card hold, all together."""
        held: i64 = 0
        side: i64 = 0
        while side < 4:
            neighbour = self.neighbour(card, side)
            if neighbour >= 0:
                held |= i64(self.deck.holds[self.card_type(neighbour)])
            side += 1
        return held

    def neighbour(self, card: i64, side: i64) -> i64:
        """The card on that side, or -1."""
        beyond = i64(self.cards[4 * card + LIES_AT]) + self.deck.steps[side]
        if beyond >= self.deck.places:
            beyond -= self.deck.places
        return i64(self.card_at[beyond]) - 1

    # Scoring.

    def _score(self) -> None:
        """Give the points for what the card just laid has finished or brought, and its members back."""
        card = self.laid - 1
        node = i64(self.cards[4 * card + BASE])
        while node < self.used:
            kind = self.kind(node)
            if kind == TRACK:
                self._score_line(node)
            elif kind == NET:
                self._score_sites_of_network(node)
            node += 1
        self._score_factories_beside(card)
        self._score_town_card(card)

    def _score_line(self, track: i64) -> None:
        """A finished line gives a point for each card it runs over."""
        line = self.root(track)
        record = self.records[line]
        if record & MEMBERS != 0 and record & OPEN_ENDS == 0:
            self._award(self.points, FOR_LINE, line, self.line_length(line), record & MEMBERS)
            self._give_back(line)

    def line_length(self, line: i64) -> i64:
        """The cards a line runs over, each once."""
        cards: i64 = 0
        track = line
        while True:
            if not self._runs_over_its_card_before(track, line):
                cards += 1
            track = i64(self.nodes[4 * track + RING])
            if track == line:
                return cards

    def _runs_over_its_card_before(self, track: i64, line: i64) -> bool:
        other = i64(self.cards[4 * i64(self.nodes[4 * track + ON_CARD]) + BASE])
        while other < track:
            if self.kind(other) == TRACK and self.root(other) == line:
                return True
            other += 1
        return False

    def _score_sites_of_network(self, net: i64) -> None:
        """The claimed mines, factories and ports of a network that the card just laid has changed."""
        first = self.root(net)
        if (self.records[first] >> 10) & 1023 == 0:
            return
        node = first
        while True:
            self._score_site_on(i64(self.nodes[4 * node + ON_CARD]))
            node = i64(self.nodes[4 * node + RING])
            if node == first:
                return

    def _score_factories_beside(self, card: i64) -> None:
        """A card with a town or a mine may be what a factory beside it was waiting for."""
        if i64(self.deck.holds[self.card_type(card)]) & (HOLDS_TOWN | HOLDS_MINE) == 0:
            return
        side: i64 = 0
        while side < 4:
            neighbour = self.neighbour(card, side)
            if neighbour >= 0:
                self._score_site_on(neighbour)
            side += 1

    def _score_site_on(self, card: i64) -> None:
        """The mine, factory or port of a card, if a member stands on it and it is finished."""
        bears = i64(self.cards[4 * card + BEARS])
        if bears == 0:
            return
        site = i64(self.cards[4 * card + BASE]) + (bears >> 3)
        if not self._is_site(site) or not self.is_complete(site):
            return
        members = self.records[site] & MEMBERS
        kind = self.kind(site)
        network = self.network(site)
        if kind == PORT:
            self._award(self.points, FOR_PORT, site, self.port_value(network), members)
        elif kind == MINE:
            self._award(self.points, FOR_MINE, site, MINE_POINTS, members)
        else:
            self._award(self.points, FOR_FACTORY, site, FACTORY_POINTS, members)
        self._give_back(site)
        self.records[network] -= CLAIM

    def port_value(self, network: i64) -> i64:
        """A point for the port and one for each other site in its network, each distinct town included."""
        record = self.records[network]
        sites = ((record >> 32) & 1023) + ((record >> 42) & 1023) + (record >> 52)
        return sites + self.towns_linked(network)

    def towns_linked(self, network: i64) -> i64:
        """How many different towns tracks of a network end in."""
        links = self.records[network] & LINKS
        if links < 2:
            return links
        towns = vec[i64]([0] * links)
        count: i64 = 0
        net = network
        while True:
            base = i64(self.cards[4 * i64(self.nodes[4 * net + ON_CARD]) + BASE])
            part = i64(self.nodes[4 * net + PART])
            tie = i64(self.deck.first_tie[part])
            while tie < i64(self.deck.first_tie[part + 1]):
                quarter = base + i64(self.deck.ties[tie])
                if self.kind(quarter) == QUARTER and _is_new(towns, count, self.root(quarter)):
                    towns[count] = self.root(quarter)
                    count += 1
                tie += 1
            net = i64(self.nodes[4 * net + RING])
            if net == network:
                return count

    def _score_town_card(self, card: i64) -> None:
        """Quarters give points as they are laid; the members of a closed town go home."""
        first = i64(self.cards[4 * card + BASE])
        node = first
        while node < self.used and self.kind(node) == QUARTER:
            self._score_quarter(node, first)
            node += 1
        node = first
        while node < self.used and self.kind(node) == QUARTER:
            town = self.root(node)
            if self.records[town] & OPEN_ENDS == 0 and self.records[town] & MEMBERS != 0:
                self._give_back(town)
            node += 1

    def _score_quarter(self, quarter: i64, first: i64) -> None:
        """The quarter itself, doubled in a town with a station; for an urbanism symbol, each quarter laid before."""
        town = self.root(quarter)
        record = self.records[town]
        members = record & MEMBERS
        if members == 0:
            return
        part = i64(self.nodes[4 * quarter + PART])
        value = i64(self.values[part])
        if (record >> 42) & 1023 != 0:
            value *= 2
        self._award(self.points, FOR_QUARTER, quarter, value, members)
        if i64(self.deck.symbols[part]) != 0:
            before = (record >> 32) & 1023
            other = first
            while other < self.used and self.kind(other) == QUARTER:
                if self.root(other) == town:
                    before -= 1
                other += 1
            self._award(self.points, FOR_URBANISM, quarter, before, members)

    def _award(self, scores: vec[i64], reason: i64, node: i64, points: i64, members: i64) -> None:
        """The family with most members takes all the points; tied families take all of them each."""
        if points == 0:
            return
        most: i64 = 0
        count = members
        while count != 0:
            if count & 15 > most:
                most = count & 15
            count >>= 4
        winners: i64 = 0
        family: i64 = 0
        while members != 0:
            if members & 15 == most:
                scores[family] += points
                winners |= BIT[family]
            members >>= 4
            family += 1
        journal = self.journal
        if journal is not None:
            journal.awards.append(Award(reason, node, points, winners))

    def _give_back(self, site: i64) -> None:
        """Return the members on a whole set to their supplies."""
        node = site
        while True:
            card = i64(self.nodes[4 * node + ON_CARD])
            bears = i64(self.cards[4 * card + BEARS])
            if bears != 0 and i64(self.cards[4 * card + BASE]) + (bears >> 3) == node:
                self.cards[4 * card + BEARS] = 0
                self.seats[((bears & 7) - 1) * self.seat_size + SUPPLY] += 1
            node = i64(self.nodes[4 * node + RING])
            if node == site:
                break
        self.records[site] &= ~MEMBERS

    # Chance.

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        count: i64 = 0
        card: i64 = 0
        while card < self.deck.types:
            if self.pile[card] != 0:
                outcomes[count] = card
                weights[count] = i64(self.pile[card])
                count += 1
            card += 1
        return count

    # The result.

    def scores_into(self, scores: vec[i64]) -> None:
        """The points, with the final count unless the score track has ended the game or it has been done."""
        seat: i64 = 0
        while seat < self.players:
            scores[seat] = self.points[seat]
            seat += 1
        if self.phase != OVER:
            journal = self.journal
            self.journal = None
            self._final_count_into(scores)
            self.journal = journal

    def _final_count_into(self, scores: vec[i64]) -> None:
        """Unfinished ports, and the countries."""
        card: i64 = 0
        while card < self.laid:
            bears = i64(self.cards[4 * card + BEARS])
            if bears != 0:
                port = i64(self.cards[4 * card + BASE]) + (bears >> 3)
                if self.kind(port) == PORT:
                    value = self.port_value(self.network(port))
                    self._award(scores, FOR_PORT, port, value, self.records[port] & MEMBERS)
            card += 1
        counted = vec[i16]([i16(0)] * self.used)
        node: i64 = 0
        while node < self.used:
            if self.kind(node) == PATCH and i64(self.nodes[4 * node + PARENT]) == node:
                members = self.records[node] & MEMBERS
                if members != 0:
                    value = self._country_value(node, counted)
                    self._award(scores, FOR_COUNTRY, node, value, members)
            node += 1

    def country_value(self, country: i64) -> i64:
        """A point for each mine, factory, port and closed town in a country or on its border."""
        return self._country_value(self.root(country), vec[i16]([i16(0)] * self.used))

    def _country_value(self, country: i64, counted: vec[i16]) -> i64:
        mark = i16(country + 1)
        value: i64 = 0
        patch = country
        while True:
            base = i64(self.cards[4 * i64(self.nodes[4 * patch + ON_CARD]) + BASE])
            part = i64(self.nodes[4 * patch + PART])
            tie = i64(self.deck.first_tie[part])
            while tie < i64(self.deck.first_tie[part + 1]):
                site = self.root(base + i64(self.deck.ties[tie]))
                if counted[site] != mark and (self.kind(site) != QUARTER or self.is_complete(site)):
                    counted[site] = mark
                    value += 1
                tie += 1
            patch = i64(self.nodes[4 * patch + RING])
            if patch == country:
                return value

    # What a viewer cannot tell apart.

    def resample_from_infostate(self, viewer: i64, rng: Random) -> PaysNoirState:
        """Deal anew all the cards that the viewer has not seen."""
        copy = self.clone()
        seat: i64 = 0
        while seat < self.players:
            if seat != viewer:
                copy._take_unseen(seat)
            seat += 1
        if self.chosen != NOTHING and self.seat != viewer:
            copy._redeal_chosen(self.held(self.seat), rng)
        seat = 0
        while seat < self.players:
            while copy.held(seat) < self.held(seat):
                copy._deal(seat, copy._sample_draw(rng))
            seat += 1
        return copy

    def _take_unseen(self, seat: i64) -> None:
        """Put the cards of a hand that not everybody has seen back into the pile."""
        block = seat * self.seat_size
        end = block + SLOTS + self.held(seat)
        slot = block + SLOTS
        self.seats[block + HELD] = 0
        while slot < end:
            entry = i64(self.seats[slot])
            if entry & 1 != 0:
                self.hold(seat, entry)
            else:
                self.pile[entry >> 1] += 1
                self.left += 1
            slot += 1

    def _redeal_chosen(self, size: i64, rng: Random) -> None:
        """Choose the card being placed anew: any that the seat, with a hand of that size, might be placing here.

        Every hand it can hold counts once for each card of it that could be the chosen one: a card all have seen is in
        all hands, an unseen one in as many of them as there are unseen cards in the hand to unseen cards at all.
        """
        shown = self.held(self.seat)
        fitting_shown = self._candidates_shown(NOTHING)
        fitting_unseen = self._candidates_unseen(NOTHING)
        weight_shown = fitting_shown * self.left if size > shown else fitting_shown
        weight_unseen = fitting_unseen * (size - shown)
        if rng.randrange(weight_shown + weight_unseen) < weight_shown:
            self._candidates_shown(rng.randrange(fitting_shown))
        else:
            self._candidates_unseen(rng.randrange(fitting_unseen))
            self._deal(self.seat, self.chosen)

    def _candidates_shown(self, pick: i64) -> i64:
        """How many shown cards of the hand might be the chosen one; the one of that number becomes it."""
        count: i64 = 0
        slot = self.seat * self.seat_size + SLOTS
        end = slot + self.held(self.seat)
        while slot < end:
            card = i64(self.seats[slot]) >> 1
            if self._might_be_chosen(card):
                if count == pick:
                    self.chosen = card
                count += 1
            slot += 1
        return count

    def _candidates_unseen(self, pick: i64) -> i64:
        """The same for the cards of the pile."""
        count: i64 = 0
        card: i64 = 0
        while card < self.deck.types:
            copies = i64(self.pile[card])
            if copies != 0 and self._might_be_chosen(card):
                if count <= pick < count + copies:
                    self.chosen = card
                count += copies
            card += 1
        return count

    def _might_be_chosen(self, card: i64) -> bool:
        """Whether others can take it for the chosen one: it fits; once the place is known, there and in several turns."""
        if self.phase == PLACE:
            return self.fits_somewhere(card)
        turns = self.turns_at(card, self.place)
        return turns & (turns - 1) != 0


def _is_new(towns: vec[i64], count: i64, town: i64) -> bool:
    i: i64 = 0
    while i < count:
        if towns[i] == town:
            return False
        i += 1
    return True


def new_state(game: AnyGame, deck: Deck, last_space: int, graded: bool) -> PaysNoirState:
    """The position before the first card is dealt: the start card lies in the middle."""
    state = PaysNoirState()
    state.game = game
    state.deck = deck
    state.players = game.players
    state.last_space = last_space
    state.values = deck.graded_values if graded else deck.plain_values
    state.seat_size = SLOTS + deck.hand + 1
    state.player = CHANCE
    state.seat = 0
    state.phase = DEAL
    state.dealt = 0
    state.chosen = NOTHING
    state.place = NOTHING
    state.pile = deck.copies[:]
    state.left = deck.total - 1
    state.points = vec[i64]([0] * game.players)
    state.seats = vec[i16]([i16(0)] * (game.players * state.seat_size))
    seat: i64 = 0
    while seat < state.players:
        state.seats[seat * state.seat_size + SUPPLY] = i16(deck.members)
        seat += 1
    state.card_at = vec[u8]([u8(0)] * deck.places)
    state.cards = vec[i16]([i16(0)] * (4 * deck.total))
    state.laid = 0
    state.gaps = vec[i32]([i32(0)] * (2 * deck.total + 2))  # N cards that hang together have at most 2N + 2 free edges.
    state.gap_count = 0
    state.nodes = vec[i16]([i16(0)] * (4 * deck.nodes))
    state.records = vec[i64]([0] * deck.nodes)
    state.used = 0
    state.journal = None
    state.lay(4 * deck.start, 0)
    return state
