"""What commands print reaches every terminal, pipe and file, such as those of Windows, whose encodings lack signs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = Path(__file__).parents[2] / "docs" / "matches" / "pays-noir.json"


def printed(encoding: str, *words: str | Path) -> bytes:
    """The output of a command in a process with an encoding: chosen, or (`pipe`) that of a system without UTF-8."""
    names = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "LC_ALL")}
    if encoding == "pipe":
        names |= {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    else:
        names |= {"PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "ludotheque.cli", *map(str, words)]
    answer = subprocess.run(command, capture_output=True, check=False, env=names)
    assert answer.returncode == 0, answer.stderr.decode(errors="replace")
    return answer.stdout


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record in which someone has a name that few encodings can write."""
    path = tmp_path / "named.json"
    path.write_text(RECORD.read_text(encoding="utf-8").replace('"Ada"', '"Zoë →"'), encoding="utf-8")
    return path


@pytest.mark.parametrize(("encoding", "name"), [("ascii", "Zo? ?"), ("cp437", "Zoë ?"), ("cp1252", "Zoë ?")])
def test_signs_that_an_encoding_lacks_are_question_marks(encoding: str, name: str, record: Path) -> None:
    assert f"{name}: 70" in printed(encoding, "replay", record).decode(encoding)


@pytest.mark.parametrize("words", [("rules", "cable-car"), ("play", "--help")])
def test_rules_and_help_are_printed_in_plain_ascii(words: tuple[str, ...]) -> None:
    assert "?" in printed("ascii", *words).decode("ascii")


def test_pipes_and_files_get_utf_8_whatever_the_system_writes(record: Path) -> None:
    assert "Zoë →: 70" in printed("pipe", "replay", record).decode()


@pytest.mark.parametrize("encoding", ["ascii", "pipe"])
def test_json_loses_no_sign(encoding: str, record: Path) -> None:
    assert "Zoë →" in json.loads(printed(encoding, "replay", record, "--json"))["names"]
