"""The sets that the rules update move by move are those that flood fill finds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from librt.random import Random

from ludotheque import COMPILED
from ludotheque.core.bits import places
from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.board import BASE, CARD_MEMBER
from ludotheque.games.pays_noir.deck import (
    CLAIMS_FROM,
    COUNT,
    LINKS,
    MINES_FROM,
    OPEN_ENDS,
    QUARTERS_FROM,
    STATIONS_FROM,
)
from ludotheque.games.pays_noir.rules import CARD, OVER, PLACE, SPOT, TURN, Journal, PaysNoirState
from tests.games.pays_noir.cards_at_random import Document, few_own_cards, strange_cards
from tests.games.pays_noir.flood import SITES, Award, Laid, Node, Table, kind, number
from tests.speeds import few, several

pytestmark = pytest.mark.both

REASONS = ("line", "port", "mine", "factory", "quarter", "urbanism", "country")


class Shadow:
    """A game played twice: by the rules, and on a slow table."""

    def __init__(self, game: PaysNoir, seed: int) -> None:
        self.game = game
        self.rng = Random(seed)
        self.state: PaysNoirState = game.new_initial_state()
        self.table = Table()
        self.points = [0] * game.players
        start = next(card for card in game.deck.cards if card.start)
        self.table.lay(Laid(start, 0, 0, 0))
        self.chosen = 0
        self.at = (0, 0)
        self.turn = 0

    def play(self) -> None:
        self.check_sets()
        while not self.state.is_terminal():
            self.step()

    def step(self) -> None:
        state, deck = self.state, self.game.deck
        phase, seat, laid = state.phase, state.seat, state.board.laid
        action = state.sample(self.rng)
        if phase == CARD and action < deck.first_discard:
            self.chosen = action
        elif phase == PLACE:
            self.at = self.coordinates(action - deck.first_place)
            self.turn = places(state.board.turns_at(self.chosen, action - deck.first_place))[0]
        elif phase == TURN:
            self.turn = action - deck.first_turn
        elif phase == SPOT and action > deck.first_member:
            self.table.members[self.last_spots()[action - deck.first_member - 1]] = seat
        state.journal = Journal()
        state.apply(action)
        if state.board.laid > laid:
            self.table.lay(Laid(deck.cards[self.chosen], self.turn, *self.at))
            self.check_spots(seat)
        if phase == SPOT or (state.board.laid > laid and state.phase != SPOT):
            self.check_score()
            self.check_sets()

    def coordinates(self, place: int) -> tuple[int, int]:
        for x, y in self.table.at:
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                beside = (x + dx, y + dy)
                if beside not in self.table.at and self.game.deck.place_at(*beside) == place:
                    return beside
        raise AssertionError(f"place {place} is not beside any card")

    def last_spots(self) -> list[Node]:
        last = len(self.table.cards) - 1
        return [(last, name) for name in self.table.cards[last].card.spots]

    def check_spots(self, seat: int) -> None:
        """The seat is asked for a spot if it has a member and there is one."""
        free = [spot for spot, node in enumerate(self.last_spots()) if self.table.may_stand(node, seat)]
        placed = sum(owner == seat for owner in self.table.members.values())
        if not free or placed == self.game.deck.members:
            assert self.state.phase != SPOT
        else:
            none = self.game.deck.first_member
            assert self.state.phase == SPOT
            assert self.state.legal_actions() == [none, *(none + 1 + spot for spot in free)]

    def check_score(self) -> None:
        expected = self.table.score(self.game.graded)
        self.take(expected)
        if max(self.points) < self.game.last_space and self.state.phase == OVER:
            final = self.table.final_count()
            self.take(final)
            expected += final
        elif max(self.points) >= self.game.last_space:
            assert self.state.phase == OVER
        assert self.state.journal is not None
        given = [
            Award(REASONS[award.reason], award.points, frozenset(places(award.families)))
            for award in self.state.journal.awards
        ]
        assert Counter(given) == Counter(expected)
        assert list(self.state.points) == self.points

    def take(self, awards: list[Award]) -> None:
        for award in awards:
            for seat in award.seats:
                self.points[seat] += award.points

    # The sets.

    def check_sets(self) -> None:
        board = self.state.board
        names: dict[int, Node] = {}
        for index, laid in enumerate(self.table.cards):
            base = board.cards[4 * index + BASE]
            for spot, part in enumerate(laid.card.spots):
                names[base + spot] = (index, part)
        self.check_members(names)
        sets: dict[int, set[Node]] = {}
        networks: dict[int, set[Node]] = {}
        for node, name in names.items():
            sets.setdefault(board.root(node), set()).add(name)
            if kind(name) in ("track", *SITES):
                networks.setdefault(board.network(node), set()).add(name)
        for root, parts in sets.items():
            assert self.table.whole(names[root]) == parts
            self.check_record(root, frozenset(parts))
        for root, parts in networks.items():
            self.check_network(root, frozenset(parts))

    def check_members(self, names: dict[int, Node]) -> None:
        standing = {}
        for index in range(self.state.board.laid):
            bears = self.state.board.cards[4 * index + CARD_MEMBER]
            if bears:
                standing[names[self.state.board.member_node(index)]] = bears % 8 - 1
        assert standing == self.table.members
        for seat in range(self.game.players):
            placed = sum(owner == seat for owner in standing.values())
            assert placed + self.state.supply(seat) == self.game.deck.members

    def check_record(self, node: int, whole: frozenset[Node]) -> None:
        board, record = self.state.board, self.state.board.records[node]
        families = self.table.families(whole)
        assert [record >> 4 * seat & 15 for seat in range(5)] == [families[seat] for seat in range(5)]
        assert (record & OPEN_ENDS) >> 20 == self.table.open_ends(whole)
        ring = [node]
        while board.following(ring[-1]) != node:
            ring.append(board.following(ring[-1]))
        assert len(ring) == len(whole)
        some = next(iter(whole))
        if kind(some) == "quarter":
            stations = sum(self.table.cards[i].card.quarters[number((i, name))].station for i, name in whole)
            assert record >> QUARTERS_FROM & COUNT == len(whole)
            assert record >> STATIONS_FROM & COUNT == stations
        if kind(some) == "track":
            assert board.line_length(node) == len({index for index, _ in whole})
        assert board.is_finished(node) == self.table.is_finished(some)
        if kind(some) == "country":
            assert board.country_value(node) == self.table.country_value(whole)
        if kind(some) == "port":
            assert board.port_value(node) == self.table.port_value(some)

    def check_network(self, root: int, together: frozenset[Node]) -> None:
        network = self.table.network(next(iter(together)))
        assert {node for node in network if kind(node) != "station"} == together
        record = self.state.board.records[root]
        sites = [sum(kind(part) == site for part in network) for site in SITES]
        assert [record >> (MINES_FROM + 10 * i) & COUNT for i in range(3)] == sites
        assert (record & LINKS != 0) == bool(self.table.linked_towns(network))
        assert (record & OPEN_ENDS) >> 20 == self.table.open_ends(network)
        claims = sum(part in self.table.members for part in network if kind(part) in SITES)
        assert record >> CLAIMS_FROM & COUNT == claims


def settings(document: dict[str, Any] | None, seed: int) -> dict[str, object]:
    return {"cards": document, "quarters": seed % 2 == 1}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sets_and_points_agree_with_flood_fill_in_whole_games(players: int) -> None:
    for seed in range(several(1, 5) if COMPILED else 1):
        Shadow(PaysNoir(players, settings(None, seed)), seed).play()


@pytest.mark.parametrize("make", [few_own_cards, strange_cards])
@pytest.mark.parametrize("first", few(range(0, 100, 10) if COMPILED else [0]))
def test_sets_and_points_agree_with_flood_fill_in_short_games(
    first: int, make: Callable[[random.Random], Document]
) -> None:
    for seed in range(first, first + (10 if COMPILED else 5)):
        game = PaysNoir(2 + seed % 4, settings(make(random.Random(seed)), seed))
        for again in range(10):
            Shadow(game, 10 * seed + again).play()
