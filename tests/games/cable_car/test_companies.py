"""The Companies: shares, swaps and the count."""

from __future__ import annotations

import pytest

from ludotheque.core.game import CHANCE, SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.errors import IllegalMove
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.rules import BLOCK, NO_SHARE, PILES, CableCarState
from tests.games.cable_car.positions import game, give_share, legal, play, position, seen
from tests.games.cable_car.test_rules import full_board_but

pytestmark = pytest.mark.both

COMPANY = {colour: company for company, colour in enumerate(board.COLOURS)}


def dealt(players: int) -> CableCarState:
    """After the set-up, always dealing the first that is left."""
    state = game(players, companies=True).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def with_points(players: int = 2, **points: int) -> CableCarState:
    """A position for counting: nobody holds a share yet."""
    state = position(companies=True, players=players)
    for colour, number in points.items():
        state.points[COMPANY[colour]] = number
    for pile in range(PILES):
        for seat in range(players):
            state.shares[BLOCK * pile + seat] = NO_SHARE
    return state


# Set-up.


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_player_is_dealt_one_share_of_each_pile_and_one_is_turned_up(players: int) -> None:
    view = seen(dealt(players), SPECTATOR)
    assert [pile.percent for pile in view.shares] == [10, 20, 30, 40]
    for pile in view.shares:
        assert pile.hands == (HIDDEN,) * players
        assert pile.open == board.COLOURS[players]
        assert pile.undrawn == 7 - players


def test_set_up_deals_tiles_seat_by_seat_then_shares_pile_by_pile() -> None:
    state = game(2, companies=True, hand=2).new_initial_state()
    texts = []
    while state.is_chance_node():
        texts.append(state.action_to_string(state.legal_actions()[0]))
        state.apply_action(state.legal_actions()[0])
    assert texts == ["aaaa"] * 4 + ["yellow", "blue", "orange"] * 4


def test_all_eight_companies_play_whatever_the_number_of_players() -> None:
    assert len(dealt(2).points) == len(dealt(6).points) == 8


def test_points_go_to_companies() -> None:
    state = position({"A1": "aaaa", "A2": "cccc"}, companies=True)
    assert state.points[COMPANY["yellow"]] == 2, "the car at station 1 is yellow's"


# Swaps.


def test_a_turn_is_placing_or_swapping() -> None:
    moves = legal(position(hands="acba|baac", companies=True))
    assert moves[-9:] == [
        "draw",
        "swap 10 open", "swap 10 hidden", "swap 20 open", "swap 20 hidden",
        "swap 30 open", "swap 30 hidden", "swap 40 open", "swap 40 hidden",
    ]  # fmt: skip


def test_after_drawing_a_tile_it_must_be_placed_not_swapped() -> None:
    state = play(position(hands="acba|baac", companies=True), "draw", "bbbb")
    assert not [move for move in legal(state) if move.startswith("swap")]


def test_swapping_for_the_open_share_turns_up_the_next() -> None:
    state = play(position(companies=True), "swap 20 open")
    assert state.current_player() == CHANCE
    play(state, "purple")
    pile = seen(state, 0).shares[1]
    assert (pile.hands[0], pile.open, pile.given) == ("orange", "purple", ("yellow",))
    assert state.current_player() == 1


def test_swapping_for_the_hidden_share_leaves_the_open_one() -> None:
    state = play(position(companies=True), "swap 20 hidden", "purple")
    pile = seen(state, 0).shares[1]
    assert (pile.hands[0], pile.open, pile.given) == ("purple", "orange", ("yellow",))


def test_a_given_share_goes_to_the_bottom_of_its_pile() -> None:
    state = position(companies=True, players=6)
    play(state, "swap 10 hidden", "brown")
    assert seen(state, 0).shares[0].given == ("yellow",)
    play(state, "swap 10 hidden")
    assert seen(state, 1).shares[0].hands[1] == "yellow", "seat 2 takes what seat 1 gave, without a draw"
    assert seen(state, 1).shares[0].given == ("blue",)


def test_with_six_players_one_is_open_and_one_hidden() -> None:
    state = play(position(companies=True, players=6), "swap 10 open", "brown")
    view = seen(state, 0).shares[0]
    assert (view.hands[0], view.open, view.undrawn, view.given) == ("red", "brown", 0, ("yellow",))
    play(state, "swap 10 open")
    view = seen(state, 1).shares[0]
    assert (view.hands[1], view.open, view.given) == ("brown", "yellow", ("blue",)), "turned up without a draw"


def test_swapping_is_open_below_25_points_and_closed_for_good_from_25() -> None:
    state = position({"A1": "aaaa"}, hands="cccc|acba", companies=True)
    state.points[COMPANY["yellow"]] = 22
    play(state, "cccc A2", "bbbb")
    assert state.points[COMPANY["yellow"]] == 24
    assert state.may_swap()
    state = position({"A1": "aaaa"}, hands="cccc|acba", companies=True)
    state.points[COMPANY["yellow"]] = 23
    play(state, "cccc A2", "bbbb")
    assert state.points[COMPANY["yellow"]] == 25
    assert not state.may_swap()
    with pytest.raises(IllegalMove, match="25 points"):
        state.string_to_action("swap 10 open")


def test_the_base_game_has_no_swaps() -> None:
    with pytest.raises(IllegalMove, match="only in The Companies"):
        position().string_to_action("swap 10 open")


def end_of_the_pile(*free: str, turn: int, hands: str) -> CableCarState:
    """The pile is empty and a few cells are free; swapping is still open, whatever the lines have scored."""
    state = position(full_board_but(*free), hands=hands, companies=True, players=len(hands.split("|")))
    state.seat = state.player = turn - 1
    for company in range(8):
        state.points[company] = 0
    state.swaps_open = True
    return state


def test_a_player_with_no_tile_must_swap_while_swapping_is_open() -> None:
    state = end_of_the_pile("D3", "E3", turn=3, hands="dddd|dddd|-")
    assert legal(state) == [f"swap {percent} {take}" for percent in (10, 20, 30, 40) for take in ("open", "hidden")]


def test_a_player_with_no_tile_is_skipped_once_swapping_is_closed() -> None:
    state = end_of_the_pile("D3", "E3", turn=1, hands="dddd|-|dddd")
    state.swaps_open = False
    play(state, "dddd D3")
    assert state.current_player() == 2


def test_when_all_have_only_swapped_for_three_turns_the_next_must_place() -> None:
    state = position(companies=True, hands="acba|baac")
    for turn in range(6):
        assert state.may_swap(), f"after {turn} swaps"
        state.apply_action(state.string_to_action("swap 10 hidden"))
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
    assert not state.may_swap()
    assert "draw" in legal(state), "drawing first is allowed"
    with pytest.raises(IllegalMove, match="must place"):
        state.string_to_action("swap 10 open")
    play(state, "acba B1", "bbbb")
    assert state.may_swap(), "tested anew at every turn"


def test_without_a_tile_they_still_swap() -> None:
    state = end_of_the_pile("D3", "E3", turn=3, hands="dddd|dddd|-")
    for seat in range(3):
        state.swap_runs[seat] = 3
    assert state.may_swap()
    play(state, "swap 10 hidden", "purple")
    assert state.current_player() == 0
    assert not state.may_swap()


# The end.


def test_example_shares_give_65_and_with_the_majority_68() -> None:
    state = with_points(yellow=38, blue=30, orange=20, green=19, purple=18, black=9, red=0, brown=0)
    give_share(state, 0, 40, "yellow")
    give_share(state, 0, 20, "yellow")
    give_share(state, 0, 10, "green")
    give_share(state, 0, 30, "purple")
    assert [state.value(COMPANY[colour]) for colour in ("yellow", "green", "purple")] == [8, 5, 4]
    assert state.share_points(0) == 48 + 5 + 12 == 65
    give_share(state, 1, 10, "purple")
    give_share(state, 1, 40, "purple")
    give_share(state, 1, 20, "green")
    assert state.majority_points(0) == 3
    assert state.scores()[0] == 68


def test_tied_companies_share_a_value_and_the_next_takes_the_next_lower() -> None:
    state = with_points(yellow=40, blue=35, orange=30, green=30, purple=25, black=3, red=2, brown=1)
    assert [state.value(company) for company in range(8)] == [8, 7, 6, 6, 5, 4, 3, 2]


def test_all_companies_without_points_are_worth_8() -> None:
    assert [with_points().value(company) for company in range(8)] == [8] * 8


def test_tied_majorities_each_get_it_in_full() -> None:
    state = with_points(players=3, yellow=38)
    give_share(state, 0, 30, "yellow")
    give_share(state, 1, 10, "yellow")
    give_share(state, 1, 20, "yellow")
    give_share(state, 2, 10, "blue")
    assert [state.majority_points(seat) for seat in range(3)] == [3, 3, 0]


def test_the_majority_is_by_total_percentage() -> None:
    state = with_points(yellow=29)
    give_share(state, 0, 40, "yellow")
    give_share(state, 1, 30, "yellow")
    give_share(state, 1, 20, "yellow")
    assert [state.majority_points(seat) for seat in range(2)] == [0, 2]


def test_a_company_nobody_holds_gives_nobody_a_majority() -> None:
    state = with_points(yellow=38)
    assert [state.majority_points(seat) for seat in range(2)] == [0, 0]


# Who knows what.


def test_shares_stay_hidden_to_the_others() -> None:
    state = position(companies=True)
    assert seen(state, 0).shares[0].hands == ("yellow", HIDDEN)
    assert seen(state, 1).shares[0].hands == (HIDDEN, "blue")
    assert seen(state, SPECTATOR).shares[0].hands == (HIDDEN, HIDDEN)


def test_a_share_once_face_up_stays_known_wherever_it_goes() -> None:
    state = play(position(companies=True), "swap 10 open", "purple")
    assert seen(state, 1).shares[0].hands[0] == "orange"
    play(state, "swap 10 hidden", "red", "swap 10 hidden", "brown")
    assert seen(state, SPECTATOR).shares[0].given == (HIDDEN, HIDDEN, "orange")


def test_a_player_who_put_a_share_under_the_pile_knows_who_takes_it() -> None:
    state = play(position(companies=True, players=6), "swap 10 hidden", "brown", "swap 10 hidden")
    assert seen(state, 0).shares[0].hands[1] == "yellow"
    assert seen(state, 2).shares[0].hands[1] == HIDDEN


def told(before: CableCarState, move: str, viewer: int) -> list[str]:
    """What the log tells a viewer of a move."""
    action = before.string_to_action(move)
    after = before.clone()
    after.apply_action(action)
    return [str(line) for line in before.game.describe(before, action, after, viewer)]


def test_the_log_tells_who_got_a_share_given_back_before_to_those_who_know_it() -> None:
    """No draw tells it: seat 2 takes the yellow share that seat 1 put under the pile."""
    state = play(position(companies=True, players=6), "swap 10 hidden", "brown")
    swaps = "Seat 2 swaps the 10% share for the top hidden one."
    for viewer in (0, 1):
        assert told(state, "swap 10 hidden", viewer) == [swaps, "Seat 2 gets 10% of yellow."]
    for viewer in (2, SPECTATOR):
        assert told(state, "swap 10 hidden", viewer) == [swaps, "Seat 2 gets a hidden share of 10%."]


def test_the_log_tells_all_which_share_given_back_before_is_turned_up() -> None:
    state = play(position(companies=True, players=6), "swap 10 hidden", "brown")
    for viewer in (0, 2, SPECTATOR):
        assert told(state, "swap 10 open", viewer) == [
            "Seat 2 swaps the 10% share for the open one, red.",
            "10% of yellow is turned up.",
        ]


def test_a_swap_with_a_pile_of_shares_given_back_before_shows_one_without_a_draw() -> None:
    state = position(companies=True, players=6)
    swaps = [state.string_to_action(f"swap 10 {which}") for which in ("open", "hidden")]
    assert not any(state.game.reveals(state, swap) for swap in swaps), "the draw shows it"
    play(state, "swap 10 hidden", "brown")
    assert all(state.game.reveals(state, swap) for swap in swaps)


def test_a_hidden_share_is_seen_by_its_taker_only() -> None:
    state = play(position(companies=True), "swap 10 hidden")
    assert state.game.sees(state, COMPANY["purple"], 0)
    assert not state.game.sees(state, COMPANY["purple"], 1)
    assert not state.game.sees(state, COMPANY["purple"], SPECTATOR)


def test_a_share_dealt_at_set_up_is_seen_by_its_seat_only_and_the_open_one_by_all() -> None:
    state = play(game(2, companies=True).new_initial_state(), "aaaa", "bbbb")
    viewers = (0, 1, SPECTATOR)
    assert [state.game.sees(state, COMPANY["red"], viewer) for viewer in viewers] == [True, False, False]
    play(state, "yellow")
    assert [state.game.sees(state, COMPANY["red"], viewer) for viewer in viewers] == [False, True, False]
    play(state, "blue")
    assert [state.game.sees(state, COMPANY["red"], viewer) for viewer in viewers] == [True, True, True]


def test_an_open_share_is_seen_by_all() -> None:
    state = play(position(companies=True), "swap 10 open")
    assert all(state.game.sees(state, COMPANY["purple"], viewer) for viewer in (0, 1, SPECTATOR))


def test_no_player_points_are_shown_before_the_end() -> None:
    assert seen(position(companies=True), 0).scores == ()


def test_at_the_end_the_players_shares_are_shown_not_the_piles() -> None:
    state = play(position(full_board_but("D3"), hands="dddd|-", companies=True), "dddd D3")
    view = seen(state, SPECTATOR)
    assert view.shares[0].hands == ("yellow", "blue")
    assert view.shares[0].undrawn == 5
    assert list(view.scores) == state.scores()
