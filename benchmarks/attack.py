"""Measure a neighbour's moves, and a weak bot's, while several addresses attack the server in every way that was found.

    python -m benchmarks.attack [--addresses 8] [--seconds 5] [--ways played,puzzles,...]

The limits are those of a server with strangers; clients say their address as if behind a proxy. Attackers run in a
separate process. Each way is measured right after a while without any, and at last all ways together. A table shows how
many requests came through, how long a move and the answer of a level-1 bot took, and how busy the server was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import httpx
import msgspec
from benchmarks.running import (
    ServerProcess,
    first_action,
    load_average,
    path,
    receive,
    running_process,
    secret,
)
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

GAME: Final = "cable-car"
TABLES_WITH_BOTS: Final = 10
SOCKETS: Final = 12
SILENT: Final = 300
LOST: Final = (OSError, asyncio.IncompleteReadError, WebSocketException, TimeoutError)
"""Errors of a client whose connection the server has closed."""


# Attackers.


class Attacker:
    """Someone at an address, with as many connections as wanted."""

    def __init__(self, server: str, number: int) -> None:
        self.server = server
        self.number = number
        self.address = f"198.51.{number}.7"
        self.answers: Counter[int] = Counter()
        """The number of answers by status."""

    async def ask(self, *requests: tuple[str, str, object], secret: str = "") -> None:
        """Send requests one after the other on one connection, for ever; open it again when it is closed."""
        while True:
            with suppress(*LOST):
                reader, writer = await asyncio.open_connection(*self.server.split(":"))
                try:
                    while True:
                        for method, where, body in requests:
                            await self._one(reader, writer, method, where, body, secret)
                finally:
                    writer.close()
            await asyncio.sleep(0.05)

    async def _one(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        method: str,
        where: str,
        body: object,
        secret: str,
    ) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        key = f"Authorization: Bearer {secret}\r\n" if secret else ""
        head = (
            f"{method} {where} HTTP/1.1\r\nHost: {self.server}\r\nX-Forwarded-For: {self.address}\r\n{key}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        answer = await reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        self.answers[status] += 1
        length = next((line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
        found = await reader.readexactly(int(length.split(b":")[1]))
        if status == 429:
            await asyncio.sleep(0.05)
        return found

    async def once(self, method: str, where: str, body: object = None, secret: str = "") -> Any:
        """Send one request, and return the answer."""
        reader, writer = await asyncio.open_connection(*self.server.split(":"))
        try:
            return json.loads(await self._one(reader, writer, method, where, body, secret) or b"null")
        finally:
            writer.close()

    async def open(self, seats: list[dict[str, str]], game: str = GAME) -> Any:
        return await self.once("POST", "/api/tables", {"game": game, "seats": seats, "pace": 0})

    def connect(self, table: Any, url: str, language: str = "en") -> connect:
        headers = secret(url) | {"X-Forwarded-For": self.address}
        return connect(f"ws://{self.server}{path(table)}?lang={language}", additional_headers=headers, max_queue=None)


def key_of(url: str) -> str:
    return url.partition("#")[2]


LINK: Final = {"who": "link"}


async def played(attacker: Attacker) -> None:
    """Ask for what was played, from three connections."""
    table = await attacker.open([LINK, LINK])
    key = key_of(table["watch"])
    await together(attacker.ask(("GET", f"/api/tables/{table['id']}/played?since=0", None), secret=key) for _ in "123")


async def views(attacker: Attacker) -> None:
    """Ask for the position, the pictures and the record of a table, from three connections."""
    table = await attacker.open([LINK, LINK])
    key, base = key_of(table["watch"]), f"/api/tables/{table['id']}"
    asked = [("GET", f"{base}{what}", None) for what in ("", "/picture.svg", "/backdrop.svg", "/record", "/summary")]
    await together(attacker.ask(*asked, secret=key) for _ in "123")


async def puzzles(attacker: Attacker) -> None:
    """Try moves of puzzles, and look at their boards and pictures, from three connections."""
    base = "/api/puzzles/pays-noir"
    id = (await attacker.once("GET", base))[attacker.number]["id"]
    board = await attacker.once("GET", f"{base}/{id}")
    wanted = {"action": first_action(board["choices"])}
    asked: list[tuple[str, str, object]] = [("POST", f"{base}/{id}/try", wanted)]
    asked += [("GET", f"{base}/{id}{what}", None) for what in ("", "/picture.svg", "/backdrop.css")]
    await together(attacker.ask(*asked) for _ in "123")


async def pages(attacker: Attacker) -> None:
    """Ask for pages that do not exist, for the schema, statistics and the lobby, from three connections."""
    asked = [("GET", where, None) for where in ("/nothing", "/api/schema/openapi.json", "/api/statistics", "/")]
    await together(attacker.ask(*asked) for _ in "123")


async def bots(attacker: Attacker) -> None:
    """Play at tables with five weak bots, or with one of the strongest."""
    weak = [{"who": "bot", "level": "1"}] * 5
    tables = [await attacker.open([LINK, *weak]) for _ in range(TABLES_WITH_BOTS)]
    tables += [await attacker.open([LINK, {"who": "bot", "level": "6"}]) for _ in range(TABLES_WITH_BOTS)]
    await together(_play_on(attacker, table) for table in tables)


async def _play_on(attacker: Attacker, table: Any) -> None:
    """Answer every move of the bots at once, in one game after the other."""
    with suppress(*LOST):
        async with attacker.connect(table, table["links"][0]["url"]) as socket:
            while not (view := await receive(socket, "view"))["over"]:
                if view["choices"]:
                    await socket.send(json.dumps(_first_move(view)))
                    attacker.answers[200] += 1


def _first_move(view: Any) -> dict[str, Any]:
    action = first_action(view["choices"])
    return {"type": "move", "seat": view["viewer"], "version": view["version"], "action": action}


async def renames(attacker: Attacker) -> None:
    """Rename a seat of a table that many sockets show in three languages."""
    table = await attacker.open([LINK, LINK])
    urls = [table["links"][0]["url"], table["links"][1]["url"], table["watch"]]
    languages = ("en", "fr", "nl")
    sockets = [
        await attacker.connect(table, urls[number % 3], languages[number // 3 % 3]).__aenter__()
        for number in range(SOCKETS)
    ]
    where, key = f"/api/tables/{table['id']}/name", key_of(urls[0])
    names: list[tuple[str, str, object]] = [("POST", where, {"seat": 0, "name": name}) for name in ("Eve", "Mallory")]
    await together([attacker.ask(*names, secret=key), *map(_drain, sockets)])


async def messages(attacker: Attacker) -> None:
    """Ask for the whole view again and again, over ten sockets."""
    table = await attacker.open([LINK, LINK])
    sockets = [await attacker.connect(table, table["watch"]).__aenter__() for _ in range(10)]
    await together([*(_send_often(attacker, socket, {"type": "refresh"}) for socket in sockets), *map(_drain, sockets)])


async def _send_often(attacker: Attacker, socket: ClientConnection, message: object) -> None:
    """Send a message as often as one socket may."""
    with suppress(*LOST):
        while True:
            await socket.send(json.dumps(message))
            attacker.answers[200] += 1
            await asyncio.sleep(1 / 19)


async def turns(attacker: Attacker) -> None:
    """Play against oneself at ten tables, as fast as one may."""
    await together([_play_alone(attacker) for _ in range(10)])


async def _play_alone(attacker: Attacker) -> None:
    with suppress(*LOST):
        while True:
            table = await attacker.open([LINK, LINK])
            sockets = [await attacker.connect(table, table["links"][seat]["url"]).__aenter__() for seat in (0, 1)]
            views = [await receive(socket, "view") for socket in sockets]
            while not views[0]["over"]:
                seat, version = views[0]["to_move"], views[0]["version"]
                await sockets[seat].send(json.dumps(_first_move(views[seat])))
                attacker.answers[200] += 1
                views = [await later(socket, version) for socket in sockets]
            for socket in sockets:
                await socket.close()


async def posts(attacker: Attacker) -> None:
    """Send moves to a table that does not exist, some with a long body, from three connections."""
    short, long = ({"seat": 0, "version": 0, "action": 0, "note": note} for note in ("", ["x"] * 200_000))
    asked = [("POST", "/api/tables/nosuchtable/moves", body) for body in (short, short, short, short, long)]
    await together(attacker.ask(*asked) for _ in "123")


async def changes(attacker: Attacker) -> None:
    """Ask for slow pages on three connections, and change what is stored on two others."""
    slow = [("GET", where, None) for where in ("/rules/pays-noir", "/api/schema/openapi.json", "/")]
    wish = {"games": [GAME], "players": [6], "clocks": ["days 604800 0"]}
    changed: list[tuple[str, str, object]] = [
        ("POST", "/api/profile", {"name": "Eve"}),
        ("POST", "/api/pairing", wish),
        ("POST", "/api/recovery", {"stored": {}}),
    ]
    await together([*(attacker.ask(*slow) for _ in "123"), *(attacker.ask(*changed) for _ in "12")])


async def _drain(socket: ClientConnection) -> None:
    with suppress(*LOST):
        async for _ in socket:
            continue


async def silence(attacker: Attacker) -> None:
    """Hold connections open without a word, and with unfinished bodies."""
    start = (
        f"POST /api/records HTTP/1.1\r\nHost: {attacker.server}\r\nX-Forwarded-For: {attacker.address}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
    ).encode() + b"{" * 200_000
    writers = []
    for number in range(SILENT):
        _, writer = await asyncio.open_connection(*attacker.server.split(":"))
        writers.append(writer)
        if number % 30 == 0:
            writer.write(start)
        attacker.answers[200] += 1
    await asyncio.Event().wait()


async def records(attacker: Attacker) -> None:
    """Send records that take long to read, from three connections."""
    seats = "".join(f'[Seat {number} "x"]\n' for number in range(5000))
    slow = f'[Game "{GAME}"]\n[Players "2"]\n{seats}\n' + "1. D4 " * 20_000
    await together(attacker.ask(("POST", "/api/records", {"record": slow})) for _ in "123")


async def openings(attacker: Attacker) -> None:
    """Open tables that everyone may join, and ask for the list."""
    body = {"game": GAME, "seats": [{"who": "me"}, {"who": "open"}]}
    await together(attacker.ask(("POST", "/api/tables", body), ("GET", "/api/tables", None)) for _ in "12")


WAYS: Final[dict[str, Callable[[Attacker], Awaitable[None]]]] = {
    way.__name__: way
    for way in (
        played,
        views,
        puzzles,
        pages,
        bots,
        renames,
        silence,
        records,
        openings,
        messages,
        turns,
        posts,
        changes,
    )
}


async def together(work: Any) -> None:
    await asyncio.gather(*work)


async def attack(server: str, ways: Sequence[str], addresses: int) -> None:
    """Attack until standard input ends; print a line when all have begun, and the statuses of all answers."""
    attackers = [Attacker(server, number) for number in range(1, addresses + 1)]
    tasks = [asyncio.ensure_future(WAYS[way](attacker)) for way in ways for attacker in attackers]
    while not all(attacker.answers for attacker in attackers):
        await asyncio.sleep(0.1)
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    failed = [error for error in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(error, Exception)]
    answers = sum((attacker.answers for attacker in attackers), Counter[int]())
    print(json.dumps({"answers": answers, "failed": sorted({type(error).__name__ for error in failed})}))


# The neighbour.


class Row(Struct, frozen=True):
    """One line of the report."""

    way: str
    moves: tuple[float, ...]
    """Seconds that moves took."""
    bots: tuple[float, ...]
    """Seconds that the answers of a level-1 bot took."""
    busy: float
    """The part of the time that the server worked."""
    answers: dict[str, int]
    failed: tuple[str, ...]

    def __str__(self) -> str:
        asked = sum(self.answers.values())
        refused = self.answers.get("429", 0)
        return (
            f"{self.way:<12}{asked:>8}{100 * refused // max(1, asked):>7} %"
            f"{ms(statistics.median(self.moves)):>8}{ms(p95(self.moves)):>8}{ms(max(self.moves)):>8}"
            f"{statistics.median(self.bots):>9.2f}{max(self.bots):>8.2f}{100 * self.busy:>7.0f} %"
            f"   {len(self.moves)} moves {' '.join(self.failed)}"
        )


HEAD: Final = (
    f"{'way':<12}{'answers':>8}{'refused':>9}{'p50 ms':>8}{'p95 ms':>8}{'max ms':>8}{'bot s':>9}{'max s':>8}{'busy':>9}"
)


def ms(seconds: float) -> int:
    return round(1000 * seconds)


def p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


class Neighbour:
    """Someone at another address who plays at one table, and against a level-1 bot at another one."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._client = httpx.Client(
            base_url=f"http://{server.address}", timeout=60, headers={"X-Forwarded-For": "192.0.2.9"}
        )

    def _open(self, seats: list[dict[str, str]]) -> Any:
        body = {"game": GAME, "seats": seats, "pace": 0}
        return self._client.post("/api/tables", json=body).raise_for_status().json()

    async def _connect(self, table: Any, seat: int) -> ClientConnection:
        headers = secret(table["links"][seat]["url"]) | {"X-Forwarded-For": "192.0.2.9"}
        return await connect(f"ws://{self._server.address}{path(table)}", additional_headers=headers, max_queue=None)

    async def measure(self, seconds: float) -> tuple[list[float], list[float]]:
        """Play for a while; return how long moves took, and answers of the bot."""
        await self._play_bot(until=0)  # the workers of the bots have started
        until = time.monotonic() + seconds
        moves, answers = await asyncio.gather(self._play(until), self._play_bot(until))
        return moves, answers

    async def _play(self, until: float) -> list[float]:
        taken: list[float] = []
        while time.monotonic() < until or not taken:
            table = self._open([LINK, LINK])
            sockets = [await self._connect(table, seat) for seat in (0, 1)]
            views = [await receive(socket, "view") for socket in sockets]
            while not views[0]["over"] and (time.monotonic() < until or not taken):
                seat, version = views[0]["to_move"], views[0]["version"]
                began = time.perf_counter()
                await sockets[seat].send(msgspec.json.encode(_first_move(views[seat])).decode())
                views[seat] = await later(sockets[seat], version)
                taken.append(time.perf_counter() - began)
                views[1 - seat] = await later(sockets[1 - seat], version)
                await asyncio.sleep(0.05)
            for socket in sockets:
                await socket.close()
        return taken

    async def _play_bot(self, until: float) -> list[float]:
        taken: list[float] = []
        while time.monotonic() < until or not taken:
            table = self._open([LINK, {"who": "bot", "level": "1"}])
            socket = await self._connect(table, 0)
            view = await receive(socket, "view")
            while not view["over"] and (time.monotonic() < until or not taken):
                began = time.perf_counter()
                await socket.send(json.dumps(_first_move(view)))
                view = await later(socket, view["version"])
                while not view["over"] and not view["choices"]:
                    view = await later(socket, view["version"])
                taken.append(time.perf_counter() - began)
                await asyncio.sleep(0.1)
            await socket.close()
        return taken


async def later(socket: ClientConnection, version: int) -> Any:
    """The first view after a version."""
    while (view := await receive(socket, "view"))["version"] <= version:
        continue
    return view


def measured(server: ServerProcess, way: str, ways: Sequence[str], addresses: int, seconds: float) -> Row:
    """Measure the neighbour while some ways of attack go on; none are for comparison."""
    words = [sys.executable, "-m", "benchmarks.attack", "--server", server.address, "--ways", ",".join(ways)]
    words += ["--addresses", str(addresses)]
    attackers = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) if ways else None
    if attackers and attackers.stdout:
        attackers.stdout.readline()  # they have begun
    busy, began = server.cpu_seconds(), time.monotonic()
    moves, bots = asyncio.run(Neighbour(server).measure(seconds))
    part = (server.cpu_seconds() - busy) / (time.monotonic() - began)
    found = json.loads(attackers.communicate()[0]) if attackers else {"answers": {}, "failed": []}
    return Row(way, tuple(moves), tuple(bots), part, found["answers"], tuple(found["failed"]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a neighbour's moves while addresses attack the server.")
    parser.add_argument("--addresses", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--ways", default=",".join(WAYS), help="with commas between them")
    parser.add_argument("--server", default="", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    ways = [way for way in wanted.ways.split(",") if way]
    if wanted.server:
        asyncio.run(attack(wanted.server, ways, wanted.addresses))
        return
    print(f"{wanted.addresses} addresses; {load_average()}")
    print(HEAD)
    for name, chosen in [*((way, [way]) for way in ways), ("all", ways)]:
        with running_process(limits=True) as server:
            print(measured(server, "none", [], wanted.addresses, wanted.seconds), flush=True)
            print(measured(server, name, chosen, wanted.addresses, wanted.seconds), flush=True)


if __name__ == "__main__":
    main()
