"""Moves, turns, choices and positions of Pays noir as text."""

from __future__ import annotations

import pytest

from ludotheque import choices
from ludotheque.errors import AmbiguousMove, BadPosition, IllegalMove, MoveError, UnreadableMove
from ludotheque.games.pays_noir.notation import card_name, spot_name
from ludotheque.games.pays_noir.rules import CARD, DRAW, PLACE, SPOT, TURN, PaysNoirState
from tests.games.pays_noir.positions import game, play, position

pytestmark = pytest.mark.both


def test_a_turn_is_written_in_small_moves() -> None:
    state = position(hand="cap_corons_port_straight")
    for move, phase in (
        ("cap_corons_port_straight", PLACE),
        ("at 1,0", TURN),
        ("turn 180", SPOT),
        ("member port:0", DRAW),
        ("straight", CARD),
    ):
        action = state.string_to_action(move)
        assert state.action_to_string(action) == move
        state.apply_action(action)
        assert state.phase == phase


def test_each_choice_of_a_turn_has_a_sentence_of_its_own() -> None:
    """The log waits until the card lies; a review tells of every choice."""
    state = position(hand="cap_corons_port_straight")
    card = str(card_name(next(card for card in state.deck.cards if card.id == "cap_corons_port_straight")))
    for move, sentence in (
        ("cap_corons_port_straight", f"Seat 1 chooses a card to lay: {card}."),
        ("at 1,0", f"Seat 1 lays a card to the east of the start card: {card}."),
        ("turn 180", f"Seat 1 lays a card to the east of the start card, turned by 180°: {card}."),
        ("member port:0", "Seat 1 places a member on the port of the card just laid."),
    ):
        assert str(state.game.describe_decision(state, state.string_to_action(move))) == sentence
        if move.startswith("member"):
            none = state.game.describe_decision(state, state.string_to_action("no member"))
            assert str(none) == "Seat 1 places no member on the card just laid."
        play(state, move)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("STRAIGHT", "straight"), ("  straight ", "straight"), ("place straight", "straight"), ("str", "straight"),
     ("cap corons port straight", "cap_corons_port_straight"), ("cap-corons-port", "cap_corons_port_straight")],
)  # fmt: skip
def test_cards_may_be_written_loosely(written: str, meant: str) -> None:
    state = position(hand="straight cap_corons_port_straight")
    assert state.string_to_action(written) == state.string_to_action(meant)


@pytest.mark.parametrize("written", ["(1,0)", "1,0", "1 0", "( 1 , 0 )", "at (1,0)", "+1,0", "AT 1,0"])
def test_places_may_be_written_loosely(written: str) -> None:
    state = position(hand="straight")
    play(state, "straight")
    assert state.action_to_string(state.string_to_action(written)) == "at 1,0"


@pytest.mark.parametrize("written", ["turn 180", "180", "180°", "turned by 180", "Turn180"])
def test_turns_may_be_written_loosely(written: str) -> None:
    state = position(hand="cap_corons_straight")
    play(state, "cap_corons_straight", "1,0")
    assert state.action_to_string(state.string_to_action(written)) == "turn 180"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("no member", "no member"), ("none", "no member"), ("no", "no member"), ("port", "member port:0"),
     ("member on port:0", "member port:0"), ("p0", "member port:0"), ("q", "member quarter:0"),
     ("country 1", "member country:1"), ("T1", "member track:1")],
)  # fmt: skip
def test_spots_may_be_written_loosely(written: str, meant: str) -> None:
    state = position(hand="cap_corons_port_straight")
    play(state, "cap_corons_port_straight", "1,0", "0")
    assert state.action_to_string(state.string_to_action(written)) == meant


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("straight (1,0)", ["straight", "at 1,0"]),
        ("straight 1,0 90 track", ["straight", "at 1,0", "member track:0"]),
        ("curve at 1,0 turn 180 member country:0", ["curve", "at 1,0", "turn 180", "member country:0"]),
        ("curve 1,0 270 none", ["curve", "at 1,0", "turn 270", "no member"]),
        ("curve (1,0)", ["curve", "at 1,0"]),
        ("straight", ["straight"]),
    ],
)
def test_a_whole_turn_may_stand_on_one_line(line: str, moves: list[str]) -> None:
    state = position(hand="straight curve")
    written = []
    for action in state.string_to_actions(line):
        written.append(state.action_to_string(action))
        state.apply_action(action)
    assert written == moves


def test_the_rest_of_a_turn_may_stand_on_one_line() -> None:
    state = position(hand="curve")
    play(state, "curve")
    assert len(state.string_to_actions("(1,0) 180 no member")) == 3


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("straight 1,0 0", "only turned by 90"),
        ("straight 0,1", "does not fit"),
        ("straight 1,0 90 mine", "is not a spot on the card"),
        ("curve 1,0 0", "Turned by 0 the card does not fit there"),
    ],
)
def test_a_line_with_something_wrong_is_not_read_at_all(line: str, why: str) -> None:
    state = position(hand="straight curve")
    with pytest.raises(MoveError, match=why):
        state.string_to_actions(line)


@pytest.mark.parametrize(
    ("moves", "written", "error", "why"),
    [
        ([], "", UnreadableMove, "The move is empty; write one like"),
        ([], "lake", UnreadableMove, "names no card here"),
        ([], "c", AmbiguousMove, "could be one of these: cap_corons, curve"),
        ([], "junction", IllegalMove, "You do not hold junction"),
        ([], "discard straight", IllegalMove, "only if none in your hand fits"),
        ([], "heart_bourgeois", IllegalMove, "fits nowhere"),
        (["straight"], "north", UnreadableMove, "is not a place"),
        (["straight"], "5,5", IllegalMove, "is not next to a card"),
        (["straight"], "0,0", IllegalMove, "A card lies at"),
        (["cap_corons"], "1,0", IllegalMove, "edges must match"),
        (["curve", "1,0"], "45", UnreadableMove, "is not a rotation by 0, 90, 180 or 270"),
        (["curve", "1,0"], "0", IllegalMove, "Turned by 0 the card does not fit"),
        (["curve", "1,0", "180"], "port", UnreadableMove, "it has track:0, country:0, country:1"),
        (["curve", "1,0", "180"], "country", AmbiguousMove, "could be one of these: country:0, country:1"),
        (
            ["curve", "1,0", "180", "none"],
            "heart_bourgeois",
            IllegalMove,
            "No card heart_bourgeois is left in the pile",
        ),
        (["curve", "1,0", "180", "none"], "lake", UnreadableMove, "names no card here"),
    ],
)
def test_what_is_wrong_with_a_move_is_said_in_a_sentence(
    moves: list[str], written: str, error: type[MoveError], why: str
) -> None:
    # The town is closed: only rail and country are open.
    state = position("cap_slum@0,1,180", "straight curve heart_bourgeois cap_corons")
    play(state, *moves)
    before = state.position()
    with pytest.raises(error, match=why):
        state.string_to_action(written)
    assert state.position() == before


def test_every_choice_has_a_step_with_a_label() -> None:
    state = position(hand="cap_corons_port_straight straight straight curve")
    assert [choice.step.key for choice in choices(state)] == [
        "card:straight",
        "card:curve",
        "card:cap_corons_port_straight",
    ]
    play(state, "cap_corons_port_straight")
    assert [choice.step.key for choice in choices(state)][:2] == ["place:1,0", "place:0,1"]
    play(state, "1,0")
    assert [str(choice.step.label) for choice in choices(state)] == ["Not turned", "Turned by 180°"]
    play(state, "0")
    assert [choice.step.key for choice in choices(state)][:3] == ["spot:none", "spot:quarter:0", "spot:track:0"]
    assert str(choices(state)[2].step.label) == "A member on the track (west)"


def test_spots_are_told_apart_by_the_sides_they_reach() -> None:
    cards = {card.id: card for card in game().deck.cards}
    assert str(spot_name(cards["straight"], 0, "track:0")) == "the track"
    assert str(spot_name(cards["straight"], 0, "country:1")) == "the country (north, east, south)"
    assert str(spot_name(cards["straight"], 1, "country:1")) == "the country (east, south, west)"
    assert str(spot_name(cards["crossing"], 0, "track:1")) == "the track (east, west)"
    assert str(spot_name(cards["three_end_slum_water"], 0, "country:1")) == "the country no. 2", "both in the west"


# Positions.


def test_a_position_names_table_points_hands_discards_and_turn() -> None:
    state = position("straight@1,0,90+2:track:0", "curve", points="3,4")
    table, points, hands, discards, turn = state.position().split(" ")
    assert table == "start_station@0,0;straight@1,0,90+2:track:0"
    assert points == "3,4"
    assert hands.startswith("curve,")
    assert (discards, turn) == ("-", "1")
    play(state, "curve", "2,0")
    assert state.position().endswith(" 1:curve@2,0")
    play(state, "180")
    assert state.position().endswith(" 1+")
    play(state, "none")
    assert state.position().endswith(" 2?")


HANDS = "curve,curve,curve|straight,straight,straight"
MORE = "curve,curve,curve,curve|straight,straight,straight"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("start_station@0,0", "has 5 fields"),
        (f"curve@0,0 0,0 {MORE} - 1", "The first card of the table must be start_station@0,0"),
        (f"start_station@1,0 0,0 {MORE} - 1", "The first card of the table must be"),
        (f"start_station@0,0;lake@1,0 0,0 {MORE} - 1", "There is no card 'lake'"),
        (f"start_station@0,0;straight@1 0,0 {MORE} - 1", "Card 2 of the table cannot be read"),
        (f"start_station@0,0;straight@1,0 0,0 {MORE} - 1", "cannot lie turned by 0"),
        (f"start_station@0,0;straight@1,0,270 0,0 {MORE} - 1", "cannot lie turned by 270"),
        (f"start_station@0,0;straight@2,0,90 0,0 {MORE} - 1", "taken, or not next to a card"),
        (f"start_station@0,0;crossing@1,0;crossing@2,0 0,0 {MORE} - 1", "more cards crossing than the game has"),
        (f"start_station@0,0;straight@1,0,90+1:mine:0 0,0 {MORE} - 1", "has no spot mine:0"),
        (f"start_station@0,0;straight@1,0,90+3:track:0 0,0 {MORE} - 1", "Seat 3 has no member"),
        (f"start_station@0,0;terminus@1,0,270+1:track:0 0,0 {MORE} - 1", "on something that is finished"),
        (f"start_station@0,0 0 {MORE} - 1", "The points are 2 whole numbers"),
        (f"start_station@0,0 0,-1 {MORE} - 1", "The points are 2 whole numbers"),
        (f"start_station@0,0 0,90 {MORE} - 1", "The game is over: someone has 90 points"),
        ("start_station@0,0 0,0 curve - 1", "There are 2 hands, not 1"),
        (f"start_station@0,0 0,0 {HANDS} - 1", "Seat 1 holds 3 cards while the pile has"),
        (f"start_station@0,0 0,0 {MORE} - 2", "Seat 1 holds 4 cards while the pile has"),
        ("start_station@0,0 0,0 curve,curve,curve,curve,curve|- - 1", "no hand has so many"),
        (f"start_station@0,0 0,0 {MORE} lake 1", "There is no card 'lake'"),
        (f"start_station@0,0 0,0 {MORE} - 3", "Whose turn it is cannot be read"),
        (f"start_station@0,0 0,0 {MORE} - x", "Whose turn it is cannot be read"),
        (f"start_station@0,0 0,0 {MORE} - 1?:curve", "Whose turn it is cannot be read"),
        (f"start_station@0,0 0,0 {MORE} - deal", "The set-up deals cards seat by seat"),
        (f"start_station@0,0 0,0 {HANDS} - end", "The game ends when all hands are empty"),
        (f"start_station@0,0 0,0 {HANDS} - 1+", "cannot place a member on the last card"),
        (f"start_station@0,0 0,0 {MORE} - 1:straight", "Seat 1 does not hold straight"),
        (f"start_station@0,0 0,0 {MORE} - 1:curve@0,1", "has no choice of turns at (0,1)"),
        (f"start_station@0,0 0,0 {MORE} - 1:curve@9,9", "has no choice of turns at (9,9)"),
    ],
)
def test_what_is_wrong_with_a_position_is_said_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadPosition) as complaint:
        game().read_position(text)
    assert why in str(complaint.value)


def test_a_position_without_a_pile_is_read() -> None:
    state = position("", "straight", others="curve", pile=False)
    with pytest.raises(BadPosition, match="Nobody can draw"):
        game().read_position(state.position().removesuffix("1") + "1?")
    assert isinstance(state, PaysNoirState)
    assert game().read_position(state.position()).position() == state.position()
