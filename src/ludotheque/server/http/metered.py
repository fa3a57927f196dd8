"""Count requests and measure how long each takes."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send


@runtime_checkable
class Figures(Protocol):
    """The figures of a process; `metrics` has them for Prometheus, where its library is installed."""

    content_type: str

    def count_request(self, status: int, seconds: float) -> None: ...

    def text(self) -> bytes: ...


class MeteredApp:
    """Counts the requests of an application, and measures how long each takes."""

    def __init__(self, app: ASGIApp, metrics: Figures) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.count_request(message["status"], time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, send_and_count)
