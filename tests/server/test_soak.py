"""Memory stays flat while tables are opened, played, finished and left: the short form of `benchmarks/soak.py`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks.running import ServerProcess
from benchmarks.soak import Soak

from ludotheque.server.tables.cache import UNUSED_IN_MEMORY
from tests.server.harness import Server, run_apart

PLAYERS = 4
WARM_UP = 40
"""Games of each player before memory is measured: caches of limited size fill first."""
GAMES = 20
"""Games of each player after that."""
LEAK = 15.0
"""Megabytes. Each of the 80 finished games of Cable Car would take 0.25 if they stayed."""

pytestmark = pytest.mark.full


def test_finished_games_do_not_fill_the_memory(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits")
    soak = Soak(f"127.0.0.1:{server.port}", "cable-car")

    async def play(games: int) -> tuple[float, int]:
        await asyncio.gather(*(soak.play_games(games) for _ in range(PLAYERS)))
        sample = await soak.sample(0.0, ServerProcess(f"127.0.0.1:{server.port}", server.process.pid))
        return sample.megabytes, sample.tables

    before, _ = run_apart(play(WARM_UP))
    after, tables = run_apart(play(GAMES))
    assert soak.games == PLAYERS * (WARM_UP + GAMES)
    assert tables <= UNUSED_IN_MEMORY + PLAYERS
    assert after < before + LEAK
    server.stop()
