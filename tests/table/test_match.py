from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from librt.random import Random

from ludotheque import CHANCE, SPECTATOR, load_game
from ludotheque.core.game import Game
from ludotheque.errors import (
    BadName,
    BadOption,
    IllegalMove,
    NoSuchPly,
    NoSuchSeat,
    NotYourTurn,
    StaleVersion,
    StillHidden,
    UnreadableMove,
)
from ludotheque.table import Dice, Match, Record
from ludotheque.table.names import COMMENT_LENGTH, NAME_LENGTH
from ludotheque.table.record_json import read_json, write_json
from ludotheque.table.timeline import SNAPSHOT_EVERY
from tests.table.matches import NAMES, SEED, cable_cars, numbers, orchard, play_on, random_match, toys, viewers
from tests.toy import Nim, Orchard

# Playing.


def test_a_match_starts_with_the_draws_before_the_first_move() -> None:
    match = orchard(3)
    assert (match.ply, match.decisions, match.to_move) == (3, 0, 0)
    assert [who for who, _ in match.actions()] == [CHANCE] * 3


def test_a_move_is_followed_by_its_draws() -> None:
    match = orchard()
    match.play(0, "pick A")
    assert (match.ply, match.to_move) == (3, 0)
    match.play(0, 3)
    assert (match.ply, match.to_move, match.decisions) == (5, 1, 2)
    assert [who for who, _ in match.actions()] == [CHANCE, CHANCE, 0, 0, CHANCE]


@given(toys(), numbers)
def test_a_plan_is_what_playing_adds(game: Game, number: int) -> None:
    match = random_match(game, number, plies=number % 9)
    if match.is_over:
        return
    before = match.actions()
    move = match.resampled(match.to_move, Random(number)).legal_actions()[0]
    plan = match.plan(match.to_move, move)
    assert match.actions() == before
    match.play(match.to_move, move)
    assert match.actions() == [*before, *plan.plies]
    assert match.to_move == plan.to_move


@given(toys(), numbers)
def test_a_plan_is_applied_as_planned(game: Game, number: int) -> None:
    match = random_match(game, number, plies=number % 9)
    if match.is_over:
        return
    before, move = match.actions(), match.resampled(match.to_move, Random(number)).legal_actions()[0]
    match.view()  # a log that is up to date stays so
    plan = match.plan(match.to_move, move)
    match.apply(plan)
    again = Match(match.game, match.names, match.dice, [action for _, action in [*before, *plan.plies]])
    assert (match.actions(), match.view()) == (again.actions(), again.view())
    assert match._timeline.state_at(match.ply) is plan.states[-1], "the rules have not played it a second time"
    with pytest.raises(StaleVersion):
        match.apply(plan)


def test_several_decisions_of_a_turn_are_planned_as_one() -> None:
    match = Match.start(load_game("pays-noir"), dice=Dice(bytes(32)))
    seat, state, actions = match.to_move, match.resampled(match.to_move, Random(1)), []
    while state.current_player() == seat:
        actions.append(state.legal_actions()[0])
        state.apply_action(actions[-1])
    plan = match.plan(seat, actions)
    assert plan.plies[: len(actions)] == tuple((seat, action) for action in actions)
    with pytest.raises(IllegalMove, match="over before the last"):
        match.plan(seat, [*actions, actions[0]])
    match.apply(plan)
    assert match.to_move != seat


def test_a_line_of_several_decisions_is_planned_as_it_is_played() -> None:
    match = random_match(load_game("pays-noir", 2), 1, plies=0)
    seat = match.to_move
    choice = match._timeline.present.legal_actions()[0]
    played = match.copy()
    texts = [played._timeline.present.action_to_string(choice)]
    played.play(seat, choice)
    while played.to_move == seat:
        action = played._timeline.present.legal_actions()[0]
        texts.append(played._timeline.present.action_to_string(action))
        played.play(seat, action)
    match.apply(match.plan(seat, " ".join(texts)))
    assert len(texts) > 2
    assert match.actions() == played.actions()


def test_a_match_played_with_integers_of_other_kinds_can_be_saved() -> None:
    np = pytest.importorskip("numpy")
    match = orchard()
    seat = match.to_move
    match.play(seat, np.int64(match._timeline.present.legal_actions()[0]))
    match.apply(match.plan(seat, np.int64(match._timeline.present.legal_actions()[0])))
    assert read_json(write_json(Record.full(match))).to_match().actions() == match.actions()


def test_only_the_seat_to_act_can_play() -> None:
    match = orchard(3)
    with pytest.raises(NotYourTurn, match=r"^It is Ann's turn; Bob has to wait\.$"):
        match.play(1, "pick A")
    with pytest.raises(NotYourTurn, match="nothing is drawn now"):
        match.add(CHANCE, "wind 1")
    for seat in (-1, 3, SPECTATOR):
        with pytest.raises(NoSuchSeat, match="the seats are 1 to 3"):
            match.play(seat, "pick A")
    assert match.ply == 3


def test_a_move_that_cannot_be_played_leaves_the_match_untouched() -> None:
    match = orchard()
    before = match.view(0)
    with pytest.raises(UnreadableMove):
        match.play(0, "dance")
    for move in ("take 1", 3, -1, 10**30):
        with pytest.raises(IllegalMove):
            match.play(0, move)
    assert match.view(0) == before


def test_nobody_plays_after_the_end() -> None:
    match = play_on(orchard(), Random(1))
    assert match.is_over
    with pytest.raises(IllegalMove, match="The game is over"):
        match.play(0, "pick A")
    with pytest.raises(IllegalMove, match="The game is over"):
        match.add(CHANCE, 0)


def test_a_move_at_an_outdated_ply_is_refused() -> None:
    match = orchard()
    seen = match.view(0).ply
    match.play(0, "pick A", at_ply=seen)
    with pytest.raises(StaleVersion, match=r"from ply 2 to ply 3; reload it"):
        match.play(0, "take 1", at_ply=seen)
    match.play(0, "take 1", at_ply=seen + 1)
    with pytest.raises(StaleVersion):
        match.undo(0, at_ply=seen)


def test_draws_may_be_made_elsewhere_and_added() -> None:
    match = Match.start(Orchard(2), dice=Dice(commitment=Dice(SEED).commitment))
    assert match.to_move == CHANCE
    with pytest.raises(NotYourTurn, match="A draw comes first; Seat 1 has to wait"):
        match.play(0, "pick A")
    match.add(CHANCE, "card 3")
    match.add(CHANCE, "card 6")
    with pytest.raises(IllegalMove):
        match.add(0, "take 1")
    match.play(0, "pick B")
    match.play(0, "take 2")
    match.add(CHANCE, 2)
    assert match.view(0).observation.to_move == 1


def test_a_game_without_chance_has_no_dice() -> None:
    match = random_match(Nim(2), 1)
    assert match.dice is None
    assert match.is_over
    assert match.view(0).commitment == match.view(0).seed == ""


def test_a_game_for_one_can_be_played() -> None:
    match = random_match(Nim(1), 1)
    assert match.view(0).returns == (1.0,)


# History is the truth.


@given(numbers)
@settings(max_examples=15)
def test_a_match_is_its_set_up_and_its_history(number: int) -> None:
    match = random_match(Orchard(3), number)
    again = Match(match.game, match.names, match.dice, [action for _, action in match.actions()])
    assert [again.view(viewer) for viewer in viewers(match)] == [match.view(viewer) for viewer in viewers(match)]
    assert again.actions() == match.actions()


def test_a_match_continues_from_a_stored_history() -> None:
    match = orchard()
    stored = Match(match.game, match.names, match.dice, [0])
    assert stored.to_move == CHANCE
    stored.roll()
    stored.play(0, "pick A")
    match.play(0, "pick A")
    assert stored.ply == match.ply


def test_a_history_against_the_rules_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Match(Nim(2), history=[0, 1, 2, 2])


def check_every_ply(match: Match) -> None:
    state = match.game.new_initial_state()
    for ply in range(match.ply + 1):
        assert match.state_at(ply).position() == state.position()
        if ply < match.ply:
            state.apply_action(match.actions()[ply][1])


@given(cable_cars(), numbers)
@settings(max_examples=10)
def test_any_ply_opens_as_if_replayed_from_the_start(game: Game, number: int) -> None:
    check_every_ply(random_match(game, number))


def test_long_games_open_at_any_ply() -> None:
    match = random_match(Orchard(3, {"rounds": 40}), 1)
    assert match.ply > 10 * SNAPSHOT_EVERY
    assert len(match._timeline.snapshots) == match.ply // SNAPSHOT_EVERY + 1
    check_every_ply(match)


def test_a_long_game_with_rewinds_opens_at_any_ply() -> None:
    match = random_match(Orchard(3, {"rounds": 40}), 1)
    for to_ply in (SNAPSHOT_EVERY * 3, SNAPSHOT_EVERY * 2 - 1, 5):
        match.rewind(to_ply)
        play_on(match, Random(to_ply))
        check_every_ply(match)


@given(toys(), numbers)
@settings(max_examples=25)
def test_rewinds_leave_no_trace(game: Game, number: int) -> None:
    rng = Random(number)
    match = random_match(game, number)
    to_ply = rng.randrange(match.ply + 1)
    for viewer in viewers(match):
        match.view(viewer)
    match.rewind(to_ply)
    fresh = Match(game, match.names, match.dice, [action for _, action in match.actions()])
    assert match.ply >= to_ply
    for viewer in viewers(match):
        assert match.view(viewer) == fresh.view(viewer)
    play_on(match, Random(number + 1))
    check = Match(game, match.names, match.dice, [action for _, action in match.actions()])
    for viewer in viewers(match):
        assert match.view(viewer) == check.view(viewer)


def test_plies_that_were_not_played_are_refused() -> None:
    match = orchard()
    for ply in (-1, match.ply + 1):
        with pytest.raises(NoSuchPly, match="the last is ply 2"):
            match.rewind(ply)
        with pytest.raises(NoSuchPly):
            match.view(0, at=ply)
        with pytest.raises(NoSuchPly):
            match.comment(ply, "!")
    with pytest.raises(NoSuchPly, match="the first is ply 1"):
        match.comment(0, "!")
    with pytest.raises(NoSuchPly, match="the first is ply 1"):
        match.viewing.saw(0, 0)


# Whole positions.


def test_the_whole_position_of_a_running_game_stays_hidden() -> None:
    match = orchard()
    with pytest.raises(StillHidden):
        match.state_at(0)
    play_on(match, Random(1))
    assert match.state_at(match.ply).is_terminal()
    nim = Match.start(Nim(2))
    assert nim.state_at(0).legal_actions() == [0, 1, 2]


def test_a_copy_of_a_match_is_the_same_match_apart() -> None:
    match = random_match(load_game("pays-noir", 2), 1, plies=20)
    match.rename(0, "Ann")
    match.comment(3, "A good card.")
    copy = match.copy()
    before = write_json(Record.full(match))
    assert write_json(Record.full(copy)) == before
    assert copy.view(1) == match.view(1)
    copy.comment(4, "Another.")
    copy.rename(1, "Bob")
    copy.play(copy.to_move, copy._timeline.present.legal_actions()[0])
    assert write_json(Record.full(match)) == before


def test_a_copy_of_a_position_can_be_played_with() -> None:
    match = Match.start(Nim(2))
    copy = match.state_at(0)
    copy.apply_action(2)
    assert match.state_at(0).legal_actions() == [0, 1, 2]
    assert match.ply == 0


def test_a_bot_gets_a_position_that_its_seat_cannot_tell_from_the_true_one() -> None:
    match = orchard(4)
    rng = Random(1)
    positions = set()
    for _ in range(30):
        state = match.resampled(0, rng)
        positions.add(state.position())
        assert state.observation(0) == match.view(0).observation
    assert len(positions) > 20


# Names and comments.


def test_seats_without_names_are_called_by_their_numbers() -> None:
    assert Match.start(Nim(2)).names == ("Seat 1", "Seat 2")


def test_a_seat_can_be_renamed() -> None:
    match = orchard()
    match.rename(1, "Zoë 🚋")
    assert match.names == ("Ann", "Zoë 🚋")
    with pytest.raises(NoSuchSeat):
        match.rename(2, "Zoë")
    with pytest.raises(BadName):
        match.rename(0, "")


@pytest.mark.parametrize(
    "name", ["", " ", " Ann", "Ann ", "A\nB", "A\tB", "A\x00", "A\x1b[31m", "A\u2028B", "A\u202eB", "A\ud800", "A" * 41]
)
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(BadName) as refusal:
        Match.start(Nim(2), ["Ann", name])
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("name", ["A", "A" * NAME_LENGTH, "Zoë", "李雷", "שרה", "नमस्ते", "👩‍🚀", "Ann: (1)", '"{}\\'])
def test_any_other_name_is_accepted(name: str) -> None:
    assert Match.start(Nim(1), [name]).names == (name,)


def test_there_is_a_name_for_each_seat() -> None:
    for names in ([], ["Ann"], NAMES):
        with pytest.raises(BadName, match="for 2 seats"):
            Match.start(Nim(2), names)


def test_a_comment_is_removed_when_its_ply_is_undone() -> None:
    match = orchard()
    match.play(0, "pick A")
    match.comment(3, "Brave.\nToo brave?")
    match.comment(2, "A card")
    assert match.view(1).comments == {2: "A card", 3: "Brave.\nToo brave?"}
    match.comment(2, "")
    match.undo(0)
    assert match.comments == {}


def test_a_comment_that_cannot_be_shown_is_refused() -> None:
    match = orchard()
    for text in ("\x00", "\x1b[2J", "\ud800", "\r", "x" * (COMMENT_LENGTH + 1)):
        with pytest.raises(BadName, match="comment"):
            match.comment(1, text)
    assert match.comments == {}


def test_a_document_that_json_cannot_hold_is_refused_at_the_start() -> None:
    cards = [2] * 6
    for oddity in (dt.date(2026, 1, 1), float("nan"), float("inf"), {1: 2}, "\ud800", (1, 2)):
        with pytest.raises(BadOption, match="option deck holds something that JSON cannot write"):
            Match.start(Orchard(2, {"deck": {"cards": cards, "oddity": oddity}}))


def test_the_repr_of_a_match_reveals_nothing_hidden() -> None:
    assert repr(orchard()) == "<Match of orchard between Ann, Bob at ply 2>"
    assert SEED.hex() not in repr(vars(orchard()))
    assert load_game("nim").name in repr(Match.start(Nim(2)))
