"""Records and reviews that earlier versions wrote are still read, replayed and verified.

The files in `version_0_1_0` were written by `ludotheque simulate` and `ludotheque review` of version 0.1.0; a
database of that version is in `tests/server/data`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ludotheque.study.review import Budget, pending_decisions
from ludotheque.study.review_file import ReviewFile, terms
from ludotheque.table import Record, read_record, write_json, write_text

FILES = Path(__file__).with_name("version_0_1_0")
RECORDS = sorted(path.name for path in FILES.iterdir() if not path.name.endswith(".review.jsonl"))


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_version_0_1_0_is_replayed_to_its_result(name: str) -> None:
    record = read_record(FILES / name)
    match = record.to_match()
    view = match.view()
    assert record.result is not None
    assert (match.is_over, view.scores) == (True, record.result.scores)
    assert match.game.has_chance == (match.verify_dice() > 0)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_version_0_1_0_is_written_as_it_was(name: str) -> None:
    write = write_text if name.endswith(".txt") else write_json
    assert write(Record.full(read_record(FILES / name).to_match())) == (FILES / name).read_text(encoding="utf-8")


def test_there_is_a_record_of_each_game_that_version_0_1_0_had() -> None:
    games = {read_record(FILES / name).game for name in RECORDS}
    assert games == {"cable-car", "chicago-express", "passerelles", "pays-noir"}
    settings = [read_record(FILES / name).settings for name in RECORDS]
    assert any(chosen.get("companies") for chosen in settings)
    assert any(chosen.get("printing") == "revised" for chosen in settings)


def test_a_review_of_version_0_1_0_is_whole(tmp_path: Path) -> None:
    match, budget = read_record(FILES / "passerelles.json").to_match(), Budget(16)
    stored = shutil.copy(FILES / "passerelles.review.jsonl", tmp_path)
    decisions = ReviewFile(Path(stored), terms(match, budget)).decisions()
    assert [decision.ply for decision in decisions] == [one.ply for one in pending_decisions(match, budget)]
