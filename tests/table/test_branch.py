"""A match that goes on from the middle of another: the same plies up to there, and dice of its own from then on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from librt.random import Random

from ludotheque import CHANCE, load_game
from ludotheque.errors import BadRecord, CannotUndo, IllegalMove, NoSuchPly, StillHidden, UnfairDice
from ludotheque.table import Match, Record, read_json, read_text, write_json, write_text
from tests.table.matches import orchard, play_on, random_match

pytestmark = pytest.mark.both
MIDDLE = 9


def finished() -> Match:
    return random_match(load_game("orchard", 2), 3)


def test_a_branch_begins_with_the_plies_of_the_original() -> None:
    match = finished()
    branch = match.branch(MIDDLE)
    assert branch.actions()[:MIDDLE] == match.actions()[:MIDDLE]
    assert branch.names == match.names
    assert branch.game is match.game
    assert branch.to_move >= 0, "draws that were due have been made"


def test_a_branch_throws_dice_of_its_own_and_vouches_for_those_alone() -> None:
    match = finished()
    branch = play_on(match.branch(MIDDLE), Random(1))
    assert branch.dice
    assert match.dice
    assert branch.dice.commitment != match.dice.commitment
    assert branch.verify_dice() == sum(who == CHANCE for who, _ in branch.actions()[MIDDLE:]) > 0


def test_a_draw_after_the_branch_that_was_bent_is_still_named() -> None:
    branch = play_on(finished().branch(MIDDLE), Random(1))
    history = [action for _, action in branch.actions()]
    wind = [ply for ply in range(MIDDLE, branch.ply) if branch.state_at(ply).action_to_string(1) == "wind 1"]
    history[wind[-1]] = (history[wind[-1]] + 1) % 3
    with pytest.raises(UnfairDice, match=rf"^Ply {wind[-1] + 1} drew"):
        Match(branch.game, branch.names, branch.dice, history).verify_dice()


@pytest.mark.parametrize(("write", "read"), [(write_json, read_json), (write_text, read_text)])
def test_the_record_of_a_branch_says_since_when_its_dice_are_thrown(
    write: Callable[[Record], str], read: Callable[[str], Record]
) -> None:
    branch = play_on(finished().branch(MIDDLE), Random(1))
    again = read(write(Record.full(branch))).to_match()
    assert again.begins_at == MIDDLE
    assert again.verify_dice() == branch.verify_dice()
    assert write(Record.full(again)) == write(Record.full(branch))


def test_the_record_of_a_whole_match_does_not_speak_of_it() -> None:
    assert "since" not in write_json(Record.full(finished())).lower()
    assert "Since" not in write_text(Record.full(finished()))


def test_dice_cannot_be_thrown_since_a_ply_that_never_was() -> None:
    text = write_json(Record.full(finished())).replace('"commitment"', '"since":1000,"commitment"')
    with pytest.raises(BadRecord, match=r"^The field dice: The dice are thrown since ply 1000, but the record ends"):
        read_json(text)


def test_what_was_played_elsewhere_cannot_be_taken_back() -> None:
    branch = finished().branch(MIDDLE)
    assert branch.begins_at == MIDDLE
    with pytest.raises(CannotUndo, match="before this table took the game up"):
        branch.take_back(MIDDLE - 1)
    branch.take_back(MIDDLE)
    mover = branch.to_move
    branch.play(mover, int(branch.resampled(mover, Random(2)).sample(Random(2))))
    branch.take_back(MIDDLE)
    assert branch.begins_at <= branch.ply


def test_a_game_with_secrets_can_be_branched_once_it_is_over() -> None:
    with pytest.raises(StillHidden):
        orchard().branch(2)


def test_a_game_without_secrets_can_be_branched_while_it_runs() -> None:
    match = random_match(load_game("nim", 2), 1, plies=2)
    assert not match.is_over
    assert match.branch(1).actions() == match.actions()[:1]


def test_nothing_goes_on_from_the_end_or_from_nowhere() -> None:
    match = finished()
    with pytest.raises(IllegalMove, match="over at that moment"):
        match.branch(match.ply)
    with pytest.raises(NoSuchPly):
        match.branch(match.ply + 1)
