"""Open connections and unfinished bodies, counted by address, so that one visitor cannot shut the door."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ludotheque.server.errors import too_many
from ludotheque.server.http.caller import limited_address

CONNECTIONS_PER_ADDRESS: Final = 400
"""The most connections that one address may hold open: a club of 40 behind one address, each with several pages."""
BODY_BYTES_PER_ADDRESS: Final = 8_000_000
"""The most bytes of unfinished bodies that are held for one address."""
BODY_BYTES: Final = 64_000_000
"""The same for all addresses together."""
_LOG: Final = logging.getLogger("ludotheque.server.http")


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


class HeldBodies:
    """Bytes of bodies that have not arrived whole."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    @contextmanager
    def body_of(self, address: str) -> Iterator[Callable[[int], None]]:
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
