"""Simulate 100,000 people at many processes: how busy each process is, and how long a turn waits.

    python -m benchmarks.scale [--people 100000] [--turn-seconds 20]

Nothing is served. Tables lie on processes by the hash of their id. Turns come at random; each takes the processor time
that `benchmarks.turns` and `benchmarks.processes` measure. Every process hears of every change (`NOTIFY`), or only the
processes that have the table open (a bus with a channel for each part of the tables).
"""

from __future__ import annotations

import argparse
import hashlib
import random
from bisect import bisect
from typing import Final

from msgspec import Struct

TURN_MS: Final = 5.0
"""Processor time of a turn: the move, what was played since, and a few previews."""
EVENT_MS: Final = 0.03
"""Assumed: processor time to receive an event of another process, and find that nobody has its table open."""
PEOPLE_PER_TABLE: Final = 3
COMMIT_SECONDS: Final = 0.01
"""From one commit of a process to the next, at least; changes meanwhile share it."""
SOCKET_KB: Final = 50
PROCESSES: Final = (16, 32, 48, 64, 96)
SECONDS: Final = 30.0
POINTS: Final = 100
"""Points of each process on the ring of the hash."""


class Figures(Struct, frozen=True):
    """A cluster under load."""

    busy: float
    """The part of its time that the busiest process works."""
    p95_ms: float
    """Milliseconds that a turn takes, waiting included, at the busiest process."""
    events: float
    """Events that one process receives in a second."""
    commits: float
    """Commits of all processes in a second."""
    memory_mb: float
    """Memory of the sockets of the busiest process."""


def place(key: str) -> int:
    """The place of a key on the ring."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])


def shares(processes: int, tables: int) -> list[int]:
    """The number of tables of each process, by a consistent hash."""
    ring = sorted((place(f"{process}/{point}"), process) for process in range(processes) for point in range(POINTS))
    places = [where for where, _ in ring]
    counted = [0] * processes
    for table in range(tables):
        counted[ring[bisect(places, place(f"table {table}")) % len(ring)][1]] += 1
    return counted


def waited(rate: float, event_rate: float, rng: random.Random) -> list[float]:
    """Simulate one process: turns and events come at random and are served in order; return how long turns took."""
    now = free = 0.0
    taken = []
    while now < SECONDS:
        now += rng.expovariate(rate + event_rate)
        is_turn = rng.random() < rate / (rate + event_rate)
        free = max(free, now) + (TURN_MS if is_turn else EVENT_MS) / 1000
        if is_turn:
            taken.append(free - now)
    return sorted(taken)


def simulate(people: int, turn_seconds: float, processes: int, is_told_all: bool) -> Figures:
    """Simulate the busiest process; `is_told_all`: every process hears of every change."""
    tables = people // PEOPLE_PER_TABLE
    part = max(shares(processes, tables)) / tables
    turns = people / turn_seconds
    rate = turns * part
    events = turns - rate if is_told_all else 0.0
    taken = waited(rate, events, random.Random(0))
    busy = (rate * TURN_MS + events * EVENT_MS) / 1000
    commits = processes * min(1 / COMMIT_SECONDS, turns / processes)
    return Figures(busy, 1000 * taken[int(0.95 * len(taken))], events, commits, people * part * SOCKET_KB / 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulate many people at many processes.")
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--turn-seconds", type=float, default=20, help="from one turn of a person to the next")
    wanted = parser.parse_args()
    print(f"{wanted.people} people, {wanted.people / wanted.turn_seconds:.0f} turns a second")
    head = f"{'processes':>9}{'events go to':>16}{'busiest':>9}{'p95 ms':>9}"
    print(f"{head}{'events/s':>10}{'commits/s':>11}{'memory':>10}")
    for processes in PROCESSES:
        for is_told_all in (True, False):
            found = simulate(wanted.people, wanted.turn_seconds, processes, is_told_all)
            shown = f"{found.p95_ms:.0f}" if found.busy < 1 else "grows"
            print(
                f"{processes:>9}{'all' if is_told_all else 'the table':>16}{100 * found.busy:>7.0f} %{shown:>9}"
                f"{found.events:>10.0f}{found.commits:>11.0f}{found.memory_mb:>7.0f} MB"
            )


if __name__ == "__main__":
    main()
