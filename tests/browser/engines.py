"""Browsers that Playwright cannot drive: Firefox by WebDriver BiDi, WebKit by WebDriver."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

from websockets.sync.client import connect

_PATIENCE: Final = 60.0
"""Seconds to wait for what must come."""
_CUT_OFF: Final = "A ServiceWorker intercepted the request and encountered an unexpected error."
"""What Firefox says of a file, such as the icon, that was still on its way when the page was left; if the worker itself
fails, it says that a promise was rejected."""


class Engine(ABC):
    """A browser with one page."""

    errors: list[str]
    """What scripts of the page threw or complained of, as far as the engine tells."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """The value of an expression or promise in the page, which must fit into JSON."""

    @abstractmethod
    def shrink(self, width: int, height: int) -> None:
        """Go on in a page of this size."""

    @abstractmethod
    def act(self, actions: list[dict[str, Any]]) -> None:
        """Do what a list of input sources says."""

    def click(self, x: float, y: float) -> None:
        """Click with the mouse at a point of the page."""
        self.act(_press("mouse", x, y))

    def tap(self, x: float, y: float) -> None:
        """Tap with a finger at a point of the page."""
        self.act(_press("touch", x, y))

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def wait_for(self, expression: str) -> Any:
        """The value of an expression as soon as it is true."""
        deadline = time.monotonic() + _PATIENCE
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, f"{expression} never came true"
            time.sleep(0.1)
        return value


def _press(pointer: Literal["mouse", "touch"], x: float, y: float) -> list[dict[str, Any]]:
    """A click or tap in the words of both protocols."""
    move = {"type": "pointerMove", "x": round(x), "y": round(y)}
    return [
        {
            "type": "pointer",
            "id": pointer,
            "parameters": {"pointerType": pointer},
            "actions": [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}],
        }
    ]


def _as_json(expression: str) -> str:
    return f"(async () => JSON.stringify((await ({expression})) ?? null))()"


class Firefox(Engine):
    """Firefox by its own remote protocol, WebDriver BiDi; it needs no driver."""

    def __init__(self, program: str, profile: Path) -> None:
        self.errors = []
        self._numbers = count(1)
        self._open = ExitStack()
        log = profile / "log"
        output = self._open.enter_context(log.open("wb"))
        command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self._process = self._open.enter_context(subprocess.Popen(command, stdout=output, stderr=output))
        self._open.callback(self._process.terminate)
        self._socket = self._open.enter_context(connect(f"{_address(log)}/session", max_size=None))
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._page = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def _send(self, method: str, **parameters: Any) -> Any:
        """Send a command; return its result, and note the events that come before it."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=_PATIENCE))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self._note_error(answer["params"]["text"])
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def _note_error(self, text: str) -> None:
        if _CUT_OFF not in text:
            self.errors.append(text)

    def goto(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        where = {"context": self._page}
        answer = self._send("script.evaluate", expression=_as_json(expression), target=where, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def shrink(self, width: int, height: int) -> None:
        self._send("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._send("input.performActions", context=self._page, actions=actions)

    def close(self) -> None:
        self._open.close()


def _address(log: Path) -> str:
    """Where Firefox listens, as it says in its log."""
    deadline = time.monotonic() + _PATIENCE
    while not (found := re.search(r"ws://\S+", log.read_text(encoding="utf-8", errors="replace"))):
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.1)
    return found[0]


class WebKit(Engine):
    """WebKitGTK's small browser by WebDriver, on an invisible screen. It does not tell what scripts complain of, and to
    its pages a finger is a mouse."""

    def __init__(self, driver: str, browser: str) -> None:
        self.errors = []
        self._open = ExitStack()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._url = f"http://127.0.0.1:{probe.getsockname()[1]}/session"
        screen = ["xvfb-run", "--auto-servernum", driver, f"--port={self._url.rpartition(':')[2].partition('/')[0]}"]
        self._process = self._open.enter_context(subprocess.Popen(screen, start_new_session=True))
        self._open.callback(os.killpg, self._process.pid, signal.SIGTERM)
        options = {"binary": browser, "args": ["--automation"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._url += "/" + self._first_answer({"capabilities": capabilities})["sessionId"]

    def _first_answer(self, body: dict[str, Any]) -> Any:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                return self._post("", body)
            except urllib.error.URLError:
                assert time.monotonic() < deadline, "the driver does not answer"
                time.sleep(0.2)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(self._url + path, json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            return json.loads(answer.read())["value"]

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(self._url + path, timeout=_PATIENCE) as answer:
            return json.loads(answer.read())["value"]

    def goto(self, url: str) -> None:
        self._post("/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        answer = self._post("/execute/sync", {"script": f"return {_as_json(expression)}", "args": []})
        return json.loads(answer)

    def shrink(self, width: int, height: int) -> None:
        """In a window without bars, which a click opens: one with bars is at least 447 px wide."""
        features = f"'width={width},height={height},toolbar=no,menubar=no,location=no,status=no'"
        opens = f"window.open(location.href, 'small', {features})"
        self.evaluate(f"document.addEventListener('mousedown', () => {opens}, {{ once: true }})")
        known = self._windows()
        self.click(1, 1)
        self._post("/window", {"handle": self._new_window(known)})
        self.wait_for(f"innerWidth === {width} && innerHeight === {height} && document.readyState === 'complete'")

    def _windows(self) -> set[str]:
        return set(map(str, self._get("/window/handles")))

    def _new_window(self, known: set[str]) -> str:
        deadline = time.monotonic() + _PATIENCE
        while not (new := self._windows() - known):
            assert time.monotonic() < deadline, "no window was opened"
            time.sleep(0.1)
        return new.pop()

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._post("/actions", {"actions": actions})

    def close(self) -> None:
        self._open.close()
