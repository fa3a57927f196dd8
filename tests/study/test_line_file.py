"""The file that a long run adds lines to."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.core.errors import BadArena
from ludotheque.study.line_file import LineFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def resumed(path: Path, first: bytes = b"first") -> LineFile:
    file = LineFile(path, BadArena)
    file.resume(first)
    return file


def test_a_new_file_begins_with_its_first_line(path: Path) -> None:
    resumed(path).add(b"one")
    assert path.read_bytes() == b"first\none\n"
    assert LineFile(path, BadArena).lines == [b"first", b"one"]


@pytest.mark.parametrize("left", [b"", b"fi", b"first", b"first\n", b"first\ntw"])
def test_an_incomplete_last_line_is_cut_off(path: Path, left: bytes) -> None:
    path.write_bytes(left)
    resumed(path).add(b"one")
    assert path.read_bytes() == b"first\none\n"


def test_reading_changes_nothing(path: Path) -> None:
    path.write_bytes(b"first\ntw")
    assert LineFile(path, BadArena).lines == [b"first"]
    assert path.read_bytes() == b"first\ntw"


def test_a_file_of_something_else_is_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear diary")
    with pytest.raises(BadArena, match="holds something else: name another"):
        resumed(path)
    assert path.read_bytes() == b"Dear diary"


def test_a_file_that_does_not_work_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadArena, match="cannot be read"):
        LineFile(tmp_path, BadArena)
    with pytest.raises(BadArena, match=r"cannot be written: No such file or directory\."):
        resumed(tmp_path / "no" / "such.jsonl")
