"""Restart a server with many open sockets, and measure how soon all are back; and the memory that each one takes.

    python -m benchmarks.herd [--sockets 10000] [--tables 1000] [--game cable-car]

Clients wait as pages do before they connect again: half of their wait, and up to 5 s more after a server that restarts.
They are people at different addresses (four sockets each), and the limits are on. The sockets are opened by raw bytes,
so that the clients take little of the machine; a client counts as back when its first message has arrived.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import tempfile
import time
from contextlib import ExitStack
from typing import Any, Final

import httpx
from benchmarks.running import load_average, path, running_process

PER_ADDRESS: Final = 4
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 10.0
RESTART_SPREAD: Final = 5.0
CLOSE: Final = b"\x88"
"""First byte of a frame that closes a socket (RFC 6455, 5.2)."""
PING: Final = b"\x89"
PONG: Final = b"\x8a"
NO_MASK: Final = b"\0\0\0\0"
AT_ONCE: Final = 50
"""Sockets that are opened at once at first, before the restart."""


class Page(asyncio.Protocol):
    """A page that has a table open, and connects again when its connection is lost."""

    def __init__(self, herd: Herd, request: bytes) -> None:
        self._herd = herd
        self._request = request
        self._wait = FIRST_WAIT
        self._head = b""
        self.shown_at: float | None = None
        """The time at which the first message came, after the latest start."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._head = b""
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self.shown_at is not None:
            if data.startswith(CLOSE):
                self._transport.close()
            elif data.startswith(PING):
                said = data[2 : 2 + data[1]]
                self._transport.write(PONG + bytes([0x80 | len(said)]) + NO_MASK + said)
            return
        self._head += data[: 4096 - len(self._head)]
        start, _, content = self._head.partition(b"\r\n\r\n")
        if not start.startswith(b"HTTP/1.1 101"):
            self._herd.refused += 1
        elif content:
            self.shown_at = time.monotonic()
            self._wait = FIRST_WAIT

    def connection_lost(self, error: Exception | None) -> None:
        was_shown = self.shown_at is not None
        if not was_shown:
            self._herd.cut += 1
        self.shown_at = None
        spread = RESTART_SPREAD if was_shown else self._wait
        self._herd.connect_later(self, self._wait / 2 + random.random() * spread)
        self._wait = min(2 * self._wait, LONGEST_WAIT)


class Herd:
    """All pages of a server."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._tasks: set[asyncio.Task[None]] = set()
        self.pages: list[Page] = []
        self.cut = 0
        """Connections that ended before their first message."""
        self.refused = 0
        """Answers other than a socket."""
        self.is_ended = False

    def add(self, table: dict[str, Any], url: str) -> None:
        number = len(self.pages) // PER_ADDRESS
        address = f"10.{number // 65536}.{number // 256 % 256}.{number % 256}"
        request = (
            f"GET {path(table)}?lang=en HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nX-Forwarded-For: {address}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {url.partition('#')[2]}\r\n\r\n"
        )
        self.pages.append(Page(self, request.encode()))

    def connect_later(self, page: Page, seconds: float) -> None:
        if not self.is_ended:
            task = asyncio.create_task(self._connect(page, seconds))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self, page: Page, seconds: float) -> None:
        wait = FIRST_WAIT
        while not self.is_ended:
            await asyncio.sleep(seconds)
            try:
                await asyncio.get_running_loop().create_connection(lambda: page, self._host, self._port)
                return
            except OSError:  # the server is not there yet
                wait = min(2 * wait, LONGEST_WAIT)
                seconds = wait / 2 + random.random() * wait

    async def open_all(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)

        async def open_one(page: Page) -> None:
            async with gate:
                await self._connect(page, 0)
                while page.shown_at is None:
                    await asyncio.sleep(0.01)

        await asyncio.gather(*(open_one(page) for page in self.pages))

    async def all_shown(self, most_seconds: float) -> list[float]:
        """Wait until all pages are back, or the time is over; return when each was."""
        deadline = time.monotonic() + most_seconds
        while time.monotonic() < deadline and any(page.shown_at is None for page in self.pages):
            await asyncio.sleep(0.2)
        return sorted(page.shown_at for page in self.pages if page.shown_at is not None)


def open_tables(address: str, game: str, tables: int) -> list[dict[str, Any]]:
    """Open tables for people at different addresses."""
    body = {"game": game, "seats": [{"who": "link"}] * 2, "pace": 0}
    with httpx.Client(base_url=f"http://{address}", timeout=60) as client:
        answers = [
            client.post("/api/tables", json=body, headers={"X-Forwarded-For": f"10.200.{number // 250}.{number % 250}"})
            for number in range(tables)
        ]
    return [answer.raise_for_status().json() for answer in answers]


async def measure(wanted: argparse.Namespace, folder: str) -> None:
    """Open all sockets, restart the server in other threads, and report."""
    first, second = ExitStack(), ExitStack()
    server = await asyncio.to_thread(first.enter_context, running_process(folder, limits=True))
    host, port = server.address.split(":")
    herd = Herd(host, int(port))
    for table, url in seats(open_tables(server.address, wanted.game, wanted.tables), wanted.sockets):
        herd.add(table, url)
    before, began = server.megabytes(), time.monotonic()
    await herd.open_all()
    opened, each = time.monotonic() - began, 1024 * (server.megabytes() - before) / wanted.sockets
    stopping, herd.cut = time.monotonic(), 0
    await asyncio.to_thread(first.close)
    stopped = time.monotonic()
    server = await asyncio.to_thread(second.enter_context, running_process(folder, port=int(port), limits=True))
    ready = time.monotonic()
    shown = [when - ready for when in await herd.all_shown(120)]
    print(
        f"{wanted.game}: {len(shown)} of {wanted.sockets} sockets at {wanted.tables} tables are back;"
        f" {herd.cut} connections were cut, {herd.refused} refused\n"
        f"opened in {opened:.1f} s; {each:.0f} kB of memory for each socket, tables included\n"
        f"the server stopped in {stopped - stopping:.1f} s and started in {ready - stopped:.1f} s;"
        f" then the sockets were back: half after {statistics.median(shown):.1f} s,"
        f" 95% {shown[int(0.95 * (len(shown) - 1))]:.1f} s, last {shown[-1]:.1f} s;"
        f" {server.cpu_seconds():.1f} s of processor time"
    )
    herd.is_ended = True
    await asyncio.to_thread(second.close)


def seats(tables: list[dict[str, Any]], count: int) -> list[tuple[dict[str, Any], str]]:
    """Share so many sockets among tables: each has its two players, and spectators."""
    rounds = [
        [(table, url) for table in tables for url in [table["links"][seat]["url"] if seat < 2 else table["watch"]]]
        for seat in range(-(-count // len(tables)))
    ]
    return [place for round in rounds for place in round][:count]


def main() -> None:
    parser = argparse.ArgumentParser(description="Restart a server with many open sockets.")
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--game", default="cable-car")
    wanted = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"{load_average()}; {hard} open files allowed (before: {soft})")
    if wanted.sockets > hard - 200:
        wanted.sockets = hard - 200
        print(f"the machine allows {wanted.sockets} sockets only")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(wanted, folder))


if __name__ == "__main__":
    main()
