"""Whatever a program hands to the interfaces for research, the error is ours, says why, and nothing has changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from ludotheque import Batch, Game, History, Match, Random, load_game, planes_of, seat_bot
from ludotheque.core.phrases import short_repr
from ludotheque.core.randoms import check_seed
from ludotheque.errors import BadOption, IllegalMove, MoveError, NoSuchSeat
from ludotheque.table import Dice
from tests import toy  # noqa: F401  registers the orchard

pytestmark = pytest.mark.both

GAMES = [load_game("cable-car"), load_game("passerelles"), load_game("orchard")]
LONGEST = 10**5000
"""Longer than Python writes."""

numbers = st.integers() | st.integers(-3, 7000) | st.sampled_from([2**31, 2**40, 2**63 - 1, 2**63, 2**64, LONGEST])
no_numbers = st.floats() | st.none() | st.text(max_size=2) | st.binary(max_size=2) | st.just([0]) | st.just(1j)
games = st.sampled_from(GAMES)
few = settings(max_examples=60)


def begun(game: Game) -> Batch:
    return Batch(game, 2, seed=1, planes=False)


@few
@given(games, numbers | no_numbers)
@example(GAMES[0], LONGEST)
@example(GAMES[0], float("nan"))
def test_what_is_no_legal_action_is_refused(game: Game, action: Any) -> None:
    batch = begun(game)
    state = batch.state(0)
    match = Match.start(game, dice=Dice(bytes(32)) if game.has_chance else None)
    dealt = match.resampled(match.to_move, Random(1))
    if action in [*state.legal_actions(), *dealt.legal_actions()]:
        return
    history = History(game, state)
    plies = match.ply
    with pytest.raises(IllegalMove):
        state.apply_action(action)
    with pytest.raises(IllegalMove):
        history.apply_action(action)
    with pytest.raises(MoveError):
        match.play(match.to_move, action)
    first = int(batch.legal[0])
    with pytest.raises(IllegalMove):
        batch.step([first, action])
    assert state == history.state == batch.state(0)
    assert (history.history(), match.ply) == ([], plies)


@few
@given(games, st.one_of(no_numbers, st.lists(numbers | no_numbers, max_size=3)))
def test_what_is_no_list_of_legal_actions_is_refused(game: Game, actions: Any) -> None:
    batch = begun(game)
    before = [batch.state(number) for number in range(2)]
    if isinstance(actions, list) and len(actions) == 2:
        actions.append(0)
    with pytest.raises((BadOption, IllegalMove)):
        batch.step(actions)
    assert [batch.state(number) for number in range(2)] == before


@few
@given(games, numbers.filter(lambda number: not 0 <= number < 2))
def test_an_unknown_seat_is_refused(game: Game, seat: int) -> None:
    batch = begun(game)
    state = batch.state(0)
    if seat != -1:
        with pytest.raises(NoSuchSeat):
            state.legal_actions(seat)
    if seat != -5:
        with pytest.raises(NoSuchSeat):
            state.observation(seat)
        with pytest.raises(NoSuchSeat):
            History(game, state).information_state_string(seat)
        with pytest.raises(NoSuchSeat):
            planes_of(game).words(state, seat)
    with pytest.raises(NoSuchSeat):
        seat_bot("random", game, seat, 1)
    with pytest.raises(BadOption):
        batch.state(seat)


@few
@given(numbers | no_numbers)
@example(LONGEST)
def test_a_seed_is_a_whole_number_of_64_bits(seed: Any) -> None:
    if isinstance(seed, int) and -(2**63) <= seed < 2**63:
        assert check_seed(seed) == seed
        return
    batch = begun(GAMES[0])
    with pytest.raises(BadOption, match="A seed is a whole number"):
        batch.reseed(seed)
    with pytest.raises(BadOption, match="A seed is a whole number"):
        Batch(GAMES[0], 2, seed)
    with pytest.raises(BadOption, match="A seed is a whole number"):
        seat_bot("random", GAMES[0], 0, seed)


@pytest.mark.parametrize("wrong", [-1, 2**63, 1.0, None])
def test_the_limit_of_a_batch_is_a_number_of_decisions(wrong: Any) -> None:
    with pytest.raises(BadOption, match="The number of decisions is"):
        Batch(GAMES[0], 2, 1, max_decisions=wrong)


def test_what_is_no_number_gets_a_sentence() -> None:
    state = load_game("passerelles").new_initial_state()
    for action, text in ((float("nan"), "nan"), (None, "None"), ("a1", "'a1'"), ([1], r"\[1\]")):
        with pytest.raises(IllegalMove, match=f"^An action is a whole number, not {text}.$"):
            state.apply_action(action)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match=r"^Action <too long to write> is not legal here.$"):
        state.apply_action(LONGEST)
    assert short_repr(LONGEST) == "<too long to write>"


def test_numbers_of_an_array_library_are_numbers() -> None:
    np = pytest.importorskip("numpy")
    game = load_game("cable-car", players=np.int64(3))
    batch = Batch(game, np.int32(2), np.uint8(7), max_decisions=np.int64(9))
    state = batch.state(np.int64(1))
    seat, action = batch.to_move[1], np.uint16(state.legal_actions()[0])
    assert state.legal_actions(np.int64(seat)) == state.legal_actions()
    assert state.observation(np.int64(seat)) == state.observation(int(seat))
    assert planes_of(game).words(state, np.int64(seat)) == planes_of(game).words(state, int(seat))
    assert state.action_to_string(action) == state.action_to_string(int(action))
    assert History(game, state).resampled(np.int64(0), Random(1)).information_state_string(np.int64(0))
    state.apply_action(action)


@pytest.mark.parametrize("kind", ["float64", "float32", "bool", "<U3", "uint64"])
def test_an_array_of_something_else_is_refused(kind: str) -> None:
    np = pytest.importorskip("numpy")
    batch = begun(load_game("passerelles"))
    legal = [int(batch.legal[0]), int(batch.legal[0])]
    wrong = np.array([2**64 - 1, 1], kind) if kind == "uint64" else np.array(legal).astype(kind)
    with pytest.raises(IllegalMove):
        batch.step(wrong)
    with pytest.raises(IllegalMove, match="An action is a whole number"):
        batch.step(np.array([legal, legal]))
