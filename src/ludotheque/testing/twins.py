"""Pure and compiled are the same source: random games must agree move by move.

The other mode runs in a process of its own, because one process runs one mode.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256

from librt.random import Random

import ludotheque
from ludotheque.core.game import AnyGame
from ludotheque.core.registry import load_game


def trace(game: AnyGame, seed: int) -> str:
    """A digest of one random game: who acted, what they could do and what they did, and how it ended."""
    digest = sha256()
    rng = Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        action = state.sample(rng)
        digest.update(f"{state.current_player()} {legal} {action}\n".encode())
        state.apply(action)
    digest.update(f"{state.scores()} {state.returns()}\n{state.position()}".encode())
    return digest.hexdigest()


def traces(game: AnyGame, games: int, seed: int) -> list[str]:
    return [trace(game, number) for number in range(seed, seed + games)]


def check_twins(game: AnyGame, *, games: int = 3, seed: int = 1) -> None:
    """Play the same random games in this mode and in the other one."""
    order = {"name": game.name, "players": game.players, "settings": game.settings, "games": games, "seed": seed}
    environment = {**os.environ, "LUDOTHEQUE_PURE": "1" if ludotheque.COMPILED else "0"}
    answer = subprocess.run(
        [sys.executable, "-m", "ludotheque.testing.twins"],
        input=json.dumps(order), env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, f"{game!r}: the other mode failed:\n{answer.stderr}"
    theirs = json.loads(answer.stdout)
    for number, (mine, other) in enumerate(zip(traces(game, games, seed), theirs, strict=True), start=seed):
        assert mine == other, f"{game!r}, seed {number}: pure and compiled play different games"


def main() -> None:
    """Answer a request of `check_twins` on standard input."""
    order = json.load(sys.stdin)
    game = load_game(order["name"], order["players"], **order["settings"])
    json.dump(traces(game, order["games"], order["seed"]), sys.stdout)


if __name__ == "__main__":
    main()
