"""The version of the bots that played, which changes with every change of their code or constants."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from ludotheque.bots.tuning import error_scales, newcomer, speed, styles
from ludotheque.core.game import Game

PACKAGE: Final = Path(__file__).parents[1]
SHARED: Final = (
    "core/policy.py",
    "bots/search/__init__.py",
    "bots/search/deterministic.py",
    "bots/search/information_sets.py",
    "bots/search/tree.py",
    "bots/players.py",
    "bots/levels.py",
    "bots/names.py",
    "bots/styles.py",
    "bots/tuning.py",
)
"""Code of the bots of every game. The tuning of a game is not here: a bot uses that of its table alone."""
DATA: Final = ("board.toml", "cards.json")
"""Data files of a game's rules and policy."""


def bots_version(game: Game) -> str:
    """The version of the package, and a digest of the code and the constants of the bots at this table."""
    module = type(game).__module__
    folder = "/".join(module.split(".")[1:]) if module.startswith("ludotheque.") else ""
    constants = msgspec.json.encode((speed(game), error_scales(game), newcomer(game), styles(game)))
    return f"{version('ludotheque')}+{_digest(folder, constants)}"


@cache
def _digest(folder: str, constants: bytes) -> str:
    """Return a digest of all that decides how bots play: their modules, the code, board and cards of the game, and the
    table's tuning. Some of that code only draws the table: rather a version too many than different bots under one."""
    files = (PACKAGE / folder).iterdir() if folder else ()
    own = sorted(path for path in files if path.suffix == ".py" or path.name in DATA)
    digest = sha256(constants)
    for path in [*(PACKAGE / name for name in SHARED), *own]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
