"""Checks that come before all routes, and the headers of every response."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Send
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, forbidden, too_many
from ludotheque.server.http.addresses import limited_address
from ludotheque.show.language import Reader, choose_language

BODY_BYTES_PER_ADDRESS: Final = 8_000_000
"""The most bytes of unfinished bodies that are held for one address."""
BODY_BYTES: Final = 64_000_000
"""The same for all addresses together."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a whole picture, which holds its own styles and is opened by itself or in an `<img>`."""

_HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_DOCUMENT_HEADERS: Final = _HEADERS | {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_PARTS: Final = ("text/css", "text/javascript")
"""Kinds of static files that are never a document: browsers ignore a policy there, and a page loads eighty of them."""
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
ONE_CLICK: Final = "/reminders/stop"
"""Mail programs end reminders by sending a form here (RFC 8058); the address holds a token, and there is no cookie."""


def is_cross_origin(headers: Headers) -> bool:
    """Whether the browser says that another site sent the request."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def why_refused(method: str, headers: Headers, path: str = "") -> Refused | None:
    """Why a request is refused; none if it is not."""
    if method in _SAFE:
        return None
    if is_cross_origin(headers):
        return forbidden(phrase("This request comes from another site."))
    if path == ONE_CLICK:
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return Refused(415, "unsupported-type", phrase("The body must be application/json."))
    return None


class AllowedHosts(Struct, frozen=True):
    """The hosts that requests may name, against sites that let their name point to this server."""

    names: frozenset[str]
    any_address: bool
    """Whether any IP address may be named: the server listens on all of the machine's."""

    def allows(self, header: str) -> bool:
        """Whether a `Host` header names one of them."""
        name = _host_name(header)
        return name in self.names or (self.any_address and is_ip_address(name))


def allowed_hosts(host: str, public_url: str) -> AllowedHosts:
    """The hosts that `--host` and `--public-url` name, and those of this machine."""
    public = urlsplit(public_url).hostname if public_url else None
    names = {"localhost", "127.0.0.1", "::1", host.lower(), *([public] if public else [])}
    return AllowedHosts(frozenset(names), host in ("0.0.0.0", "::"))


def _host_name(header: str) -> str:
    """The name in a `Host` header; empty if it is no host, or its port is none."""
    try:
        parts = urlsplit(f"//{header}")
        return (parts.hostname or "").lower() if parts.port != 0 else ""
    except ValueError:
        return ""


def is_ip_address(name: str) -> bool:
    """Whether a host is named by its address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class HeldBodies:
    """Bytes of bodies that have not arrived whole."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    @contextmanager
    def counting(self, address: str) -> Iterator[Callable[[int], None]]:
        """Count the bytes of one body for as long as its request lasts; what it yields raises if too many are held."""
        own = 0

        def hold(count: int) -> None:
            nonlocal own
            own += count
            self._held[address] += count
            if self._held[address] > BODY_BYTES_PER_ADDRESS or self._held.total() > BODY_BYTES:
                raise too_many(5)

        try:
            yield hold
        finally:
            self._held[address] -= own
            if not self._held[address]:
                del self._held[address]


class Guard:
    """Checks every request and socket before the application sees it."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, body_seconds: float) -> None:
        self._app = app
        self._hosts = hosts
        self._body_seconds = body_seconds
        self._held = HeldBodies()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._admits_socket(Headers.from_scope(scope)):
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
        elif scope["type"] == "http":
            await self._handle(scope, receive, _with_headers(send, scope["path"]))
        else:
            await self._app(scope, receive, send)

    def _admits_socket(self, headers: Headers) -> bool:
        return self._admits_host(headers) and not is_cross_origin(headers)

    def _admits_host(self, headers: Headers) -> bool:
        """Whether a request names one host, and one that is ours."""
        return len(headers.getall("host", [])) == 1 and self._hosts.allows(headers["host"])

    async def _handle(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        headers = Headers.from_scope(scope)
        refused = why_refused(scope["method"], headers, scope["path"])
        if not self._admits_host(headers):
            refused = Refused(421, "unknown-host", phrase("This server does not go by that name."))
        receive = _in_time(receive, self._body_seconds)
        if refused:
            reader = Reader(choose_language(None, None, headers.get("accept-language", "")))
            await _send_refusal(refused, reader, send)
        elif scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _without_body(send))
        else:
            with self._held.counting(limited_address(scope["client"][0]) if scope["client"] else "") as hold:
                await self._app(scope, _counted(receive, hold), send)


def _in_time(receive: Receive, seconds: float) -> Receive:
    """Receive a body only as long as it arrives in time; afterwards wait for the end of the connection."""
    deadline = asyncio.get_running_loop().time() + seconds
    is_complete = False

    async def receive_in_time() -> Any:
        nonlocal is_complete
        if is_complete:
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError as error:
            raise Refused(408, "too-slow", phrase("The request took too long to arrive.")) from error
        is_complete = not message.get("more_body", False)
        return message

    return receive_in_time


def _counted(receive: Receive, hold: Callable[[int], None]) -> Receive:
    """Count the bytes of a body that has not arrived whole."""

    async def receive_and_count() -> Any:
        message: Any = await receive()
        if message.get("more_body", False):
            hold(len(message.get("body", b"")))
        return message

    return receive_and_count


def _without_body(send: Send) -> Send:
    """Send the headers of a response only, as HEAD asks for."""

    async def send_without_body(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_without_body


def _content_type(value: str) -> str:
    """Name the charset of a text exactly once."""
    kind = value.partition(";")[0]
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind == "image/svg+xml" else value


def _headers_for(path: str, kind: str) -> dict[str, str]:
    """The headers of a response; a script that may run as a worker has the policy of a document."""
    is_part = path.startswith("/static/") and kind.startswith(_PARTS)
    return _HEADERS if is_part else _DOCUMENT_HEADERS


def _with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableScopeHeaders.from_message(message)
            for name, value in _headers_for(path, headers.get("content-type", "")).items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if message["status"] == 408:
                headers["Connection"] = "close"
            if "content-type" in headers:
                headers["content-type"] = _content_type(headers["content-type"])
        await send(message)

    return send_with_headers


async def _send_refusal(refused: Refused, reader: Reader, send: Send) -> None:
    body = msgspec.json.encode(refused.body(reader))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
