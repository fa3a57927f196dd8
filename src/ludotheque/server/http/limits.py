"""Rate limits by token buckets."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from msgspec import Struct

from ludotheque.server.config import Most
from ludotheque.server.errors import too_many
from ludotheque.server.http.addresses import network_of
from ludotheque.server.http.caller import Caller

_MOST_BUCKETS: Final = 50_000
_BY_ADDRESS: Final = (
    "any", "create", "join", "socket", "message", "password", "operator", "mail", "pair", "push", "challenge",
    "report",
)  # fmt: skip
CLIENTS_PER_ADDRESS: Final = 10
"""People who may share an address, each with a browser."""
ADDRESSES_PER_NETWORK: Final = 2
"""Addresses that may use up their limits in one network of IPv6, which has 65,536 of them."""


class Rule(Struct, frozen=True):
    """A rate limit: requests at once, and per second in the long run."""

    burst: float
    per_second: float

    def times(self, people: int) -> Rule:
        return Rule(self.burst * people, self.per_second * people)


MESSAGES: Final = Rule(60, 20)
"""The rate limit for the messages of one socket."""
RULES: Final = {
    "any": Rule(500, 100),
    "act": Rule(60, 20),
    "create": Rule(60, 1),
    "join": Rule(30, 1),
    "pair": Rule(40, 0.5),
    "challenge": Rule(20, 1 / 30),
    "chat": Rule(10, 1),
    "password": Rule(10, 0.1),
    "operator": Rule(60, 2),
    "mail": Rule(10, 1 / 300),
    "report": Rule(5, 1 / 720),
    "push": Rule(20, 1 / 60),
    "think": Rule(10, 0.5),
    "socket": Rule(60, 5),
    "message": MESSAGES.times(CLIENTS_PER_ADDRESS),
}
TIME: Final = Rule(10, 0.5)
"""Seconds of processor time for the requests of one address: half of what the process has, and more for a while."""


STORED: Final = Rule(4_000_000, 100)
"""Bytes that one address may let the server store by opening tables: 4 MB at once, then some 9 MB a day."""


class Bucket:
    """The token bucket of one client."""

    __slots__ = ("left", "when")

    def __init__(self, rule: Rule) -> None:
        self.left = rule.burst
        self.when = time.monotonic()

    def take(self, rule: Rule, tokens: int = 1) -> float:
        """Take tokens; return 0, or the seconds until they are there."""
        self._fill(rule)
        if self.left < tokens:
            return (tokens - self.left) / rule.per_second
        self.left -= tokens
        return 0.0

    def debt(self, rule: Rule) -> float:
        """Return the seconds until no more has been spent than there was; 0 for now."""
        self._fill(rule)
        return max(0.0, -self.left / rule.per_second)

    def _fill(self, rule: Rule) -> None:
        now = time.monotonic()
        self.left = min(rule.burst, self.left + (now - self.when) * rule.per_second)
        self.when = now


class Buckets:
    """The buckets of many clients; the least recently used are dropped."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[tuple[str, str, Rule], Bucket] = OrderedDict()

    def of(self, kind: str, client: str, rule: Rule) -> Bucket:
        """The bucket of a client for one kind of request."""
        key = kind, client, rule
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(rule)
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket


class Limits:
    """The limits of all clients.

    Keys, addresses and networks have their buckets apart: one who invents keys, or has a network full of addresses,
    cannot drop the bucket that counts against their network.
    """

    def __init__(self, on: bool, profiles: int = Most().profiles) -> None:
        """`profiles`: the new ones of a network in a day."""
        self.on = on
        self._profiles = Rule(profiles, profiles / 86_400)
        self._keys, self._addresses, self._networks = Buckets(), Buckets(), Buckets()

    def count(self, kind: str, caller: Caller) -> None:
        """Count a request, or raise if there have been too many of its kind.

        Every key of a client counts, and its address, so that invented keys do not allow more requests.
        """
        if not self.on:
            return
        keys = [] if kind in _BY_ADDRESS else [key for key in (caller.browser, caller.bearer) if key]
        for key in keys:
            _take(self._keys.of(kind, key, RULES[kind]), RULES[kind])
        self._count_address(kind, caller.address, RULES[kind].times(CLIENTS_PER_ADDRESS) if keys else RULES[kind])

    def count_address(self, kind: str, address: str) -> None:
        """Count a request of an address, or raise if there have been too many of its kind."""
        if self.on:
            self._count_address(kind, address, RULES[kind])

    def _count_address(self, kind: str, address: str, rule: Rule) -> None:
        network = network_of(address)
        if network == address:
            _take(self._networks.of(kind, network, rule), rule)
        else:
            together = rule.times(ADDRESSES_PER_NETWORK)
            _take(self._addresses.of(kind, address, rule), rule)
            _take(self._networks.of(kind, network, together), together)

    def count_profile(self, address: str) -> None:
        """Count a new profile, or raise if the network of an address has made too many."""
        if self.on:
            _take(self._networks.of("profile", network_of(address), self._profiles), self._profiles)

    def count_stored(self, address: str, size: int) -> None:
        """Count bytes that are to be stored for an address, or raise if there have been too many."""
        if self.on:
            _take(self._networks.of("stored", network_of(address), STORED), STORED, size)

    def check_time(self, address: str) -> None:
        """Raise while the requests of an address have taken more processor time than it has."""
        if self.on:
            _refuse_for(self.time_debt(address))

    def time_debt(self, address: str) -> float:
        """Return the seconds until an address has processor time again; 0 if it has some."""
        return self._time(address).debt(TIME)

    def spend_time(self, address: str, seconds: float) -> None:
        """Count processor time that a request has taken; it is known only afterwards."""
        self._time(address).left -= seconds

    def _time(self, address: str) -> Bucket:
        buckets = self._networks if network_of(address) == address else self._addresses
        return buckets.of("time", address, TIME)


def _take(bucket: Bucket, rule: Rule, tokens: int = 1) -> None:
    """Take tokens, or raise if there are not enough."""
    _refuse_for(bucket.take(rule, tokens))


def _refuse_for(seconds: float) -> None:
    """Raise if there are any seconds to wait."""
    if seconds:
        raise too_many(round(seconds + 0.5))
