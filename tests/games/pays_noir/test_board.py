"""Places without an edge, cards turned and fitted, and numbers of actions."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from librt.random import Random

from ludotheque.core.bits import places
from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.board import EAST, NORTH, TURNED, Board, new_board
from ludotheque.games.pays_noir.cards import SIDE_LETTERS
from ludotheque.games.pays_noir.deck import FACE, Deck
from ludotheque.games.pays_noir.document import read_cards
from ludotheque.games.pays_noir.rules import CARD, PLACE
from ludotheque.games.pays_noir.tabletop import card_places, gap_places
from tests.games.pays_noir.positions import game, position
from tests.speeds import several

pytestmark = pytest.mark.both

STEPS = [(int(east), int(north)) for east, north in zip(EAST, NORTH, strict=True)]
FIELDS = {
    "edges": dict.fromkeys(SIDE_LETTERS, "country"),
    "patches": [{"halves": [f"{side}{half}" for side in SIDE_LETTERS for half in (1, 2)], "touches": []}],
}


def fields(copies: int) -> dict[str, Any]:
    """A card set of nothing but meadows."""
    cards = [{"id": "start", "copies": 1, "start": True, **FIELDS}, {"id": "field", "copies": copies, **FIELDS}]
    return {"members": 8, "hand": 1, "score_track": 90, "cards": cards}


@pytest.mark.parametrize("cards", [6, 7, 12, 73, 200])
def test_places_that_cards_can_reach_together_have_different_numbers(cards: int) -> None:
    deck = Deck(read_cards(fields(cards - 1)))
    reach = cards + 1
    for dx in range(-reach, reach + 1):
        for dy in range(-(reach - abs(dx)), reach - abs(dx) + 1):
            assert (deck.place_at(dx, dy) == deck.place_at(0, 0)) == (dx == dy == 0)


@pytest.mark.parametrize("step", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_table_can_grow_in_any_direction_as_far_as_there_are_cards(step: tuple[int, int]) -> None:
    board = new_board(Deck(read_cards(fields(30))))
    for distance in range(1, 31):
        board.lay(4, board.deck.place_at(distance * step[0], distance * step[1]))
    assert card_places(board) == [(step[0] * n, step[1] * n) for n in range(31)]
    assert board.gap_count == len(gap_places(board)) == 2 * 31 + 2


def test_a_copy_grows_apart_from_its_original() -> None:
    """A copy has room for one card. A game on copies of copies is the same, and earlier ones stay as they were."""
    rng = Random(3)
    state = game(2).new_initial_state()
    copy = state.clone()
    kept = []
    while not state.is_terminal():
        action = state.sample(rng)
        state.apply(action)
        copy = copy.clone()
        copy.apply(action)
        if state.board.laid % 8 == 0 and not state.is_chance_node():
            kept.append((copy, state.position()))
        if state.board.laid % 24 == 0:
            copy = state.clone()
    assert copy.position() == state.position()
    assert [earlier.position() for earlier, _ in kept] == [position for _, position in kept]
    assert len(kept) > 10


@pytest.mark.parametrize("seed", range(several(2, 30)))
def test_gaps_are_the_empty_places_next_to_cards_and_see_their_edges(seed: int) -> None:
    """However cards were laid and boards copied, against a list made anew from the cards on the table."""
    rng = Random(seed)
    state = game(2).new_initial_state()
    while not state.is_terminal():
        state.apply(state.sample(rng))
        state = state.clone() if rng.randrange(3) == 0 else state
        if state.board.laid % 9 == 0:
            board = state.board
            assert gap_places(board) == {board.deck.place_at(x, y): (x, y) for x, y in empty_neighbours(board)}
            assert sorted(int(gap) for gap in board.gaps[: board.gap_count]) == sorted(codes_of_gaps(board))


def empty_neighbours(board: Board) -> set[tuple[int, int]]:
    cards = card_places(board)
    return {(x + dx, y + dy) for x, y in cards for dx, dy in STEPS} - set(cards)


def codes_of_gaps(board: Board) -> list[int]:
    """Return `256 * place + gap` of each empty place, from the edges of the cards beside it."""
    cards = {place: card for card, place in enumerate(card_places(board))}
    codes = []
    for x, y in empty_neighbours(board):
        gap = 0
        for side, (dx, dy) in enumerate(STEPS):
            card = cards.get((x + dx, y + dy))
            if card is not None:
                turned = int(board.cards[4 * card + TURNED])
                gap += int(board.deck.faces[FACE * (4 * turned + (side + 2) % 4)]) << 2 * side
        codes.append(256 * board.deck.place_at(x, y) + gap)
    return codes


@pytest.mark.parametrize(("phase", "choices"), [(CARD, 2), (PLACE, 4)])
def test_cards_and_places_are_drawn_among_those_that_fit_each_as_likely(phase: int, choices: int) -> None:
    state = game(2).new_initial_state()
    rng = Random(5)
    while state.phase != phase or state.board.laid < 20 or not choices <= len(state.legal_actions()) <= 12:
        state.apply(state.sample(rng))
        assert not state.is_terminal()
    legal = state.legal_actions()
    drawn = [int(state.sample(rng)) for _ in range(400 * len(legal))]
    counts = [drawn.count(place) for place in legal]
    assert sum(counts) == len(drawn)
    assert sum((count - 400) ** 2 / 400 for count in counts) < len(legal) + 5 * (2 * len(legal)) ** 0.5


def test_the_range_of_actions_depends_on_the_cards_alone() -> None:
    assert {game(players).num_distinct_actions() for players in (2, 3, 4, 5)} == {54 + 54 + 4 + 9 + 2813}
    assert PaysNoir(2, {"cards": fields(10)}).num_distinct_actions() == 2 + 2 + 4 + 2 + 85


def test_a_card_is_named_by_its_picture_whatever_else_the_hand_holds() -> None:
    one = position(hand="straight curve curve junction")
    other = position(hand="straight port_end terminus crossing")
    assert one.string_to_action("straight") == other.string_to_action("straight")


def test_every_card_fits_a_gap_if_its_turned_edges_match() -> None:
    deck = game().deck
    codes = {"country": 1, "rail": 2, "town": 3}
    for number, card in enumerate(deck.cards):
        for turn in range(deck.turns[number]):
            seen = [codes[card.edges[(side - turn) % 4]] for side in range(4)]
            for hidden in product((0, 1), repeat=4):
                gap = sum(
                    0 if hide else code * 4**side for side, (hide, code) in enumerate(zip(hidden, seen, strict=True))
                )
                assert turn in places(int(deck.fits[256 * number + gap]))
            wrong = sum((code % 3 + 1) * 4**side for side, code in enumerate(seen[:1]))
            assert turn not in places(int(deck.fits[256 * number + wrong]))


@pytest.mark.parametrize(
    ("card", "turns"),
    [("fields_factory", 1), ("heart_bourgeois", 1), ("crossing", 1), ("straight", 2), ("band_corons", 2),
     ("two_curves", 2), ("curve", 4), ("two_caps_facing_corons_slum", 4), ("two_caps_facing_straight", 4)],
)  # fmt: skip
def test_turns_that_look_the_same_count_once(card: str, turns: int) -> None:
    ids = [card.id for card in game().deck.cards]
    assert game().deck.turns[ids.index(card)] == turns
