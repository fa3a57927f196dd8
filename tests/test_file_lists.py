"""Lists of files that are found by pattern find all of them."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from tests.ours import OURS

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "src" / "ludotheque" / "games"


def compiled() -> list[Path]:
    """The modules that `setup.py` compiles, without running it."""
    names = {"HERE", "PACKAGE", "HOT"}
    wanted: list[ast.stmt] = [
        statement
        for statement in ast.parse((ROOT / "setup.py").read_text()).body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in names
    ]
    values: dict[str, Any] = {"Path": Path, "__file__": str(ROOT / "setup.py")}
    exec(compile(ast.Module(wanted, []), "setup.py", "exec"), values)
    return [ROOT / path for path in values["HOT"]]


def test_the_compiled_modules_of_every_game_are_found() -> None:
    assert all(path.is_file() for path in compiled())
    found = Counter(path.name for path in compiled() if path.is_relative_to(GAMES))
    assert OURS
    assert {found["board.py"], found["rules.py"], found["policy.py"]} == {len(OURS)}


def test_make_rebuilds_for_every_compiled_module() -> None:
    command = ["make", "--no-print-directory", "--eval=hot: ; @echo $(HOT)", "hot"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert {ROOT / path for path in listed} >= {*compiled()}
