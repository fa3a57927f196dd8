"""Moves, choices, log and positions in text."""

from __future__ import annotations

import re

import pytest
from librt.random import Random

from ludotheque import choices
from ludotheque.errors import AmbiguousMove, BadPosition, IllegalMove, UnreadableMove
from ludotheque.games.chicago_express import ChicagoExpressState
from tests.speeds import pairs

from .table import NYC, PRR, legal, new_game, play, stand, way
from .test_properties import STYLES, TABLES, move

pytestmark = pytest.mark.both


# Moves.


def test_moves_read_aloud() -> None:
    state = stand(PRR="9:1,0,0,0:R5,R4,Q4")
    assert legal(state) == ["auction", "expand", "develop"]
    assert legal(stand(turn="offer:1")) == ["decline auction", "PRR", "B&O", "C&O", "NYC"]
    assert legal(stand(turn="name:1")) == ["decline expansion", "PRR"]
    assert legal(stand(turn="build:1:PRR:1", PRR="9:1,0,0,0:R5,R6")) == ["done", "Q5", "Q6", "R4", "S5"]
    assert legal(stand(turn="develop:1", PRR="9:1,0,0,0:R5,R4,Q4")) == ["decline development", "Q4"]
    assert legal(stand(turn="bid:1:NYC:-:1234:1", cash="6,30,30,30")) == ["pass", "bid 4", "bid 5", "bid 6"]


@pytest.mark.parametrize(
    ("turn", "written", "meant"),
    [
        ("choose:1", "AUCTION", "auction"),
        ("choose:1", " expansion ", "expand"),
        ("choose:1", "dev", "develop"),
        ("offer:1", "bo", "B&O"),
        ("offer:1", "b & o", "B&O"),
        ("offer:1", "auction nyc", "NYC"),
        ("offer:1", "penn", "PRR"),
        ("offer:1", "new york central", "NYC"),
        ("offer:1", "d", "decline auction"),
        ("name:1", "Expand  PRR", "PRR"),
        ("build:1:PRR:0", "q6", "Q6"),
        ("build:1:PRR:0", "build Q6", "Q6"),
        ("bid:1:NYC:-:1234:1", "12", "bid 12"),
        ("bid:1:NYC:-:1234:1", "bid $12", "bid 12"),
        ("bid:1:NYC:-:1234:1", "P", "pass"),
        ("develop:1", "develop bing", "Q3"),
        ("develop:1", "decline", "decline development"),
    ],
)
def test_reading_is_lenient(turn: str, written: str, meant: str) -> None:
    state = stand(turn=turn, NYC="9:0,0,0,1:S3,R3,Q3")
    assert state.action_to_string(state.string_to_action(written)) == meant


@pytest.mark.parametrize(
    ("turn", "written", "sentence"),
    [
        ("choose:1", "NYC", "Not now: choose auction, expand or develop."),
        ("choose:1", "bid 12", "Not now: choose auction, expand or develop."),
        ("bid:1:NYC:-:1234:1", "done", "Not now: bid or pass."),
        ("offer:1", "R3", "Not now: name the company whose share you offer, or decline."),
        ("build:1:PRR:0", "I1", "There is no hex I1 on the map."),
        ("build:1:PRR:0", "Z99", "There is no hex Z99 on the map."),
    ],
)
def test_a_move_out_of_place_is_illegal(turn: str, written: str, sentence: str) -> None:
    with pytest.raises(IllegalMove) as error:
        stand(turn=turn).string_to_action(written)
    assert str(error.value) == sentence


def test_a_short_word_that_fits_several_moves_is_ambiguous() -> None:
    game = new_game()
    both = stand(game, "develop:1", NYC="9:0,0,0,1:" + way(game, NYC, "Q3", "L0"))
    assert both.action_to_string(both.string_to_action("bu")) == "L0"
    with pytest.raises(AmbiguousMove, match="'b' could be one of these: 'L0', 'Q3'"):
        both.string_to_action("b")


@pytest.mark.parametrize("written", ["", "hello", "auction NYC now", "bid", "bid twelve", "-3", "bid 1.5"])
def test_nonsense_is_unreadable(written: str) -> None:
    with pytest.raises(
        UnreadableMove, match="is not a move here: choose auction, expand or develop, such as 'develop'"
    ):
        stand().string_to_action(written)


def test_after_the_end_nothing_can_be_moved() -> None:
    state = stand(dials="2,5,0", industry="8,3,4")
    play(state, "decline auction")
    with pytest.raises(IllegalMove, match="The game is over"):
        state.string_to_action("auction")


# A whole turn on a line.


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("auction NYC", ["auction", "NYC"]),
        ("auction NYC bid 12", ["auction", "NYC", "bid 12"]),
        ("expand PRR R4 Q4", ["expand", "PRR", "R4", "Q4", "done"]),
        ("expand PRR R4 Q4 done", ["expand", "PRR", "R4", "Q4", "done"]),
        ("expand PRR R4 Q4 P4", ["expand", "PRR", "R4", "Q4", "P4"]),
        ("expand PRR R4 Q4 P4 done", ["expand", "PRR", "R4", "Q4", "P4"]),
        ("expand PRR", ["expand", "PRR"]),
        ("develop Binghamton", ["develop", "Q3"]),
        ("decline expansion", ["expand", "decline expansion"]),
        ("develop", ["develop"]),
    ],
)
def test_a_line_may_hold_a_whole_turn(line: str, moves: list[str]) -> None:
    state = stand(NYC="9:0,0,0,1:S3,R3,Q3")
    written = []
    for action in state.string_to_actions(line):
        written.append(state.action_to_string(action))
        state.apply_action(action)
    assert written == moves


def test_a_city_of_two_words_in_a_line() -> None:
    game = new_game()
    state = stand(game, "choose:4", NYC="9:0,0,0,1:" + way(game, NYC, "E3"))
    assert play(state, "expand NYC Fort Wayne D4")[2].startswith("NYC builds to Fort Wayne for $1")


def test_a_line_cannot_move_for_someone_else() -> None:
    state = stand()
    with pytest.raises(IllegalMove, match="'bid' comes too late: it will be someone else's turn by then"):
        state.string_to_actions("auction NYC bid 12 bid 13")
    with pytest.raises(IllegalMove, match="'auction' comes too late"):
        state.string_to_actions("expand PRR R4 Q4 P4 auction")


def test_a_line_stops_where_a_dividend_ends_the_game() -> None:
    state = stand(new_game(printing="revised"), dials="3,4,0", industry="8,3,4")
    for line in ("expand PRR R4", "decline expansion"):
        with pytest.raises(IllegalMove, match="comes too late: the game is over by then"):
            state.string_to_actions(line)
    assert len(state.string_to_actions("expand")) == 1


def test_no_name_on_a_board_of_ones_own_can_take_the_place_of_a_word_of_the_notation() -> None:
    odd = {"Q3": {"name": "Done"}, "L0": {"name": "Decline"}, "O4": {"name": "R4"}}
    companies = {"PRR": {"name": "NYC"}}
    game = new_game(board={"corrections": odd, "companies": companies})
    for turn in ("build:1:PRR:1", "offer:1", "develop:1"):
        state = stand(game, turn, PRR="30:1,0,0,0:R5,R4,Q4,Q3,P4")
        for action in state.legal_actions():
            assert state.string_to_action(state.action_to_string(action)) == action


def test_a_line_that_fails_leaves_the_position_untouched() -> None:
    state = stand()
    before = state.position()
    with pytest.raises(IllegalMove):
        state.string_to_actions("expand PRR R4 A2")
    assert state.position() == before


# Choices.


def test_choices_say_what_comes_of_them() -> None:
    assert [str(choice.step.label) for choice in choices(stand())] == [
        "Auction: 3 left",
        "Expansion: 5 left",
        "Development: 4 left",
    ]
    assert str(choices(stand(turn="offer:1"))[1].step.label) == "PRR: from $4, 2 shares left"
    assert str(choices(stand(turn="name:1"))[1].step.label) == "PRR: treasury $30, 19 locomotives"
    building = choices(stand(turn="build:4:NYC:1", NYC="9:0,0,0,1:S3,R3"))
    labels = {choice.step.key: str(choice.step.label) for choice in building}
    assert labels["done"] == "Done"
    assert labels["hex:R2"] == "The forest north-east of Binghamton: $2"
    assert labels["hex:Q3"] == "Binghamton: $2, income +1"


def test_bids_are_chosen_in_two_steps() -> None:
    passing, bidding = choices(stand(turn="bid:1:NYC:12@3:134:1"))
    assert (passing.step.key, bidding.step.key, str(bidding.step.label)) == ("pass", "bid", "Bid, from $13")
    assert [child.step.key for child in bidding.children][:2] == ["bid:13", "bid:14"]


# Whole games, to Chicago and beyond: every move, log line and position.


@pytest.mark.parametrize(("table", "style"), pairs([TABLES[1], TABLES[4], TABLES[9]], STYLES))
def test_every_move_and_position_of_a_game_is_read_back(table: tuple[int, str], style: str) -> None:
    players, printing = table
    game = new_game(players, printing=printing)
    state = game.new_initial_state()
    rng = Random(3)
    while not state.is_terminal():
        read = game.read_position(state.position())
        assert same(read, state)
        action = move(state, style, rng)
        assert state.string_to_action(state.action_to_string(action)) == action
        before = state.clone()
        state.apply(action)
        read.apply(action)
        assert same(read, state)
        log = [str(line) for line in game.describe(before, action, state, 0)]
        assert all(line.endswith(".") for line in log)
        assert told_cash(log, players) == [int(state.cash[seat] - before.cash[seat]) for seat in range(players)]
    assert same(game.read_position(state.position()), state)


def told_cash(log: list[str], players: int) -> list[int]:
    """By seat: what its cash gained or lost, as the log tells it."""
    change = [0] * players
    for line in log:
        if told := re.fullmatch(r"Seat (\d) (gets|buys a share of \S+ for) \$(\d+)\.", line):
            change[int(told[1]) - 1] += int(told[3]) * (1 if told[2] == "gets" else -1)
    return change


def same(one: ChicagoExpressState, other: ChicagoExpressState) -> bool:
    """Whether two positions agree in everything that can still matter."""
    mine, theirs = one.game.observe(one, 0), other.game.observe(other, 0)
    vecs = [
        (list(state.frontiers), list(state.within), list(state.can_be_developed), list(state.income), int(state.bank))
        for state in (one, other)
    ]
    return mine == theirs and vecs[0] == vecs[1] and one.legal_actions() == other.legal_actions()


# Positions.

START = "bid:1:PRR:-:1234:1 30,30,30,30 0:0,0,0,0:R5/0:0,0,0,0:Q7/0:0,0,0,0:Q9/0:0,0,0,0:S3/0:0,0,0,0:- - 0,0,0 1,3,4 -"


def test_the_position_at_the_start() -> None:
    assert new_game().new_initial_state().position() == START


def test_the_position_has_the_last_bid_of_every_seat() -> None:
    state = new_game().new_initial_state()
    for text in ("bid 8", "bid 9", "pass", "bid 10", "bid 12", "pass"):
        state.apply_action(state.string_to_action(text))
    assert state.position().split()[0] == "bid:1:PRR:12@1,10@4,9@2:14:4"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ((" -", ""), "has 7 fields"),
        (("bid:1:PRR:-:1234:1", "nobody"), "Whose turn it is cannot be read: 'nobody'"),
        (("bid:1:PRR:-:1234:1", "bid:5:PRR:-:1234:1"), "There is no seat 5"),
        (("bid:1:PRR:-:1234:1", "bid:1:NYC:-:1234:1"), "No share of NYC can be for sale now"),
        (("bid:1:PRR:-:1234:1", "bid:1:XYZ:-:1234:1"), "There is no company XYZ"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:6@1:1234:2"), r"Seat 1 cannot have bid \$6"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:31@1:1234:2"), r"Seat 1 cannot have bid \$31"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:8@1:234:2"), r"Seat 1 cannot have bid \$8"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:8@1:1234:1"), "must be one that has not passed and has not the highest"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:-:234:1"), "must be one that has not passed"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:8@1,8@2:1234:2"), r"Seat 2 cannot have bid \$8 before"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:9@1,8@1:1234:2"), r"Seat 1 cannot have bid \$8 before"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:9@1,2@2:1234:3"), r"Seat 2 cannot have bid \$2 before"),
        (("bid:1:PRR:-:1234:1", "bid:1:PRR:9@1,8@5:1234:3"), "There is no seat 5"),
        (("bid:1:PRR:-:1234:1", "choose:1"), "The four opening auctions come first"),
        (("0:0,0,0,0:Q7", "0:0,1,0,0:Q7"), "The four opening auctions come first"),
        (("30,30,30,30", "30,30,30"), "The cash must be 4 whole numbers"),
        (("30,30,30,30", "30,30,30,-3"), "The cash must be 4 whole numbers"),
        (("30,30,30,30", "99,30,30,30"), r"cannot have more than \$120 together"),
        (("/0:0,0,0,0:-", ""), "There are 5 companies, not 4"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0"), "B&O cannot be read"),
        (("0:0,0,0,0:Q7", "x:0,0,0,0:Q7"), "The treasury of B&O must be 1 whole numbers"),
        (("0:0,0,0,0:Q7", "0:0,5,0,0:Q7"), "B&O has only 4 shares"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0:Q6"), "B&O must have a locomotive on its start, Q7"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0:Q7,Z1"), "locomotives of B&O cannot be on 'Z1': there is no such hex"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0:Q7,Q7"), "locomotives of B&O name a hex twice"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0:Q7,A3"), "The locomotive of B&O on A3 is not joined to its start"),
        (("0:0,0,0,0:Q7", "0:0,0,0,0:Q7,Q8,Q9"), "B&O cannot be on Washington: it is the start of another"),
        (("0:0,0,0,0:-", "0:0,0,0,0:D3"), "The Wabash is open, but no other company is in Chicago"),
        (("0:0,0,0,0:-", "0:1,0,0,0:-"), "The Wabash is not open"),
        ((" - 0,0,0", " Q3 0,0,0"), "There is a house on Binghamton, but no locomotive"),
        ((" - 0,0,0", " Q7 0,0,0"), "There is never a house on Baltimore"),
        (("0,0,0 1", "4,0,0 1"), "A dial cannot be at 4: it is in the red at 3"),
        (("1,3,4", "0,3,4"), "Detroit cannot be at 0: its track is 1, 2, 3"),
        (("1,3,4 -", "1,3,4 A3"), "Nobody can have built on A3 last"),
        (("1,3,4 -", "1,3,4 Z3"), "There is no hex 'Z3'"),
    ],
)
def test_what_is_wrong_with_a_position_is_said_in_a_sentence(change: tuple[str, str], sentence: str) -> None:
    old, new = change
    assert old in START
    with pytest.raises(BadPosition, match=sentence):
        new_game().read_position(START.replace(old, new, 1) if old != " -" else START[:-2])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"turn": "end:1"}, "none of its four ends holds"),
        ({"turn": "end:1", "industry": "8,3,4"}, "Two dials in the red bring a dividend"),
        ({"dials": "3,5,0"}, "Two dials in the red bring a dividend"),
        ({"turn": "build:1:NYC:0"}, "Seat 1 can build nothing more for NYC"),
        ({"turn": "build:1:PRR:3"}, "Seat 1 can build nothing more for PRR"),
        ({"turn": "build:1:PRR:2", "PRR": "9:1,0,0,0:R5,R4"}, "PRR cannot have built 2"),
        ({"PRR": "9:1,0,0,0:R5,R4,Q4", "NYC": "9:0,0,0,1:S3,R3,Q4"}, "Q4 holds only one company"),
        ({"NYC": "9:0,0,0,1:" + way(new_game(), NYC, "A2")}, "so the Wabash must be open"),
        ({"PRR": "9:1,0,0,0:" + way(new_game(), PRR, "A2", "E0", "L0")}, "PRR has only 20 locomotives"),
        ({"cash": "500,0,0,0", "industry": "1,3,4"}, "cannot have more than"),
    ],
)
def test_an_impossible_position_is_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadPosition, match=sentence):
        stand(**given)  # type: ignore[arg-type]
