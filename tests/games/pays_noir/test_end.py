"""How the game ends, and the final count."""

from __future__ import annotations

import pytest

from tests.games.pays_noir.positions import game, lay, members, play, points, position, scored

pytestmark = pytest.mark.both


# The end of the score track.


def test_the_game_ends_at_once_when_a_marker_reaches_the_last_space() -> None:
    state = position("straight@1,0,90+1:track:0", "terminus", at=game(track=30), points="27,29")
    lines = lay(state, "terminus", "(2,0)", 270)
    assert state.is_terminal()
    assert lines[-2:] == ["The score track ends at 30: the game is over.", "Seat 1 wins with 30 points."]
    assert state.returns() == [1.0, 0.0]


def test_a_marker_may_pass_the_last_space() -> None:
    state = position("straight@1,0,90+1:track:0", "terminus", at=game(track=30), points="29,29")
    lay(state, "terminus", "(2,0)", 270)
    assert state.is_terminal()
    assert state.scores() == [32, 29]


def test_it_ends_too_when_the_marker_of_another_player_gets_there() -> None:
    state = position("straight@1,0,90+2:track:0", "terminus", at=game(track=30), points="0,28")
    lay(state, "terminus", "(2,0)", 270)
    assert state.is_terminal()


def test_one_space_before_the_end_the_game_goes_on() -> None:
    state = position("straight@1,0,90+1:track:0", "terminus", at=game(track=30), points="26,29")
    lay(state, "terminus", "(2,0)", 270)
    assert not state.is_terminal()


def test_after_the_end_of_the_track_there_is_no_final_count() -> None:
    table = "straight@1,0,90+1:track:0 fields_factory@0,-1+2:country:0"
    state = position(table, "terminus", at=game(track=30), points="27,29")
    assert state.scores() == [27, 30], "if it ended now"
    lay(state, "terminus", "(2,0)", 270)
    assert state.scores() == [30, 29]


# Empty hands.


def test_when_all_hands_are_empty_comes_the_final_count() -> None:
    state = position("fields_factory@0,-1+1:country:0", "fields_factory", pile=False)
    lines = lay(state, "fields_factory", "(0,-2)")
    assert state.is_terminal()
    assert scored(lines) == [
        "Country with 2 sites and closed towns: 2 points to Seat 1.",
    ]
    assert state.scores() == [2, 0]


def test_the_last_cards_are_scored_before_the_final_count() -> None:
    table = "fields_factory@0,-1+2:country:0 straight@1,0,90+1:track:0"
    state = position(table, "terminus", pile=False)
    lay(state, "terminus", "(2,0)", 270)
    assert points(state) == [3, 1]


def test_ties_share_the_win() -> None:
    state = position("", "straight", pile=False, points="7,7", at=game(2))
    lines = lay(state, "straight", "(1,0)")
    assert state.returns() == [0.5, 0.5]
    assert lines[-2:] == ["Seat 1 shares the win with 7 points.", "Seat 2 shares the win with 7 points."]


def test_a_last_hand_that_fits_nowhere_ends_the_game_as_well() -> None:
    table = "mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180"
    state = position(table, "crossing", pile=False)
    play(state, "discard crossing")
    assert state.is_terminal()


# The final count: ports.


def test_an_unfinished_port_gives_1_and_1_for_each_site_in_its_network() -> None:
    state = position("port_end@-1,0,90+2:port:0 straight@1,0,90 straight_mine@2,0,90", "straight", pile=False)
    lines = lay(state, "straight", "(3,0)")
    assert scored(lines) == ["Port, unfinished, with 0 other sites linked: 1 point to Seat 2."]
    state = position("port_end@-1,0,90+2:port:0", "cap_corons_port_straight", pile=False)
    lines = lay(state, "cap_corons_port_straight", "(1,0)", 0)
    assert scored(lines) == ["Port, unfinished, with 1 other site linked: 2 points to Seat 2."]


def test_unfinished_lines_mines_factories_and_towns_give_nothing() -> None:
    table = (
        "straight@1,0,90+1:track:0 curve_mine@-1,0+1:mine:0 band_corons@0,1+1:quarter:0 fields_factory@0,-1+1:factory:0"
    )
    state = position(table, "straight", pile=False)
    assert not scored(lay(state, "straight", "(2,0)"))
    assert points(state) == [0, 0]
    assert members(state) == [4, 8], "they stay where they are"


# The final count: countries.


def test_the_family_with_most_members_in_a_country_takes_its_points() -> None:
    table = "fields_factory@0,-1+2:country:0 fields_factory@0,-2+2:country:0 straight@1,0,90+1:country:0"
    state = position(table, "terminus", pile=False)
    lay(state, "terminus", "(2,0)", 270)
    assert points(state) == [0, 2], "the last card joins the country north of the line with that in the south"


def test_a_card_may_bring_two_families_together_in_a_country_and_ties_take_all_the_points() -> None:
    table = "fields_factory@0,-1+2:country:0 straight@1,0,90+1:country:0"
    state = position(table, "terminus", pile=False)
    lay(state, "terminus", "(2,0)", 270)
    assert points(state) == [1, 1]


def test_a_country_is_bounded_by_tracks_and_towns() -> None:
    table = "fields_factory@0,-1+2:country:0 straight@1,0,90+1:country:0"
    state = position(table, "straight", pile=False)
    lay(state, "straight", "(2,0)")
    assert points(state) == [0, 1], "the factory lies south of the line, seat 1 north of it"


@pytest.mark.parametrize(("closed", "value"), [(True, 1), (False, 0)])
def test_a_closed_town_counts_for_the_country_it_borders_and_an_open_one_does_not(closed: bool, value: int) -> None:
    town = "cap_corons@0,1,180" if closed else "band_corons@0,1"
    state = position(f"straight@1,0,90+1:country:0 {town}", "straight", pile=False)
    lay(state, "straight", "(2,0)")
    assert points(state) == [value, 0]


def test_mines_factories_and_ports_count_for_each_country_they_touch_once() -> None:
    """The two patches of the port's card are one country, round the end of the line."""
    state = position("port_curve@1,0,180+1:country:0 terminus@1,-1", "fields_factory", pile=False)
    lay(state, "fields_factory", "(0,-1)")
    assert points(state) == [2, 0], "port and factory"


def test_a_site_on_the_border_of_two_countries_counts_for_both() -> None:
    state = position("cap_corons_port_straight@1,0+1:country:0 fields_factory@0,-1+2:country:0", "straight", pile=False)
    lay(state, "straight", "(2,0)")
    assert points(state) == [1, 2], "the port for both, the factory for the south"


def test_members_in_the_country_stay_until_the_end() -> None:
    state = position("fields_factory@0,-1+1:country:0", "fields_factory")
    lay(state, "fields_factory", "(0,-2)")
    assert members(state) == [7, 8]


def test_scores_are_as_if_the_game_ended_now() -> None:
    state = position("fields_factory@0,-1+1:country:0 port_end@-1,0,90+2:port:0", "straight", points="3,4")
    assert state.scores() == [5, 5], "factory and port in the country; the port alone"
    assert points(state) == [3, 4]
