"""Send push messages to the services that browsers have chosen."""

from __future__ import annotations

import asyncio
import ssl
from datetime import datetime
from typing import Final, Literal

import httpcore

from ludotheque.server.errors import Undelivered
from ludotheque.server.push import network
from ludotheque.server.push.encryption import encrypt
from ludotheque.server.push.endpoints import Endpoint
from ludotheque.server.push.vapid import VapidKey

TIMEOUT: Final = 10.0
"""Seconds that a service may take to respond, all in all."""
AT_ONCE: Final = 8
"""Messages that are under way at once."""
_KEPT_FOR: Final = 24 * 3600
"""Seconds for which a service stores a message while the browser cannot be reached."""
_GONE: Final = (404, 410)
_TAKEN: Final = (200, 201, 202, 204)
Outcome = Literal["sent", "gone"]


class PushSender:
    """Sends messages. A response is not read beyond its status, and leads nowhere else."""

    def __init__(self, contact: str, backend: httpcore.AsyncNetworkBackend | None = None) -> None:
        """`contact`: the address of the site, for the operators of push services."""
        self._contact = contact
        self._network = backend or network.PublicNetwork()
        self._tls = ssl.create_default_context()
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def send(self, endpoint: Endpoint, text: bytes, key: VapidKey, at: datetime) -> Outcome:
        """Send a message; `gone` if the browser wants no more. Raises `Undelivered`."""
        body = encrypt(text, endpoint.browser_key, endpoint.auth_secret)
        headers = {
            "Authorization": key.authorization(endpoint.url, self._contact, at),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_KEPT_FOR),
            "Urgency": "normal",
        }
        async with self._slots:
            status = await self._post(endpoint.url, headers, body)
        if status in _GONE:
            return "gone"
        if status not in _TAKEN:
            raise Undelivered(f"status {status}")
        return "sent"

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> int:
        """Send a request; return the status of the response."""
        try:
            async with asyncio.timeout(TIMEOUT), self._new_pool() as pool:
                sent = [(name.encode(), value.encode()) for name, value in headers.items()]
                async with pool.stream("POST", url, headers=sent, content=body) as response:
                    return response.status
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, TimeoutError) as error:
            raise Undelivered(type(error).__name__) from error

    def _new_pool(self) -> httpcore.AsyncConnectionPool:
        """A connection for one message: they are seldom, and none waits for another's."""
        return httpcore.AsyncConnectionPool(self._tls, max_connections=1, http2=False, network_backend=self._network)
