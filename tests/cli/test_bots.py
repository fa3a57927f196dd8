"""`arena`, `ladder`, `hint`, and bots in `play`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludotheque.errors import LudothequeError
from tests.cli.test_commands import run

FIELDS = {
    "name", "games", "wins", "win_rate", "mean_score", "rating", "rating_low", "rating_high", "seconds_per_move",
    "failures",
}  # fmt: skip


def test_arena_prints_standings_and_a_cross_table() -> None:
    printed = run("arena", "cable-car", "policy", "greedy", "--games", "4")
    assert printed.exit_code == 0
    assert "Cable Car, 2 seats: 4 games" in printed.stdout
    assert "Finishes ahead of" in printed.stdout


def test_arena_as_json_has_the_promised_fields(tmp_path: Path) -> None:
    words = ("--games", "6", "--json", "--results", tmp_path / "results", "--records", tmp_path / "records")
    found = json.loads(run("arena", "cable-car", "policy", "greedy", "random", *words).stdout)
    assert found["players"] == 3
    assert [set(bot) for bot in found["bots"]] == [FIELDS] * 3
    assert sum(bot["wins"] for bot in found["bots"]) == pytest.approx(6)
    assert len(list((tmp_path / "records").iterdir())) == 6


def test_more_bots_than_seats_meet_in_all_groups() -> None:
    printed = run("arena", "passerelles", "policy", "greedy", "random", "--games", "6", "-o", "rounds=1")
    assert "Passerelles, 2 seats: 6 games" in printed.stdout


def test_interrupting_an_arena_prints_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludotheque.cli.bots.run_contest", stopped)
    stop = run("arena", "cable-car", "policy", "greedy")
    assert stop.exit_code == 1
    assert "Interrupted; results already written to a file are kept." in stop.stderr


def test_ladder_writes_a_page_and_keeps_the_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ludotheque.bots.levels.Level.simulations", lambda level, game, divisor=1: 8)
    page, results = tmp_path / "docs" / "page.md", tmp_path / "results"
    words = ("--games", "2", "--top", "2", "--results", results, "--out", page)
    printed = run("ladder", "cable-car", *words)
    assert printed.exit_code == 0
    assert "2 seats, companies=off, rotation=off, hand=1; seed 1;" in printed.stdout
    assert "| bot:2 | bot:1 | 2 |" in page.read_text(encoding="utf-8")
    kept = {path: path.read_bytes() for path in results.iterdir()}
    assert len(kept) == 6
    run("ladder", "cable-car", *words)
    assert {path: path.read_bytes() for path in results.iterdir()} == kept, "nothing was played twice"


def test_hint_names_legal_moves_with_what_each_seat_can_expect(tmp_path: Path) -> None:
    run("simulate", "cable-car", "--seed", "5", "--out", tmp_path)
    record = tmp_path / "cable-car-5-1.json"
    played = json.loads(record.read_text(encoding="utf-8"))["plies"]
    at = next(ply for ply, done in enumerate(played) if ply > 40 and done["who"] != "chance")
    found = json.loads(run("hint", record, "--at", str(at), "--seconds", "0.05", "--json").stdout)
    assert 1 <= len(found) <= 3
    for move in found:
        assert move["move"]
        assert sum(move["returns"]) == pytest.approx(1)
    assert any(move["follows"] for move in found)
    printed = run("hint", record, "--at", str(at), "--seconds", "0.05").stdout
    assert f"Seat {played[at]['who'] + 1} to move" in printed
    for ply in ("-1", "0", "9999"):
        assert isinstance(run("hint", record, "--at", ply).exception, LudothequeError)


def test_bots_take_seats_at_the_terminal() -> None:
    played = run("play", "passerelles", "--seat", "policy", "--seat", "level:1", "-o", "rounds=1")
    assert played.exit_code == 0
    assert isinstance(run("play", "cable-car", "--seat", "me", "--seat", "bot:9").exception, LudothequeError)
