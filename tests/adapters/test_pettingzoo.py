"""PettingZoo's own checks on our games."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pettingzoo")
np: Any = pytest.importorskip("numpy")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from ludotheque import load_game  # noqa: E402
from ludotheque.adapters.pettingzoo import VectorEnv, env  # noqa: E402
from ludotheque.errors import BadOption, IllegalMove  # noqa: E402
from tests.adapters.pages import run_example  # noqa: E402

# Their checks advise against spaces of dicts, which their own board games have as well.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

LONG = ["chicago_express(players=4)", "pays_noir(players=3)", "cable_car(players=4,companies=on)"]


@pytest.mark.parametrize("name", ["passerelles(rounds=1)", "cable_car(players=3)"])
def test_a_game_passes_their_checks(name: str) -> None:
    api_test(env(name), num_cycles=70, verbose_progress=False)
    seed_test(lambda: env(name), num_cycles=20)


@pytest.mark.full
@pytest.mark.parametrize("name", LONG)
def test_every_game_passes_their_checks(name: str) -> None:
    api_test(env(name), num_cycles=1000, verbose_progress=False)
    seed_test(lambda: env(name), num_cycles=200)


def test_every_seat_gets_its_share_at_the_end() -> None:
    table = env("cable_car(players=3)")
    table.reset(seed=1)
    got: dict[str, float] = {}
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        got[agent] = got.get(agent, 0.0) + reward
        table.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
    assert sum(got.values()) == pytest.approx(1.0)
    assert len(got) == 3


def test_a_game_can_be_cut_off() -> None:
    table = env("passerelles", max_cycles=5)
    table.reset(seed=1)
    decisions = 0
    for _agent in table.agent_iter():
        observation, reward, over, cut, _ = table.last()
        assert (over, reward) == (False, 0.0)
        decisions += not cut
        table.step(None if cut else int(np.flatnonzero(observation["action_mask"])[0]))
    assert decisions == 5


def test_a_position_is_drawn_as_text_or_not_at_all() -> None:
    table = env("passerelles", render_mode="ansi")
    table.reset(seed=1)
    assert "a" in table.render()
    with pytest.raises(BadOption, match="no render mode 'rgb_array' here"):
        env("passerelles", render_mode="rgb_array")


def test_the_vector_form_steps_many_games() -> None:
    vector = VectorEnv(load_game("passerelles", rounds=1), 3)
    seen, _ = vector.reset(seed=5)
    ended = 0
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in seen["action_mask"]])
        seen, rewards, over, cut, infos = vector.step(actions)
        assert not cut.any()
        assert rewards.sum(1) == pytest.approx(over.astype(float))
        if over.any():
            ended += int(over.sum())
            assert infos["final_observation"].shape == (over.sum(), 2, seen["observation"].shape[1])
    assert ended >= 3


def test_a_wrong_action_or_seed_gets_a_sentence_and_changes_nothing() -> None:
    table = env("passerelles")
    table.reset(seed=1)
    before = table.unwrapped.state_now.position()
    for wrong in (-1, 2**64, float("nan"), None, "a1"):
        with pytest.raises(IllegalMove):
            table.step(wrong)
    assert table.unwrapped.state_now.position() == before
    with pytest.raises(BadOption, match="A seed is a whole number"):
        table.reset(seed=2**64)
    vector = VectorEnv("passerelles", 2)
    with pytest.raises(BadOption, match="A seed is a whole number"):
        vector.reset(seed=2**64)
    with pytest.raises(IllegalMove, match="not legal in game 0"):
        vector.step(np.array([2**40, 2**40]))


def test_the_examples_of_the_page_run() -> None:
    assert run_example("import env")["table"].agents == []
    assert run_example("import VectorEnv")["rewards"].shape == (16, 3)


def test_the_vector_form_has_the_spaces_of_what_it_returns() -> None:
    vector = VectorEnv("cable_car(players=3)", 2)
    seen, _ = vector.reset(seed=1)
    assert vector.observation_space.contains(seen)
    assert vector.single_observation_space.contains({name: row[0] for name, row in seen.items()})
    assert vector.action_space.contains(np.array([5, 6152]))
    assert not vector.single_action_space.contains(6153)


def test_what_was_seen_last_is_given_as_gymnasium_gives_it() -> None:
    vector = VectorEnv("cable_car(players=3)", 3, max_decisions=7)
    seen, _ = vector.reset(seed=2)
    for step in range(1, 15):
        actions = np.array([np.flatnonzero(mask)[step % 2] for mask in seen["action_mask"]])
        seen, _, over, cut, infos = vector.step(actions)
        assert not over.any()
        assert cut.all() == (step % 7 == 0) == ("final_obs" in infos)
        if cut.all():
            assert infos["_final_obs"].all()
            for number, last in enumerate(infos["final_obs"]):
                assert vector.single_observation_space.contains(last)
                seat = infos["moved"][number]
                assert (last["observation"] == infos["final_observation"][number, seat]).all()
                assert not (last["observation"] == seen["observation"][number]).all()


def test_without_copies_a_step_overwrites_what_the_last_returned() -> None:
    fresh, shared = VectorEnv("passerelles", 2), VectorEnv("passerelles", 2, copy=False)
    (seen, _), (same, _) = fresh.reset(seed=2), shared.reset(seed=2)
    for _ in range(10):
        actions = np.array([np.flatnonzero(mask)[0] for mask in seen["action_mask"]])
        before = {name: array.copy() for name, array in seen.items()}
        after, *_ = fresh.step(actions)
        shared.step(actions)
        assert all((seen[name] == before[name]).all() for name in seen)
        assert all((same[name] == after[name]).all() for name in seen)
        seen = after


def test_the_vector_form_needs_no_seed() -> None:
    vector = VectorEnv("cable_car", 2)
    deals = {vector.reset()[0]["observation"].tobytes() for _ in range(8)}
    assert len(deals) > 1
