"""Moves, positions, choices and the log of Passerelles as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random

from ludotheque import choices, load_game
from ludotheque.errors import AmbiguousMove, BadPosition, IllegalMove, MoveError, UnreadableMove
from ludotheque.games.passerelles import Passerelles
from ludotheque.games.passerelles.rules import PasserellesState
from tests.games.passerelles.tables import play, table
from tests.games.passerelles.test_rules import CRAMPED

# Moves.


@pytest.mark.parametrize("text", ["5h C4", "5v K6", "2h J10", "4v A1"])
def test_moves_are_written_as_length_direction_and_first_square(text: str) -> None:
    state = table()
    assert state.action_to_string(state.string_to_action(text)) == text


@pytest.mark.parametrize("text", ["5H c4", "  5h   C4 ", "5hC4", "5 h c4", "5 across C4", "5 horizontal C4"])
def test_reading_forgives_case_blanks_and_long_words(text: str) -> None:
    state = table()
    assert state.action_to_string(state.string_to_action(text)) == "5h C4"


def test_the_direction_may_be_left_out_if_only_one_is_legal() -> None:
    state = table()
    assert state.action_to_string(state.string_to_action("5 H2")) == "5v H2"
    with pytest.raises(AmbiguousMove) as error:
        state.string_to_action("5 C4")
    assert str(error.value) == "Across or down: '5h C4', '5v C4'?"
    with pytest.raises(IllegalMove) as illegal:
        state.string_to_action("5 K10")
    assert str(illegal.value) == "It would reach beyond the edge of the board."


def test_a_neutral_piece_of_length_1_has_one_direction() -> None:
    state = table(landscape="free")
    state.resume(1, True, 0)
    assert state.action_to_string(state.string_to_action("1 e5")) == "1h E5"
    with pytest.raises(UnreadableMove, match="write it like '1h E5'"):
        state.string_to_action("1v E5")


ILLEGAL = [
    ("", "5h H1", "It would reach beyond the edge of the board."),
    ("", "pass", "You can place a piece, so you must."),
    ("", "1h A1", "No piece of yours of length 1 is left."),
    ("B2hA1 B2hA3", "2h A5", "No piece of yours of length 2 is left."),
    ("Y2vE4", "5h C4", "E4 between the ends is covered: a flat piece needs empty squares."),
    ("B2vC4 B2vG4 B5hC4", "3v E4", "One end would lie on the bare board at E6, the other on a piece at E4."),
    ("B4vC4 B4vE4 B3hC4 B2hG4", "3h E4", "The ends would rest at different heights: 1 at E4, 0 at G4."),
    ("B2hC3 B2hC5 B3vD3 B3hA4 B4hE4", "3h C4", "A higher piece is in the way at D4."),
    ("B3hC4 B2vF4", "3h D4", "It would rest on 2 squares of the piece from C4 to E4; one is allowed."),
    ("Y2vC4 Y2vE4", "3h C4", "It would rest on the other player's piece and on none of yours."),
    ("N1hC4 Y2vE4", "3h C4", "It would rest on the other player's piece and on none of yours."),
]


@pytest.mark.parametrize(("pieces", "move", "reason"), ILLEGAL)
def test_an_illegal_move_gets_the_reason(pieces: str, move: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as error:
        table(pieces).string_to_action(move)
    assert str(error.value) == reason


@pytest.mark.parametrize("text", ["", "5h", "C4", "6h C4", "5x C4", "5h L4", "5h C11", "5h C0", "passing", "5hC4 5hC5"])
def test_an_unreadable_move_gets_an_example(text: str) -> None:
    with pytest.raises(UnreadableMove, match="is not a move; write it like '2h A1'"):
        table().string_to_action(text)


def test_nobody_moves_after_the_end() -> None:
    state = finished()
    with pytest.raises(IllegalMove, match="The game is over"):
        state.string_to_action("pass")


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=20), st.from_regex(r"[0-6] ?[hv]? ?[a-lA-L](1[0-2]|[0-9])", fullmatch=True)))
def test_any_text_is_a_move_or_gets_a_sentence(text: str) -> None:
    state = table("B2vC4 B2vG4 B5hC4 Y5hA1 Y4vK1")
    before = state.position()
    try:
        assert state.string_to_action(text) in state.legal_actions()
    except MoveError as error:
        assert str(error).endswith((".", "?"))
    assert state.position() == before


def finished() -> PasserellesState:
    state = table(rounds=1)
    rng = Random(4)
    while not state.is_terminal():
        state.apply(state.sample(rng))
    return state


# Positions.


def test_a_position_is_one_line_with_heights_and_pieces() -> None:
    state = table(landscape="europe", rounds=1)
    play(state, "2h C2, 2v E1")
    assert state.position() == ("1 B 0-0 N3vG4^0,N2hD6^0,N2vF2^0,N1hC4^0,N1hE8^0,N1hH8^0,B2hC2^0,Y2vE1^0")


def test_a_position_tells_heights() -> None:
    assert table("B2vC4 Y2vE4 B3hC4", to_move="Y").position() == "1 Y 0-0 B2vC4^0,Y2vE4^0,B3hC4^1"


def test_a_position_tells_who_lays_and_whether_the_other_passed() -> None:
    state = Passerelles(2, {"landscape": "free"}).new_initial_state()
    assert state.position() == "1 Y:lay 0-0 -"
    play(state, "pass")
    assert state.position() == "1 B:lay:passed 0-0 -"
    assert state.game.read_position(state.position()).position() == state.position()


def test_positions_of_a_whole_match_are_read_back() -> None:
    for options in ({}, {"landscape": "asia"}, {"landscape": "free", "diagonal": "open"}):
        game, rng = Passerelles(2, options), Random(6)
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply(state.sample(rng))
            read = game.read_position(state.position())
            assert (read.position(), read.legal_actions()) == (state.position(), state.legal_actions())
            assert (read.scores(), read.laying, read.passes) == (state.scores(), state.laying, state.passes)
            assert (list(read.sets), list(read.tops)) == (list(state.sets), list(state.tops))


def test_a_forced_pass_is_read_back() -> None:
    state = table(rounds=1)
    play(state, CRAMPED)
    assert state.game.read_position(state.position()).legal_actions() == state.legal_actions()


BAD_POSITIONS = [
    ("1 B 0-0", "A position has four fields (round, turn, points, pieces), not 3."),
    ("3 B 0-0 -", "The round is 1 or 2, not '3'."),
    ("1 X 0-0 -", "Whose turn it is cannot be read: 'X'."),
    ("1 B 0:0 -", "The points are written like 12-7, not '0:0'."),
    ("1 B 1-0 -", "Before round 1 the points cannot be 1-0."),
    ("2 B 60-60 -", "Before round 2 the points cannot be 60-60."),
    ("1 B 0-0 B5hC4", "A piece is written like B5hC4^0, not 'B5hC4'."),
    ("1 B 0-0 B5hC4^1", "B5hC4^1 would lie at height 0."),
    ("1 B 0-0 B5hJ4^0", "B5hJ4^0 cannot be laid: It would reach beyond the edge of the board."),
    (
        "1 B 0-0 B5hC4^0,B5hC4^0",
        "B5hC4^0 cannot be laid: It would rest on 5 squares of the piece from C4 to G4; one is allowed.",
    ),
    ("1 B 0-0 B2hA1^0,N1hA2^0", "The neutral pieces come before the players', so N1hA2^0 cannot be here."),
    ("1 B 0-0 N1hA2^0", "The neutral pieces at this table are: none."),
    ("1 B:lay 0-0 -", "Nobody lays neutral pieces at this table."),
    ("1 end 0-0 -", "The match is over when, in its last round, neither player can place."),
]


@pytest.mark.parametrize(("text", "reason"), BAD_POSITIONS)
def test_a_bad_position_is_told_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as error:
        load_game("passerelles").read_position(text)
    assert str(error.value) == reason


def test_a_position_must_have_the_landscape_of_the_table() -> None:
    with pytest.raises(BadPosition, match="The neutral pieces at this table are: N3hA1\\^0"):
        load_game("passerelles", landscape_file={"pieces": ["3h A1"]}).read_position("1 B 0-0 -")


def test_laying_comes_before_the_players_pieces() -> None:
    game = load_game("passerelles", landscape="free")
    for pieces in ("B5hC4^0", "N3hA1^0,N2hA2^0,N2hA3^0,N1hA4^0,N1hA5^0,N1hA6^0"):
        with pytest.raises(BadPosition, match="Neutral pieces are laid before the players', and there are six"):
            game.read_position(f"1 B:lay 0-0 {pieces}")


def test_a_finished_round_has_nobody_to_act() -> None:
    text = finished().position()
    assert text.startswith("1 end 0-0 ")
    with pytest.raises(BadPosition, match="Neither player can place: the round is over"):
        load_game("passerelles", rounds=1).read_position(text.replace("end", "B"))
    with pytest.raises(BadPosition, match="The match is over when, in its last round"):
        load_game("passerelles", rounds=2).read_position(text)


# Choices.


def test_choices_lead_from_piece_to_direction_to_first_square() -> None:
    state = table("B2vC4 B2vE4")
    tree = {choice.step.key: choice for choice in choices(state)}
    assert list(tree) == ["piece:3", "piece:4", "piece:5"]
    assert str(tree["piece:3"].step.label) == "piece of length 3"
    turns = {choice.step.key: choice for choice in tree["piece:3"].children}
    assert list(turns) == ["turn:h", "turn:v"]
    cells = {choice.step.key: choice for choice in turns["turn:h"].children}
    assert str(cells["cell:A1"].step.label) == "A1"
    assert str(cells["cell:C4"].step.label) == "C4, at height 1"
    assert cells["cell:C4"].action == state.string_to_action("3h C4")


def test_a_neutral_piece_of_length_1_needs_no_direction_and_laying_can_be_passed() -> None:
    state = load_game("passerelles", landscape="free").new_initial_state()
    tree = {choice.step.key: choice for choice in choices(state)}
    assert list(tree) == ["piece:1", "piece:2", "piece:3", "pass"]
    assert tree["piece:1"].children[0].step.key == "cell:A1"


# The log.


def log(state: PasserellesState, move: str) -> list[str]:
    action, before = state.string_to_action(move), state.clone()
    state.apply_action(action)
    return [str(line) for line in state.game.describe(before, action, state, 0)]


def test_the_log_tells_of_flat_pieces_and_bridges() -> None:
    state = table("B2vC4 Y2vE4")
    assert log(state, "5h A1") == ["Seat 1 lays a piece flat: length 5, from A1 to E1."]
    assert log(state, "3h C4") == ["Seat 2 builds a bridge at height 1: length 3, from C4 to E4."]


def test_the_log_tells_what_is_enclosed_and_opened() -> None:
    state = table("B3vC1 Y2hA2 Y2vD2")
    assert log(state, "2h A3") == ["Seat 1 lays a piece flat: length 2, from A3 to B3.", "Seat 1 would now score 2."]
    assert log(state, "3h B2") == [
        "Seat 2 builds a bridge at height 1: length 3, from B2 to D2.",
        "Seat 1 would now score 0.",
    ]


def test_the_log_tells_of_laying() -> None:
    state = table(landscape="free")
    state.resume(1, True, 0)
    assert log(state, "3h D3") == ["Seat 2 lays a neutral piece: length 3, from D3 to F3."]
    assert log(state, "pass") == ["Seat 1 passes."]
    assert log(state, "pass") == ["Seat 2 passes.", "The landscape is laid: Seat 1 opens."]


def test_the_log_tells_of_a_forced_pass_and_of_the_end() -> None:
    state = table(rounds=1)
    play(state, CRAMPED)
    assert log(state, "pass") == ["Seat 1 cannot place and passes."]
    play(state, "5v H3")
    lines = log(state, state.action_to_string(state.legal_actions()[0]))
    first, second = state.score_now()
    assert f"Round 1 is over: Seat 1 scores {first}, Seat 2 scores {second}." in lines
    winner = f"Seat {1 if first > second else 2} wins by {max(first, second)} to {min(first, second)}."
    assert lines[-1] == (f"A draw: {first} each." if first == second else winner)


def test_the_log_tells_of_the_end_of_the_first_round() -> None:
    state, rng = Passerelles().new_initial_state(), Random(11)
    while True:
        before, action = state.clone(), state.sample(rng)
        state.apply(action)
        if state.round:
            break
    lines = [str(line) for line in state.game.describe(before, action, state, 1)]
    first, second = state.first_points, state.second_points
    assert first + second > 0
    assert lines[-1] == f"Round 1 is over: Seat 1 scores {first}, Seat 2 scores {second}."
