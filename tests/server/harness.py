"""Real servers in processes of their own, and clients that talk to them over the loopback."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import ssl
import subprocess
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.lifeline import start_python
from tests.server.forking import ForkedServer

Result = TypeVar("Result")
PATIENCE = 300.0
"""Seconds to wait for what must come. It does not measure speed: beside busy neighbours the server's background
work, such as a summary, gets a hundredth of a core."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients on the loopback: httpx takes 60 ms for each client to load the authorities that it would trust."""


class Server:
    """A server process; its folder outlives it."""

    def __init__(self, folder: Path, *flags: str, source: Path | None = None) -> None:
        """`source`: the sources of another version."""
        self.folder = folder
        self.flags = flags
        self.source = source
        self.log = folder / "server.log"
        self.start()

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.process = self._start()
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"
        wait_until(self._answers)

    def _start(self) -> ForkedServer | subprocess.Popen[str]:
        if self.source:
            return self._start_other_version(self.source)
        return ForkedServer([str(self.folder), *self.flags], self.log)

    def _start_other_version(self, source: Path) -> subprocess.Popen[str]:
        places = {"PYTHONPATH": f"{source / 'src'}{os.pathsep}{source}", "LUDOTHEQUE_PURE": "1"}
        words = ("-m", "tests.server.launch", str(self.folder), *self.flags)
        with self.log.open("a") as log:
            return start_python(*words, stdout=subprocess.PIPE, stderr=log, cwd=source, env=os.environ | places)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return httpx.get(f"{self.url}/health", timeout=5, verify=NO_TLS).status_code == 200
        except httpx.TransportError:
            return False

    def get(self, path: str) -> httpx.Response:
        """Ask without any cookie, however long a busy machine takes."""
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE, verify=NO_TLS)

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self._gone()

    def stop(self) -> None:
        """As Ctrl-C or a service manager would."""
        self.process.send_signal(signal.SIGTERM)
        self._gone()

    def _gone(self) -> None:
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()

    def workers(self) -> set[int]:
        """All processes that it has started, and those that they have."""
        return descendants(self.process.pid)

    @contextmanager
    def browser(self, bearer: str = "") -> Iterator[Browser]:
        browser = Browser(self, bearer)
        with browser.http:
            yield browser


class Browser:
    """A client with a cookie jar of its own."""

    def __init__(self, server: Server, bearer: str = "") -> None:
        self.server = server
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE, verify=NO_TLS)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query or None)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return self.http.post(path, json={} if body is None else body, headers=headers)

    def open(self, game: str = "orchard", who: str = "me bot", **more: Any) -> Opened:
        """Start a table; a bot is the random one, and quick."""
        seats = [{"who": word} | ({"level": "random"} if word == "bot" else {}) for word in who.split()]
        answer = self.post("/api/tables", {"game": game, "seats": seats, "pace": 0} | more)
        assert answer.status_code == 201, answer.text
        return Opened(self, answer.json())

    def join(self, url: str) -> int:
        """Follow a link."""
        path, _, secret = url.partition("#")
        answer = self.post(f"/api/tables/{path.removeprefix('/t/')}/join", {"secret": secret})
        assert answer.status_code == 200, answer.text
        return int(answer.json()["seat"])

    def view(self, id: str, **query: Any) -> Any:
        answer = self.get(f"/api/tables/{id}", **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play(self, id: str, seat: int) -> httpx.Response:
        """Play the first choice there is."""
        view = self.view(id, viewer=seat)
        body = {"seat": seat, "version": view["version"], "action": first_action(view["choices"])}
        return self.post(f"/api/tables/{id}/moves", body)

    @contextmanager
    def socket(self, id: str, query: str = "", **options: Any) -> Iterator[Socket]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookie} if cookie else {}
        if "Authorization" in self.http.headers:
            headers["Authorization"] = self.http.headers["Authorization"]
        url = f"ws://127.0.0.1:{self.server.port}/ws/tables/{id}{query}"
        with connect(url, additional_headers=headers, open_timeout=PATIENCE, **options) as connection:
            yield Socket(connection)


class Opened:
    """A table that someone started."""

    def __init__(self, host: Browser, answer: Any) -> None:
        self.host = host
        self.id: str = answer["id"]
        self.links: dict[int, str] = {link["seat"]: link["url"] for link in answer["links"]}
        self.watch: str = answer["watch"]


class Socket:
    """An open socket that keeps all it was told."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.traffic: list[str] = []

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self, timeout: float = PATIENCE) -> Any:
        text = self.connection.recv(timeout)
        assert isinstance(text, str)
        self.traffic.append(text)
        return json.loads(text)

    def hear_to_the_end(self) -> int:
        """The code that the server closes the socket with."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            assert closed.rcvd
            return int(closed.rcvd.code)

    def hear_until(self, kind: str, **fields: Any) -> Any:
        """The next message of that type with these fields."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.hear()
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message
        raise AssertionError(f"no {kind} came")


def descendants(process: int) -> set[int]:
    """All processes that a process has started, and those that they have."""
    lists = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    children = {int(word) for words in lists for word in words.split()}
    return children.union(*map(descendants, children))


def is_running(process: int) -> bool:
    """Whether a process has not ended; one that has, but nobody has asked how, has ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def first_action(choices: Any) -> int:
    node = choices[0]
    return int(node["action"]) if "action" in node else first_action(node["children"])


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it in a thread of its own: in this one the browser tests may have left a loop running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def wait_until(condition: Any) -> None:
    """Look until it is true, ever more seldom: each look takes time that what is waited for needs."""
    deadline, pause = time.monotonic() + PATIENCE, 0.01
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(pause)
        pause = min(1.25 * pause, 0.2)
