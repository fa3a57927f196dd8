"""Measure moves while many people wait to be paired, and many open tables change.

    python -m benchmarks.waiting [--people 500] [--tables 200] [--seconds 8] [--game cable-car]

Two people play at a table. Measured in turn, several times, each time at a new server: the server at rest; and with
people whose pages ask every few seconds whether they have been paired, while tables that everyone may join are opened,
joined and looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from contextlib import AsyncExitStack
from typing import Any, Final

import httpx
import msgspec
from benchmarks.attack import later
from benchmarks.running import ServerProcess, first_action, load_average, path, receive, running_process, secret
from websockets.asyncio.client import connect

from ludotheque.server.club.pairing import CLOCKS

ROUNDS: Final = 3
WAIT_SECONDS: Final = 20
"""Seconds for which a page waits for an answer before it asks again."""
CHANGE_SECONDS: Final = 0.2
"""Seconds from one change of the open tables to the next."""


def wishes(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Wishes of people who all wait: one less for each game, number of players and clock than would be paired."""
    found = []
    for clock, rated in [*((clock, False) for clock in CLOCKS), *((clock, True) for clock in CLOCKS if clock)]:
        for game in games:
            for players in range(max(2, game["min_players"]), game["max_players"] + 1):
                wish = {"games": [game["name"]], "players": [players], "clocks": [clock], "rated": rated}
                found += [wish] * (players - 1)
    return found


class Waiting:
    """People who wait to be paired, and tables that everyone may join."""

    def __init__(self, server: ServerProcess, people: list[dict[str, Any]], tables: int) -> None:
        self._base = f"http://{server.address}"
        self.people = people
        self._tables = tables
        self.asked = 0
        self.ready = asyncio.Event()

    async def go_on(self) -> None:
        """Wait, open tables and sit down there until this is cancelled."""
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(self._client()) for _ in range(len(self.people) + 1)]
            for client, wish in zip(clients, self.people, strict=False):
                if wish["rated"]:
                    (await client.post("/api/profile", json={"name": "Someone"})).raise_for_status()
                (await client.post("/api/pairing", json=wish)).raise_for_status()
            opened = [await self._open(clients[-1]) for _ in range(self._tables)]
            self.ready.set()
            await asyncio.gather(*map(self._wait, clients[:-1]), self._change(clients[-1], opened))

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self._base, timeout=60)

    async def _wait(self, client: httpx.AsyncClient) -> None:
        await asyncio.sleep(WAIT_SECONDS * random.random())
        while True:
            (await client.get("/api/pairing", params={"wait": WAIT_SECONDS})).raise_for_status()
            self.asked += 1

    async def _open(self, client: httpx.AsyncClient) -> str:
        body = {"game": "cable-car", "seats": [{"who": "link"}, {"who": "open"}]}
        return str((await client.post("/api/tables", json=body)).raise_for_status().json()["id"])

    async def _change(self, client: httpx.AsyncClient, opened: list[str]) -> None:
        """Sit down at the oldest table, open another one, and look at the list, for ever."""
        while True:
            (await client.post(f"/api/tables/{opened.pop(0)}/sit", json={"seat": 1})).raise_for_status()
            opened.append(await self._open(client))
            (await client.get("/api/tables")).raise_for_status()
            self.asked += 3
            await asyncio.sleep(CHANGE_SECONDS)


async def moves(server: ServerProcess, game: str, seconds: float) -> list[float]:
    """Play for a while; return how long moves took."""
    taken: list[float] = []
    until = time.monotonic() + seconds
    async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=60) as client:
        while time.monotonic() < until:
            body = {"game": game, "seats": [{"who": "link"}] * 2, "pace": 0}
            table: dict[str, Any] = (await client.post("/api/tables", json=body)).raise_for_status().json()
            address = f"ws://{server.address}{path(table)}"
            sockets = [await connect(address, additional_headers=secret(link["url"])) for link in table["links"]]
            views = [await receive(socket, "view") for socket in sockets]
            while not views[0]["over"] and time.monotonic() < until:
                seat, version = views[0]["to_move"], views[0]["version"]
                action = first_action(views[seat]["choices"])
                move = {"type": "move", "seat": seat, "version": version, "action": action}
                began = time.perf_counter()
                await sockets[seat].send(msgspec.json.encode(move).decode())
                views[seat] = await later(sockets[seat], version)
                taken.append(time.perf_counter() - began)
                views[1 - seat] = await later(sockets[1 - seat], version)
                await asyncio.sleep(0.02)
            for socket in sockets:
                await socket.close()
    return taken


async def measure(server: ServerProcess, wanted: argparse.Namespace, is_busy: bool) -> None:
    """Measure moves, and print a line."""
    games = httpx.get(f"http://{server.address}/api/games").json()
    waiting = Waiting(server, wishes(games)[: wanted.people], wanted.tables)
    task = asyncio.create_task(waiting.go_on()) if is_busy else None
    if task:
        await waiting.ready.wait()
    busy, began, asked = server.cpu_seconds(), time.monotonic(), waiting.asked
    taken = sorted(1000 * each for each in await moves(server, wanted.game, wanted.seconds))
    passed = time.monotonic() - began
    title = f"{len(waiting.people)} people wait" if is_busy else "nobody waits"
    print(
        f"{title:<18}{len(taken):>6}{statistics.median(taken):>8.1f}{taken[int(0.95 * (len(taken) - 1))]:>8.1f}"
        f"{100 * (server.cpu_seconds() - busy) / passed:>6.0f} %{(waiting.asked - asked) / passed:>12.0f}",
        flush=True,
    )
    if task:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure moves while many people wait to be paired.")
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--game", default="cable-car")
    wanted = parser.parse_args()
    print(f"{wanted.tables} open tables; {load_average()}")
    print(f"{'':<18}{'moves':>6}{'p50 ms':>8}{'p95 ms':>8}{'busy':>8}{'requests/s':>12}")
    for _ in range(ROUNDS):
        with running_process() as server:
            for is_busy in (False, True):
                asyncio.run(measure(server, wanted, is_busy))


if __name__ == "__main__":
    main()
