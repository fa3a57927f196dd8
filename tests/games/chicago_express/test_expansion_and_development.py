"""Expansion and development: every rule about hexes."""

from __future__ import annotations

import pytest

from ludotheque.errors import IllegalMove
from ludotheque.games.chicago_express.board import hexes_of

from .table import BO, CO, NYC, PRR, WAB, Tracks, hexes, legal, new_game, play, stand, way

pytestmark = pytest.mark.both


# Expansion.


def test_nyc_builds_through_a_forest_to_binghamton_for_6_dollars_with_prr_there() -> None:
    state = stand(turn="choose:4", PRR="0:1,0,0,0:R5,R4,Q4,Q3")
    log = play(state, "expand NYC R3 Q3")
    assert log[2:] == [
        "NYC builds to the forest south-east of Binghamton for $2.",
        "NYC builds to Binghamton for $4; its income rises from 8 to 9.",
        "Seat 4 ends the expansion.",
    ]
    assert (state.treasury[NYC], state.current_player()) == (30 - 6, 0)


def test_only_a_company_of_which_the_player_holds_a_share_builds() -> None:
    state = stand(turn="name:2")
    assert legal(state) == ["decline expansion", "B&O"]
    with pytest.raises(IllegalMove, match="You hold no share of PRR"):
        play(state, "PRR")


def test_an_expansion_is_one_to_three_locomotives_of_one_company() -> None:
    state = stand(turn="name:1")
    play(state, "PRR")
    assert "done" not in legal(state)
    with pytest.raises(IllegalMove, match="at least one locomotive"):
        play(state, "done")
    play(state, "Q6")
    assert legal(state)[0] == "done"
    play(state, "P6", "O6")
    assert (state.current_player(), state.locomotives[PRR]) == (1, 16)


def test_a_company_that_can_build_nothing_cannot_be_named() -> None:
    state = stand(turn="name:1", PRR="0:1,0,0,0:R5")
    assert legal(state) == ["decline expansion"]
    with pytest.raises(IllegalMove, match=r"PRR can build nothing: .* \$0 it has"):
        play(state, "PRR")


def test_an_expansion_ends_by_itself_when_nothing_more_can_be_paid() -> None:
    state = stand(turn="name:1", PRR="2:1,0,0,0:R5")
    play(state, "PRR", "Q6", "P6")
    assert (state.treasury[PRR], state.current_player()) == (0, 1)


def test_each_locomotive_goes_next_to_the_network_the_new_ones_included() -> None:
    state = stand(turn="build:4:NYC:0")
    assert hexes(state) == {"S2", "S4", "R2", "R3"}
    with pytest.raises(IllegalMove, match=r"Binghamton is not next to the network of NYC"):
        play(state, "Q3")
    play(state, "R3")
    assert hexes(state) == {"S2", "S4", "R2", "R4", "Q3", "Q4"}


def test_branching_is_allowed() -> None:
    state = stand(turn="choose:4")
    play(state, "expand NYC R3 S4 S2")
    assert [state.board.hex(hex).id for hex in hexes_of(state.networks, NYC)] == ["R3", "S2", "S3", "S4"]


@pytest.mark.parametrize("start_hex", ["R5", "Q7", "Q9"])
def test_nobody_builds_on_a_start_hex(start_hex: str) -> None:
    state = stand(turn="build:4:NYC:0", NYC="90:0,0,0,1:" + way(new_game(), NYC, "R4", "Q6", "P7", "Q8"))
    assert start_hex not in hexes(state)
    with pytest.raises(IllegalMove, match="is a start hex: nobody builds there"):
        play(state, start_hex)


def test_fort_wayne_is_a_start_hex_but_also_a_city_to_build_on() -> None:
    game = new_game()
    state = stand(game, "build:4:NYC:0", NYC="90:0,0,0,1:" + way(game, NYC, "E3"))
    income = int(state.income[NYC])
    log = play(state, "Fort Wayne")
    assert log == [f"NYC builds to Fort Wayne for $1; its income rises from {income} to {income + 1}."]


def test_never_two_locomotives_of_one_company_on_a_hex() -> None:
    state = stand(turn="build:4:NYC:0", NYC="90:0,0,0,1:S3,R3")
    with pytest.raises(IllegalMove, match="NYC is in the forest south-east of Binghamton already"):
        play(state, "R3")


def test_never_without_a_locomotive_left() -> None:
    game = new_game()
    all_of_prr = ",".join([way(game, PRR, "A2"), "Q6"])
    state = stand(game, "name:1", PRR="90:1,0,0,0:" + all_of_prr, WAB="0:0,0,0,0:D3")
    assert state.locomotives[PRR] == 1
    play(state, "PRR", "P6")
    assert (state.locomotives[PRR], state.current_player()) == (0, 1)
    state = stand(game, "name:1", PRR="90:1,0,0,0:" + all_of_prr + ",P6", WAB="0:0,0,0,0:D3")
    assert legal(state) == ["decline expansion"]
    with pytest.raises(IllegalMove, match="PRR has no locomotive left"):
        play(state, "PRR")


@pytest.mark.parametrize(("hex", "terrain"), [("R4", "plain"), ("Q3", "city")])
def test_plain_and_city_hold_any_number_of_companies(hex: str, terrain: str) -> None:
    game = new_game()
    state = stand(game, "build:4:NYC:0", PRR="0:1,0,0,0:" + way(game, PRR, "R4", "Q4", "Q3"), NYC="90:0,0,0,1:S3,R3")
    assert state.board.hex(state.board.number_of[hex]).terrain == terrain
    assert hex in hexes(state)


def test_an_industrial_city_holds_all_five_companies() -> None:
    game = new_game()
    tracks = Tracks(game)
    state = stand(game, "build:1:WAB:0", WAB="90:1,0,0,0:" + tracks.way(WAB, "I4", "J4"),
                  PRR="0:1,0,0,0:" + tracks.way(PRR, "O4", "M4", "K4"), CO="0:0,0,1,0:" + tracks.way(CO, "K7", "K4"),
                  NYC="0:0,0,0,1:" + tracks.way(NYC, "A2", "K4"), BO="0:0,1,0,0:" + tracks.way(BO, "K4"))  # fmt: skip
    assert state.locomotives_on(state.board.number_of["K4"]) == 4
    log = play(state, "Pittsburgh")
    assert log == ["WAB builds to Pittsburgh for $20; its income rises from 2 to 6."]


@pytest.mark.parametrize(("hex", "terrain"), [("Q4", "forest"), ("N4", "mountain")])
def test_forest_and_mountain_hold_only_one_company(hex: str, terrain: str) -> None:
    game = new_game()
    state = stand(game, "build:4:NYC:0", PRR="0:1,0,0,0:R5,R4,Q4,P4,O4,N4",
                  NYC="90:0,0,0,1:" + way(game, NYC, "R3", "Q3", "P3", "O3", "N3"))  # fmt: skip
    assert hex not in hexes(state)
    with pytest.raises(IllegalMove, match=f"has a locomotive, and {terrain} holds only one"):
        play(state, hex)


def test_a_locomotive_costs_the_hex_cost_times_the_locomotives_there() -> None:
    state = stand(turn="build:4:NYC:0", PRR="0:1,0,0,0:R5,R4", NYC="90:0,0,0,1:S3,S4")
    assert state.price(state.board.number_of["R4"]) == 2
    play(state, "R4")
    assert (state.treasury[NYC], state.bank) == (88, 120 - 120 - 30 - 30 - 88)
    assert state.price(state.board.number_of["R4"]) == 3


def test_the_treasury_must_be_able_to_pay() -> None:
    state = stand(turn="build:4:NYC:0", PRR="0:1,0,0,0:R5,R4,Q4,Q3", NYC="3:0,0,0,1:S3,R3")
    assert "Q3" not in hexes(state)
    with pytest.raises(IllegalMove, match=r"Binghamton costs \$4 and NYC has \$3"):
        play(state, "Binghamton")


def test_the_player_adds_no_money_of_their_own() -> None:
    state = stand(turn="name:1", PRR="0:1,0,0,0:R5", cash="99,7,7,7")
    assert legal(state) == ["decline expansion"]


def test_plain_and_forest_add_nothing_to_the_income() -> None:
    state = stand(turn="choose:4")
    log = play(state, "expand NYC R3 S4")
    assert log[2:4] == [
        "NYC builds to the forest south-east of Binghamton for $2.",
        "NYC builds to the plain south of New York for $1.",
    ]
    assert state.income[NYC] == 8


def test_a_mountain_adds_its_income() -> None:
    game = new_game()
    state = stand(game, "build:1:PRR:0", PRR="30:1,0,0,0:R5,R4,Q4,P4,O4")
    log = play(state, "N4")
    assert log == ["PRR builds to the mountains by Harrisburg for $3; its income rises from 8 to 9."]


def test_a_city_at_2_developed_at_1_adds_3() -> None:
    game = new_game()
    state = stand(game, "build:2:B&O:0", CO="0:0,0,1,0:" + way(game, CO, "K10", "I9"), houses="I9",
                  BO="90:0,1,0,0:" + way(game, BO, "N6", "K7", "J8"))  # fmt: skip
    charleston = state.board.hex(state.board.number_of["I9"])
    assert (charleston.income, charleston.development) == (2, 1)
    income = int(state.income[BO])
    log = play(state, "Charleston")
    assert log == [f"B&O builds to Charleston for $6; its income rises from {income} to {income + 3}."]


@pytest.mark.parametrize(("industry", "gain"), [("1,3,4", 4), ("1,3,6", 6), ("1,3,8", 8)])
def test_an_industrial_city_adds_its_present_value(industry: str, gain: int) -> None:
    game = new_game()
    state = stand(game, "build:1:PRR:0", PRR="30:1,0,0,0:" + way(game, PRR, "O4", "M4", "L3"), industry=industry)
    income = int(state.income[PRR])
    play(state, "Pittsburgh")
    assert (state.income[PRR], state.treasury[PRR]) == (income + gain, 30 - 4)


def test_income_has_no_upper_limit() -> None:
    state = stand(turn="build:1:PRR:0", PRR="30:1,0,0,0:R5,R4,Q4,P4")
    state.income[PRR] = 50
    log = play(state, "Harrisburg")
    assert log == ["PRR builds to Harrisburg for $2; its income rises from 50 to 51."]


# Development.


def test_developing_charleston_raises_co_from_12_to_13() -> None:
    game = new_game()
    state = stand(game, CO="0:0,0,1,0:" + way(game, CO, "K10", "I9"))
    state.income[CO] = 12
    log = play(state, "develop I9")
    assert log[1] == "Seat 1 develops Charleston. Income rises: C&O from 12 to 13."
    assert (state.income[CO], state.houses) == (13, 19)


def test_developing_wheeling_from_3_to_4_raises_prr_17_to_18_and_bo_14_to_15() -> None:
    game = new_game()
    state = stand(game, PRR="0:1,0,0,0:" + way(game, PRR, "O4", "K4", "I6"),
                  BO="0:0,1,0,0:" + way(game, BO, "N6", "K7", "I6"))  # fmt: skip
    state.income[PRR], state.income[BO] = 17, 14
    log = play(state, "develop Wheeling")
    assert log[1] == "Seat 1 develops Wheeling from 3 to 4. Income rises: PRR from 17 to 18, B&O from 14 to 15."
    assert (state.income[PRR], state.income[BO], state.houses) == (18, 15, 20)


def test_developing_pittsburgh_adds_2_each_time_and_uses_no_house() -> None:
    game = new_game()
    state = stand(game, PRR="0:1,0,0,0:" + way(game, PRR, "O4", "K4"))
    income = int(state.income[PRR])
    play(state, "develop K4")
    assert (state.income[PRR], state.houses) == (income + 2, 20)
    play(state, "develop K4")
    assert (state.income[PRR], state.houses) == (income + 4, 20)


@pytest.mark.parametrize(("hex", "industry"), [("I6", "1,6,4"), ("K4", "1,3,8")])
def test_an_industrial_city_at_its_last_step_cannot_be_developed(hex: str, industry: str) -> None:
    game = new_game()
    state = stand(game, "develop:1", PRR="0:1,0,0,0:" + way(game, PRR, "O4", "K4", "I6"), industry=industry)
    assert hex not in hexes(state)
    with pytest.raises(IllegalMove, match="is at the last step of its track"):
        play(state, hex)


def test_the_last_step_can_be_reached_and_closes_the_city() -> None:
    game = new_game()
    state = stand(game, PRR="0:1,0,0,0:" + way(game, PRR, "O4", "K4"), industry="1,3,6")
    play(state, "develop K4")
    play(state, "develop")
    assert "K4" not in hexes(state)


def test_no_share_is_needed_and_it_costs_nothing() -> None:
    state = stand(turn="choose:3", NYC="5:0,0,0,1:S3,R3,Q3")
    play(state, "develop Binghamton")
    assert (state.income[NYC], state.treasury[NYC], state.cash[2]) == (8 + 1 + 1, 5, 30)


def test_every_company_in_a_city_gains_its_development() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3", NYC="0:0,0,0,1:S3,R3,Q3")
    log = play(state, "develop Q3")
    assert log[1] == "Seat 1 develops Binghamton. Income rises: PRR from 8 to 9, NYC from 9 to 10."


def test_a_developed_mountain_adds_its_development() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,P4,O4,N4")
    log = play(state, "develop N4")
    assert log[1] == "Seat 1 develops the mountains by Harrisburg. Income rises: PRR from 9 to 11."


def test_a_developed_forest_gives_its_company_2_dollars_and_no_income() -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4")
    bank = int(state.bank)
    log = play(state, "develop Q4")
    assert log[1] == "Seat 1 develops the forest south of Binghamton: PRR gets $2."
    assert (state.treasury[PRR], state.income[PRR], state.houses, bank - state.bank) == (2, 7, 19, 2)


@pytest.mark.parametrize("hex", ["Q3", "Q4", "N4"])
def test_city_forest_and_mountain_are_developed_once(hex: str) -> None:
    state = stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3,P4,O4,N4")
    play(state, f"develop {hex}", "develop")
    assert hex not in hexes(state)
    with pytest.raises(IllegalMove, match="has been developed already"):
        play(state, hex)


@pytest.mark.parametrize("hex", ["Q3", "Q4", "N4", "I6", "K4"])
def test_a_hex_without_a_locomotive_cannot_be_developed(hex: str) -> None:
    state = stand(turn="develop:1")
    assert legal(state) == ["decline development"]
    with pytest.raises(IllegalMove, match="has no locomotive"):
        play(state, hex)


@pytest.mark.parametrize(
    ("hex", "reason"),
    [
        ("R4", "is plain: it cannot be developed"),
        ("R5", "cannot be developed"),
        ("Q7", "cannot be developed"),
        ("Q9", "cannot be developed"),
        ("S3", "cannot be developed"),
        ("A2", "cannot be developed"),
        ("E0", "grows by itself"),
    ],
)
def test_plains_start_hexes_chicago_and_detroit_are_never_developed(hex: str, reason: str) -> None:
    game = new_game()
    state = stand(game, "develop:1", PRR="0:1,0,0,0:R5,R4", NYC="0:0,0,0,1:" + way(game, NYC, "A2", "E0"),
                  WAB="0:0,0,0,0:D3")  # fmt: skip
    assert hex not in hexes(state)
    with pytest.raises(IllegalMove, match=reason):
        play(state, hex)


def test_fort_wayne_may_be_developed() -> None:
    game = new_game()
    state = stand(game, NYC="0:0,0,0,1:" + way(game, NYC, "D3"))
    income = int(state.income[NYC])
    play(state, "develop Fort Wayne")
    assert state.income[NYC] == income + 2


def test_a_house_comes_from_the_supply_and_an_empty_supply_leaves_only_industry() -> None:
    game = new_game()
    lakes = way(game, NYC, "R3", "Q3", "Q2", "P2", "O2", "N2", "M2", "L2", "K2", "J2", "I2", "I4", "I6")
    seaboard = way(game, PRR, "R4", "Q4", "P4", "O4", "N4", "M4", "L4", "K4", "M5", "M6", "L5", "K6")
    houses = ["R3", "Q3", "Q2", "P2", "O2", "N2", "M2", "L2", "K2", "J2", "I2", "I4",
              "Q4", "O4", "N4", "M4", "L4", "M5", "M6"]  # fmt: skip
    state = stand(game, NYC=f"0:0,0,0,1:{lakes}", PRR=f"0:1,0,0,0:{seaboard}", houses=",".join(houses))
    assert state.houses == 1
    play(state, "develop L5")
    assert state.houses == 0
    play(state, "develop")
    assert hexes(state) == {"I6", "K4"}
    with pytest.raises(IllegalMove, match="No house is left"):
        play(state, "K6")
