"""The rules of Pays noir, one after the other, each on a position made by hand."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque import SPECTATOR
from ludotheque.core.game import CHANCE
from ludotheque.errors import IllegalMove
from ludotheque.games.pays_noir.observe import observe
from ludotheque.games.pays_noir.rules import CARD, DRAW, SPOT, PaysNoirState
from tests.games.pays_noir.positions import game, lay, members, play, position

pytestmark = pytest.mark.both


def legal(state: PaysNoirState) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


# Set-up.


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everyone_gets_8_members_and_3_cards_and_seat_1_begins(players: int) -> None:
    state = game(players).new_initial_state()
    assert state.position().startswith("start_station@0,0 "), "the start card lies in the middle"
    for deal in range(3 * players):
        assert (state.current_player(), state.seat) == (CHANCE, deal // 3)
        state.apply_action(state.legal_actions()[0])
    assert [state.held(seat) for seat in range(players)] == [3] * players
    assert members(state) == [8] * players
    assert (state.current_player(), state.seat, state.phase) == (CHANCE, 0, DRAW)
    assert state.left == 72 - 3 * players


def test_the_start_card_is_never_drawn_and_the_others_by_their_copies() -> None:
    chances = dict(game().new_initial_state().chance_outcomes())
    ids = [card.id for card in game().deck.cards]
    assert ids.index("start_station") not in chances
    assert chances[ids.index("curve")] == 6 / 72
    assert chances[ids.index("crossing")] == 1 / 72


@pytest.mark.parametrize(("players", "last_space"), [(2, 90), (3, 70), (4, 50), (5, 45)])
def test_the_score_track_is_as_long_as_the_card_file_says_or_as_the_option_says(players: int, last_space: int) -> None:
    assert game(players).last_space == last_space
    assert game(players, track=120).last_space == 120


# A turn.


def test_a_turn_begins_with_drawing_a_card() -> None:
    state = position(hand="straight")
    lay(state, "straight", "(1,0)")
    assert (state.current_player(), state.seat, state.phase) == (CHANCE, 1, DRAW)
    play(state, "curve")
    assert (state.current_player(), state.held(1)) == (1, 4)


def test_without_a_pile_turns_go_on_without_drawing_until_all_hands_are_empty() -> None:
    state = position(hand="straight straight", others="straight straight", pile=False)
    for x in (1, 2, 3, 4):
        assert state.phase == CARD
        assert state.seat == (x + 1) % 2
        lay(state, "straight", f"({x},0)", 90)
    assert state.is_terminal()


def test_any_rotation_but_every_touching_edge_must_match() -> None:
    state = position(hand="straight")
    play(state, "straight")
    assert legal(state) == ["at 1,0", "at 0,-1", "at -1,0"], (
        "next to rail with its ends, next to country with its sides"
    )
    for place, why in (("(0,1)", "does not fit"), ("(2,0)", "not next to a card"), ("(0,0)", "lies at")):
        with pytest.raises(IllegalMove, match=why):
            state.string_to_action(place)
    play(state, "(0,-1)")
    assert state.board.laid == 2, "its sides lie against country in one turn only, so nothing more is asked"


def test_edges_on_all_sides_of_a_place_must_match() -> None:
    state = position("straight@1,0,90 curve@2,0,180 curve@2,-1,270", "curve")
    play(state, "curve")
    assert "at 1,-1" in legal(state)
    play(state, "(1,-1)")
    assert observe(state, 0).cards[-1].turn == 1, "country in the north, rail in the east: one turn only"


def test_a_card_that_looks_the_same_turned_is_offered_once() -> None:
    state = position(hand="fields_factory")
    play(state, "fields_factory", "(0,-1)")
    assert state.phase == SPOT, "no turn is asked for"


# Discarding.


def unplayable() -> PaysNoirState:
    """The table shows country alone, and no card of seat 1 has any."""
    table = "mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180"
    return position(table, "crossing heart_bourgeois", others="straight straight", pile=False)


def test_a_hand_that_fits_nowhere_is_shown_and_one_card_discarded() -> None:
    state = unplayable()
    assert legal(state) == ["discard heart_bourgeois", "discard crossing"]
    with pytest.raises(IllegalMove, match="discard one"):
        state.string_to_action("crossing")
    assert observe(state, 1).hands[0] == ("?", "?")
    assert play(state, "discard crossing") == [
        "Seat 1 shows a hand that fits nowhere (heart of a town, two lines crossing on a bridge, not joined) "
        "and discards: two lines crossing on a bridge, not joined."
    ]
    assert (state.seat, state.phase) == (1, CARD), "the turn ends"
    assert "crossing" in observe(state, 1).discards


def test_a_hand_that_was_shown_stays_known_to_all() -> None:
    state = unplayable()
    play(state, "discard crossing")
    lay(state, "straight", "(0,-1)")
    for viewer in (1, SPECTATOR):
        assert observe(state, viewer).hands[0] == ("heart_bourgeois",)
        assert observe(state.resample_from_infostate(viewer, Random(1)), 0).hands[0] == ("heart_bourgeois",)
    assert observe(state, 0).hands[1] == ("?",), "seat 2 has shown nothing"
    play(state, "discard heart_bourgeois")
    assert observe(state, 1).hands[0] == ()


def test_a_card_drawn_after_the_hand_was_shown_is_hidden_again() -> None:
    table = "mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180"
    state = position(table, "crossing heart_bourgeois two_curves three_end_slum_water")
    play(state, "discard crossing", "straight")
    lay(state, "straight", "(0,-1)")
    play(state, "curve")
    assert observe(state, 1).hands[0] == ("heart_bourgeois", "three_end_slum_water", "two_curves", "?")


def test_nothing_is_discarded_while_a_card_fits() -> None:
    state = position(hand="straight")
    with pytest.raises(IllegalMove, match="only if none"):
        state.string_to_action("discard straight")


# Placing a member.


def test_a_member_may_stand_on_a_quarter_a_track_a_site_or_a_country_patch_of_the_card_just_laid() -> None:
    state = position(hand="cap_corons_port_straight")
    play(state, "cap_corons_port_straight", "(1,0)", "turn 0")
    spots = ["quarter:0", "track:0", "track:1", "port:0", "country:0", "country:1"]
    assert legal(state) == ["no member", *(f"member {spot}" for spot in spots)]
    play(state, "member port")
    assert members(state) == [7, 8]


def test_no_member_is_placed_on_a_line_with_a_member_of_anyone() -> None:
    for owner in ("1", "2"):
        state = position(f"straight@1,0,90+{owner}:track:0", "straight")
        play(state, "straight", "(2,0)")
        assert "member track:0" not in legal(state)
        with pytest.raises(IllegalMove, match="a member on this line"):
            state.string_to_action("member track:0")


@pytest.mark.parametrize(("owner", "allowed"), [(1, True), (2, False)])
def test_a_town_may_be_joined_by_the_family_that_is_there_alone(owner: int, allowed: bool) -> None:
    state = position(f"band_corons@0,1+{owner}:quarter:0", "three_corons")
    play(state, "three_corons", "(0,2)", "turn 0")
    assert ("member quarter:0" in legal(state)) is allowed


@pytest.mark.parametrize(("owner", "allowed"), [(1, True), (2, False)])
def test_a_country_may_be_joined_by_the_family_that_is_there_alone(owner: int, allowed: bool) -> None:
    state = position(f"fields_factory@0,-1+{owner}:country:0", "fields_factory")
    play(state, "fields_factory", "(0,-2)")
    assert ("member country:0" in legal(state)) is allowed
    assert "member factory:0" in legal(state), "the factory is another site"


def test_a_town_or_country_with_two_families_takes_no_more_members() -> None:
    table = "three_corons@0,1+1:quarter:0 band_corons@1,1,90 band_slum_water@2,1,90+2:quarter:0"
    state = position(table, "cap_corons")
    play(state, "cap_corons", "(0,2)")
    assert legal(state) == ["no member", "member country:0"]
    with pytest.raises(IllegalMove, match="Seat 2 already has a member in this town"):
        state.string_to_action("quarter:0")


def test_without_a_member_left_nobody_is_asked() -> None:
    on_the_table = " ".join(f"straight@{x},0,90+1:country:0" for x in (1, 2, 3, 4, 5))
    table = f"{on_the_table} curve@6,0,270+1:country:0 curve@6,1,90+1:country:0 curve@7,1,180+1:country:0"
    state = position(table, "terminus")
    assert members(state)[0] == 0
    lay(state, "terminus", "(7,0)", 0)
    assert state.seat == 1
