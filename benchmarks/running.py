"""Servers for benchmarks: started in separate processes, with the processor time and the memory that they take.

    python -m benchmarks.running FOLDER [--database ADDRESS] [--port 0] [--limits]

serves until it is ended, and prints its port. Without `--limits` the rate limits are off, because all clients share one
address; with them, clients say their address in `X-Forwarded-For`, as if this machine were a trusted proxy.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec import Struct
from tests.server.harness import descendants
from tests.server.postgres import Database, running_database
from websockets.asyncio.client import ClientConnection

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from ludotheque.server.run import listen, serve as serve_app

HOST = "127.0.0.1"


class ServerProcess(Struct, frozen=True):
    """A server in a separate process."""

    address: str
    pid: int

    def cpu_seconds(self) -> float:
        """The processor time of the server itself, without its workers."""
        return cpu_seconds(self.pid)

    def megabytes(self) -> float:
        """The memory of the server that is in use."""
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{self.pid}/status").read_text().splitlines())
        return round(int(lines["VmRSS"].split()[0]) / 1024, 1)


def cpu_seconds(pid: int) -> float:
    """Return the processor time of all threads of a process, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


@contextmanager
def running_process(
    folder: str = "", database: str = "", port: int = 0, limits: bool = False
) -> Iterator[ServerProcess]:
    """A server that is ready; its data is in a folder of its own unless one is named."""
    with ExitStack() as stack:
        data = folder or stack.enter_context(tempfile.TemporaryDirectory())
        words = [sys.executable, "-m", "benchmarks.running", data, "--database", database, "--port", str(port)]
        words += ["--limits"] if limits else []
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert process.stdout
            found = ServerProcess(f"{HOST}:{int(process.stdout.readline())}", process.pid)
            _wait_until_ready(found.address)
            yield found
        finally:
            process.terminate()
            process.wait()


def _wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            httpx.get(f"http://{address}/health", timeout=60).raise_for_status()
            return
        except httpx.TransportError:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.1)


class Cluster:
    """Several servers, and their database."""

    def __init__(self, servers: Sequence[ServerProcess], database: Database | None = None) -> None:
        self.servers, self.database = servers, database

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def cpu_seconds(self) -> tuple[float, float, float]:
        """The processor time of the servers, of PostgreSQL, and of this process."""
        database = descendants(self.database.pid) if self.database else set[int]()
        servers = sum(server.cpu_seconds() for server in self.servers)
        return servers, sum(map(cpu_seconds, database)), time.process_time()


@contextmanager
def running_cluster(processes: int, on_postgres: bool) -> Iterator[Cluster]:
    """So many processes on one PostgreSQL that waits for the disk; one alone may have SQLite."""
    with ExitStack() as stack:
        database = stack.enter_context(running_database(is_durable=True)) if on_postgres else None
        address = database.address if database else ""
        servers = [stack.enter_context(running_process(database=address)) for _ in range(processes)]
        yield Cluster(servers, database)


# Clients.


def first_action(choices: list[Any]) -> int:
    node = choices[0]
    return int(node["action"]) if "action" in node else first_action(node["children"])


def open_table(client: httpx.Client, game: str, who: str = "link", players: int = 2) -> dict[str, Any]:
    seat: dict[str, str] = {"who": who} | ({"level": "random"} if who == "bot" else {})
    body = {"game": game, "seats": [seat] * players, "pace": 0}
    answer: dict[str, Any] = client.post("/api/tables", json=body).raise_for_status().json()
    return answer


def secret(url: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {url.partition('#')[2]}"}


def path(table: dict[str, Any]) -> str:
    return f"/ws/tables/{table['id']}"


async def receive(connection: ClientConnection, kind: str) -> Any:
    while True:
        message = msgspec.json.decode(await connection.recv())
        if message["type"] == kind:
            return message


def load_average() -> str:
    """Return how busy the machine is, for reports."""
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve for a benchmark.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database", default="")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--limits", action="store_true")
    wanted = parser.parse_args()
    settings = Settings(
        data=wanted.folder,
        database=wanted.database,
        channels="postgres" if wanted.database else "memory",
        limits=wanted.limits,
        trusted_proxies=(HOST,) if wanted.limits else (),
    )
    with listen(HOST, wanted.port) as listener:
        print(listener.getsockname()[1], flush=True)
        serve_app(create_app(settings), listener, settings)


if __name__ == "__main__":
    main()
