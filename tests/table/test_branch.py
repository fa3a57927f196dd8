"""Branches: a match with the first plies of another, and its own dice from there on."""

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


def test_a_branch_has_its_own_dice_and_proves_only_their_draws() -> None:
    match = finished()
    branch = play_on(match.branch(MIDDLE), Random(1))
    assert branch.dice
    assert match.dice
    assert branch.dice.commitment != match.dice.commitment
    assert branch.verify_dice() == sum(who == CHANCE for who, _ in branch.actions()[MIDDLE:]) > 0


def test_an_unfair_draw_after_the_branch_is_named() -> None:
    branch = play_on(finished().branch(MIDDLE), Random(1))
    history = [action for _, action in branch.actions()]
    wind = [ply for ply in range(MIDDLE, branch.ply) if branch.state_at(ply).action_to_string(1) == "wind 1"]
    history[wind[-1]] = (history[wind[-1]] + 1) % 3
    with pytest.raises(UnfairDice, match=rf"^Ply {wind[-1] + 1} drew"):
        Match(branch.game, branch.names, branch.dice, history).verify_dice()


@pytest.mark.parametrize(("write", "read"), [(write_json, read_json), (write_text, read_text)])
def test_the_record_of_a_branch_holds_the_ply_where_its_dice_begin(
    write: Callable[[Record], str], read: Callable[[str], Record]
) -> None:
    branch = play_on(finished().branch(MIDDLE), Random(1))
    again = read(write(Record.full(branch))).to_match()
    assert again.branched_at == MIDDLE
    assert again.verify_dice() == branch.verify_dice()
    assert write(Record.full(again)) == write(Record.full(branch))


def test_the_record_of_a_match_that_is_no_branch_has_no_such_ply() -> None:
    assert "since" not in write_json(Record.full(finished())).lower()
    assert "Since" not in write_text(Record.full(finished()))


def test_dice_cannot_begin_after_the_last_ply_of_a_record() -> None:
    text = write_json(Record.full(finished())).replace('"commitment"', '"since":1000,"commitment"')
    with pytest.raises(BadRecord, match=r"^The field dice: The dice draw after ply 1000, but the record ends"):
        read_json(text)


def test_plies_before_the_branch_cannot_be_undone() -> None:
    branch = finished().branch(MIDDLE)
    assert branch.branched_at == MIDDLE
    with pytest.raises(CannotUndo, match="with other dice"):
        branch.rewind(MIDDLE - 1)
    branch.rewind(MIDDLE)
    mover = branch.to_move
    branch.play(mover, int(branch.resampled(mover, Random(2)).sample(Random(2))))
    branch.rewind(MIDDLE)
    assert branch.branched_at <= branch.ply


def test_a_game_with_hidden_information_can_be_branched_once_it_is_over() -> None:
    with pytest.raises(StillHidden):
        orchard().branch(2)


def test_a_game_without_hidden_information_can_be_branched_while_it_runs() -> None:
    match = random_match(load_game("nim", 2), 1, plies=2)
    assert not match.is_over
    assert match.branch(1).actions() == match.actions()[:1]


def test_a_branch_at_the_end_or_at_a_missing_ply_is_refused() -> None:
    match = finished()
    with pytest.raises(IllegalMove, match="over at that move"):
        match.branch(match.ply)
    with pytest.raises(NoSuchPly):
        match.branch(match.ply + 1)
