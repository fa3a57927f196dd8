"""Chicago, the Wabash, and the end of the game."""

from __future__ import annotations

import pytest

from ludotheque.errors import IllegalMove
from ludotheque.games.chicago_express import ChicagoExpress
from ludotheque.games.chicago_express.board import DETROIT
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import AUCTION, BUILDING, EXPANSION, ChicagoExpressState

from .table import BO, CO, NYC, PRR, WAB, Tracks, hexes, legal, new_game, play, seen, stand, way

pytestmark = pytest.mark.both

PRINTINGS = ("first", "revised")


def before_chicago(game: ChicagoExpress | None = None, **given: str) -> ChicagoExpressState:
    """NYC is next to Chicago with $50; seat 4 holds two of its shares and seat 1 one."""
    game = game or new_game()
    given.setdefault("NYC", "50:1,0,0,2:" + way(game, NYC, "B2"))
    return stand(game, given.pop("turn", "choose:4"), **given)


# Chicago.


def test_a_company_in_chicago_gets_its_income_then_pays_its_shareholders_from_the_bank() -> None:
    state = before_chicago()
    income = int(state.income[NYC])
    each = -(-(income + 7) // 3)
    log = play(state, "expand NYC", "A2")
    assert log[2:6] == [
        f"NYC builds to Chicago for $3; its income rises from {income} to {income + 7}.",
        f"NYC has reached Chicago and pays ${each} a share.",
        f"Seat 1 gets ${each}.",
        f"Seat 4 gets ${2 * each}.",
    ]
    assert list(state.cash) == [30 + each, 30, 30, 30 + 2 * each]
    assert state.treasury[NYC] == 50 - 3


def test_the_player_goes_on_with_the_locomotives_left_after_chicago() -> None:
    state = before_chicago()
    play(state, "expand NYC", "A2")
    assert (state.current_player(), legal(state)[0]) == (3, "done")
    assert {"A3", "B3"} <= hexes(state)


def test_an_expansion_of_three_locomotives_through_chicago() -> None:
    state = before_chicago()
    log = play(state, "expand NYC A2 A3 A4")
    built = [line for line in log if "builds" in line][1:]
    assert built == [
        "NYC builds to the plain south of Chicago for $1.",
        "NYC builds to the plain 2 hexes south of Chicago for $1.",
    ]
    assert log[-2] == "The Wabash opens in Fort Wayne with an income of 1."
    assert log[-1] == "Seat 4 opens the auction of its first share, from $1."
    assert (state.company, state.current_player()) == (WAB, 3)


def test_the_wabash_opens_only_at_the_end_of_the_expansion() -> None:
    state = before_chicago(NYC="50:1,0,0,2:" + way(new_game(), NYC, "C2", "B2"))
    play(state, "expand NYC", "A2")
    fort_wayne = state.board.number_of["D3"]
    assert not state.is_on(WAB, fort_wayne)
    log = play(state, "C3", "D3")
    assert log[1].startswith("NYC builds to Fort Wayne for $1;")
    assert state.is_on(WAB, fort_wayne)
    assert state.locomotives_on(fort_wayne) == 2


def test_one_of_11_locomotives_goes_on_fort_wayne_free_of_charge() -> None:
    state = before_chicago()
    play(state, "expand NYC A2 done")
    assert (state.locomotives[WAB], state.treasury[WAB], state.income[WAB]) == (10, 0, 1)
    assert state.is_on(WAB, state.board.number_of["D3"])


def test_the_wabash_opens_with_an_income_of_3_if_fort_wayne_has_a_house() -> None:
    game = new_game()
    state = before_chicago(game, CO="0:0,0,1,0:" + way(game, CO, "D3"), houses="D3")
    log = play(state, "expand NYC A2 done")
    assert log[-2:] == [
        "The Wabash opens in Fort Wayne with an income of 3.",
        "Seat 4 opens the auction of its first share, from $3.",
    ]


def test_the_wabash_opens_on_a_fort_wayne_that_others_have_built_on() -> None:
    game = new_game()
    state = before_chicago(game, CO="0:0,0,1,0:" + way(game, CO, "D3"))
    income = int(state.income[CO])
    play(state, "expand NYC A2 done", "pass", "pass", "pass", "pass")
    fort_wayne = state.board.number_of["D3"]
    assert (state.locomotives_on(fort_wayne), state.income[WAB], state.income[CO]) == (2, 1, income)
    assert state.price(fort_wayne) == 3
    play(state, "develop Fort Wayne")
    assert (state.income[WAB], state.income[CO]) == (3, income + 2)


def test_the_player_who_reached_chicago_opens_the_auction_and_the_dial_does_not_move() -> None:
    state = before_chicago(dials="2,3,0")
    log = play(state, "expand NYC A2", "bid 4", "bid 5", "pass", "pass", "pass")
    assert log[-1] == "Seat 1 buys a share of WAB for $5."
    assert list(state.dials) == [2, 4, 0]
    assert (state.treasury[WAB], state.sold[WAB], state.current_player()) == (5, 1, 0)


def test_an_unsold_share_stays_and_the_wabash_is_open_all_the_same() -> None:
    state = before_chicago()
    log = play(state, "expand NYC A2", "pass", "pass", "pass", "pass")
    assert log[-1] == "Nobody bids: the share stays with WAB."
    assert (state.wabash_open, state.sold[WAB], state.current_player()) == (True, 0, 0)
    play(state, "auction")
    assert "WAB" in legal(state)


def test_what_a_share_of_an_unsold_wabash_seems_worth_does_not_depend_on_other_positions() -> None:
    state = before_chicago()
    play(state, "expand NYC A2", "pass", "pass", "pass", "pass", "auction")
    for seat in range(4):
        state.cash[seat] = 2 + seat
    weights = []
    for steps in (0, 5, 30):
        policy = ChicagoExpressPolicy(state.game)
        policy.appraisal.steps[WAB] = steps
        weights.append(policy.weigh(state))
    assert weights[0] == weights[1] == weights[2]


def test_an_unsold_wabash_pays_no_dividend() -> None:
    state = before_chicago()
    play(state, "expand NYC A2", "pass", "pass", "pass", "pass")
    assert state.dividend(WAB) == 0


def test_only_the_first_company_in_chicago_opens_the_wabash_but_each_pays() -> None:
    game = new_game()
    state = before_chicago(game, CO="50:0,0,1,0:" + way(game, CO, "B4", "A4", "A3"), turn="choose:3",
                           NYC="50:1,0,0,2:" + way(game, NYC, "A2"), WAB="0:0,0,0,0:D3")  # fmt: skip
    income = int(state.income[CO])
    log = play(state, "expand C&O A2 done")
    assert f"C&O has reached Chicago and pays ${income + 7} a share." in log
    assert not any("opens" in line for line in log)
    assert (state.cash[2], state.current_player()) == (30 + income + 7, 3)


def test_the_wabash_itself_pays_when_it_reaches_chicago() -> None:
    game = new_game()
    state = before_chicago(game, NYC="0:1,0,0,2:" + way(game, NYC, "A2"), WAB="20:0,0,0,1:D3,C3,B2")
    play(state, "expand WAB A2 done")
    assert (state.income[WAB], state.cash[3]) == (8, 38)


def test_first_printing_chicago_and_the_wabash_come_before_a_general_dividend_that_is_due() -> None:
    state = before_chicago(dials="3,4,0")
    log = play(state, "expand NYC A2", "bid 1", "pass", "pass")
    assert not any("General dividend" in line for line in log)
    log = play(state, "pass")
    assert log[1] == "Seat 4 buys a share of WAB for $1."
    assert log[2].startswith("General dividend")
    assert log[2].endswith("WAB $1.")


def test_revised_printing_the_general_dividend_is_held_before_the_expansion_to_chicago() -> None:
    state = before_chicago(new_game(printing="revised"), dials="3,4,0")
    log = play(state, "expand NYC A2")
    dividend = next(i for i, line in enumerate(log) if line.startswith("General dividend"))
    chicago = next(i for i, line in enumerate(log) if "has reached Chicago" in line)
    assert dividend < chicago
    log = play(state, "pass", "pass", "pass", "pass")
    assert not any("General dividend" in line for line in log)


def test_nobody_builds_for_a_wabash_that_is_not_open() -> None:
    state = stand(turn="name:1")
    with pytest.raises(IllegalMove, match="You hold no share of WAB"):
        play(state, "WAB")


# The end.


def without_locomotives(game: ChicagoExpress, companies: int) -> dict[str, str]:
    """So many companies with all their locomotives on the map."""
    tracks = Tracks(game)
    fields = {
        "PRR": "0:1,0,0,0:" + tracks.spread(PRR, 20),
        "BO": "0:0,1,0,0:" + tracks.spread(BO, 22),
        "CO": "0:0,0,1,0:" + tracks.spread(CO, 26),
    }
    return dict(list(fields.items())[:companies])


END_NAMES = {
    "shares": ({"PRR": "0:3,0,0,0:R5", "BO": "0:0,4,0,0:Q7", "CO": "0:0,0,6,0:Q9"}, {}),
    "Detroit": ({}, {"industry": "8,3,4"}),
}


def out_of_houses(game: ChicagoExpress, houses: int) -> dict[str, str]:
    """A position with this number of houses left."""
    lakes = ["R3", "Q3", "Q2", "P2", "O2", "N2", "M2", "L2", "K2", "J2", "I2", "I4", "I5"]
    seaboard = ["Q4", "O4", "M4", "N4", "L4", "M5", "M6"]
    return {
        "NYC": "0:0,0,0,1:" + way(game, NYC, *lakes),
        "PRR": "0:1,0,0,0:" + way(game, PRR, "R4", "Q4", "P4", "O4", "N4", "M4", "L4", "M5", "M6"),
        "houses": ",".join([*lakes, *seaboard][: 20 - houses]),
    }


def end_position(game: ChicagoExpress, end: str) -> dict[str, str]:
    if end == "houses":
        return out_of_houses(game, 3)
    if end == "locomotives":
        return without_locomotives(game, 3)
    companies, rest = END_NAMES[end]
    return {**companies, **rest}


@pytest.mark.parametrize("printing", PRINTINGS)
@pytest.mark.parametrize("end", ["locomotives", "shares", "houses", "Detroit"])
def test_each_end_ends_the_game_at_the_next_general_dividend_after_the_payment(printing: str, end: str) -> None:
    game = new_game(printing=printing)
    state = stand(game, dials="2,5,0", **end_position(game, end))
    before = sum(state.cash)
    assert seen(state).ends == (end,)
    log = play(state, "auction", *(["decline"] if printing == "first" else []))
    assert state.is_terminal()
    assert sum(line.startswith("The game ends:") for line in log) == 1
    assert sum(state.cash) > before
    assert list(state.dials) == [3, 5, 0]
    assert seen(state).ends == (end,)


@pytest.mark.parametrize("end", ["locomotives", "shares", "houses", "Detroit"])
def test_an_end_that_holds_does_not_end_the_game_before_a_dividend(end: str) -> None:
    game = new_game()
    state = stand(game, dials="0,0,0", **end_position(game, end))
    play(state, "decline auction", "decline auction", "decline auction", "decline expansion")
    assert not state.is_terminal()


def test_two_companies_without_locomotives_do_not_end_the_game() -> None:
    game = new_game()
    state = stand(game, dials="2,5,0", **without_locomotives(game, 2))
    assert [int(left) for left in state.locomotives][:3] == [0, 0, 25]
    play(state, "decline auction")
    assert not state.is_terminal()


def test_two_companies_without_shares_do_not_end_the_game() -> None:
    state = stand(dials="2,5,0", PRR="0:3,0,0,0:R5", BO="0:0,4,0,0:Q7")
    play(state, "decline auction")
    assert not state.is_terminal()


def test_four_houses_do_not_end_the_game() -> None:
    game = new_game()
    state = stand(game, dials="2,5,0", **out_of_houses(game, 4))
    assert state.houses == 4
    play(state, "decline auction")
    assert not state.is_terminal()


def test_detroit_at_7_does_not_end_the_game_but_moves_to_8() -> None:
    state = stand(dials="2,5,0", industry="7,3,4")
    play(state, "decline auction")
    assert not state.is_terminal()
    assert seen(state).industry[0].value == 8


def test_a_wabash_that_is_not_open_counts_for_neither_end() -> None:
    state = stand(PRR="0:3,0,0,0:R5", BO="0:0,4,0,0:Q7")
    assert (state.locomotives[WAB], state.sold[WAB], state.ends()) == (11, 0, 0)


def test_an_open_wabash_counts() -> None:
    game = new_game()
    state = stand(game, PRR="0:3,0,0,0:R5", BO="0:0,4,0,0:Q7", NYC="0:0,0,0,1:" + way(game, NYC, "A2"),
                  WAB="0:2,0,0,0:D3")  # fmt: skip
    assert seen(state).ends == ("shares",)


def test_most_cash_wins_and_shares_are_worth_nothing() -> None:
    state = stand(dials="2,5,0", industry="8,3,4", cash="30,36,30,30", PRR="0:2,0,0,0:R5")
    log = play(state, "decline auction")
    assert list(state.cash) == [38, 42, 35, 38]
    assert (state.returns(), log[-1]) == ([0, 1, 0, 0], "Seat 2 wins with $42.")


def test_ties_share_the_win() -> None:
    state = stand(dials="2,5,0", industry="8,3,4", cash="31,30,30,30")
    log = play(state, "decline auction")
    assert state.returns() == [0.5, 0, 0, 0.5]
    assert log[-2:] == ["Seat 1 shares the win with $38.", "Seat 4 shares the win with $38."]


def test_revised_printing_the_house_supply_can_run_empty_while_a_development_is_to_come() -> None:
    """Four houses at a dividend that a development brings about: it takes one, then four more are chosen."""
    game = new_game(printing="revised")
    start = out_of_houses(game, 4)
    state = stand(game, dials="3,0,3", **start)
    log = play(state, "develop L4")
    assert any("General dividend" in line for line in log)
    assert state.houses == 3
    play(state, "develop M5", "develop M6", "develop N4")
    play(state, "develop")
    assert (state.houses, legal(state)) == (0, ["decline development"])


def test_revised_printing_the_empty_house_supply_is_reached_by_play_from_the_start() -> None:
    """Seat 1 buys everything and builds NYC through the forests; both develop them, and decline all else."""
    state = new_game(2, printing="revised").new_initial_state()
    play(state, "bid 7", "pass", "pass", "pass", "pass", "pass", "bid 53", "pass")
    while state.houses > 0:
        if state.seat == 0 and state.dials[EXPANSION] < 4 and state.can_build(NYC):
            play(state, "expand NYC")
            while state.stage == BUILDING:
                play(state, forest_or_done(state))
        elif state.houses > 3 and not state.is_red(AUCTION):
            play(state, "decline auction")
        else:
            play(state, "develop")
            play(state, "decline" if state.steps[DETROIT] == 0 else min(hexes(state)))
    assert state.steps[DETROIT] == 5
    play(state, "develop")
    assert (state.houses, legal(state)) == (0, ["decline development"])


def forest_or_done(state: ChicagoExpressState) -> str:
    terrain = {hex.id: hex.terrain for hex in state.board.facts.hexes}
    forests = [id for id in hexes(state) if terrain[id] == "forest"]
    return min(forests or (["done"] if state.built else hexes(state)))


def test_first_printing_a_development_never_finds_the_house_supply_empty() -> None:
    """Four houses at a dividend are enough for the four developments that can follow before the next."""
    game = new_game()
    state = stand(game, dials="2,5,0", **out_of_houses(game, 4))
    play(state, "decline auction")
    play(state, "develop L4", "develop M5", "develop M6", "develop N4")
    assert (state.houses, "develop" in legal(state)) == (0, False)
