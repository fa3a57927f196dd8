"""Measure what a turn in a browser costs the server: the move, what was played since, and looking at moves before.

    python -m benchmarks.turns [--turns 40] [--hovers 3]

Two people play over sockets, as pages do. A view of one's turn has what was played since one's last one; a page asks
for it elsewhere, which is measured too, but is no part of a turn. Each points at some moves before they make one. The
figures are processor time of the server, so other programs hardly disturb them. They are those of the second table of
each game: at the first one a process draws its pieces for the first time.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter, defaultdict
from typing import Any

import httpx
import msgspec
from benchmarks.running import ServerProcess, load_average, open_table, path, receive, running_process, secret
from websockets.asyncio.client import ClientConnection, connect

KINDS = ("request", "move", "played", "hover")


def actions(choices: list[Any]) -> list[int]:
    """All actions that choices lead to."""
    return [
        action
        for node in choices
        for action in ([node["action"]] if "action" in node else actions(node["children"]))
    ]  # fmt: skip


class Turns:
    """Two people at one table, and what each thing that they do has cost."""

    def __init__(self, server: ServerProcess, table: dict[str, Any]) -> None:
        self._server = server
        self._table = table
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.times: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self._before = 0.0

    def begin(self) -> None:
        self._before = self._server.cpu_seconds()

    def end(self, kind: str, size: int, times: int = 1) -> None:
        self.seconds[kind] += self._server.cpu_seconds() - self._before
        self.times[kind] += times
        self.bytes[kind] += size

    async def play(self, turns: int, hovers: int) -> None:
        base = f"http://{self._server.address}"
        links = [link["url"] for link in self._table["links"]]
        address = f"ws://{self._server.address}{path(self._table)}"
        sockets = [await connect(address, additional_headers=secret(url), max_queue=None) for url in links]
        views = [await receive(socket, "view") for socket in sockets]
        async with httpx.AsyncClient(base_url=base, timeout=60) as client:
            for _ in range(turns):
                if views[0]["over"]:
                    break
                seat = views[0]["to_move"]
                headers = secret(links[seat])
                await self._get(client, "request", ["/health"], headers)
                await self._get(client, "played", [self._played(views[seat])], headers)
                await self._get(client, "hover", self._previews(views[seat], hovers), headers)
                views = await self._move(sockets, views)
        for socket in sockets:
            await socket.close()

    async def _get(self, client: httpx.AsyncClient, kind: str, urls: list[str], headers: dict[str, str]) -> None:
        self.begin()
        answers = [(await client.get(url, headers=headers)).raise_for_status() for url in urls]
        self.end(kind, sum(len(answer.content) for answer in answers), len(urls))

    def _played(self, view: dict[str, Any]) -> str:
        query = f"viewer={view['viewer']}&since={view['since']}&until={view['ply']}&at={view['ply']}"
        return f"/api/tables/{self._table['id']}/played?{query}"

    def _previews(self, view: dict[str, Any], hovers: int) -> list[str]:
        known = actions(view["choices"])
        chosen = known[:: max(1, len(known) // hovers)][:hovers]
        query = f"seat={view['viewer']}&version={view['version']}"
        return [f"/api/tables/{self._table['id']}/preview?{query}&action={action}" for action in chosen]

    async def _move(self, sockets: list[ClientConnection], views: list[Any]) -> list[Any]:
        """Make a move, and return the views after it."""
        seat, version = views[0]["to_move"], views[0]["version"]
        known = actions(views[seat]["choices"])
        move = {"type": "move", "seat": seat, "version": version, "action": known[len(known) // 2]}
        self.begin()
        await sockets[seat].send(msgspec.json.encode(move).decode())
        after = [await _later(socket, version) for socket in sockets]
        self.end("move", len(msgspec.json.encode(after[seat])))
        return after


async def _later(socket: ClientConnection, version: int) -> Any:
    """The first view after a version."""
    while (view := await receive(socket, "view"))["version"] <= version:
        continue
    return view


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a turn in a browser costs the server.")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--hovers", type=int, default=3, help="moves that are pointed at in each turn")
    arguments = parser.parse_args()
    print(f"{load_average()}; processor time in ms, bytes of one answer")
    print(f"{'game':<16}" + "".join(f"{kind:>9}{'bytes':>8}" for kind in KINDS) + f"{'turn':>9}")
    with running_process() as server, httpx.Client(base_url=f"http://{server.address}", timeout=60) as client:
        for card in client.get("/api/games").json():
            players = max(2, card["min_players"])
            for _ in range(2):
                turns = Turns(server, open_table(client, card["name"], players=players))
                asyncio.run(turns.play(arguments.turns, arguments.hovers))
            print(_line(card["name"], turns, arguments.hovers), flush=True)


def _line(game: str, turns: Turns, hovers: int) -> str:
    ms = {kind: 1000 * turns.seconds[kind] / max(1, turns.times[kind]) for kind in KINDS}
    size = {kind: turns.bytes[kind] // max(1, turns.times[kind]) for kind in KINDS}
    whole = ms["move"] + hovers * ms["hover"]
    return f"{game:<16}" + "".join(f"{ms[kind]:>9.2f}{size[kind]:>8}" for kind in KINDS) + f"{whole:>9.2f}"


if __name__ == "__main__":
    main()
