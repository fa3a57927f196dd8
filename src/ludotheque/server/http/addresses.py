"""Addresses of clients, as limits count them."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network


def limited_address(host: str) -> str:
    """The address that limits count by. Of IPv6 that is the /64: whoever has one address has the whole of it."""
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or IPv6Network((int(address) >> 64 << 64, 64)))


def network_of(address: str) -> str:
    """The network that an address of `limited_address` belongs to: of IPv6 the /48, which one customer may hold."""
    if ":" not in address:
        return address
    try:
        return str(IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return address
