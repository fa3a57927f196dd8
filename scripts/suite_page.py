"""Write the table of `docs/suite.md` from the files of results in `docs/suite/`: `python -m scripts.suite_page`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ludotheque.study.suite import read_result, result_table

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "suite.md"
RESULTS: Final = ROOT / "docs" / "suite"
_HEADING: Final = "## Results\n"


def page() -> str:
    """The page with the table of all stored results."""
    text = PAGE.read_text(encoding="utf-8").partition(_HEADING)[0]
    return f"{text}{_HEADING}\n{result_table(map(read_result, sorted(RESULTS.glob('*.json'))))}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
