"""Open, play, finish and leave tables for some minutes, and report how much memory the server uses.

    python -m benchmarks.soak [--seconds 600] [--players 8] [--game cable-car] [--json]

Each of the players opens a table, plays both seats of it over two sockets while a third one watches, leaves when the
game is over, looks at the summary, and begins again. Memory is flat if finished games leave it.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import msgspec
from benchmarks.running import ServerProcess, first_action, path, receive, running_process, secret
from websockets.asyncio.client import ClientConnection, connect

SAMPLES = 20


class Sample(msgspec.Struct):
    """The server at one moment."""

    seconds: float
    megabytes: float
    """Memory that belongs to the process."""
    tables: int
    """In memory."""
    games: int
    """Finished so far."""


class Soak:
    """Players at one server."""

    def __init__(self, address: str, game: str) -> None:
        self.address, self.game = address, game
        self.games = 0

    async def play_games(self, most: int | None = None) -> None:
        """Play games one after the other, `most` of them at most."""
        # Each request has a new connection: the server closes one that is idle for as long as a game takes.
        alone = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=f"http://{self.address}", timeout=600, limits=alone) as client:
            played = 0
            while most is None or played < most:
                await self._play_one(client)
                played += 1
                self.games += 1

    async def _play_one(self, client: httpx.AsyncClient) -> None:
        body = {"game": self.game, "seats": [{"who": "link"}] * 2, "pace": 0}
        table: dict[str, Any] = (await client.post("/api/tables", json=body)).raise_for_status().json()
        async with AsyncExitStack() as stack:
            urls = [link["url"] for link in table["links"]] + [table["watch"]]
            sockets = [await stack.enter_async_context(self._connect(table, url)) for url in urls]
            await self._play_out(sockets)
        summary = await client.get(f"/api/tables/{table['id']}/summary", headers=secret(table["watch"]))
        assert summary.status_code == 200, summary.text

    def _connect(self, table: dict[str, Any], url: str) -> connect:
        return connect(f"ws://{self.address}{path(table)}", additional_headers=secret(url), max_queue=None)

    async def _play_out(self, sockets: list[ClientConnection]) -> None:
        views = [await receive(socket, "view") for socket in sockets]
        while not views[0]["over"]:
            seat, version = views[0]["to_move"], views[0]["version"]
            action = first_action(views[seat]["choices"])
            move = {"type": "move", "seat": seat, "version": version, "action": action}
            await sockets[seat].send(msgspec.json.encode(move).decode())
            views = [await self._later(socket, version) for socket in sockets]

    async def _later(self, socket: ClientConnection, version: int) -> Any:
        """The first view after a version."""
        while (view := await receive(socket, "view"))["version"] <= version:
            continue
        return view

    async def sample(self, began: float, server: ServerProcess) -> Sample:
        async with httpx.AsyncClient(base_url=f"http://{self.address}", timeout=600) as client:
            tables = (await client.get("/health")).json()["tables"]
        return Sample(round(time.monotonic() - began, 1), server.megabytes(), tables, self.games)


async def run(server: ServerProcess, arguments: argparse.Namespace) -> AsyncIterator[Sample]:
    soak, began = Soak(server.address, arguments.game), time.monotonic()
    players = [asyncio.create_task(soak.play_games()) for _ in range(arguments.players)]
    for number in range(1, SAMPLES + 1):
        pause = asyncio.create_task(asyncio.sleep(began + arguments.seconds * number / SAMPLES - time.monotonic()))
        await asyncio.wait([pause, *players], return_when=asyncio.FIRST_COMPLETED)
        for player in players:
            if player.done():
                player.result()  # raises what went wrong
        yield await soak.sample(began, server)
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)


async def report(server: ServerProcess, arguments: argparse.Namespace) -> None:
    async for sample in run(server, arguments):
        if arguments.json:
            print(msgspec.json.encode(sample).decode(), flush=True)
        else:
            print(f"{sample.seconds:7.1f} s {sample.megabytes:7.1f} MB, {sample.tables:4} tables in memory,"
                  f" {sample.games:5} games", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the memory of a server over some minutes.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--game", default="cable-car")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with running_process() as server:
        asyncio.run(report(server, arguments))


if __name__ == "__main__":
    main()
