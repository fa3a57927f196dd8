"""The base of plain games, by a game of two moves: each seat takes a cell, and may pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from ludotheque import TERMINAL, PlainGame, PlainState, register_game
from ludotheque.core.known_games import added_games
from ludotheque.core.plain import _letters
from ludotheque.errors import BadPosition, IllegalMove, UnreadableMove
from ludotheque.testing import check_game

PASS = 4


class PairState(PlainState):
    def set_up(self) -> None:
        self.taken: dict[int, list[int]] = {0: [], 1: []}

    def current_player(self) -> int:
        return TERMINAL if len(self.history) == 2 else len(self.history)

    def legal(self) -> Sequence[int]:
        return [PASS, *(cell for cell in range(4) if cell not in self.taken[0])]

    def play(self, action: int) -> None:
        if action != PASS:
            self.taken[len(self.history)].append(action)

    def points(self) -> Sequence[int]:
        return [sum(cells) for cells in self.taken.values()]

    def cells(self) -> Sequence[int | str | None]:
        return [next((seat for seat in (0, 1) if cell in self.taken[seat]), None) for cell in range(3)] + ["X"]


class Pair(PlainGame):
    name = "pair"
    title = "Pair"
    sentence = "Take the better cell."
    min_players = 2
    max_players = 2
    state_class: ClassVar[type[PlainState]] = PairState
    shows_points = True

    def columns(self) -> int:
        return 2

    def rows(self) -> int:
        return 2

    def move_names(self) -> Sequence[str]:
        return [*self.cell_list, "pass"]

    def max_game_length(self) -> int:
        return 2


class Lazy(Pair):
    state_class: ClassVar[type[PlainState]] = PlainState


@pytest.fixture
def pair() -> Pair:
    return Pair()


@pytest.mark.both
def test_a_plain_game_that_is_registered_at_run_time_keeps_every_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(added_games, Pair.name, Pair)  # taken out again after the test
    register_game(Pair)
    check_game(Pair(), every=1)


def test_check_game_names_what_a_plain_game_lacks() -> None:
    with pytest.raises(
        AssertionError, match=r"PlainState\.legal, PlainState\.play, .*points, .*cells, .*current_player"
    ):
        check_game(Lazy())
    with pytest.raises(NotImplementedError, match="Bare does not provide the method rows"):
        type("Bare", (Pair,), {"rows": PlainGame.rows})()


def test_a_game_that_no_other_process_can_import_gets_a_clear_message() -> None:
    class Local(Pair):
        pass

    with pytest.raises(AssertionError, match=r"Define it at the top of a module of its own, or call check_game\("):
        check_game(Local())
    check_game(Local(), both_modes=False)


def test_a_position_is_the_list_of_its_moves(pair: Pair) -> None:
    assert pair.new_initial_state().position() == "-"
    assert pair.read_position("b1,pass").position() == "b1,pass"
    with pytest.raises(BadPosition, match=r"A position of Pair is a list of moves: a1 cannot be played here\."):
        pair.read_position("a1,a1")


def test_moves_are_read_by_their_names(pair: Pair) -> None:
    state = pair.read_position("a1")
    assert state.string_to_action(" pass ") == PASS
    with pytest.raises(IllegalMove, match="a1 cannot be played here"):
        state.string_to_action("a1")
    with pytest.raises(UnreadableMove, match=r"'z9' is no move of Pair; a move is written like a1\."):
        state.string_to_action("z9")


def test_a_clone_shares_nothing_that_changes(pair: Pair) -> None:
    state = pair.new_initial_state()
    copy = state.clone()
    copy.apply_action(1)
    assert (state.scores(), copy.scores()) == ([0, 0], [1, 0])


def test_the_cells_are_drawn_and_can_be_chosen(pair: Pair) -> None:
    state = pair.read_position("b1")
    scene = pair.scene(pair.observe(state, 0))
    assert [piece.step for piece in scene.pieces if "spot" in piece.classes] == [
        "choose:a1",
        "choose:b1",
        "choose:a2",
        "choose:b2",
    ]
    assert [(piece.id, piece.symbol or piece.text) for piece in scene.pieces if "content" in piece.classes] == [
        ("on-b2", "X"),
        ("on-b1", "stone-0"),
    ]
    assert str(scene.prompt) == "choose a move"
    assert [row[1] for row in scene.tables[0].rows] == [1, 0]


def test_the_log_says_what_was_played_and_who_wins(pair: Pair) -> None:
    before = pair.read_position("b1")
    after = pair.read_position("b1,pass")
    lines = pair.describe(before, PASS, after, 0)
    assert [str(line) for line in lines] == ["Seat 2: pass.", "Seat 1 wins with 1 point."]
    assert str(after.observation(0)) == ". 1\n. X\nWon by seat 1."


def test_the_columns_after_z_have_two_letters() -> None:
    assert [_letters(column) for column in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
