"""Many games stepped at once, and observations as words."""

from __future__ import annotations

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
    return [int(batch.legal[batch.most * i + rng.randrange(batch.counts[i])]) for i in range(len(batch))]


def row(batch: Batch, number: int) -> list[int]:
    first = int(batch.actions) * number
    return [int(byte) for byte in batch.mask[first : first + int(batch.actions)]]


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
        assert [int(seat) for seat in batch.moved] == actors
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
            batch.step([int(batch.legal[batch.most * i]) for i in range(4)])
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
    assert (arrays.mask.sum(1) == arrays.counts).all()
    grids = unpack_planes(layout, arrays.words)
    assert grids.shape == (4, len(layout.planes), 8, 8)
    empty = [plane.name for plane in layout.planes].index("empty")
    assert grids[0, empty].sum() == 59
    assert unpack_fields(layout, arrays.words).shape == (4, layout.features)
    assert np.isfinite(unpack_fields(layout, arrays.words)).all()
