"""Every row of the table of points, each on a position made by hand.

The start card at (0,0) has corons in the north, a line with a country station from west to east, and country in the
south.
"""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.document import built_in_document
from tests.games.pays_noir.positions import game, lay, members, points, position, scored

pytestmark = pytest.mark.both


def with_cards(*cards: dict[str, Any]) -> PaysNoir:
    """A table with our cards and some more."""
    own = built_in_document()
    blank = {"copies": 1, "quarters": [], "tracks": [], "stations": [], "sites": [], "patches": []}
    return PaysNoir(2, {"cards": {"members": 8, "hand": 3, "score_track": 90, "cards": [
        *own["cards"], *({**blank, **card} for card in cards)]}})  # fmt: skip


# Railway lines.


def test_a_finished_line_gives_a_point_for_each_card() -> None:
    state = position("straight@1,0,90+1:track:0 straight@2,0,90", "terminus")
    lines = lay(state, "terminus", "(3,0)", 270)
    assert scored(lines) == ["Railway line from the station to the station, over 4 cards: 4 points to Seat 1."]
    assert points(state) == [4, 0]
    assert members(state) == [8, 8], "the member comes back"
    assert not [group.name for group in game().observe(state, 0).groups if any(group.members)], "and stands nowhere"


@pytest.mark.parametrize(
    ("card", "turn", "stop"),
    [
        ("mine_end", 270, "mine"),
        ("factory_end", 270, "factory"),
        ("port_end", 270, "port"),
        ("terminus", 270, "station"),
        ("cap_end_facing_bourgeois_station", 90, "town"),
    ],
)
def test_a_line_ends_at_a_station_a_mine_a_factory_a_port_or_a_town(card: str, turn: int, stop: str) -> None:
    state = position("straight@1,0,90+1:track:0", card)
    lines = lay(state, card, "(2,0)", turn)
    assert points(state) == [3, 0]
    assert f"to the {stop}, over 3 cards" in lines[1]


def test_an_unfinished_line_gives_nothing() -> None:
    state = position("straight@1,0,90+1:track:0", "straight")
    assert not scored(lay(state, "straight", "(2,0)"))
    assert members(state) == [7, 8]


def test_a_member_just_placed_scores_at_once() -> None:
    state = position("straight@1,0,90", "terminus")
    lay(state, "terminus", "(2,0)", 270, "track:0")
    assert points(state) == [3, 0]
    assert members(state) == [8, 8]


def test_one_card_can_finish_several_lines() -> None:
    state = position("straight@1,0,90+1:track:0 fields_factory@1,1 terminus@2,1,180+2:track:0", "junction")
    lines = lay(state, "junction", "(2,0)", 180)
    assert len(scored(lines)) == 2
    assert points(state) == [3, 2]


def test_a_line_that_closes_on_itself_is_finished() -> None:
    state = position("curve@0,-1,90+2:track:0 curve@1,-1,180 curve@1,-2,270", "curve")
    lines = lay(state, "curve", "(0,-2)", 0)
    assert scored(lines) == ["Railway line closed upon itself, over 4 cards: 4 points to Seat 2."]


def test_a_card_that_a_line_crosses_twice_counts_once() -> None:
    state = position("crossing@1,0+1:track:0 curve@2,0,270 curve@2,1,180 curve@1,1,90", "mine_end")
    lines = lay(state, "mine_end", "(1,-1)", 0)
    assert "over 6 cards: 6 points" in scored(lines)[0]


def test_tracks_that_cross_on_a_bridge_are_two_lines() -> None:
    state = position("crossing@1,0+1:track:1", "mine_end")
    assert not scored(lay(state, "mine_end", "(1,-1)", 0)), "the line from west to east is still open"
    assert members(state) == [7, 8]


def test_a_station_parts_a_line_in_two() -> None:
    state = position("straight@1,0,90 straight@-1,0,90+1:track:0", "terminus")
    assert not scored(lay(state, "terminus", "(2,0)", 270)), "the line to the west of the start card is another"


def test_a_track_between_two_stops_of_one_card_is_a_line_of_one_card() -> None:
    green = {"halves": ["N1", "N2", "E1", "E2", "S1", "S2", "W1", "W2"], "touches": ["mine:0", "port:0"]}
    siding = {"id": "siding", "edges": dict.fromkeys("NESW", "country"), "tracks": [{"ends": ["mine:0", "port:0"]}],
              "sites": [{"kind": "mine"}, {"kind": "port"}], "patches": [green]}  # fmt: skip
    state = position("", "siding", at=with_cards(siding))
    lines = lay(state, "siding", "(0,-1)", 0, "track:0")
    assert points(state) == [1, 0]
    assert scored(lines)[0].startswith("Railway line from the mine to the port")


def test_tied_families_on_a_line_take_all_of_its_points_each() -> None:
    state = position("straight@1,0,90+1:track:0 curve@2,0,180 straight@2,-1 straight@2,-2+2:track:0", "terminus")
    lines = lay(state, "terminus", "(2,-3)", 0)
    assert scored(lines)[0].endswith("over 6 cards: 6 points to Seat 1 and Seat 2.")
    assert points(state) == [6, 6]
    assert members(state) == [8, 8]


def test_the_family_with_most_members_takes_all_the_points() -> None:
    table = "straight@1,0,90+1:track:0 straight@2,0,90+2:track:0 straight@3,0,90+2:track:0"
    state = position(table, "terminus")
    lay(state, "terminus", "(4,0)", 270)
    assert points(state) == [0, 5]
    assert members(state) == [8, 8], "the others go home with nothing"


def test_nobody_on_a_finished_line_scores_nothing() -> None:
    state = position("straight@1,0,90", "terminus")
    assert not scored(lay(state, "terminus", "(2,0)", 270))


# Ports.


def test_a_port_is_finished_when_its_network_has_no_open_rail_edge() -> None:
    state = position("port_end@1,0,270+1:port:0", "straight mine_end")
    assert not scored(lay(state.clone(), "straight", "(-1,0)", 90)), "the line goes on"
    lines = lay(state, "mine_end", "(-1,0)", 90)
    assert scored(lines) == ["Port, its railways complete, with 1 other site linked: 2 points to Seat 1."]
    assert members(state) == [8, 8]


def test_a_port_counts_each_other_mine_factory_and_port_of_its_network() -> None:
    state = position("port_junction@1,0,90+1:port:0 mine_end@-1,0,90 factory_end@2,0,270", "port_end")
    lines = lay(state, "port_end", "(1,-1)", 0)
    assert "with 3 other sites linked: 4 points to Seat 1" in scored(lines)[0]


def test_every_claimed_port_of_a_finished_network_scores() -> None:
    state = position("port_junction@1,0,90+1:port:0 mine_end@-1,0,90 factory_end@2,0,270", "port_end")
    lay(state, "port_end", "(1,-1)", 0, "port:0")
    assert points(state) == [8, 0]


def test_a_port_counts_a_town_once_however_many_lines_end_in_it() -> None:
    table = "port_curve@0,-1,90+1:port:0 corner_end_corons_station@1,-1,90 corner_corons@1,-2,270"
    state = position(table, "corner_end_bourgeois_station")
    lines = lay(state, "corner_end_bourgeois_station", "(0,-2)", 90)
    assert scored(lines) == ["Port, its railways complete, with 1 other site linked: 2 points to Seat 1."]


def test_a_rail_network_stops_at_a_town() -> None:
    """The port's line and the mine's line end in one town: the mine is not in the port's network."""
    table = "port_end@0,-1,90+2:port:0 mine_end@0,-2,90 corner_end_bourgeois_station@1,-2"
    state = position(table, "corner_end_corons_station")
    lines = lay(state, "corner_end_corons_station", "(1,-1)", 90)
    assert scored(lines) == ["Port, its railways complete, with 1 other site linked: 2 points to Seat 2."]


@pytest.mark.parametrize("stop", ["station", "mine", "factory", "port"])
def test_a_rail_network_goes_through_a_station_a_mine_a_factory_and_a_port(stop: str) -> None:
    beside = [] if stop == "station" else [f"{stop}:0"]
    sides = [
        {"halves": ["E1", "N1", "N2", "W2"], "touches": beside},
        {"halves": ["E2", "S1", "S2", "W1"], "touches": []},
    ]
    through = {"id": "through", "edges": {"N": "country", "E": "rail", "S": "country", "W": "rail"},
               "tracks": [{"ends": ["W", f"{stop}:0"]}, {"ends": [f"{stop}:0", "E"]}], "patches": sides,
               "stations": [{}] if stop == "station" else [],
               "sites": [] if stop == "station" else [{"kind": stop}]}  # fmt: skip
    state = position("terminus@-1,0,90 through@1,0 straight@2,0,90", "port_end", at=with_cards(through))
    lay(state, "port_end", "(3,0)", 270, "port:0")
    assert points(state) == [1 + (stop != "station"), 0], "no open edge beyond the stop, and the stop counts"


# Mines.


@pytest.mark.parametrize(
    ("card", "turn", "stop"),
    [
        ("factory_end", 270, "factory"),
        ("port_end", 270, "port"),
        ("cap_end_facing_bourgeois_station", 90, "town"),
    ],
)
def test_a_mine_is_finished_when_a_town_a_factory_or_a_port_is_in_its_network(card: str, turn: int, stop: str) -> None:
    state = position("mine_end@-1,0,90+2:mine:0", card)
    lines = lay(state, card, "(1,0)", turn)
    assert scored(lines) == [f"Mine linked by rail to the {stop}: 4 points to Seat 2."]
    assert members(state) == [8, 8]


def test_a_mine_linked_to_stations_and_mines_alone_is_not_finished() -> None:
    state = position("mine_end@-1,0,90+2:mine:0", "curve_mine")
    assert not scored(lay(state, "curve_mine", "(1,0)", 90, "mine:0"))
    assert members(state) == [7, 7]


def test_a_mine_beside_a_town_without_a_line_to_it_is_not_finished() -> None:
    state = position("mine_end@-1,0,90+2:mine:0", "cap_slum_mine")
    assert not scored(lay(state, "cap_slum_mine", "(0,-1)", 90, "mine:0"))


def test_a_mine_claimed_when_it_is_linked_already_scores_at_once_and_the_member_comes_back() -> None:
    state = position("port_end@-1,0,90", "mine_end")
    lines = lay(state, "mine_end", "(1,0)", 270, "mine:0")
    assert scored(lines) == ["Mine linked by rail to the port: 4 points to Seat 1."]
    assert members(state) == [8, 8]


# Factories.


def test_a_factory_is_finished_by_a_town_on_its_card_and_a_mine_in_its_network() -> None:
    state = position("cap_slum_factory@1,0+1:factory:0", "mine_end")
    lines = lay(state, "mine_end", "(-1,0)", 90)
    assert scored(lines) == ["Factory touches a town and a mine: 3 points to Seat 1."]
    assert members(state) == [8, 8]


def test_a_factory_is_finished_by_a_town_and_a_mine_on_the_cards_beside_it() -> None:
    state = position("fields_factory@0,-1+1:factory:0", "mine_end")
    lines = lay(state, "mine_end", "(0,-2)", 180)
    assert scored(lines) == ["Factory touches a town and a mine: 3 points to Seat 1."]


def test_a_factory_is_finished_by_a_town_in_its_network_and_a_mine_beside_it() -> None:
    state = position(
        "straight@1,0,90 factory_end@2,0,270+1:factory:0 mine_end@2,-1,90", "cap_end_facing_bourgeois_station"
    )
    lines = lay(state, "cap_end_facing_bourgeois_station", "(-1,0)", 270)
    assert scored(lines) == ["Factory touches a town and a mine: 3 points to Seat 1."]


def test_a_factory_with_a_town_alone_or_a_mine_alone_is_not_finished() -> None:
    state = position("fields_factory@0,-1+1:factory:0", "cap_corons")
    assert not scored(lay(state, "cap_corons", "(0,-2)", 180)), "two towns beside it"
    state = position("straight@1,0,90 factory_end@2,0,270+1:factory:0", "mine_end")
    assert not scored(lay(state, "mine_end", "(2,-1)", 90)), "the start card's town is two cards away"


def test_a_card_at_the_corner_of_a_factory_does_not_touch_it() -> None:
    state = position("fields_factory@0,-1+1:factory:0", "mine_end")
    assert not scored(lay(state, "mine_end", "(1,0)", 270))
    assert members(state) == [7, 8]


def test_a_factory_claimed_when_it_touches_both_already_scores_at_once() -> None:
    state = position("mine_end@1,0,270", "factory_end")
    lay(state, "factory_end", "(-1,0)", 90, "factory:0")
    assert points(state) == [3, 0], "the mine in its network, the town on the start card beside it"


# Towns.


def test_a_quarter_gives_a_point_when_it_is_laid() -> None:
    state = position("band_corons@0,1+1:quarter:0", "three_corons")
    lines = lay(state, "three_corons", "(0,2)", 0)
    assert scored(lines) == ["Corons laid in a town: 1 point to Seat 1."]
    assert members(state) == [7, 8], "the member stays while the town is open"


def test_the_quarter_under_the_member_just_placed_counts_and_those_laid_before_do_not() -> None:
    state = position("band_corons@0,1", "three_corons")
    lay(state, "three_corons", "(0,2)", 0, "quarter:0")
    assert points(state) == [1, 0]


def test_each_quarter_of_the_card_counts() -> None:
    """Two quarters, apart on the card, that belong to one town."""
    table = "three_corons@0,1+1:quarter:0 corner_bourgeois@0,2,90 corner_corons@1,2,180"
    state = position(table, "two_caps_corner_corons_slum")
    lines = lay(state, "two_caps_corner_corons_slum", "(1,1)", 270)
    assert scored(lines) == [
        "Corons laid in a town: 1 point to Seat 1.",
        "Slum laid in a town: 1 point to Seat 1.",
    ]


def test_with_a_station_in_the_town_each_new_quarter_gives_2() -> None:
    state = position("three_end_bourgeois_station@0,1+1:quarter:0", "band_corons")
    lines = lay(state, "band_corons", "(1,1)", 90)
    assert scored(lines) == ["Corons laid in a town with a station: 2 points to Seat 1."]


def test_the_quarter_that_brings_the_station_counts_2_already() -> None:
    state = position("band_corons@0,1+1:quarter:0", "cap_end_facing_bourgeois_station")
    lay(state, "cap_end_facing_bourgeois_station", "(0,2)", 180)
    assert points(state) == [2, 0]


def test_a_closed_town_gives_its_members_back_without_more_points() -> None:
    state = position("band_corons@0,1+1:quarter:0", "cap_corons")
    lines = lay(state, "cap_corons", "(0,2)", 180)
    assert points(state) == [1, 0], "the quarter just laid"
    assert members(state) == [8, 8]
    assert lines[-1] == "A town is closed; its members go home."


def test_a_card_may_bring_two_families_together_in_a_town() -> None:
    table = "corner_corons@0,1,90+1:quarter:0 straight@1,0,90 straight@2,0,90 cap_slum@2,1,270+2:quarter:0"
    state = position(table, "band_corons")
    lines = lay(state, "band_corons", "(1,1)", 90)
    assert scored(lines) == ["Corons laid in a town: 1 point to Seat 1 and Seat 2."]
    assert members(state) == [8, 8], "the town is closed"


def test_in_a_town_of_two_families_the_one_with_most_members_takes_the_points() -> None:
    table = (
        "three_corons@0,1+1:quarter:0 cap_corons@0,2,180+1:quarter:0 straight@1,0,90 straight@2,0,90 "
        "corner_bourgeois@2,1,270+2:quarter:0"
    )
    state = position(table, "band_corons")
    lay(state, "band_corons", "(1,1)", 90)
    assert points(state) == [1, 0]
    assert members(state) == [6, 7], "the town is still open"


def test_a_quarter_in_a_town_without_members_gives_nobody_anything() -> None:
    state = position("band_corons@0,1", "three_corons")
    assert not scored(lay(state, "three_corons", "(0,2)", 0))


# Urbanism.


def test_an_urbanism_symbol_gives_a_point_for_each_quarter_laid_before() -> None:
    state = position("band_corons@0,1+1:quarter:0 three_corons@0,2", "band_slum_water")
    lines = lay(state, "band_slum_water", "(1,2)", 90)
    assert scored(lines) == [
        "Slum laid in a town: 1 point to Seat 1.",
        "Water supply for 3 quarters built before: 3 points to Seat 1.",
    ], "the start card's quarter, and two more"


def test_an_urbanism_symbol_on_the_card_that_joins_two_towns_counts_the_quarters_of_both() -> None:
    table = "corner_corons@0,1,90+1:quarter:0 straight@1,0,90 straight@2,0,90 cap_slum@2,1,270"
    state = position(table, "band_slum_water")
    lines = lay(state, "band_slum_water", "(1,1)", 90)
    assert scored(lines)[1] == "Water supply for 3 quarters built before: 3 points to Seat 1."
    assert points(state) == [4, 0]


def test_a_station_does_not_double_an_urbanism_symbol() -> None:
    state = position("three_end_bourgeois_station@0,1+1:quarter:0", "band_slum_water")
    lay(state, "band_slum_water", "(1,1)", 90)
    assert points(state) == [2 + 2, 0]


def test_the_first_quarter_of_a_town_has_no_use_for_its_symbol() -> None:
    state = position("", "corner_slum_sewers")
    lay(state, "corner_slum_sewers", "(0,-1)", 90, "quarter:0")
    assert points(state) == [1, 0]


# The variant `quarters`.


@pytest.mark.parametrize(("card", "value"), [("cap_bourgeois", 2), ("cap_corons", 1), ("cap_slum", 0)])
@pytest.mark.parametrize("station", [False, True])
def test_in_the_variant_a_quarter_gives_2_1_or_0_by_its_kind_and_a_station_doubles_it(
    card: str, value: int, station: bool
) -> None:
    town = "three_end_bourgeois_station" if station else "three_corons"
    state = position(f"{town}@0,1+1:quarter:0", card, at=game(quarters=True))
    lay(state, card, "(0,2)", 180)
    assert points(state) == [value * (2 if station else 1), 0]


def test_in_the_variant_an_urbanism_symbol_counts_quarters_of_any_kind() -> None:
    state = position("band_corons@0,1+1:quarter:0", "band_slum_water", at=game(quarters=True))
    lay(state, "band_slum_water", "(0,2)", 0)
    assert points(state) == [2, 0], "nothing for the slum itself"


# The log.


def test_the_log_lists_lines_ports_mines_factories_and_towns_in_this_order() -> None:
    table = (
        "port_end@-1,0,90+1:port:0 curve@0,-1,180 mine_end@1,-1+2:mine:0 cap_corons@0,1,180 terminus@1,1,180+1:track:0"
    )
    state = position(table, "junction")
    lines = lay(state, "junction", "(1,0)", 180)
    assert [line.split()[0] for line in scored(lines)] == ["Railway", "Port,", "Mine"]
    state = position("fields_factory@0,-1+2:factory:0", "cap_slum_mine")
    lines = lay(state, "cap_slum_mine", "(0,-2)", 90, "quarter:0")
    assert [line.split()[0] for line in scored(lines)] == ["Factory", "Slum"]
