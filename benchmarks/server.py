"""Measure the server: one client's move, any ply of a finished game, and moves under full load.

    python -m benchmarks.server [--tables 200] [--sockets 5] [--rate 500] [--seconds 10] [--game cable-car]
                                [--processes 1] [--load-only] [--json]

The server runs in a separate process, with the SQLite file on disk and full sync; only the rate limits are off, because
all clients share one address. With more processes they share a PostgreSQL that waits for the disk too, and the sockets
of each table are spread over them. Latencies are measured at the client, over the loopback: from sending a move to
receiving the new rendered view. The processor time of servers, PostgreSQL and clients is counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import statistics
import time
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
from benchmarks.running import (
    Cluster,
    first_action,
    open_table,
    path,
    receive,
    running_cluster,
    running_process,
    secret,
)
from websockets.asyncio.client import ClientConnection, connect

GAME = "cable-car"


class Measurement(msgspec.Struct):
    """One line of the report."""

    what: str
    median_ms: float
    p95_ms: float
    worst_ms: float
    note: str = ""


def measured(what: str, seconds: list[float], note: str = "") -> Measurement:
    times = sorted(1000 * second for second in seconds)
    p95 = times[int(0.95 * (len(times) - 1))]
    return Measurement(what, round(statistics.median(times), 2), round(p95, 2), round(times[-1], 2), note)


# Clients.


async def one_client(address: str, table: dict[str, Any], moves: int) -> list[float]:
    """Measure moves without other load; the first few are a warm-up and are dropped."""
    taken: list[float] = []
    sockets = [await connect(f"ws://{address}{path(table)}", additional_headers=secret(link["url"]))
               for link in table["links"]]  # fmt: skip
    views = [await receive(connection, "view") for connection in sockets]
    while len(taken) < moves and not views[0]["over"]:
        seat = views[0]["to_move"]
        move = {"type": "move", "seat": seat, "version": views[seat]["version"],
                "action": first_action(views[seat]["choices"])}  # fmt: skip
        began = time.perf_counter()
        await sockets[seat].send(msgspec.json.encode(move).decode())
        views[seat] = await receive(sockets[seat], "view")
        taken.append(time.perf_counter() - began)
        views[1 - seat] = await receive(sockets[1 - seat], "view")
    for connection in sockets:
        await connection.close()
    return taken[5:]


async def beside_summaries(address: str, table: dict[str, Any], other: dict[str, Any]) -> list[float]:
    """Measure a neighbour's moves while 12 connections ask for summaries of another table."""

    async def ask(number: int) -> None:
        language = ("en", "fr", "nl")[number % 3]
        async with httpx.AsyncClient(
            base_url=f"http://{address}", headers=secret(other["watch"]), timeout=60
        ) as client:
            while True:
                await client.get(f"/api/tables/{other['id']}/summary", params={"lang": language})
                await client.get(f"/t/{other['id']}/review", params={"lang": language})

    asking = [asyncio.create_task(ask(number)) for number in range(12)]
    try:
        return await one_client(address, table, 60)
    finally:
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


def any_ply(client: httpx.Client, game: str) -> list[float]:
    """Measure opening the plies of a finished game."""
    table = open_table(client, game, "bot")
    address = f"/api/tables/{table['id']}"
    while not (view := client.get(address).json())["over"]:
        time.sleep(0.2)
    taken = []
    for ply in range(0, view["last_ply"] + 1, max(1, view["last_ply"] // 100)):
        began = time.perf_counter()
        client.get(address, params={"at": ply}).raise_for_status()
        taken.append(time.perf_counter() - began)
    return taken


class FullLoad:
    """Many tables, each with two players and some spectators; moves are sent at a steady rate."""

    def __init__(
        self, addresses: list[str], tables: list[dict[str, Any]], sockets: int, is_scattered: bool = True
    ) -> None:
        """`is_scattered`: the sockets of a table are spread over all addresses; otherwise each table has one."""
        self.addresses = addresses
        self.is_scattered = is_scattered
        self.tables = tables
        self.sockets = sockets
        self.connections: list[ClientConnection] = []
        self.ready: dict[int, tuple[ClientConnection, dict[str, Any]]] = {}
        """The connection of the seat to move, and its move, by table."""
        self.moved: dict[int, int] = {}
        """The version at which the latest move was sent, by table; a view may be sent twice."""
        self.began: dict[tuple[int, int], float] = {}
        """The time at which a move was sent, by table and version."""
        self.taken: list[float] = []
        self.late = 0
        self.errors: list[str] = []
        self.messages = 0
        self.bytes = 0
        self.health: list[float] = []
        """Seconds that /health took while moves were sent."""

    async def enter(self) -> None:
        gate = asyncio.Semaphore(50)

        async def open_one(number: int, at: int, url: str, plays: bool) -> None:
            async with gate:
                address = f"ws://{self.addresses[at % len(self.addresses)]}{path(self.tables[number])}"
                connection = await connect(address, additional_headers=secret(url), compression=None, max_queue=None)
            self.connections.append(connection)
            self.listeners.append(asyncio.create_task(self.listen(number, connection, plays)))

        self.listeners: list[asyncio.Task[None]] = []
        opening = []
        for number, table in enumerate(self.tables):
            urls = [link["url"] for link in table["links"]]
            urls += [table["watch"]] * (self.sockets - len(urls))
            for at, url in enumerate(urls):
                place = number + at if self.is_scattered else number
                opening.append(open_one(number, place, url, at < len(table["links"])))
        await asyncio.gather(*opening)

    async def listen(self, number: int, connection: ClientConnection, plays: bool) -> None:
        async for message in connection:
            self.messages += 1
            self.bytes += len(message)
            if plays:
                self.handle(number, connection, msgspec.json.decode(message))

    def handle(self, number: int, connection: ClientConnection, message: Any) -> None:
        if message["type"] == "error":
            self.errors.append(message["sentence"])
        elif message["type"] == "view":
            sent = self.began.pop((number, message["version"]), None)
            if sent is not None:
                self.taken.append(time.perf_counter() - sent)
            if message["choices"] and message["version"] > self.moved.get(number, 0):
                move = {"type": "move", "seat": message["viewer"], "version": message["version"],
                        "action": first_action(message["choices"])}  # fmt: skip
                self.ready[number] = connection, move

    async def wait_until_ready(self) -> None:
        """Wait until every socket has been sent all that it is sent at first."""
        seen = -1
        while len(self.ready) < len(self.tables) or seen < self.messages:
            seen = self.messages
            await asyncio.sleep(0.5)

    async def watch_health(self) -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            while True:
                for address in self.addresses:
                    began = time.perf_counter()
                    (await client.get(f"http://{address}/health")).raise_for_status()
                    self.health.append(time.perf_counter() - began)
                await asyncio.sleep(0.2)

    async def play(self, rate: float, seconds: float) -> int:
        """Send moves at this rate; return how many were sent."""
        watching = asyncio.create_task(self.watch_health())
        turn = itertools.cycle(range(len(self.tables)))
        start, sent = time.perf_counter(), 0
        while (now := time.perf_counter()) < start + seconds:
            due = int((now - start) * rate) - sent
            for _ in range(due):
                sent += 1
                await self.move(next(turn))
            await asyncio.sleep(0.002)
        await asyncio.sleep(1)
        watching.cancel()
        return sent

    async def move(self, number: int) -> None:
        if number not in self.ready:
            self.late += 1
            return
        connection, move = self.ready.pop(number)
        self.moved[number] = move["version"]
        self.began[number, move["version"] + 1] = time.perf_counter()
        await connection.send(msgspec.json.encode(move).decode())

    async def leave(self) -> None:
        for listener in self.listeners:
            listener.cancel()
        await asyncio.gather(*self.listeners, return_exceptions=True)
        await asyncio.gather(*(connection.close() for connection in self.connections))


async def full_load(cluster: Cluster, tables: list[dict[str, Any]], arguments: argparse.Namespace) -> Measurement:
    load = FullLoad(cluster.addresses, tables, arguments.sockets)
    await load.enter()
    await load.wait_until_ready()
    before = load.messages
    cpu = cluster.cpu_seconds()
    sent = await load.play(arguments.rate, arguments.seconds)
    done = len(load.taken)
    used = [1000 * (after - before) / max(1, done) for before, after in zip(cpu, cluster.cpu_seconds(), strict=True)]
    note = (
        f"{len(load.connections)} sockets, {len(tables)} tables: {done / arguments.seconds:.0f} moves/s,"
        f" {sent} tried,"
        f" {load.late} not ready in time, {(load.messages - before) / arguments.seconds:.0f} messages/s out,"
        f" {load.bytes // load.messages} bytes each, {len(load.errors)} errors {sorted(set(load.errors))};"
        f" processor time per move: servers {used[0]:.2f} ms, PostgreSQL {used[1]:.2f} ms, clients {used[2]:.2f} ms;"
        f" /health median {1000 * statistics.median(load.health):.0f} ms, worst {1000 * max(load.health):.0f} ms"
    )
    await load.leave()
    return measured(f"full load, {arguments.game}, {len(cluster.addresses)} processes: a move", load.taken, note)


def run(arguments: argparse.Namespace) -> Iterator[Measurement]:
    with running_process() as server, httpx.Client(base_url=f"http://{server.address}", timeout=60) as client:
        address = server.address
        for card in client.get("/api/games").json():
            table = open_table(client, card["name"], "link") if card["min_players"] <= 2 else None
            if table:
                taken = asyncio.run(one_client(address, table, 60))
                yield measured(f"{card['name']}: a move, one client", taken)
                yield measured(f"{card['name']}: any ply of a finished game", any_ply(client, card["name"]))
        neighbour, asked = open_table(client, GAME, "link"), open_table(client, GAME, "link")
        taken = asyncio.run(beside_summaries(address, neighbour, asked))
        yield measured("a move while 12 connections ask for summaries", taken)


def run_load(arguments: argparse.Namespace) -> Measurement:
    """Measure moves under full load."""
    with running_cluster(arguments.processes, arguments.processes > 1) as cluster:
        with httpx.Client(base_url=f"http://{cluster.addresses[0]}", timeout=60) as client:
            tables = [open_table(client, arguments.game, "link") for _ in range(arguments.tables)]
        return asyncio.run(full_load(cluster, tables, arguments))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the server.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--sockets", type=int, default=5, help="per table, players included")
    parser.add_argument("--rate", type=float, default=500, help="moves per second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--game", default=GAME, help="for the full load")
    parser.add_argument("--processes", type=int, default=1, help="for the full load")
    parser.add_argument("--load-only", action="store_true", help="measure the full load alone")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    gc.disable()  # the clients share the machine with the server
    lines = () if arguments.load_only else run(arguments)
    for line in itertools.chain(lines, (run_load(arguments) for _ in range(1))):
        if arguments.json:
            print(msgspec.json.encode(line).decode(), flush=True)
        else:
            print(f"{line.what:<45} median {line.median_ms:8.2f} ms   95% {line.p95_ms:8.2f} ms   worst "
                  f"{line.worst_ms:8.2f} ms   {line.note}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
