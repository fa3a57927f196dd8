"""The rules of Pays noir: turns, hands, members and points. Compiled. What lies on the table is kept by `board`.

A turn is a few small decisions: a card is drawn (by chance), a card of the hand is chosen, then its place, its turn if
it fits in several, and a member's spot if one can be placed. Cards are named by their type, never by their place in a
hand, so a number says nothing about the rest of the hand; and the pile has no order, only cards that are still in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex, cast, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from ludotheque.core.bits import BIT, kth_place, place_of, popcount
from ludotheque.core.game import CHANCE, TERMINAL, Game, State, check_viewer, game_over
from ludotheque.games.pays_noir.board import FAMILY, PARENT, PART, Board, new_board
from ludotheque.games.pays_noir.deck import (
    CLAIMS_FROM,
    COUNT,
    GAPS,
    HOLDS_MINE,
    HOLDS_TOWN,
    MEMBERS,
    MINE,
    NET,
    OPEN_ENDS,
    PATCH,
    PORT,
    QUARTER,
    QUARTERS_FROM,
    STATIONS_FROM,
    TRACK,
    Deck,
)

if TYPE_CHECKING:
    from ludotheque.games.pays_noir.observation import PaysNoirObservation

# The decisions of a turn, in their order.

DEAL: Final = 0
"""Set-up: a card to the next hand."""
DRAW: Final = 1
CARD: Final = 2
"""The card of the hand to place, or to discard if none fits."""
PLACE: Final = 3
TURN: Final = 4
"""The turn in which it lies, if it fits in several."""
SPOT: Final = 5
"""The spot on the card for a member, if any."""
OVER: Final = 6

NOTHING: Final = -1
"""No card chosen, no place chosen."""

# A seat: `seat_size` numbers.

SUPPLY: Final = 0
HELD: Final = 1
SLOTS: Final = 2
"""The hand, ascending: `2 * type`, one more for a card that all have seen."""

# Reasons for points, in the order of the log.

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
    """A record of what every point is given for, while someone wants to know."""

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
    """Points for a quarter when it is laid, by part."""
    seat_size: i64

    player: i64
    """The player to act: a seat, `CHANCE` or `TERMINAL`."""
    seat: i64
    """The seat whose turn it is, also while chance draws for it."""
    phase: i64
    dealt: i64
    """Cards dealt during the set-up."""
    chosen: i64
    """The type of the card being placed."""
    place: i64
    """The place chosen for it."""

    board: Board
    pile: vec[u8]
    """Cards never drawn, by type."""
    left: i64
    """Number of cards in the pile."""
    points: vec[i64]
    seats: vec[i16]

    journal: Journal | None

    def observation(self, viewer: SupportsIndex) -> PaysNoirObservation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return cast("PaysNoirObservation", State.observation(self, viewer))

    def clone(self) -> PaysNoirState:
        copy = PaysNoirState()
        copy.game = self.game
        copy.deck = self.deck
        copy.players = self.players
        copy.last_space = self.last_space
        copy.values = self.values  # never changes
        copy.seat_size = self.seat_size
        copy.player = self.player
        copy.seat = self.seat
        copy.phase = self.phase
        copy.dealt = self.dealt
        copy.chosen = self.chosen
        copy.place = self.place
        copy.board = self.board.clone()
        copy.pile = self.pile[:]
        copy.left = self.left
        copy.points = self.points[:]
        copy.seats = self.seats[:]
        copy.journal = None
        return copy

    # Turns.

    def current_player(self) -> i64:
        return self.player

    def _begin_turn(self) -> None:
        """A card is drawn while the pile lasts; then one is chosen. When all hands are empty, the game is over."""
        if self.left > 0:
            self.phase = DRAW
            self.player = CHANCE
            return
        seats: i64 = 0
        while self.held(self.seat) == 0:
            seats += 1
            if seats == self.players:
                self._final_count_into(self.points)
                self.end()
                return
            self._pass_on()
        self._await(CARD)

    def _pass_on(self) -> None:
        self.seat += 1
        if self.seat == self.players:
            self.seat = 0

    def _await(self, phase: i64) -> None:
        self.phase = phase
        self.player = self.seat

    def _end_turn(self) -> None:
        """The game ends at once when a marker is on the last space of the score track or beyond."""
        if self.track_is_full():
            self.end()
        else:
            self._pass_on()
            self._begin_turn()

    def track_is_full(self) -> bool:
        seat: i64 = 0
        while seat < self.players:
            if self.points[seat] >= self.last_space:
                return True
            seat += 1
        return False

    def end(self) -> None:
        """End the game. It is no seat's turn any more, so positions need not say whose it was."""
        self.phase = OVER
        self.player = TERMINAL
        self.seat = 0

    # Actions of a player.

    def legal_into(self, actions: vec[i64]) -> i64:
        if self.phase == CARD:
            return self._cards_into(actions)
        if self.phase == PLACE:
            return self._places_into(actions)
        if self.phase == TURN:
            turns = self.board.turns_at(self.chosen, self.place)
            return _bits_into(actions, turns, self.deck.first_turn)
        return _bits_into(actions, self._free_spots(), self.deck.first_member)

    def allows(self, action: i64) -> bool:
        if action < 0 or self.player == TERMINAL:
            return False
        if self.player == CHANCE:
            return action < self.deck.types and self.pile[action] != 0
        if self.phase == CARD:
            return self._may_choose(action)
        if self.phase == PLACE:
            return self.board.turns_at(self.chosen, action - self.deck.first_place) != 0
        if self.phase == TURN:
            turn = action - self.deck.first_turn
            return 0 <= turn < 4 and self.board.turns_at(self.chosen, self.place) & BIT[turn] != 0
        spot = action - self.deck.first_member
        return 0 <= spot <= self.deck.most_spots and self._free_spots() & BIT[spot] != 0

    def _may_choose(self, action: i64) -> bool:
        """A card of the hand that fits; or any of it to discard, if none does."""
        if action < self.deck.first_discard:
            return self._holds(action) and self.board.fits_somewhere(action)
        return self._holds(action - self.deck.first_discard) and self._different_slots(True) == 0

    def _holds(self, card: i64) -> bool:
        """Whether the seat to act has a card of that type in its hand."""
        slot = self.held(self.seat) - 1
        while slot >= 0 and self._card_in(slot) != card:
            slot -= 1
        return slot >= 0

    def _cards_into(self, actions: vec[i64]) -> i64:
        """The cards of the hand that fit somewhere; if none does, one of all is discarded."""
        slots = self._different_slots(True)
        first: i64 = 0
        if slots == 0:
            slots = self._different_slots(False)
            first = self.deck.first_discard
        count: i64 = 0
        while slots != 0:
            low = slots & -slots
            actions[count] = first + self._card_in(place_of(low))
            count += 1
            slots ^= low
        return count

    def _different_slots(self, fitting: bool) -> i64:
        """The slots of the hand, each type once, as bits; on request only of cards that fit somewhere."""
        slots: i64 = 0
        before: i64 = NOTHING
        slot: i64 = 0
        held = self.held(self.seat)
        while slot < held:
            card = self._card_in(slot)
            if card != before and (not fitting or self.board.fits_somewhere(card)):
                slots |= BIT[slot]
            before = card
            slot += 1
        return slots

    def _card_in(self, slot: i64) -> i64:
        return i64(self.seats[self.seat * self.seat_size + SLOTS + slot]) >> 1

    def _places_into(self, actions: vec[i64]) -> i64:
        """The places where the chosen card fits, put in order one by one: the gaps are in none."""
        fits = self.deck.fits
        gaps = self.board.gaps
        gap_count = self.board.gap_count
        first_place = self.deck.first_place
        first_fit = GAPS * self.chosen
        count: i64 = 0
        i: i64 = 0
        while i < gap_count:
            gap = i64(gaps[i])
            if fits[first_fit + (gap & 255)] != 0:
                action = first_place + (gap >> 8)
                at = count
                while at > 0 and actions[at - 1] > action:
                    actions[at] = actions[at - 1]
                    at -= 1
                actions[at] = action
                count += 1
            i += 1
        return count

    def _free_spots(self) -> i64:
        """Bit 0 for no member, then the spots of the card just laid that are free for this family."""
        free: i64 = 1
        if self.supply(self.seat) == 0:
            return free
        board = self.board
        node = board.base(board.laid - 1)
        end = node + board.spots(board.laid - 1)
        bit: i64 = 2
        while node < end:
            members = board.records[board.root(node)] & MEMBERS
            if members == 0 or self._may_join(board.kind(node), members):
                free |= bit
            bit += bit
            node += 1
        return free

    def may_stand(self, spot: i64) -> bool:
        """Whether a member of the seat may stand there on the card just laid."""
        node = self.board.base(self.board.laid - 1) + spot
        members = self.board.record(node) & MEMBERS
        return members == 0 or self._may_join(self.board.kind(node), members)

    def _may_join(self, kind: i64, members: i64) -> bool:
        """Whether a member of the seat may stand where there are some: in a town or country, beside its own family."""
        return kind in (QUARTER, PATCH) and members & ~(15 * FAMILY[self.seat]) == 0

    def finish(self, rng: Random) -> i64:
        """As every game does, but without looking up methods."""
        steps: i64 = 0
        while self.player != TERMINAL:
            self.apply(self.sample(rng))
            steps += 1
        return steps

    def sample(self, rng: Random) -> i64:
        if self.player < 0:
            if self.player == TERMINAL:
                raise game_over()
            return self._sample_draw(rng)
        if self.phase == CARD:
            return self._sample_card(rng)
        if self.phase == PLACE:
            return self._sample_place(rng)
        if self.phase == TURN:
            return self.deck.first_turn + _sample_bit(self.board.turns_at(self.chosen, self.place), rng)
        return self.deck.first_member + _sample_bit(self._free_spots(), rng)

    def _sample_draw(self, rng: Random) -> i64:
        pile = self.pile
        card: i64 = 0
        before = rng.randrange(self.left) - i64(pile[0])
        while before >= 0:
            card += 1
            before -= i64(pile[card])
        return card

    def _sample_card(self, rng: Random) -> i64:
        """Draw one of the cards of the hand after the other until one fits: all that fit are equally likely. If none
        does, one of all is discarded."""
        slots = self._different_slots(False)
        untried = slots
        while untried != 0:
            slot = _sample_bit(untried, rng)
            if self.board.fits_somewhere(self._card_in(slot)):
                return self._card_in(slot)
            untried ^= BIT[slot]
        return self.deck.first_discard + self._card_in(_sample_bit(slots, rng))

    def _sample_place(self, rng: Random) -> i64:
        """Draw gaps until one fits: all that fit are equally likely, and one does."""
        fits = self.deck.fits
        gaps = self.board.gaps
        gap_count = self.board.gap_count
        first_fit = GAPS * self.chosen
        gap = i64(gaps[rng.randrange(gap_count)])
        while fits[first_fit + (gap & 255)] == 0:
            gap = i64(gaps[rng.randrange(gap_count)])
        return self.deck.first_place + (gap >> 8)

    # Consequences of an action.

    def apply(self, action: i64) -> None:
        if self.player == CHANCE:
            self._draw(action)
        elif self.phase == PLACE:
            self._choose_place(action - self.deck.first_place)
        elif self.phase == TURN:
            self._lay_chosen(action - self.deck.first_turn)
        elif self.phase == SPOT:
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

    def _choose_place(self, place: i64) -> None:
        """A card that fits in one turn only is laid at once."""
        self.place = place
        turns = self.board.turns_at(self.chosen, place)
        if turns & (turns - 1) == 0:
            self._lay_chosen(place_of(turns))
        else:
            self._await(TURN)

    def _lay_chosen(self, turn: i64) -> None:
        self._give_up(self.chosen)
        self.board.lay(4 * self.chosen + turn, self.place)
        self.chosen = NOTHING
        self.place = NOTHING
        if self._free_spots() != 1:
            self._await(SPOT)
        else:
            self._score()
            self._end_turn()

    def _place_member(self, spot: i64) -> None:
        if spot >= 0:
            self.seats[self.seat * self.seat_size + SUPPLY] -= 1
            self.board.place_member(self.board.laid - 1, spot, self.seat)
        self._score()
        self._end_turn()

    def _discard(self, card: i64) -> None:
        """Show the hand, in which no card fits, and discard one card of it."""
        self._give_up(card)
        slot = self.seat * self.seat_size + SLOTS
        end = slot + self.held(self.seat)
        while slot < end:
            self.seats[slot] = i16(i64(self.seats[slot]) | 1)
            slot += 1
        self._end_turn()

    # Hands.

    def held(self, seat: i64) -> i64:
        """Return the number of cards that a seat holds."""
        return i64(self.seats[seat * self.seat_size + HELD])

    def supply(self, seat: i64) -> i64:
        """Return the number of members that a seat has to place."""
        return i64(self.seats[seat * self.seat_size + SUPPLY])

    def discarded(self) -> list[int]:
        """The types of the cards that are nowhere else: not on the table, in a hand or in the pile; ascending."""
        missing = self.deck.copies[:]
        card: i64 = 1
        while card < self.board.laid:
            missing[self.board.type_of(card)] -= 1
            card += 1
        seat: i64 = 0
        while seat < self.players:
            slot = seat * self.seat_size + SLOTS
            end = slot + self.held(seat)
            while slot < end:
                missing[i64(self.seats[slot]) >> 1] -= 1
                slot += 1
            seat += 1
        found: list[int] = []
        card = 0
        while card < self.deck.types:
            copies = i64(missing[card]) - i64(self.pile[card])
            while copies > 0:
                found.append(int(card))
                copies -= 1
            card += 1
        return found

    def hold(self, seat: i64, entry: i64) -> None:
        """Put a card (`2 * type`, one more if all have seen it) into a hand, in order."""
        first = seat * self.seat_size + SLOTS
        slot = first + self.held(seat)
        while slot > first and i64(self.seats[slot - 1]) > entry:
            self.seats[slot] = self.seats[slot - 1]
            slot -= 1
        self.seats[slot] = i16(entry)
        self.seats[seat * self.seat_size + HELD] += 1

    def _deal(self, seat: i64, card: i64) -> None:
        self.pile[card] -= 1
        self.left -= 1
        self.hold(seat, 2 * card)

    def _give_up(self, card: i64) -> None:
        """Take a card out of the hand; of two alike the one that all have seen, since no one can tell them apart."""
        last = self.seat * self.seat_size + SLOTS + self.held(self.seat) - 1
        slot = last
        while i64(self.seats[slot]) >> 1 != card:
            slot -= 1
        while slot < last:
            self.seats[slot] = self.seats[slot + 1]
            slot += 1
        self.seats[self.seat * self.seat_size + HELD] -= 1

    # Scoring during play.

    def _score(self) -> None:
        """Give the points for what the card just laid has finished or brought, and the members back."""
        board = self.board
        card = board.laid - 1
        nodes, kinds, used = board.nodes, self.deck.kinds, board.used
        node = board.base(card)
        while node < used:
            kind = i64(kinds[i64(nodes[4 * node + PART])])
            if kind == TRACK:
                self._score_line(node)
            elif kind == NET:
                self._score_network(node)
            node += 1
        self._score_factories_beside(card)
        self._score_town_card(card)

    def _score_line(self, track: i64) -> None:
        """A finished line gives a point for each card it runs over."""
        board = self.board
        record = board.record(track)
        if record & MEMBERS != 0 and record & OPEN_ENDS == 0:
            self._award(self.points, FOR_LINE, track, board.line_length(track), record & MEMBERS)
            self._give_back(track)

    def _score_network(self, net: i64) -> None:
        """The ports, mines and factories of a network that the card just laid has changed."""
        board = self.board
        first = board.root(net)
        if (board.records[first] >> CLAIMS_FROM) & COUNT == 0:
            return
        net = first
        while True:
            self._score_site_on(board.card_of(net))
            net = board.following(net)
            if net == first:
                return

    def _score_factories_beside(self, card: i64) -> None:
        """A card with a town or a mine may be what a factory beside it was waiting for."""
        board = self.board
        if i64(self.deck.holds[board.type_of(card)]) & (HOLDS_TOWN | HOLDS_MINE) == 0:
            return
        side: i64 = 0
        while side < 4:
            neighbour = board.neighbour(card, side)
            if neighbour >= 0:
                self._score_site_on(neighbour)
            side += 1

    def _score_site_on(self, card: i64) -> None:
        """The port, mine or factory of a card, if a member stands on it and it is finished."""
        board = self.board
        site = board.member_node(card)
        if site < 0 or not board.is_site(site) or not board.is_finished(site):
            return
        members = board.records[site] & MEMBERS
        kind = board.kind(site)
        if kind == PORT:
            self._award(self.points, FOR_PORT, site, board.port_value(site), members)
        elif kind == MINE:
            self._award(self.points, FOR_MINE, site, MINE_POINTS, members)
        else:
            self._award(self.points, FOR_FACTORY, site, FACTORY_POINTS, members)
        self._give_back(site)

    def _score_town_card(self, card: i64) -> None:
        """Quarters give points as they are laid; then the members of a closed town go home."""
        board = self.board
        quarter = board.base(card)
        while quarter < board.used and board.kind(quarter) == QUARTER:
            self._score_quarter(quarter)
            quarter += 1
        quarter = board.base(card)
        while quarter < board.used and board.kind(quarter) == QUARTER:
            if board.is_finished(quarter):
                self._give_back(quarter)
            quarter += 1

    def _score_quarter(self, quarter: i64) -> None:
        """The quarter itself, doubled once the town has a station; and for an urbanism symbol each quarter that the
        town had before this card."""
        board = self.board
        record = board.record(quarter)
        members = record & MEMBERS
        if members == 0:
            return
        part = board.part(quarter)
        value = i64(self.values[part])
        if (record >> STATIONS_FROM) & COUNT != 0:
            value *= 2
        self._award(self.points, FOR_QUARTER, quarter, value, members)
        if i64(self.deck.symbols[part]) != 0:
            before = ((record >> QUARTERS_FROM) & COUNT) - self._quarters_brought(board.root(quarter))
            self._award(self.points, FOR_URBANISM, quarter, before, members)

    def _quarters_brought(self, town: i64) -> i64:
        """Return the number of quarters of a town on the card just laid."""
        board = self.board
        count: i64 = 0
        quarter = board.base(board.laid - 1)
        while quarter < board.used and board.kind(quarter) == QUARTER:
            if board.root(quarter) == town:
                count += 1
            quarter += 1
        return count

    def _award(self, scores: vec[i64], reason: i64, node: i64, points: i64, members: i64) -> None:
        """The family with most members takes all the points; tied families take all of them each."""
        if points == 0:
            return
        most: i64 = 0
        counts = members
        while counts != 0:
            if counts & 15 > most:
                most = counts & 15
            counts >>= 4
        families: i64 = 0
        seat: i64 = 0
        while members != 0:
            if members & 15 == most:
                scores[seat] += points
                families |= BIT[seat]
            members >>= 4
            seat += 1
        journal = self.journal
        if journal is not None:
            journal.awards.append(Award(reason, node, points, families))

    def _give_back(self, node: i64) -> None:
        """Return the members on a whole line, town or site to their supplies."""
        members = self.board.take_members(node)
        seat: i64 = 0
        while members != 0:
            self.seats[seat * self.seat_size + SUPPLY] += i16(members & 15)
            members >>= 4
            seat += 1

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
        """The points, with the final count as it would be now; at the end they are as they are."""
        seat: i64 = 0
        while seat < self.players:
            scores[seat] = self.points[seat]
            seat += 1
        if self.phase != OVER:
            journal = self.journal
            self.journal = None  # nothing has been given yet
            self._final_count_into(scores)
            self.journal = journal

    def final_count(self) -> list[Award]:
        """Return what the final count would give points for now; nothing once it has been made."""
        if self.phase == OVER:
            return []
        again = self.clone()
        journal = Journal()
        again.journal = journal
        again._final_count_into(self.game.new_scores())
        return journal.awards

    def _final_count_into(self, scores: vec[i64]) -> None:
        """Unfinished ports as if they were finished, and the countries."""
        board = self.board
        card: i64 = 0
        while card < board.laid:
            port = board.member_node(card)
            if port >= 0 and board.kind(port) == PORT:
                self._award(scores, FOR_PORT, port, board.port_value(port), board.records[port] & MEMBERS)
            card += 1
        counted = board.new_count()
        node: i64 = 0
        while node < board.used:
            members = board.records[node] & MEMBERS
            if members != 0 and board.kind(node) == PATCH and i64(board.nodes[4 * node + PARENT]) == node:
                self._award(scores, FOR_COUNTRY, node, board.count_country(node, counted, node + 1), members)
            node += 1

    # Positions that a viewer cannot tell apart.

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> PaysNoirState:
        """Deal anew all the cards that the viewer has not seen."""
        own: i64 = check_viewer(viewer, self.players)
        copy = self.clone()
        seat: i64 = 0
        while seat < self.players:
            if seat != own:
                copy._take_unseen(seat)
            seat += 1
        if self.chosen != NOTHING and self.seat != own:
            copy._choose_anew(self.held(self.seat), rng)
        seat = 0
        while seat < self.players:
            while copy.held(seat) < self.held(seat):
                copy._deal(seat, copy._sample_draw(rng))
            seat += 1
        return copy

    def _take_unseen(self, seat: i64) -> None:
        """Put the cards of a hand that not all have seen back into the pile."""
        block = seat * self.seat_size
        slot = block + SLOTS
        end = slot + self.held(seat)
        self.seats[block + HELD] = 0
        while slot < end:
            entry = i64(self.seats[slot])
            if entry & 1 != 0:
                self.hold(seat, entry)
            else:
                self.pile[entry >> 1] += 1
                self.left += 1
            slot += 1

    def _choose_anew(self, size: i64, rng: Random) -> None:
        """Choose the card being placed among all that the seat, with a hand of that size, might be placing here.

        Every hand it may hold counts once for each card of it that may be the chosen one. A card that all have seen is
        in every such hand; an unseen one in as many of them as the hand has a share of the unseen cards.
        """
        shown = self.held(self.seat)
        hidden = size - shown
        fitting_shown = self._choose_shown(NOTHING)
        fitting_unseen = self._choose_unseen(NOTHING)
        ways_shown = fitting_shown * self.left if hidden > 0 else fitting_shown
        ways_unseen = fitting_unseen * hidden
        if rng.randrange(ways_shown + ways_unseen) < ways_shown:
            self._choose_shown(rng.randrange(fitting_shown))
        else:
            self._choose_unseen(rng.randrange(fitting_unseen))
            self._deal(self.seat, self.chosen)

    def _choose_shown(self, pick: i64) -> i64:
        """Choose the card of that number among the shown ones that may be the chosen one; return how many these are."""
        count: i64 = 0
        slot: i64 = 0
        while slot < self.held(self.seat):
            card = self._card_in(slot)
            if self._may_be_chosen(card):
                if count == pick:
                    self.chosen = card
                count += 1
            slot += 1
        return count

    def _choose_unseen(self, pick: i64) -> i64:
        """The same among the unseen ones."""
        count: i64 = 0
        card: i64 = 0
        while card < self.deck.types:
            copies = i64(self.pile[card])
            if copies != 0 and self._may_be_chosen(card):
                if count <= pick < count + copies:
                    self.chosen = card
                count += copies
            card += 1
        return count

    def _may_be_chosen(self, card: i64) -> bool:
        """It fits somewhere; once the place is known, there, and in several turns."""
        if self.phase == PLACE:
            return self.board.fits_somewhere(card)
        turns = self.board.turns_at(card, self.place)
        return turns & (turns - 1) != 0


def _bits_into(actions: vec[i64], bits: i64, first: i64) -> i64:
    """Write an action for each bit, counted from the first; return how many."""
    count: i64 = 0
    while bits != 0:
        low = bits & -bits
        actions[count] = first + place_of(low)
        count += 1
        bits ^= low
    return count


def _sample_bit(bits: i64, rng: Random) -> i64:
    return kth_place(bits, rng.randrange(popcount(bits)))


def new_state(game: Game, deck: Deck, last_space: int, graded: bool) -> PaysNoirState:
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
    state.board = new_board(deck)
    state.pile = deck.copies[:]
    state.left = deck.total - 1
    state.points = vec[i64]([0] * game.players)
    one_seat = [int(deck.members)] + [0] * (int(state.seat_size) - 1)
    state.seats = vec[i16]([i16(number) for number in one_seat * game.players])
    state.journal = None
    return state
