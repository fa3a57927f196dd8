"""Many games stepped at once, and observations as words."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy

import pytest

from ludotheque import Batch, Game, Random, load_game, planes_of
from ludotheque.core.layout import OFF_BOARD, LayoutBuilder
from ludotheque.errors import BadOption, IllegalMove
from tests import toy  # noqa: F401  registers the orchard

pytestmark = pytest.mark.both

TABLES = [
    load_game("cable-car", players=3, companies=True, hand=2),
    load_game("chicago-express", players=3),
    load_game("passerelles", rounds=1),
    load_game("pays-noir", players=2),
    load_game("orchard", players=3),
]


def table_name(game: Game) -> str:
    return str(game)


def random_actions(batch: Batch, rng: Random) -> list[int]:
    firsts = [batch.max_legal_actions * i for i in range(len(batch))]
    return [int(batch.legal[first + rng.randrange(batch.legal_counts[i])]) for i, first in enumerate(firsts)]


def row(batch: Batch, number: int) -> list[int]:
    first = int(batch.num_distinct_actions) * number
    return [int(byte) for byte in batch.mask[first : first + int(batch.num_distinct_actions)]]


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_a_batch_shows_the_seat_to_act_its_actions_and_what_it_knows(game: Game) -> None:
    batch = Batch(game, 3, seed=1)
    planes = planes_of(game)
    rng = Random(2)
    for _ in range(30):
        for number in range(3):
            state = batch.state(number)
            seat = int(batch.to_move[number])
            assert seat == state.current_player() >= 0
            assert row(batch, number) == list(state.legal_actions_mask())
            first = batch.width * number
            assert [int(word) for word in batch.words[first : first + batch.width]] == planes.words(state, seat)
        batch.step(random_actions(batch, rng))


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_what_is_hidden_changes_no_byte_of_a_batch(game: Game) -> None:
    """In every game, whatever the others hold and the pile hides, the seat to act gets the same words and mask."""
    batch = Batch(game, 2, seed=5)
    planes = planes_of(game)
    rng = Random(6)
    changed = 0
    for _ in range(25):
        for number in range(len(batch)):
            state = batch.state(number)
            seat = int(batch.to_move[number])
            twin = state.resample_from_infostate(seat, rng)
            changed += twin.position() != state.position()
            first = batch.width * number
            assert [int(word) for word in batch.words[first : first + batch.width]] == planes.words(twin, seat)
            assert row(batch, number) == list(twin.legal_actions_mask())
        batch.step(random_actions(batch, rng))
    assert (changed > 10) == game.has_hidden_information


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_a_game_that_is_over_gives_its_rewards_and_starts_anew(game: Game) -> None:
    batch = Batch(game, 2, seed=3, planes=False)
    rng = Random(4)
    ended = 0
    for _ in range(2 * game.max_game_length()):
        actors = [int(seat) for seat in batch.to_move]
        batch.step(random_actions(batch, rng))
        assert [int(seat) for seat in batch.movers] == actors
        for number in range(2):
            rewards = [float(share) for share in batch.rewards[game.players * number : game.players * (number + 1)]]
            assert sum(rewards) == pytest.approx(float(batch.done[number]))
            if batch.done[number]:
                ended += 1
                assert batch.decisions[number] == 0
        if ended >= 3:
            return
    raise AssertionError("no game has ended")


def test_the_last_observation_of_each_seat_is_kept_when_a_game_ends() -> None:
    game = load_game("orchard", players=2, rounds=1)
    batch = Batch(game, 1, seed=5)
    rng = Random(6)
    while not batch.done[0]:
        before = batch.state(0)
        actions = random_actions(batch, rng)
        batch.step(actions)
    ends = {tuple(int(word) for word in batch.final_words[batch.width * s : batch.width * (s + 1)]) for s in range(2)}
    start = tuple(int(word) for word in batch.words)
    assert start not in ends
    assert len(ends) == 2
    before.apply(actions[0])
    while before.is_chance_node():
        before.apply(before.legal_actions()[0])
    assert before.is_terminal()


def test_a_long_game_is_cut_off_without_rewards() -> None:
    batch = Batch(load_game("passerelles"), 2, seed=1, max_decisions=4)
    rng = Random(1)
    for step in range(1, 9):
        batch.step(random_actions(batch, rng))
        cut = step % 4 == 0
        assert [bool(flag) for flag in batch.truncated] == [cut, cut] == [bool(flag) for flag in batch.done]
        assert not any(batch.rewards)


def test_an_illegal_action_changes_nothing() -> None:
    batch = Batch(load_game("passerelles"), 2, seed=1)
    before = [batch.state(number) for number in range(2)]
    legal = random_actions(batch, Random(1))
    for wrong in (-1, 990, 991, 10**9):
        with pytest.raises(IllegalMove, match=f"Action {wrong} is not legal in game 1"):
            batch.step([legal[0], wrong])
    with pytest.raises(BadOption, match="takes 2 actions, not 1"):
        batch.step(legal[:1])
    with pytest.raises(BadOption, match="takes a list of actions"):
        batch.step("12")
    assert [batch.state(number) for number in range(2)] == before


def test_the_same_seed_plays_the_same_games() -> None:
    def played(seed: int) -> list[str]:
        batch = Batch(load_game("cable-car"), 4, seed=seed, planes=False)
        for _ in range(40):
            batch.step([int(batch.legal[batch.max_legal_actions * i]) for i in range(4)])
        return [batch.state(number).position() for number in range(4)]

    assert played(1) == played(1) != played(2)


def test_a_batch_has_at_least_one_game() -> None:
    with pytest.raises(BadOption, match="not 0"):
        Batch(load_game("cable-car"), 0, seed=1)


# Observations.


@pytest.mark.parametrize("game", TABLES[:4], ids=table_name)
def test_planes_have_the_size_of_the_board_and_places_of_their_own(game: Game) -> None:
    layout = planes_of(game).layout
    for plane in layout.planes:
        assert len(plane.places) == layout.height * layout.width
        on_board = [place for place in plane.places if place != OFF_BOARD]
        assert len(set(on_board)) == len(on_board)
    names = [plane.name for plane in layout.planes] + [field.name for field in layout.fields]
    assert len(set(names)) == len(names)


def test_the_viewer_comes_first() -> None:
    """In Chicago Express the first number of cash is the viewer's own."""
    game = load_game("chicago-express", players=3)
    state = game.new_initial_state()
    for action in state.string_to_actions("bid 8"):
        state.apply_action(action)
    state.apply_action(state.string_to_action("pass"))
    state.apply_action(state.string_to_action("pass"))
    planes = planes_of(game)
    [cash] = [field for field in planes.layout.fields if field.name == "cash, by seat"]
    scores = state.scores()
    assert len(set(scores)) > 1
    for viewer in range(3):
        words = planes.words(state, viewer)
        assert [words[place] for place in cash.places][:3] == scores[viewer:] + scores[:viewer]


def test_a_layout_without_fields_has_empty_rows_of_features() -> None:
    np = pytest.importorskip("numpy")
    from ludotheque.arrays import unpack_fields

    builder = LayoutBuilder(3, 3)
    builder.plane("crosses", range(9))
    layout = builder.build()
    assert unpack_fields(layout, np.zeros((4, layout.words), np.int64)).shape == (4, 0)


def test_numpy_sees_the_batch_itself() -> None:
    np = pytest.importorskip("numpy")
    from ludotheque.arrays import batch_arrays, unpack_fields, unpack_planes

    game = load_game("cable-car", players=2)
    batch = Batch(game, 4, seed=1)
    arrays = batch_arrays(batch)
    layout = planes_of(game).layout
    before = arrays.words.copy()
    batch.step(arrays.legal[:, 0])
    assert (arrays.words != before).any()
    assert not arrays.words.flags.writeable
    assert arrays.mask.shape == (4, 6153)
    assert (arrays.mask.sum(1) == arrays.legal_counts).all()
    grids = unpack_planes(layout, arrays.words)
    assert grids.shape == (4, len(layout.planes), 8, 8)
    empty = [plane.name for plane in layout.planes].index("empty")
    assert grids[0, empty].sum() == 59
    assert unpack_fields(layout, arrays.words).shape == (4, layout.features)
    assert np.isfinite(unpack_fields(layout, arrays.words)).all()


# Generators, starts, copies.


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_a_game_does_not_depend_on_the_size_of_its_batch(game: Game) -> None:
    small, large = Batch(game, 1, seed=3), Batch(game, 3, seed=3)
    for _ in range(40):
        assert small.state(0) == large.state(0)
        small.step([int(small.legal[0])])
        large.step([int(large.legal[large.max_legal_actions * i]) for i in range(3)])


def test_games_of_a_batch_differ() -> None:
    batch = Batch(load_game("cable-car"), 8, seed=3)
    assert len({batch.state(number).position() for number in range(8)}) > 1


def first_actions(batch: Batch) -> list[int]:
    return [int(batch.legal[batch.max_legal_actions * i]) for i in range(len(batch))]


def everything(batch: Batch) -> list[object]:
    """All that a learner can read, and the positions."""
    arrays = (batch.to_move, batch.mask, batch.legal_counts, batch.words, batch.movers, batch.rewards, batch.done)
    more = (batch.truncated, batch.final_words, batch.decisions)
    return [[*map(float, array)] for array in (*arrays, *more)] + [batch.state(i).position() for i in range(len(batch))]


def restored(batch: Batch) -> Batch:
    """Another batch of the same game and size, which goes on from what this one saved."""
    other = Batch(batch.game, len(batch), seed=99, max_decisions=int(batch.max_decisions))
    other.step(first_actions(other))
    other.restore(batch.save())
    return other


def unpickled(batch: Batch) -> Batch:
    again: Batch = pickle.loads(pickle.dumps(batch))
    return again


@pytest.mark.parametrize("game", TABLES, ids=table_name)
@pytest.mark.parametrize("twin_of", [Batch.clone, copy, deepcopy, restored, unpickled])
def test_a_copy_goes_on_as_the_batch_does(twin_of: Callable[[Batch], Batch], game: Game) -> None:
    batch = Batch(game, 2, seed=4, max_decisions=25)
    for _ in range(20):
        batch.step(first_actions(batch))
    twin = twin_of(batch)
    for _ in range(20):
        assert everything(batch) == everything(twin)
        batch.step(first_actions(batch))
        twin.step(first_actions(twin))
    twin.step(first_actions(twin))
    assert everything(batch) != everything(twin)


def test_arrays_of_a_restored_batch_do_not_move() -> None:
    pytest.importorskip("numpy")
    from ludotheque.arrays import batch_arrays

    batch = Batch(load_game("orchard", players=2, rounds=1), 2, seed=4)
    saved, seen = batch.save(), batch_arrays(batch)
    while not batch.done[0]:
        batch.step(first_actions(batch))
    assert seen.final_words.any()
    batch.restore(saved)
    assert not seen.final_words.any()
    assert not seen.done.any()


def test_what_was_saved_elsewhere_is_refused() -> None:
    batch = Batch(load_game("passerelles"), 2, seed=1)
    with pytest.raises(BadOption, match="not a saved batch"):
        batch.restore(b"nonsense")
    with pytest.raises(BadOption, match="another size, or other planes"):
        batch.restore(Batch(load_game("passerelles"), 3, seed=1).save())
    with pytest.raises(BadOption, match="another size, or other planes"):
        batch.restore(Batch(load_game("passerelles"), 2, seed=1, planes=False).save())


def test_games_begin_at_the_positions_that_are_given() -> None:
    game = load_game("passerelles", rounds=1)
    late, rng = game.new_initial_state(), Random(1)
    for _ in range(6):
        late.apply(late.sample(rng))
    batch = Batch(game, 3, seed=1, starts=[late, game.new_initial_state()])
    assert batch.state(0) == batch.state(2) == late != batch.state(1)
    ended = False
    while not ended:
        batch.step(first_actions(batch))
        ended = bool(batch.done[2])
    assert batch.state(2) == late


def test_one_game_is_begun_anew() -> None:
    game = load_game("passerelles")
    batch, first = Batch(game, 2, seed=1, max_decisions=5), game.new_initial_state()
    for _ in range(5):
        batch.step(first_actions(batch))
    batch.step(first_actions(batch))
    other = batch.state(1)
    batch.reset(0)
    assert (batch.state(0), batch.state(1)) == (first, other)
    assert (int(batch.decisions[0]), int(batch.decisions[1]), int(batch.movers[0])) == (0, 1, -1)
    assert row(batch, 0) == list(first.legal_actions_mask())
    batch.reset(0, other)
    assert batch.state(0) == other
    with pytest.raises(BadOption, match="from 0 to 1, not 2"):
        batch.reset(2)


def test_a_start_that_cannot_be_played_is_refused() -> None:
    game = load_game("passerelles", rounds=1)
    over, rng = game.new_initial_state(), Random(1)
    while not over.is_terminal():
        over.apply(over.sample(rng))
    with pytest.raises(BadOption, match="is over in the position"):
        Batch(game, 1, seed=1, starts=[over])
    with pytest.raises(BadOption, match="is one of passerelles"):
        Batch(load_game("cable-car"), 1, seed=1, starts=[over])
    with pytest.raises(BadOption, match="needs a position"):
        Batch(game, 1, seed=1, starts=[])


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_every_seat_can_look_whether_it_is_to_act_or_not(game: Game) -> None:
    batch, planes = Batch(game, 2, seed=1), planes_of(game)
    for _ in range(5):
        for seat in range(game.players):
            words = [int(word) for word in batch.seat_words(seat)]
            assert words == planes.words(batch.state(0), seat) + planes.words(batch.state(1), seat)
        batch.step(first_actions(batch))
