"""`review`, and `render` as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludotheque import load_game
from ludotheque.errors import LudothequeError
from ludotheque.study.review import Budget, Decision, PendingDecision, judge, pending_decisions
from ludotheque.table import Record, read_record, write_json
from tests.cli.test_commands import run
from tests.table.matches import random_match


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A short match of Passerelles."""
    return written(tmp_path, Record.full(random_match(load_game("passerelles", rounds=1), 1)))


def written(folder: Path, record: Record) -> Path:
    path = folder / "match.json"
    path.write_text(write_json(record))
    return path


def test_a_review_is_printed_and_written_as_a_page(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    result = run("review", record, "--simulations", "24", "--out", page, "--language", "nl")
    assert result.exit_code == 0
    assert "Points by source" in result.stdout
    assert "Games won of 100" in result.stdout
    assert 'lang="nl"' in page.read_text()
    [state] = tmp_path.glob("match.review-*.jsonl")
    assert len(state.read_text().splitlines()) > 10


def test_a_review_is_one_object_for_programs(record: Path) -> None:
    result = run("review", record, "--simulations", "16", "--json")
    printed = json.loads(result.stdout)
    assert set(printed) == {"match_summary", "review_summary", "decisions"}
    assert printed["match_summary"]["moments"][-1]["ply"] == len(printed["match_summary"]["moments"]) - 1


def test_other_terms_get_another_file(record: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        assert run("review", record, "--simulations", "16", "--seed", seed).exit_code == 0
    assert len(list(tmp_path.glob("match.review-*.jsonl"))) == 2
    state = tmp_path / "own.jsonl"
    run("review", record, "--simulations", "16", "--state", state)
    other = run("review", record, "--simulations", "17", "--state", state)
    assert isinstance(other.exception, LudothequeError)
    assert "another game or on other terms" in str(other.exception)


def test_an_interrupted_review_resumes(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state.jsonl"
    words = ("review", record, "--simulations", "16", "--state", state)
    judged: list[int] = []

    def interrupted(pending: PendingDecision) -> Decision:
        judged.append(pending.ply)
        if len(judged) == 5:
            raise KeyboardInterrupt
        return judge(pending)

    monkeypatch.setattr("ludotheque.study.review.judge", interrupted)
    stopped = run(*words)
    assert stopped.exit_code == 1
    assert "Interrupted after 4 of" in stopped.stderr
    assert "the same command resumes from there" in stopped.stderr
    assert "Games won of 100" in run(*words).stdout
    plies = [pending.ply for pending in pending_decisions(read_record(record).to_match(), Budget(simulations=16))]
    assert judged == plies[:5] + plies[4:], "only the one that was interrupted is judged twice"


def test_several_processes_give_the_same_review(record: Path, tmp_path: Path) -> None:
    states = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for jobs, state in enumerate(states, 1):
        assert run("review", record, "--simulations", "16", "--jobs", str(jobs), "--state", state).exit_code == 0
    assert states[0].read_bytes() == states[1].read_bytes()


def test_a_match_is_rendered_as_a_page_that_plays_it(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    assert run("render", record, "--out", page, "--at", "3").exit_code == 0
    assert 'data-at="3"' in page.read_text()
    far = run("render", record, "--out", page, "--at", "1000")
    assert "There is no ply 1000" in str(far.exception)


def test_a_running_game_is_reviewed_for_a_seat(tmp_path: Path) -> None:
    path = written(tmp_path, Record.full(random_match(load_game("cable-car", 2), 1, plies=20)))
    nobody = run("review", path, "--simulations", "16")
    assert "choose a seat with --as" in str(nobody.exception)
    state = tmp_path / "state.jsonl"
    assert run("review", path, "--simulations", "16", "--as", "2", "--state", state).exit_code == 0
    assert all(json.loads(line)["seat"] == 1 for line in state.read_text().splitlines()[1:])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--simulations", "3"], "at least 16 simulations"),
        (["--simulations", "100", "--seconds-per-move", "1"], "not both"),
        (["--as", "9"], "A viewer is a seat from 1 to 2"),
        (["--simulations", "16", "--out", "/dev/null/x.html"], "cannot be written"),
        (["--simulations", "16", "--state", "/dev/null/x.jsonl"], "cannot be"),
    ],
)
def test_wrong_arguments_get_a_sentence(record: Path, words: list[str], sentence: str) -> None:
    result = run("review", record, *words)
    assert isinstance(result.exception, LudothequeError)
    assert sentence in str(result.exception)


def test_a_record_for_one_viewer_cannot_be_reviewed(tmp_path: Path) -> None:
    path = written(tmp_path, Record.seen_by(random_match(load_game("cable-car", 2), 1, plies=20), 0))
    assert "it cannot be replayed" in str(run("review", path).exception)


def test_help_shows_an_example(record: Path) -> None:
    assert "--seconds-per-move 0.5 --out review.html" in " ".join(run("review", "--help").stdout.split())
