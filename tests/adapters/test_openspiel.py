"""OpenSpiel's own checks and algorithms on our games."""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque import Random, load_game, planes_of
from ludotheque.adapters.miniatures import miniatures

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("numpy")

from ludotheque.adapters import openspiel  # noqa: E402
from tests.adapters.pages import run_example  # noqa: E402

openspiel.register_games()

LONG = ["chicago_express(players=3)", "pays_noir(players=3)", "cable_car(players=3,companies=True,hand=2)"]


def loaded(name: str) -> Any:
    return pyspiel.load_game(f"ludotheque_{name}")


def miniature(name: str) -> Any:
    """The miniature of a game as a game of OpenSpiel."""
    small = miniatures()[name]
    short, _, options = small.game.removesuffix(")").partition("(")
    settings = dict(word.split("=") for word in options.split(","))
    parameters = {key: int(value) for key, value in settings.items()}
    return pyspiel.load_game(f"ludotheque_{short}", {**parameters, "position": small.position})


def test_the_example_of_the_page_runs() -> None:
    assert sum(run_example("import pyspiel")["state"].returns()) == pytest.approx(1)


def test_a_random_game_passes_their_simulation_test() -> None:
    pyspiel.random_sim_test(loaded("passerelles(rounds=1)"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.full
@pytest.mark.parametrize("name", LONG)
def test_random_games_pass_their_simulation_test(name: str) -> None:
    pyspiel.random_sim_test(loaded(name), num_sims=2, serialize=True, verbose=False)


def test_observation_tensors_are_arrays_with_what_an_observer_writes() -> None:
    game = loaded("pays_noir(players=3)")
    state, rng = game.new_initial_state(), Random(4)
    for _ in range(40):
        state.apply_action(int(state.played.state.sample(rng)))
    observer = game.make_py_observer()
    for player in range(3):
        observer.set_from(state, player)
        assert (state.observation_tensor(player) == observer.tensor).all()
        assert state.observation_tensor(player).tolist() == pyspiel.State.observation_tensor(state, player)


def test_a_game_is_what_it_is_at_home() -> None:
    theirs, ours = loaded("cable_car(players=3,hand=2)"), load_game("cable_car(players=3,hand=2)")
    assert theirs.num_players() == 3
    assert theirs.num_distinct_actions() == ours.num_distinct_actions()
    assert theirs.max_game_length() == ours.max_game_length()
    assert (theirs.min_utility(), theirs.max_utility(), theirs.utility_sum()) == (0.0, 1.0, 1.0)
    state, twin, rng = theirs.new_initial_state(), ours.new_initial_state(), Random(3)
    while not twin.is_terminal():
        assert state.current_player() == twin.current_player()
        assert state.legal_actions() == twin.legal_actions()
        action = int(twin.sample(rng))
        assert state.action_to_string(action) == twin.action_to_string(action)
        state.apply_action(action)
        twin.apply(action)
    assert state.returns() == twin.returns()


def test_a_tensor_holds_the_planes_and_fields() -> None:
    state = loaded("passerelles").new_initial_state()
    layout = planes_of(load_game("passerelles")).layout
    size = len(layout.planes) * layout.height * layout.width + layout.features
    assert len(state.observation_tensor(0)) == size
    assert sum(state.observation_tensor(0)) > 0


def test_strings_tell_a_player_what_it_knows() -> None:
    game = loaded("cable_car(players=2)")
    one, other = game.new_initial_state(), game.new_initial_state()
    for state, draws in ((one, (0, 1)), (other, (0, 2))):
        for draw in draws:
            state.apply_action(draw)
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert one.observation_string(0) == other.observation_string(0)


def test_their_environment_plays_a_game() -> None:
    rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
    environment = rl_environment.Environment(loaded("cable_car(players=3)"), chance_event_sampler=None)
    step = environment.reset()
    decisions = 0
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][seat][0]])
        decisions += 1
    assert decisions == 60
    assert sum(step.rewards) == pytest.approx(1.0)


def test_ismcts_chooses_a_legal_action() -> None:
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    state = miniature("cable-car").new_initial_state()
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), uct_c=1.0, max_simulations=20, evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1)
    )
    assert bot.step(state) in state.legal_actions()


def test_a_miniature_is_solved() -> None:
    check_solved("chicago-express")


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(miniatures()))
def test_every_miniature_is_solved(name: str) -> None:
    check_solved(name)


def check_solved(name: str) -> None:
    """Counterfactual regret minimization brings the exploitability of its average policy down to nothing."""
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game = miniature(name)
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    after, rounds = before, 0
    while after >= 0.01 and rounds < 8:
        for _ in range(10):
            solver.evaluate_and_update_policy()
        after = exploitability.nash_conv(game, solver.average_policy())
        rounds += 1
    assert after < 0.01 < before


@pytest.mark.full
def test_sampled_regrets_solve_a_miniature() -> None:
    mccfr = pytest.importorskip("open_spiel.python.algorithms.external_sampling_mccfr")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    np = pytest.importorskip("numpy")
    np.random.seed(1)
    game = miniature("chicago-express")
    solver = mccfr.ExternalSamplingSolver(game, mccfr.AverageType.SIMPLE)
    for _ in range(200):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.05
