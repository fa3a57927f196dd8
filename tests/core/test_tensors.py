"""Observations as tensors: the quick ways to write them give what the layout says, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ludotheque import COMPILED, Batch, Game, load_game, planes_of
from ludotheque.core.layout import OFF_BOARD, Layout, LayoutBuilder
from ludotheque.errors import BadOption
from tests import toy  # noqa: F401  registers the orchard
from tests.speeds import several

np: Any = pytest.importorskip("numpy")

from ludotheque import _plan, arrays  # noqa: E402

pytestmark = pytest.mark.both

TABLES = [
    load_game("cable-car", players=4),
    load_game("cable-car", players=3, companies=True, hand=2),
    load_game("chicago-express", players=3),
    load_game("passerelles"),
    load_game("pays-noir", players=3),
    load_game("orchard", players=3),
]
GAMES, STEPS = (several(8, 32), 100) if COMPILED else (2, 30)


def slow_planes(layout: Layout, words: Any) -> Any:
    """As the layout says it: a bit for each square."""
    places = np.asarray(layout.plane_places, np.int64)
    grids = slow_bits(words, np.maximum(places, 0)) * (places != OFF_BOARD)
    return grids.reshape(*words.shape[:-1], len(layout.planes), layout.height, layout.width).astype(np.float32)


def slow_fields(layout: Layout, words: Any) -> Any:
    rows = [np.zeros((*words.shape[:-1], 0), np.float32)]
    for field in layout.fields:
        places = np.asarray(field.places, np.int64)
        rows.append(words[..., places] / field.scale if field.scale else slow_bits(words, places))
    return np.concatenate([row.astype(np.float32) for row in rows], axis=-1)


def slow_bits(words: Any, places: Any) -> Any:
    return (words[..., places >> 6] >> (places & 63)) & 1


def played(batch: Batch, steps: int = STEPS) -> Iterator[Any]:
    """The words of a batch at each step of random games."""
    seen, luck, rows = arrays.batch_arrays(batch), np.random.default_rng(1), np.arange(len(batch))
    for _ in range(steps):
        yield seen.words
        batch.step(seen.legal[rows, (luck.random(len(batch)) * seen.legal_counts).astype(int)])


@pytest.mark.parametrize("game", TABLES, ids=str)
def test_tensors_are_what_the_layout_says(game: Game) -> None:
    layout, batch = planes_of(game).layout, Batch(game, GAMES, seed=7)
    tensors, small = arrays.BatchTensors(batch), arrays.BatchTensors(batch, dtype=np.uint8)
    for words in played(batch):
        grids, row = slow_planes(layout, words), slow_fields(layout, words)
        tensors.update()
        small.update()
        assert np.array_equal(arrays.unpack_planes(layout, words), grids)
        assert np.array_equal(arrays.unpack_planes(layout, words, dtype=np.uint8), grids)
        assert np.array_equal(arrays.unpack_fields(layout, words), row)
        assert np.array_equal(arrays.unpack_rows(layout, words), np.hstack([grids.reshape(len(batch), -1), row]))
        assert np.array_equal(tensors.planes, grids)
        assert np.array_equal(tensors.fields, row)
        assert np.array_equal(small.planes, grids)


@pytest.mark.parametrize("game", TABLES, ids=str)
def test_numpy_writes_what_compiled_code_writes(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "Plan", _plan.Plan)
    layout, batch = planes_of(load_game(str(game))).layout, Batch(game, 4, seed=8)
    # Another layout, which no plan has been made for.
    layout = Layout(layout.words, layout.height, layout.width, layout.planes, layout.fields)
    for words in played(batch, 20):
        grids, row = slow_planes(layout, words), slow_fields(layout, words)
        assert np.array_equal(arrays.unpack_planes(layout, words), grids)
        assert np.array_equal(arrays.unpack_fields(layout, words), row)


@pytest.mark.parametrize("game", TABLES, ids=str)
def test_one_position_is_written_as_a_batch_is(game: Game) -> None:
    layout, batch = planes_of(game).layout, Batch(game, 2, seed=9)
    for words in played(batch, 30):
        state, seat = batch.state(1), int(batch.to_move[1])
        planes, fields = arrays.observation_arrays(state, seat)
        assert np.array_equal(planes, slow_planes(layout, words[1]))
        assert np.array_equal(fields, slow_fields(layout, words[1]))
        assert np.array_equal(arrays.observation_row(state, seat), np.hstack([planes.ravel(), fields]))


def test_tensors_are_written_into_buffers_of_the_caller() -> None:
    game = load_game("cable-car", players=2)
    layout, batch = planes_of(game).layout, Batch(game, 3, seed=1)
    room, row = np.full((5, 3, 51, 8, 8), 9, np.float32), np.full((3, layout.features), 9, np.float32)
    tensors = arrays.BatchTensors(batch, room[2], row)
    assert np.shares_memory(tensors.planes, room)
    assert np.array_equal(room[2], arrays.unpack_planes(layout, arrays.batch_arrays(batch).words))
    assert (room[[0, 1, 3, 4]] == 9).all()
    assert np.array_equal(row, tensors.fields)
    row[:] = 9
    tensors.rewrite()
    assert not (row == 9).any()


def test_a_buffer_that_does_not_fit_is_refused_with_a_sentence() -> None:
    game = load_game("cable-car", players=2)
    layout, batch = planes_of(game).layout, Batch(game, 3, seed=1)
    words = arrays.batch_arrays(batch).words
    with pytest.raises(BadOption, match=r"shape \(3, 51, 8, 8\) is needed here, not \(2, 51, 8, 8\)"):
        arrays.unpack_planes(layout, words, np.empty((2, 51, 8, 8), np.float32))
    with pytest.raises(BadOption, match="contiguous"):
        arrays.unpack_planes(layout, words, np.empty((3, 51, 8, 16), np.float32)[..., ::2])
    with pytest.raises(BadOption, match="float32 or uint8, not float64"):
        arrays.unpack_planes(layout, words, np.empty((3, 51, 8, 8)))
    with pytest.raises(BadOption, match="float32, not uint8"):
        arrays.unpack_fields(layout, words, np.empty((3, layout.features), np.uint8))
    with pytest.raises(BadOption, match="writes no planes"):
        arrays.BatchTensors(Batch(game, 3, seed=1, planes=False))


def test_a_layout_may_use_whole_words_and_have_no_fields() -> None:
    builder = LayoutBuilder(4, 16)
    builder.plane("all", range(64), 2, 32)
    builder.plane("turned round", range(63, -1, -1), 2, 32)
    layout = builder.build()
    words = np.random.default_rng(3).integers(0, 2**32, (50, layout.words))
    assert np.array_equal(arrays.unpack_planes(layout, words), slow_planes(layout, words))
    assert arrays.unpack_fields(layout, words).shape == (50, 0)


def test_equal_games_share_their_planes() -> None:
    game = load_game("pays-noir", players=3)
    assert planes_of(game) is planes_of(load_game("pays-noir", players=3)) is not planes_of(load_game("pays-noir"))


@pytest.mark.skipif(not COMPILED, reason="about the compiled module")
def test_a_plan_refuses_what_lies_outside_of_a_row() -> None:
    from ludotheque._unpack import Plan

    def made(bits: list[list[int]], numbers: list[list[int]], scales: list[float]) -> Plan:
        first, second = (np.array(pairs, np.int32).tobytes() for pairs in (bits, numbers))
        return Plan(2, 8, 8, first, second, np.array(scales, np.float64).tobytes())

    for wrong in ([[128, 0]], [[-1, 0]], [[0, 8]], [[0, -1]], [[5, 0], [4, 1]]):
        with pytest.raises(ValueError, match="out of order, or lies outside"):
            made(wrong, [], [])
    for wrong in ([[2, 0]], [[-1, 0]], [[0, 8]], [[0, -1]]):
        with pytest.raises(ValueError, match="out of order, or lies outside"):
            made([], wrong, [3.0])
    with pytest.raises(ValueError, match="a scale for each number"):
        made([], [[0, 0]], [])
    writer = made([[0, 0], [0, 3], [127, 7]], [], [])
    out = np.full(8, 9, np.uint8)
    writer.write(np.array([1, -(2**63)], np.int64), out)
    assert out.tolist() == [1, 0, 0, 1, 0, 0, 0, 1]
    with pytest.raises(ValueError, match="different numbers of rows"):
        writer.write(np.zeros(4, np.int64), np.zeros(8, np.float32))
    with pytest.raises(TypeError, match="64-bit"):
        writer.write(np.zeros(2, np.int32), np.zeros(8, np.float32))
    with pytest.raises(TypeError, match="float32, or uint8"):
        writer.write(np.zeros(2, np.int64), np.zeros(8, np.float64))
    with pytest.raises(TypeError, match="uint8 where there are no numbers"):
        made([], [[0, 0]], [3.0]).write(np.zeros(2, np.int64), np.zeros(8, np.uint8))
    with pytest.raises(BufferError):
        writer.write(np.zeros(2, np.int64), bytes(8))
