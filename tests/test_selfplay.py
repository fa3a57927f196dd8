"""Self-play data: every decision with its visits, written and read back, and the sample that is shipped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludotheque import Game, load_game
from ludotheque.errors import BadOption
from ludotheque.selfplay import EXPLORED, Decision, play_itself, read_games, write_games

EXAMPLES = Path(__file__).parent.parent / "examples"
TABLES = [load_game("cable-car", players=3), load_game("passerelles", rounds=1)]


def check(decisions: list[Decision], simulations: int) -> None:
    """Check that decisions are those of one whole game."""
    game = load_game(decisions[0].game)
    shares = {one.seat: one.result for one in decisions}
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-3)
    for one in decisions:
        state = one.state()
        assert (state.game, state.current_player(), shares[one.seat]) == (game, one.seat, one.result)
        assert len(one.scores) == game.players
        assert one.action in one.searched
        assert set(one.searched) <= set(state.legal_actions())
        assert sum(one.visits) == simulations
        assert len(one.searched) == len(one.visits) == len(one.values)
    assert [one.ply for one in decisions] == sorted({one.ply for one in decisions})


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_a_game_follows_from_its_seed(game: Game) -> None:
    decisions = play_itself(game, simulations=30, seed=1)
    check(decisions, 30)
    assert play_itself(game, simulations=30, seed=1) == decisions
    other = play_itself(game, simulations=30, seed=2)
    assert [one.position for one in other[:EXPLORED]] != [one.position for one in decisions[:EXPLORED]]


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    games = [play_itself(TABLES[1], simulations=20, seed=seed) for seed in (1, 2)]
    path = tmp_path / "games.parquet"
    assert write_games(path, (one for game in games for one in game)) == sum(map(len, games))
    back = [*read_games(path, path)]
    assert [one.position for one in back] == 2 * [one.position for game in games for one in game]
    assert [one.visits for one in back[: len(games[0])]] == [one.visits for one in games[0]]
    assert back[0].values == pytest.approx(games[0][0].values, abs=1e-4)


def test_without_pyarrow_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadOption, match="pip install"):
        write_games(tmp_path / "games.parquet", [])
    with pytest.raises(BadOption, match="pip install"):
        next(read_games(tmp_path / "games.parquet"))


def test_the_sample_has_a_game_of_every_title() -> None:
    pytest.importorskip("pyarrow")
    sample = EXAMPLES / "data" / "sample.parquet"
    assert sample.stat().st_size < 100_000
    games: dict[str, list[Decision]] = {}
    for one in read_games(sample):
        games.setdefault(load_game(one.game).name, []).append(one)
    assert sorted(games) == ["cable-car", "chicago-express", "passerelles", "pays-noir"]
    for decisions in games.values():
        check(decisions, 200)


def test_the_example_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("numpy")
    from tests.adapters.pages import run_example

    monkeypatch.chdir(EXAMPLES.parent)
    assert run_example("read_games")["one"].result in (0.0, 0.5, 1.0)
    assert "pays_noir(players=2,version=1)" in capsys.readouterr().out


def test_the_example_makes_a_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    out = tmp_path / "games.parquet"
    command = [sys.executable, str(EXAMPLES / "self_play.py"), "passerelles(rounds=1)", "--out", str(out)]
    command += ["--games", "2", "--simulations", "10"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert "of 2 games, 10 simulations each" in answer.stdout
    assert {one.seed for one in read_games(out)} == {1, 2}
