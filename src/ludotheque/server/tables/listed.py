"""Tables in the public lists by the network that opened them, so that none fills a list."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import network_of

_MOST_NETWORKS: Final = 10_000


class ListedTables:
    """Counts the tables that each network has opened to everyone, at this process."""

    def __init__(self, most: int) -> None:
        """`most`: tables in the public lists that may come from one network."""
        self._most = most
        self._opened: dict[str, set[str]] = {}

    def check_room(self, address: str, listed: Collection[str]) -> None:
        """Raise if too many of the tables that are listed now come from the network of an address."""
        opened = self._opened.get(network_of(address), set())
        opened.intersection_update(listed)
        if len(opened) >= self._most:
            sentence = phrase("Too many tables of yours are open to everyone; wait until one is over, or close one.")
            raise Refused(429, "too-many", sentence, retry_after=60)

    def add(self, address: str, table: str) -> None:
        if len(self._opened) >= _MOST_NETWORKS:
            self._opened.pop(next(iter(self._opened)))
        self._opened.setdefault(network_of(address), set()).add(table)
