"""Gymnasium's own checks on one seat against bots, and its vector environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

gymnasium: Any = pytest.importorskip("gymnasium")
np: Any = pytest.importorskip("numpy")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from ludotheque import load_game  # noqa: E402
from ludotheque.adapters.gymnasium import SeatEnv, register_envs  # noqa: E402
from ludotheque.errors import BadOption, IllegalMove, NoSuchBot, NoSuchSeat  # noqa: E402
from tests.adapters.pages import run_example  # noqa: E402

IDS = ["CableCar", "ChicagoExpress", "Passerelles", "PaysNoir"]


def first(mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


def played(env: Any, seed: int) -> tuple[list[int], float]:
    """A game by the first legal actions: the number of legal actions at each decision, and the reward."""
    seen, _ = env.reset(seed=seed)
    counts, reward, over = [], 0.0, False
    while not over:
        counts.append(int(seen["action_mask"].sum()))
        seen, reward, over, cut, _ = env.step(first(seen["action_mask"]))
        over = over or cut
    return counts, reward


@pytest.mark.parametrize("name", IDS)
def test_every_game_passes_their_checks(name: str) -> None:
    with gymnasium.make(f"ludotheque/{name}-v1", opponents="policy", seat=None) as env:
        check_env(env.unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_a_seat_plays_whole_games_against_bots(name: str) -> None:
    with gymnasium.make(f"ludotheque/{name}-v1", opponents="random") as env:
        games = [played(env, seed) for seed in range(3)]
        assert games == [played(env, seed) for seed in range(3)]
        assert all(0.0 <= reward <= 1.0 for _, reward in games)
        assert len({tuple(counts) for counts, _ in games}) > 1


def test_each_opponent_may_be_another_bot_and_options_are_those_of_the_game() -> None:
    env = SeatEnv("cable-car", players=3, hand=2, opponents=["greedy", "random"], seat=1)
    seen, info = env.reset(seed=1)
    assert (env.game, info) == (load_game("cable-car", players=3, hand=2), {"seat": 1})
    assert (env.action_masks() == seen["action_mask"].astype(bool)).all()
    env.close()


def test_an_illegal_action_ends_the_game_without_a_share() -> None:
    env = SeatEnv("passerelles")
    seen, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, over, cut, info = env.step(wrong)
    assert (reward, over, cut, info) == (0.0, True, False, {"seat": 0, "illegal": True})


def test_a_game_that_is_over_takes_no_action() -> None:
    env = SeatEnv("passerelles(rounds=1)")
    played(env, 1)
    with pytest.raises(IllegalMove, match="over"):
        env.step(0)


def test_a_game_can_be_cut_off_and_drawn() -> None:
    env = SeatEnv("passerelles", max_decisions=3, render_mode="ansi")
    counts, reward = played(env, 1)
    assert (len(counts), reward) == (3, 0.0)
    assert env.render() == str(env._state.observation(0))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda: SeatEnv("passerelles", render_mode="rgb_array"), BadOption),
        (lambda: SeatEnv("passerelles", opponents=["random", "random"]), BadOption),
        (lambda: SeatEnv(load_game("cable-car"), players=3), BadOption),
        (lambda: SeatEnv("passerelles", seat=2), NoSuchSeat),
        (lambda: SeatEnv("passerelles", opponents="nobody").reset(), NoSuchBot),
    ],
)
def test_what_cannot_be_set_up_gets_a_sentence(wrong: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_environments_begin_anew_and_keep_the_last_observation(mode: Any) -> None:
    games = gymnasium.make_vec(
        "ludotheque/Passerelles-v1", num_envs=2, rounds=1, vector_kwargs={"autoreset_mode": mode}
    )
    seen, _ = games.reset(seed=3)
    ended = 0
    for _ in range(40):
        masks = seen["action_mask"]
        actions = np.array([first(mask) if mask.any() else 0 for mask in masks])
        seen, rewards, over, cut, infos = games.step(actions)
        assert not cut.any()
        if over.any():
            ended += int(over.sum())
            assert ((rewards >= 0.0) & (rewards <= 1.0)).all()
            if mode == AutoresetMode.SAME_STEP:
                assert (infos["_final_obs"] == over).all()
                assert not any(infos["final_obs"][number]["action_mask"].any() for number in np.flatnonzero(over))
                assert all(seen["action_mask"][number].any() for number in np.flatnonzero(over))
    assert ended >= 4
    games.close()


def test_games_are_registered_once() -> None:
    register_envs()  # games that other tests added meanwhile
    before = dict(gymnasium.registry)
    register_envs()
    assert gymnasium.registry == before


def test_the_examples_of_the_page_run() -> None:
    found = run_example("gymnasium.make_vec")
    assert found["rewards"].shape == (8,)
