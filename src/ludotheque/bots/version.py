"""Which bots played: a version that changes with every change of their code or constants."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from ludotheque.bots.speeds import Speed, speed
from ludotheque.core.game import Game

PACKAGE: Final = Path(__file__).parents[1]
SHARED: Final = ("core/policy.py", "bots/search.py", "bots/players.py", "bots/levels.py", "bots/names.py",
                 "bots/speeds.py")  # fmt: skip
"""What the bots of every game are made of. The speeds are not among them: a bot uses only that of its own table."""


def bots_version(game: Game) -> str:
    """The version of the package, and a digest of the code and the constants of the bots at this table."""
    module = type(game).__module__
    folder = "/".join(module.split(".")[1:]) if module.startswith("ludotheque.") else ""
    return f"{version('ludotheque')}+{_digest(folder, speed(game))}"


@cache
def _digest(folder: str, table_speed: Speed) -> str:
    """Of all that decides how bots play: their own modules, the compiled ones of the game, and the table's speed."""
    own = sorted((PACKAGE / folder).glob("*.py")) if folder else []
    digest = sha256(msgspec.json.encode(table_speed))
    for path in [*(PACKAGE / name for name in SHARED), *own]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
