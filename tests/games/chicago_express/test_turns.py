"""A turn, its dials, and when a dividend is held in each printing."""

from __future__ import annotations

import pytest

from ludotheque.errors import IllegalMove

from .table import CO, NYC, PRR, legal, new_game, play, stand, way

pytestmark = pytest.mark.both

PRINTINGS = ("first", "revised")


def test_choosing_an_action_advances_its_dial_by_one() -> None:
    state = stand()
    play(state, "expand")
    assert list(state.dials) == [0, 1, 0]


def test_a_declined_action_counts_and_changes_nothing_else() -> None:
    state = stand()
    log = play(state, "decline expansion")
    assert log == ["Seat 1 chooses an expansion.", "Seat 1 declines the expansion."]
    assert list(state.dials) == [0, 1, 0]
    assert (list(state.treasury)[:4], list(state.cash)) == ([30] * 4, [30] * 4)
    assert (state.current_player(), legal(state)) == (1, ["auction", "expand", "develop"])


@pytest.mark.parametrize(("action", "dials"), [("auction", "3,0,0"), ("expand", "0,5,0"), ("develop", "0,0,4")])
def test_an_action_whose_dial_is_in_the_red_is_refused(action: str, dials: str) -> None:
    state = stand(dials=dials)
    assert action not in legal(state)
    assert len(legal(state)) == 2
    with pytest.raises(IllegalMove, match="is in the red"):
        play(state, action)


@pytest.mark.parametrize(("action", "times"), [("auction", 3), ("expansion", 5), ("development", 4)])
def test_dials_reach_the_red_after_3_auctions_5_expansions_4_developments(action: str, times: int) -> None:
    state = stand()
    dial = ("auction", "expansion", "development").index(action)
    for chosen in range(times):
        assert not state.is_red(dial), chosen
        play(state, f"decline {action}")
    assert state.is_red(dial)


def test_an_action_that_cannot_be_carried_out_may_be_chosen_and_is_declined() -> None:
    state = stand(PRR="0:1,0,0,0:R5")
    play(state, "expand")
    assert legal(state) == ["decline expansion"]
    play(state, "decline")
    play(state, "develop")
    assert legal(state) == ["decline development"]


def test_turns_go_clockwise() -> None:
    state = stand(turn="choose:3")
    play(state, "decline auction")
    assert state.current_player() == 3
    play(state, "decline auction")
    assert state.current_player() == 0


# Both printings at the same position: the auction dial is one short of the red, the expansion dial in it.


@pytest.mark.parametrize("printing", PRINTINGS)
def test_when_the_dividend_is_held(printing: str) -> None:
    state = stand(new_game(printing=printing), dials="2,5,0")
    chosen = play(state, "auction")
    assert any("General dividend" in line for line in chosen) == (printing == "revised")
    assert list(state.dials) == ([3, 5, 0] if printing == "first" else [0, 0, 0])
    assert (state.current_player(), "NYC" in legal(state)) == (0, True)
    play(state, "NYC", "bid 20", "pass", "pass")
    ended = play(state, "pass")
    assert any("General dividend" in line for line in ended) == (printing == "first")
    assert list(state.dials) == [0, 0, 0]
    assert (state.current_player(), legal(state)) == (1, ["auction", "expand", "develop"])
    # In the first printing the new share already has its part of the income of 8.
    assert list(state.cash) == ([30 + 7 - 20 + 4, 36, 35, 34] if printing == "first" else [30 + 7 - 20, 36, 35, 38])


def test_first_printing_the_dividend_comes_before_the_turn_of_the_next_player() -> None:
    state = stand(dials="2,5,0")
    log = play(state, "decline auction")
    assert log[2] == "General dividend, by share: PRR $7, B&O $6, C&O $5, NYC $8."
    assert (state.current_player(), list(state.cash)) == (1, [37, 36, 35, 38])


def test_revised_printing_the_chosen_action_is_carried_out_after_the_dividend_with_its_dial_at_the_start() -> None:
    state = stand(new_game(printing="revised"), dials="3,4,0", NYC="10:1,0,0,0:S3")
    play(state, "expand")
    assert (list(state.cash), list(state.dials)) == ([30 + 7 + 8, 36, 35, 30], [0, 0, 0])
    log = play(state, "NYC R3 done")
    assert log[1] == "NYC builds to the forest south-east of Binghamton for $2."
    assert list(state.dials) == [0, 0, 0]


def test_revised_printing_the_chosen_action_may_still_be_declined_after_the_dividend() -> None:
    state = stand(new_game(printing="revised"), dials="3,4,0")
    play(state, "decline expansion")
    assert (state.current_player(), list(state.dials)) == (1, [0, 0, 0])


def test_revised_printing_the_action_is_not_carried_out_if_the_dividend_ends_the_game() -> None:
    state = stand(new_game(printing="revised"), dials="3,4,0", industry="8,3,4")
    log = play(state, "expand")
    assert state.is_terminal()
    assert legal(state) == []
    assert log[-1] == "Seat 4 wins with $38."
    assert state.treasury[PRR] == 30


def test_first_printing_the_player_takes_no_turn_if_the_dividend_ends_the_game() -> None:
    state = stand(dials="3,4,0", industry="8,3,4")
    play(state, "expand PRR Q6 done")
    assert state.is_terminal()
    assert (state.treasury[PRR], legal(state)) == (29, [])


@pytest.mark.parametrize("printing", PRINTINGS)
@pytest.mark.parametrize(
    ("dials", "last"), [("2,5,3", "auction"), ("3,4,3", "expansion"), ("2,4,4", "expansion"), ("3,4,3", "development")]
)
def test_between_two_dividends_there_are_at_most_11_turns(printing: str, dials: str, last: str) -> None:
    turns = sum(int(times) for times in dials.split(","))
    state = stand(new_game(printing=printing), dials=dials)
    log = play(state, f"decline {last}")
    assert turns + 1 == 11
    assert any("General dividend" in line for line in log)


# Dividends.


def test_income_16_over_three_shares_pays_6_a_share_12_for_two() -> None:
    state = stand(dials="2,5,0", NYC="0:2,1,0,0:S3", PRR="0:0,0,0,1:R5", BO="0:0,0,0,1:Q7")
    state.income[NYC] = 16
    play(state, "decline auction")
    assert (state.cash[0] - 30, state.cash[1] - 30) == (12, 6)


def test_income_17_over_two_shares_pays_9_each_18_in_all() -> None:
    state = stand(dials="2,5,0", NYC="0:2,0,0,0:S3", PRR="0:0,0,0,1:R5")
    state.income[NYC] = 17
    play(state, "decline auction")
    assert state.cash[0] - 30 == 18


def test_dividends_come_from_the_bank() -> None:
    state = stand(dials="2,5,0")
    before = int(state.bank)
    play(state, "decline auction")
    assert (before - state.bank, list(state.treasury)[:4]) == (7 + 6 + 5 + 8, [30] * 4)


def test_after_the_dividend_the_dials_go_back_and_detroit_moves_up_one_step() -> None:
    state = stand(dials="2,5,3")
    log = play(state, "decline auction")
    assert (list(state.dials), list(state.steps)) == ([0, 0, 0], [1, 0, 0])
    assert log[-1] == "Detroit grows to 2."


def test_companies_in_detroit_gain_1_after_the_payment() -> None:
    game = new_game()
    state = stand(game, dials="2,5,3", industry="3,3,4", CO="0:0,0,1,0:" + way(game, CO, "E0"))
    income = int(state.income[CO])
    log = play(state, "decline auction")
    assert (state.cash[2], state.income[CO]) == (30 + income, income + 1)
    assert log[-1] == f"Detroit grows to 4. Income rises: C&O from {income} to {income + 1}."
