"""Compare the pure and the compiled mode: the same random games must agree move by move.

The other mode runs in a separate process, because one process runs one mode.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import reduce
from hashlib import sha256
from importlib import import_module
from typing import Any

import msgspec
from librt.random import Random

import ludotheque
from ludotheque.core.game import Game


def trace(game: Game, seed: int, *, legal: bool = False) -> str:
    """A digest of one random game: players, actions (with `legal`, also the legal actions) and the result."""
    digest = sha256()
    rng = Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        action = state.sample(rng)
        could = state.legal_actions() if legal else ""
        digest.update(f"{state.current_player()} {action} {could}\n".encode())
        state.apply(action)
    digest.update(f"{state.scores()} {state.returns()}\n{state.position()}".encode())
    return digest.hexdigest()


def traces(tables: Sequence[Game], games: int, seed: int) -> list[str]:
    """The digests of a number of games at each table; the first of each includes the legal actions."""
    return [trace(game, number, legal=number == seed) for game in tables for number in range(seed, seed + games)]


def check_both_modes(*tables: Game, games: int = 3, seed: int = 1) -> None:
    """Play the same random games in this mode and in the other one. The other process imports the class of each game
    from its module, whether the game is installed or only registered here."""
    order = _Order([_Table.of(game) for game in tables], games, seed)
    environment = {
        **os.environ,
        "LUDOTHEQUE_PURE": "1" if ludotheque.COMPILED else "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    answer = subprocess.run(
        [sys.executable, "-m", "ludotheque.testing.modes"],
        input=msgspec.json.encode(order), env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, f"the other mode failed:\n{answer.stderr.decode()}"
    theirs = msgspec.json.decode(answer.stdout, type=list[str])
    mine = traces(tables, games, seed)
    assert len(theirs) == len(mine)
    for number, (ours, other) in enumerate(zip(mine, theirs, strict=True)):
        game, at = tables[number // games], seed + number % games
        assert ours == other, f"{game!r}, seed {at}: pure and compiled play different games"


class _Table(msgspec.Struct):
    """A game as another process can set it up: its class by module and name."""

    module: str
    kind: str
    players: int
    settings: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> _Table:
        module, kind = type(game).__module__, type(game).__qualname__
        can_be_imported = module != "__main__" and "<locals>" not in kind
        assert can_be_imported, (
            f"{game.title} cannot be checked in both modes: another process must be able to import {kind}. "
            "Define it at the top of a module of its own, or call check_game(..., both_modes=False)."
        )
        return cls(module, kind, game.players, game.settings)

    def load(self) -> Game:
        module: Any = import_module(self.module)
        kind = reduce(getattr, self.kind.split("."), module)
        assert isinstance(kind, type)
        assert issubclass(kind, Game)
        return kind(self.players, self.settings)


class _Order(msgspec.Struct):
    """The request to the process of the other mode."""

    tables: list[_Table]
    games: int
    seed: int


def main() -> None:
    """Answer a request of `check_both_modes` on standard input."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=_Order)
    tables = [table.load() for table in order.tables]
    sys.stdout.buffer.write(msgspec.json.encode(traces(tables, order.games, order.seed)))


if __name__ == "__main__":
    main()
