"""The protocols of a connection: HTTP with a time limit for unfinished headers, and sockets that send at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_EXTENSION: Final = "ludotheque.send_frames"
_WHOLE_TEXT: Final = b"\x81"
"""How a frame with a whole text begins (RFC 6455, 5.2)."""


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


class FrameSocket(WebSocketsSansIOProtocol):
    """A socket that also takes whole frames, which many sockets share, without a task switch for each.

    It offers `send_frames` in the extensions of its ASGI scope.
    """

    async def run_asgi(self) -> None:
        extensions: Any = self.scope["extensions"]
        extensions[_EXTENSION] = {"send": self.send_frames}
        await super().run_asgi()

    def send_frames(self, frames: bytes) -> bool:
        """Send frames now; false, and nothing sent, if the client has not taken what was sent before."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frames)
        return True


def frame_sender(scope: Mapping[str, Any]) -> Callable[[bytes], bool]:
    """The function that sends frames to a client at once; where the server has none, one that never does."""
    found: Callable[[bytes], bool] | None = scope.get("extensions", {}).get(_EXTENSION, {}).get("send")
    return found or (lambda frames: False)


def text_frame(data: bytes) -> bytes:
    """A message as a frame, the same for all clients: frames of a server are not masked, and ours not compressed."""
    length = len(data)
    if length < 126:
        return _WHOLE_TEXT + length.to_bytes(1) + data
    if length < 65_536:
        return _WHOLE_TEXT + b"\x7e" + length.to_bytes(2) + data
    return _WHOLE_TEXT + b"\x7f" + length.to_bytes(8) + data
