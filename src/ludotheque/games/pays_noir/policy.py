"""A good player's knowledge of Pays noir: the points that every site with a member may still earn. Compiled.

A seat can expect its points, what each unfinished site where its family leads may still earn (by kind, open ends and
the cards left to lay), and what the members in its supply may earn: the last ones are worth most. Only the board and
the numbers of cards and members are read, so the evaluation is the same for every deal of what is hidden.

The constants are fields, so that they can be fitted by play (`research/bots/trials.md` says how).
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import as_float
from ludotheque.core.game import CHANCE, TERMINAL, Game, State
from ludotheque.core.policy import Policy, weigh_values
from ludotheque.games.pays_noir.board import BASE, CARD_MEMBER, Board
from ludotheque.games.pays_noir.deck import (
    COUNT,
    FACTORIES_FROM,
    FACTORY,
    HOLDS_MINE,
    HOLDS_TOWN,
    LINKS,
    MEMBERS,
    MINE,
    MINES_FROM,
    OPEN_ENDS,
    PATCH,
    PORT,
    QUARTER,
    QUARTERS_FROM,
    STATIONS_FROM,
    TRACK,
)
from ludotheque.games.pays_noir.rules import CARD, FACTORY_POINTS, MINE_POINTS, SPOT, PaysNoirState

ONE_END: Final = 1048576
"""One open end, in a record."""
TURN_POINTS: Final = 2.6
"""Points that a good player makes in a turn, roughly."""
LEAST_WEIGHT: Final = 0.0005
"""The share of the weight that every move has at least."""


@final
class PaysNoirPolicy(Policy):
    """Points, and what can still be finished with the cards that are left."""

    actions: vec[i64]
    counted_for: vec[i64]
    """Number of the evaluation that has counted a set, by root of the set."""
    evaluation: i64
    """The number of this evaluation."""
    counted_in: vec[i64]
    """Number of the country count that has counted a node, by node."""
    count: i64
    """The number of this country count."""
    turn: i64
    """The number of the turn whose tries remember what lines and countries are worth; 0 while nothing is remembered."""
    turns: i64
    """Number of turns played in rollouts."""
    known_in: vec[i64]
    """Number of the turn that has worked out a line or country as it lay before, by root."""
    known: vec[i64]
    """What that was worth."""
    joined_in: vec[i64]
    """Number of the evaluation before which the card just laid has joined a set, by root."""
    town_closed: bool
    """Whether that card has closed a town: the countries around it are worth more."""
    tried: vec[i64]
    chosen: vec[i64]
    """The decisions of a turn of a rollout: those of the last try, and of the best one."""

    # Prospects of a position, found by `_look`.
    left: float
    """The part of the cards that is still to be laid before the game is likely to end."""
    counts: float
    """Chance that the game gets to the final count."""
    line_chance: float
    """Chance that an open end of a line is closed."""

    temperature: float
    """The gain in points that makes a move e times as attractive."""
    tries: i64
    """A rollout takes the best of this number of random turns."""
    turns_ahead: i64
    """Turns that a rollout plays on before the position is judged."""
    line_hazard: float
    """Chance that an open end of a line is closed, as a hazard over all the cards."""
    line_growth: float
    """Cards by which a line grows at an open end meanwhile, over all the cards."""
    mine_hazard: float
    """Chance that an open end of a mine is closed, as a hazard over all the cards."""
    factory_hazard: float
    """Chance that each of what a factory lacks comes to one of its sides or ends."""
    port_growth: float
    """Sites that come to an open end of a port's network, over all the cards."""
    town_growth: float
    """Quarters that come to an open end of a town, over all the cards."""
    urbanism: float
    """Points that a quarter of the town earns by urbanism to come, over all the cards."""
    country_growth: float
    """Points that come to an open edge of a country, over all the cards."""
    country_edges: float
    """No more open edges than this count."""
    member: float
    """Points that the first member of a supply may earn, over all the cards."""
    member_next: float
    """Points that each further one may earn, as a part of the one before."""
    member_back: float
    """Worth of a member that will come back, as a part of the chance that it does."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # With more seats, longer rollouts won nothing in the same time (`research/bots/trials.md`).
        has_few_seats = game.players <= 3
        self.lead_scale = 16.0 if has_few_seats else 8.0
        self.slips_unseen = True
        self.worst_slip = 4.0
        self.c_puct = 0.2
        self.expand_after_visits = 1
        self.tree_ends_with_turn = True
        state = game.new_initial_state()
        assert isinstance(state, PaysNoirState)
        self.actions = game.new_buffer()
        self.counted_for = vec[i64]([0] * int(state.deck.nodes))
        self.evaluation = 0
        self.counted_in = vec[i64]([0] * int(state.deck.nodes))
        self.count = 0
        self.turn = 0
        self.turns = 0
        self.known_in = vec[i64]([0] * int(state.deck.nodes))
        self.known = vec[i64]([0] * int(state.deck.nodes))
        self.joined_in = vec[i64]([0] * int(state.deck.nodes))
        self.town_closed = False
        self.tried = vec[i64]([0] * 4)
        self.chosen = vec[i64]([0] * 4)
        self.left = 0.0
        self.counts = 0.0
        self.line_chance = 0.0
        self.temperature = 0.7
        self.tries = 5
        self.turns_ahead = (4 if has_few_seats else 2) * game.players
        self.line_hazard = 2.3
        self.line_growth = 0.33
        self.mine_hazard = 1.0
        self.factory_hazard = 0.7
        self.port_growth = 1.1
        self.town_growth = 0.8
        self.urbanism = 0.3
        self.country_growth = 0.95
        self.country_edges = 9.0
        self.member = 8.0
        self.member_next = 0.52
        self.member_back = 0.5

    # The worth of a position.

    def estimate_scores_into(self, state: State, scores: vec[float]) -> None:
        assert isinstance(state, PaysNoirState)
        self._look(state)
        seat: i64 = 0
        while seat < state.players:
            scores[seat] = as_float(state.points[seat]) + self._supply_worth(state.supply(seat))
            seat += 1
        board = state.board
        cards, records = board.cards, board.records
        counted_for = self.counted_for
        self.evaluation += 1
        evaluation = self.evaluation
        card: i64 = 0
        while card < 4 * board.laid:
            member = i64(cards[card + CARD_MEMBER])
            if member != 0:
                root = board.root(i64(cards[card + BASE]) + (member >> 3))
                if counted_for[root] != evaluation:
                    counted_for[root] = evaluation
                    self._credit(scores, records[root] & MEMBERS, self._site_worth(state, root))
            card += 4

    def _look(self, state: PaysNoirState) -> None:
        """See how much of the game is left: until the cards run out, or the leader comes to the end of the track."""
        cards = state.left
        top: i64 = 0
        seat: i64 = 0
        while seat < state.players:
            cards += state.held(seat)
            if state.points[seat] > top:
                top = state.points[seat]
            seat += 1
        to_lay = as_float(cards)
        on_track = as_float(state.last_space - top) * as_float(state.players) / TURN_POINTS
        self.counts = 1.0
        if on_track < to_lay:
            self.counts = on_track / to_lay
            to_lay = on_track
        self.left = to_lay / as_float(state.deck.total)
        self.line_chance = self._chance(self.line_hazard)

    def _supply_worth(self, members: i64) -> float:
        """Return what the members in a supply may earn: less for each further one."""
        worth = 0.0
        part = self.member * self.left
        while members > 0:
            worth += part
            part *= self.member_next
            members -= 1
        return worth

    def _credit(self, scores: vec[float], members: i64, worth: float) -> None:
        """Give what a site is worth to each family with most members there."""
        most: i64 = 0
        counts = members
        while counts != 0:
            if counts & 15 > most:
                most = counts & 15
            counts >>= 4
        seat: i64 = 0
        while members != 0:
            if members & 15 == most:
                scores[seat] += worth
            members >>= 4
            seat += 1

    def _site_worth(self, state: PaysNoirState, root: i64) -> float:
        """Return what an unfinished line, town, country or site may still earn those who lead there."""
        board = state.board
        kind = board.kind(root)
        record = board.records[root]
        ends = as_float((record & OPEN_ENDS) // ONE_END)
        if kind == TRACK:
            chance = self.line_chance
            both = chance if ends < 2.0 else chance * chance
            return (
                as_float(self._line_length(board, root)) + self.line_growth * ends * self.left + self.member_back
            ) * both
        if kind == QUARTER:
            quarters = self.town_growth * ends * self.left
            if (record >> STATIONS_FROM) & COUNT != 0:
                quarters *= 2.0
            if ends == 0.0:
                return self.member_back
            return quarters + self.urbanism * as_float((record >> QUARTERS_FROM) & COUNT) * self.left
        if kind == PATCH:
            edges = ends if ends < self.country_edges else self.country_edges
            return self.counts * (as_float(self._country_value(board, root)) + self.country_growth * edges * self.left)
        return self._place_worth(state, root, kind)

    def _line_length(self, board: Board, line: i64) -> i64:
        """The cards that a line runs over."""
        if self.turn == 0 or self.joined_in[line] == self.evaluation:
            return board.line_length(line)
        if self.known_in[line] != self.turn:
            self.known_in[line] = self.turn
            self.known[line] = board.line_length(line)
        return self.known[line]

    def _country_value(self, board: Board, country: i64) -> i64:
        """A point for each mine, factory, port and closed town in a country or on its border."""
        if self.turn == 0 or self.town_closed or self.joined_in[country] == self.evaluation:
            return self._count_country(board, country)
        if self.known_in[country] != self.turn:
            self.known_in[country] = self.turn
            self.known[country] = self._count_country(board, country)
        return self.known[country]

    def _count_country(self, board: Board, country: i64) -> i64:
        self.count += 1
        return board.count_country(country, self.counted_in, self.count)

    def _remember(self, board: Board, laid: i64) -> None:
        """Note what the cards after the first so many have joined before the board is evaluated: all other lines are
        worth what they were before, and so are all other countries unless a town has been closed."""
        evaluation = self.evaluation + 1
        self.town_closed = False
        node = board.used if board.laid == laid else board.base(laid)
        while node < board.used:
            root = board.root(node)
            self.joined_in[root] = evaluation
            if board.kind(root) == QUARTER and board.records[root] & OPEN_ENDS == 0:
                self.town_closed = True
            node += 1

    def _place_worth(self, state: PaysNoirState, site: i64, kind: i64) -> float:
        """Return what a port, mine or factory may still earn."""
        board = state.board
        network = board.records[board.network(site)]
        ends = as_float((network & OPEN_ENDS) // ONE_END)
        if kind == PORT:
            return self.counts * (as_float(board.port_value(site)) + self.port_growth * ends * self.left)
        if kind == MINE:
            if network & LINKS != 0 or network >> FACTORIES_FROM != 0:
                return as_float(MINE_POINTS) + self.member_back
            return (as_float(MINE_POINTS) + self.member_back) * self._chance(self.mine_hazard * ends)
        chance = self._chance(self.factory_hazard * (ends + self._free_sides(state, site)))
        around = self._held_around(state, site)
        worth = as_float(FACTORY_POINTS) + self.member_back
        if network & LINKS == 0 and around & HOLDS_TOWN == 0:
            worth *= chance
        if (network >> MINES_FROM) & COUNT == 0 and around & HOLDS_MINE == 0:
            worth *= chance * 0.5
        return worth

    def _chance(self, hazard: float) -> float:
        """Return the chance that something comes in time that comes with such a hazard over all the cards."""
        return 1.0 - exp(-hazard * self.left)

    def _free_sides(self, state: PaysNoirState, site: i64) -> float:
        """At how many sides of its card nothing lies yet."""
        card = state.board.card_of(site)
        free = 0.0
        side: i64 = 0
        while side < 4:
            if state.board.neighbour(card, side) < 0:
                free += 1.0
            side += 1
        return free

    def _held_around(self, state: PaysNoirState, site: i64) -> i64:
        """Return what the card of a site and those beside it hold."""
        board = state.board
        card = board.card_of(site)
        held = i64(state.deck.holds[board.type_of(card)])
        side: i64 = 0
        while side < 4:
            neighbour = board.neighbour(card, side)
            if neighbour >= 0:
                held |= i64(state.deck.holds[board.type_of(neighbour)])
            side += 1
        return held

    def is_turn_over(self, state: State, seat: i64) -> bool:
        assert isinstance(state, PaysNoirState)
        return state.player != seat or state.phase == CARD

    # The priors of a search: the best that the rest of the turn can gain.

    def weights_into(self, state: State, actions: vec[i64], count: i64, weights: vec[float]) -> None:
        self.turn_values_into(state, actions, count, weights)
        weigh_values(weights, count, self.temperature, LEAST_WEIGHT)

    # A rollout: a few turns, each the best of some random ones.

    def play_on(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PaysNoirState)
        steps: i64 = 0
        turns: i64 = 0
        while state.player != TERMINAL and turns < self.turns_ahead:
            if state.player == CHANCE:
                state.apply(state.sample(rng))
                steps += 1
            else:
                steps += self._quick_turn(state, rng)
                turns += 1
        return steps

    def move(self, state: State, rng: Random) -> i64:
        assert isinstance(state, PaysNoirState)
        if state.player == CHANCE:
            return state.sample(rng)
        self._choose_turn(state, rng)
        return self.chosen[0]

    def _quick_turn(self, state: PaysNoirState, rng: Random) -> i64:
        """Play the rest of a turn; return how many decisions it took."""
        count = self._choose_turn(state, rng)
        i: i64 = 0
        while i < count:
            state.apply(self.chosen[i])
            i += 1
        return count

    def _choose_turn(self, state: PaysNoirState, rng: Random) -> i64:
        """Find the best of some random ends of the turn; return how many decisions it takes."""
        seat = state.seat
        laid = state.board.laid
        state.board.make_room()
        self.turns += 1
        best = 0.0
        length: i64 = 0
        tries: i64 = 0
        while tries < self.tries:
            after = state.clone()
            count = self._random_turn(after, seat, rng)
            self._remember(after.board, laid)
            self.turn = self.turns
            value = self.value(after, seat)
            self.turn = 0
            if tries == 0 or value > best:
                best = value
                length = count
                self.tried, self.chosen = self.chosen, self.tried
            tries += 1
        return length

    def _random_turn(self, state: PaysNoirState, seat: i64, rng: Random) -> i64:
        """Play the rest of a turn at random, but put the member where it promises most; write the decisions down."""
        count: i64 = 0
        while True:
            action = self._best_spot(state) if state.phase == SPOT else state.sample(rng)
            self.tried[count] = action
            count += 1
            state.apply(action)
            if state.player != seat or state.phase == CARD:
                return count

    def _best_spot(self, state: PaysNoirState) -> i64:
        """Return the action for the spot on the card just laid where a member promises most, or for none."""
        self._look(state)
        board = state.board
        count = state.legal_into(self.actions)
        supply = state.supply(state.seat)
        price = self._supply_worth(supply) - self._supply_worth(supply - 1)
        best = self.actions[0]
        best_gain = 0.0
        i: i64 = 1
        while i < count:
            node = board.base(board.laid - 1) + self.actions[i] - state.deck.first_member - 1
            gain = self._spot_gain(state, node) - price
            if gain > best_gain:
                best_gain = gain
                best = self.actions[i]
            i += 1
        return best

    def _spot_gain(self, state: PaysNoirState, node: i64) -> float:
        """The points that a member on a spot of the card just laid promises; a member that is there already has them
        without another one."""
        board = state.board
        root = board.root(node)
        kind = board.kind(node)
        if board.records[root] & MEMBERS != 0:
            return 0.0
        gain = self._site_worth(state, root)
        if kind == QUARTER:
            gain += 1.0
        elif kind == TRACK and board.records[root] & OPEN_ENDS == 0:
            gain = as_float(board.line_length(root)) + self.member * self.left
        elif (kind in (MINE, FACTORY, PORT)) and board.is_finished(node):
            points = board.port_value(node) if kind == PORT else MINE_POINTS if kind == MINE else FACTORY_POINTS
            gain = as_float(points) + self.member * self.left
        return gain
