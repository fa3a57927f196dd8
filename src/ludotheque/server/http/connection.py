"""The protocols of a connection: HTTP with time limits for clients that are slow, and sockets without detours."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludotheque.server.http.addresses import limited_address

CONNECTIONS_PER_ADDRESS: Final = 400
"""The most connections that one address may hold open: a club of 40 behind one address, each with several pages."""
HEADER_BYTES: Final = 32_768
"""The most bytes of a request besides its body, in all: the same as nginx takes."""
_HEADER_SIGNS: Final = len(": \r\n")
_CHUNK_BYTES: Final = 12
"""About the most bytes that a part of a body brings along, if it comes in chunks."""
_LAST_READ: Final = 0.1
"""Seconds after the time for the headers of a request until its connection is closed."""
_LOG: Final = logging.getLogger("ludotheque.server.http")
_EXTENSION: Final = "ludotheque.frames"
_WHOLE_TEXT: Final = b"\x81"
"""First byte of a frame with a whole text (RFC 6455, 5.2)."""
_WHOLE_FRAMES: Final = frozenset(b"\x81\x88\x89\x8a")
"""First bytes of a whole text, a close, a ping and a pong."""
_HEADER: Final = 6
"""The bytes before the content of a short frame of a client: two, and the mask."""
_MASKED: Final = 0x80
_LENGTH_IN_TWO_BYTES: Final = 126


class OpenConnections:
    """The connections of each address; trusted proxies hold as many as they need."""

    def __init__(self, most: int = CONNECTIONS_PER_ADDRESS, proxies: tuple[str, ...] = ()) -> None:
        self._most = most
        self._proxies = frozenset(proxies)
        self._open: Counter[str] = Counter()

    def open(self, host: str) -> bool:
        """Count a connection; false if its address holds too many, and it must be closed."""
        if host in self._proxies:
            return True
        address = limited_address(host)
        if self._open[address] >= self._most:
            return False
        self._open[address] += 1
        if self._open[address] == self._most:
            _LOG.warning("an address holds %d connections open; more are refused", self._most)
        return True

    def close(self, host: str) -> None:
        """Count a connection that was opened as closed."""
        if host in self._proxies:
            return
        address = limited_address(host)
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class TimedConnection(HttpToolsProtocol):
    """Closes a connection on which the headers of a request do not arrive in time or are too large, or whose client
    takes too long to read the response."""

    header_seconds = 10.0
    unread_response_seconds = 60.0
    counted = OpenConnections()
    _is_counted = False
    _is_amid_headers = False
    _header_bytes = 0
    """The size of the address and the headers of the present request, as far as they have been parsed."""
    _unparsed_bytes = 0
    """Bytes that have arrived since the latest request, headers or part of a body ended: those of a header that has not
    ended are all kept, and copied each time that more arrive."""
    _timer: asyncio.TimerHandle | None = None
    _response_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_counted = self.counted.open(_host(self))
        if self._is_counted:
            self._start_timer()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        cycle: Any = self.cycle  # none before the first request
        if self._timer is None and (cycle is None or cycle.response_complete):
            self._start_timer()
        self._unparsed_bytes += len(data)
        super().data_received(data)
        if self._unparsed_bytes > HEADER_BYTES and not self.transport.is_closing():
            self._refuse_headers()

    def on_message_begin(self) -> None:
        self._is_amid_headers = True
        self._header_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_header(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_header(len(name) + len(value) + _HEADER_SIGNS)
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._unparsed_bytes = max(0, self._unparsed_bytes - len(body) - _CHUNK_BYTES)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unparsed_bytes = 0
        super().on_message_complete()

    def on_headers_complete(self) -> None:
        self._is_amid_headers = False
        self._unparsed_bytes = 0
        self._stop_timer()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Wait no longer for the next request than for any other if it began before this response was sent."""
        super().on_response_complete()
        if self._is_amid_headers and self._timer is None and self.cycle.response_complete:
            self._start_timer()

    def pause_writing(self) -> None:
        """The client has not read what was sent, and the system stores no more of it."""
        super().pause_writing()
        self._stop_response_timer()
        self._response_timer = self.loop.call_later(self.unread_response_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_response_timer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_response_timer()
        if self._is_counted:
            self.counted.close(_host(self))
        super().connection_lost(exc)

    def _count_header(self, size: int) -> None:
        """Count bytes of the address or a header; an error here lets the parser refuse the request."""
        self._header_bytes += size
        if self._header_bytes > HEADER_BYTES:
            raise ValueError("The headers are too large.")

    def _refuse_headers(self) -> None:
        """Close the connection, with a response unless that to an earlier request is under way."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self.send_400_response("The headers are too large.")
        else:
            self.transport.abort()

    def _stop_response_timer(self) -> None:
        if self._response_timer:
            self._response_timer.cancel()
            self._response_timer = None

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(self.header_seconds, self._read_once_more)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _read_once_more(self) -> None:
        """Close the connection after the loop has read from it once more: a busy server may not have read yet what
        arrived in time."""
        self._timer = self.loop.call_later(_LAST_READ, self._close_late)

    def _close_late(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


def timed_connection(header_seconds: float, unread_response_seconds: float, counted: OpenConnections) -> Any:
    """The protocol with other limits, as uvicorn takes it."""
    limits = {"header_seconds": header_seconds, "unread_response_seconds": unread_response_seconds, "counted": counted}
    return type("TimedConnection", (TimedConnection,), limits)


def _host(protocol: HttpToolsProtocol | WebSocketsSansIOProtocol) -> str:
    """The other end of a connection."""
    return protocol.client[0] if protocol.client else ""


class FrameSocket(WebSocketsSansIOProtocol):
    """A socket that takes whole frames, which many sockets share, and passes on each text as soon as it arrives.

    Neither needs a task switch. It offers both in the extensions of its ASGI scope, and a way to end the connection
    that does not wait for the client.
    """

    counted = OpenConnections()
    _take_text: Callable[[str], bool] | None = None
    _is_plain = True
    """Whether everything so far came as whole frames, one at a time; the library reads everything else."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as closed: it was opened as an HTTP connection, which never learns of its end."""
        self.counted.close(_host(self))
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        extensions: Any = self.scope["extensions"]
        extensions[_EXTENSION] = {
            "send": self.send_frames,
            "take": self.take_texts,
            "resume": self.resume,
            "abort": self.abort,
        }
        await super().run_asgi()

    def send_frames(self, frames: bytes) -> bool:
        """Send frames now; false, and nothing sent, if the client has not taken what was sent before."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frames)
        return True

    def take_texts(self, take: Callable[[str], bool]) -> None:
        """Pass on texts from now on; after one for which `take` returns false, nothing is read until `resume`."""
        self._take_text = take

    def resume(self) -> None:
        """Read on."""
        if self.read_paused and self.queue.empty() and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def abort(self) -> None:
        """End the connection now; what the client has not taken is dropped."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and self._is_plain:
            self._is_plain = is_whole_frame(data)
            if self._is_plain and self._take_text and data[0] == _WHOLE_TEXT[0] and not self.close_sent:
                try:
                    text = unmasked(data).decode()
                except UnicodeDecodeError:
                    self._is_plain = False  # the library closes the connection
                else:
                    self._pass_on(text, self._take_text)
                    return
        super().data_received(data)

    def _pass_on(self, text: str, take: Callable[[str], bool]) -> None:
        if not take(text) and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()


def counted_socket(counted: OpenConnections) -> Any:
    """The protocol of sockets that count as open connections, as uvicorn takes it."""
    return type("FrameSocket", (FrameSocket,), {"counted": counted})


def is_whole_frame(data: bytes) -> bool:
    """Whether data is exactly one frame of a client, with a whole text or a control frame (RFC 6455, 5.2)."""
    if len(data) < _HEADER or data[0] not in _WHOLE_FRAMES or not data[1] & _MASKED:
        return False
    length = data[1] & ~_MASKED
    if length < _LENGTH_IN_TWO_BYTES:
        return len(data) == _HEADER + length
    return length == _LENGTH_IN_TWO_BYTES and len(data) == _HEADER + 2 + int.from_bytes(data[2:4])


def unmasked(frame: bytes) -> bytes:
    """The content of a whole frame of a client (RFC 6455, 5.3)."""
    start = _HEADER if frame[1] & ~_MASKED < _LENGTH_IN_TWO_BYTES else _HEADER + 2
    masked, length = frame[start:], len(frame) - start
    mask = (frame[start - 4 : start] * (length // 4 + 1))[:length]
    return (int.from_bytes(masked) ^ int.from_bytes(mask)).to_bytes(length)


def frame_sender(scope: Mapping[str, Any]) -> Callable[[bytes], bool]:
    """The function that sends frames to a client at once; where the server has none, one that never does."""
    found: Callable[[bytes], bool] | None = _extension(scope).get("send")
    return found or (lambda frames: False)


def aborter(scope: Mapping[str, Any]) -> Callable[[], None]:
    """The function that ends a connection without waiting for its client; where the server has none, does nothing."""
    found: Callable[[], None] | None = _extension(scope).get("abort")
    return found or (lambda: None)


def take_texts(scope: Mapping[str, Any], take: Callable[[str], bool]) -> Callable[[], None]:
    """Let a function take the texts of a client as they arrive, until it returns false; return what lets it go on.

    Where the server cannot pass them on, they are received as ASGI says.
    """
    extension = _extension(scope)
    if "take" in extension:
        extension["take"](take)
    resume: Callable[[], None] | None = extension.get("resume")
    return resume or (lambda: None)


def _extension(scope: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = scope.get("extensions", {}).get(_EXTENSION, {})
    return found


def text_frame(data: bytes) -> bytes:
    """A message as a frame, the same for all clients: frames of a server are not masked, and ours not compressed."""
    length = len(data)
    if length < 126:
        return _WHOLE_TEXT + length.to_bytes(1) + data
    if length < 65_536:
        return _WHOLE_TEXT + b"\x7e" + length.to_bytes(2) + data
    return _WHOLE_TEXT + b"\x7f" + length.to_bytes(8) + data
