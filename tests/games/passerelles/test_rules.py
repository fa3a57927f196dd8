"""The rules of Passerelles, in the order of the rules page: each test shows one of them on a hand-made position."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque.core.game import TERMINAL
from ludotheque.games.passerelles import Passerelles, board
from ludotheque.games.passerelles.board import NEUTRAL, PASS
from ludotheque.games.passerelles.rules import PasserellesState
from tests.games.passerelles.tables import heights, may, placement, play, table

pytestmark = pytest.mark.both


# Material.


def test_the_board_has_11_columns_and_10_rows() -> None:
    assert board.FACTS["columns"] == board.COLUMNS == 11
    assert board.FACTS["rows"] == board.ROWS == 10
    assert board.SQUARES == 110


def test_each_player_has_12_pieces_and_six_are_neutral() -> None:
    state = table()
    for seat in (0, 1):
        assert [state.held(seat, length) for length in (5, 4, 3, 2, 1)] == [3, 4, 3, 2, 0]
    assert [state.held(NEUTRAL, length) for length in (5, 4, 3, 2, 1)] == [0, 0, 1, 2, 3]


# Flat pieces.


def test_a_flat_piece_lies_on_bare_squares() -> None:
    state = table("B5hC4")
    assert heights(state) == [0]
    assert [board.squares_of(placement("5hC4"))[i] for i in (0, 4)] == [35, 39]


def test_first_moves_on_the_empty_board_by_length() -> None:
    legal = table().legal_actions()
    lengths = [len(board.squares_of(action)) for action in legal]
    assert [lengths.count(length) for length in (5, 4, 3, 2)] == [136, 157, 178, 199]
    assert len(legal) == 670


def test_a_piece_stays_inside_the_board() -> None:
    state = table()
    assert may(state, "B5hG1")
    assert not may(state, "B5hH1")
    assert may(state, "B5vA6")
    assert not may(state, "B5vA7")


def test_a_piece_does_not_lie_flat_where_something_lies() -> None:
    state = table("Y2vE4")
    assert not may(state, "B5hC4")
    assert may(state, "B5hC3")


def test_a_piece_that_is_used_up_cannot_be_placed() -> None:
    state = table("B2hA1 B2hA3")
    assert placement("2hA5") not in state.legal_actions()
    assert may(state, "Y2hA5")


def test_players_have_no_piece_of_length_1() -> None:
    assert placement("1hA1") not in table().legal_actions()


# Bridges: the ends.


def test_a_bridge_rests_on_two_pieces_of_the_same_height() -> None:
    state = table("B2vC4 B2vE4 B3hC4")
    assert heights(state) == [0, 0, 1]


def test_ends_at_unequal_heights_are_refused() -> None:
    # A bridge of height 1 over C4-E4; G4 is the top of a flat piece.
    state = table("B4vC4 B4vE4 B3hC4 B2hG4")
    assert not may(state, "B4hD4")
    assert not may(state, "B3hE4")


def test_one_end_on_the_bare_board_is_refused() -> None:
    state = table("B2vC4")
    assert not may(state, "B3hC4")
    assert not may(state, "B3hA4")


def test_nothing_else_is_needed_between_the_ends() -> None:
    state = table("B2vC4 B2vG4 B5hC4")
    assert heights(state) == [0, 0, 1]


# Bridges: the squares between.


def test_a_middle_support_bears_too() -> None:
    state = table("Y2vC4 B2vE4 Y2vG4")
    assert may(state, "B5hC4")  # only the middle support is blue


def test_a_middle_support_alone_is_not_enough() -> None:
    assert not may(table("B2vE4"), "B3hD4")


def test_a_taller_piece_between_the_ends_is_refused() -> None:
    # The bridge D3-D5 stands a storey higher than C4 and E4.
    state = table("B2hC3 B2hC5 B3vD3 B3hA4 B4hE4")
    assert [state.height(placement(f"1h{square}")) for square in ("C4", "D4", "E4")] == [0, 1, 0]
    assert not may(state, "B3hC4")


def test_two_squares_on_one_piece_are_refused() -> None:
    state = table("B3hC4 B2vF4")
    assert may(state, "B2hE4")  # one square on each
    assert not may(state, "B3hD4")  # D4 and E4 are the same piece
    assert not may(state, "B4hC4")
    assert not may(state, "B2hC4")  # along one piece


def test_two_squares_on_one_middle_support_are_refused() -> None:
    assert not may(table("B2vB4 B3hC4 B2vF4"), "B5hB4")
    assert may(table("B2vB4 B2vC4 B3vD4 B3vE4 B3vF4"), "B5hB4")


def test_several_squares_of_a_lower_piece_are_spanned() -> None:
    # The ends rest at height 1, on bridges over C2-C4 and G2-G4; D3-E3 below is one flat piece.
    state = table("B3hA2 B3hA4 B3vC2 Y3hG2 Y3hG4 Y3vG2 B2hD3")
    assert may(state, "B5hC3")
    assert may(state, "Y5hC3")


def test_bare_squares_are_spanned() -> None:
    assert may(table("B2vC4 B3vF4"), "B4hC4")


# Bridges: whose supports.


def test_supports_of_the_opponent_only_are_refused() -> None:
    state = table("Y2vC4 Y2vE4")
    assert not may(state, "B3hC4")
    assert may(state, "Y3hC4")
    state = table("Y2vC8 Y2vE8")
    assert not may(state, "B3hC8")
    assert may(state, "Y3hC8")


def test_opponent_plus_neutral_supports_are_refused() -> None:
    state = table("N1hC4 Y2vE4")
    assert not may(state, "B3hC4")
    assert may(state, "Y3hC4")


def test_neutral_supports_only_are_allowed() -> None:
    state = table("N1hC4 N2vE4")
    assert may(state, "B3hC4")
    assert may(state, "Y3hC4")


def test_own_plus_opponent_supports_are_allowed() -> None:
    state = table("B2vC4 Y2vE4")
    assert may(state, "B3hC4")
    assert may(state, "Y3hC4")


def test_own_plus_neutral_supports_are_allowed() -> None:
    state = table("B2vC4 N1hE4")
    assert may(state, "B3hC4")
    assert not may(state, "Y3hC4")


def test_a_spanned_lower_piece_is_no_support() -> None:
    # The ends are yellow, at height 1; the blue piece on E3 lies a storey below them and does not bear.
    state = table("Y2hB2 Y2hB4 Y3vC2 Y4hG2 Y4hG4 Y3vG2 B2vE3")
    assert not may(state, "B5hC3")
    assert may(state, "Y5hC3")


def test_a_covered_support_does_not_count() -> None:
    # Blue's piece C4-C6 lies below; yellow's bridges are the tops of both its ends.
    state = table("B3vC4 Y4vB3 Y4vD3 Y3hB4 Y3hB6")
    assert not may(state, "B3vC4")
    assert may(state, "Y3vC4")


# Bridges: how long, how high, and what is below them.


def test_a_bridge_of_length_2() -> None:
    state = table("B3hC4 Y3hF4")
    assert may(state, "B2hE4")
    assert may(state, "Y2hE4")


def test_a_bridge_on_bridges() -> None:
    state = table("B4vC3 B4vE3 B3hC3 B3hC5 B3vD3")
    assert heights(state) == [0, 0, 1, 1, 2]


def test_there_is_no_limit_of_height() -> None:
    levels_in_use = "B4vC3 Y4vF3 B4hC3 Y4hC6 B4vC3 Y4vF3 B4hC3 Y4hC5 B3vC3 Y3vE3 B3hC3 Y3hC5 B3vC3 Y3vE3"
    assert heights(table(levels_in_use)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_nothing_is_placed_under_a_bridge() -> None:
    # C4-G4 spans the bare squares D4, E4 and F4.
    state = table("B2vC4 B2vG4 B5hC4")
    assert not may(state, "B3hD4")
    assert not may(state, "B3vE3")
    assert not may(state, "Y3vE4")
    assert may(state, "Y3vE5")


def test_a_piece_of_equal_length_is_the_same_move() -> None:
    state = table()
    state.apply_action(placement("5hC4"))
    assert state.held(0, 5) == 2
    assert len(set(state.legal_actions())) == len(state.legal_actions())


# Scoring: what an area is.


def test_the_empty_board_scores_nothing() -> None:
    assert table().score_now() == (0, 0)


def test_a_free_standing_area() -> None:
    assert table("B4vB2 B4vE2 B2hC2 B2hC5").score_now() == (4, 0)


def test_an_area_at_one_edge() -> None:
    assert table("B3vB1 B3vE1 B2hC3").score_now() == (4, 0)
    assert table("Y3hI3 Y3hI6 Y2vI4").score_now() == (0, 4)


def test_an_area_at_two_adjacent_edges() -> None:
    assert table("B3vC1 B2hA3").score_now() == (4, 0)
    assert table("Y3vI8 Y2hJ8").score_now() == (0, 4)


def test_an_area_between_opposite_edges_does_not_count() -> None:
    assert table("B5vD1 B5vD6 B4vG1 B3vG5 B3vG8").score_now() == (0, 0)
    assert table("B5hA4 B4hF4 B2hJ4 B5hA7 B3hF7 B3hI7").score_now() == (0, 0)


def test_an_area_at_three_edges_does_not_count() -> None:
    assert table("B5vD1 B5vD6").score_now() == (0, 0)


def test_a_wall_from_corner_to_corner_encloses_both_halves() -> None:
    assert table("B5hA1 B5vF2 B5hG7 B3vK8").score_now() == (31 + 61, 0)


def test_a_corner_square_counts_for_both_its_sides() -> None:
    # Column A touches the left side, and by its corners the top and the bottom; without A1 only left and bottom.
    assert table("B5vB1 B5vB6").score_now() == (0, 0)
    assert table("B5vB1 B5vB6 B2vA1").score_now() == (8, 0)


def test_a_covered_square_touches_its_side_too() -> None:
    assert table("B5vB1 B5vB6 Y2vA1").score_now() == (0, 0)


# Scoring: whose squares.


def test_only_bare_squares_score() -> None:
    assert table("B3vC1 B2hA3 Y2hA1").score_now() == (2, 0)


def test_an_area_holds_the_opponents_piece() -> None:
    state = table("B5vF1 B5hA6 Y3hB3")
    assert state.score_now() == (25 - 3, 0)


def test_the_opponents_area_inside_takes_its_squares() -> None:
    assert table("B5vF1 B5hA6 Y3vC1 Y2hA3").score_now() == (16, 4)


def test_a_free_standing_area_inside_takes_its_squares() -> None:
    # Yellow's ring stands free inside blue's corner.
    assert table("B5vF1 B5hA6 Y4vB2 Y4vE2 Y2hC2 Y2hC5").score_now() == (25 - 12 - 4, 4)


def test_three_deep_nesting() -> None:
    assert table("B5vF1 B5hA6 Y3vD1 Y4hA4 B2hB1 B2hA2").score_now() == (9 + 1, 4)


def test_three_nested_corners_of_one_side_and_the_other() -> None:
    # The same with the colours exchanged, in the opposite corner.
    assert table("Y5vF6 Y5hG5 B3vH8 B4hH7 Y2hI10 Y2hJ9").score_now() == (4, 9 + 1)


def test_the_inner_area_is_the_one_of_smaller_extent_not_of_smaller_region() -> None:
    # Blue's outer region has 10 squares, without its inner corner; yellow's between them has 16, but lies inside: D4.
    assert table("B5vF1 B5hA6 Y4vE1 Y4hA5 B3vD1 B3hA4").score_now() == (9 + 1, 1)
    # The same with the colours exchanged, in the opposite corner.
    assert table("Y5vF6 Y5hG5 B4vG7 B4hH6 Y3vH8 Y3hI7").score_now() == (1, 9 + 1)


def test_areas_of_equal_extent_take_nothing_from_each_other() -> None:
    # The walls cross at a corner between four squares; both areas have 10 squares, and A1, B1, A2, B2 in common.
    state = table("B3hA3 B4hD2 B2hH1 Y2vC1 Y2vD3 Y3hA5")
    assert state.score_now() == (4, 3)


# Scoring: seen from above.


def test_a_bridge_is_wall_along_its_whole_length() -> None:
    open_area = "B4vA4 B3vB3 B3vF3 B2vF1"
    assert table(open_area).score_now() == (0, 0)
    assert table(f"{open_area} B5hB3").score_now() == (11, 0)


def test_squares_under_a_bridge_are_not_empty() -> None:
    # Yellow's bridge A2-C2 goes over the bare square B2 in blue's corner of nine squares.
    corner = "B4vD1 B3hA4 Y3vA1 Y2vC2"
    assert table(corner).score_now() == (9 - 5, 0)
    assert table(f"{corner} Y3hA2").score_now() == (9 - 5 - 1, 0)


def test_a_wall_cut_by_a_bridge_leaks() -> None:
    wall = "B3vC1 B2hA3 Y2hA2 Y2vD2"
    assert table(wall).score_now() == (2, 0)
    assert table(f"{wall} Y3hB2").score_now() == (0, 0)


def test_a_neutral_piece_in_the_wall_leaks() -> None:
    assert table("B2vC1 B3hA3").score_now() == (4, 0)
    assert table("N2vC1 B3hA3").score_now() == (0, 0)


def test_a_neutral_piece_in_an_area_scores_for_nobody() -> None:
    assert table("B2vC1 B3hA3 N1hA1").score_now() == (3, 0)


def test_diagonal_contact_of_walls_closes() -> None:
    assert table("B2vC1 B2hA3").score_now() == (4, 0)


def test_diagonal_contact_leaks_if_diagonals_are_open() -> None:
    assert table("B2vC1 B2hA3", diagonal="open").score_now() == (0, 0)
    assert table("B3vC1 B2hA3", diagonal="open").score_now() == (4, 0)
    assert table("B4vB2 B4vE2 B2hC2 B2hC5", diagonal="open").score_now() == (4, 0)
    assert table("B2vB3 B2hC2 B3hC5 B3vE2").score_now() == (4, 0)
    assert table("B2vB3 B2hC2 B3hC5 B3vE2", diagonal="open").score_now() == (0, 0)


# A turn.


def test_players_take_turns_and_the_first_seat_starts() -> None:
    state = table()
    assert state.current_player() == 0
    play(state, "5h C4")
    assert state.current_player() == 1
    play(state, "5h C5")
    assert state.current_player() == 0


def test_a_player_who_can_place_must() -> None:
    assert PASS not in table().legal_actions()


def test_a_player_who_cannot_place_must_pass_while_the_other_can() -> None:
    # Yellow has used its twelve pieces.
    pieces = "Y5hA1 Y5hA2 Y5hA3 Y4hF1 Y4hF2 Y4hF3 Y4hH4 Y3hA4 Y3hA5 Y3hD4 Y2hJ1 Y2hJ2"
    state = table(pieces, to_move="Y", rounds=1)
    assert state.legal_actions() == [PASS]
    play(state, "pass")
    assert state.current_player() == 0
    assert PASS not in state.legal_actions()


CRAMPED = (
    "2h E4, 2h C7, 2v G8, 3v E8, 3v G3, 2h D5, 3h B1, 3h E1, 3h A2, 3h H1, 4h D2, 4v E1, 4h D6, 4h H3, 4h F10, 5v D2, "
    "4h H2, 4h E7, 5v F2, 4h H8, 5v B4, 5v A3"
)
"""A round in which blue has a piece of length 5 left and no place for it, until yellow builds one more bridge."""


def test_a_passer_places_later() -> None:
    state = table(rounds=1)
    play(state, CRAMPED)
    assert state.held(0, 5) == 1
    assert state.legal_actions() == [PASS]
    play(state, "pass, 5v H3")
    assert state.current_player() == 0
    assert PASS not in state.legal_actions()
    state.apply_action(state.legal_actions()[0])
    assert state.held(0, 5) == 0


def test_the_round_ends_at_once_when_neither_can_place() -> None:
    state = table(rounds=1)
    play(state, CRAMPED)
    play(state, "pass, 5v H3")
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()


def test_a_round_has_24_placements_at_most() -> None:
    state = table(rounds=1)
    placements = 0
    while not state.is_terminal():
        action = state.legal_actions()[-1]
        placements += action != PASS
        state.apply(action)
    assert placements <= 24


# A match.


def play_round(state: PasserellesState, seed: int) -> list[int]:
    """Play a random round to its end; what it scored."""
    number, rng = state.round, Random(seed)
    board_then = state
    while not state.is_terminal() and state.round == number:
        board_then, action = state.clone(), state.sample(rng)
        state.apply(action)
        if action != PASS:
            board_then.lay(board_then.player, action)
    return list(board_then.score_now())


def test_a_match_is_two_rounds_and_the_second_seat_starts_the_second() -> None:
    state = Passerelles().new_initial_state()
    first = play_round(state, 1)
    assert not state.is_terminal()
    assert (state.round, state.current_player()) == (1, 1)
    assert sum(first) > 0
    assert state.score_now() == (0, 0)
    assert state.scores() == first
    second = play_round(state, 2)
    assert state.is_terminal()
    assert state.scores() == [first[0] + second[0], first[1] + second[1]]


def test_a_match_of_one_round() -> None:
    state = Passerelles(settings={"rounds": 1}).new_initial_state()
    scores = play_round(state, 3)
    assert state.is_terminal()
    assert state.scores() == scores


def test_the_higher_total_wins_and_equal_totals_are_a_draw() -> None:
    for points, returns in (("3-2", [1.0, 0.0]), ("2-3", [0.0, 1.0]), ("3-3", [0.5, 0.5])):
        state = Passerelles().new_initial_state()
        state.first_points, state.second_points = map(int, points.split("-"))
        state.player = TERMINAL
        assert state.returns() == returns


def test_scores_count_the_round_as_if_it_ended_now() -> None:
    state = table("B3vC1 B2hA3")
    state.second_points = 7
    assert state.scores() == [4, 7]
    assert state.returns() == [0.0, 0.0]
