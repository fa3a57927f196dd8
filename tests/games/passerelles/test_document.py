"""Neutral pieces before a round: named landscapes, one's own, and those that the players lay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.core.options import read_settings
from ludotheque.core.playout import playout
from ludotheque.errors import BadOption, IllegalMove
from ludotheque.games.passerelles import Passerelles, board, document
from ludotheque.games.passerelles.board import NEUTRAL, PASS
from ludotheque.games.passerelles.observation import placement_name
from ludotheque.games.passerelles.rules import PasserellesState, owner_of, placement_of
from tests.games.passerelles.tables import play, table

pytestmark = pytest.mark.both


def neutral_pieces(state: PasserellesState) -> list[str]:
    pieces = [piece for piece in state.laid_pieces() if owner_of(piece) == NEUTRAL]
    return [placement_name(placement_of(piece)) for piece in pieces]


def laying() -> PasserellesState:
    return Passerelles(settings={"landscape": "free"}).new_initial_state()


# Named landscapes.


def test_without_a_landscape_there_are_no_neutral_pieces() -> None:
    assert neutral_pieces(table()) == []


def test_there_are_six_named_landscapes() -> None:
    assert document.NAMES == ("africa", "asia", "australia", "europe", "north-america", "south-america")


@pytest.mark.parametrize("name", document.NAMES)
def test_a_named_landscape_uses_all_six_neutral_pieces_flat(name: str) -> None:
    state = table(landscape=name)
    assert state.laid == 6
    assert [state.held(NEUTRAL, length) for length in (1, 2, 3)] == [0, 0, 0]
    assert all(state.height(square) <= 0 for square in range(board.SQUARES))
    assert state.current_player() == 0


def test_both_rounds_use_the_same_landscape() -> None:
    state = table(landscape="asia")
    before, rng = neutral_pieces(state), Random(1)
    while state.round == 0:
        state.apply(state.sample(rng))
    assert neutral_pieces(state) == before
    assert state.laid == 6


# A landscape of one's own.


def test_a_landscape_from_a_file(tmp_path: Path) -> None:
    pieces = ["2v C4", "1h K10", "3h A1"]
    path = tmp_path / "islands.json"
    path.write_text(json.dumps({"name": "islands", "pieces": pieces}))
    settings = read_settings(Passerelles.options, [f"landscape_file={path}"])
    assert neutral_pieces(Passerelles(2, settings).new_initial_state()) == pieces
    toml = tmp_path / "islands.toml"
    toml.write_text('pieces = ["1 a1"]')
    settings = read_settings(Passerelles.options, [f"landscape_file={toml}"])
    assert neutral_pieces(Passerelles(2, settings).new_initial_state()) == ["1h A1"]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({}, "A landscape must have a list of pieces, such as ['3h D3', '1h E5']."),
        ({"pieces": "3h D3"}, "A landscape must have a list of pieces, such as ['3h D3', '1h E5']."),
        ({"pieces": [], "rows": 10}, "A landscape has a name and pieces, but no 'rows'."),
        ({"pieces": [3]}, "A piece of a landscape is written like '3h D3', not '3'."),
        ({"pieces": ["3h L3"]}, "A piece of a landscape is written like '3h D3', not '3h L3'."),
        ({"pieces": ["3 D3"]}, "A piece of a landscape is written like '3h D3', not '3 D3'."),
        ({"pieces": ["1v D3"]}, "A piece of length 1 has one direction; write it like '1h D3'."),
        ({"pieces": ["3h J3"]}, "3h J3 of the landscape does not fit on the board."),
        ({"pieces": ["2v J10"]}, "2v J10 of the landscape does not fit on the board."),
        ({"pieces": ["5h A1"]}, "The landscape has 1 pieces of length 5; there are 0 neutral ones."),
        ({"pieces": ["2h A1", "2h A2", "2h A3"]}, "The landscape has 3 pieces of length 2; there are 2 neutral ones."),
        ({"pieces": ["3h A1", "2v C1"]}, "3h A1 and 2v C1 of the landscape both lie on C1."),
    ],
)
def test_a_bad_landscape_gets_a_sentence(document: dict[str, object], reason: str) -> None:
    with pytest.raises(BadOption) as error:
        load_game("passerelles", landscape_file=document)
    assert str(error.value) == reason


def test_a_landscape_is_named_or_given_but_not_both() -> None:
    with pytest.raises(BadOption, match="either landscape or landscape_file"):
        load_game("passerelles", landscape="asia", landscape_file={"pieces": []})


@pytest.mark.parametrize(("option", "value"), [("rounds", 3), ("landscape", "atlantis"), ("diagonal", "ajar")])
def test_other_values_of_options_are_refused(option: str, value: object) -> None:
    with pytest.raises(BadOption, match=f"The option {option} takes one of"):
        Passerelles(2, {option: value})


def test_passerelles_is_for_two_players() -> None:
    with pytest.raises(BadOption, match="is for 2 players, not 3"):
        load_game("passerelles", players=3)


# Laid by the players.


def test_the_player_who_does_not_start_lays_first() -> None:
    state = laying()
    assert state.current_player() == 1
    play(state, "3h D3")
    assert state.current_player() == 0
    assert neutral_pieces(state) == ["3h D3"]


def test_a_neutral_piece_is_laid_flat() -> None:
    state = laying()
    play(state, "1 A1, 1 C1")
    with pytest.raises(IllegalMove, match="Neutral pieces are laid flat, and A1 is covered"):
        state.string_to_action("3h A1")


def test_only_neutral_pieces_that_are_left_are_laid() -> None:
    state = laying()
    play(state, "3h D3")
    with pytest.raises(IllegalMove, match="No neutral piece of length 3 is left"):
        state.string_to_action("3h D5")
    with pytest.raises(IllegalMove, match="No neutral piece of length 5 is left"):
        state.string_to_action("5h A1")


def test_passing_while_laying_is_voluntary_and_not_final() -> None:
    state = laying()
    assert PASS in state.legal_actions()
    play(state, "pass, 1 A1, 1 B1")
    assert state.laying
    assert neutral_pieces(state) == ["1h A1", "1h B1"]


def test_laying_ends_after_six_pieces() -> None:
    state = laying()
    play(state, "3h D3, 2h A1, 2h A2, 1 K1, 1 K2, 1 K3")
    assert not state.laying
    assert len(state.legal_actions()) < 670
    assert PASS not in state.legal_actions()


def test_laying_ends_after_two_passes_in_a_row() -> None:
    state = laying()
    play(state, "pass, 1 A1, pass, pass")
    assert not state.laying
    assert state.laid == 1


@pytest.mark.parametrize("moves", ["pass, pass", "1 A1, pass, pass", "3h D3, 2h A1, 2h A2, 1 K1, 1 K2, pass, 1 K3"])
def test_the_first_player_opens_no_matter_who_laid_last(moves: str) -> None:
    state = laying()
    play(state, moves)
    assert not state.laying
    assert state.current_player() == 0


def test_the_landscape_is_laid_anew_in_the_second_round() -> None:
    state = laying()
    play(state, "1 A1, pass, pass")
    rng = Random(2)
    while state.round == 0:
        state.apply(state.sample(rng))
    assert state.laying
    assert state.laid == 0
    assert state.current_player() == 0  # the second seat starts this round, so the first one lays first
    play(state, "pass, pass")
    assert state.current_player() == 1


def test_neutral_laying_does_not_count_as_placements() -> None:
    state = laying()
    play(state, "3h D3, 2h A1, 2h A2, 1 K1, 1 K2, 1 K3")
    state.rounds = 1
    assert playout(state, Random(3)) >= 24
