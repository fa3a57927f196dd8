"""Push messages to the browsers that people have subscribed. Needs the extra `push`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from ludotheque.server.errors import Undelivered
from ludotheque.server.push.encryption import is_key
from ludotheque.server.push.endpoints import Endpoint, bad_endpoint
from ludotheque.server.push.messages import push_message
from ludotheque.server.push.sender import PushSender
from ludotheque.server.push.vapid import VapidKey, new_private_key
from ludotheque.server.storage import subscriptions
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.subscriptions import Subscription
from ludotheque.server.waiting import WaitingTable


class Pusher:
    """Sends push messages. The key that signs them is in the database, so that all processes have the same."""

    def __init__(self, storage: Storage, sender: PushSender, clock: Callable[[], datetime] = now) -> None:
        self._storage = storage
        self._sender = sender
        self._clock = clock
        self._key: VapidKey | None = None

    async def public_key(self) -> str:
        """The key that a browser needs to subscribe."""
        return (await self._signing_key()).public

    async def subscribe(self, browser: bytes, endpoint: Endpoint, language: str) -> None:
        """Send messages for the tables of a browser's key there from now on."""
        if not is_key(endpoint.browser_key):
            raise bad_endpoint()
        await subscriptions.add(self._storage, browser, Subscription(endpoint, language), self._clock())

    async def unsubscribe(self, browser: bytes, url: str) -> None:
        await subscriptions.remove(self._storage, browser, url)

    async def remind(self, browser: bytes, tables: Sequence[WaitingTable]) -> None:
        """Tell a person at all their browsers which tables wait; `Undelivered` if that failed everywhere."""
        found = await subscriptions.of_browser(self._storage, browser)
        key = await self._signing_key()
        failures = await asyncio.gather(*(self._send(each, tables, key) for each in found))
        why = next((failure for failure in failures if failure), None)
        if why and all(failures):
            raise why

    async def _send(
        self, subscription: Subscription, tables: Sequence[WaitingTable], key: VapidKey
    ) -> Undelivered | None:
        """Send one message; return why it could not be sent. A subscription that has ended is deleted."""
        text = push_message(tables, subscription.language)
        try:
            outcome = await self._sender.send(subscription.endpoint, text, key, self._clock())
        except Undelivered as why:
            return why
        if outcome == "gone":
            await subscriptions.forget(self._storage, subscription.endpoint.url)
        return None

    async def _signing_key(self) -> VapidKey:
        if self._key is None:
            self._key = VapidKey.read(await subscriptions.signing_key(self._storage, new_private_key()))
        return self._key
