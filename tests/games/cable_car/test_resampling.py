"""Positions that a viewer cannot tell apart are drawn evenly from all of those, also between a move and its draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest
from librt.random import Random

from ludotheque.core.game import SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.games.cable_car.rules import CableCarState
from tests.games.cable_car.positions import game, play, position, seen
from tests.games.cable_car.test_rules import full_board_but

pytestmark = pytest.mark.both

TIMES = 2000


def check_frequencies(
    state: CableCarState, viewer: int, fact: Callable[[CableCarState], object], expected: dict[object, float]
) -> None:
    """Within five standard deviations, with a fixed seed; every position is one the viewer could be in."""
    rng = Random(3)
    others = [state.resample_from_infostate(viewer, rng) for _ in range(TIMES)]
    for other in others[:20]:
        assert seen(other, viewer) == seen(state, viewer)
        assert state.game.read_position(other.position()).position() == other.position()
    counts = Counter(fact(other) for other in others)
    assert set(counts) <= set(expected)
    for value, chance in expected.items():
        mean = TIMES * chance
        assert abs(counts[value] - mean) <= 5 * (mean * (1 - chance)) ** 0.5, value


def evenly(values: list[object]) -> dict[object, float]:
    return dict.fromkeys(values, 1 / len(values))


def hand(seat: int) -> Callable[[CableCarState], object]:
    return lambda state: seen(state, seat).hands[seat]


def share(seat: int) -> Callable[[CableCarState], object]:
    return lambda state: seen(state, seat).shares[0].hands[seat]


# Tiles: ddbc, ddbc, dddd, dddd are left.


def four_tiles_left() -> CableCarState:
    return position(full_board_but("D3", "E3", "C4", "F4"), hands="ddbc|dddd")


def test_the_other_hand_is_dealt_from_all_tiles_the_viewer_has_not_seen() -> None:
    check_frequencies(four_tiles_left(), 0, hand(1), {("ddbc",): 1 / 3, ("dddd",): 2 / 3})
    check_frequencies(four_tiles_left(), 1, hand(0), {("ddbc",): 2 / 3, ("dddd",): 1 / 3})


def test_a_viewer_keeps_its_own_hand() -> None:
    check_frequencies(four_tiles_left(), 0, hand(0), {("ddbc",): 1})


def test_a_spectator_knows_no_hand() -> None:
    both: dict[object, float] = {
        ("ddbc", "ddbc"): 1 / 6,
        ("ddbc", "dddd"): 1 / 3,
        ("dddd", "ddbc"): 1 / 3,
        ("dddd", "dddd"): 1 / 6,
    }
    check_frequencies(
        four_tiles_left(), SPECTATOR, lambda state: (*seen(state, 0).hands[0], *seen(state, 1).hands[1]), both
    )


def test_a_tile_drawn_to_be_placed_is_dealt_anew_to_all_but_its_player() -> None:
    state = play(four_tiles_left(), "draw", "dddd")
    check_frequencies(state, 0, lambda state: seen(state, 0).drawn, {"dddd": 1})
    check_frequencies(state, 1, lambda state: seen(state, 0).drawn, {"ddbc": 2 / 3, "dddd": 1 / 3})


def test_hands_are_as_large_in_the_middle_of_the_deal() -> None:
    state = play(game(3, hand=2).new_initial_state(), "aaaa", "aaaa", "bbbb")
    other = state.resample_from_infostate(0, Random(1))
    assert seen(other, 0).hands == (("aaaa", "aaaa"), (HIDDEN,), ())
    assert (other.left, other.current_player()) == (57, state.current_player())


# Shares: of 10%, seats 1-5 hold yellow, blue, orange, green, purple; black is open, red and brown were never drawn.


def test_shares_are_exchanged_with_all_that_the_viewer_cannot_place() -> None:
    unknown = ["yellow", "orange", "green", "purple", "red", "brown"]
    state = position(players=5, companies=True)
    pairs: list[object] = list(permutations(unknown, 2))
    check_frequencies(state, 1, lambda state: (share(0)(state), share(4)(state)), evenly(pairs))
    check_frequencies(state, 1, share(1), {"blue": 1})


def test_in_the_middle_of_a_swap_only_the_giver_knows_what_was_given() -> None:
    state = play(position(players=5, companies=True), "swap 10 hidden")

    def given(state: CableCarState) -> object:
        return seen(state, 0).shares[0].given[0]

    check_frequencies(state, 0, given, {"yellow": 1})
    check_frequencies(state, 1, given, evenly(["yellow", "orange", "green", "purple", "red", "brown"]))
    check_frequencies(state, 0, share(1), evenly(["blue", "orange", "green", "purple", "red", "brown"]))


def test_in_the_middle_of_the_deal_what_may_still_be_drawn_is_dealt_anew_too() -> None:
    state = play(game(3, companies=True).new_initial_state(), "aaaa", "bbbb", "cccc", "yellow", "blue")
    check_frequencies(state, 1, share(0), evenly(["yellow", "orange", "green", "purple", "black", "red", "brown"]))
    check_frequencies(state, 0, lambda state: len(state.legal_actions()), {6: 1})


def test_who_knows_a_share_stays_with_its_place() -> None:
    """Seat 2 takes what seat 1 gave: for seat 3 it is any share, but one that seats 1 and 2 know."""
    state = play(position(companies=True, players=6), "swap 10 hidden", "brown", "swap 10 hidden")
    check_frequencies(
        state, 2, lambda state: seen(state, 0).shares[0].hands[1],
        evenly(["yellow", "blue", "green", "purple", "black", "brown"]),
    )  # fmt: skip
