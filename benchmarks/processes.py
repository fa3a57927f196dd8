"""Measure what a move costs with one, two and four processes, where each table has one of them and where it has all.

    python -m benchmarks.processes [--rate 100] [--seconds 6] [--tables 60] [--game cable-car]

First moves are sent at a steady rate that all can take: the processor time of a move is what counts. Then as many are
sent as the processes can take. On a machine with fewer cores than processes and clients need, the moves per second say
nothing about more processes; the processor time does.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
from typing import Any

import httpx
from benchmarks.running import Cluster, load_average, open_table, running_cluster
from benchmarks.server import GAME, FullLoad
from msgspec import Struct

TOO_MANY = 3000.0
"""More moves a second than any cluster takes."""


class SetUp(Struct, frozen=True):
    """A number of processes, and the sockets of tables among them."""

    processes: int
    on_postgres: bool
    is_scattered: bool

    @property
    def title(self) -> str:
        database = "PostgreSQL" if self.on_postgres else "SQLite"
        sockets = "" if self.processes == 1 else ", scattered" if self.is_scattered else ", by table"
        return f"{self.processes} on {database}{sockets}"


SET_UPS = (
    SetUp(1, False, False),
    SetUp(1, True, False),
    SetUp(2, True, False),
    SetUp(2, True, True),
    SetUp(4, True, False),
    SetUp(4, True, True),
)


async def measure(
    cluster: Cluster, tables: list[dict[str, Any]], set_up: SetUp, wanted: argparse.Namespace, rate: float
) -> str:
    """Play at a rate; describe moves per second, how long they took, and the processor time of each."""
    load = FullLoad(cluster.addresses, tables, wanted.sockets, set_up.is_scattered)
    await load.enter()
    await load.wait_until_ready()
    before = cluster.cpu_seconds()
    await load.play(rate, wanted.seconds)
    done = max(1, len(load.taken))
    used = [1000 * (after - start) / done for start, after in zip(before, cluster.cpu_seconds(), strict=True)]
    await load.leave()
    taken = sorted(1000 * seconds for seconds in load.taken)
    return (
        f"{done / wanted.seconds:>8.0f}{statistics.median(taken):>8.0f}{taken[int(0.95 * (done - 1))]:>8.0f}"
        f"{used[0]:>9.2f}{used[1]:>9.2f}{used[2]:>9.2f}{len(load.errors):>7}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure moves with several processes.")
    parser.add_argument("--rate", type=float, default=100, help="moves per second")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--sockets", type=int, default=5, help="per table, players included")
    parser.add_argument("--game", default=GAME)
    wanted = parser.parse_args()
    gc.disable()  # the clients share the machine with the servers
    print(f"{wanted.game}; {load_average()}; processor time of a move in ms")
    print(f"{'':<34}{'moves/s':>8}{'p50 ms':>8}{'p95 ms':>8}{'servers':>9}{'postgres':>9}{'clients':>9}{'errors':>7}")
    for set_up in SET_UPS:
        with running_cluster(set_up.processes, set_up.on_postgres) as cluster:
            for rate in (wanted.rate, TOO_MANY):
                with httpx.Client(base_url=f"http://{cluster.addresses[0]}", timeout=60) as client:
                    tables = [open_table(client, wanted.game) for _ in range(wanted.tables)]
                line = asyncio.run(measure(cluster, tables, set_up, wanted, rate))
                full = ", full" if rate == TOO_MANY else ""
                print(f"{set_up.title + full:<34}{line}", flush=True)


if __name__ == "__main__":
    main()
