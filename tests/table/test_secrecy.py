"""Nothing that talks to a person gives away what that person may not know.

Hidden facts are changed, and what a viewer gets must not change by one byte: at the present, by the game's own
`resample_from_infostate`, and over the whole of a match, where a hidden draw is made to fall otherwise (`twins`).
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from librt.random import Random

from ludotheque import CHANCE, SPECTATOR, load_game
from ludotheque.core.game import Game
from ludotheque.table import Match, Record, write_json, write_text
from tests.speeds import pairs
from tests.table.matches import cable_cars, numbers, orchard, play_on, random_match, toys, twins, viewers
from tests.toy import OrchardState


def all_bytes(match: Match, viewer: int) -> list[bytes]:
    """Return everything that a viewer of a running match can get, as bytes."""
    record = Record.seen_by(match, viewer)
    views = [msgspec.json.encode(match.view(viewer, ply)) for ply in range(match.ply + 1)]
    notices = msgspec.json.encode(list(match.viewing.notices(viewer, 0)))
    return [write_json(record).encode(), write_text(record).encode(), notices, *views]


def running(game: Game, number: int) -> Match:
    """A match at random, stopped before its end, with a comment on every ply."""
    match = random_match(game, number)
    decisions = [ply for ply, (who, _) in enumerate(match.actions()) if who != CHANCE]
    match.rewind(decisions[Random(number).randrange(len(decisions))])
    for ply in range(1, match.ply + 1):
        match.comment(ply, f"What a ply is {ply}!")
    return match


def check_twins_look_alike(match: Match) -> int:
    """How many twins were found; each looks exactly like the match itself."""
    found = 0
    for viewer in viewers(match):
        seen = all_bytes(match, viewer)
        for twin in twins(match, viewer):
            for ply, text in match.comments.items():
                twin.comment(ply, text)
            assert [action for _, action in twin.actions()] != [action for _, action in match.actions()]
            assert all_bytes(twin, viewer) == seen
            found += 1
    return found


@given(toys().filter(lambda game: game.has_hidden_information), numbers)
@settings(max_examples=12)
def test_another_hidden_draw_changes_nothing_that_a_viewer_gets(game: Game, number: int) -> None:
    assert check_twins_look_alike(running(game, number)) > 0


@pytest.mark.parametrize(("players", "companies"), pairs(range(2, 7), (False, True)))
def test_another_hidden_draw_in_cable_car_changes_nothing_that_a_viewer_gets(players: int, companies: bool) -> None:
    game = load_game("cable-car", players, companies=companies)
    match = random_match(game, players, plies=40)
    assert check_twins_look_alike(match) > 0


@given(toys(), numbers)
@settings(max_examples=25)
def test_resampling_what_is_hidden_changes_nothing_that_a_viewer_gets(game: Game, number: int) -> None:
    check_resampled(running(game, number), number)


@given(cable_cars(), numbers)
@settings(max_examples=12)
def test_resampling_cable_car_changes_nothing_that_a_viewer_gets(game: Game, number: int) -> None:
    check_resampled(running(game, number), number)


def check_resampled(match: Match, number: int) -> None:
    """Exchange the present for one that a viewer cannot tell from it: the viewer's view stays the same."""
    truth = match._timeline.present
    rng = Random(number)
    for viewer in viewers(match):
        seen = msgspec.json.encode(match.view(viewer))
        match._timeline.present = truth.resample_from_infostate(viewer, rng)
        assert msgspec.json.encode(match.view(viewer)) == seen
        match._timeline.present = truth


def test_a_history_resampled_from_what_a_seat_knows_gives_the_same_record() -> None:
    """The cards of the others are drawn anew by `resample_from_infostate`, and the history is made to fit."""
    game = orchard(4, rounds=1).game
    changed = 0
    for number in range(30):
        match = random_match(game, number, plies=9)
        history = [action for _, action in match.actions()]
        state = match.resampled(0, Random(number))
        assert isinstance(state, OrchardState)
        if any(state.table.swapped):
            continue
        dealt = [card - 1 for card in state.table.cards] + history[4:]
        changed += dealt != history
        other = Match(game, match.names, None, dealt)
        same = Match(game, match.names, None, history)
        assert all_bytes(other, 0) == all_bytes(same, 0)
    assert changed > 5


# Redacted records, one by one.


def test_a_redacted_record_writes_a_question_mark_for_what_was_not_seen() -> None:
    match = orchard(3)
    match.play(0, "peek")
    match.play(0, "swap")
    moves = {viewer: [ply.move for ply in Record.seen_by(match, viewer).plies] for viewer in viewers(match)}
    assert moves == {
        0: ["card 2", "?", "?", "peek", "swap", "card 4"],
        1: ["?", "card 1", "?", "peek", "swap", "?"],
        2: ["?", "?", "card 3", "peek", "swap", "?"],
        SPECTATOR: ["?", "?", "?", "peek", "swap", "?"],
    }


def moves_seen(match: Match, viewer: int) -> list[str]:
    return [ply.move for ply in Record.seen_by(match, viewer).plies]


def test_a_card_chosen_unseen_is_in_the_record_of_all_once_it_lies() -> None:
    """Pays noir: two hands of three cards, one more drawn, then the card, the place and the turn are chosen."""
    match = Match(load_game("pays-noir", 2))
    for card in ["straight", "junction", "crossing", "mine_end", "port_end", "terminus", "curve"]:
        match.add(CHANCE, card)
    match.add(0, "curve")
    match.add(0, "at 1,0")
    hands = ["?", "?", "?", "mine_end", "port_end", "terminus", "?"]
    assert moves_seen(match, 1) == [*hands, "?", "at 1,0"]
    match.add(0, "turn 180")
    assert moves_seen(match, 1) == [*hands, "curve", "at 1,0", "turn 180"]


def test_a_tile_drawn_to_be_placed_is_in_the_record_of_all_once_it_lies() -> None:
    match = Match(load_game("cable-car", 2))
    for who, move in ((CHANCE, "aaaa"), (CHANCE, "cccc"), (0, "draw"), (CHANCE, "bbad")):
        match.add(who, move)
    assert moves_seen(match, 1) == ["?", "cccc", "draw", "?"]
    match.add(0, "bbad B1")
    assert moves_seen(match, 1) == ["?", "cccc", "draw", "bbad", "bbad B1"]


def test_a_comment_on_what_was_not_seen_is_hidden_with_it() -> None:
    match = orchard()
    match.comment(1, "It is a 2!")
    assert "2!" in write_text(Record.seen_by(match, 0))
    assert "2!" not in write_text(Record.seen_by(match, 1)) + write_json(Record.seen_by(match, 1))
    assert match.view(1).comments == {}
    assert match.view(0).comments == {1: "It is a 2!"}


def test_once_the_game_is_over_everyone_gets_everything() -> None:
    match = play_on(orchard(3), Random(1))
    assert {Record.seen_by(match, viewer).viewer for viewer in viewers(match)} == {None}
    assert [Record.seen_by(match, viewer) == Record.full(match) for viewer in viewers(match)] == [True] * 4


def test_the_record_of_a_running_game_for_a_viewer_holds_no_seed() -> None:
    match = orchard(3)
    assert match.dice
    assert match.dice.seed
    for viewer in viewers(match):
        record = Record.seen_by(match, viewer)
        assert match.dice.seed.hex() not in write_json(record) + write_text(record)
        assert match.dice.commitment in write_json(record)
