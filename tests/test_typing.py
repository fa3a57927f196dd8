"""A user's script is typed for the other type checker too; `make lint` checks it with mypy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_a_users_script_passes_pyright_strict(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text((ROOT / "tests" / "typing_script.py").read_text(encoding="utf-8"), encoding="utf-8")
    settings = {"include": [str(script)], "typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "-p", str(tmp_path), "--pythonpath", sys.executable]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
