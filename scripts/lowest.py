"""Print the lowest versions that pyproject.toml allows, as constraints for pip: `aiosqlite==0.20`.

    python scripts/lowest.py [EXTRA ...]

`make test-lowest` installs them, so that the lower bounds are known to work.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=([0-9.]+)")


def lowest(requirements: Sequence[str]) -> Iterator[str]:
    """Yield each requirement at its lowest version. Each must have one."""
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        if found is None:
            raise SystemExit(f"{requirement!r} has no lower bound.")
        yield f"{found[1]}=={found[2]}"


def main() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in sys.argv[1:]:
        wanted += project["optional-dependencies"][extra]
    print("\n".join(lowest(wanted)))


if __name__ == "__main__":
    main()
