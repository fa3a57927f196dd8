"""The HTTP protocol of a connection, with a time limit for unfinished headers."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class TimedConnection(HttpToolsProtocol):
    """Closes a connection on which the headers of a request do not arrive in time."""

    header_seconds = 10.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        cycle: Any = self.cycle  # none before the first request
        if self._timer is None and (cycle is None or cycle.response_complete):
            self._start_timer()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._stop_timer()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(self.header_seconds, self._close_late)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _close_late(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


def timed_connection(seconds: float) -> Any:
    """The protocol with another time limit, as uvicorn takes it."""
    return type("TimedConnection", (TimedConnection,), {"header_seconds": seconds})
