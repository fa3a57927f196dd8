"""What programs ask of games and states: legality, masks, utilities, comparison, game strings, histories, errors."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from ludotheque import CHANCE, SPECTATOR, Game, History, Random, State, load_game, playout, save_random
from ludotheque.core.game import buffers_of
from ludotheque.errors import BadOption, IllegalMove, NoSuchSeat, UnknownGame
from tests import toy  # noqa: F401  registers the orchard
from tests.ours import OURS

pytestmark = pytest.mark.both

TABLES = [
    load_game("cable-car", players=3),
    load_game("cable-car", players=3, companies=True, rotation=True, hand=3),
    load_game("chicago-express", players=3),
    load_game("chicago-express", players=2, printing="revised"),
    load_game("passerelles", landscape="free"),
    load_game("passerelles", rounds=1),
    load_game("pays-noir", players=3),
    load_game("orchard"),
]


def table_name(game: Game) -> str:
    return str(game)


def finished(name: str) -> State:
    state = load_game(name).new_initial_state()
    playout(state, Random(1))
    return state


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_is_legal_agrees_with_the_legal_actions(game: Game) -> None:
    state = game.new_initial_state()
    rng = Random(5)
    ply = 0
    while not state.is_terminal():
        if ply % 9 == 0:
            end = max(game.num_distinct_actions(), game.max_chance_outcomes()) + 70
            assert [action for action in range(-70, end) if state.is_legal(action)] == state.legal_actions()
        state.apply(state.sample(rng))
        ply += 1
    assert not any(state.is_legal(action) for action in range(-5, game.num_distinct_actions()))


@pytest.mark.parametrize("name", OURS)
def test_a_mask_has_a_byte_for_each_action(name: str) -> None:
    state = load_game(name).new_initial_state()
    rng = Random(2)
    while state.is_chance_node():
        assert len(state.legal_actions_mask()) == state.game.max_chance_outcomes()
        state.apply(state.sample(rng))
    mask = state.legal_actions_mask()
    assert len(mask) == state.game.num_distinct_actions()
    assert [action for action, legal in enumerate(mask) if legal] == state.legal_actions()


def test_only_the_player_to_act_has_legal_actions() -> None:
    state = load_game("passerelles").new_initial_state()
    assert state.legal_actions(0) == state.legal_actions() != []
    assert state.legal_actions(1) == []
    assert not any(state.legal_actions_mask(1))
    assert state.legal_actions(CHANCE) == []
    with pytest.raises(NoSuchSeat, match="There is no player 2: the seats are 0 to 1"):
        state.legal_actions(2)


def test_legal_actions_may_be_asked_for_while_they_are_listed() -> None:
    """The vectors of a game are lent to one caller at a time."""
    game = load_game("chicago-express")
    lent = buffers_of(game).take_actions()
    state = game.new_initial_state()
    assert state.legal_actions() == state.clone().legal_actions()
    assert set(lent) == {0}


@pytest.mark.parametrize("name", OURS)
def test_returns_lie_between_the_utilities(name: str) -> None:
    state = finished(name)
    game = state.game
    assert all(game.min_utility() <= share <= game.max_utility() for share in state.returns())
    assert sum(state.returns()) == game.utility_sum()


@pytest.mark.parametrize("name", OURS)
def test_wrong_use_gives_the_same_error_in_every_game(name: str) -> None:
    state = finished(name)
    rng = Random(1)
    with pytest.raises(IllegalMove, match="The game is over"):
        state.sample(rng)
    with pytest.raises(IllegalMove, match="The game is over"):
        state.apply_action(0)
    for viewer in (99, -1, state.game.players, 2**70, -(2**70)):
        with pytest.raises(NoSuchSeat, match=f"There is no viewer {viewer}; the seats are 0 to"):
            state.resample_from_infostate(viewer, rng)
    with pytest.raises(NoSuchSeat, match="A viewer is a whole number, not None"):
        state.resample_from_infostate(None, rng)  # type: ignore[arg-type]
    for start in (state, state.game.new_initial_state()):
        assert not any(map(start.is_legal, (2**40, 2**70, -(2**70))))
        with pytest.raises(IllegalMove, match="An action is a whole number, not 'pass'"):
            start.is_legal("pass")  # type: ignore[arg-type]
    for action in (-1, state.game.num_distinct_actions(), 10**30):
        with pytest.raises(IllegalMove, match="is not an action of"):
            state.action_to_string(action)
        with pytest.raises(IllegalMove):
            state.game.new_initial_state().apply_action(action)
    with pytest.raises(BadOption, match="whole number, not '3'"):
        load_game(name, players="3")  # type: ignore[call-overload]


# Comparing and sending.


def test_games_are_equal_if_they_are_set_up_alike() -> None:
    game = load_game("cable-car", players=3, hand=2)
    assert game == load_game("cable-car", players=3, hand=2)
    assert hash(game) == hash(load_game("cable-car", players=3, hand=2))
    assert game != load_game("cable-car", players=3)
    assert game != load_game("cable-car", players=4, hand=2)
    assert game != "cable-car"


@pytest.mark.parametrize("name", OURS)
def test_states_are_equal_if_their_positions_are(name: str) -> None:
    state = load_game(name).new_initial_state()
    twin = state.clone()
    assert state == twin
    assert len({state, twin}) == 1
    twin.apply(twin.sample(Random(1)))
    assert state != twin


def test_a_game_that_is_sent_again_is_not_set_up_again() -> None:
    sent = pickle.dumps(load_game("pays-noir", players=3).new_initial_state())
    assert pickle.loads(sent).game is pickle.loads(sent).game


def test_a_saved_generator_goes_on_as_it_would_have() -> None:
    rng = Random(7)
    rng.random()
    saved = save_random(rng)
    ahead = [rng.randrange(1000) for _ in range(20)]
    again = Random(saved)
    assert [again.randrange(1000) for _ in range(20)] == ahead


# Game strings.


@pytest.mark.parametrize(
    "text",
    ["cable_car(players=3,hand=2)", "cable-car(players=3,hand=2)", " cable_car( players = 3 , hand = 2 ,version=1)"],
)
def test_a_game_string_is_the_game_with_its_options(text: str) -> None:
    assert load_game(text) == load_game("cable-car", players=3, hand=2)


@pytest.mark.parametrize("game", TABLES, ids=table_name)
def test_a_game_is_loaded_from_its_own_string(game: Game) -> None:
    assert load_game(str(game)) == game
    assert f"version={game.version}" in str(game)


def test_options_may_stand_beside_a_game_string() -> None:
    assert load_game("cable_car(hand=2)", players=3, rotation=True).settings["rotation"] is True
    assert load_game("cable_car(rotation=true)").settings["rotation"] is True


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cable_car(hand=9)", "takes one of 1, 2, 3"),
        ("cable_car(wings=2)", "There is no option 'wings'"),
        ("cable_car(hand=2", "A game is written name"),
        ("cable_car(hand)", "An option is written name=value"),
        ("cable_car(hand=1,hand=2)", "given twice"),
        ("cable_car(players=three)", "players= takes a whole number, not 'three'"),
        ("cable_car(version=7)", "The installed version of Cable Car is 1, not 7"),
        ("chicago_express(board=x.toml)", "cannot hold the document"),
    ],
)
def test_a_bad_game_string_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        load_game(text)


def test_a_hostile_game_string_is_refused_at_once() -> None:
    """In linear time: reading it took quadratic time once, hours for this one."""
    program = "from ludotheque.core.game_string import *; read_game_string('x' + ' ' * 2_000_000 + ')')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert "A game is written name(option=value,...)" in done.stderr


def test_an_unknown_game_string_names_the_games() -> None:
    with pytest.raises(UnknownGame, match="cable-car"):
        load_game("cable_train(players=3)")


def test_what_is_given_twice_is_refused() -> None:
    with pytest.raises(BadOption, match="hand is given twice"):
        load_game("cable_car(hand=2)", hand=2)
    with pytest.raises(BadOption, match="players is given twice"):
        load_game("cable_car(players=2)", players=2)


# Histories.


def played(game: Game, actions: list[int]) -> History:
    history = History(game)
    for action in actions:
        history.apply_action(action)
    return history


def test_a_history_remembers_who_did_what() -> None:
    history = played(load_game("cable-car"), [0, 1])
    assert history.history() == [0, 1]
    assert history.full_history() == [(CHANCE, 0), (CHANCE, 1)]
    copy = history.clone()
    copy.apply_action(copy.state.legal_actions()[0])
    assert (len(history.history()), len(copy.history())) == (2, 3)
    with pytest.raises(IllegalMove):
        history.apply_action(-1)
    assert history.history() == [0, 1]


def test_an_information_state_hides_what_the_player_did_not_see() -> None:
    game = load_game("cable-car")
    one, other = played(game, [0, 1]), played(game, [0, 2])
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert one.information_state_string(SPECTATOR) == other.information_state_string(SPECTATOR)


def test_an_information_state_has_perfect_recall() -> None:
    """Two ways to the same position are two information states, and each holds the ones before it."""
    game = load_game("passerelles", rounds=1)
    first, second, third, fourth = 110, 115, 132, 143
    one, other = played(game, [first, second, third, fourth]), played(game, [third, fourth, first, second])
    assert one.state.legal_actions() == other.state.legal_actions()
    assert one.information_state_string(0) != other.information_state_string(0)
    earlier = played(game, [first, second, third])
    words = one.information_state_string(0).split(" ")[:3]
    assert earlier.information_state_string(0).split(" ")[:3] == words


@pytest.mark.parametrize("name", ["cable-car", "pays-noir"])
def test_an_information_state_is_the_same_in_every_world_the_player_thinks_possible(name: str) -> None:
    """Hidden draws are exchanged: the player's string stays as it is."""
    game = load_game(name, players=2)
    history = History(game)
    rng = Random(3)
    while history.state.is_chance_node():
        history.apply_action(history.state.sample(rng))
    draws = history.history()
    hidden = [ply for ply, draw in enumerate(draws) if not game.sees(history._states[ply], draw, 0)]
    swapped = list(draws)
    swapped[hidden[0]], swapped[hidden[-1]] = draws[hidden[-1]], draws[hidden[0]]
    assert played(game, swapped).information_state_string(0) == history.information_state_string(0)


def test_a_resampled_history_keeps_what_the_player_remembers() -> None:
    history = played(load_game("cable-car"), [0, 1])
    other = history.resampled(0, Random(2))
    assert other.information_state_string(0) == history.information_state_string(0)
    assert other.information_state_string(1) != history.information_state_string(1)
    other.apply_action(other.state.legal_actions()[0])
    assert other.information_state_string(0) != history.information_state_string(0)


def test_the_package_runs_as_a_program() -> None:
    answer = subprocess.run([sys.executable, "-m", "ludotheque", "--help"], capture_output=True, text=True, check=True)
    assert "ludotheque" in answer.stdout


def test_a_history_offers_what_a_state_offers_except_hot_loops() -> None:
    hot = {"apply", "allows", "finish", "transposition_key", "game"}
    offered = {name for name in dir(State) if not name.startswith("_") and not name.endswith("_into")} - hot
    assert offered <= set(dir(History))


def test_a_history_answers_as_its_state_does() -> None:
    history, rng = History(load_game("pays-noir", players=3)), Random(5)
    while not history.is_terminal():
        state = history.state
        assert history.legal_actions() == state.legal_actions()
        assert history.legal_actions_mask() == state.legal_actions_mask()
        assert history.current_player() == state.current_player()
        assert history.scores() == state.scores()
        if history.is_chance_node():
            assert history.chance_outcomes() == state.chance_outcomes()
            assert history.weighted_outcomes() == state.weighted_outcomes()
        action = history.sample(rng)
        assert history.is_legal(action)
        assert history.string_to_action(history.action_to_string(action)) == action
        after = history.child(action)
        assert (len(after.history()), after == history) == (len(history.history()) + 1, False)
        history.apply_action(action)
        assert (after, hash(after), after.position()) == (history, hash(history), history.position())
    assert sum(history.returns()) == 1.0
    assert history.observation(1) == history.state.observation(1)
    assert copy.copy(history) == pickle.loads(pickle.dumps(history)) == history


def test_a_generator_can_be_copied_and_pickled() -> None:
    """A copy goes on as the generator itself does from then on."""
    rng = Random(7)
    for duplicate in (copy.copy, copy.deepcopy, _through_pickle):
        twin = duplicate(rng)
        assert [twin.randrange(1000) for _ in range(9)] == [rng.randrange(1000) for _ in range(9)]


def _through_pickle(rng: Random) -> Random:
    back: Random = pickle.loads(pickle.dumps(rng))
    return back


def test_the_settings_of_a_game_cannot_be_changed() -> None:
    game = load_game("cable-car", hand=2)
    with pytest.raises(TypeError, match="cannot be changed"):
        game.settings["hand"] = 1
    with pytest.raises(TypeError, match="cannot be changed"):
        game.settings.update(hand=1)
    with pytest.raises(TypeError, match="cannot be changed"):
        game.settings.pop("hand")
    assert game.settings == {**game.settings} == pickle.loads(pickle.dumps(game)).settings
    assert copy.deepcopy(game.settings) == game.settings
