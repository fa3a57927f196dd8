"""Undo: a move can be undone while nobody has learnt anything since."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.errors import CannotUndo, NoSuchSeat
from ludotheque.table import Match
from tests.table.matches import orchard, play_on, random_match
from tests.toy import Nim


def test_a_step_of_a_turn_can_be_taken_back() -> None:
    match = orchard()
    before = match.view(0)
    match.play(0, "pick A")
    assert match.view(0).can_undo
    match.undo(0)
    assert match.view(0) == before
    match.play(0, "pick C")
    assert match.view(0).observation.to_move == 0


def test_several_steps_can_be_taken_back_one_by_one() -> None:
    match = Match.start(Nim(1))
    start = match.view(0)
    for _ in range(3):
        match.play(0, "(2)")
    for _ in range(3):
        match.undo(0)
    assert match.view(0) == start


def test_nothing_can_be_taken_back_before_the_first_move() -> None:
    match = orchard()
    assert not match.view(0).can_undo
    with pytest.raises(CannotUndo, match="no move of yours"):
        match.undo(0)
    match.play(0, "pick A")
    match.play(0, "take 1")
    with pytest.raises(CannotUndo, match="no move of yours"):
        match.undo(1)


def test_a_draw_cannot_be_taken_back() -> None:
    match = orchard()
    match.play(0, "swap")
    assert match.to_move == 0
    assert not match.view(0).can_undo
    with pytest.raises(CannotUndo, match=r"^A draw has been made since your last move"):
        match.undo(0)


def test_what_came_after_a_draw_can_be_taken_back_down_to_the_draw() -> None:
    match = orchard()
    match.play(0, "swap")
    match.play(0, "pick B")
    match.undo(0)
    with pytest.raises(CannotUndo, match="A draw"):
        match.undo(0)


def test_a_move_that_showed_something_hidden_cannot_be_taken_back() -> None:
    match = orchard()
    match.play(0, "peek")
    assert match.to_move == 0
    assert not match.view(0).can_undo
    with pytest.raises(CannotUndo, match="showed something hidden"):
        match.undo(0)
    match.play(0, "pick B")
    match.undo(0)
    with pytest.raises(CannotUndo, match="showed something hidden"):
        match.undo(0)


def test_a_move_cannot_be_taken_back_once_someone_else_is_to_act() -> None:
    match = Match.start(Nim(2), ["Ann", "Bob"])
    match.play(0, "(1)")
    assert not match.view(0).can_undo
    with pytest.raises(CannotUndo, match=r"^It is Bob's turn, so the move can no longer be taken back\.$"):
        match.undo(0)
    match.play(1, "(1)")
    with pytest.raises(CannotUndo, match="Bob has moved since your last move"):
        match.undo(0)


def test_nobody_takes_back_the_move_of_another() -> None:
    match = orchard()
    match.play(0, "pick A")
    with pytest.raises(CannotUndo, match="It is Ann's turn"):
        match.undo(1)
    with pytest.raises(NoSuchSeat):
        match.undo(7)
    assert not match.view(1).can_undo


def test_nothing_is_taken_back_after_the_end() -> None:
    match = play_on(orchard(), Random(1))
    with pytest.raises(CannotUndo, match="The game is over"):
        match.undo(0)
    assert not match.view(0).can_undo


def test_a_refused_undo_changes_nothing() -> None:
    match = orchard()
    match.play(0, "peek")
    before = match.view(0)
    with pytest.raises(CannotUndo):
        match.undo(0)
    assert match.view(0) == before


def test_by_consent_even_draws_are_taken_back() -> None:
    match = orchard()
    start = match.view(1)
    play_on(match, Random(1))
    match.rewind(start.ply)
    assert match.view(1) == start


def test_going_back_to_a_draw_makes_it_again() -> None:
    match = orchard()
    drawn = match.actions()
    play_on(match, Random(1))
    match.rewind(0)
    assert match.actions() == drawn


@pytest.mark.parametrize("players", range(2, 7))
def test_in_cable_car_every_move_but_a_draw_to_place_ends_the_turn(players: int) -> None:
    """So nothing can be taken back there: `can_undo` never offers it, and `undo` never grants it."""
    match = random_match(load_game("cable-car", players, companies=True), players, plies=60)
    rng = Random(1)
    while not match.is_over:
        seat = match.to_move
        assert not match.view(seat).can_undo
        with pytest.raises(CannotUndo):
            match.undo(seat)
        play_on(match, rng, match.ply + 1)
