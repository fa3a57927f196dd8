"""The programs under `examples/` run."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludotheque import CHANCE, Batch, Match, Random, Turn, load_game
from ludotheque.arrays import batch_arrays
from ludotheque.core.policy import policy_of
from ludotheque.testing import check_game
from tests.speeds import few

np: Any = pytest.importorskip("numpy")

EXAMPLES = Path(__file__).parent.parent / "examples"
NETWORK = EXAMPLES / "networks" / "passerelles.npz"
WEIGHTS = sorted((EXAMPLES / "weights").glob("*.npz"))


def test_the_cells_of_the_notebook_run() -> None:
    """In one namespace and in their order; the last line of each cell shows something."""
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 5
    namespace: dict[str, Any] = {"__name__": "notebook"}
    for cell in cells:
        tree = ast.parse(cell)
        shown = tree.body.pop()
        assert isinstance(shown, ast.Expr)
        exec(compile(tree, "tour.ipynb", "exec"), namespace)
        value = eval(compile(ast.Expression(shown.value), "tour.ipynb", "eval"), namespace)
        assert value
        if hasattr(value, "_repr_svg_"):
            assert value._repr_svg_().lstrip().startswith("<svg")


@pytest.fixture
def sealed_bids(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("sealed_bids")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_with_draws_and_secrets_keeps_every_promise(sealed_bids: Any, players: int) -> None:
    check_game(sealed_bids.SealedBids(players), every=1, both_modes=False)


def test_the_highest_of_the_sealed_bids_gets_the_prize(sealed_bids: Any) -> None:
    match = Match(sealed_bids.SealedBids(2))
    for card in (3, 7, 12, 4, 9, 15):
        match.add(CHANCE, f"card {card}")
    match.add(CHANCE, "prize 5")
    match.play(0, "card 12")
    seen: Any = match.view(1)
    assert seen.observation.bids == (0,)
    assert [str(line.phrase) for line in seen.log[-2:]] == ["The prize is 5.", "Seat 1 bids."]
    match.play(1, "card 9")
    seen = match.view()
    assert seen.observation.points == (5, 0)
    assert match.viewing.events(1)[-2:] == [(0, None), (1, 8)]


def run(*command: str) -> str:
    answer = subprocess.run([sys.executable, *command], cwd=EXAMPLES, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.parametrize("weights", few(WEIGHTS), ids=lambda path: path.stem)
def test_shipped_weights_play_on_numpy_alone(weights: Path) -> None:
    answer = run("learned_bot.py", str(weights), "--against", "random", "--games", "4")
    assert "against random: 100.0% of 4 games" in answer


@pytest.mark.full
@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_fit_the_look_ahead_that_they_correct(weights: Path) -> None:
    """They win more than half of their games against `policy`; those for another look ahead did not."""
    answer = run("learned_bot.py", str(weights), "--against", "policy", "--games", "12")
    found = re.search(r"against policy: ([0-9.]+)% of 12 games", answer)
    assert found is not None
    assert float(found[1]) > 50


def test_the_shipped_network_plays_on_numpy_alone_and_looks_ahead() -> None:
    for look in ("0", "4"):
        answer = run("network_bot.py", str(NETWORK), "--against", "random", "--games", "2", "--look", look)
        assert "against random: 100.0% of 2 games" in answer


@pytest.mark.full
def test_a_network_trains_and_numpy_sees_what_pytorch_saw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imitation, then self-play against itself and a past self; the stored bytes round the logits a little."""
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(EXAMPLES)
    out = tmp_path / "network.npz"
    small = ["--minutes", "0.02", "--games", "16", "--steps", "4", "--channels", "8", "--blocks", "2", "--trial", "2"]
    taught = ["--teacher", "greedy", "--lessons", "2", "--lesson-epochs", "1", "--against", "random"]
    answer = run("train_network.py", "passerelles(rounds=1)", "--out", str(out), *small, *taught)
    assert "of the teacher's moves" in answer
    assert "(kept)" in answer
    trainer, player = importlib.import_module("train_network"), importlib.import_module("network_bot")
    game = load_game("passerelles(rounds=1)")
    learner = trainer.Player(game, torch.device("cpu"), 8, 2)
    learner.net.load_state_dict(torch.load(out.with_suffix(".pt")))
    trainer.save(learner, game, out)
    words = np.array(batch_arrays(Batch(game, 3, 1)).words)
    logits, chances = player.Network(game, out)(words)
    with torch.no_grad():
        seen, win = learner.net(*learner.sight(torch.tensor(words)))
    assert np.abs(logits - seen.numpy()).max() < 0.1
    assert np.abs(chances - torch.softmax(win, 1).numpy()).max() < 0.02


class OneSided:
    """A judge that likes one candidate, or the position after one, and nothing else."""

    def __init__(self, liked: int = -1, loved: bytes = b"") -> None:
        self.liked, self.loved = liked, loved

    def priors(self, words: Any, actions: Any, hints: Any) -> Any:
        return np.where(actions == self.liked, 100.0, 0.0)

    def chances(self, words: Any) -> Any:
        loved = np.array([float(row.tobytes() == self.loved) for row in words])
        return np.stack([loved, 1 - loved], 1)


@pytest.mark.parametrize("name", ["cable_car(players=3)", "passerelles(rounds=1)", "pays_noir(players=2)"])
def test_the_guided_search_plays_what_its_network_likes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the prior, through all rounds of replies; and by the position after a move, without them."""
    monkeypatch.syspath_prepend(EXAMPLES)
    guided: Any = importlib.import_module("guided_bot")
    game = load_game(name)
    states = [Batch(game, 3, 1).state(number) for number in range(3)]
    finder = guided.GuidedSearch(game, OneSided(), 1)
    found = [finder.candidates(state, state.current_player()) for state in states]
    for column in (0, len(found[1].actions) - 1):
        action, words = found[1].actions[column], found[1].words[column].tobytes()
        by_prior = guided.GuidedSearch(game, OneSided(liked=action), 1).search(states, found, 0.0)[1]
        assert by_prior.chosen == column
        by_chance = guided.GuidedSearch(game, OneSided(loved=words), 1, guided.Effort(())).search(states, found, 0.0)[1]
        assert found[1].words[by_chance.chosen].tobytes() == words
        assert by_chance.chances.max() == 1.0


def test_the_guided_search_tries_all_candidates_with_the_same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two candidates that are the same action come to the same positions, whatever is drawn and replied on the way."""
    monkeypatch.syspath_prepend(EXAMPLES)
    guided: Any = importlib.import_module("guided_bot")
    game = load_game("cable_car(players=2)")
    state, judge = Batch(game, 1, 1).state(0), Luck()
    for greedy, turns in ((False, 1), (True, 2)):
        finder = guided.GuidedSearch(game, judge, 1, guided.Effort(((16, 3),), greedy, turns))
        found = finder.candidates(state, state.current_player())
        twice = type(found)(found.actions[:1] * 2, found.hints[[0, 0]], found.words[[0, 0]])
        decision = finder.search([state], [twice], 0.0)[0]
        assert decision.chances[0] == decision.chances[1]
        assert len({row.tobytes() for row in judge.latest}) == 3  # three deals


class Luck(OneSided):
    """A judge to whom every position has a chance of its own; it remembers what it judged last."""

    def chances(self, words: Any) -> Any:
        self.latest = words
        return np.stack([words.sum(1) % 1009 / 1009, 1 - words.sum(1) % 1009 / 1009], 1)


def test_a_seat_sees_what_the_policy_expects_for_itself_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    guided: Any = importlib.import_module("guided_bot")
    game = load_game("chicago_express(players=3)")
    state = Batch(game, 1, 1).state(0)
    rng = Random(2)
    for _ in range(60):
        state.apply(state.sample(rng))
    shares = policy_of(game).expected_shares(state)
    seen = np.frombuffer(guided.Observer(game)(state, 1), np.int64)
    assert np.exp(guided.expectation(seen[None], 3)[0]) == pytest.approx([shares[1], shares[2], shares[0]])
    assert len(set(shares)) > 1


def test_the_shipped_guided_player_plays_on_numpy_alone() -> None:
    weights = str(EXAMPLES / "guided" / "passerelles.npz")
    answer = run("guided_bot.py", weights, "--against", "random", "--games", "1", "--unsearched")
    assert "against random: 100.0% of 1 games" in answer


def test_the_shipped_guided_player_knows_the_number_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    guided: Any = importlib.import_module("guided_bot")
    game = load_game("chicago_express(players=3)")
    state = game.new_initial_state()
    assert guided.shipped(game, 0, 1).choose(Turn(state, 0, [])) in state.legal_actions()
    with pytest.raises(ValueError, match="There are no weights for chicago_express"):
        guided.shipped(load_game("chicago_express(players=4)"), 0, 1)


@pytest.mark.full
def test_a_search_trains_and_numpy_chooses_as_pytorch_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(EXAMPLES)
    out = tmp_path / "guided.npz"
    small = ["--minutes", "0.1", "--games", "8", "--channels", "8", "--blocks", "1", "--memory", "99", "--reports", "1"]
    answer = run("train_guided.py", "passerelles(rounds=1)", "--out", str(out), *small)
    assert answer.startswith("guided ")
    assert out.with_suffix(".csv").read_text(encoding="utf-8").count("\n") == 2
    trainer, guided = importlib.import_module("train_guided"), importlib.import_module("guided_bot")
    game = load_game("passerelles(rounds=1)")
    learner = trainer.Player(game, torch.device("cpu"), 8, 1)
    trainer.save(learner, game, out)
    numpy = guided.NetworkJudge(game, out)
    state = Batch(game, 1, 1).state(0)
    found = guided.GuidedSearch(game, numpy, 1).candidates(state, 0)
    actions, hints = guided.packed([found])
    words = np.array(batch_arrays(Batch(game, 1, 1)).words)
    assert np.abs(numpy.priors(words, actions, hints) - learner.priors(words, actions, hints)).max() < 0.1
    assert np.abs(numpy.chances(found.words) - learner.chances(found.words)).max() < 0.02


def test_there_are_weights_to_play() -> None:
    assert WEIGHTS


@pytest.mark.full
def test_training_takes_a_few_steps(tmp_path: Path) -> None:
    """A network that is only as good as `greedy` at first imitates a search, then plays itself."""
    out = tmp_path / "weights.npz"
    small = ["--iterations", "2", "--games", "4", "--steps", "4", "--scan", "20", "--report", "1", "--trial", "2"]
    taught = ["--teacher", "search:50", "--lessons", "2", "--epochs", "1", "--jobs", "2", "--replies"]
    answer = run("train_ppo.py", "passerelles(rounds=1)", "--out", str(out), "--matches", "2", *small, *taught)
    assert "lessons of search:50" in answer
    assert "32 decisions of self-play" in answer
    assert "against policy" in answer
    assert [path.name for path in tmp_path.iterdir()] == ["weights.npz"]
