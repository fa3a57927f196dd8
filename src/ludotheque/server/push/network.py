"""Connections to push services: to public addresses only, whatever a name resolves to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

import httpcore

_NAT64: Final = IPv6Network("64:ff9b::/96")
_PUBLIC: Final = (_NAT64, IPv6Network("2000::/3"))
"""The networks of version 6 that lead to the public internet; `is_global` takes others for global too."""
_SPECIAL: Final = IPv4Network("192.0.0.0/24")
"""A network that counts as global, and is not."""
_LOOKUPS: Final = ThreadPoolExecutor(4, "lookups")
"""Threads apart from those of the event loop, which check passwords and send e-mails: a stranger's name server may
take as long as it likes."""
_MOST_TRIED: Final = 3
"""Addresses of a host that are tried one after the other."""


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to hosts by their public addresses. The address that was checked is the one that is connected to."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        *first, last = await public_addresses(host, port)
        for address in first:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
        return await self._backend.connect_tcp(last, port, timeout, local_address, socket_options)


async def public_addresses(host: str, port: int) -> list[str]:
    """Resolve a host; `ConnectError` if any of its addresses is not public."""
    try:
        resolve = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, resolve)
    except OSError as error:
        raise httpcore.ConnectError("The host has no address.") from error
    addresses = [*dict.fromkeys(str(entry[4][0]) for entry in found)]
    if not addresses or not all(is_public(address) for address in addresses):
        raise httpcore.ConnectError("The host is not public.")
    return addresses[:_MOST_TRIED]


def is_public(text: str) -> bool:
    """Whether an address is one of the public internet, and does not lead to another one inside."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    inner = _embedded(address) if isinstance(address, IPv6Address) else None
    return all(_is_global(each) for each in (address, inner) if each)


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    is_known = any(address in network for network in _PUBLIC) if address.version == 6 else address not in _SPECIAL
    return address.is_global and not address.is_multicast and is_known


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The address of version 4 that one of version 6 stands for."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
