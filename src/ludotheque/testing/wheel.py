"""Check that an installed package plays the same games from the same seeds as the sources.

`python -m ludotheque.testing.wheel FILE` compares random games with the digests in a file; `--write` writes them, and
`--compiled` refuses a package that was not compiled.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import msgspec

import ludotheque
from ludotheque.core.registry import house_games
from ludotheque.testing.modes import trace

SEEDS: Final = (1, 2, 3)


def digests() -> dict[str, list[str]]:
    """Return the digests of a random game from each seed, by game of this package."""
    return {kind.name: [trace(ludotheque.load_game(kind.name), seed) for seed in SEEDS] for kind in house_games()}


def main(path: Path, *, write: bool = False, compiled: bool = False) -> int:
    if write:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(digests()), indent=2) + b"\n")
        return 0
    expected = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
    different = [name for name, games in digests().items() if games != expected[name]]
    mode = "compiled" if ludotheque.COMPILED else "pure Python"
    print(f"{mode}: {', '.join(different) or 'no game'} differs from the sources")
    return 1 if different or (compiled and not ludotheque.COMPILED) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), write="--write" in sys.argv, compiled="--compiled" in sys.argv))
