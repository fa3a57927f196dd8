"""Moves, positions, choices and the log of Cable Car as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random

from ludotheque import choices, load_game
from ludotheque.core.game import SPECTATOR
from ludotheque.errors import AmbiguousMove, BadPosition, IllegalMove, MoveError, UnreadableMove
from tests.games.cable_car.positions import game, play, position


def test_moves_are_written_as_tile_turn_and_cell() -> None:
    state = position(hands="acba,bbbb|baac,aaaa", hand=2, rotation=True)
    for text in ("acba B1", "acba+1 B1", "bbbb H7", "draw"):
        assert state.action_to_string(state.string_to_action(text)) == text


@pytest.mark.parametrize("text", ["ACBA b1", "  acba   B1 ", "acba+0 b1", "acbaB1"])
def test_reading_forgives_case_and_blanks(text: str) -> None:
    state = position(hands="acba|baac")
    assert state.action_to_string(state.string_to_action(text)) == "acba B1"


def test_a_turn_with_the_same_tracks_is_the_same_move() -> None:
    state = position({"B1": "aaaa"}, hands="adad|baac", rotation=True)
    assert state.string_to_action("adad+3 B2") == state.string_to_action("adad+1 B2")


def test_a_cell_alone_is_enough_with_one_tile() -> None:
    state = position(hands="acba|baac")
    assert state.string_to_action("B1") == state.string_to_action("acba B1")


def test_a_cell_alone_is_ambiguous_with_two_tiles() -> None:
    with pytest.raises(AmbiguousMove, match="'acba B1', 'bbbb B1'"):
        position(hands="acba,bbbb|baac,aaaa", hand=2).string_to_action("B1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("acba D4", "D4 is the power station."),
        ("acba C3", "C3 is neither at the edge nor next to a tile."),
        ("acba B1", "B1 is taken."),
        ("B1", "B1 is taken."),
        ("bbbb C1", "You do not hold bbbb."),
        ("acba H1", "On H1 the tile would make a line of one tile, and it fits elsewhere."),
        ("acba+1 C1", "Tiles are not turned in this game."),
        ("swap 10 open", "Shares are swapped only in The Companies."),
    ],
)
def test_an_illegal_move_gets_the_reason(text: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as error:
        position({"B1": "aaaa"}, hands="acba|baac").string_to_action(text)
    assert str(error.value) == reason


@pytest.mark.parametrize("text", ["", "acba", "acba Z9", "abcd", "swap 50 open", "swap 10", "draw draw", "acba+4 B1"])
def test_an_unreadable_move_gets_an_example(text: str) -> None:
    with pytest.raises(UnreadableMove, match="is not a move; write it like 'acba A1'"):
        position(hands="acba|baac").string_to_action(text)


def test_a_code_that_is_no_tile_is_unreadable() -> None:
    with pytest.raises(UnreadableMove, match="no tile aaab"):
        position(hands="acba|baac").string_to_action("aaab B1")


def test_a_drawn_tile_excludes_the_hand() -> None:
    state = play(position(hands="acba|baac"), "draw", "bbbb")
    with pytest.raises(IllegalMove, match="the tile you have drawn"):
        state.string_to_action("acba B1")
    with pytest.raises(IllegalMove, match="drawn already"):
        state.string_to_action("draw")


def test_chance_is_read_too() -> None:
    state = play(position(hands="acba|baac"), "draw")
    with pytest.raises(UnreadableMove, match="is not a tile"):
        state.string_to_action("zzzz")
    shares = play(position(companies=True), "swap 10 open")
    with pytest.raises(UnreadableMove, match="is not a company"):
        shares.string_to_action("aaaa")
    with pytest.raises(IllegalMove, match="No yellow is left"):
        shares.string_to_action("yellow")


@settings(max_examples=200)
@given(st.text(max_size=30))
def test_any_text_is_a_move_or_gets_a_sentence(text: str) -> None:
    state = position(hands="acba,bbbb|baac,aaaa", hand=2, rotation=True, companies=True)
    before = state.position()
    try:
        assert state.string_to_action(text) in state.legal_actions()
    except MoveError as error:
        assert str(error).endswith((".", "?"))
    assert state.position() == before


# Choices.


def test_choices_lead_from_tile_to_cell_to_turn() -> None:
    state = position(hands="acba|baac", rotation=True, companies=True)
    tree = {choice.step.key: choice for choice in choices(state)}
    assert list(tree) == ["tile:acba", "draw", "swap:10", "swap:20", "swap:30", "swap:40"]
    assert str(tree["tile:acba"].step.label) == "Your tile"
    cell = next(choice for choice in tree["tile:acba"].children if choice.step.key == "cell:B1")
    assert [choice.step.key for choice in cell.children] == ["turn:0", "turn:90", "turn:180", "turn:270"]
    assert [str(choice.step.label) for choice in tree["swap:20"].children] == [
        "for the open one, orange",
        "for the top hidden one",
    ]


def test_tracks_tell_the_tiles_of_a_larger_hand_apart() -> None:
    state = position(hands="acba,bbbb|baac,aaaa", hand=2)
    labels = [str(choice.step.label) for choice in choices(state) if choice.step.key.startswith("tile:")]
    assert len(set(labels)) == 2
    assert "Tile: 2 straight, 1 bend left, 1 bend right" in labels


# The log.


def said(text: str, move: str, viewer: int = SPECTATOR, companies: bool = False) -> list[str]:
    before = game(companies=companies).read_position(text)
    after = before.clone()
    play(after, move)
    return [str(line) for line in before.game.describe(before, before.string_to_action(move), after, viewer)]


def test_the_log_says_who_laid_what_and_what_it_scored() -> None:
    before = position({"A1": "aaaa"}, hands="cccc|acba")
    assert said(before.position(), "cccc A2") == [
        "Seat 1 lays a tile on A2: 4 bends right.",
        "Line 1 runs 2 tiles to station 31: 2 points for Seat 1.",
    ]


def test_the_log_tells_of_the_power_station() -> None:
    tiles = {"C1": "aaaa", "C2": "baac", "D2": "aaaa", "E2": "baac"}
    assert said(position(tiles, hands="aaaa|acba").position(), "aaaa E3") == [
        "Seat 1 lays a tile on E3: 4 straight.",
        "Line 3 runs 5 tiles into the power station: 10 points for Seat 1.",
    ]


def test_the_log_tells_a_draw_only_to_who_sees_it() -> None:
    drawing = play(position(hands="acba|baac"), "draw").position()
    assert said(drawing, "bbbb", viewer=0) == ["It is 4 bends left."]
    assert said(drawing, "bbbb", viewer=1) == ["Only Seat 1 sees it."]


def test_the_log_tells_of_swaps() -> None:
    before = position(companies=True).position()
    assert said(before, "swap 20 open", companies=True) == ["Seat 1 swaps the 20% share for the open one, orange."]
    assert said(before, "swap 20 hidden", companies=True) == ["Seat 1 swaps the 20% share for the top hidden one."]


# Positions.


def test_repr_rebuilds_the_state() -> None:
    state = position({"B1": "acba+1"}, hands="bbbb|baac", rotation=True)
    again = eval(repr(state), {"load_game": load_game})
    assert again.position() == state.position()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("1aaaa6", "8"), "The last tile cannot lie on 'B1'."),
        (("1aaaa6", "1aaab6"), "There is no tile 'aaab'."),
        (("1aaaa6", "1aaaa7"), "Row 1 does not fit the board"),
        (("1aaaa6", "1aaaa+16"), "cannot lie turned"),
        (("3##3", "8"), "Row 4 does not fit the board"),
        (("/8/8/8 ", "/8/8 "), "The board has 8 rows, not 7."),
        (("1aaaa6", "1aaaa1aaaaaaaaaaaaaaaa1"), "more tiles aaaa than the game has"),
        (("/8/3##3", "/2bbbb5/3##3"), "C3 is not joined to the edge"),
        ((" 1 ", " 3 "), "Whose turn it is cannot be read: '3'."),
        ((" 1 ", " end "), "The game is over when"),
        ((" 1 ", " deal "), "The set-up deals"),
        (("acba|baac", "acba|-"), "Seat 2 holds 0 tiles while the pile has 58."),
        ((" 1 ", " 1@20 "), "only in The Companies"),
        (("acba|baac", "acba"), "There are 2 hands, not 1."),
        (("acba|baac", "acba,acba|baac"), "Seat 1 holds more than 1 tiles."),
        (("acba|baac", "-|baac"), "Seat 1 has nothing to do"),
        (("- -", "-"), "has 6 fields"),
        (("- -", "x -"), "there are no shares"),
    ],
)
def test_a_bad_position_gets_a_sentence(change: tuple[str, str], reason: str) -> None:
    text = position({"B1": "aaaa"}, hands="acba|baac").position()
    assert change[0] in text
    with pytest.raises(BadPosition, match=reason):
        game().read_position(text.replace(*change, 1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Y1,B2", "B1,Y2"), ""),
        (("Y1,B2", "Y2,B2"), "Seat 1 must know"),
        (("Y1,B2", "Y1,Y2"), "one of each company"),
        (("Y1,B2", "Y1,-"), "one of each company"),
        ((":O*", ":O"), "must be known to all"),
        (("GPKRN/", "GPKRNZ/"), "is not the letter"),
        (("Y1,B2:", "Y1:"), "cannot be read"),
        (("0,0", "0,4"), "numbers from 0 to 3"),
        (("Y1,B2", "Y13,B2"), "no seat 3"),
    ],
)
def test_bad_shares_get_a_sentence(change: tuple[str, str], reason: str) -> None:
    text = position(companies=True).position()
    assert change[0] in text
    changed = text.replace(*change, 1)
    if not reason:
        assert game(companies=True).read_position(changed).position() == changed
        return
    with pytest.raises(BadPosition, match=reason):
        game(companies=True).read_position(changed)


@settings(max_examples=300)
@given(st.data())
def test_a_mutated_position_is_read_or_gets_a_sentence(data: st.DataObject) -> None:
    state = game(3, companies=True, rotation=True, hand=2).new_initial_state()
    rng = Random(data.draw(st.integers(0, 1000)))
    for _ in range(data.draw(st.integers(0, 100))):
        state.apply(state.sample(rng))
    text = state.position()
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    mutated = text[:at] + data.draw(st.text("0123456789abcdYBO*#/|,:+-?@^ xé", max_size=3)) + text[at + cut :]
    try:
        read = state.game.read_position(mutated)
    except BadPosition as error:
        assert str(error).endswith(".")
    else:
        assert state.game.read_position(read.position()).position() == read.position()
        for _ in range(40):
            if read.is_terminal():
                break
            assert read.legal_actions()
            read.apply(read.sample(rng))


def test_two_tiles_with_the_same_tracks_are_told_apart_by_their_sides() -> None:
    state = position(hands="aacb,acba,bbad|baac,aaaa,dddd", hand=3)
    sentences = {move: str(state.game.describe_decision(state, state.string_to_action(move))) for move in TOLD_APART}
    assert sentences == TOLD_APART


def test_the_log_does_not_tell_of_a_second_tile_in_the_hand() -> None:
    state = position(hands="aacb,acba,bbad|baac,aaaa,dddd", hand=3)
    after = play(state.clone(), "aacb C1")
    lines = state.game.describe(state, state.string_to_action("aacb C1"), after, SPECTATOR)
    assert str(lines[0]) == "Seat 1 lays a tile on C1: 2 straight, 1 bend left, 1 bend right."


TOLD_APART = {
    "aacb C1": "Seat 1 lays a tile on C1: from the north straight on, from the east straight on, "
    "from the south to the right, from the west to the left.",
    "acba C1": "Seat 1 lays a tile on C1: from the north straight on, from the east to the right, "
    "from the south to the left, from the west straight on.",
    "bbad C1": "Seat 1 lays a tile on C1: 1 straight, 2 bends left, 1 loop back.",
    "draw": "Seat 1 draws a tile to place.",
}
"""What some moves with this hand decide."""
