"""The examples of the page for researchers that need other libraries."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def run_example(word: str) -> dict[str, Any]:
    """Run the example that holds a word; return its variables."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [code] = [block for block in blocks if word in block and ">>>" not in block]
    names: dict[str, Any] = {}
    np.random.seed(1)
    exec(compile(code, PAGE.name, "exec"), names)
    return names
